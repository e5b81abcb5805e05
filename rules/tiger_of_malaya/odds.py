"""Strengths and odds of a battle, as a player counts them. [9.2, 9.3, 11.3]"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from rules.kit.hexes import Hex
from rules.kit.tables import odds, say_odds
from rules.tiger_of_malaya.state import JAPAN, Battle, State, can_jungle, foe, is_gun, level, option, points, stack


def halved(strength: int) -> int:
    """Half of a unit's strength, rounded up."""  # [2.1:Fractions, R38]
    return (strength + 1) // 2


def attackers(s: State, b: Battle) -> list[str]:
    """The units of a battle that still stand beside the hex."""
    return [id for id in b.units if id in s.pieces and s.board.grid.adjacent(s.pieces[id].at, b.hex)]


def everyone(s: State, b: Battle) -> list[str]:
    """The enemies in the hex; steamers lie there and do not fight. [11.6.C]"""
    return [id for id in stack(s, b.hex) if s.board.side(id) == foe(b.side) and s.board.kind(id) != "steamer"]


def defenders(s: State, b: Battle) -> list[str]:
    """Those who count: who was named, else the best, up to the limit of the hex; once it is fought nobody else."""
    # [9.0.F, 5.0.H, R26]
    there = everyone(s, b)
    if b.fought:
        return [id for id in b.held if id in there]
    room, found = s.board.limit(b.hex), []
    for id in sorted(there, key=lambda id: (id not in b.held, -level(s, id).defence, id)):
        if points(s, id) and points(s, id) <= room:
            room -= points(s, id)
            found.append(id)
    return found


def attack_of(s: State, unit: str, hex: Hex, ferried: bool = False) -> int:
    """The attack strength of a unit against a hex, with boats that help it."""  # [7.4.1, 9.3.5.A, 9.3.6.B]
    piece = s.pieces[unit]
    strength = level(s, unit).attack
    if not piece.supplied:
        strength = halved(strength)
    water = s.board.edge(piece.at, hex).water
    if water == "ocean" or (water == "river" and not ferried):  # [9.3.5.C, 11.8.2.A, 11.8.2.B, R53]
        strength = halved(strength)
    return strength


def defence_of(s: State, unit: str, hex: Hex) -> int:
    """The defence strength of a unit in its hex."""  # [7.4.2, 12.5.A, R39]
    strength = level(s, unit).defence
    if option(s, "opt_13_3") == "on" and s.board.nation(unit) == "straits" and s.board.has("island", hex):
        strength += s.board.game.straits_defence  # [13.3/1]
    if not s.pieces[unit].supplied:
        strength = max(strength - s.board.game.unsupplied_defence, 1)
    if s.forts.get(hex) == s.board.side(unit) and not s.board.is_town(hex):
        strength *= s.board.game.fort_factor
    return strength


class Sum(NamedTuple):
    """A battle before the die: strengths and support in halves, the step of the odds raw and after all that shifts it.

    `column` is what the chart is entered with, None below its lowest odds.
    """

    attack: int
    support: int
    defence: int
    help: int
    raw: int
    shifts: tuple[tuple[str, int], ...]
    step: int
    least: int
    most: int

    @property
    def fought(self) -> bool:
        """Whether the chart goes down so far."""  # [9.3.1.A]
        return self.step >= self.least

    def __str__(self) -> str:
        ours = half(self.attack) + (f"+{half(self.support)}" if self.support else "")
        theirs = half(self.defence) + (f"+{half(self.help)}" if self.help else "")
        moved = "".join(f", {why} {by:+}" for why, by in self.shifts)
        # [9.3.1.B]
        there = "" if not self.fought else f", column {say_odds(min(self.step, self.most))}"
        return f"{ours} against {theirs} are {say_odds(self.raw)}{moved}{there}"


def half(halves: int) -> str:
    """A number of halves as it is written: 19.5."""
    return f"{halves // 2}.5" if halves % 2 else f"{halves // 2}"


def guns(s: State, units: Iterable[str], hex: Hex, *, attack: bool, most: int | None = None) -> int:
    """The support of guns against a hex, in halves; ground may halve the whole. `most` is the cap on support."""
    # [9.2.F, R38, R41, R42]
    values = sum(
        s.board.template(id).offence if attack else s.board.template(id).defence for id in units if id in s.pieces
    )
    if most is not None and option(s, "r42") == "before":
        values = min(values, most)
    half_of = values + values % 2 if option(s, "r38") == "up" else values
    halves = half_of if softens(s, hex) else 2 * values
    return halves if most is None else min(halves, 2 * most)


