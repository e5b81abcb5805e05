"""Map, counters, cards and set-ups of a game, in the form in which the rules ask them.

`load` reads the tables (an owner's corrected copy over ours) and holds them to `checks`; `rows` says what a row is,
`options` what a charter may choose, `printed` compares our data with the rulebook.
`board` is what one game is played with: scenario and options are applied.

    board = components.board(start.components, start.scenario, start.options)

    board.space("K04").terrain              "pier"; also .half .brown .coastal .north_coast .objective .name
    board.space("K04").kinds                all its kinds of ground; "pier" in board.space("K04").kinds
    board.links("K04")                      (Link(to="K01", way="road"), ...) sorted by `to`
    board.way("K04", "K16")                 "path", "road", or "" where no link is
    board.takes_marker("K04")               whether a Japanese control marker can lie here (13.0-b2)
    board.spaces_of("pier", "kowloon")      ("K04", "K07", "K08", "K17"), one half or both
    board.brown, board.objectives, board.batteries, board.north_coast, board.hq        ids, sorted
    board.bonus["pier"], board.space_bonus("K04")   9.2 without markers; board.bonus["fortified"]
    board.boxes["L6"].space, .south
    board.units["228-3"].front, .back, .seat, .formation, .battalion, .brigade, .machine_gun, .activation
    board.leaders["Doi"].value, .replacement; board.dummies["DM-1"].brigade
    board.cards["JA1"].name, .kind, .green; board.plays["JA1"]      every use: Play(use, do, amount, ...)
    board.play("JS1", "action")             its row for one use, or None
    board.deck("japan")                         card ids, one for each copy without the mark: ("JA1", "JA1", ...)
    board.deck("japan", marked=True)            those with the mark of the Fall of Kowloon
    board.game.card_allowance               the numbers of data/game.toml, see `rows.Game`
    board.halves["battery"]                 points in halves: reservoir battery hq destroyed unit leader objective
    board.setup.british_draw                the numbers of the scenario, see `rows.Scenario`
    board.deployment                        the ready-made set-up: piece -> space ("fort-1" to "fort-6" are markers)

Seats are "japan" and "british". What `do`, `requires`, `trigger` and `attach` can say stands in `rows.Play`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Literal, NamedTuple

from pbem.errors import Trouble
from rules.glory_recalled.checks import checks
from rules.glory_recalled.options import HQ_OPTION
from rules.glory_recalled.rows import (
    BONUS,
    BOX,
    CARD,
    CHANGE,
    DEPLOY,
    DUMMY,
    GAME,
    LEADER,
    LINK,
    PLAY,
    SCENARIO,
    SHEETS,
    SPACE,
    UNIT,
    Box,
    Card,
    Dummy,
    Game,
    Half,
    Leader,
    LinkRow,
    Play,
    Scenario,
    Seat,
    Space,
    Terrain,
    Unit,
    Use,
    Way,
)
from rules.kit import data
from rules.kit.data import Data

if TYPE_CHECKING:
    from pathlib import Path

__all__ = [
    "Board",
    "Box",
    "Card",
    "Dummy",
    "Game",
    "Leader",
    "Link",
    "Play",
    "Scenario",
    "Space",
    "Unit",
    "board",
    "load",
]


def load(edition: int = 1, folder: Path | None = None) -> Data:
    """The tables of an edition. Raises `Trouble` naming file and row, or the first check that fails."""
    tables = data.load(__file__, SHEETS, edition, folder)
    for fault in checks(tables):
        raise Trouble(f"the game cannot be played: {fault}", "compare the tables with your copy")
    return tables


class Link(NamedTuple):
    """Where a link leads, and whether it is a major road or a minor path."""

    to: str
    way: Way


class _Seats(dict[str, str]):
    """Seats by counter; those of slots and dummies are found when they are first met."""

    def __missing__(self, id: str) -> str:
        self[id] = seat = id.split("-", 1)[0] if "/" in id else "british"
        return seat


@dataclass(frozen=True)
class Board:
    """Map, counters and cards of one game: its scenario chosen, its options applied."""

    game: Game
    setup: Scenario
    spaces: Mapping[str, Space]
    linked: Mapping[str, tuple[Link, ...]]
    boxes: Mapping[str, Box]
    bonus: Mapping[str, int]
    units: Mapping[str, Unit]
    leaders: Mapping[str, Leader]
    dummies: Mapping[str, Dummy]
    cards: Mapping[str, Card]
    plays: Mapping[str, tuple[Play, ...]]
    deployment: Mapping[str, str]

    __hash__ = object.__hash__
    """By identity, so that what is drawn or indexed from a board can be kept for it; equal boards keep their own."""

    @cached_property
    def seats(self) -> Mapping[str, str]:
        """Whose each counter and leader is; closed counters bear their seat in the name of their slot."""
        units = {id: unit.seat for id, unit in self.units.items()}
        return _Seats(units | {id: leader.seat for id, leader in self.leaders.items()})

    @cached_property
    def special(self) -> frozenset[str]:
        """The spaces that have a controller: pier, battery, reservoir, HQ, objective. [R26]"""
        kinds: set[Terrain] = {"pier", "battery", "heavy_battery", "reservoir", "hq"}
        return frozenset(id for id, one in self.spaces.items() if one.objective or not one.kinds.isdisjoint(kinds))

    # --- map ---

    def space(self, id: str) -> Space:
        """A space by id."""
        return self.spaces[id]

    def name(self, id: str) -> str:
        """The name of a space, unit, card or landing box; else the id."""
        return self._names.get(id, id)

    @cached_property
    def _names(self) -> Mapping[str, str]:
        found = {id: box.name for id, box in self.boxes.items()}
        found |= {id: card.name for id, card in self.cards.items()}
        found |= {id: unit.name for id, unit in self.units.items()}
        return found | {id: space.name for id, space in self.spaces.items()}

    @cached_property
    def near(self) -> Mapping[str, frozenset[str]]:
        """The spaces linked to each."""
        return {id: frozenset(link.to for link in links) for id, links in self.linked.items()}

    def links(self, space: str) -> tuple[Link, ...]:
        """The links of a space, by the id they lead to."""
        return self.linked[space]

    def way(self, a: str, b: str) -> Way | Literal[""]:
        """How two spaces are linked; "" where they are not."""
        return next((link.way for link in self.linked[a] if link.to == b), "")

    def adjacent(self, space: str) -> tuple[str, ...]:
        """The spaces one link away."""
        return tuple(link.to for link in self.linked[space])

    def on_road(self, space: str) -> bool:
        """Whether a major road touches it."""
        return any(link.way == "road" for link in self.linked[space])

    def takes_marker(self, space: str) -> bool:
        """Whether the Japanese leave a control marker here: piers and batteries. [13.0-b2]"""
        return self.spaces[space].battery or "pier" in self.spaces[space].kinds

    def connected(self, start: str) -> frozenset[str]:
        """All spaces that links lead to from here."""
        found = {start}
        todo = [start]
        while todo:
            new = [to for to in self.adjacent(todo.pop()) if to not in found]
            found.update(new)
            todo += new
        return frozenset(found)

    def spaces_in(self, half: Half) -> tuple[str, ...]:
        """All spaces of a half."""
        return _spaces(self, None, half)

    def spaces_of(self, kind: Terrain, half: Half | None = None) -> tuple[str, ...]:
        """The spaces with this kind of ground, in one half or both."""
        return _spaces(self, kind, half)

    def space_bonus(self, space: str) -> int:
        """The defence bonus of the ground, the highest of its kinds. [R22]"""
        return max(self.bonus[kind] for kind in self.spaces[space].kinds)

    @cached_property
    def brown(self) -> tuple[str, ...]:
        """The spaces at the top of the map."""
        return tuple(id for id, space in self.spaces.items() if space.brown)

    @cached_property
    def line(self) -> tuple[str, ...]:
        """The spaces of the Gin Drinker's Line."""
        return self.spaces_of("gdl")

    @cached_property
    def objectives(self) -> tuple[str, ...]:
        """The red spaces."""
        return tuple(id for id, space in self.spaces.items() if space.objective)

    @cached_property
    def batteries(self) -> tuple[str, ...]:
        """The battery spaces, black and grey."""
        return tuple(id for id, space in self.spaces.items() if space.battery)

    @cached_property
    def north_coast(self) -> tuple[str, ...]:
        """The north coast of the Island. [17.2-b3]"""
        return tuple(id for id, space in self.spaces.items() if space.north_coast)

    @cached_property
    def hq(self) -> str:
        """The HQ space."""
        return self.spaces_of("hq")[0]

    # --- counters ---

    def seat(self, piece: str) -> Seat:
        """Whose unit, leader or dummy it is; markers are British."""
        if piece in self.units:
            return self.units[piece].seat
        return self.leaders[piece].seat if piece in self.leaders else "british"

    def formation(self, *names: str) -> tuple[str, ...]:
        """The units of these formations."""
        return tuple(id for id, unit in self.units.items() if unit.formation in names)

    def deployed_pieces(self) -> tuple[str, ...]:
        """What the scenario puts on the map: units, leaders, dummies, Fortified markers `fort-1` and on.

        Regiment 66 waits off the map. [3.2c]
        """
        brigades = {"division", *self.setup.brigades}
        dummies = self.setup.dummies or self.setup.brigades
        first = 1 if self.setup.forts.get("line") else 5
        return (
            *(id for id, unit in self.units.items() if unit.brigade in brigades),
            *(id for id, leader in self.leaders.items() if leader.brigade in brigades),
            *(id for id, dummy in self.dummies.items() if dummy.brigade in dummies),
            *(f"fort-{n}" for n in range(first, first + sum(self.setup.forts.values()))),
        )

    def may_stand(self, piece: str) -> tuple[str, ...]:
        """Where the set-up may place a piece. `fort-1` to `fort-4` belong to the Line, `fort-5` to the HQ space."""
        if piece.startswith("fort-"):
            number = int(piece.removeprefix("fort-"))
            inland = tuple(id for id in self.spaces_in("island") if not self.spaces[id].coastal)
            return self.line if number <= 4 else (self.hq,) if number == 5 else inland
        brigade = self._brigade(piece)
        where = self.setup.japanese_place if brigade == "division" else self.setup.british_place[brigade]  # type: ignore[index]
        if where == "brown":
            return self.brown  # [3.2a]
        inside = tuple(self.spaces) if where == "anywhere" else self.spaces_in(where)
        return inside if brigade == "division" else tuple(id for id in inside if not self.spaces[id].brown)  # [3.11d]

    def _brigade(self, piece: str) -> str:
        things: Mapping[str, Unit | Leader | Dummy] = {**self.units, **self.leaders, **self.dummies}
        return things[piece].brigade

    # --- cards ---

    @cached_property
    def reactions(self) -> tuple[tuple[str, Play], ...]:
        """The green cards of both decks, each with what it does."""
        return tuple((id, play) for id, plays in self.plays.items() for play in plays if play.use == "react")

    def play(self, card: str, use: Use) -> Play | None:
        """What the card does in this use; None where it has no such use."""
        return next((play for play in self.plays[card] if play.use == use), None)

    def deck(self, seat: Seat, *, marked: bool = False) -> tuple[str, ...]:
        """The ids of a deck, one a copy: the copies without the mark of the Fall of Kowloon, or those with it."""
        cards = [card for card in self.cards.values() if card.seat == seat]
        return tuple(card.id for card in cards for _ in range(card.marked if marked else card.copies - card.marked))

    # --- points ---

    @cached_property
    def halves(self) -> Mapping[str, int]:
        """Victory points in halves."""
        game = self.game
        return {
            "reservoir": 2 * game.reservoir_points,
            "battery": 2 * game.battery_points,
            "hq": 2 * game.hq_points,
            "destroyed": 2 * game.destroyed_points,
            "leader": 2 * game.leader_points,
            "objective": 2 * game.objective_points,
            "unit": game.unit_halves,
        }


