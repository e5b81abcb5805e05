"""A battle on the Combat Board, and the state of a game that is one battle.

A `Fight` is all that the battle chapters (deploy, air, tactics, strikes, combat, plans) talk about; it knows no map.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal, NamedTuple

from rules.field_command.components import Charts, Muster, Piece
from rules.field_command.rows import Army, Card, Do, Role

ROLES: tuple[Role, Role] = ("defence", "attack")
"""The defender is asked first, whatever both are asked. [4.2.1, 4.9.2, R6]"""

SEATS: Mapping[Army, str] = {"J": "japan", "A": "australia", "B": "britain"}

Node = Literal[
    "deploy_defence",
    "plan_defence",
    "deploy_attack",
    "plan_attack",
    "cards_attack",
    "cards_defence",
    "open_plan",
    "pick_defence",
    "pick_attack",
    "air_round",
    "tactic",
    "strike_defence",
    "strike_attack",
    "open_strikes",
    "strikes",
    "again",
    "die",
    "round",
    "oil",
    "leave_defence",
    "leave_attack",
    "pursuit",
    "over",
]
"""What a battle waits for; some of them wait for dice only."""

Tactic = Literal["", "assault", "concentrate", "flank"]
TACTICS: Mapping[Tactic, str] = {
    "assault": "General Assault",
    "concentrate": "Force Concentration",
    "flank": "Flanking Manoeuvre",
}
How = Literal["eliminated", "suppressed", "fatigued", "withdrawn", "captured"]
Stop = Literal["", "start", "air", "face", "chosen", "declared", "struck", "round"]
"""Where a side may withdraw. [R22]"""


class Shot(NamedTuple):
    """A declared strike: the unit, and the one that it is aimed at."""

    unit: str
    target: str


class Gone(NamedTuple):
    """A unit that has left the line, or the air, and how."""

    unit: str
    how: How


class Aid(NamedTuple):
    """A combat card in force: whose, how often it still counts (0: it does not end), and which units it is about."""

    role: Role
    card: str
    left: int
    units: tuple[str, ...]


class Result(NamedTuple):
    """The end of a battle: the role that has won ("" for a draw), and by which clause."""

    winner: Role | Literal[""]
    clause: str


class Last(NamedTuple):
    """The dice that fell last, for the picture: what they were, whose, and how it went."""

    what: Literal["air", "round"]
    attack: str
    defence: str
    attack_dice: tuple[int, ...]
    defence_dice: tuple[int, ...]
    margin: int


class Fight:
    """One battle.

    `line`: units by role, the point first. `used`: attacks of attacking units, absent for none. [4.3.4]
    `tactic` binds the attacking point, and its support where it is a pair's; "" while the point is free. [4.4.2]
    `air` and `strikes`: aircraft that fight for the air, and strike units that have not struck.
    `fresh`: strikes may be declared against this pair of points. [5.3.1]
    `declared`: the strikes of this exchange. `picks`: the aircraft of this air round. `die`: the die that was chosen
    for this round, to add or to drop; 0 while it is not.
    `plans`: the rules of each role, () for none; None while the question is open. `sealed` is the slot of the
    defender's, "" once it is open. `hidden`: strikes are declared without knowing the other side's, and `closed` is
    the slot of the defender's while it is sealed. [R6]
    `margin` in `last` and `bonus` are halves.

    With Situation Cards, `deck` says what each of them does; `aids` are in force, `passes` counts who has played
    enough; `hits` are the results of strikes while one of them is repeated, `burning` those whom fire may eliminate.

    A battle of a campaign is `field`: there one may withdraw [4.8]; at `stop` it is asked who does, and `leaver` has
    withdrawn. `skies` is an engagement of aircraft alone. [R15]
    """

    __slots__ = (
        *("aids", "air", "air_rounds", "army", "bonus", "burning", "charts", "deck", "declared", "die", "faces"),
        *("fresh", "gone", "hits", "last", "passes"),
        *("leaver", "line", "name", "node", "picks", "plans", "result", "rounds", "sealed", "seats", "skies", "stop"),
        *("closed", "field", "hidden", "strikes", "tactic", "units", "used"),
    )

    def __init__(self, charts: Charts, army: Mapping[Role, Army], bonus: int, units: Mapping[str, Piece]) -> None:
        self.charts = charts
        self.army = army
        self.bonus = bonus
        self.units = units
        self.name = "battle"
        self.node: Node = "deploy_defence"
        self.line: dict[Role, list[str]] = {"attack": [], "defence": []}
        self.used: dict[str, int] = {}
        self.tactic: Tactic = ""
        self.air: dict[Role, list[str]] = {"attack": [], "defence": []}
        self.strikes: dict[Role, list[str]] = {"attack": [], "defence": []}
        self.fresh = True
        self.declared: dict[Role, tuple[Shot, ...]] = {"attack": (), "defence": ()}
        self.picks: dict[Role, str] = {"attack": "", "defence": ""}
        self.die = 0
        self.plans: dict[Role, tuple[str, ...] | None] = {"attack": None, "defence": None}
        self.sealed = ""
        self.hidden = False
        self.closed = ""
        self.faces = 0
        self.rounds = 0
        self.air_rounds = 0
        self.gone: tuple[Gone, ...] = ()
        self.last: Last | None = None
        self.result: Result | None = None
        self.seats: Mapping[Army, str] = SEATS
        self.field = False
        self.skies = False
        self.deck: Mapping[str, Card] = {}
        self.aids: tuple[Aid, ...] = ()
        self.passes = 0
        self.hits: tuple[Gone, ...] = ()
        self.burning: tuple[str, ...] = ()
        self.stop: Stop = ""
        self.leaver: Role | Literal[""] = ""

    def copy(self) -> Fight:
        """Another battle that can be fought on by itself."""
        new = Fight(self.charts, self.army, self.bonus, self.units)
        for name in self.__slots__:
            setattr(new, name, getattr(self, name))
        new.line = {role: list(units) for role, units in self.line.items()}
        new.air = {role: list(units) for role, units in self.air.items()}
        new.strikes = {role: list(units) for role, units in self.strikes.items()}
        new.used, new.declared = dict(self.used), dict(self.declared)
        new.picks, new.plans = dict(self.picks), dict(self.plans)
        return new

    def __deepcopy__(self, _: object) -> Fight:
        return self.copy()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Fight) and all(getattr(self, name) == getattr(other, name) for name in self.__slots__)

    __hash__ = None  # type: ignore[assignment]


class State:
    """A game that is a single battle: its scenario, and the battle."""

    __slots__ = ("fight", "muster")

    def __init__(self, muster: Muster, fight: Fight) -> None:
        self.muster = muster
        self.fight = fight

    def __deepcopy__(self, _: object) -> State:
        return State(self.muster, self.fight.copy())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and self.fight == other.fight and self.muster == other.muster

    __hash__ = None  # type: ignore[assignment]


# --- questions ---


def anchor(f: Fight) -> str:
    """Where the report of this battle is found: `battle`, or turn and sector in a campaign."""
    return f.name.replace("t", "T", 1).replace("/", ".") if f.field else "battle"


def other(role: Role) -> Role:
    """The other side of the battle."""
    return "attack" if role == "defence" else "defence"


def seat_of(f: Fight, role: Role) -> str:
    """The seat that plays a role."""
    return f.seats[f.army[role]]


def role_of(f: Fight, seat: str) -> Role | None:
    """The role of a seat."""
    return next((role for role in ROLES if seat_of(f, role) == seat), None)


def point(f: Fight, role: Role) -> str:
    """The first unit of a line; "" where it is empty. [4.1.1]"""
    return f.line[role][0] if f.line[role] else ""


def paired(f: Fight) -> bool:
    """Whether the attacker's second unit supports the first. [4.1.2]"""
    return f.tactic in ("concentrate", "flank") and len(f.line["attack"]) > 1


