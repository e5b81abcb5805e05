"""Maps as PNG and for paper."""

from __future__ import annotations

import re
import struct
import sys
from pathlib import Path

import pytest
from computers import CHECKOUT, Computer

from pbem import pictures, themes
from pbem.errors import Trouble, WrongUse

MALAYA = CHECKOUT / "games" / "malaya-won.pbem"
SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><rect width="40" height="20" fill="#fff"/></svg>'


def size(png: bytes) -> tuple[int, int]:
    """Width and height as the header of a PNG says them (RFC 2083, 11.2.2)."""
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", png[16:24])
    return width, height


def test_png_has_the_size_of_its_map_times_the_scale() -> None:
    pytest.importorskip("resvg_py", reason="the extra png is not installed")
    assert size(pictures.png(SVG)) == (40, 20)
    assert size(pictures.png(SVG, 3)) == (120, 60)
    with pytest.raises(Trouble):
        pictures.png("<svg")


def test_letters_are_drawn_with_a_font_of_this_machine() -> None:
    pytest.importorskip("resvg_py", reason="the extra png is not installed")
    with_text = SVG.replace("</svg>", '<text x="2" y="16" font-family="Helvetica, Arial, sans-serif">Hi</text></svg>')
    assert pictures.png(with_text) != pictures.png(SVG)


def test_show_as_png(tmp_path: Path) -> None:
    pytest.importorskip("resvg_py", reason="the extra png is not installed")
    you = Computer(tmp_path)
    assert you.run("show", MALAYA, "--format", "png", "--out", "one.png").status == 0
    assert (
        you.run("show", MALAYA, "--format", "png", "--scale", "2", "--theme", "print", "--out", "two.png").status == 0
    )
    (a, b), twice = size(you.path("one.png").read_bytes()), size(you.path("two.png").read_bytes())
    assert abs(twice[0] - 2 * a) <= 1
    assert abs(twice[1] - 2 * b) <= 1
    assert you.run("show", MALAYA, "--format", "png", "--map", "2").status == 2


def test_show_without_the_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pictures.png.cache_clear()
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    said = Computer(tmp_path).run("show", MALAYA, "--format", "png", "--out", "one.png")
    assert (said.status, "needs the extra png" in said.err) == (2, True)
    with pytest.raises(WrongUse):
        pictures.png(SVG)


@pytest.mark.parametrize("game", sorted(path.name for path in (CHECKOUT / "games").glob("*.pbem")))
def test_print_has_no_colours(game: str, tmp_path: Path) -> None:
    you = Computer(tmp_path)
    for form in ("svg", "html"):
        said = you.run("show", CHECKOUT / "games" / game, "--format", form, "--theme", "print")
        if game.startswith("open-table") and form == "svg":
            assert said.status == 2
            continue
        for picture in re.findall(r"<svg.*?</svg>", said.out, re.DOTALL):
            found = set(re.findall(r"#[0-9a-fA-F]{6}\b", picture))
            assert found
            assert found <= {themes.BLACK, themes.DARK, themes.PALE, themes.WHITE}


def test_brightness_is_weighted() -> None:
    assert themes.brightness("000") == 0
    assert themes.brightness("ffffff") == pytest.approx(1)
    assert themes.brightness("00ff00") == pytest.approx(0.7152)
    assert themes.brightness("f00") == pytest.approx(0.2126)


def test_light_is_as_drawn() -> None:
    assert themes.themed(SVG.replace("#fff", "#c3d7db"), "light") == SVG.replace("#fff", "#c3d7db")
    assert themes.themed('<text fill="#8b7c5c">#8b7c5c</text>', "print") == '<text fill="#000000">#8b7c5c</text>'


# --- dark screens ---


def test_dark_turns_light_and_keeps_the_order() -> None:
    """Lightness l becomes 0.1 + 0.86 (1 - l): white 0.1 (of 255: 26), black 0.96 (245); greys stay grey."""
    assert (themes.dark("ffffff"), themes.dark("000")) == ("#1a1a1a", "#f5f5f5")
    lights = [themes.brightness(themes.dark(f"{grey:02x}" * 3)[1:]) for grey in range(256)]
    assert lights == sorted(lights, reverse=True)


def test_dark_keeps_hue_and_chroma() -> None:
    """A dark red, greatest channel 160 and least 32, has 128 between them before and after; red is still most."""
    red, green, blue = bytes.fromhex(themes.dark("a02020")[1:])
    assert abs((red - green) - 128) <= 1
    assert green == blue


def test_a_map_for_a_dark_screen(tmp_path: Path) -> None:
    you = Computer(tmp_path)
    assert you.run("show", MALAYA, "--format", "svg", "--theme", "dark", "--out", "dark.svg").status == 0
    assert you.run("show", MALAYA, "--format", "svg", "--out", "light.svg").status == 0
    dark, light = (you.path(f"{name}.svg").read_text("utf-8") for name in ("dark", "light"))
    colour = r'((?:fill|stroke)=")#([0-9a-f]+)'
    assert dark == re.sub(colour, lambda one: one[1] + themes.dark(one[2]), light)
    assert dark != light


def test_colours_of_both_screens_are_variables() -> None:
    [drawn], light, dim = themes.in_both([['<rect fill="#fff"/>', '<path stroke="#FFFFFF" fill="#102030"/>']])
    assert drawn == ['<rect fill="var(--m0)"/>', '<path stroke="var(--m0)" fill="var(--m1)"/>']
    assert light == "--m0:#ffffff;--m1:#102030;"
    assert dim == f"--m0:{themes.dark('ffffff')};--m1:{themes.dark('102030')};"
