"""Record the games in games/ anew and note what `tests/test_games.py` expects of them.

python bench/record_games.py --force [GAME...]

Without names all of them. Those without anything hidden are played by the commands a player types; those of Glory
Recalled, Field Command and Tiger of Malaya by bots, each with the keys and the secrets of its seat and with nothing
else.
Keys and dice chains are new each time, so the games differ each time: run it only when an edition under development has
changed its digests. A released edition's games are never recorded again.
"""

from __future__ import annotations

import random
import secrets
import sys
import tempfile
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

CHECKOUT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(CHECKOUT), str(CHECKOUT / "tests")]

from computers import Computer, duel  # noqa: E402

from pbem import canon, changes, charter, dice, keys, log, registry, sealed, verify  # noqa: E402
from pbem.api import Advises, Ask, Engine, Known, Order  # noqa: E402
from pbem.author import Author  # noqa: E402
from pbem.record import Event  # noqa: E402
from pbem.replay import Fold  # noqa: E402
from pbem.ruleset import full_options, rules_for, scenario_of  # noqa: E402
from pbem.vault import Vault  # noqa: E402
from rules.battle_card_malaya import bot  # noqa: E402

GAMES = CHECKOUT / "games"
TRIES = 200
LINKS = 2048
"""Of the dice chains of a game of bots."""
ASIDE = 25
"""Percent of windows that a bot leaves to their owner before it goes on."""

AWAY = 200
"""Events after which a player is replaced, where one is."""

REACTIONS = ("react_card", "negate", "object", "intercept")
"""What a bot gives in a window that was passed; else it lets it lapse."""

Choose = Callable[[Any], object]

DUEL = (
    ("move 1st battalion to the ridge", "roll 2d6 for the assault on the ridge"),
    ("record the ridge holds", "move reserve to the mill", "roll d10 for spotting"),
    ("roll 3d6 for artillery on the mill", "note Two hexes north of the river."),
    ("record one step lost at the mill", "tally blue-losses 1"),
    ("move armour along the road", "roll 2d6+d10 for breakthrough"),
    ("move armour back to the bridge", "roll d6 for demolition of the bridge"),
    ("record the bridge stands", "tally red-vp 4"),
    ("roll 4d6 for the counterattack", "roll d6 for morale"),
    ("move 2nd battalion into the wood",),
    ("roll 2d6 for the night raid",),
    ("record two steps lost in the wood", "tally red-losses 2"),
    ("tally blue-vp 3", "note Both sides are spent."),
)


def malaya(folder: Path, choose: Choose, won: bool) -> Path:
    """Solitaire games until one ends as wanted: by a careful player, or by one that takes the first offer."""
    for number in range(TRIES):
        one = Computer(folder / f"{'won' if won else 'lost'}-{number}")
        one.do("new", "battle-card-malaya", "--file", "g.pbem")
        while (trial := one.table("g.pbem").trial()).asks:
            one.do("order", "g.pbem", str(choose(trial.state)), "--roll")
        one.do("send", "g.pbem")
        outcome = one.table("g.pbem").fold.outcome()
        if outcome is not None and bool(outcome.winner) == won:
            return one.path("g.pbem")
    raise SystemExit(f"{TRIES} games and none was {'won' if won else 'lost'}")


def open_table(folder: Path) -> Path:
    """A dozen turns with sealed dice, ended by agreement."""
    match = duel(folder / "duel", "sealed", "--option", "game=The ridge, the mill and the bridge")
    for number, orders in enumerate(DUEL):
        seat, other = ("red", "blue") if number % 2 == 0 else ("blue", "red")
        if any(order.startswith("roll ") for order in orders):
            match.turn(seat, *orders)
            match.mail(other)  # the slip; the same player goes on
            match.turn(seat, "pass")
        else:
            match.turn(seat, *orders, "pass")
    match["blue"].do("offer", "g.pbem", "red")
    match.mail("blue")
    match["red"].do("agree", "g.pbem")
    match.mail("red")
    return match["blue"].path("g.pbem")


Bot = Callable[[Engine, Any, Ask, Known, random.Random], Order]


def by_chance(engine: Engine, state: Any, ask: Ask, known: Known, rng: random.Random) -> Order:
    """Any order that is legal."""
    return engine.sample(state, ask, known, rng)


def by_advice(engine: Engine, state: Any, ask: Ask, known: Known, rng: random.Random) -> Order:
    """What the bot of the rules advises."""
    order = engine.advise(state, ask, known, rng) if isinstance(engine, Advises) else None
    return order or engine.sample(state, ask, known, rng)


