"""Maps for paper: the colours of an SVG of ours turned into black, white and two greys.

Our maps say everything twice, by colour and by shape, pattern, dash or word, so nothing is lost without colours.
What is drawn is recoloured, not drawn anew: so every engine's templates can be printed, and none knows of it.
"""

from __future__ import annotations

import re
from typing import Final

THEMES: Final = ("light", "print")

_ELEMENT: Final = re.compile(r"<(?P<name>[a-z]\w*)(?P<rest>(?: [^<>]*)?)>")
_PAINT: Final = re.compile(r'(?P<where>fill|stroke)="#(?P<colour>[0-9a-fA-F]{6}|[0-9a-fA-F]{3})"')

_WIDTH: Final = re.compile(r'stroke-width="(\d+(?:\.\d+)?)"')

BLACK, DARK, PALE, WHITE = "#000000", "#777777", "#e4e4e4", "#ffffff"
BAND: Final = 6
"""A light line wider than this, in dots of the map, is a surface (shallow water), not a line."""


def themed(svg: str, theme: str) -> str:
    """The SVG in a theme: `light` as it was drawn, `print` without colours."""
    return svg if theme != "print" else _ELEMENT.sub(_element, svg)


def _element(found: re.Match[str]) -> str:
    name = found["name"]
    letters = name == "text" or "font-family=" in found["rest"]
    wide = _WIDTH.search(found["rest"])
    band = wide is not None and float(wide[1]) > BAND

    def paint(one: re.Match[str]) -> str:
        light = brightness(one["colour"])
        if letters:
            tone = WHITE if light > 0.8 else BLACK
        elif one["where"] == "stroke":
            tone = WHITE if light > 0.93 else (PALE if band else DARK) if light > 0.7 else BLACK
        else:
            tone = WHITE if light > 0.75 else PALE if light > 0.5 else DARK if light > 0.4 else BLACK
        return f'{one["where"]}="{tone}"'

    return f"<{name}{_PAINT.sub(paint, found['rest'])}>"


def brightness(colour: str) -> float:
    """How light a colour looks, from 0 (black) to 1, by its hex digits (the weights of ITU-R BT.709)."""
    digits = "".join(2 * digit for digit in colour) if len(colour) == 3 else colour
    red, green, blue = (int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