def support(f: Fight) -> str:
    """The supporting unit; "" where there is none."""
    return f.line["attack"][1] if paired(f) else ""


def in_round(f: Fight, role: Role) -> tuple[str, ...]:
    """The units of a role that take part in a round: the point, and the support of a pair."""
    # [4.1.2]: the second unit, while a tactic uses it
    units = (point(f, role), support(f)) if role == "attack" else (point(f, role),)
    return tuple(unit for unit in units if unit)


def aids(f: Fight, do: Do, role: Role | None = None) -> Iterator[tuple[Aid, Card]]:
    """The cards in force that do this, of a role or of both."""
    for aid in f.aids:
        if f.deck[aid.card].do == do and role in (None, aid.role):
            yield aid, f.deck[aid.card]


def left(f: Fight, unit: str) -> int:
    """How many attacks an attacking unit still has; a card may give tanks one more. [4.3.4, 15.3.1]"""
    tank = f.units[unit].kind == "tank"
    more = sum(card.amount for _, card in aids(f, "third_attack", "attack")) if tank else 0
    return f.charts.game.attacks + more - f.used.get(unit, 0)


def strength(f: Fight, unit: str, role: Role) -> tuple[int, ...]:
    """The dice of a unit in a role, largest first. [3.1.2]"""
    piece = f.units[unit]
    dice = f.charts.dice(piece.colour, piece.kind, role)
    return dice[: max(1, len(dice) - disguised(f, unit))]


def disguised(f: Fight, unit: str) -> int:
    """How many dice a card takes from a unit: the smallest, which its owner would give. [15.3.1, R97]"""
    return sum(card.amount for aid, card in aids(f, "drop_die") if unit in aid.units)


def targets(f: Fight, role: Role) -> tuple[str, ...]:
    """What the strikes of a role may be aimed at. [5.3.4]"""
    return in_round(f, other(role))


def begin(muster: Muster, options: Mapping[str, str]) -> Fight:
    """A battle before deployment: everybody stands in roster order, aircraft fly, guns are ready."""
    armies: Mapping[Role, Army] = {"attack": muster.attacker, "defence": muster.defender}
    f = Fight(muster.charts, armies, muster.bonus, muster.units)
    f.hidden = options.get("r6") == "sealed"
    f.line = {"attack": list(muster.attack_line), "defence": list(muster.defence_line)}
    pools: Mapping[Role, tuple[str, ...]] = {"attack": muster.attack_strikes, "defence": muster.defence_strikes}
    for role, units in pools.items():
        flies = {unit for unit in units if muster.charts.family(muster.units[unit].kind) == "aircraft"}
        f.air[role] = [unit for unit in units if unit in flies]
        f.strikes[role] = [unit for unit in units if unit not in flies]
    return f
