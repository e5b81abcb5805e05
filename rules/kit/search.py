"""The three searches that rules need, over whatever graph a function of neighbours spans.

    reach(["0512"], steps, limit=7)      where a unit gets, at what cost and by which way
    trace("0512", is_hq, beside, passes) the shortest way to a hex that serves, under a predicate
    groups(hexes, beside)                which of them hang together

Nodes are anything that can be a key: a hex, or a hex and how it was entered. Costs are whole numbers from 0;
a game with half points counts halves. Equal ways are decided by the order in which neighbours are named, so that every
machine finds the same. What a step costs, who blocks it and what a zone does is the game's own affair.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterable, Mapping
from heapq import heappop, heappush
from typing import Generic, NamedTuple, TypeVar

N = TypeVar("N", bound=Hashable)

Neighbours = Callable[[N], Iterable[N]]
Steps = Callable[[N], Iterable[tuple[N, int]]]
"""From a node to each that may be entered next, with the cost of doing so."""


class Reached(NamedTuple, Generic[N]):
    """What it costs to be here, and where one comes from: None at a start."""

    cost: int
    before: N | None


def reach(
    starts: Iterable[N] | Mapping[N, int],
    steps: Steps[N],
    limit: int | None = None,
    stops: Callable[[N], bool] | None = None,
    until: Callable[[N], bool] | None = None,
) -> dict[N, Reached[N]]:
    """Every node that can be reached for at most `limit`, the cheapest first.

    `starts` may say what each start has cost already. A node that `stops` is entered and not left, a start is left.
    The search ends with the first node for which `until` holds: the last of the result, if there is one.
    """
    given = dict(starts) if isinstance(starts, Mapping) else dict.fromkeys(starts, 0)
    queue: list[tuple[int, int, N, N | None]] = []
    for turn, (node, cost) in enumerate(given.items()):
        if limit is None or cost <= limit:
            heappush(queue, (cost, turn, node, None))
    turn = len(given)
    best = {node: cost for cost, _, node, _ in queue}
    found: dict[N, Reached[N]] = {}
    while queue:
        cost, _, node, before = heappop(queue)
        if node in found:
            continue
        found[node] = Reached(cost, before)
        if until is not None and until(node):
            break
        if stops is not None and before is not None and stops(node):
            continue
        for there, more in steps(node):
            total = cost + more
            if there in found or (limit is not None and total > limit) or best.get(there, total + 1) <= total:
                continue
            best[there] = total
            turn += 1
            heappush(queue, (total, turn, there, node))
    return found


def way(found: Mapping[N, Reached[N]], to: N) -> tuple[N, ...]:
    """The nodes from the start to a node that was reached, both among them. KeyError where it was not."""
    nodes = [to]
    while (before := found[nodes[-1]].before) is not None:
        nodes.append(before)
    return tuple(reversed(nodes))


def trace(
    start: N,
    ends: Callable[[N], bool],
    neighbours: Neighbours[N],
    passes: Callable[[N], bool] | None = None,
    limit: int | None = None,
) -> tuple[N, ...] | None:
    """The shortest way from a node to one that `ends`, both among them; None where there is none.

    Every node after the start must pass, the last one too. `limit` is the greatest number of steps.
    """
    if ends(start):
        return (start,)
    came: dict[N, N | None] = {start: None}
    edge = deque([(start, 0)])
    while edge:
        node, far = edge.popleft()
        if far == limit:
            break
        for there in neighbours(node):
            if there in came or not (passes is None or passes(there)):
                continue
            came[there] = node
            if ends(there):
                return _back(came, there)
            edge.append((there, far + 1))
    return None


def _back(came: Mapping[N, N | None], last: N) -> tuple[N, ...]:
    nodes, node = [last], came[last]
    while node is not None:
        nodes.append(node)
        node = came[node]
    return tuple(reversed(nodes))


def groups(nodes: Iterable[N], neighbours: Neighbours[N]) -> tuple[frozenset[N], ...]:
    """The nodes in groups that hang together through each other, in the order of their first members."""
    left = dict.fromkeys(nodes)
    found: list[frozenset[N]] = []
    while left:
        todo = [next(iter(left))]
        del left[todo[0]]
        group: list[N] = []
        while todo:
            node = todo.pop()
            group.append(node)
            for there in neighbours(node):
                if there in left:
                    del left[there]
                    todo.append(there)
        found.append(frozenset(group))
    return tuple(found)
