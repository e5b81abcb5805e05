"""A position of a game as a case file (docs/cases.md): twenty lines for a dispute, run with `pbem rules cases`.

A position names what is sealed and never says what is in it, so a case shows no more than everybody may see; what one
seat knows is added where it asks for that itself.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pbem import cases, registry
from pbem.api import Ask, Known, Roll
from pbem.cases import Case, Expect, Given
from pbem.errors import PbemError, WrongUse
from pbem.replay import Fold
from pbem.unsealed import Unfit

NOT_SAID = "a case says cards, chits and dice; this is something else"


def text(fold: Fold, *, seat: str = "", known: Known | None = None) -> str:
    """The case file of the position where the fold stands; with `seat`, also what this seat knows by `known`.

    What a case cannot express is said in comments, and never expected: the printed case holds.
    """
    _need_own_components(fold)
    engine = fold.engine
    position = {name: list(lines) for name, lines in engine.position(fold.state).items()}
    given = Given(
        scenario=fold.game.charter.scenario,
        edition=fold.rules.start.edition if fold.rules is not None else 0,
        options=dict(fold.terms.get("options", fold.game.charter.options)),
        set=position,
    )
    missing: list[str] = []
    opened, rest = _sayable(given, fold, fold.known)
    own: dict[str, str | list[str | int]] = {}
    if seat and known is not None:
        found, more = _sayable(given, fold, {slot: what for slot, what in known.items() if slot not in fold.known})
        own, rest = {**found}, rest + more
    missing += rest
    plain = {slot: what for slot, what in opened.items() if isinstance(what, str)}
    given = given.model_copy(update={"opened": plain, "known": {seat: own} if own else {}})
    case = _case(fold, given, engine.pending(fold.state))
    doubt = cases.run(case, engine)
    if doubt:
        missing += [f"not expected, since a case goes on by itself from here: {line}" for line in doubt]
        case = _bare(case, fold)
    return _written(case, missing, seat if own else "")


def _bare(case: Case, fold: Fold) -> Case:
    """The case where seals, openings or claims are due, which the runner does: it expects what is asked after them."""
    try:
        game = cases.begin(case.given, fold.engine)
        game.settle()
        stopped = game.refusal
        asks = game.pending()
    except (cases.Unmet, Unfit, PbemError) as bad:
        raise WrongUse(f"a case cannot stand after event {fold.seq}: {bad}", "take another event: --at") from None
    if stopped is not None:
        raise WrongUse(f"a case cannot stand after event {fold.seq}: {stopped}", "take another event: --at")
    expect = Expect(pending=[cases.ask(one) for one in asks], outcome=case.expect.outcome)
    return case.model_copy(update={"expect": expect})


def _need_own_components(fold: Fold) -> None:
    edition = registry.ruleset(fold.engine, fold.rules.start.edition if fold.rules is not None else 0)
    if edition.data != fold.game.charter.data:
        raise WrongUse(
            "this game uses corrected component data, which a case cannot name",
            "cases have kits: put the corrections into one (docs/cases.md)",
        )


def _sayable(given: Given, fold: Fold, known: Known) -> tuple[dict[str, str | list[str | int]], list[str]]:
    """What of it a case can say: contents of slots that the position has, dice of private rolls; and the rest."""
    try:
        there = cases.begin(given, fold.engine).hidden
    except PbemError:
        return {}, []
    said: dict[str, str | list[str | int]] = {}
    rest = []
    for slot, what in sorted(known.items()):
        if not there.exists(slot):
            continue
        if isinstance(what, str):
            said[slot] = what
        else:
            rest.append(f"{slot} is not said: {NOT_SAID}")
    return said, rest


def _case(fold: Fold, given: Given, asks: Sequence[Ask | Roll]) -> Case:
    """The case that expects the position itself, what it waits for, and who has won."""
    outcome = fold.engine.outcome(fold.state)
    clauses = [one.clause for one in asks if one.clause] or list(outcome.clauses if outcome is not None else ())
    said = "goes on"
    if outcome is not None:
        said = (outcome.won or "nobody") + (f" [{', '.join(outcome.clauses)}]" if outcome.clauses else "")
    return Case(
        game=fold.engine.id,
        id=f"{fold.game.id[:8]}-{fold.seq}",
        clauses=list(dict.fromkeys(clauses)) or ["-"],
        gist=f"The position of game {fold.game.id[:16]} after event {fold.seq}, {fold.head[:16]}.",
        given=given,
        expect=Expect(set=given.set, pending=[cases.ask(one) for one in asks], outcome=said),
    )


# TOML ------------------------------------------------------------------------------------------------------------


def _written(case: Case, missing: Iterable[str], seat: str) -> str:
    lines = [f"# Holds what {seat} alone may see: not for the other seats."] if seat else []
    lines += [f"# {_line(one)}" for one in missing]
    lines += [f"game = {_said(case.game)}", "", "[[case]]"]
    lines += [f"{name} = {_said(getattr(case, name))}" for name in ("id", "clauses", "gist")]
    given = case.given
    lines += [f"given.scenario = {_said(given.scenario)}", f"given.edition = {given.edition}"]
    if given.options:
        lines.append(f"given.options = {_inline(given.options)}")
    lines += [f"given.set.{name} = {_many(rows)}" for name, rows in given.set.items()]
    if given.opened:
        lines.append(f"given.opened = {_inline(given.opened)}")
    lines += [f"given.known.{who} = {_inline(what)}" for who, what in given.known.items()]
    expect = case.expect
    if expect.pending is not None:
        lines.append(f"expect.pending = {_said(expect.pending)}")
    lines.append(f"expect.outcome = {_said(expect.outcome)}")
    lines += [f"expect.set.{name} = {_many(rows)}" for name, rows in (expect.set or {}).items()]
    return "\n".join(lines) + "\n"


def _line(words: str) -> str:
    return "".join(char if char.isprintable() else "?" for char in words)


def _said(value: Any) -> str:
    """A text, number or list as TOML: basic strings of TOML 1.0 are written as JSON writes them."""
    return json.dumps(value, ensure_ascii=True)


def _many(rows: list[str]) -> str:
    if len(rows) < 4:
        return _said(rows)
    return "[\n" + "".join(f"  {_said(row)},\n" for row in rows) + "]"


def _inline(pairs: Mapping[str, Any]) -> str:
    return "{ " + ", ".join(f"{_said(name)} = {_said(value)}" for name, value in pairs.items()) + " }"
