"""From a charter to the rules it names: engine, edition, components, scenario, options."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from pbem import canon, charter, registry
from pbem.api import Engine, Scenario, Start
from pbem.errors import Incomplete, PbemError, Refused, WrongUse
from pbem.replay import Ruleset

MAX_OPTION = 2000
"""Characters of an option that may hold any text."""


Folders = Path | Sequence[Path] | None
"""Folders of an owner's components, to be tried before the built-in ones."""


def rules_for(game: charter.Game, folder: Folders = None) -> Ruleset:
    """The rules a charter names, with an owner's components from `folder` where those are meant.

    `Incomplete` where the engine, edition or components are not here; `Refused(E_CHARTER)` where the charter does not
    fit its own scenario.
    """
    whole = canon.decode(game.raw)
    return _under(game, {name: whole[name] for name in ("rules", "data", "tables", "options") if name in whole}, folder)


def _under(game: charter.Game, terms: Mapping[str, Any], folder: Folders) -> Ruleset:
    """The rules of a game under terms that its charter names, or an amendment."""
    rules, options = terms["rules"], dict(terms["options"])
    if rules["id"] not in registry.engines():
        missing = f"edition {rules['version']} of {rules['id']}: no such rules are installed"
        raise Incomplete(missing, "install them, then try again")
    engine = registry.engine(rules["id"])
    if not rules["version"].isdecimal():
        raise Refused("E_CHARTER", f"edition {rules['version']} is not a number", event=0)
    edition = _edition(engine, terms, folder)
    scenario = scenario_of(engine, game.charter.scenario)
    if tuple(seat.id for seat in scenario.seats) != game.seats:
        wanted = ", ".join(seat.id for seat in scenario.seats)
        raise Refused("E_CHARTER", f"scenario {scenario.id} has the seats {wanted}", event=0)
    if options != full_options(engine, scenario, options):
        raise Refused("E_CHARTER", "the charter must name every option of the scenario", event=0)
    start = Start(scenario.id, options, game.seats, edition.number, edition.components)
    return Ruleset(engine, start, lambda amended: _under(game, amended, folder))


def _edition(engine: Engine, terms: Mapping[str, Any], folder: Folders) -> registry.Edition:
    """The edition that terms name, with the first components that are theirs (`Incomplete` where none are)."""
    rules = terms["rules"]
    folders = [folder] if isinstance(folder, Path) else list(folder or ())
    tried: list[registry.Edition] = []
    broken: PbemError | None = None
    for place in (*folders, None):
        try:
            edition = registry.ruleset(engine, int(rules["version"]), place)
        except PbemError as error:
            broken = broken or error
            continue
        if edition.rules_digest != rules["digest"]:
            raise Incomplete(
                f"edition {rules['version']} of {rules['id']} with rulings {rules['digest'][:16]}: here they are"
                f" {edition.rules_digest[:16]}",
                "install the release the game was started with",
            )
        if edition.data == terms["data"]:
            return edition
        tried.append(edition)
    if broken is not None:
        raise broken
    raise Incomplete(
        f"components {terms['data'][:16]}: {_differing(terms, tried[0].tables)}",
        "give the folder of the components you both use: --components FOLDER",
    )


def _differing(terms: Mapping[str, Any], tables: Sequence[tuple[str, str]]) -> str:
    """Which table differs, where the terms list them."""
    theirs = {pair[0]: pair[1] for pair in terms.get("tables", ())}
    ours = dict(tables)
    odd = sorted(name for name in theirs.keys() | ours.keys() if theirs.get(name) != ours.get(name))
    if not theirs or not odd:
        return "not those that are here"
    return f"table{'s' if len(odd) > 1 else ''} {', '.join(odd[:6])} differ{'' if len(odd) > 1 else 's'}"


def scenario_of(engine: Engine, name: str) -> Scenario:
    """A scenario by id (`E_CHARTER` for an unknown one, with near names)."""
    all_of_them = {scenario.id: scenario for scenario in engine.scenarios()}
    if name in all_of_them:
        return all_of_them[name]
    near = get_close_matches(name, all_of_them, 3) or list(all_of_them)
    raise Refused("E_CHARTER", f"{engine.id} has no scenario {name!r}", f"scenarios: {', '.join(near)}", event=0)


def full_options(engine: Engine, scenario: Scenario, given: Mapping[str, str]) -> dict[str, str]:
    """Given options with the defaults of the others (`E_CHARTER` for an unknown name or value)."""
    full = {}
    known = {option.name: option for option in scenario.options}
    for name in given:
        if name not in known:
            near = get_close_matches(name, known, 3) or list(known)
            hint = f"options: {', '.join(near)}" if near else "this scenario has no options"
            raise Refused("E_CHARTER", f"no option {name!r}", hint, event=0)
    for name, option in known.items():
        value = given.get(name, option.default)
        if option.values and value not in option.values:
            raise Refused("E_CHARTER", f"option {name}: {value!r}", f"values: {', '.join(option.values)}", event=0)
        if len(value) > MAX_OPTION:
            raise Refused("E_CHARTER", f"option {name}: longer than {MAX_OPTION} characters", event=0)
        full[name] = value
    wrong = engine.check_options(scenario, full)
    if wrong:
        raise Refused("E_CHARTER", wrong, event=0)
    return full


def read_options(pairs: Sequence[str]) -> dict[str, str]:
    """`name=value` words as options."""
    options = {}
    for pair in pairs:
        name, sign, value = pair.partition("=")
        if not sign or not name:
            raise WrongUse(f"option {pair!r}", "write --option NAME=VALUE")
        options[name] = value
    return options
