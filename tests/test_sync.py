"""Whole games by `sync` alone through a post office that loses, doubles, delays and reorders; and what sync promises."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from computers import Match, duel
from postman import Clock, Postman, duel_moves, play, receiver

from pbem.cli import mail as command


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(command, "now", clock)
    return clock


def boxes(match: Match) -> Match:
    """Each computer mails into its folder `out` and reads its folder `in`."""
    for seat, computer in match.computers.items():
        for box in ("in", "out"):
            computer.path(box).mkdir(exist_ok=True)
        computer.do("mail", "set", f"address={seat}@example.org", "send=folder", "receive=folder",
                    f"send_folder={computer.path('out')}", f"receive_path={computer.path('in')}")
        for other in match.computers:
            if other != seat:
                computer.do("address", "set", "g.pbem", other, f"{other}@example.org")
    return match


def post_office(match: Match, seed: int, **how: float) -> Postman:
    counts: dict[str, int] = {}

    def deliver(to: str, raw: bytes) -> None:
        seat = to.partition("@")[0]
        counts[seat] = counts.get(seat, 0) + 1
        (match[seat].path("in") / f"{counts[seat]:05}.eml").write_bytes(raw)

    return Postman(random.Random(seed), deliver, **how)  # type: ignore[arg-type]


def collect(match: Match, postman: Postman) -> list[bytes]:
    """Everything that lies in the boxes for outgoing mail."""
    taken = []
    for computer in match.computers.values():
        for path in sorted(computer.path("out").iterdir()):
            raw = path.read_bytes()
            path.unlink()
            postman.take(receiver(raw), raw)
            taken.append(raw)
    return taken


class Collecting(Postman):
    """Empties the boxes before it walks."""

    match: Match

    def walk(self) -> None:
        collect(self.match, self)
        super().walk()


@pytest.mark.parametrize(("dice", "seed"), [("sealed", 1), ("sealed", 2), ("open", 3)])
def test_a_whole_game_under_loss_doubling_delay_and_reordering(
    tmp_path: Path, clock: Clock, dice: str, seed: int
) -> None:
    match = boxes(duel(tmp_path, dice))
    postman = post_office(match, seed)
    postman.__class__ = Collecting
    postman.match = match  # type: ignore[attr-defined]
    rounds = play(match, postman, clock, duel_moves(16), 400)
    assert postman.lost
    assert postman.doubled
    for computer in match.computers.values():
        assert computer.run("verify", "g.pbem", "--finished").out.startswith("VALID")
    assert rounds < 400
