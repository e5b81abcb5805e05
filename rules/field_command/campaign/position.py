"""The position of a campaign as lines, and back (README.md, "For cases and scripts").

clock       turn 4, phase battles, step fire      army turns from 1
units       J-Inf-1 J buloh                       army, place; then any of: air moved fired defended landed
control     buloh A
contested   buloh
entries     11 J-Inf-1 axis_b buloh off-road      who came in against enemies this turn, from where and how
directions  buloh axis_b off-road                 how attackers came since the sector is contested
barrages    11 J-FGun-1 buloh
supplies    J 40
losses      11 keppel B J                         a supply point that was lost, by whom to whom
covering    A                                     may still declare defensive barrages
battles     11 buloh                              still to be fought
fight       buloh 3                               where, and how many of its losses are carried out
foes        attack J, defence A                   of the fight; `skies` for aircraft alone
leaving     11 J-Inf-1 attack                     must leave the sector of the fight
standing    japan attack any 101 strike 1         a plan for every battle, or a sector for `any`: seat, role, rule
marks       J 12                                  has had its level since this army turn
ended       J 16.3.2.a                            who has won, `nobody`; and the clause

With Situation Cards also, a slot that is open with the card in it after `=`:

decks       J pile SLOT SLOT, J discard SLOT=boats     also: J owed 2
hands       A SLOT SLOT
drawn       fresh SLOT, joint SLOT, offered SLOT A     not kept yet
playing     11 SLOT=bicycles J at buloh, with J-Inf-1  what is played; `asked britain`, `negating SLOT=adnan`
            gaining SLOT=depot A, took sector
effects     11 SLOT=boats J 4                          in force to the end of that army turn; `at` and `with` as above

The sections of the fight are those of a single battle with `battle_` before them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import get_args

from pbem.errors import Trouble
from rules.field_command import position as board_lines
from rules.field_command import rule
from rules.field_command.campaign import cards_lines, fighting
from rules.field_command.campaign.state import (
    HELD,
    OUT,
    POOL,
    REPAIR,
    STEPS,
    Barrage,
    Direction,
    Ended,
    Entry,
    Held,
    Leaving,
    Loss,
    Mark,
    Phase,
    Standing,
    War,
)
from rules.field_command.components import OFF_MAP
from rules.field_command.rows import Army, Mode, Role
from rules.field_command.state import ROLES, Fight

PREFIX = "battle_"
PHASES: tuple[Phase, ...] = get_args(Phase)
MARKS: tuple[Mark, ...] = get_args(Mark)[1:]
ARMIES: tuple[Army, ...] = get_args(Army)
MODES: tuple[Mode, ...] = get_args(Mode)
CLOCK, UNITS = ("turn", "phase", "step"), "units"
SECTIONS = (
    *("clock", "units", "control", "contested", "entries", "directions", "barrages", "supplies", "losses"),
    *("covering", "battles", "leaving", "standing", "marks", "ended", "fight", "foes"),
)


def position(w: War) -> dict[str, tuple[str, ...]]:
    """Named sections of sorted lines."""
    f = w.fight
    lines: dict[str, list[str]] = {
        "clock": [f"turn {w.turn}", f"phase {w.phase}", f"step {w.step}"],
        "units": [
            f"{u.id} {u.army} {u.where}{' air' if u.air else ''}{f' {u.mark}' if u.mark else ''}"
            for u in w.units.values()
            if u.where != OUT
        ],
        "control": [f"{id} {army}" for id, army in w.control.items()],
        "contested": list(w.contested),
        "entries": _numbered(w.entries),
        "directions": [" ".join(one) for one in w.directions],
        "barrages": _numbered(w.barrages),
        "supplies": [f"{army} {number}" for army, number in w.supplies.items()],
        "losses": _numbered(w.losses),
        "covering": list(w.covering),
        "battles": _numbered((one,) for one in w.battles),
        "leaving": _numbered(w.leaving),
        "standing": [
            f"{one.seat} {one.role} {one.place} {n} {text}"
            for one in w.standing
            for n, text in enumerate(one.rules, 101)
        ],
        "marks": [f"{mark.army} {mark.since}" for mark in w.marks],
        "ended": [f"{''.join(w.ended.armies) or 'nobody'} {w.ended.clause}"] if w.ended else [],
        "fight": [f"{w.sector} {w.done}"] if f else [],
        "foes": [*(f"{role} {f.army[role]}" for role in ROLES), *(["skies"] if f.skies else [])] if f else [],
    }
    if w.cards:
        lines |= cards_lines.position(w.cards)
    found = {name: tuple(sorted(lines)) for name, lines in lines.items()}
    if f:
        found |= {PREFIX + name: lines for name, lines in board_lines.position(f).items()}
        found[PREFIX + "units"] = tuple(sorted(f.units))
    return found


def _numbered(rows: Iterable[Sequence[str]]) -> list[str]:
    return [f"{n} {' '.join(row)}" for n, row in enumerate(rows, 101)]


# --- and back ---


def place(w: War, sections: Mapping[str, Sequence[str]]) -> None:
    """Set the named sections, each as a whole. Raises `Trouble` for a line that fits no position."""
    there = (*SECTIONS, *(cards_lines.SECTIONS if w.cards else ()))
    of_battle = {name.removeprefix(PREFIX): lines for name, lines in sections.items() if name.startswith(PREFIX)}
    for name in sections:
        if name not in there and not name.startswith(PREFIX):
            raise Trouble(f"a position has no section {name}", f"sections: {', '.join(there)}")
    for name in there:
        if name in sections:
            rows = [line.split() for line in sorted(sections[name])]
            try:
                _put(w, name, rows)
            except (ValueError, KeyError, IndexError) as bad:
                met = "; ".join(" ".join(row) for row in rows)
                raise Trouble(f"{name}: cannot place {met[:100]!r}: {bad}", "see the README of the rules") from None
    if w.fight:
        _battle(w, w.fight, of_battle)
    elif of_battle:
        raise Trouble("there is no fight to place", "fight: SECTOR LOSSES-CARRIED-OUT; foes: ROLE ARMY")
    _check(w)


def _one(options: Sequence[str], word: str) -> str:
    if word not in options:
        raise ValueError(f"{word} is none of: {', '.join(options)}")
    return word


def _army(word: str) -> Army:
    return ARMIES[ARMIES.index(_one(ARMIES, word))]


def _sector(w: War, word: str) -> str:
    return _one(tuple(w.board.sectors), word)


def _unit(w: War, word: str) -> str:
    return _one(tuple(w.units), word)


def _mode(word: str) -> Mode:
    return MODES[MODES.index(_one(MODES, word))]


def _role(word: str) -> Role:
    return "attack" if _one(ROLES, word) == "attack" else "defence"


def _put(w: War, name: str, rows: list[list[str]]) -> None:
    if name in cards_lines.SECTIONS:
        cards_lines.put(w, name, rows)
    elif name == "clock":
        clock = dict(rows)
        w.turn = int(clock["turn"])
        if not 1 <= w.turn <= len(w.board.order) * w.board.periods:
            raise ValueError("there is no such turn")
        w.phase = PHASES[PHASES.index(_one(PHASES, clock["phase"]))]
        w.step = STEPS[STEPS.index(_one(STEPS, clock["step"]))]
    elif name == UNITS:
        _units(w, rows)
    elif name == "control":
        w.control |= {_sector(w, sector): _army(army) for sector, army in rows}
    elif name == "contested":
        w.contested = {_sector(w, sector) for (sector,) in rows}
    elif name == "entries":
        w.entries = tuple(
            Entry(_unit(w, unit), out, _sector(w, into), _mode(mode)) for _, unit, out, into, mode in rows
        )
    elif name == "directions":
        w.directions = {Direction(_sector(w, sector), out, _mode(mode)) for sector, out, mode in rows}
    elif name == "barrages":
        w.barrages = tuple(Barrage(_unit(w, gun), _sector(w, sector)) for _, gun, sector in rows)
    elif name == "supplies":
        w.supplies |= {_army(army): int(number) for army, number in rows}
    elif name == "losses":
        w.losses = tuple(Loss(_sector(w, sector), _army(loser), _army(captor)) for _, sector, loser, captor in rows)
    elif name == "covering":
        there = {_army(army) for (army,) in rows}
        w.covering = tuple(army for army in w.board.order if army in there)
    elif name == "battles":
        w.battles = tuple(_sector(w, sector) for _, sector in rows)
    elif name == "leaving":
        w.leaving = tuple(Leaving(_unit(w, unit), _role(role)) for _, unit, role in rows)
    elif name == "standing":
        _standing(w, rows)
    elif name == "marks":
        w.marks = tuple(Held(army, int(since)) for army in w.board.order for other, since in rows if other == army)
    elif name == "ended":
        w.ended = None
        for who, clause in rows:
            w.ended = Ended(() if who == "nobody" else tuple(map(_army, who)), clause)
    elif name == "fight":
        w.fight, w.sector, w.done = None, "", 0
        for sector, done in rows:
            w.sector, w.done = _sector(w, sector), int(done)
            w.fight = Fight(w.board.charts, {"attack": "J", "defence": "A"}, 0, {})
    elif rows and w.fight:
        w.fight.skies = ["skies"] in rows
        w.fight.army = {_role(row[0]): _army(row[1]) for row in rows if len(row) == 2}


def _standing(w: War, rows: list[list[str]]) -> None:
    found: dict[tuple[str, Role, str], list[str]] = {}
    for seat, role, where, _, *words in rows:
        key = (_one(tuple(w.seats.values()), seat), _role(role), where if where == "any" else _sector(w, where))
        found.setdefault(key, []).append(str(rule.parse(" ".join(words))))
    w.standing = tuple(Standing(*key, tuple(rules)) for key, rules in sorted(found.items()))


def _units(w: War, rows: list[list[str]]) -> None:
    """Units that are not named are out of play."""
    places = (*w.board.places, OFF_MAP, REPAIR, POOL, OUT, HELD)
    for unit in w.units.values():
        unit.where, unit.air, unit.mark, unit.army = OUT, False, "", unit.origin
    for id, army, where, *rest in rows:
        unit = w.units[_unit(w, id)]
        unit.army, unit.where = _army(army), _one(places, where)
        for word in rest:
            if word == "air":
                unit.air = True
            else:
                unit.mark = MARKS[MARKS.index(_one(MARKS, word))]


def _battle(w: War, f: Fight, sections: dict[str, Sequence[str]]) -> None:
    """The fight, with the units that are named for it."""
    f.seats, f.field, f.name = w.seats, True, f"t{w.turn}/{w.sector}"
    f.hidden = w.options["r6"] == "sealed"
    f.deck = w.board.cards if w.cards else {}
    f.units = {}
    for id in sorted(sections.pop("units", ()), key=list(w.units).index):
        f.units[id] = fighting.piece(w.units[id])
    board_lines.place(f, sections)


def _check(w: War) -> None:
    if (w.phase == "over") != (w.ended is not None):
        raise Trouble("a campaign that is over has an end, and no other has one", "place clock and ended together")
    if w.leaving and not w.fight:
        raise Trouble("units leave a battle, and there is none", "place fight and leaving together")
    if w.phase == "cover" and not w.covering and not w.losses:
        raise Trouble("nobody declares barrages", "covering: ARMY")
    if w.phase == "battles" and not (w.fight or w.losses or len(w.battles) > 1):
        raise Trouble("no battle waits", "battles: NUMBER SECTOR, two at least; or fight")