class Duel:
    """A game with something hidden under sealed dice: each seat chooses by what its own vault shows it."""

    def __init__(
        self, rules: str, scenario: str, options: Mapping[str, str] | None = None, bot: Bot = by_chance
    ) -> None:
        self.rng = random.Random()
        self.options = options or {}
        self.bot = bot
        self.keys: dict[str, keys.SigningKey] = {}
        self.vaults: dict[str, Vault] = {}
        self.game = self._charter(rules, scenario)
        self.events: list[Event] = []
        self.fold = Fold(self.game, rules_for(self.game), past=lambda to: iter(self.events[:to]))

    def _charter(self, rules: str, scenario_id: str) -> charter.Game:
        engine = registry.engine(rules)
        edition = registry.ruleset(engine, engine.editions[-1])
        scenario = scenario_of(engine, scenario_id)
        setup = secrets.token_hex(32)
        doc: canon.Doc = {
            "v": 1,
            "kind": "charter",
            "setup": setup,
            "rules": {"id": engine.id, "version": str(edition.number), "digest": edition.rules_digest},
            "data": edition.data,
            "scenario": scenario.id,
            "options": full_options(engine, scenario, self.options),
            "dice": {"policy": "sealed", "contributors": "all_others", "expand": "hmac-sha256-64"},
            "seats": [self._entry(seat.id, setup) for seat in scenario.seats],
        }
        if edition.tables:
            doc["tables"] = [[name, digest] for name, digest in sorted(edition.tables)]
        return charter.make_game(doc)

    def _entry(self, seat: str, setup: str) -> canon.Doc:
        """A seat's part of the charter; its keys and secrets are made here and kept nowhere."""
        self.keys[seat] = keys.SigningKey.from_seed(secrets.token_bytes(32))
        self.vaults[seat] = Vault(seat, secrets.token_bytes(32))
        master = self.vaults[seat].master
        chain_id = dice.chain_id(bytes.fromhex(setup), seat, 1)
        return {
            "seat": seat,
            "key": self.keys[seat].public.hex(),
            "anchor": dice.anchor(chain_id, dice.chain_end(master, 1), LINKS).hex(),
            "links": LINKS,
            "nonce": secrets.token_hex(32),
            "box": sealed.box_public(sealed.box_key(master)).hex(),
        }

    def author(self, seat: str) -> Author:
        vault = self.vaults[seat]
        return Author(self.fold, seat, self.keys[seat], lambda n: vault.link(self.fold, n), vault, self.events)

    def play(self, replaced: str = "", after: int = 0, most: int = 0) -> bytes:
        """The whole game and the disclosures after it, as a file; after so many events somebody else plays a seat.

        A game with more than `most` events is broken off.
        """
        seals = b"".join(charter.seal(self.keys[seat], self.game, seat) for seat in self.game.sealers())
        while self.fold.holder and not 0 < most < len(self.events):
            if replaced and self.fold.seq >= after and self.ready(replaced):
                self.replace(replaced)
                replaced = ""
            self.step(self.author(self.fold.holder))
        return self.game.line() + seals + b"".join(event.line() for event in self.events)

    def ready(self, seat: str) -> bool:
        """Whether a seat can be given to somebody else now: it has nothing sealed, and another holds the baton."""
        fold = self.fold
        quiet = fold.batch is None and not fold.slots.closed(seat) and not fold.windows
        return quiet and fold.holder != seat and fold.engine.replaceable(fold.state, seat)

    def replace(self, seat: str) -> None:
        """The player of a seat has vanished: another, with new keys and secrets, takes it with the others' consent."""
        fold, new = self.fold, keys.SigningKey.from_seed(secrets.token_bytes(32))
        vault = Vault(seat, secrets.token_bytes(32), era=fold.era[seat] + 1)
        number = fold.chain_no[seat] + 1
        chain_id = dice.chain_id(bytes.fromhex(fold.game.charter.setup), seat, number)
        old = fold.keys[seat].raw.hex()
        proof = changes.proof_doc(game=fold.game.id, seat=seat, old=old, new=new.public.hex())
        body: canon.Doc = {
            "seat": seat,
            "key": new.public.hex(),
            "proof": new.sign(keys.REKEY, proof).hex(),
            "box": sealed.box_public(sealed.box_key(vault.master)).hex(),
            "anchor": dice.anchor(chain_id, dice.chain_end(vault.master, number), LINKS).hex(),
            "links": LINKS,
            "lost": [],
        }
        others = sorted(one for one in fold.in_game if one not in (seat, fold.holder))
        consents: canon.Doc = {
            "consents": [
                {"seat": one, "sig": self.author(one).consent("replace", body, fold.head, fold.seq + 1).sig.hex()}
                for one in others
            ]
        }
        self.author(fold.holder).write("replace", {**body, **consents})
        self.keys[seat], self.vaults[seat] = new, vault

    def step(self, author: Author) -> None:
        """What the holder of the baton writes next."""
        fold = self.fold
        first = fold.asks[0] if fold.asks else None
        if self.reacted(author):
            return
        if not fold.since_handover:
            fold.pass_windows(author.seat)
        if fold.batch is not None and fold.batch.seed is None:
            contributors = fold.batch.contributors
            author.resolve([self.author(seat).slip() for seat in contributors if seat != fold.batch.requester])
        elif not isinstance(first, Ask):
            author.handover()
        elif author.client_ask() is not None:
            if fold.windows:
                author.handover()
            else:
                author.answer_client_asks()
        elif first.seat == author.seat:
            order = self.bot(fold.engine, fold.state, first, author.known(), self.rng)
            if fold.windows and fold.engine.opens(fold.state, author.seat, order, author.known()):
                author.handover()  # nothing is shown before the other seat has answered
            else:
                author.order(order)
        elif first.window and self.rng.randrange(100) >= ASIDE:
            author.write("play_on", {})
        else:
            author.handover()

    def reacted(self, author: Author) -> bool:
        """Whether the holder answers the first window that the other seat passed."""
        fold = self.fold
        mine = [window for window in fold.windows if window.seat == author.seat]
        if fold.since_handover or not mine:
            return False
        offers = fold.engine.offers(mine[0].state, author.seat, author.known())
        reactions = [order for order in offers if order.kind in REACTIONS]
        if not reactions or self.rng.randrange(100) < ASIDE:
            return False
        author.react(mine[0].seq, self.rng.choice(reactions))
        return True


