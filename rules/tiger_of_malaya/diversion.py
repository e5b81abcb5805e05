"""Reinforcements that a secret die decides on: the Allies see it, Japan does not until the units come. [14.3.2.J]

The die is a private roll; the order that brings in the first unit opens the value it was made of and so proves it.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from pbem.api import Ask, Commit, Illegal, Known, Note, Roll, Rolled, Slot, Tell
from rules.tiger_of_malaya.rows import Group
from rules.tiger_of_malaya.state import ALLIES, State, holder, option

CLAUSES = {  # of the first die and of the second
    "tiger-of-malaya": ("14.3.2.J", "14.3.2.K"),
    "great-base": ("14.4.2.J", "14.4.2.K"),
}
FATES = ("never", "rolled", "shown", "come")
VALUES = 2
"""Sealed values for private dice, one a group."""


def begin(s: State) -> None:
    """What can be said of the groups of this turn without a die."""  # [14.3.2.J, 14.3.2.K, R96]
    for group in s.board.groups.values():
        if group.turn == s.turn and not _possible(s, group):
            s.groups[group.id] = "never"


def _possible(s: State, group: Group) -> bool:
    """Whether a die is rolled: the Allies hold the hexes, and one was rolled for the group before."""
    hexes = (*group.hexes, *s.board.region(group.region))
    before = not group.after or s.groups.get(group.after, "never") != "never"
    return before and option(s, "opt_14_3_5") != "on" and all(holder(s, hex) == ALLIES for hex in hexes)


def clause(s: State, group: Group) -> str:
    """Where the die of a group is ordered."""
    return CLAUSES[s.board.scenario.id][bool(group.after)]


def due(s: State) -> Group | None:
    """The group whose die comes now."""
    return next((group for group in s.board.groups.values() if group.turn == s.turn and group.id not in s.groups), None)


def pending(s: State, group: Group) -> Ask | Roll:
    """Values are sealed before the first die, then it falls for the Allies alone."""
    if not s.fates:
        return Ask(ALLIES, "seal_dice", clause(s, group), client=Commit("private", "fate", VALUES))
    return Roll(f"t{s.turn}/{group.id}", clause(s, group), dice=(6,), audience=ALLIES)


def rolled(s: State, group: Group, step: Rolled, tell: Tell) -> None:
    """Only the Allies know what fell."""  # [14.3.2.J, 14.3.2.K, 14.4.2.J, 14.4.2.K]
    s.fates -= 1
    s.groups[group.id] = f"rolled {step.slot} {step.label}"
    tell(Note("fate", {"group": group.id}, (clause(s, group),), step.label))


def groups_of(s: State, unit: str) -> Iterator[str]:
    """The groups whose dice decide on a unit: its own and those before."""
    for arrival in s.board.arrivals:
        group = s.board.groups.get(arrival.group) if unit in arrival.units else None
        while group is not None:
            yield group.id
            group = s.board.groups.get(group.after)


def opens(s: State, unit: str) -> tuple[Slot, ...]:
    """The slots that prove that a unit may come, as far as they are closed."""
    fates = [s.groups.get(id, "never").split() for id in groups_of(s, unit)]
    return tuple(words[1] for words in fates if words[0] == "rolled")


def refuse_opened(s: State, seat: str, slots: tuple[Slot, ...]) -> Illegal | None:
    """Dice are shown when units come."""  # [R96]
    own = {words[1] for fate in s.groups.values() if (words := fate.split())[0] == "rolled"}
    if seat == ALLIES and set(slots) <= own:
        return None
    return Illegal("these dice are not to be shown now", ("R96",))


def opened(s: State, slots: tuple[Slot, ...]) -> None:
    """They are known to everybody."""
    for id, fate in s.groups.items():
        words = fate.split()
        if words[0] == "rolled" and words[1] in slots:
            s.groups[id] = " ".join(("shown", *words[1:]))


def refuse_enter(s: State, unit: str, known: Known) -> Illegal | None:
    """The dice of its group and of those before must have been high enough."""
    for id in groups_of(s, unit):
        fate, *rest = s.groups.get(id, "never").split()
        said = clause(s, s.board.groups[id])
        if fate == "never":
            return Illegal(f"{unit} never comes", (said, "R96"))
        if fate == "come":
            continue
        if rest[1] not in known:
            return Illegal(f"the die {rest[1]} must be proved", ("R96",), "open its value with the order")
        if known[rest[1]][0] < s.board.scenario.group_die:
            return Illegal(f"{unit} never comes, the die was {known[rest[1]][0]}", (said,))
    return None


def outlook(s: State, unit: str, known: Known) -> str:
    """What a reader knows of a unit that depends on dice: "never", "perhaps", or "" where it comes."""
    found = ""
    for id in groups_of(s, unit):
        fate, *rest = s.groups.get(id, "open").split()
        if fate == "never" or (rest and rest[1] in known and known[rest[1]][0] < s.board.scenario.group_die):
            return "never"
        if fate == "open" or (rest and rest[1] not in known):
            found = "perhaps"
    return found


def entered(s: State, unit: str) -> None:
    """A group is on the map as soon as one of its units is."""
    for id in islice(groups_of(s, unit), 1):
        s.groups[id] = "come"


def come(s: State, group: str) -> bool:
    """Whether a group has reached the map."""  # [14.3.4.A.2, 14.4.2.M, R98]
    return s.groups.get(group) == "come"


def secret(s: State, seat: str) -> bool:
    """Whether a seat keeps dice that nobody else has seen."""
    return seat == ALLIES and any(fate.startswith("rolled") for fate in s.groups.values())
