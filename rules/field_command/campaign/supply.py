"""Supplies: who is in supply, what is paid, collected and lost. [14]"""

from __future__ import annotations

from collections.abc import Iterator

from pbem.api import Illegal, Note, Roll, Tell
from rules.field_command.campaign import cards_effects
from rules.field_command.campaign.state import War, name
from rules.field_command.components import side
from rules.field_command.rows import Army
from rules.field_command.terms import ADJECTIVES
from rules.kit.search import trace


def linked(w: War, place: str, army: Army) -> bool:
    """Whether a unit there is in supply: a chain of friendly sectors to a supply point. [14.3.2, R33, R34]

    Where it starts may be in enemy hands. No water but by a road; an Axis supplies the sectors that it borders.
    """
    friendly = side(army)

    def steps(at: str) -> Iterator[str]:
        if at in w.board.sectors:
            for step in cards_effects.steps(w, at):
                # [6.4.2.f]: over water only in the step out of an Axis
                if not step.water or step.road:
                    yield step.to

    def source(at: str) -> bool:
        if at in w.board.axes:
            return army == "J"
        if w.board.sectors[at].loss and side(w.control[at]) == friendly:
            return True
        return army == "J" and any(axis in w.board.activated for axis in w.board.axes_at(at))  # [14.3.3]

    if place not in w.board.sectors and place not in w.board.axes:
        return False
    # [14.3.4]
    return trace(place, source, steps, lambda at: side(w.control[at]) == friendly) is not None


def refuse(w: War, army: Army, place: str, clause: str, amount: int = 1) -> Illegal | None:
    """Why an action from this place cannot be paid for. [14.2.1, 14.3.1]"""
    if not w.with_supplies:
        return None
    if not linked(w, place, army):
        return Illegal(f"{name(w, place)} is out of supply", ("14.3.1", "14.3.2"))
    if w.supplies[army] < amount:
        return Illegal("there are no supplies left to pay for it", (clause, "14.2.1"))
    return None


def pay(w: War, army: Army, tell: Tell, what: str, clause: str) -> None:
    """A supply is paid; everybody sees what for. [14.2.1]"""
    if w.with_supplies:
        w.supplies[army] -= 1
        tell(Note("supply.paid", {"army": ADJECTIVES[army], "what": what}, (clause,)))


def collect(w: War, tell: Tell) -> None:
    """Phase 9: what the chart gives, whoever holds the supply points. [8.5.2, 14.4.2]"""
    if w.with_supplies:
        # [14.1.2, 14.4.2]
        got = cards_effects.income(w, w.army, w.board.collect(w.army, w.period))
        w.supplies[w.army] += got
        tell(Note("supply.collected", {"army": ADJECTIVES[w.army], "count": got}, ("8.5.2",)))


def waits(w: War) -> Roll:
    """The dice of the supply point that was lost first. [14.4.1]"""
    return Roll(f"supply/{w.losses[0].sector}", "14.4.1", dice=tuple(w.board.sectors[w.losses[0].sector].loss))


def hand_over(w: War, faces: tuple[int, ...], label: str, tell: Tell) -> None:
    """The total, at most half of what the loser has. [14.4.1, R36]"""
    loss, w.losses = w.losses[0], w.losses[1:]
    # [14.4.1-ex, 1.3]: the one place where dice are added
    given = min(sum(faces), w.supplies[loss.loser] // 2)
    w.supplies[loss.loser] -= given
    w.supplies[loss.captor] += given
    said: dict[str, str | int] = {
        "loser": ADJECTIVES[loss.loser],
        "captor": ADJECTIVES[loss.captor],
        "sector": name(w, loss.sector),
        "total": sum(faces),
        "count": given,
    }
    tell(Note("supply.lost", said, ("14.4.1",), label))
