"""How the vectors were made, once. It refuses to change one that is there; no test runs it.

    python tests/vectors/make.py

Expected codes and verdicts are written here by hand, from FORMAT.md. Nothing is taken from a run of the verifier.
"""

from __future__ import annotations

import base64
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE.parent), str(HERE.parents[1])]

from builder import Match, charter_doc, duel, entry, key, resigned_line, responder, sign_line  # noqa: E402
from test_keys import TORSION, L, encoded, lift, plus, read_int, signed_by_hand, spelled, with_s  # noqa: E402

from pbem import canon, charter, keys, record  # noqa: E402

INDEX: list[str] = []


def put(name: str, data: bytes) -> None:
    path = HERE / name
    if path.exists():
        if path.read_bytes() != data:
            raise SystemExit(f"{path} is there and differs: vectors are never made anew")
        return
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(data)


def case(stage: str, name: str, data: bytes, row: int | str, what: str, **expect: Any) -> None:
    suffix = {"canon": "json", "line": "line", "charter": "charter", "log": "pbem"}[stage]
    put(f"{stage}/{name}.{suffix}", data)
    lines = [f'[[{stage}]]\nfile = "{stage}/{name}.{suffix}"', f'what = "{what}"', f"row = {row}"]
    for field, value in expect.items():
        text = f'"{value}"' if isinstance(value, str) else str(value).lower()
        lines.append(f"{field} = {text}")
    INDEX.append("\n".join(lines) + "\n")


# Canonical form --------------------------------------------------------------------------------------------------


def canon_case(name: str, data: bytes, code: str, row: int, what: str) -> None:
    case("canon", name, data, row, what, code=code)


def deep(levels: int) -> bytes:
    return b'{"a":' + b"[" * (levels - 1) + b"]" * (levels - 1) + b"}"


def make_canon() -> None:
    ok = [
        ("ok-empty", b"{}", "the empty object"),
        ("ok-kinds", b'{"a":[],"a_1":{},"b":[1,true,false,"x"]}', "each kind of value"),
        ("ok-integers", b'{"a":-9007199254740991,"b":0,"c":9007199254740991}', "the largest integers"),
        ("ok-escapes", b'{"a":"\\"\\\\/"}', "the two escapes there are"),
        ("ok-depth-12", deep(12), "the deepest nesting"),
        ("ok-size-65536", b'{"a":"' + b"x" * (65536 - 8) + b'"}', "the largest document"),
        ("ok-text", '{"a":"Zoë, Łódź, Αθήνα, Київ, かな, 漢字, 한글 – “♠” → ≤ ✓"}'.encode(), "text of many scripts"),
        ("ok-brackets-in-text", b'{"a":"[[[[[[[[[[[[[[[[{{{{{{{{"}', "brackets that nest nothing"),
    ]
    for name, data, what in ok:
        canon_case(name, data, "", 13, what)
    for name, data in {
        "top": b'{"a":1,"a":1}',
        "nested": b'{"a":{"b":1,"b":2}}',
        "in-array": b'{"a":[{"b":1,"b":2}]}',
        "escaped": b'{"a":1,"\\u0061":2}',
    }.items():
        canon_case("dupkey-" + name, data, "E_DUPKEY", 12, f"a key twice in one object, {name.replace('-', ' ')}")
    for name, data, code, what in [
        ("space-after-colon", b'{"a": 1}', "E_CANON", "white space"),
        ("space-before", b' {"a":1}', "E_CANON", "white space before the object"),
        ("newline-after", b'{"a":1}\n', "E_CANON", "white space after the object"),
        ("key-order", b'{"b":1,"a":2}', "E_CANON", "keys not in byte order"),
        ("key-order-nested", b'{"a":[{"c":1,"b":2}]}', "E_CANON", "keys not in byte order, inside"),
        ("escape-letter", b'{"a":"\\u0061"}', "E_CANON", "a letter as an escape"),
        ("escape-key", b'{"\\u0061":1}', "E_CANON", "a key as an escape"),
        ("escape-solidus", b'{"a":"\\/"}', "E_CANON", "an escaped solidus"),
        ("escape-quote-hex", b'{"a":"\\u0022"}', "E_CANON", "a quote in its long escape"),
        ("number-1.0", b'{"a":1.0}', "E_NUM", "a fraction"),
        ("number-1e2", b'{"a":1e2}', "E_NUM", "an exponent"),
        ("number-nan", b'{"a":NaN}', "E_NUM", "not a number"),
        ("number-infinity", b'{"a":Infinity}', "E_NUM", "infinity"),
        ("number-minus-infinity", b'{"a":-Infinity}', "E_NUM", "minus infinity"),
        ("number-minus-zero", b'{"a":-0}', "E_CANON", "minus zero"),
        ("number-leading-zero", b'{"a":01}', "E_JSON", "a leading zero"),
        ("number-plus", b'{"a":+1}', "E_JSON", "a plus sign"),
        ("int-2-to-53", b'{"a":9007199254740992}', "E_INT", "2^53"),
        ("int-minus-2-to-53", b'{"a":-9007199254740992}', "E_INT", "-2^53"),
        ("int-18-digits", b'{"a":100000000000000000}', "E_INT", "18 characters"),
        ("int-5000-digits", b'{"a":' + b"7" * 5000 + b"}", "E_INT", "5,000 digits"),
    ]:
        canon_case(name, data, code, 13, what)
    for name, char in {
        "nfd": "e\u0301",
        "hebrew": "\u05d0",
        "arabic": "\u0627",
        "bidi-override": "\u202e",
        "zero-width-space": "\u200b",
        "zero-width-joiner": "\u200d",
        "c1-control": "\u0085",
        "delete": "\u007f",
        "no-break-space": "\u00a0",
        "soft-hyphen": "\u00ad",
        "bom-inside": "\ufeff",
        "line-separator": "\u2028",
        "private-use": "\ue000",
        "emoji": "\U0001f600",
        "tag": "\U000e0041",
        "roman-numeral": "\u2160",
        "full-width": "\uff21",
    }.items():
        canon_case("text-" + name, f'{{"a":"{char}"}}'.encode(), "E_TEXT", 14, f"U+{ord(char[-1]):04X} in a text")
    for name, data, code, what in [
        ("text-escaped-control", b'{"a":"\\u001b[31m"}', "E_TEXT", "ESC as an escape"),
        ("text-escaped-newline", b'{"a":"\\n"}', "E_TEXT", "a line end as an escape"),
        ("text-escaped-null", b'{"a":"\\u0000"}', "E_TEXT", "NUL as an escape"),
        ("text-lone-surrogate", b'{"a":"\\ud800"}', "E_TEXT", "half a surrogate pair"),
        ("text-surrogate-pair", b'{"a":"\\ud83d\\ude00"}', "E_TEXT", "an emoji as escapes"),
        ("text-raw-control", b'{"a":"\x1b"}', "E_JSON", "ESC as a byte"),
        ("utf8-bom", b'\xef\xbb\xbf{"a":1}', "E_JSON", "a byte order mark"),
        ("utf8-invalid", b'{"a":"\xff"}', "E_JSON", "a byte that UTF-8 has not"),
        ("utf8-overlong", b'{"a":"\xc0\xaf"}', "E_JSON", "an overlong solidus"),
        ("utf8-surrogate", b'{"a":"\xed\xa0\x80"}', "E_JSON", "a surrogate as bytes"),
        ("utf8-cut", b'{"a":"\xc3"}', "E_JSON", "a character cut short"),
        ("utf16", '{"a":1}'.encode("utf-16-le"), "E_JSON", "UTF-16"),
    ]:
        canon_case(name, data, code, 14, what)
    for name, data, code, what in [
        ("depth-13", deep(13), "E_CANON", "one level too deep"),
        ("depth-900", deep(900), "E_CANON", "about as deep as parsers can"),
        ("depth-30000", deep(30000), "E_CANON", "deeper than parsers can"),
        ("depth-unclosed", b'{"a":' + b"[" * 30000, "E_CANON", "depth comes before syntax"),
        ("size-65537", b'{"a":"' + b"x" * (65537 - 8) + b'"}', "E_SIZE", "one byte too large"),
    ]:
        canon_case(name, data, code, 15, what)
    for name, data, code, what in [
        ("null", b'{"a":null}', "E_CANON", "null"),
        ("top-array", b"[1]", "E_CANON", "no object"),
        ("top-string", b'"a"', "E_CANON", "no object"),
        ("top-number", b"1", "E_CANON", "no object"),
        ("key-upper", b'{"A":1}', "E_CANON", "an upper-case key"),
        ("key-cyrillic", '{"а":1}'.encode(), "E_CANON", "a key that only looks like a"),
        ("key-empty", b'{"":1}', "E_CANON", "an empty key"),
        ("key-33", b'{"' + b"a" * 33 + b'":1}', "E_CANON", "a key too long"),
        ("key-digit", b'{"1a":1}', "E_CANON", "a key that begins with a digit"),
        ("key-hyphen", b'{"a-b":1}', "E_CANON", "a hyphen in a key"),
        ("empty", b"", "E_JSON", "nothing"),
        ("cut", b'{"a":1', "E_JSON", "a document cut short"),
        ("two-documents", b"{}{}", "E_JSON", "two documents"),
        ("trailing-comma", b'{"a":1,}', "E_JSON", "a trailing comma"),
        ("comment", b'{"a":1}//x', "E_JSON", "a comment"),
        ("single-quotes", b"{'a':1}", "E_JSON", "single quotes"),
        ("python-true", b'{"a":True}', "E_JSON", "a word of another language"),
        ("zeros", bytes(64), "E_JSON", "zeros"),
    ]:
        canon_case(name, data, code, 13, what)


