"""Many pieces of work side by side: on this machine's processors, or on a Dask cluster (extra `cluster`).

One list of work, two ways to run it; whoever has the list need not know which.
Work is handed out as room comes free, so a list may be longer than memory; a piece that is lost with its worker is
tried again, and at last named, and never stops the rest.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Final, TypeVar

from pbem.errors import Trouble, WrongUse

Item = TypeVar("Item")
Result = TypeVar("Result")

MOST: Final = 61
"""Processes at most: Windows can wait for no more."""
AHEAD: Final = 3
"""Pieces handed out for each worker: one under way, two waiting."""
REACHED: Final = 10
"""Seconds to wait for a scheduler's first answer."""


@dataclass(frozen=True, slots=True)
class Lost:
    """A piece of work that came to no result: why, in words."""

    why: str


def run(
    work: Callable[[Item], Result], items: Iterable[Item], *, workers: int = 0, scheduler: str = ""
) -> Iterator[tuple[int, Result | Lost]]:
    """The place and result of every item, in the order in which they are done.

    `work` is a function of a module; items and results are plain data. Whatever it raises is a `Lost`.
    `workers`: processes on this machine (0: as many as it has processors; 1: this process alone).
    `scheduler`: the address of a Dask scheduler (`tcp://host:8786`), whose workers have pbem installed.
    """
    if scheduler:
        return _cluster(work, items, scheduler)
    processes = min(workers or os.cpu_count() or 1, MOST)
    return _here(work, items) if processes == 1 else _processes(work, items, processes)


def _here(work: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[tuple[int, Result | Lost]]:
    for place, item in enumerate(items):
        yield place, _tried(work, item)


def _tried(work: Callable[[Item], Result], item: Item) -> Result | Lost:
    try:
        return work(item)
    except Exception as error:
        return Lost(f"{type(error).__name__}: {error}")


def _processes(
    work: Callable[[Item], Result], items: Iterable[Item], processes: int
) -> Iterator[tuple[int, Result | Lost]]:
    """Worker processes with a bounded queue; what a dying process takes with it runs again, each piece alone."""
    todo = enumerate(items)
    while True:
        under_way: dict[Future[Result | Lost], tuple[int, Item]] = {}
        again: list[tuple[int, Item]] = []
        with ProcessPoolExecutor(processes) as pool:
            try:
                while True:
                    for one in todo:
                        again.append(one)
                        under_way[pool.submit(_tried, work, one[1])] = again.pop()
                        if len(under_way) >= AHEAD * processes:
                            break
                    if not under_way:
                        return
                    for future in wait(under_way, return_when=FIRST_COMPLETED).done:
                        result = future.result()
                        yield under_way.pop(future)[0], result
            except BrokenProcessPool:
                again += under_way.values()
        for place, item in again:
            yield place, _alone(work, item)


def _alone(work: Callable[[Item], Result], item: Item) -> Result | Lost:
    """One piece in a process of its own, to find the one that kills its process."""
    with ProcessPoolExecutor(1) as pool:
        try:
            return pool.submit(_tried, work, item).result()
        except BrokenProcessPool:
            return Lost("the process that worked on it died")


# A cluster -------------------------------------------------------------------------------------------------------


def _cluster(
    work: Callable[[Item], Result], items: Iterable[Item], address: str
) -> Iterator[tuple[int, Result | Lost]]:
    """The same on a Dask cluster; the scheduler gives what a worker took with it to another one."""
    distributed = _distributed()
    try:
        client = distributed.Client(address, timeout=REACHED, set_as_default=False)
    except (OSError, ValueError) as error:
        raise Trouble(f"no Dask scheduler answers at {address}", f"`dask scheduler` starts one ({error})") from None
    todo = enumerate(items)
    under_way: dict[str, tuple[int, Any]] = {}
    with client, warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Sending large graph")
        done = distributed.as_completed(loop=client.loop)
        try:
            while True:
                room = AHEAD * max(1, sum(client.nthreads().values()))
                for place, item in todo:
                    future = client.submit(_tried, work, item, key=f"pbem-{place}-{id(items)}", pure=False)
                    under_way[future.key] = (place, future)
                    done.add(future)
                    if len(under_way) >= room:
                        break
                if not under_way:
                    return
                future = next(done)
                yield under_way.pop(future.key)[0], _fetched(future)
        except (OSError, distributed.CancelledError) as error:
            raise Trouble(f"the cluster at {address} is gone: {error}", "the work runs here too, with --jobs") from None
        finally:
            with suppress(OSError, distributed.CancelledError):
                client.cancel([future for _, future in under_way.values()])


def _fetched(future: Any) -> Any:
    if future.status == "error":
        return Lost(f"the cluster gave it up: {type(future.exception()).__name__}")
    return future.result()


def _distributed() -> Any:
    try:
        return import_module("distributed")
    except ImportError:
        raise WrongUse(
            "a cluster needs the extra cluster, which is not installed", "`pip install 'pbem[cluster]'`"
        ) from None