@lru_cache(256)
def _spaces(board: Board, kind: Terrain | None, half: Half | None) -> tuple[str, ...]:
    """The spaces of a kind of ground and of a half, as far as these are given."""
    return tuple(
        id for id, space in board.spaces.items() if (kind is None or kind in space.kinds) and half in (None, space.half)
    )


def board(tables: Data, scenario: str, options: Mapping[str, str]) -> Board:
    """What this scenario is played with. Raises `Trouble` where the data have no such set-up."""
    setup = next((row for row in tables[SCENARIO] if row.id == scenario), None)
    if setup is None:
        raise Trouble(f"the data have no set-up for {scenario}", "see [[scenario]] in data/")
    spaces = {space.id: space for space in tables[SPACE]}
    for change in tables[CHANGE]:
        if options.get(change.option) == change.value:
            given = change.model_dump(include={"terrain", "also", "objective", "name"}, exclude_none=True)
            spaces[change.space] = spaces[change.space].model_copy(update=given)
    bonus: dict[str, int] = {row.kind: row.amount for row in tables[BONUS]}
    if options.get(HQ_OPTION.name, HQ_OPTION.default) != HQ_OPTION.default:
        bonus["hq"] = int(options[HQ_OPTION.name])  # [R1]
    return Board(
        game=tables.only(GAME),
        setup=setup,
        spaces=spaces,
        linked=_linked(spaces, tables[LINK]),
        boxes={box.id: box for box in tables[BOX]},
        bonus=bonus,
        units={unit.id: unit for unit in tables[UNIT]},
        leaders={leader.id: leader for leader in tables[LEADER]},
        dummies={dummy.id: dummy for dummy in tables[DUMMY]},
        cards={card.id: card for card in tables[CARD]},
        plays={card.id: tuple(p for p in tables[PLAY] if p.card == card.id) for card in tables[CARD]},
        deployment={row.piece: row.space for row in tables[DEPLOY] if row.scenario == scenario},
    )


def _linked(spaces: Iterable[str], links: Iterable[LinkRow]) -> Mapping[str, tuple[Link, ...]]:
    """The links of every space, both ways."""
    found: dict[str, list[Link]] = {id: [] for id in spaces}
    for link in links:
        found[link.a].append(Link(link.b, link.way))
        found[link.b].append(Link(link.a, link.way))
    return {id: tuple(sorted(ends)) for id, ends in found.items()}
