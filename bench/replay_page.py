"""A replay page of a hex game of 2,000 events that bots play: its size, the time to make it, a step in the browser.

    PYTHONPATH=. python bench/replay_page.py [--events N] [--game FILE] [--json]

Bots play campaigns of Tiger of Malaya, with keys and dice of their own, until one has so many events: 1,908 hexes,
two seats with hidden chits, five sheets. All is disclosed, so the page shows every hand.
With `--game` the page of that file is measured.
Times are processor time; a step is script, style and layout of the page's own thread in Chromium (`pbem[browser]`).
"""

from __future__ import annotations

import argparse
import json
import shutil
import statistics
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

CHECKOUT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(CHECKOUT), str(CHECKOUT / "tests"), str(CHECKOUT / "bench")]

import measure  # noqa: E402
from measure import Row  # noqa: E402
from record_games import Duel, by_advice  # noqa: E402

from pbem.replay_page import page  # noqa: E402
from pbem.replaying import Game  # noqa: E402

TRIES = 40
EVENTS = 2_000
STEPS = 300
"""So many steps are made in the browser, from the beginning."""
SPENT = ("ScriptDuration", "RecalcStyleDuration", "LayoutDuration")
NEXT = """() => {
  document.getElementById("next").click();
  return new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
}"""


def played(folder: Path, events: int) -> Path:
    """The file of the first campaign of bots that has so many events."""
    for number in range(TRIES):
        measure.say(f"game {number + 1}")
        match = Duel("tiger-of-malaya", "tiger-of-malaya", bot=by_advice)
        content = match.play()
        if match.fold.seq >= events:
            path = folder / "bots.pbem"
            path.write_bytes(content)
            return path
    raise SystemExit(f"{TRIES} campaigns and none of {events} events")


def made(path: Path, folder: Path) -> tuple[list[Row], Path]:
    """What a page costs; and the page."""
    measure.say("the page")
    begun = time.process_time()
    game = Game(path)
    judged = time.process_time()
    for _ in game.moments():
        pass
    replayed = time.process_time()
    text = page(game).encode()
    drawn = time.process_time()
    where = folder / "page.html"
    where.write_bytes(text)
    whole = (judged - begun) + (drawn - replayed)
    share = EVENTS / game.end.seq
    rows = [
        Row(f"{game.engine.title}: events", float(game.end.seq), "events"),
        Row("the page", len(text) / 1e6, "MB"),
        Row(f"for each {EVENTS:,} events", share * len(text) / 1e6, "MB", "< 5"),
        Row("made, with the audit before it", whole, "s"),
        Row(f"for each {EVENTS:,} events", share * whole, "s", "< 10"),
        Row("of it rules and signatures", (judged - begun) + (replayed - judged), "s"),
        Row("of it drawing", (drawn - replayed) - (replayed - judged), "s"),
    ]
    return rows, where


def stepped(where: Path) -> list[Row]:
    """What a step costs in a browser, where there is one."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        return []
    from playwright.sync_api import sync_playwright

    measure.say("steps")
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        tab = browser.new_page(viewport={"width": 1600, "height": 900})
        tab.goto(where.as_uri())
        tab.wait_for_timeout(500)
        session = tab.context.new_cdp_session(tab)
        session.send("Performance.enable", {"timeDomain": "threadTicks"})

        def spent() -> float:
            told: list[dict[str, Any]] = session.send("Performance.getMetrics")["metrics"]
            return 1000 * sum(one["value"] for one in told if one["name"] in SPENT)

        times, before = [], spent()
        for _ in range(STEPS):
            tab.evaluate(NEXT)
            now = spent()
            times.append(now - before)
            before = now
        browser.close()
    return [
        Row(f"a step in the browser, half of {STEPS}", statistics.median(times), "milliseconds", "< 16"),
        Row("95 of 100", sorted(times)[int(0.95 * len(times))], "milliseconds", "< 16"),
        Row("the worst", max(times), "milliseconds", "< 16"),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--events", type=int, default=EVENTS)
    parser.add_argument("--game", type=Path)
    parser.add_argument("--json", action="store_true", help="the figures for programs")
    asked = parser.parse_args()
    with TemporaryDirectory() as folder:
        path = asked.game or played(Path(folder), asked.events)
        rows, where = made(path, Path(folder))
        rows += stepped(where)
    measure.say("")
    parts = {"A replay page": rows}
    print(json.dumps(measure.data(parts), indent=2) if asked.json else measure.markdown(parts))


if __name__ == "__main__":
    main()
