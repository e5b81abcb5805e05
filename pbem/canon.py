"""The canonical form of everything that is signed or hashed (FORMAT.md, PCJ/1).

Objects, arrays, strings, booleans and integers; keys `[a-z][a-z0-9_]{0,31}`; text from fixed ranges;
one encoding for one value, and `decode` accepts no other.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import struct
from typing import Any, NoReturn

from pbem.errors import Refused

MAX_BYTES = 65536
MAX_DEPTH = 12
MAX_INT = 2**53 - 1
MAX_INT_CHARS = 17

Doc = dict[str, Any]
Part = bytes | str | int

_KEY = re.compile(r"[a-z][a-z0-9_]{0,31}\Z")
# Fixed ranges, so that no interpreter's Unicode tables decide. None of these composes with another: the text is NFC.
_TEXT_RANGES = (
    "\u0020-\u007e\u00a1-\u00ac\u00ae-\u024f\u0370-\u0373\u0375-\u0377\u037a-\u037d\u037f\u0384-\u0386"
    "\u0388-\u038a\u038c\u038e-\u03a1\u03a3-\u03ff\u0400-\u0482\u048a-\u052f"
    "\u2010-\u2027\u2030-\u205e\u20a0-\u20bf\u2190-\u21ff\u2212\u2260\u2264-\u2265\u25a0-\u25ff\u2605-\u2606"
    "\u2660-\u2667\u2713\u2717"
    "\u3041-\u3096\u30a1-\u30fa\u30fc\u4e00-\u9fff\uac00-\ud7a3"
)
_TEXT = re.compile(f"[{_TEXT_RANGES}]*\\Z")
_BAD_CHAR = re.compile(f"[^{_TEXT_RANGES}]")
_RTL = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]")
_BRACKET = re.compile(rb'"(?:[^"\\]+|\\.?)*+"?|([\[{])|([\]}])', re.DOTALL)


def check_text(text: str) -> None:
    """Refuse text outside the permitted ranges (`E_TEXT`), naming the first character met."""
    bad = _BAD_CHAR.search(text)
    if bad is None:
        return
    what = f"character U+{ord(bad.group()):04X} at place {bad.start() + 1} is outside the permitted ranges"
    if _RTL.match(bad.group()):
        raise Refused("E_TEXT", what, "right-to-left scripts are not part of format 1")
    raise Refused("E_TEXT", what, "write letters, digits and common signs; no control or combining characters")


def _check(value: object, depth: int) -> None:
    if value is True or value is False:
        return
    if isinstance(value, str):
        if not _TEXT.match(value):
            check_text(value)
    elif isinstance(value, int):
        if not -MAX_INT <= value <= MAX_INT:
            raise Refused("E_INT")
    elif isinstance(value, dict):
        if depth > MAX_DEPTH:
            raise Refused("E_CANON", f"nested deeper than {MAX_DEPTH}")
        for key, item in value.items():
            if not isinstance(key, str) or not _KEY.match(key):
                raise Refused("E_CANON", "a key is not of the form [a-z][a-z0-9_]{0,31}")
            _check(item, depth + 1)
    elif isinstance(value, list | tuple):
        if depth > MAX_DEPTH:
            raise Refused("E_CANON", f"nested deeper than {MAX_DEPTH}")
        for item in value:
            _check(item, depth + 1)
    else:
        raise Refused("E_CANON", f"a value of type {type(value).__name__} has no canonical form")


_dumps = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode


def encode(doc: Any) -> bytes:
    """The one encoding of a value. Refuses what `decode` would refuse (`E_TEXT`, `E_INT`, `E_CANON`, `E_SIZE`)."""
    _check(doc, 1)
    data = _dumps(doc).encode()
    if len(data) > MAX_BYTES:
        raise Refused("E_SIZE", hint="make it shorter, or split it into several")
    return data


def _pairs(pairs: list[tuple[str, Any]]) -> Doc:
    doc = dict(pairs)
    if len(doc) != len(pairs):
        raise Refused("E_DUPKEY")
    return doc


def _no_number(_: str) -> NoReturn:
    raise Refused("E_NUM")


def _int(digits: str) -> int:
    if len(digits) > MAX_INT_CHARS:
        raise Refused("E_INT")
    return int(digits)


_loads = json.JSONDecoder(
    object_pairs_hook=_pairs, parse_float=_no_number, parse_constant=_no_number, parse_int=_int
).decode


def _check_depth(data: bytes) -> None:
    """Refuse deep nesting by counting brackets, so that no parser's own stack decides."""
    if data.count(b"{") + data.count(b"[") <= MAX_DEPTH:
        return
    depth = 0
    for found in _BRACKET.finditer(data):
        if found[1]:
            depth += 1
            if depth > MAX_DEPTH:
                raise Refused("E_CANON", f"nested deeper than {MAX_DEPTH}")
        elif found[2]:
            depth -= 1


def decode(data: bytes) -> Doc:
    """The object behind canonical bytes; every other spelling of it is refused.

    Codes: E_SIZE, E_CANON (nesting), E_JSON, E_DUPKEY, E_NUM, E_INT, E_TEXT, E_CANON.
    """
    if len(data) > MAX_BYTES:
        raise Refused("E_SIZE")
    _check_depth(data)
    try:
        text = data.decode("utf-8")
        doc = _loads(text)
    except Refused:
        raise
    except ValueError:
        raise Refused("E_JSON") from None
    if not isinstance(doc, dict):
        raise Refused("E_CANON", "not an object")
    _check(doc, 1)
    if _dumps(doc) != text:
        raise Refused("E_CANON")
    return doc


_length, _number = struct.Struct(">I").pack, struct.Struct(">Q").pack


def _joined(tag: str, parts: tuple[Part, ...]) -> bytes:
    out = [tag.encode(), b"\0"]
    for part in parts:
        if isinstance(part, str):
            part = part.encode()
        elif isinstance(part, int):
            part = _number(part)
        out += (_length(len(part)), part)
    return b"".join(out)


def H(tag: str, *parts: Part) -> bytes:
    """The one hash: SHA-256 over tag and length-prefixed parts. Integers as u64, text as UTF-8, ids as raw bytes."""
    return hashlib.sha256(_joined(tag, parts)).digest()


def K(key: bytes, tag: str, *parts: Part) -> bytes:
    """The keyed twin of `H`, for what a seat derives in private: HMAC-SHA-256."""
    return hmac.digest(key, _joined(tag, parts), "sha256")