def glory(folder: Path, scenario: str, *, kinds: tuple[str, ...] = (), winner: str = "") -> Path:
    """Games of Glory Recalled between two bots until one has events of these kinds and that winner."""
    path = folder / f"glory-{scenario}{log.SUFFIX}"
    for _ in range(TRIES):
        match = Duel("glory-recalled", scenario)
        path.write_bytes(match.play())
        outcome = match.fold.outcome()
        if outcome is None:
            raise SystemExit(f"a game of {scenario} has ended without an outcome")
        if winner in ("", outcome.winner) and set(kinds) <= {event.kind for event in match.events}:
            return path
    raise SystemExit(f"{TRIES} games of {scenario} and none as wanted")


def field(folder: Path, scenario: str, *, bot: Bot = by_advice, most: int = 0, replaced: str = "") -> Path:
    """Games of Field Command between bots, until one has no more events than wanted."""
    path = folder / f"field-{scenario}{log.SUFFIX}"
    for _ in range(TRIES):
        match = Duel("field-command", scenario, bot=bot)
        path.write_bytes(match.play(replaced, AWAY))
        if not most or len(match.events) <= most:
            return path
    raise SystemExit(f"{TRIES} games of {scenario} and none as short as wanted")


STANDING = ("standing losses", "standing retreat", "standing support", "standing no evasion")


def allied_standing(engine: Engine, state: Any, ask: Ask, known: Known, rng: random.Random) -> Order:
    """The Allies leave answers to standing orders; all else as advised."""
    kept = {str(order) for seat, order in state.standing if seat == ask.seat}
    text = next((text for text in STANDING if text not in kept), "")
    if text and ask.seat == "allies" and ask.what in ("move", "bombard", "declare", "lose", "stand_or_retreat"):
        return engine.read(state, ask.seat, text, known)[0]
    return by_advice(engine, state, ask, known, rng)


def tiger(folder: Path, scenario: str, bot: Bot = by_advice, most: int = 0) -> Path:
    """Games of Tiger of Malaya between two plain bots, until one has no more events than wanted."""
    path = folder / f"tiger-{scenario}{log.SUFFIX}"
    for _ in range(TRIES):
        match = Duel("tiger-of-malaya", scenario, bot=bot)
        path.write_bytes(match.play(most=most))
        if match.fold.outcome() is not None:
            return path
    raise SystemExit(f"{TRIES} games of {scenario} and none as short as wanted")


