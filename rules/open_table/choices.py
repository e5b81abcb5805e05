"""Questions that several seats answer without hearing each other, and texts under seal (OT-8)."""

from __future__ import annotations

from pbem.api import Ask, Illegal, Known, Note, OpenSlots, Slot, Tell
from rules.open_table.hands import remember
from rules.open_table.holdings import Question
from rules.open_table.orders import MAX_TEXT, NAME
from rules.open_table.secret_orders import MAX_SHORT, Answer, AskSeats, OpenSecret, Secret
from rules.open_table.state import State
from rules.open_table.story import refuse_text

ANSWER, SECRET = "answer", "secret"
"""Stems of what is sealed: the core counts their uses, `secret#3`."""
MAX_SECRETS = 60  # [OT-8.4]


# --- questions ---


def refuse_ask(state: State, seat: str, order: AskSeats, known: Known) -> Illegal | None:
    there = state.in_play()
    strange = [one for one in order.seats if one not in there]
    if strange or len(set(order.seats)) != len(order.seats) or not order.seats:
        return Illegal("each seat that is asked is in play and named once", ("OT-8.1",), f"seats: {', '.join(there)}")
    return refuse_text("the question", order.question, MAX_SHORT)


def ask(state: State, seat: str, order: AskSeats, tell: Tell) -> None:
    state.held.question = Question(seat, order.question, order.seats)
    remember(state, seat, "question", f"{', '.join(order.seats)}: {order.question}")
    tell(Note("ask", {"seat": seat, "seats": ", ".join(order.seats), "text": order.question}, ("OT-8.1",)))


def asks(question: Question) -> tuple[Ask, ...]:
    """Who answers next: all but the last under seal; then the sealed answers are opened in order."""
    silent = question.silent()
    if silent:
        if len(silent) == 1:
            return (Ask(silent[0], "answer", "OT-8.2"),)
        return (Ask(silent[0], "answer", "OT-8.2", secret=ANSWER, sealed=Answer.kind),)
    closed = [(seat, question.sealed[seat]) for seat in question.asked if seat in question.sealed]
    return tuple(Ask(seat, "open_answer", "OT-8.3", client=OpenSlots((slot,))) for seat, slot in closed)


def refuse_answer(state: State, seat: str, order: Answer, known: Known) -> Illegal | None:
    question = state.held.question
    if question is None or state.waiting or question.silent()[:1] != [seat]:
        return Illegal(f"nothing is asked of {seat} now", ("OT-8.2",), "ask SEAT: QUESTION")
    return refuse_text("the answer", order.text, MAX_TEXT)


def answer(state: State, seat: str, order: Answer, tell: Tell) -> None:
    """The last answer, in clear."""
    say(state, seat, order.text, "", tell)


def answer_sealed(state: State, seat: str, slot: Slot, tell: Tell) -> None:
    if state.held.question is not None:
        state.held.question.sealed[seat] = slot
        tell(Note("answer_sealed", {"seat": seat, "slot": slot}, ("OT-8.2",)))


def say(state: State, seat: str, text: str, slot: Slot, tell: Tell) -> None:
    question = state.held.question
    if question is None:
        return
    question.sealed.pop(seat, None)
    question.told[seat] = text
    remember(state, seat, "answer", text)
    tell(Note("answer_opened" if slot else "answer", {"seat": seat, "text": text, "slot": slot}, ("OT-8.3",)))
    settle(state)


def settle(state: State) -> None:
    """A question that everybody has answered is done."""
    question = state.held.question
    if question is not None and not question.silent() and not question.sealed:
        state.held.question = None


def leave(state: State, seat: str) -> None:
    question = state.held.question
    if question is not None:
        question.asked = tuple(one for one in question.asked if one != seat)
        question.sealed.pop(seat, None)
        settle(state)


def refuse_opened_answer(state: State, seat: str, slot: Slot, order: Answer) -> Illegal | None:
    question = state.held.question
    if question is None or question.sealed.get(seat) != slot or question.silent():
        return Illegal("the answers are opened when all are there", ("OT-8.3",))
    return refuse_text("the answer", order.text, MAX_TEXT)


# --- secrets ---


def refuse_secret(state: State, seat: str, order: Secret, known: Known) -> Illegal | None:
    if state.waiting:
        return Illegal("dice wait, and a secret is sealed at once", ("OT-8.4",), "let the dice fall first")
    if len(state.held.secrets) >= MAX_SECRETS:
        return Illegal(f"{MAX_SECRETS} secrets are sealed already", ("OT-8.4",), "open some of them")
    return refuse_secret_text(order)


def refuse_secret_text(order: Secret) -> Illegal | None:
    if not NAME.match(order.name):
        why = "the name of a secret is one word of up to 32 letters and digits"
        return Illegal(why, ("OT-8.4",), "such as orders-3")
    return refuse_text("the secret", order.text, MAX_TEXT)


def secret_sealed(state: State, seat: str, slot: Slot, tell: Tell) -> None:
    state.held.secrets[slot] = (seat, False)
    tell(Note("secret", {"seat": seat, "slot": slot}, ("OT-8.4",)))


def refuse_opened_secret(state: State, seat: str, slot: Slot, order: Secret) -> Illegal | None:
    if state.held.secrets.get(slot) != (seat, False):
        return Illegal(f"{slot} is no closed secret of {seat}", ("OT-8.5",))
    return refuse_secret_text(order)


def secret_opened(state: State, seat: str, slot: Slot, order: Secret, tell: Tell) -> None:
    state.held.secrets[slot] = (seat, True)
    remember(state, seat, "secret", f"{order.name}: {order.text}")
    tell(Note("secret_opened", {"seat": seat, "slot": slot, "name": order.name, "text": order.text}, ("OT-8.5",)))


def refuse_open_secret(state: State, seat: str, order: OpenSecret, known: Known) -> Illegal | None:
    if state.held.secrets.get(order.secret, ("",))[0] != seat:
        mine = [slot for slot, (owner, _) in state.held.secrets.items() if owner == seat]
        told = ", ".join(f"{known[slot]['name']} ({slot})" if slot in known else slot for slot in mine) or "none"
        return Illegal(f"{seat} has sealed no {order.secret[:32]}", ("OT-8.5",), f"secrets of {seat}: {told}")
    if order.secret not in known:
        return Illegal(f"{order.secret} must be open", ("OT-8.5",), "open it with the order")
    return None


def open_secret(state: State, seat: str, order: OpenSecret, tell: Tell) -> None:
    """It has been told when it was opened, and is no secret any more."""
    del state.held.secrets[order.secret]


def secrets_to_open(state: State, seat: str, order: OpenSecret) -> tuple[Slot, ...]:
    _, is_open = state.held.secrets.get(order.secret, ("", True))
    return () if is_open else (order.secret,)
