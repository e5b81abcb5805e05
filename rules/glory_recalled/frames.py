"""The procedures that stand inside the turn: an action, its window, a combat, a landing.

What they hold is written into the position by the names of their fields, so fields are texts, numbers and tuples only.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from rules.glory_recalled.state import Frame


@dataclass(slots=True)
class Action(Frame):
    """Units that a card, a leader or an event has activated, or a march without a card.

    `how`: formation, counter, leader, march, event. `units`: who may act, where that was named; else `formations` say.
    `used`: movement points spent, by counter. `fought`: who attacked. `plan`: a march as ordered, while it waits.
    """

    seat: str = ""
    how: str = ""
    card: str = ""
    leader: str = ""
    units: tuple[str, ...] = ()
    formations: tuple[str, ...] = ()
    used: dict[str, int] = field(default_factory=dict)
    fought: tuple[str, ...] = ()
    plan: tuple[tuple[str, ...], ...] = ()
    cheap: bool = False
    forced: bool = False
    bonus: int = 0


@dataclass(slots=True)
class Window(Frame):
    """The opponent may react to what was announced. `step`: the kind of window, `seat`: who may react."""

    seat: str = ""


@dataclass(slots=True)
class Combat(Frame):
    """One combat from the declaration to the advance.

    `box`: the landing box the attack comes from, or "". `spaces`: where each attacker stands (by their order in `main`
    and `second`), for retreats after they have moved. `attack_cards`, `defence_cards`: slots. `list`: the sealed list.
    `cancelled`: kinds that count for nothing. `dice`: attacker's and defender's. `todo`: who takes how many hits yet.
    `overkill` by seat. `stayed`: attackers that took a hit by staying. `checks`: leaders to be rolled for.
    """

    seat: str = ""
    space: str = ""
    box: str = ""
    main: tuple[str, ...] = ()
    second: tuple[str, ...] = ()
    leaders: tuple[str, ...] = ()
    defenders: tuple[str, ...] = ()
    bonus: int = 0
    totals: tuple[int, ...] = ()
    list: str = ""
    attack_cards: tuple[str, ...] = ()
    defence_cards: tuple[str, ...] = ()
    cancelled: tuple[str, ...] = ()
    tried: tuple[str, ...] = ()
    dice: tuple[int, ...] = ()
    won: str = ""
    todo: tuple[tuple[str, int], ...] = ()
    small: int = 0
    checks: tuple[tuple[str, int], ...] = ()
    stayed: tuple[str, ...] = ()
    last_stand: bool = False
    advance: bool = False


@dataclass(slots=True)
class Shelling(Frame):
    """Hits on a stack without a combat: gunboats."""

    seat: str = ""
    space: str = ""
    hits: int = 0
    units: tuple[str, ...] = ()


@dataclass(slots=True)
class Bombardment(Frame):
    """A die for a battery."""

    seat: str = ""
    space: str = ""
    card: str = ""


@dataclass(slots=True)
class Homeless(Frame):
    """A leader without troops looks for the nearest of his side."""

    leader: str = ""


@dataclass(slots=True)
class Landing(Frame):
    """An amphibious assault: who is in which box and where they came from.

    `boxes`: those still to be fought, in order. `wave`: 1 or 2. `spent`: who has assaulted. `dim`: the box whose first
    wave is lit up by searchlights. `hurt`: box whose units torpedo boats have hit.
    """

    seat: str = ""
    card: str = ""
    boxes: tuple[str, ...] = ()
    origin: dict[str, str] = field(default_factory=dict)
    wave: int = 1
    spent: tuple[str, ...] = ()
    dim: str = ""
    hurt: str = ""
    force: bool = False


@dataclass(slots=True)
class Convoy(Frame):
    """A sea transport under way: who goes where."""

    seat: str = ""
    card: str = ""
    goes: dict[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class EventFrame(Frame):
    """An event that waits for dice or cards: `step` is what it does."""

    seat: str = ""
    card: str = ""
    target: str = ""
    count: int = 0


FRAMES: dict[str, type[Frame]] = {
    "action": Action,
    "window": Window,
    "combat": Combat,
    "shelling": Shelling,
    "bombardment": Bombardment,
    "homeless": Homeless,
    "landing": Landing,
    "convoy": Convoy,
    "event": EventFrame,
}
