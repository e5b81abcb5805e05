"""The project's own errors, named after whose fault it is.

Anything else that is raised is our bug.
Every error carries the exit status of the command line: 1 no, 2 wrong use, 3 something is missing, 4 trouble.
"""

from __future__ import annotations


class PbemError(Exception):
    """Something a player can be told: what was met, and a hint what to try next."""

    exit_status = 1

    def __init__(self, what: str, hint: str = "") -> None:
        super().__init__(what)
        self.what = what
        self.hint = hint

    def __str__(self) -> str:
        return self.what


class Refused(PbemError):
    """The file's fault: a line, signature, charter, packet or event that must not be accepted.

    `code` is one of the stable codes of FORMAT.md (`E_SIG`, `E_RULE`, ...).
    `event` is the seq of the event concerned (0: charter and seals), None outside a log.
    `ids` are the clauses and rulings behind an `E_RULE`; `line` the line of a file it was met in, where that matters.
    """

    def __init__(
        self, code: str, what: str = "", hint: str = "", *, event: int | None = None, ids: tuple[str, ...] = ()
    ) -> None:
        super().__init__(what or EXPLAINED.get(code, code), hint)
        self.code = code
        self.event = event
        self.ids = ids
        self.line = b""

    def __str__(self) -> str:
        at = "" if self.event is None else f" at event {self.event}"
        return f"{self.code}{at}: {self.what}"


class Incomplete(PbemError):
    """Nothing is wrong, something is missing: seals, slips, events, an edition, components.

    `missing` starts with one of the words of the verdict `INCOMPLETE: <word> ...`.
    """

    exit_status = 3

    def __init__(self, missing: str, hint: str = "") -> None:
        super().__init__(f"INCOMPLETE: {missing}", hint)
        self.missing = missing


class OrderRefused(PbemError):
    """The player's fault: an order that cannot be read, has several meanings, or is illegal."""

    def __init__(self, what: str, hint: str = "", *, ids: tuple[str, ...] = ()) -> None:
        super().__init__(what, hint)
        self.ids = ids


class Unreadable(OrderRefused):
    """No order of this game reads like that."""


class Ambiguous(OrderRefused):
    """Several orders read like that; `meanings` are they, as they may be typed."""

    def __init__(self, what: str, meanings: tuple[str, ...]) -> None:
        super().__init__(what, "it could mean: " + "; ".join(meanings))
        self.meanings = meanings


class WrongUse(PbemError):
    """The command was called in a way that cannot work."""

    exit_status = 2


class Trouble(PbemError):
    """The set-up's fault: a file, folder, mail or lock that does not do what is needed."""

    exit_status = 4


EXPLAINED = {
    "E_LINE": "the line does not have the form of its kind",
    "E_SIZE": "the document is larger than 65,536 bytes",
    "E_JSON": "the text is not JSON in UTF-8",
    "E_DUPKEY": "a key stands twice in one object",
    "E_NUM": "a number is not an integer",
    "E_INT": "an integer is outside -(2^53-1) .. 2^53-1",
    "E_TEXT": "a text holds a character outside the permitted ranges",
    "E_CANON": "the JSON is not in canonical form",
    "E_FIELDS": "a field is missing, unknown or of the wrong type",
    "E_GAME": "the event belongs to another game",
    "E_SIG": "the signature does not fit the bytes, the seat's key and the purpose",
    "E_FORK": "the same seat signed two different events with one number",
    "E_GAP": "events are missing before this one",
    "E_PREV": "the event does not follow the head of the chain",
    "E_BATON": "the seat does not hold the baton",
    "E_KIND": "no event of that kind exists in this game",
    "E_RULE": "the rules refuse it",
    "E_OPENED_ILLEGAL": "what was sealed is against the rules",
    "E_STATE": "the positions of the two machines differ",
    "E_OWED": "count, owed, batch or link do not fit the state of the game",
    "E_NEXT": "the baton must go to another seat",
    "E_BATCH": "the event does not fit the dice batch",
    "E_LINK": "the link does not belong to the chain at that place",
    "E_SLIP": "a slip does not fit its request",
    "E_CONTRIB": "the slips are not those of the contributors",
    "E_CONSENT": "a consent is missing or for another act",
    "E_SAID": "the statement does not fit the chain",
    "E_WINDOW": "a window stands unanswered, or there is none to answer",
    "E_DUE": "something else is due first",
    "E_OPENING": "the opening does not fit the slot",
    "E_DUPCARD": "more copies were opened than exist",
    "E_NOSUCHCARD": "the composition has no such card",
    "E_DECKFRAUD": "what was sealed differs from the composition",
    "E_LATECOMMIT": "the commitment is later than the dice that use it",
    "E_ROLLBACK": "the file does not contain the head this installation has seen",
    "E_WEAKKEY": "the public key is not admissible",
    "E_SAMEKEY": "two seats have one key",
    "E_SAMEANCHOR": "two seats have one anchor",
    "E_UNSEALED": "an event stands before the last seal",
    "E_DRAFT": "the charter is not the draft plus the entries",
    "E_CHARTER": "the charter breaks a rule of its own",
    "E_POLICY": "the dice policy is unknown or not for that many seats",
    "E_UNDO": "the undo or heal is not possible there",
    "E_REKEY": "the new key is not proved or was used before",
    "E_REPLACE": "the seat cannot be replaced so",
    "E_BEACON": "the beacon round does not fit the request",
    "E_PACKET": "the packet is damaged",
}