# Lines and envelopes ---------------------------------------------------------------------------------------------


def make_lines() -> None:
    match = Match()
    line = match.order("move", unit="u1", to=5).line()
    word, sig, raw = line[:-1].split(b" ", 2)
    for name, data, what in [
        ("no-line-end", line[:-1], "no LF"),
        ("crlf", line[:-1] + b"\r\n", "a Windows line end"),
        ("double-space-before", word + b"  " + sig + b" " + raw + b"\n", "two spaces before the signature"),
        ("double-space-after", word + b" " + sig + b"  " + raw + b"\n", "two spaces after the signature"),
        ("tab", word + b"\t" + sig + b" " + raw + b"\n", "a tab"),
        ("space-at-end", line[:-1] + b" \n", "a space at the end"),
        ("space-at-start", b" " + line, "a space at the start"),
        ("upper-hex-signature", word + b" " + sig.upper() + b" " + raw + b"\n", "upper-case hex"),
        (
            "base64-signature",
            word + b" " + base64.b64encode(bytes.fromhex(sig.decode())) + b" " + raw + b"\n",
            "base64",
        ),
        ("short-signature", word + b" " + sig[:-2] + b" " + raw + b"\n", "a signature of 63 bytes"),
        ("long-signature", word + b" " + sig + b"00 " + raw + b"\n", "a signature of 65 bytes"),
        ("word-pbem2", b"pbem2" + line[5:], "another version of the line"),
        ("word-upper", b"PBEM1" + line[5:], "an upper-case word"),
        ("no-document", word + b" " + sig + b"\n", "no document"),
        ("blank", b"\n", "an empty line"),
        ("quoted", b"> " + line, "quoted as in a mail"),
    ]:
        case("line", name, data, 16, what, code="E_LINE")
    case("line", "ok", line, 16, "an event", code="")

    def envelope(name: str, what: str, **change: Any) -> None:
        doc = {k: v for k, v in (canon.decode(raw) | change).items() if v is not None}
        case("line", name, sign_line(key("red"), canon.encode(doc)), 21, what, code="E_FIELDS")

    envelope("v-2", "another version", v=2)
    envelope("v-true", "a boolean for a number", v=True)
    envelope("v-text", "a text for a number", v="1")
    envelope("v-missing", "no version", v=None)
    envelope("seq-0", "numbers start at 1", seq=0)
    envelope("seq-negative", "a negative number", seq=-1)
    envelope("seq-true", "a boolean for a number", seq=True)
    envelope("seq-text", "a text for a number", seq="1")
    envelope("game-upper-hex", "upper-case hex", game=match.game.id.upper())
    envelope("game-short", "63 digits", game=match.game.id[:-1])
    envelope("game-number", "a number for a hash", game=1)
    envelope("prev-missing", "no prev", prev=None)
    envelope("seat-upper", "an upper-case seat", seat="Red")
    envelope("seat-17", "a seat of 17 letters", seat="a" * 17)
    envelope("seat-list", "a list for a seat", seat=["red"])
    envelope("kind-upper", "an upper-case kind", kind="Move")
    envelope("kind-33", "a kind of 33 letters", kind="a" * 33)
    envelope("body-list", "a list for a body", body=[])
    envelope("body-text", "a text for a body", body="{}")
    envelope("body-missing", "no body", body=None)
    envelope("unknown-field", "an unknown field", alg="ed25519")


