"""What a reader sees: headline, facts and tables, and the maps (see `drawing`). Nothing of this game is hidden."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap

from pbem.api import Grid, Known, View
from rules.singapore_1984 import air, combat, supply, terms, victory
from rules.singapore_1984.drawing import pictures
from rules.singapore_1984.rows import Player
from rules.singapore_1984.state import CW, JP, OFF, PLAYERS, POOL, Attack, State

WIDE = 60
"""Columns of the long cell of a table, so that it fits into 78."""
AHEAD = 6
"""So many turns of the track are told."""
STANDS = "Who stands where: attack-defense-movement (A armor, S security, R reduced, O out of supply, L landing)"


def view(s: State, seat: str, known: Known) -> View:
    """The position. The maps show the supply lines of a side that has units without one."""
    cut_off = tuple(player for player in PLAYERS if any(s.pieces[unit].oos for unit in s.on_map(player)))
    maps = pictures(s, cut_off)
    return View(headline(s), (*facts(s), *choices(s, seat, known)), tuple(grids(s)), maps)


def headline(s: State) -> str:
    """Date and step, or the result."""
    result = victory.outcome(s)
    return f"{terms.date(s)}: {result.words if result is not None else terms.step(s)}"


# --- facts ---


def facts(s: State) -> Iterator[tuple[str, str]]:
    """Points and what they would mean, air points, Force Z, the sea, the railroads."""
    yield "victory points", f"{s.points} for Japan"
    if s.result is None:
        yield "if Singapore fell this turn", _fall(s)
    yield "air points", _air(s, JP)
    if air.total(s, CW):
        yield "Commonwealth air points", _air(s, CW)
    yield "Force Z", _force_z(s)
    yield "shipping of Penang", _shipping(s)
    game, used = s.board.game, s.used
    west = f"; West Coast {used.get('west', 0)} of {game.west_units}" if s.shipping == "intact" else ""
    infantry = f"infantry {used.get('east-infantry', 0)} of {game.east_infantry}"
    yield "sea movement", f"{infantry}, armor {used.get('east-armor', 0)} of {game.east_armor}{west}"
    yield "rail movement", ", ".join(f"{terms.NAMES[p]} {used.get(f'rail-{p}', 0)} of 1" for p in PLAYERS)
    if s.assault:
        pulse = f", pulse {s.pulse} of {game.pulses}" if s.pulse else ""
        yield "assault on the island", f"since turn {s.assault}{pulse}"
    cut_off = [unit for unit in s.on_map() if s.pieces[unit].oos]
    if cut_off:
        yield "out of supply", ", ".join(cut_off)


def _fall(s: State) -> str:
    """What the end would be, with every Commonwealth unit captured. [12.0PRb, 12.21c]"""
    caught = sum(victory.worth(s, unit) for unit in s.on_map(CW))
    total = s.points + s.board.base[s.turn] + caught
    level = next(one for one in s.board.levels if total >= one.least)
    said = victory.LEVELS[level.id]
    return f"{s.points} + {s.board.base[s.turn]} + {caught} for units captured = {total}: {said}"


def choices(s: State, seat: str, known: Known) -> Iterator[tuple[str, str]]:
    """Options that were shown, and those that only the reader knows of his own list. [13.0b]"""
    shown = [f"{item} {said}".removesuffix(" yes") for item, said in s.opened.items() if said != "no"]
    if shown:
        yield "options shown", ", ".join(shown)
    own = [(item, str(known[slot])) for item, slot in s.slots.items() if slot in known and item not in s.opened]
    bought = [f"{item} {said}".removesuffix(" yes") for item, said in own if said != "no"]
    if seat and own:
        yield "your list, not shown", ", ".join(bought) or "nothing"
    for side, orders in sorted(s.standing.items()):
        said = ", ".join(order.removeprefix("standing ") for order in orders)
        yield f"standing orders of {terms.NAMES['jp' if side == JP else 'cw']}", said  # [R88]
    if s.forts:
        yield "fortified", ", ".join(f"{s.board.name(hex)} {'+'.join(ways)}" for hex, ways in sorted(s.forts.items()))


def _air(s: State, player: Player) -> str:
    """How many there are, used and left, and where from."""
    used = s.used.get(f"air-{player}", 0)
    bases = [f"{hex} {s.used.get(f'air@{hex}', 0)} of {s.board.game.air_at_base}" for hex in air.bases(s, player)]
    nowhere = "; from beyond the north edge" if player == JP else "; no base"
    where = f"; bases: {', '.join(bases)}" if bases else nowhere
    return f"{air.total(s, player)} this turn, {used} used, {air.left(s, player)} left{where}"


def _force_z(s: State) -> str:
    if s.forcez != "alive":
        return s.forcez
    return "at sea, has tried this turn" if s.used.get("forcez") else "ready"


def _shipping(s: State) -> str:
    if s.shipping != "intact":
        return {"unresolved": "Commonwealth", "roll": "being rolled for", "destroyed": "destroyed"}[s.shipping]
    first = s.penang_turn + s.board.game.west_delay
    return "Japanese" + (f", sails from turn {first} on" if s.turn < first else "")


# --- tables ---


def grids(s: State) -> Iterator[Grid]:
    """Attacks, the account, the turn track, who stands where, places."""
    under_way = [] if s.battle is None else [s.battle.attack]
    for attack in (*under_way, *s.attacks):
        yield Grid(f"Attack on {'+'.join(map(s.board.name, attack.hexes))}", ("what", "sum"), tuple(_attack(s, attack)))
    if s.account:
        yield Grid("Victory points, Japan's account", ("for", "clause", "points", "total"), tuple(_account(s)))
    yield Grid("Turn track", ("turn", "begins", "Singapore", "air", "may enter"), tuple(_track(s)))
    yield Grid(STANDS, ("hex", "points", "units"), tuple(_stands(s)))
    yield Grid("Ports and airfields", ("hex", "is", "held by", "since"), tuple(_places(s)))


def _attack(s: State, attack: Attack) -> Iterator[tuple[str, str]]:
    """The sum as it can be done by hand; once the die has fallen, the result."""
    battle = s.battle if s.battle is not None and s.battle.attack is attack else None
    if battle is None or not battle.result:
        yield from _odds(s, attack)
        return
    sign = f"{battle.modifier:+}"
    yield "table", f"row {combat.row(s, attack.hexes)}, column {battle.column + 1}, {battle.mode} mode [9.1P-2c]"
    yield "die", f"{battle.die} {sign} is {min(8, max(1, battle.die + battle.modifier))}: {battle.result} [9.1P-3]"
    if battle.steps:
        yield "still to lose", str(battle.steps)


def _odds(s: State, attack: Attack) -> Iterator[tuple[str, str]]:
    hexes, units = attack.hexes, attack.units
    parts = [
        f"{unit} {combat.attack_strength(s, unit, hexes)}{' (half, 9.22)' if combat.halved(s, unit, hexes) else ''}"
        for unit in units
    ]
    parts += [f"air {attack.air}"] if attack.air else []
    total = combat.attack_total(s, hexes, units, attack.air)
    yield from _long("attack", f"{' + '.join(parts)} = {total}")
    against = [
        f"{unit} {'0 (came by a retreat, 9.58a)' if s.pieces[unit].late else s.face(unit).defense}"
        for unit in combat.defenders(s, hexes)
    ]
    against += [f"air {attack.defence_air}"] if attack.defence_air else []
    defence = combat.defence_total(s, hexes, attack.defence_air)
    yield from _long("defense", f"{' + '.join(against)} = {defence}")
    row = combat.row(s, hexes)
    column = s.board.column(row, total - defence)
    where = f"column {column + 1}" if column is not None else "below the lowest column [9.18b]"
    mode = combat.mode(s, hexes, units) or "free"
    yield "table", f"{total - defence:+} on row {row} is {where}, {mode} mode [9.1P-2c]"
    for modifier in combat.modifiers(s, hexes, units):
        yield "die", f"{modifier.value:+} {modifier.why} [{modifier.clause}]"


def _long(name: str, words: str) -> Iterator[tuple[str, str]]:
    for n, line in enumerate(wrap(words, WIDE)):
        yield (name if n == 0 else "", line)


def _account(s: State) -> Iterator[tuple[str, str, str, str]]:
    """Every cause with what it has come to, and the sum so far."""
    total = 0
    for cause, points in s.account.items():
        total += points
        name, clause = terms.CAUSES.get(cause, (cause, "12.4"))
        clause = "12.4-pow" if cause == "forcez" and s.on("13.5") else clause
        yield name, clause, f"{points:+}", str(total)


def _track(s: State) -> Iterator[tuple[str, ...]]:
    """This turn and those that follow; who may enter now or later."""
    due: dict[int, list[str]] = {}
    for unit, piece in s.pieces.items():
        if piece.at in (POOL, OFF):
            turn = piece.back if piece.at == OFF else s.board.units[unit].turn
            due.setdefault(max(turn, s.turn), []).append(unit)
    last = max(s.turn + AHEAD - 1, *due, s.turn) if due else s.turn + AHEAD - 1
    for turn in range(s.turn, min(last, s.board.game.last_turn) + 1):
        said = wrap(", ".join(due.get(turn, ())), WIDE - 18) or [""]
        base, points = str(s.board.base[turn]), str(s.board.air[turn])
        for n, line in enumerate(said):
            yield (str(turn), s.board.dates[turn], base, points, line) if n == 0 else ("", "", "", "", line)


def _stands(s: State) -> Iterator[tuple[str, str, str]]:
    """Every stack by side and hex; a crowd takes several lines, no unit is parted."""
    for player in PLAYERS:
        for hex, units in terms.stacks(s).items():
            if s.side(units[0]) != player:
                continue
            said = ", ".join(terms.brief(s, unit).replace(" ", "\u00a0") for unit in units)
            most = s.board.game.stacking if hex != "1826" else 0
            points = f"{s.stack(hex)}/{most}" if most else str(s.stack(hex))
            label = f"{player[0].upper()} {s.board.name(hex)}"
            for n, line in enumerate(wrap(said, WIDE - 18)):
                yield (label if n == 0 else "", points if n == 0 else "", line.replace("\u00a0", " "))


def _places(s: State) -> Iterator[tuple[str, ...]]:
    """The hexes with a control marker, and those of the island once it is fought for."""
    bases = dict.fromkeys((*air.bases(s, JP), *(air.bases(s, CW) if air.total(s, CW) else ())), " (base)")
    for hex in sorted(s.board.places):
        if hex in s.control:
            place = s.board.places[hex]
            what = " and ".join(word for word, is_ in (("port", place.port), ("airfield", place.airfield)) if is_)
            taken = f"turn {s.captured[hex]}" if hex in s.captured else ""
            yield s.board.name(hex), what, f"{terms.NAMES[s.control[hex]]}{bases.get(hex, '')}", taken
    if s.assault:
        held = s.control.get(supply.RESERVOIRS, CW)
        yield s.board.name(supply.RESERVOIRS), "reservoirs", terms.NAMES[held], ""
