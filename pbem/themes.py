"""Maps for paper and for dark screens: the colours of an SVG of ours turned into others.

Paper: black, white and two greys. Our maps say everything twice, by colour and by shape, pattern, dash or word, so
nothing is lost without colours. Dark: the same hues, light for dark and dark for light.
What is drawn is recoloured, not drawn anew: so every engine's templates can be printed, and none knows of it.
"""

from __future__ import annotations

import colorsys
import re
from collections.abc import Sequence
from typing import Final

THEMES: Final = ("light", "dark", "print")

_ELEMENT: Final = re.compile(r"<(?P<name>[a-z]\w*)(?P<rest>(?: [^<>]*)?)>")
_PAINT: Final = re.compile(r'(?P<where>fill|stroke)="#(?P<colour>[0-9a-fA-F]{6}|[0-9a-fA-F]{3})"')

_WIDTH: Final = re.compile(r'stroke-width="(\d+(?:\.\d+)?)"')

BLACK, DARK, PALE, WHITE = "#000000", "#777777", "#e4e4e4", "#ffffff"
DIMMEST, BRIGHTEST = 0.1, 0.96
"""How light white and black become on a dark screen, of 1."""
BAND: Final = 6
"""A light line wider than this, in dots of the map, is a surface (shallow water), not a line."""


def themed(svg: str, theme: str) -> str:
    """The SVG in a theme: `light` as it was drawn, `dark` for dark screens, `print` without colours."""
    if theme == "dark":
        return _PAINT.sub(lambda one: f'{one["where"]}="{dark(one["colour"])}"', svg)
    return svg if theme != "print" else _ELEMENT.sub(_element, svg)


def dark(colour: str) -> str:
    """A colour for dark screens, by its hex digits: hue and chroma stay, its lightness is turned about."""
    hue, light, strong = colorsys.rgb_to_hls(*_channels(colour))
    turned = DIMMEST + (BRIGHTEST - DIMMEST) * (1 - light)
    chroma = strong * (1 - abs(2 * light - 1))
    channels = colorsys.hls_to_rgb(hue, turned, min(1, chroma / (1 - abs(2 * turned - 1))))
    return "#" + "".join(f"{round(255 * channel):02x}" for channel in channels)


def in_both(groups: Sequence[Sequence[str]]) -> tuple[list[list[str]], str, str]:
    """Groups of SVG pieces with CSS variables for colours, and the variables for light and for dark screens."""
    names: dict[str, str] = {}

    def paint(one: re.Match[str]) -> str:
        name = names.setdefault(_long(one["colour"]), f"--m{len(names)}")
        return f'{one["where"]}="var({name})"'

    drawn = [[_PAINT.sub(paint, piece) for piece in pieces] for pieces in groups]
    light, dim = ("".join(f"{name}:{of(colour)};" for colour, name in names.items()) for of in (_hash, dark))
    return drawn, light, dim


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
    red, green, blue = _channels(colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _channels(colour: str) -> tuple[float, float, float]:
    digits = _long(colour)
    red, green, blue = (int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4))
    return red, green, blue


def _long(colour: str) -> str:
    """Six hex digits."""
    return "".join(2 * digit for digit in colour) if len(colour) == 3 else colour.lower()


def _hash(colour: str) -> str:
    return f"#{colour}"