# Charters --------------------------------------------------------------------------------------------------------


def charter_line(doc: canon.Doc) -> bytes:
    return b"charter " + canon.encode(doc) + b"\n"


def off_curve() -> bytes:
    return spelled(next(y for y in range(2, 99) if lift(y) is None), 0)


def make_charters() -> None:
    plain = charter_doc()
    line = charter_line(plain)

    def change(name: str, code: str, row: int, what: str, doc: canon.Doc | None = None, **more: Any) -> None:
        doc = {k: v for k, v in ({**(doc or plain), **more}).items() if v is not None}
        case("charter", name, charter_line(doc), row, what, code=code)

    def blue(label: str, code: str, row: int, what: str, **more: Any) -> None:
        second = {k: v for k, v in (entry("blue") | more).items() if v is not None}
        change(label, code, row, what, seats=[entry("red"), second])

    case("charter", "ok", line, 18, "two seats, sealed dice", code="")
    change("ok-open", "", 18, "two seats, open dice", charter_doc(policy="open"))
    change("ok-three-witness", "", 18, "three seats and a witness", charter_doc(("red", "blue", "green"), witness=True))
    change("ok-alone", "", 18, "one seat, open dice", charter_doc(("red",), "open"))
    mixed = encoded(plus(TORSION[1], lift_of(key("blue").public)))
    for number, point in enumerate(TORSION):
        blue(f"weak-small-{number}", "E_WEAKKEY", 18, "a key of small order", key=encoded(point).hex())
    blue("weak-identity-p-plus-1", "E_WEAKKEY", 18, "the identity, not canonical", key=spelled(2**255 - 18, 0).hex())
    blue("weak-minus-zero", "E_WEAKKEY", 18, "x = -0", key=spelled(1, 1).hex())
    blue("weak-mixed-order", "E_WEAKKEY", 18, "a key of mixed order", key=mixed.hex())
    blue("weak-off-curve", "E_WEAKKEY", 18, "no point of the curve", key=off_curve().hex())
    blue("weak-responder", "E_WEAKKEY", 18, "a weak responder key", responder=encoded(TORSION[2]).hex())
    blue("same-key", "E_SAMEKEY", 19, "two seats with one key", key=key("red").public.hex())
    blue("same-key-responder", "E_SAMEKEY", 19, "a responder key that is a seat's", responder=key("red").public.hex())
    blue("same-key-own-responder", "E_SAMEKEY", 19, "one's own key as responder", responder=key("blue").public.hex())
    blue("same-anchor", "E_SAMEANCHOR", 19, "two equal anchors", anchor=entry("red")["anchor"])
    blue("links-63", "E_CHARTER", 20, "too few links", links=63)
    blue("links-65537", "E_CHARTER", 20, "too many links", links=65537)
    blue("links-missing", "E_FIELDS", 20, "no links", links=None)
    blue("key-upper-hex", "E_FIELDS", 20, "upper-case hex", key=key("blue").public.hex().upper())
    blue("seat-twice", "E_CHARTER", 20, "two seats of one name", seat="red")
    blue("seat-witness", "E_CHARTER", 20, "a seat named witness", seat="witness")
    blue("seat-beacon", "E_CHARTER", 20, "a seat named beacon", seat="beacon")
    blue("seat-unknown-field", "E_FIELDS", 20, "an unknown field", mail="blue@example.org")
    blue("name-empty", "E_FIELDS", 20, "an empty name", name="")
    blue("name-81", "E_FIELDS", 20, "a name of 81 characters", name="x" * 81)
    change("seats-none", "E_FIELDS", 20, "no seats", seats=[])
    change("seats-seven", "E_FIELDS", 20, "seven seats", seats=[entry("red")] * 7)
    change("kind-draft", "E_FIELDS", 20, "a draft", kind="draft")
    change("v-2", "E_FIELDS", 20, "another version", v=2)
    change("setup-missing", "E_FIELDS", 20, "no setup", setup=None)
    change("option-number", "E_FIELDS", 20, "an option that is no text", options={"turns": 3})
    change("unknown-field", "E_FIELDS", 20, "an unknown field", engine="1.0.0")
    change("expand-other", "E_FIELDS", 20, "another expansion", dice={**plain["dice"], "expand": "sha256"})
    change("policy-unknown", "E_POLICY", 20, "an unknown policy", dice={**plain["dice"], "policy": "server"})
    change("policy-open-three", "E_POLICY", 68, "open dice for three", charter_doc(("red", "blue", "green"), "open"))
    change("policy-sealed-one", "E_POLICY", 20, "one contributor", charter_doc(("red",)))
    change("teams-twice", "E_CHARTER", 20, "a seat in two teams", teams=[["red"], ["red", "blue"]])
    change("teams-lack-one", "E_CHARTER", 20, "a seat in no team", teams=[["red"]])
    change("teams-empty-one", "E_FIELDS", 20, "an empty team", teams=[["red", "blue"], []])
    by_teams = charter_doc(contributors="teams")
    change("teams-missing", "E_CHARTER", 20, "contributors by teams, and no teams", by_teams)
    change("teams-one", "E_POLICY", 20, "one team alone contributes", by_teams, teams=[["red", "blue"]])
    change("witness-half-a-chain", "E_CHARTER", 20, "an anchor without links", witness=half_witness())
    for name, data, code, row, what in [
        ("word-missing", line[8:], "E_LINE", 16, "no word"),
        ("crlf", line[:-1] + b"\r\n", "E_LINE", 16, "a Windows line end"),
        ("no-line-end", line[:-1], "E_LINE", 16, "no LF"),
        ("bom", b"\xef\xbb\xbf" + line, "E_LINE", 16, "a byte order mark"),
        ("double-space", line.replace(b" ", b"  ", 1), "E_LINE", 16, "two spaces"),
        ("space-inside", line.replace(b":", b": ", 1), "E_CANON", 13, "white space"),
    ]:
        case("charter", name, data, row, what, code=code)


