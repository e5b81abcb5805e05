"""Reach, trace and groups: small graphs by hand, large ones against brute force."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.kit.hexes import Grid
from rules.kit.search import Reached, groups, reach, trace, way

GRID = Grid((1, 30), (1, 30), "even")
SWAMP = frozenset(GRID.within("1515", 2))

ROADS = {
    "a": {"b": 1, "c": 4},
    "b": {"a": 1, "c": 2, "d": 6},
    "c": {"a": 4, "b": 2, "d": 3},
    "d": {"b": 6, "c": 3},
    "e": {},
}


def by_road(here: str) -> Iterator[tuple[str, int]]:
    yield from ROADS[here].items()


def overland(hex: str) -> Iterator[tuple[str, int]]:
    """A hex costs 2, a swamp hex 5."""
    return ((there, 5 if there in SWAMP else 2) for there in GRID.neighbours(hex))


# --- reach ---


def test_the_cheapest_ways() -> None:
    found = reach(["a"], by_road)
    assert {node: reached.cost for node, reached in found.items()} == {"a": 0, "b": 1, "c": 3, "d": 6}
    assert list(found) == ["a", "b", "c", "d"]  # the cheapest first
    assert found["a"] == Reached(0, None)
    assert way(found, "d") == ("a", "b", "c", "d")


@pytest.mark.parametrize(("limit", "nodes"), [(0, "a"), (2, "ab"), (3, "abc"), (5, "abc"), (6, "abcd")])
def test_the_limit_is_within_reach(limit: int, nodes: str) -> None:
    assert "".join(reach(["a"], by_road, limit)) == nodes


def test_a_stop_is_entered_and_not_left() -> None:
    found = reach(["a"], by_road, stops=lambda node: node == "b")
    assert {node: reached.cost for node, reached in found.items()} == {"a": 0, "b": 1, "c": 4, "d": 7}
    assert "d" in reach(["b"], by_road, stops=lambda node: node == "b")  # but a start is left


def test_the_first_that_serves_ends_the_search() -> None:
    found = reach(["a"], by_road, until=lambda node: node in "cd")
    assert list(found) == ["a", "b", "c"]
    assert list(reach(["a"], by_road, until=lambda node: node == "e")) == ["a", "b", "c", "d"]


def test_several_starts_with_what_they_have_cost() -> None:
    found = reach({"a": 5, "d": 0}, by_road)
    assert {node: reached.cost for node, reached in found.items()} == {"d": 0, "c": 3, "a": 5, "b": 5}
    assert way(found, "b") == ("d", "c", "b")
    assert reach({"a": 5}, by_road, limit=4) == {}


def test_equal_ways_are_decided_by_the_order_of_neighbours() -> None:
    def diamond(node: str) -> list[tuple[str, int]]:
        return {"s": [("x", 1), ("w", 1)], "x": [("t", 1)], "w": [("t", 1)], "t": []}[node]

    assert way(reach(["s"], diamond), "t") == ("s", "x", "t")


def test_half_points_are_counted_in_halves() -> None:
    found = reach(["1502"], lambda hex: ((there, 1) for there in GRID.neighbours(hex)), limit=2 * 3)
    assert max(GRID.distance("1502", hex) for hex in found) == 6


def test_nodes_may_be_more_than_places() -> None:
    """How a hex was entered is part of the node: three hexes on foot at most."""

    def steps(node: tuple[str, int]) -> Iterator[tuple[tuple[str, int], int]]:
        hex, walked = node
        return (((there, walked + 1), 1) for there in GRID.neighbours(hex) if walked < 3)

    assert {hex for hex, _ in reach([("1010", 0)], steps)} == set(GRID.within("1010", 3))


@given(st.sampled_from(GRID.hexes), st.integers(0, 30))
def test_costs_are_least(start: str, limit: int) -> None:
    found = reach([start], overland, limit)
    for hex, (cost, before) in found.items():
        assert cost <= limit
        if before is not None:
            assert cost == found[before].cost + dict(overland(before))[hex]
        for there, more in overland(hex):  # no way is cheaper than the one that was found
            if cost + more <= limit:
                assert found[there].cost <= cost + more


def test_reach_looks_at_every_hex_once() -> None:
    looked: Counter[str] = Counter()

    def steps(hex: str) -> Iterator[tuple[str, int]]:
        looked[hex] += 1
        return overland(hex)

    assert len(reach(["1515"], steps)) == 900
    assert set(looked.values()) == {1}


# --- trace ---


def test_the_shortest_trace() -> None:
    found = trace("0101", lambda hex: hex == "0105", GRID.neighbours)
    assert found == ("0101", "0102", "0103", "0104", "0105")
    assert trace("0101", lambda hex: hex == "0101", GRID.neighbours) == ("0101",)


def test_a_trace_goes_round_what_does_not_pass() -> None:
    found = trace("1515", lambda hex: hex == "1511", GRID.neighbours, lambda hex: hex != "1514")
    assert found is not None
    assert len(found) == 6  # five steps instead of four
    assert "1514" not in found
    assert all(GRID.adjacent(a, b) for a, b in pairwise(found))


def test_the_end_must_pass_and_the_start_need_not() -> None:
    assert trace("1515", lambda hex: hex == "1514", GRID.neighbours, lambda hex: hex != "1514") is None
    assert trace("1515", lambda hex: hex == "1514", GRID.neighbours, lambda hex: hex != "1515") is not None


@pytest.mark.parametrize(("limit", "there"), [(3, False), (4, True)])
def test_the_limit_of_a_trace(limit: int, there: bool) -> None:
    assert (trace("1515", lambda hex: hex == "1511", GRID.neighbours, limit=limit) is not None) == there


def test_no_trace() -> None:
    assert trace("a", lambda node: node == "e", lambda node: ROADS[node]) is None


# --- groups ---


def test_what_hangs_together() -> None:
    hexes = ["0101", "0505", "0102", "0506", "1010", "0103"]
    assert groups(hexes, GRID.neighbours) == (
        frozenset({"0101", "0102", "0103"}),
        frozenset({"0505", "0506"}),
        frozenset({"1010"}),
    )
    assert groups([], GRID.neighbours) == ()


@given(st.sets(st.sampled_from(GRID.hexes), max_size=120))
def test_groups_part_the_nodes(hexes: set[str]) -> None:
    found = groups(sorted(hexes), GRID.neighbours)
    assert sorted(hex for group in found for hex in group) == sorted(hexes)
    for group in found:
        start = min(group)
        inside = reach([start], lambda hex: ((there, 1) for there in GRID.neighbours(hex) if there in hexes))
        assert set(inside) == group
