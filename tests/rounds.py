"""Rounds of drand as its relays published them, and games whose dice they make.

Quicknet 657413 and the default chain's 3311596 stand in the protocol; the others were recorded by users of drand:
quicknet 1000, 10024141, 12040883, 32281667, 32285085 and 32285086, the default chain's 1000 and 72785.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from builder import Match, charter_doc

from pbem import beacon, canon
from pbem.record import Event

QUICKNET, DEFAULT = beacon.NETWORKS["quicknet"], beacon.NETWORKS["default"]

ROUNDS: Mapping[int, str] = {
    1000: "b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39",
    657413: "b713718a38ae728dfd477991af2822e08d2f305e47718cef9f7848ce4050e7be41076862b98fad56e91a6b85b89cd97b",
    10024141: "8c87caf26bb4f5e9fdfad5ddf739ff8683344f8cf04a8c381225ff067557b5d9d51937eed765fcef21971bf5ddef44bb",
    12040883: "929906c959032ab363c9f26570d215d66f5c06cb0c44fe508c12bb5839f04ec895bb6868e5b9ff13ab289bdb5266b394",
    32281667: "b0f5ae301358ff87a9d3dd539ed4a07c0148b1ab4f7b61a8ca43c7e9ca7ca9553e4faae9188deb30b2cd1a7f447e3e5b",
    32285085: "81dbce51d584d90d618547f4b50391d53ace6f6b9aeb8fb67e1879427af9d0310ac0ec6f519271d9a313ee84b378d416",
    32285086: "a64d99fd7fa3e48912be7209c7b69c72c88fc5224be2516949b6f29f3a4b7e3fa069dd58b2bbb4bf2c34ae61ef631a44",
}
"""Signatures of quicknet, by round."""

CHAINED: Mapping[int, tuple[str, str]] = {
    1000: (
        "99bf96de133c3d3937293cfca10c8152b18ab2d034ccecf115658db324d2edc00a16a2044cd04a8a38e2a307e5ecff35"
        "11315be8d282079faf24098f283e0ed2c199663b334d2e84c55c032fe469b212c5c2087ebb83a5b25155c3283f5b79ac",
        "af0d93299a363735fe847f5ea241442c65843dc1bd3a7b79646b3b10072e908bf034d35cd69d378e3341f139100cd4cd"
        "03030399864ef8803a5a4f5e64fccc20bbae36d1ca22a6ddc43d2630c41105e90598fab11e5c7456df3925d4b577b113",
    ),
    72785: (
        "82f5d3d2de4db19d40a6980e8aa37842a0e55d1df06bd68bddc8d60002e8e959eb9cfa368b3c1b77d18f02a54fe047b8"
        "0f0989315f83b12a74fd8679c4f12aae86eaf6ab5690b34f1fddd50ee3cc6f6cdf59e95526d5a5d82aaa84fa6f181e42",
        "a609e19a03c2fcc559e8dae14900aaefe517cb55c840f6e69bc8e4f66c8d18e8a609685d9917efbfb0c37f058c2de88f"
        "13d297c7e19e0ab24813079efe57a182554ff054c7638153f9b26a60e7111f71a0ff63d9571704905d3ca6df0b031747",
    ),
    3311596: (
        "a696b9409ababce45749c3a4ec369074453dd4a79967734e1390d969c8ad8d98897d217b9121e92c8ddebbddda8d92f9"
        "00e3bd6bf9deb166863b1a19390d743f82774001487594c5c09e581db7365f02b70a2c8cc41ce32446ef08e4890c4754",
        "8ed588f2a7716fb1349e2d9803da5db0005e98a83783c353d4a08f183236a9ad91d70ddb01266f4b7c576983db464b43"
        "0e65680b9e0098552758afd6c1e6afcb77e3f62fe1b93d42d1cb63abbb2205512fe12fbf74ea9c5ac3b8f5c1e283a1d8",
    ),
}
"""The default chain: a round's signature and the one before it."""


def pinned(net: beacon.Network = QUICKNET) -> canon.Doc:
    return {"chain": net.chain, "key": net.key}


def beacon_doc(seats: tuple[str, ...] = ("red", "blue"), **more: Any) -> canon.Doc:
    """A charter whose dice are quicknet's."""
    doc = charter_doc(seats, "beacon", **more)
    return doc | {"dice": doc["dice"] | {"beacon": pinned()}}


def started_doc(number: int = 1000, **more: Any) -> canon.Doc:
    """A solitaire charter that names the round its dice begin with."""
    doc = charter_doc(("red",), "open", **more)
    start = {"chain": QUICKNET.chain, "round": number}
    return doc | {"dice": doc["dice"] | {"beacon": pinned(), "start": start}}


def before(number: int, seconds: int = 1) -> int:
    """A moment so many seconds before a round is public."""
    return QUICKNET.time(number) - seconds


class ByRounds(Match):
    """A game under beacon dice. Handovers that ask for dice name the rounds above, one after the other."""

    def handover(self) -> Event:
        author = self.author()
        later = [one for one in ROUNDS if one > max((0, *self.fold.rounds_named))]
        return self.keep(author.handover(before(later[0], author.ahead + 1)))

    def resolve(self) -> Event:
        author = self.author()
        author.rounds = dict(ROUNDS)
        return self.keep(author.resolve())

    def asked(self) -> None:
        """Red attacks, and dice are asked for."""
        self.order("attack", target="blue" if len(self.game.seats) > 1 else "red")
        self.handover()