def half_witness() -> canon.Doc:
    return {k: v for k, v in entry("witness").items() if k not in ("seat", "links")}


def lift_of(public: bytes) -> tuple[int, int]:
    number = read_int(public)
    point = lift(number & (2**255 - 1))
    assert point is not None
    return point if point[0] & 1 == number >> 255 else (2**255 - 19 - point[0], point[1])


# Logs ------------------------------------------------------------------------------------------------------------


def log_case(name: str, data: bytes, row: int | str, what: str, verdict: str, **expect: Any) -> None:
    case("log", name, data, row, what, verdict=verdict, **expect)


def bad(name: str, match: Match, tail: bytes, row: int | str, what: str, code: str, *, rules: bool = False) -> None:
    """The match so far, and lines of which the first is refused. `rules`: only who knows the rules can tell."""
    verdict = {"E_FORK": "FORK", "E_STATE": "DIVERGED"}.get(code, "INVALID")
    event = match.fold.seq + 1
    log_case(name, match.file() + tail, row, what, verdict, code=code, event=event, rules=rules)


def make_logs() -> None:
    make_good_logs()
    make_broken_files()
    match = duel()
    held, holder = match.fold.seq, match.fold.holder
    assert (held, holder) == (3, "blue")
    good = match.forge("note", {"text": "a note"})
    word, sig, raw = good[:-1].split(b" ", 2)
    signature = bytes.fromhex(sig.decode())
    bare = key("blue")._key.sign(raw)

    def with_signature(new: bytes) -> bytes:
        return b" ".join((word, new.hex().encode(), raw)) + b"\n"

    flipped = bytes([signature[0] ^ 1]) + signature[1:]
    bad("sig-bit-flipped", match, with_signature(flipped), 1, "one bit of a signature", "E_SIG")
    bad("body-changed", match, good.replace(b"a note", b"a lote"), 1, "one letter of a signed text", "E_SIG")
    bad(
        "sig-by-another",
        match,
        match.forge("note", {"text": "x"}, by="red"),
        2,
        "signed with another seat's key",
        "E_SIG",
    )
    bad(
        "seat-swapped", match, good.replace(b'"seat":"blue"', b'"seat":"red"'), 2, "seat changed after signing", "E_SIG"
    )
    bad("seat-unknown", match, match.forge("note", {"text": "x"}, by="blue", seat="green"), 2, "no such seat", "E_SIG")
    other = Match(setup="22" * 32)
    line = match.forge("note", {"text": "x"}, game=other.game.id)
    bad("other-game", match, line, 3, "an event of another game of the same players", "E_GAME")
    for space in (keys.SLIP, keys.STATEMENT, keys.RECEIPT, keys.CHARTER, keys.ENTRY, keys.REKEY, keys.WITNESS):
        line = match.forge("note", {"text": "x"}, namespace=space)
        bad("namespace-" + space.split(".")[0], match, line, 4, f"signed for another purpose, {space}", "E_SIG")
    bad("bare-signature", match, with_signature(bare), 4, "Ed25519 over the bytes, without the preamble", "E_SIG")
    malleated = with_s(signature, read_int(signature[32:]) + L)
    bad("sig-malleated", match, with_signature(malleated), 17, "S + L", "E_SIG")
    gap = match.file() + match.forge("note", {"text": "x"}, seq=held + 2)
    log_case("seq-gap", gap, 5, "a number skipped", "INVALID", code="E_GAP", event=5)
    bad("prev-wrong", match, match.forge("note", {"text": "x"}, prev="0" * 64), 5, "another predecessor", "E_PREV")
    two = duel()
    lines = [two.write("note", {"text": text}).line() for text in ("one", "two")]
    log_case("swapped", duel().file() + lines[1] + lines[0], 5, "two events swapped", "INVALID", code="E_GAP", event=5)
    doubled = match.file() + match.lines()[-1]
    log_case("doubled-line", doubled, 6, "an event twice in a file", "INVALID", code="E_GAP", event=3)
    fork = resigned_line(match.lines()[1], key("red"), {"body": {"target": "blue", "plan": "late"}})
    log_case("fork", match.file() + fork, 8, "one seat, one number, two events", "FORK", code="E_FORK", event=2)
    usurped = match.forge("note", {"text": "x"}, seat="blue", seq=2, prev=match.events[0].id)
    log_case("usurped", match.file() + usurped, 8, "another seat's number", "INVALID", code="E_BATON", event=2)
    second = signed_by_hand(b"\2" * 32, keys.to_be_signed(keys.EVENT, raw), nonce=12345)
    log_case(
        "ok-second-signature",
        match.file() + with_signature(second),
        17,
        "a second signature of the owner",
        "VALID SO FAR",
        seq=4,
        head=record.event_id(raw),
    )
    bad(
        "responder-key", duel(responds=("blue",)), responder_note(), 25, "an event signed by the responder key", "E_SIG"
    )
    bad("baton", match, match.forge("note", {"text": "x"}, seat="red"), 22, "the baton is another's", "E_BATON")
    start = Match()
    bad(
        "baton-event-1",
        start,
        start.forge("note", {"text": "x"}, seat="blue"),
        22,
        "first by another",
        "E_BATON",
        rules=True,
    )
    bad("kind-unknown", start, start.forge("surrender", {}), 21, "an order of another game", "E_KIND", rules=True)
    for name, kind, body, what in [
        ("fields-unknown", "note", {"text": "x", "time": 1}, "an unknown field"),
        ("fields-missing", "note", {}, "a field missing"),
        ("fields-type", "note", {"text": 1}, "a number for a text"),
        ("fields-note-empty", "note", {"text": ""}, "an empty note"),
        ("fields-resign", "resign", {"why": "tired"}, "an unknown field"),
        ("fields-boxes-empty", "note", {"boxes": [], "text": "x"}, "an empty list for what is absent"),
    ]:
        bad(name, start, start.forge(kind, body), 21, what, "E_FIELDS")
    for name, kind, body, what in [
        ("fields-order-unknown", "move", {"to": 4, "unit": "u1", "fast": True}, "an unknown field"),
        ("fields-order-missing", "move", {"unit": "u1"}, "a field missing"),
        ("fields-order-type", "move", {"to": "4", "unit": "u1"}, "a text for a number"),
        ("fields-order-bool", "move", {"to": True, "unit": "u1"}, "a boolean for a number"),
        ("fields-dice-in-body", "attack", {"dice": [6, 6], "target": "blue"}, "dice in a body"),
        ("fields-default-left-out", "salute", {}, "a second spelling of an order"),
    ]:
        row = 28 if "dice" in name else 21
        bad(name, start, start.forge(kind, body), row, what, "E_FIELDS", rules=True)
    bad("rule", start, start.forge("move", {"to": 10, "unit": "u1"}), 22, "an illegal move", "E_RULE", rules=True)
    make_handovers()
    make_batches()
    make_consents()
    make_open()


