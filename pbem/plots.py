"""Small line plots as SVG: a series for each seat, told apart by dash and mark as well as by its name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from html import escape
from typing import Final

WIDTH, HEIGHT, LEFT, RIGHT, TOP, FOOT = 560, 220, 44, 110, 30, 34
STYLES: Final = (("#1f3a70", "", "circle"), ("#a8251d", "7 4", "square"), ("#2f5a34", "2 4", "diamond"))
FACE: Final = 'font-family="Helvetica, Arial, sans-serif"'


def lines(title: str, places: Sequence[str], series: Mapping[str, Sequence[Fraction | int]]) -> str:
    """The plot: `places` along the bottom, a line for each name with a value at each place."""
    top = max((value for row in series.values() for value in row), default=0)
    low = min(0, *(value for row in series.values() for value in row)) if series else 0
    step = _step(float(top - low))
    ceiling = low + step * max(1, -(-int(top - low) // step))

    def x(at: int) -> float:
        return LEFT + at * (WIDTH - LEFT - RIGHT) / max(1, len(places) - 1)

    def y(value: Fraction | int) -> float:
        return HEIGHT - FOOT - float((value - low) / Fraction(ceiling - low)) * (HEIGHT - TOP - FOOT)

    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}"'
        f' role="img" aria-label="{escape(title)}"><rect width="{WIDTH}" height="{HEIGHT}" fill="#fffdf7"/>',
        f'<text x="{LEFT}" y="17" {FACE} font-size="13" font-weight="700" fill="#2b2a26">{escape(title)}</text>',
    ]
    for value in range(int(low), int(ceiling) + 1, step):
        out.append(f'<path d="M{LEFT} {y(value):.1f}H{WIDTH - RIGHT}" stroke="#d8cfba"/>')
        out.append(_text(LEFT - 6, y(value) + 4, str(value), "end"))
    every = max(1, -(-len(places) // 12))
    out += [_text(x(at), HEIGHT - 14, place, "middle") for at, place in enumerate(places) if at % every == 0]
    ends = sorted((y(row[-1]), name) for name, row in series.items() if row)
    spots, last = {}, -99.0
    for height, name in ends:
        last = max(height, last + 15)
        spots[name] = last
    for number, (name, row) in enumerate(series.items()):
        colour, dash, mark = STYLES[number % len(STYLES)]
        way = "L".join(f"{x(at):.1f} {y(value):.1f}" for at, value in enumerate(row))
        out.append(f'<path d="M{way}" fill="none" stroke="{colour}" stroke-width="2" stroke-dasharray="{dash}"/>')
        out += [_mark(mark, x(at), y(value), colour) for at, value in enumerate(row)]
        if row:
            out.append(_text(x(len(row) - 1) + 10, spots[name] + 4, f"{name} {_said(row[-1])}", "start", colour))
    return "".join([*out, "</svg>"])


def _step(span: float) -> int:
    return next((step for step in (1, 2, 5, 10, 20, 50, 100, 200, 500) if span / step <= 5), 1000)


def _said(value: Fraction | int) -> str:
    whole, rest = divmod(Fraction(value), 1)
    return f"{whole} {rest}" if rest and whole else str(Fraction(value))


def _text(x: float, y: float, words: str, anchor: str, colour: str = "#55503f") -> str:
    place = f'x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"'
    return f'<text {place} {FACE} font-size="11" fill="{colour}">{escape(words)}</text>'


def _mark(name: str, x: float, y: float, colour: str) -> str:
    if name == "circle":
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>'
    if name == "square":
        return f'<rect x="{x - 3:.1f}" y="{y - 3:.1f}" width="6" height="6" fill="{colour}"/>'
    return f'<path d="M{x:.1f} {y - 4:.1f}l4 4l-4 4l-4 -4Z" fill="{colour}"/>'
