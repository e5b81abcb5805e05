"""What a reader sees: headline, facts and tables, and the map in two sheets (see `drawing`).

The engine fills a `Seen` from state and known slots; `view` makes the report's view of it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from textwrap import wrap

from pbem.api import Grid, View
from rules.glory_recalled import terms
from rules.glory_recalled.drawing import pictures
from rules.glory_recalled.rows import Play
from rules.glory_recalled.seen import Combat, Moved, Piece, Seen

__all__ = ["Combat", "Moved", "Piece", "Seen", "card_text", "view"]

CARD_TEXT = 49
PIECES = 36
"""Columns of a table of the report, so that it fits into 78."""

STANDS = "Who stands where, with strength (? unseen; D disrupted, S spent, O out of supply, R replacement)"
USES = {"action": "action", "combat": "in combat", "event": "event", "react": "reaction"}


def view(s: Seen) -> View:
    """The position as this reader sees it."""
    return View(headline(s), tuple(facts(s)), tuple(grids(s)), pictures(s))


def headline(s: Seen) -> str:
    """Date and step, or the result."""
    return f"{terms.date(s.turn)}: {s.result or s.step}"


def facts(s: Seen) -> Iterator[tuple[str, str]]:
    """Points, cards, what is held, and what lasts."""
    game = s.board.game
    japanese, british = (s.points.get(seat, 0) for seat in ("japan", "british"))
    yield "victory points", f"Japan {terms.points(japanese)}, British {terms.points(british)}"
    if s.board.setup.fall == "never":
        yield "wins", f"Japan with all four piers of Kowloon and {game.kowloon_margin} points more, else the British"
    else:
        yield "British win", f"with {game.british_goal} points at the end of a turn [4.0-n1]"
        when = "at the end of a turn" if s.fallen else "at the end of a turn, once Kowloon has fallen"
        yield "Japan wins", f"with more points than the British {when} [4.0-n2]"
    for seat, name in terms.SEATS.items():
        aside = f", {s.aside[seat]} set aside" if s.aside.get(seat) else ""
        piles = f"{s.decks.get(seat, 0)} to draw, {s.discards.get(seat, 0)} discarded{aside}"
        yield f"{name} cards", f"{s.hands.get(seat, 0)} in hand, {piles}"
    for effect in s.effects:
        yield "in force", effect
    for seat, name in terms.SEATS.items():
        for number, order in enumerate(s.standing.get(seat, ()), 1):
            yield f"{name} {number}", order
    yield from s.facts


def grids(s: Seen) -> Iterator[Grid]:
    """Combats, the hand, what scores, and the forces."""
    for combat in s.combats:
        yield _combat(s, combat)
    if s.hand:
        yield Grid("Your cards", ("card", "what it does"), tuple(hand(s)))
    yield Grid("Spaces that count", ("space", "what", "held by", "markers"), tuple(_scoring(s)))
    yield Grid(STANDS, ("space", "pieces", "markers"), tuple(_stands(s)))
    for place, title in (("reserve", "In reserve"), ("aside", "Set aside for a landing")):
        if s.pieces.get(place):
            yield Grid(title, ("pieces",), tuple((line,) for line in _lines(terms.briefly(s.at(place)))))


# --- combat ---


def _combat(s: Seen, combat: Combat) -> Grid:
    """What counts on either side, line by line, and the sums so far."""
    defender = "british" if combat.attacker == "japan" else "japan"
    rows = [(what, _signed(attack), _signed(defence)) for what, attack, defence in combat.lines]
    sums = (sum(attack or 0 for _, attack, _ in combat.lines), sum(defence or 0 for _, _, defence in combat.lines))
    rows.append(("total", str(sums[0]), str(sums[1])))
    heads = ("what counts", f"{terms.SEATS[combat.attacker]} attack", f"{terms.SEATS[defender]} defence")
    return Grid(f"Combat for {terms.place(s.board, combat.space)}: {combat.stage}", heads, tuple(rows))


def _signed(number: int | None) -> str:
    return "" if number is None else f"{number:+d}"


# --- cards ---


def card_text(play: Play) -> str:
    """One use of a card in words."""
    return f"{USES[play.use]}: {play.text}"


def hand(s: Seen) -> Iterator[tuple[str, str]]:
    """The reader's cards in the order of the deck, each use on lines of its own."""
    counts = Counter(s.hand)
    for id in sorted(counts, key=list(s.board.cards).index):
        name = s.board.cards[id].name + (f" x{counts[id]}" if counts[id] > 1 else "")
        for play in s.board.plays[id]:
            for line in wrap(card_text(play), CARD_TEXT):
                yield name, line
                name = ""


# --- tables of the map ---


def _scoring(s: Seen) -> Iterator[tuple[str, ...]]:
    """Piers, batteries, reservoirs, objectives and the HQ, with who holds them."""
    for id, space in s.board.spaces.items():
        what = [terms.GROUND[kind] for kind in (space.terrain, *space.also)]
        what += ["objective"] if space.objective else []
        counts = space.objective or space.battery or not space.kinds.isdisjoint({"pier", "reservoir", "hq"})
        if counts:
            holder = terms.SEATS.get(s.control.get(id, ""), "-")
            yield f"{id} {space.name}", ", ".join(what), holder, ", ".join(terms.markers(s, id))


def _stands(s: Seen) -> Iterator[tuple[str, str, str]]:
    """Every space and box with somebody in it; a crowd takes several lines."""
    for id in (*s.board.spaces, *s.board.boxes):
        pieces = s.at(id)
        if pieces:
            space, marked = terms.place(s.board, id).removeprefix("landing "), ", ".join(terms.markers(s, id))
            for line in _lines(f"{pieces[0].seat[0].upper()}: {terms.briefly(pieces)}"):
                yield space, line, marked
                space = marked = ""


@lru_cache(terms.PIECES)
def _lines(text: str) -> tuple[str, ...]:
    """Pieces in lines that fit into a table, never cut within a piece."""
    return tuple(line.replace("\u00a0", " ") for line in wrap(re.sub(r"(?<!,) ", "\u00a0", text), PIECES))