def responder_note() -> bytes:
    match = duel(responds=("blue",))
    return sign_line(responder("blue"), canon.encode(match.doc("note", {"text": "x"})))


def full_game(**kwargs: Any) -> Match:
    """Two turns, an attack in each; a decision after dice; over."""
    match = Match(options={"turns": "1", **kwargs.pop("options", {})}, **kwargs)
    while not match.fold.closed:
        fold = match.fold
        first = fold.asks[0] if fold.asks else None
        attacked = any(event.kind == "attack" and event.seat == fold.holder for event in match.events)
        if first is None or (fold.open_pair and not fold.seq):
            match.handover()
        elif not hasattr(first, "seat"):
            waits = fold.batch is not None and fold.batch.seed is None
            match.resolve() if waits or (fold.solitaire and fold.policy == "open") else match.handover()
        elif first.seat != fold.holder:
            match.handover()
        elif first.what == "choose_loss":
            match.order("lose", points=1)
        elif attacked:
            match.order("end")
        else:
            others = [seat for seat in fold.seats if seat != fold.holder] or [fold.holder]
            match.order("attack", target=others[0])
    return match


def make_good_logs() -> None:
    def ok(
        name: str, match: Match, what: str, verdict: str, data: bytes | None = None, upto: int | None = None
    ) -> None:
        events = match.events[:upto]
        head = events[-1].id if events else match.game.id
        data = match.file(upto) if data is None else data
        log_case(name, data, 10, what, verdict, seq=len(events), head=head)

    ok("ok-sealed-finished", full_game(options={"rolls": "3"}), "two seats, sealed dice", "VALID")
    ok("ok-sealed-same-decider", full_game(options={"after": "same"}), "who rolled decides again", "VALID")
    three = full_game(seats=("red", "blue", "green"), witness=True, responds=("blue",))
    ok("ok-three-finished", three, "three seats, a witness, a responder", "VALID")
    ok("ok-open-finished", full_game(policy="open", options={"first": "chance"}), "two seats, open dice", "VALID")
    ok("ok-alone-finished", full_game(seats=("red",), policy="open"), "solitaire", "VALID")
    match = full_game()
    ok("ok-cut-at-packet", match, "a log cut after a handover is a shorter log", "VALID SO FAR", upto=2)
    ok("ok-no-events", match, "charter and seals", "VALID SO FAR", upto=0)
    agreed = duel()
    agreed.agree("draw")
    agreed.handover()
    ok("ok-agreed", agreed, "a draw agreed while dice were out", "VALID")
    carried = duel()
    carry(carried)
    carried.handover()
    ok("ok-carried", carried, "a resignation taken into the chain", "VALID")
    said = duel()
    tail = said.author("red").statement("resign").line()
    ok("ok-said-resign", said, "a resignation as a line of its own", "VALID", data=said.file() + tail)
    claim = said.author("red").statement("claim", debtor="blue", owes=4, days=30).line()
    ok("ok-said-claim", said, "a claim as a line of its own", "VALID SO FAR", data=said.file() + claim)
    later = duel()
    history = later.author("red").statement("resign").line()
    file = later.file() + history
    later.resolve()
    ok("ok-said-history", later, "later events make it history", "VALID SO FAR", data=file + later.lines()[-1])


def carry(match: Match) -> None:
    says = match.author("red").statement("resign")
    match.write("carry", {"said": {"sig": says.sig.hex(), "statement": canon.decode(says.raw)}})


