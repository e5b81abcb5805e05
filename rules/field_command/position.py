"""The position as lines, and back: what digests, cases and scripts see (README.md, "For cases and scripts").

node      tactic
line      attack 1 J-Elite-1 0        role, place, unit, attacks used
tactic    flank                       empty while the attacking point is free
air       defence B-Ftr-1             still fighting for the air
strikes   attack 1 J-FGun-1           ready to strike, in this order
declared  defence 1 B-FGun-1 J-Elite-1
picks     defence B-Ftr-1
counts    faces 1                     also: air, bonus (halves), die, fresh, rounds
plans     attack 1 strike all         or `attack none`, `defence sealed SLOT`
gone      1 B-Inf-2 suppressed
last      round J-Elite-1 B-Inf-1 7,3 5,2 4      the margin in halves
result    attack A.2.4                `draw R12`; empty while the battle goes on
leaving   stop round                  in a campaign: the checkpoint; also `leaver defence`
cards     aid 11 defence searchlight 0     a combat card in force, how often it still counts, the units it is about
          passes 1, hit J-Inf-1 suppressed, burning 11 J-Inf-1     see `state.Fight`
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import get_args

from pbem.api import silent
from pbem.errors import Trouble
from rules.field_command import rule, sequence
from rules.field_command.combat import over
from rules.field_command.rows import Role
from rules.field_command.state import ROLES, TACTICS, Aid, Fight, Gone, How, Last, Node, Result, Shot, Stop

NODES: tuple[Node, ...] = get_args(Node)
HOWS: tuple[How, ...] = get_args(How)
STOPS: tuple[Stop, ...] = get_args(Stop)[1:]
COUNTS = ("air", "bonus", "die", "faces", "fresh", "rounds")


def position(f: Fight) -> dict[str, tuple[str, ...]]:
    """Named sections of sorted lines."""
    lines: dict[str, list[str]] = {
        "node": [f.node],
        "line": [f"{r} {n} {unit} {f.used.get(unit, 0)}" for r in ROLES for n, unit in _numbered(f.line[r])],
        "tactic": [f.tactic] if f.tactic else [],
        "air": [f"{r} {n} {unit}" for r in ROLES for n, unit in _numbered(f.air[r])],
        "strikes": [f"{r} {n} {unit}" for r in ROLES for n, unit in _numbered(f.strikes[r])],
        "declared": [f"{r} {n} {shot.unit} {shot.target}" for r in ROLES for n, shot in enumerate(f.declared[r], 11)]
        + ([f"defence sealed {f.closed}"] if f.closed else []),
        "picks": [f"{r} {f.picks[r]}" for r in ROLES if f.picks[r]],
        "counts": [f"{name} {value}" for name, value in _counts(f).items()],
        "plans": [line for role in ROLES for line in _plan(f, role)],
        "gone": [f"{n} {gone.unit} {gone.how}" for n, gone in enumerate(f.gone, 11)],
        "last": [_last(f.last)] if f.last else [],
        "result": [f"{f.result.winner or 'draw'} {f.result.clause}"] if f.result else [],
        "leaving": [f"{name} {said}" for name, said in (("stop", f.stop), ("leaver", f.leaver)) if said],
        **({"cards": list(_cards(f))} if f.deck else {}),
    }
    return {name: tuple(sorted(found)) for name, found in lines.items()}


def _numbered(units: Sequence[str]) -> list[tuple[int, str]]:
    """Units with their places, from 11 on where there are ten and more: lines are sorted as text."""
    return list(enumerate(units, 11 if len(units) > 9 else 1))


def _counts(f: Fight) -> dict[str, int]:
    return {
        "air": f.air_rounds,
        "bonus": f.bonus,
        "die": f.die,
        "faces": f.faces,
        "fresh": int(f.fresh),
        "rounds": f.rounds,
    }


def _plan(f: Fight, role: Role) -> list[str]:
    if role == "defence" and f.sealed:
        return [f"defence sealed {f.sealed}"]
    rules = f.plans[role]
    if rules is None:
        return []
    return [f"{role} {n} {text}" for n, text in enumerate(rules, 11)] or [f"{role} none"]


def _cards(f: Fight) -> Iterator[str]:
    for n, aid in enumerate(f.aids, 11):
        yield " ".join(("aid", str(n), aid.role, aid.card, str(aid.left), *aid.units))
    if f.passes:
        yield f"passes {f.passes}"
    yield from (f"hit {hit.unit} {hit.how}" for hit in f.hits)
    yield from (f"burning {n} {unit}" for n, unit in enumerate(f.burning, 11))


def _last(last: Last) -> str:
    dice = (",".join(map(str, last.attack_dice)), ",".join(map(str, last.defence_dice)))
    return f"{last.what} {last.attack} {last.defence} {dice[0]} {dice[1]} {last.margin}"


# --- and back ---


def place(f: Fight, sections: Mapping[str, Sequence[str]]) -> None:
    """Set the named sections, each as a whole. Raises `Trouble` for a line that fits no position."""
    for name, lines in sections.items():
        if name not in SECTIONS:
            raise Trouble(f"a position has no section {name}", f"sections: {', '.join(SECTIONS)}")
        rows = [line.split() for line in sorted(lines)]
        if not all(rows):
            raise Trouble(f"{name}: an empty line")
        try:
            SECTIONS[name](f, rows)
        except (ValueError, KeyError) as bad:
            met = "; ".join(" ".join(row) for row in rows)
            why = str(bad) if isinstance(bad, ValueError) else f"unknown: {bad}"
            raise Trouble(f"{name}: cannot place {met[:100]!r}: {why}", FORMS[name]) from None
    _check(f)
    sequence.settle(f, silent)


def _check(f: Fight) -> None:
    if f.node.startswith("leave") and not (f.stop and f.field):
        raise Trouble("nobody is asked to withdraw here", "leaving: stop CHECKPOINT, in a campaign")
    if f.node == "pursuit" and not f.leaver:
        raise Trouble("nobody withdraws", "leaving: leaver ROLE")
    if f.node != "over" and over(f) and not f.skies:
        raise Trouble("a battle with an empty line is over", "place node over and a result, or units on both lines")
    if (f.node == "over") != (f.result is not None):
        raise Trouble("a battle that is over has a result, and no other has one", "place node and result together")
    if f.node == "open_strikes" and not f.closed:
        raise Trouble("there are no sealed strikes to open", "declared: defence sealed SLOT")
    if f.node == "open_plan" and not f.sealed:
        raise Trouble("there is no sealed plan to open", "plans: defence sealed SLOT")
    if f.node.startswith("cards") and not f.deck:
        raise Trouble("there are no Situation Cards here", "given.options: cards")
    if f.node == "oil" and not f.burning:
        raise Trouble("nobody is in the fire", "cards: burning NUMBER UNIT")
    if f.node in ("strikes", "again") and not (f.declared["attack"] or f.declared["defence"]):
        raise Trouble("no strikes are declared", "declared: ROLE NUMBER UNIT TARGET")
    if f.node == "air_round" and not all(f.picks.values()):
        raise Trouble("an air round needs two aircraft", "picks: ROLE UNIT")
    if f.node.startswith("pick") and not all(f.air.values()):
        raise Trouble("nobody fights for the air", "air: ROLE NUMBER UNIT")
    if f.node in ("die", "round", "strike_defence", "strike_attack", "strikes") and not f.tactic:
        raise Trouble("no tactic is chosen", "tactic: assault, concentrate or flank")


def _role(word: str) -> Role:
    if word not in ROLES:
        raise ValueError(f"{word} is neither attack nor defence")
    return "attack" if word == "attack" else "defence"


def _unit(f: Fight, word: str) -> str:
    if word not in f.units:
        raise ValueError(f"{word} is no unit of this battle")
    return word


def _one(rows: list[list[str]], length: int) -> list[str]:
    if len(rows) != 1 or len(rows[0]) != length:
        raise ValueError("one line")
    return rows[0]


def _wide(rows: list[list[str]], length: int) -> list[list[str]]:
    for row in rows:
        if len(row) != length:
            raise ValueError("the form is another")
    return rows


def _place_node(f: Fight, rows: list[list[str]]) -> None:
    (word,) = _one(rows, 1)
    f.node = next(node for node in NODES if node == word) if word in NODES else _unknown(word)


def _unknown(word: str) -> Node:
    raise ValueError(f"{word} is none of: {', '.join(NODES)}")


def _place_line(f: Fight, rows: list[list[str]]) -> None:
    f.line, f.used = {"attack": [], "defence": []}, {}
    for role, _, unit, used in _wide(rows, 4):
        f.line[_role(role)].append(_unit(f, unit))
        if int(used):
            f.used[unit] = int(used)


def _place_tactic(f: Fight, rows: list[list[str]]) -> None:
    f.tactic = ""
    if rows:
        (word,) = _one(rows, 1)
        f.tactic = next(tactic for tactic in TACTICS if tactic == word) if word in TACTICS else ""
        if not f.tactic:
            raise ValueError(f"{word} is no tactic")


def _place_air(f: Fight, rows: list[list[str]]) -> None:
    f.air = {"attack": [], "defence": []}
    for role, _, unit in _wide(rows, 3):
        f.air[_role(role)].append(_unit(f, unit))


def _place_strikes(f: Fight, rows: list[list[str]]) -> None:
    f.strikes = {"attack": [], "defence": []}
    for role, _, unit in _wide(rows, 3):
        f.strikes[_role(role)].append(_unit(f, unit))


def _place_declared(f: Fight, rows: list[list[str]]) -> None:
    f.declared, f.closed = {"attack": (), "defence": ()}, ""
    for row in rows:
        if row[:2] == ["defence", "sealed"] and len(row) == 3:
            f.closed = row[2]
    for word, _, unit, target in _wide([row for row in rows if row[1:2] != ["sealed"]], 4):
        role = _role(word)
        f.declared[role] = (*f.declared[role], Shot(_unit(f, unit), _unit(f, target)))


def _place_picks(f: Fight, rows: list[list[str]]) -> None:
    f.picks = {"attack": "", "defence": ""}
    for role, unit in _wide(rows, 2):
        f.picks[_role(role)] = _unit(f, unit)


def _place_counts(f: Fight, rows: list[list[str]]) -> None:
    counts = dict.fromkeys(COUNTS, 0) | {"bonus": f.bonus}
    for name, value in _wide(rows, 2):
        if name not in counts:
            raise ValueError(f"{name} is none of: {', '.join(COUNTS)}")
        counts[name] = int(value)
    f.air_rounds, f.bonus, f.die = counts["air"], counts["bonus"], counts["die"]
    f.faces, f.fresh, f.rounds = counts["faces"], bool(counts["fresh"]), counts["rounds"]


def _place_plans(f: Fight, rows: list[list[str]]) -> None:
    f.plans, f.sealed = {"attack": None, "defence": None}, ""
    for word, *rest in rows:
        role = _role(word)
        if rest[:1] == ["sealed"] and role == "defence" and len(rest) == 2:
            f.sealed = rest[1]
        elif rest == ["none"]:
            f.plans[role] = ()
        else:
            f.plans[role] = (*(f.plans[role] or ()), str(rule.parse(" ".join(rest[1:]))))


def _place_gone(f: Fight, rows: list[list[str]]) -> None:
    f.gone = tuple(_gone(f, unit, word) for _, unit, word in _wide(rows, 3))


def _gone(f: Fight, unit: str, word: str) -> Gone:
    if word not in HOWS:
        raise ValueError(f"{word} is none of: {', '.join(HOWS)}")
    return Gone(_unit(f, unit), next(how for how in HOWS if how == word))


def _place_cards(f: Fight, rows: list[list[str]]) -> None:
    f.aids, f.passes, f.hits, f.burning = (), 0, (), ()
    for word, *rest in rows:
        if word == "aid":
            _, role, card, left, *units = rest
            if card not in f.deck:
                raise ValueError(f"{card} is no card of this campaign")
            f.aids = (*f.aids, Aid(_role(role), card, int(left), tuple(_unit(f, unit) for unit in units)))
        elif word == "passes":
            (number,) = rest
            f.passes = int(number)
        elif word == "hit":
            f.hits = (*f.hits, _gone(f, *_one([rest], 2)))
        elif word == "burning":
            f.burning = (*f.burning, _unit(f, _one([rest], 2)[1]))
        else:
            raise ValueError(f"{word} is none of: aid, passes, hit, burning")


def _place_last(f: Fight, rows: list[list[str]]) -> None:
    f.last = None
    if rows:
        what, attack, defence, ours, theirs, margin = _one(rows, 6)
        dice = (tuple(map(int, ours.split(","))), tuple(map(int, theirs.split(","))))
        f.last = Last("air" if what == "air" else "round", _unit(f, attack), _unit(f, defence), *dice, int(margin))


def _place_leaving(f: Fight, rows: list[list[str]]) -> None:
    f.stop, f.leaver = "", ""
    for name, word in _wide(rows, 2):
        if name == "leaver":
            f.leaver = _role(word)
        elif name == "stop" and word in STOPS:
            f.stop = next(stop for stop in STOPS if stop == word)
        else:
            raise ValueError(f"{name} {word} is neither a checkpoint nor a side that leaves")


def _place_result(f: Fight, rows: list[list[str]]) -> None:
    f.result = None
    if rows:
        winner, clause = _one(rows, 2)
        f.result = Result("" if winner == "draw" else _role(winner), clause)


SECTIONS: Mapping[str, Callable[[Fight, list[list[str]]], None]] = {
    "node": _place_node,
    "line": _place_line,
    "tactic": _place_tactic,
    "air": _place_air,
    "strikes": _place_strikes,
    "declared": _place_declared,
    "picks": _place_picks,
    "counts": _place_counts,
    "plans": _place_plans,
    "gone": _place_gone,
    "last": _place_last,
    "result": _place_result,
    "leaving": _place_leaving,
    "cards": _place_cards,
}
FORMS: Mapping[str, str] = {
    "node": "one line",
    "line": "ROLE PLACE UNIT ATTACKS-USED",
    "tactic": "nothing, or assault, concentrate or flank",
    "air": "ROLE NUMBER UNIT",
    "strikes": "ROLE NUMBER UNIT",
    "declared": "ROLE NUMBER UNIT TARGET, or defence sealed SLOT",
    "picks": "ROLE UNIT",
    "counts": f"NAME NUMBER, names: {', '.join(COUNTS)}",
    "plans": "ROLE none, ROLE NUMBER RULE, or defence sealed SLOT",
    "gone": "NUMBER UNIT eliminated/suppressed/fatigued/withdrawn/captured",
    "last": "air or round, two units, their dice with commas, the margin in halves",
    "leaving": "stop CHECKPOINT, leaver ROLE",
    "cards": "aid NUMBER ROLE CARD TIMES UNIT ..., passes NUMBER, hit UNIT HOW, burning NUMBER UNIT",
    "result": "nothing, or attack, defence or draw, and a clause",
}
