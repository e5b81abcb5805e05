"""Maps as PNG, with the extra `png`: for mail programs and chats that show no SVG.

What is drawn is our own SVG, so the renderer meets no text of a stranger that `report.clean` has not seen.
"""

from __future__ import annotations

from functools import lru_cache
from importlib import import_module

from pbem.errors import Trouble, WrongUse

HINT = "`pip install 'pbem[png]'`; the SVG is a picture too: `--format svg`"


def can_draw() -> bool:
    """Whether the extra `png` is installed and works here."""
    try:
        import_module("resvg_py")
    except (ImportError, OSError):  # OSError: a library that does not fit this system
        return False
    return True


@lru_cache(maxsize=4)  # a letter to every seat carries the same map
def png(svg: str, scale: float = 1) -> bytes:
    """An SVG as PNG, `scale` dots to one of its own (`WrongUse` without the extra, `Trouble` for what is no SVG)."""
    try:
        drawer = import_module("resvg_py")
    except (ImportError, OSError):
        raise WrongUse("a PNG needs the extra png, which is not installed", HINT) from None
    try:
        return bytes(drawer.svg_to_bytes(svg_string=svg, zoom=scale))
    except ValueError:
        raise Trouble("the picture could not be drawn as PNG", "take the SVG: `--format svg`") from None
