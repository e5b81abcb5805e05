"""What happens to trucks and steamers, to aircraft and forts aside, when an enemy comes into their hex. [4.2, R16]"""

from __future__ import annotations

from collections.abc import Iterable

from pbem.api import Note, Tell
from rules.kit.hexes import Hex
from rules.tiger_of_malaya.places import places
from rules.tiger_of_malaya.state import State, foe, remove, stack


def overrun(s: State, side: str, hexes: Iterable[Hex], tell: Tell) -> None:
    """Units of a side went through these hexes: trucks are lost, steamers go away. [11.6.2.A, 11.7.G, R79]"""
    way = tuple(hexes)
    met = places(s).own(foe(side)).here.keys() & way
    for id in sorted(id for hex in met for id in stack(s, hex) if s.board.side(id) != side):
        if s.board.kind(id) == "truck":
            remove(s, id)
            tell(Note("eliminated", {"unit": id}, ("11.7.G",)))
        elif s.board.kind(id) == "steamer":
            s.adrift = (*s.adrift, f"{id} {way[-1]}")