def softens(s: State, hex: Hex) -> bool:
    """Whether the ground of a hex halves the artillery against it."""  # [9.2.F, R40]
    return s.board.is_slow(hex) if option(s, "r40") == "jungle" else s.board.halves_artillery(hex)


def reckon(s: State, b: Battle, support: Iterable[str], defence: Iterable[str]) -> Sum:
    """The odds of a battle with these guns. At least one unit stands on each side."""
    ours, theirs = attackers(s, b), defenders(s, b)
    game, line = s.board.game, s.board.line(b.hex)  # [9.0.G, 9.3.E, R103]
    # [9.3.B, 9.3.C]; [9.3.5.B, 9.3.6.C]: water halves units, neither guns nor aircraft
    attack = 2 * sum(attack_of(s, id, b.hex, id in b.ferried or id in b.boats) for id in ours)
    cap = game.attack_support * sum(level(s, id).attack for id in ours)
    helped = guns(s, support, b.hex, attack=True, most=cap)  # [9.2.B, R42]
    hold = 2 * sum(defence_of(s, id, b.hex) for id in theirs)
    cap = game.defence_support * sum(level(s, id).defence for id in theirs)
    behind = guns(s, defence, b.hex, attack=False, most=cap)  # [9.2.C, R42]
    raw = odds(max(attack + helped, 1), max(hold + behind, 2))  # [9.3.D, 9.3.D.ex, 9.3.K.ex, R50]
    shifts = tuple(shift for shift in _shifts(s, b, ours, theirs) if shift[1])
    heads = s.board.odds_lines[line]
    return Sum(
        *(attack, helped, hold, behind, raw, shifts, raw + sum(by for _, by in shifts)),
        least=heads[0],
        most=heads[-1],
    )


def _shifts(s: State, b: Battle, ours: list[str], theirs: list[str]) -> Iterable[tuple[str, int]]:
    """What moves the odds: tanks, an aircraft, attacks from many sides."""
    game = s.board.game
    tanks = max((s.board.template(id).tank for id in ours), default=0)
    kinds = {s.board.kind(id) for id in theirs}
    if tanks and not kinds & {"tank", "anti-tank"}:  # [9.3.F, 11.3.1, R51, R67]
        yield "tanks", tanks
    if not tanks and "tank" in kinds:  # [11.3.2]
        yield "tanks", -game.tanks_defending
    if b.air:  # [11.4.3.A/1]
        yield "aircraft", s.board.aircraft[b.air].modifier
    if len({s.pieces[id].at for id in ours}) >= game.four_hexes:
        yield "four hexes", game.shift_four_hexes


def oil(s: State, b: Battle) -> int:
    """What burning oil adds to the losses of a Japanese attack over the strait."""  # [12.7, R88]
    wet = any(s.board.edge(s.pieces[id].at, b.hex).water == "ocean" for id in attackers(s, b))
    held = any(
        s.board.nation(id) == "australian" and s.board.kind(id) == "infantry" and id in s.board.units
        for id in everyone(s, b)
    )
    return s.board.game.oil if b.side == JAPAN and wet and held and s.board.has("island", b.hex) else 0


class Due(NamedTuple):
    """What both sides must lose after all changes, and what the defender may take as steps or hexes."""  # [R56]

    attack: int
    defence: int
    rest: int


def due(attack: int, defence: int, ours: int, theirs: int) -> Due:
    """Losses of a result, when the sides have so many steps to lose."""  # [R56]
    # [9.3.2.A, 9.3.2.C, 9.3.2.D.1, 9.3.2.E, 2.1:Fractions]
    unmet_attack = max(0, attack - ours)
    unmet_defence = max(0, defence // 2 - theirs)
    lost, hurt = max(0, attack - unmet_defence), max(0, defence - unmet_attack)
    return Due(min(lost, ours), min(hurt // 2, theirs), hurt - hurt // 2)


def can_support(s: State, side: str, unit: str, hex: Hex, under_attack: set[Hex]) -> str:
    """Why a gun of a side cannot support at a hex, by clause; empty when it can."""
    piece = s.pieces.get(unit)
    if piece is None or s.board.side(unit) != side or not is_gun(s, unit):
        return "9.2.A"
    if not piece.available or "bombarded" in piece.marks:
        return "11.1.1.C/2"
    if s.active == side and s.chit == "jungle" and not can_jungle(s, unit) and option(s, "r8") != "guns":  # [R8]
        return "3.3.1"
    if s.board.grid.distance(piece.at, hex) > s.board.template(unit).range:
        return "11.1.2.D/2"
    if piece.at in under_attack:
        return "9.2.E"
    return ""