def singapore(folder: Path, scenario: str, kinds: frozenset[str]) -> Path:
    """Games of Singapore (1984) between two bots, until one has events of these kinds."""
    path = folder / f"singapore-{scenario}{log.SUFFIX}"
    for _ in range(TRIES):
        match = Duel("singapore-1984", scenario, bot=by_advice)
        path.write_bytes(match.play())
        if match.fold.outcome() is not None and kinds <= {event.kind for event in match.events}:
            return path
    raise SystemExit(f"{TRIES} games of {scenario} and none as wanted")


def with_cards(folder: Path, most: int) -> Path:
    """Games for three with Situation Cards, until a short one has what cards bring: negated, shared, discarded."""
    path = folder / f"field-cards{log.SUFFIX}"
    for _ in range(TRIES):
        match = Duel("field-command", "campaign", {"cards": "yes"}, by_advice)
        path.write_bytes(match.play())
        kinds = {event.kind for event in match.events}
        if len(match.events) <= most and {"card", "negate", "split", "discard", "react"} <= kinds:
            return path
    raise SystemExit(f"{TRIES} games with cards and none as wanted")


def expected(path: Path) -> str:
    """What is known of a game, as a table of games/expected.toml."""
    with log.open_for_reading(path) as stream:
        verdict = verify.verify(stream, rules_for)
    if verdict.word != "VALID" or verdict.outcome is None:
        raise SystemExit(f"{path}: {verdict.line()}")
    rows = {
        "verdict": f'"{verdict.line()}"',
        "events": str(verdict.seq),
        "head": f'"{verdict.head}"',
        "winner": f'"{verdict.outcome.winner}"',
    }
    return f"[{path.stem}]\n" + "".join(f"{name} = {value}\n" for name, value in rows.items())


def rows(name: str, known: dict[str, Any]) -> str:
    """A table of games/expected.toml as it was."""
    return f"[{name}]\n" + "".join(
        f"{key} = {value}\n" if isinstance(value, int) else f'{key} = "{value}"\n' for key, value in known.items()
    )


MADE: dict[str, Callable[[Path], Path]] = {
    "malaya-won": lambda folder: malaya(folder, bot.advise, won=True),
    "malaya-lost": lambda folder: malaya(folder, lambda state: next(iter(bot.sequence.offers(state))), won=False),
    "open-table-duel": open_table,
    "glory-kowloon": lambda folder: glory(folder, "kowloon", kinds=("react", "rally")),
    "glory-island": lambda folder: glory(folder, "island", kinds=("land", "wave"), winner="british"),
    "glory-standard": lambda folder: glory(folder, "standard", kinds=("disrupt", "land"), winner="japan"),
    "glory-free": lambda folder: glory(folder, "free"),
    "field-company": lambda folder: field(folder, "company"),
    "field-battalion": lambda folder: field(folder, "battalion"),
    "field-regiment": lambda folder: field(folder, "regiment", bot=by_chance),
    "field-campaign-two": lambda folder: field(folder, "campaign-two", most=1500),
    "field-campaign": lambda folder: field(folder, "campaign", most=1500, replaced="australia"),
    "field-cards": lambda folder: with_cards(folder, most=1500),
    "singapore-campaign": lambda folder: singapore(folder, "campaign", frozenset({"declare", "retreat"})),
    "singapore-optional": lambda folder: singapore(folder, "optional", frozenset({"declare", "use", "airsup"})),
    "tiger-muar": lambda folder: tiger(folder, "muar", allied_standing),
    "tiger-northern-johore": lambda folder: tiger(folder, "northern-johore"),
    "tiger-campaign": lambda folder: tiger(folder, "tiger-of-malaya", most=2500),
    "tiger-great-base": lambda folder: tiger(folder, "great-base", most=3500),
}


def main() -> None:
    """Record all games, or those that are named."""
    if "--force" not in sys.argv[1:]:
        raise SystemExit(__doc__)
    names = [word for word in sys.argv[1:] if word != "--force"] or list(MADE)
    if unknown := set(names) - MADE.keys():
        raise SystemExit(f"no game {', '.join(sorted(unknown))}; games: {', '.join(MADE)}")
    kept = tomllib.loads((GAMES / "expected.toml").read_text("utf-8"))
    told = {name: rows(name, known) for name, known in kept.items()}
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            target = GAMES / f"{name}{log.SUFFIX}"
            target.write_bytes(MADE[name](Path(folder)).read_bytes())
            told[name] = expected(target)
            print(told[name])
    head = "# Recorded once, with the games; tests compare and never write this file.\n\n"
    tables = "\n".join(told[name] for name in MADE if name in told)
    (GAMES / "expected.toml").write_text(head + tables, "utf-8", newline="\n")


if __name__ == "__main__":
    main()