def make_broken_files() -> None:
    match = duel()
    whole, head = match.file(), match.head()

    def incomplete(name: str, data: bytes, what: str, seq: int = 0) -> None:
        log_case(name, data, 15, what, "INCOMPLETE", seq=seq)

    incomplete("empty", b"", "an empty file")
    incomplete("seals-all-missing", match.game.line(), "no seals yet")
    incomplete("seals-one-missing", match.game.line() + match.seals[0], "a seal is missing, no events yet")
    incomplete("torn-charter", match.game.line()[:400], "torn in the charter")
    incomplete("torn-seal", head[:-9], "torn in a seal")
    incomplete("torn-event", whole[:-1], "the last LF is missing", 2)
    incomplete("torn-event-early", whole[: len(whole) - len(match.lines()[-1]) + 3], "torn after three bytes", 2)
    incomplete("zeros-after", whole + bytes(4096), "a tail of zeros", 3)
    incomplete("zeros-instead", whole[: -len(match.lines()[-1])] + bytes(len(match.lines()[-1])), "zeros for a line", 2)
    incomplete("zeros-long", whole + bytes(200_000), "a long tail of zeros", 3)
    other = charter.make_game(charter_doc(rules={"id": "chess", "version": "1", "digest": "a" * 64}))
    seals = b"".join(charter.seal(key(seat), other, seat) for seat in ("red", "blue"))
    incomplete("edition", other.line() + seals, "rules that are not here")

    def refuse(name: str, data: bytes, row: int, what: str, code: str, event: int = 0) -> None:
        log_case(name, data, row, what, "INVALID", code=code, event=event)

    refuse("crlf", whole.replace(b"\n", b"\r\n"), 16, "Windows line ends throughout", "E_LINE")
    refuse("crlf-event", whole[:-1] + b"\r\n", 16, "a Windows line end", "E_LINE", 3)
    refuse("blank-line", whole + b"\n", 16, "an empty line", "E_LINE", 4)
    refuse("foreign-line", whole + b"# a comment\n", 16, "a line of no kind", "E_LINE", 4)
    refuse("second-charter", whole + match.game.line(), 16, "a second charter", "E_LINE", 4)
    refuse("slip-line", duel_slip(), 16, "slips travel in mails only", "E_LINE", 4)
    refuse("line-too-long", whole + b"x" * 70_000, 15, "a line longer than any event", "E_SIZE", 4)
    refuse("not-a-game", b"PK\3\4 this is no game\n", 16, "another file", "E_LINE")
    refuse(
        "seal-missing",
        match.game.line() + match.seals[0] + match.lines()[0],
        19,
        "an event before a seal",
        "E_UNSEALED",
    )
    refuse("seal-none", match.game.line() + match.lines()[0], 19, "an event before all seals", "E_UNSEALED")
    theirs = [charter.seal(key(seat), Match(setup="22" * 32).game, seat) for seat in ("red", "blue")]
    refuse(
        "seal-of-another-charter", match.game.line() + theirs[0] + match.seals[1], 19, "another game's seal", "E_SIG"
    )
    refuse(
        "seals-swapped", match.game.line() + match.seals[1] + match.seals[0], 19, "not in charter order", "E_CHARTER"
    )
    refuse("seal-twice", match.game.line() + match.seals[0] * 2, 19, "one seat seals twice", "E_CHARTER")
    refuse("seal-third", head + match.seals[0], 19, "a seal after the seals", "E_LINE", 1)
    sig = key("red").sign(keys.EVENT, match.game.raw).hex()
    namespace = b"seal " + canon.encode({"seat": "red", "sig": sig}) + b"\n"
    refuse("seal-namespace", match.game.line() + namespace, 4, "a seal signed as an event", "E_SIG")
    stranger = b"seal " + canon.encode({"seat": "green", "sig": sig}) + b"\n"
    refuse("seal-stranger", match.game.line() + stranger, 19, "a seal of no seat", "E_CHARTER")
    forged = bytearray(match.seals[0])
    forged[-10] = forged[-10] ^ 1 if chr(forged[-10] ^ 1) in "0123456789abcdef" else ord("0")
    refuse("seal-bit-flipped", match.game.line() + bytes(forged) + match.seals[1], 1, "one bit of a seal", "E_SIG")
    said = match.author("red").statement("resign").line()
    refuse("said-twice", whole + said * 2, 54, "a statement twice", "E_LINE", 4)
    offer = match.author("red").statement("offer", result="draw", seq=4).line()
    refuse("said-offer", whole + offer, 54, "a kind that is no line of a file", "E_LINE", 4)
    lost = record.write_statement(key("red"), {**canon.decode(said.split(b" ", 2)[2][:-1]), "about": "0" * 64}).line()
    refuse("said-about-unknown", whole + lost, 54, "about an event that is not in the chain", "E_SAID", 4)
    old = record.write_statement(key("red"), {**canon.decode(said.split(b" ", 2)[2][:-1]), "about": match.events[0].id})
    refuse("said-about-old", whole + old.line(), 54, "older than its author's last event", "E_SAID", 4)
    by_blue = canon.decode(said.split(b" ", 2)[2][:-1])
    refuse(
        "said-by-another",
        whole + sign_line(key("blue"), canon.encode(by_blue), keys.STATEMENT, b"said"),
        54,
        "signed by another",
        "E_SIG",
        4,
    )
    foreign = record.write_statement(key("red"), {**by_blue, "game": "0" * 64, "about": "0" * 64}).line()
    refuse("said-other-game", whole + foreign, 54, "of another game", "E_GAME", 4)


def duel_slip() -> bytes:
    match = duel()
    return match.file() + match.slip("blue").line()


def make_handovers() -> None:
    match = Match()
    match.order("move", unit="u1", to=5)
    match.order("attack", target="blue")
    body = match.handover_body()

    def change(name: str, row: int, what: str, code: str, *, rules: bool = True, **fields: Any) -> None:
        changed = {k: v for k, v in (body | fields).items() if v is not None}
        bad(name, match, match.forge("handover", changed), row, what, code, rules=rules)

    change("count-low", 7, "an event less than there are", "E_OWED", rules=False, count=2)
    change("count-high", 7, "an event more than there are", "E_OWED", rules=False, count=4)
    change("count-zero", 21, "count starts at 1", "E_FIELDS", rules=False, count=0)
    change("state", 45, "another position", "E_STATE", state="0" * 64)
    change("owed-without-link", 24, "dice are owed, no link", "E_OWED", batch=None, link=None)
    change("owed-link-alone", 24, "a link without its batch", "E_OWED", rules=False, batch=None)
    change("owed-ask", 24, "dice are owed, not an answer", "E_OWED", owed=["ask"], batch=None, link=None)
    change("owed-nothing", 24, "nothing said to be owed", "E_OWED", owed=[])
    change("owed-word", 21, "an unknown debt", "E_FIELDS", rules=False, owed=["tea"])
    change("owed-beacon", 24, "a beacon round under sealed dice", "E_OWED", beacon={"chain": "0" * 64, "round": 1})
    change("next-absent", 56, "somebody is owed something, nobody is next", "E_NEXT", next=None)
    change("next-stranger", 56, "a seat that is not in the game", "E_NEXT", next="green")
    change("batch-two", 58, "a batch number skipped", "E_BATCH", rules=False, batch=2)
    change("batch-zero", 21, "batches count from 1", "E_FIELDS", rules=False, batch=0)
    links = {
        "link-of-another-seat": (chain_link("blue", 1), "the link of another seat"),
        "link-of-another-game": (chain_link("red", 1, "22" * 32), "the link of another game's chain"),
        "link-next": (chain_link("red", 2), "the right chain, one batch early"),
        "link-anchor": (chain_link("red", 0), "the anchor itself"),
        "link-flipped": (flip(chain_link("red", 1)), "one bit of the link"),
    }
    for name, (link, what) in links.items():
        change(name, 23, what, "E_LINK", rules=False, link=link)
    calm = Match()
    calm.order("end")
    body = calm.handover_body()
    with_link = body | {"batch": 1, "link": chain_link("red", 1)}
    bad(
        "owed-link-unasked",
        calm,
        calm.forge("handover", with_link),
        24,
        "a link, and no dice are owed",
        "E_OWED",
        rules=True,
    )
    bad("next-own", calm, calm.forge("handover", body | {"next": "red"}), 56, "another is asked", "E_NEXT", rules=True)
    early, state = Match(), Match().fold.digest()
    own = {"count": 1, "next": "blue", "owed": ["ask"], "state": state}
    bad("next-own-ask", early, early.forge("handover", own), 56, "who is asked may not hand over", "E_NEXT", rules=True)


