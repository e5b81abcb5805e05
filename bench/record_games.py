"""Record the games in games/ anew, by the commands a player types, and note what `tests/test_games.py` expects of them.

python bench/record_games.py --force

Keys and dice chains are new each time, so the games differ each time: run it only when an edition under development has
changed its digests. A released edition's games are never recorded again.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

CHECKOUT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(CHECKOUT), str(CHECKOUT / "tests")]

from computers import Computer, duel  # noqa: E402

from pbem import log, verify  # noqa: E402
from pbem.ruleset import rules_for  # noqa: E402
from rules.battle_card_malaya import bot  # noqa: E402

GAMES = CHECKOUT / "games"
TRIES = 200

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


def main() -> None:
    """Record all games."""
    if "--force" not in sys.argv[1:]:
        raise SystemExit(__doc__)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        made = {
            "malaya-won": malaya(folder, bot.advise, won=True),
            "malaya-lost": malaya(folder, lambda state: next(iter(bot.sequence.offers(state))), won=False),
            "open-table-duel": open_table(folder),
        }
        told = []
        for stem, path in made.items():
            target = GAMES / f"{stem}{log.SUFFIX}"
            target.write_bytes(path.read_bytes())
            told.append(expected(target))
            print(told[-1])
    head = "# Recorded once, with the games; tests compare and never write this file.\n\n"
    (GAMES / "expected.toml").write_text(head + "\n".join(told), "utf-8", newline="\n")


if __name__ == "__main__":
    main()
