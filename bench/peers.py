"""Programs that also replay a history, in the same run: python-chess a game score, eventsourcing an aggregate.

    pip install 'pbem[bench]'
    PYTHONPATH=. python bench/peers.py [--rounds N] [--json]

Neither checks signatures, so both stand beside the fold without them; they do other work for other ends, and the
figures only say which order of size is usual.
"""

from __future__ import annotations

import io
import random
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).parent))

import logs
import measure
from measure import Row
from verify_speed import unsigned_fold, whole

EVENTS = 5_000
GAMES, PLIES = 25, 120


def chess_scores() -> tuple[Callable[[], object], int]:
    """Reads scores of random legal games; how many plies that are."""
    import chess
    import chess.pgn

    rng, scores, plies = random.Random(1), [], 0
    for _ in range(GAMES):
        board = chess.Board()
        while not board.is_game_over() and len(board.move_stack) < PLIES:
            board.push(rng.choice(list(board.legal_moves)))
        plies += len(board.move_stack)
        scores.append(str(chess.pgn.Game.from_board(board)))
    text = "\n\n".join(scores)

    def replay() -> None:
        stream = io.StringIO(text)
        while (game := chess.pgn.read_game(stream)) is not None:
            game.end().board()

    return replay, plies


def aggregate() -> tuple[Callable[[], object], int]:
    """Rebuilds an aggregate from its stored events in memory; how many they are."""
    from eventsourcing.application import Application
    from eventsourcing.domain import Aggregate, event

    class Table(Aggregate):
        @event("Begun")
        def __init__(self) -> None:
            self.texts = 0
            self.last = ""

        @event("Moved")
        def move(self, text: str) -> None:
            self.texts += 1
            self.last = text

    application: Application = Application(env={"PERSISTENCE_MODULE": "eventsourcing.popo"})
    table = Table()
    for number in range(EVENTS - 1):
        table.move(f"2/18 Infantry to hill {number}")
    application.save(table)
    return lambda: application.repository.get(table.id), EVENTS


PEERS = {
    "chess": ("python-chess, scores read and replayed", "plies/s", chess_scores),
    "eventsourcing": ("eventsourcing, an aggregate rebuilt from memory", "events/s", aggregate),
}


def peers(number: int) -> list[Row]:
    with TemporaryDirectory() as folder:
        data = logs.open_table(Path(folder) / "game.pbem", EVENTS).read_bytes()
    ours: dict[str, tuple[str, str, Callable[[], object], int]] = {
        "verify": ("pbem, verify with two workers", "events/s", lambda: whole(data, 2), EVENTS),
        "fold": ("pbem, the same without signatures", "events/s", lambda: unsigned_fold(data), EVENTS),
    }
    theirs = {name: (what, unit, *make()) for name, (what, unit, make) in PEERS.items() if find_spec(name) is not None}
    both = {**ours, **theirs}
    times = measure.rounds({name: do for name, (_, _, do, _) in both.items()}, number)
    return [Row(what, count / times.median(name), unit) for name, (what, unit, _, count) in both.items()]


PARTS = {"Beside other programs": peers}

if __name__ == "__main__":
    measure.command(__doc__, PARTS, 5)