def chain_link(seat: str, index: int, setup: str = "11" * 32) -> str:
    from builder import chain

    return chain(seat, setup)[index].hex()


def flip(text: str) -> str:
    return f"{int(text, 16) ^ 1:064x}"


def make_batches() -> None:
    match = duel()
    honest = match.resolve_body(match.slips())
    slip = honest["slips"][0]

    def resolve(name: str, row: int, what: str, code: str, **fields: Any) -> None:
        body = {k: v for k, v in (honest | fields).items() if v is not None}
        bad(name, match, match.forge("resolve", body), row, what, code)

    def signed_slip(**change: Any) -> canon.Doc:
        doc = (
            record.slip_doc(batch=1, game=match.game.id, link=slip["link"], request=match.fold.head, seat="blue")
            | change
        )
        by = change.pop("by", key("blue"))
        return {"link": doc["link"], "seat": "blue", "sig": by.sign(keys.SLIP, canon.encode(doc)).hex()}

    resolve("resolve-other-batch", 58, "another batch than was asked for", "E_BATCH", batch=2)
    resolve("resolve-no-slips", 27, "a contributor's slip is missing", "E_CONTRIB", slips=[])
    resolve("resolve-nothing", 27, "neither slips nor link", "E_OWED", slips=None)
    resolve("resolve-link", 24, "a link for slips", "E_OWED", slips=None, link=slip["link"])
    resolve("resolve-beacon", 24, "a beacon round", "E_OWED", slips=None, beacon={"round": 1, "sig": "00"})
    resolve("slips-two-of-one-seat", 25, "two slips of one seat", "E_SLIP", slips=[slip, slip])
    requester = {"link": chain_link("red", 1), "seat": "red", "sig": slip["sig"]}
    resolve("slips-of-the-requester", 27, "the requester gives its link twice", "E_CONTRIB", slips=[slip, requester])
    resolve("slip-other-request", 25, "it names another request", "E_SLIP", slips=[signed_slip(request="0" * 64)])
    resolve("slip-other-game", 25, "it names another game", "E_SLIP", slips=[signed_slip(game="0" * 64)])
    resolve("slip-flipped", 25, "one bit of its signature", "E_SLIP", slips=[slip | {"sig": "0" * 128}])
    resolve(
        "slip-link-changed",
        25,
        "its link changed after signing",
        "E_SLIP",
        slips=[slip | {"link": chain_link("blue", 2)}],
    )
    resolve(
        "slip-link-next", 23, "the link of a later batch", "E_LINK", slips=[signed_slip(link=chain_link("blue", 2))]
    )
    resolve("slip-link-of-another", 23, "another seat's link", "E_LINK", slips=[signed_slip(link=chain_link("red", 1))])
    resolve("slip-dice-in-body", 28, "dice in a body", "E_FIELDS", dice=[6, 6])
    helped = duel(responds=("blue",))
    body = helped.resolve_body([helped.author("blue").slip()])
    line = helped.forge("resolve", body)
    bad("slip-by-the-move-key", helped, line, 25, "a responder is named, the move key signed", "E_SLIP")
    bad(
        "choice-before-dice",
        match,
        match.forge("lose", {"points": 1}),
        58,
        "an answer before the dice",
        "E_BATCH",
        rules=True,
    )
    on = {"count": 1, "next": "red", "owed": ["dice"], "state": match.fold.digest()}
    bad("handover-before-dice", match, match.forge("handover", on), 58, "passed on unresolved", "E_BATCH", rules=True)
    calm = Match()
    bad("resolve-unasked", calm, calm.forge("resolve", {"batch": 1, "slips": [slip]}), 58, "nobody asked", "E_BATCH")
    twice = duel()
    twice.resolve()
    bad("resolve-twice", twice, twice.forge("resolve", honest), 58, "resolved again", "E_BATCH")
    three = Match(seats=("red", "blue", "green"))
    three.order("attack", target="blue")
    three.handover()
    slips = three.resolve_body(three.slips())["slips"]
    for name, given, what in [
        ("contrib-dropped", slips[:1], "one contributor left out"),
        ("contrib-order", slips[::-1], "contributors not in order"),
    ]:
        bad(name, three, three.forge("resolve", {"batch": 1, "slips": given}), 27, what, "E_CONTRIB")
    bad(
        "resign-before-dice",
        three,
        three.forge("resign", {}),
        58,
        "three seats: nobody leaves before the dice",
        "E_BATCH",
    )
    again = duel()
    again.resolve()
    again.order("lose", points=1)
    again.handover()
    again.order("attack", target="blue")
    replay = again.handover_body(link=chain_link("red", 1))
    bad("link-replayed", again, again.forge("handover", replay), 23, "the link of the batch before", "E_LINK")
    ahead = again.handover_body(batch=3, link=chain_link("red", 3))
    bad("batch-skipped", again, again.forge("handover", ahead), 23, "a batch skipped, with its link", "E_BATCH")
    ended = full_game()
    note = ended.forge("note", {"text": "x"}, seat="red")
    bad("after-the-end", ended, note, 22, "the game is over, nobody holds the baton", "E_BATON")


