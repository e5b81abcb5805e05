"""The game's things in words, the same in tables, on the map and in its text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rules.tiger_of_malaya.components import Board
from rules.tiger_of_malaya.rows import ChitKind, Kind, Nation, Player, Terrain
from rules.tiger_of_malaya.seen import Piece, Seen

SIDES: Mapping[Player, str] = {"japan": "Japanese", "allies": "Allied"}
NAMES: Mapping[Player, str] = {"japan": "Japan", "allies": "the Allies"}
CHITS: Mapping[ChitKind, str] = {
    "full": "FULL",
    "jungle": "JUNGLE-CAPABLE",
    "choice": "CHOICE",
    "move": "MOVE",
    "attack": "ATTACK",
    "half": "HALF",
}
KINDS: Mapping[Kind, str] = {
    "heavy-boats": "heavy boat engineers",
    "light-boats": "light boat engineers",
    "machine-gun": "machine guns",
    "mountain-artillery": "mountain artillery",
    "coastal-artillery": "coastal artillery",
    "engineer": "engineers",
    "tank": "tanks",
}
NATIONS: Mapping[Nation, str] = {
    "japanese": "Japanese",
    "australian": "Australian",
    "british": "British",
    "gurkha": "Gurkha",
    "indian": "Indian",
    "malayan": "Malayan",
    "princely": "Princely States",
    "straits": "Straits Settlements",
}
GROUNDS: Mapping[Terrain, str] = {
    "jungle-1": "jungle, level 1",
    "jungle-2": "jungle, level 2",
    "jungle-3": "jungle, level 3",
    "jungle-4": "jungle, level 4",
}


def date(s: Seen) -> str:
    """Turn and dates."""
    return f"Turn {s.turn}, {s.board.dates.get(s.turn, 'off the track')} 1942"


def ground(s: Seen, hex: str) -> str:
    """What a hex is made of."""
    return " and ".join(GROUNDS.get(kind, kind) for kind in s.board.grounds(hex)) or "sea"


def face(piece: Piece) -> str:
    """What is printed on the counter; only the allowance where there is no strength."""
    return f"{piece.face.allowance}" if not piece.face.points else str(piece.face)


def signs(piece: Piece) -> str:
    """Conditions by letter: O out of supply, U unavailable."""
    return ("" if piece.supplied else "O") + ("U" if piece.available is False else "")


def brief(piece: Piece) -> str:
    """A piece in a table: `I/4G 7-6-9`, with its conditions."""
    return " ".join(word for word in (piece.name, face(piece), signs(piece)) if word)


def full(piece: Piece) -> str:
    """A piece in a title: kind, conditions and all."""
    words = [f"{NATIONS[piece.nation]} {KINDS.get(piece.kind, piece.kind)} {piece.name} {face(piece)}"]
    words += [] if piece.supplied else ["out of supply"]
    words += [] if piece.available is not False else ["unavailable"]
    return ", ".join((*words, *piece.marks))


def strength(pieces: Iterable[Piece]) -> str:
    """Attack and defence of a stack, as printed; conditions and ground apart."""
    stack = tuple(pieces)
    return f"{sum(piece.face.attack for piece in stack)}-{sum(piece.face.defence for piece in stack)}"


def conditions(pieces: Iterable[Piece]) -> tuple[str, ...]:
    """What is in a stack or the matter with it, each word with a letter of its own."""
    stack = tuple(pieces)
    kinds = {piece.kind for piece in stack}
    found = []
    if any(not piece.supplied for piece in stack):
        found.append("out of supply")
    if "tank" in kinds:
        found.append("tanks")
    if any(piece.available is not None for piece in stack):
        found.append("guns")
    if "headquarters" in kinds:
        found.append("headquarters")
    if kinds & {"heavy-boats", "light-boats", "steamer"}:
        found.append("boats")
    return tuple(found)


def objectives(board: Board) -> tuple[str, ...]:
    """The hexes on which the scenario turns; where all turns on a surrender, the way to it and its middle."""
    found = board.scenario.objectives or (board.game.causeway[-4:], board.game.surrender_hex)
    return tuple(hex for hex in found if hex in board.grid)