def make_consents() -> None:
    match = Match()
    honest = match.with_consents("agree", {"result": "draw"})

    def agree(name: str, what: str, body: canon.Doc, row: int = 53, code: str = "E_CONSENT") -> None:
        bad(name, match, match.forge("agree", body), row, what, code)

    sig = honest["consents"][0]["sig"]
    agree("consent-missing", "no consent", {"result": "draw", "consents": []})
    agree("consent-other-act", "to another result", {**honest, "result": "red"})
    agree("consent-other-kind", "to another kind", match.with_consents("undo", {"result": "draw"}))
    agree("consent-other-seq", "for another place", match.with_consents("agree", {"result": "draw"}, seq=2))
    agree("consent-other-prev", "after another event", match.with_consents("agree", {"result": "draw"}, prev="0" * 64))
    agree("consent-own", "the writer's own", {"result": "draw", "consents": [{"seat": "red", "sig": sig}]})
    both = [{"seat": "blue", "sig": sig}, {"seat": "red", "sig": sig}]
    agree("consent-too-many", "the writer's own beside it", {"result": "draw", "consents": both})
    elsewhere = Match(setup="22" * 32).with_consents("agree", {"result": "draw"})
    agree("consent-other-game", "from another game", elsewhere)
    agree(
        "consent-result", "for no seat and no draw", match.with_consents("agree", {"result": "green"}), 21, "E_FIELDS"
    )
    later = Match()
    before = later.with_consents("agree", {"result": "draw"})
    later.order("move", unit="u1", to=5)
    bad("consent-stale", later, later.forge("agree", before), 53, "after the holder played on", "E_CONSENT")
    after = Match()
    after.agree("draw")
    order = after.forge("move", {"to": 5, "unit": "u1"})
    bad("order-after-agree", after, order, 22, "an order after the agreed end", "E_RULE", rules=True)
    match = duel()
    says = match.author("red").statement("resign")
    statement = canon.decode(says.raw)

    def said(name: str, what: str, code: str, row: int = 54, **change: Any) -> None:
        new = record.write_statement(key(change.pop("by", "red")), statement | change)
        body = {"said": {"sig": new.sig.hex(), "statement": canon.decode(new.raw)}}
        bad(name, match, match.forge("carry", body), row, what, code)

    said("carry-about-unknown", "about an unknown event", "E_SAID", about="0" * 64)
    said("carry-about-old", "older than its author's last event", "E_SAID", about=match.events[1].id)
    said("carry-own", "the writer's own", "E_SAID", by="blue", seat="blue")
    said("carry-by-another", "signed by another", "E_SIG", by="blue")
    said("carry-other-game", "of another game", "E_GAME", game="0" * 64)
    said("carry-claim", "a claim is not carried", "E_SAID", kind="claim", debtor="blue", owes=4, days=3)


def make_open() -> None:
    start = Match(policy="open")
    own = {"count": 1, "next": "blue", "owed": ["ask"], "state": start.fold.digest(), "batch": 1}
    bad(
        "open-first-mover",
        start,
        start.forge("handover", own | {"link": chain_link("red", 1)}, seat="red"),
        68,
        "event 1 by the first mover",
        "E_BATON",
        rules=True,
    )
    note = start.forge("note", {"text": "x"})
    bad("open-event-1-note", start, note, 68, "event 1 is a bare handover", "E_BATCH", rules=True)
    order = start.forge("salute", {"loud": False})
    bad("open-event-1-order", start, order, 68, "event 1 is a bare handover", "E_BATCH", rules=True)
    body = start.handover_body()
    bad(
        "open-no-link",
        start,
        start.forge("handover", {k: v for k, v in body.items() if k not in ("link", "batch")}),
        24,
        "a handover without its link",
        "E_OWED",
        rules=True,
    )
    bad(
        "open-next-sender",
        start,
        start.forge("handover", body | {"next": "blue"}),
        68,
        "next is the sender",
        "E_NEXT",
        rules=True,
    )
    far = start.forge("handover", body | {"link": chain_link("blue", 2)})
    bad("open-link-far", start, far, 68, "the link of another period", "E_LINK", rules=True)
    match = Match(policy="open")
    match.handover()
    match.order("attack", target="blue")
    choice = match.forge("salute", {"loud": False})
    bad("open-choice-before-dice", match, choice, 68, "a choice before the dice of the period", "E_BATCH", rules=True)
    note = match.forge("note", {"text": "x"})
    bad("open-note-before-dice", match, note, 68, "a note before the dice of the period", "E_BATCH", rules=True)
    for name, index, what in (
        ("open-resolve-early", 2, "the link of the next period"),
        ("open-resolve-anchor", 0, "the anchor"),
    ):
        line = match.forge("resolve", {"batch": 1, "link": chain_link("red", index)})
        bad(name, match, line, 68, what, "E_LINK")
    slips = match.forge("resolve", {"batch": 1, "slips": []})
    bad("open-resolve-slips", match, slips, 24, "slips under open dice", "E_OWED")
    calm = Match(policy="open")
    calm.handover()
    line = calm.forge("resolve", {"batch": 1, "link": chain_link("red", 1)})
    bad("open-resolve-unasked", calm, line, 68, "no dice are due", "E_BATCH", rules=True)
    alone = Match(seats=("red",), policy="open")
    alone.order("attack", target="red")
    own = {
        "batch": 1,
        "count": 2,
        "link": chain_link("red", 1),
        "next": "red",
        "owed": ["dice"],
        "state": alone.fold.digest(),
    }
    bad("alone-handover", alone, alone.forge("handover", own), 68, "a handover before the end", "E_NEXT")
    line = alone.forge("resolve", {"batch": 2, "link": chain_link("red", 2)})
    bad("alone-batch-skipped", alone, line, 58, "a batch skipped", "E_BATCH")


def main() -> None:
    make_canon()
    make_lines()
    make_charters()
    make_logs()
    put("index.toml", ("# What each file must come to: see README.md.\n\n" + "\n".join(INDEX)).encode())


if __name__ == "__main__":
    main()
