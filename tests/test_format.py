"""FORMAT.md says what the program does: values, codes, kinds, fields and commands in it are checked here."""

from __future__ import annotations

import re
import shutil
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest
from builder import duel, key
from test_canon import RANGES

from pbem import canon, charter, dice, keys, log, packet, record, sealed
from pbem.errors import EXPLAINED
from pbem.replay import PLAYED
from pbem.verify import Verdict

HERE = Path(__file__).parent
TEXT = (HERE.parent / "pbem" / "FORMAT.md").read_text()
GOLDEN = tomllib.loads((HERE / "vectors" / "protocol" / "golden.toml").read_text())


def section(title: str) -> str:
    return TEXT.split(f"\n## {title}\n")[1].split("\n## ")[0]


def rows(text: str) -> list[list[str]]:
    """Cells of table rows, without the heads."""
    cells = [
        [cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line.startswith("|")
    ]
    return [
        row
        for at, row in enumerate(cells)
        if not set(row[0]) <= {"-"} and not (at + 1 < len(cells) and set(cells[at + 1][0]) == {"-"})
    ]


def strings(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [found for one in value.values() for found in strings(one)]
    return [value] if isinstance(value, str) else []


def test_golden_values_stand_in_the_example() -> None:
    example = section("Worked example")
    seeds = set(strings(GOLDEN["seeds"]))
    for value in strings(GOLDEN):
        if value not in seeds and not value.startswith(("t1/", "dice", "draw", "shuffle")):
            assert value in example, value
    shown = set(re.findall(r"[0-9a-f]{64,128}", example))
    assert shown <= set(re.findall(r"[0-9a-f]{64,128}", (HERE / "vectors/protocol/golden.toml").read_text()))


def test_codes_are_those_of_the_program() -> None:
    table = {row[0].strip("`"): row[1] for row in rows(section("Codes"))}
    assert table == EXPLAINED
    assert set(re.findall(r"\bE_[A-Z_]+\b", TEXT)) == set(EXPLAINED)


def test_every_code_that_is_raised_is_explained() -> None:
    raised = {
        code for path in (HERE.parent / "pbem").rglob("*.py") for code in re.findall(r'"(E_[A-Z_]+)"', path.read_text())
    }
    assert raised <= set(EXPLAINED)


def test_core_kinds_and_their_fields() -> None:
    table = {row[0].strip("`"): row for row in rows(section("Core kinds"))}
    assert set(table) == record.CORE_KINDS
    assert {kind for kind, row in table.items() if row[3] == "reserved"} == record.CORE_KINDS - PLAYED
    for kind, row in table.items():
        model = record.BODIES[kind]
        named = set(re.findall(r"`([a-z_]+)`(?!\w)", re.sub(r"`\{[^`]*\}`", "", row[1])))
        if kind == "replace":
            named |= set(re.findall(r"`([a-z_]+)`", table["transfer"][1])) - {"transfer"}
        fields = {info.alias or name for name, info in model.model_fields.items()} - {"boxes"}
        assert fields <= named, kind
        for name, info in model.model_fields.items():
            if (info.alias or name) != "boxes" and kind != "resolve":
                optional = f"`{info.alias or name}`?" in row[1] + (table["transfer"][1] if kind == "replace" else "")
                assert optional is not info.is_required(), (kind, name)


def test_charter_and_entry_fields() -> None:
    text = section("Charter")
    charter_rows, entry_rows = text.split("\nAn entry:\n")
    for model, part in ((charter.Charter, charter_rows), (charter.Entry, entry_rows)):
        table = {row[0].rstrip("?").strip("`"): row[0].endswith("?") for row in rows(part)}
        assert table == {name: not info.is_required() for name, info in model.model_fields.items()}


def test_statements_and_namespaces() -> None:
    table = {row[0].strip("`"): row[1] for row in rows(section("Statements and consents"))}
    assert set(table) == set(record.STATEMENTS)
    for kind, fields in table.items():
        own = set(record.STATEMENTS[kind].model_fields) - {"game", "kind", "seat", "v"}
        assert set(re.findall(r"`([a-z]+)`", fields)) == own
    named = set(re.findall(r"`([a-z]+\.v1@pbem)`", section("Signatures and keys")))
    assert named == set(keys.NAMESPACES)


def test_limits() -> None:
    table = {row[0]: row[1] for row in rows(section("Limits"))}
    assert table["document"] == f"{canon.MAX_BYTES:,} bytes"
    assert table["line"] == f"{log.LONGEST:,} bytes"
    assert table["nesting"] == str(canon.MAX_DEPTH)
    assert table["links of a chain"] == f"{charter.MAX_LINKS:,}, and not fewer than {charter.MIN_LINKS}"
    assert table["slots of one seal"] == str(sealed.MAX_SLOTS)
    assert table["packet"] == f"{packet.MAX_BYTES >> 20} MiB, unpacked"
    assert dice.MAX_SIDES == 2**32
    assert canon.MAX_INT_CHARS == 17


def test_text_ranges() -> None:
    listed = re.search(r"no others: (U\+.*)\.\n", section("Canonical JSON (PCJ/1)"))
    assert listed is not None
    assert listed[1].replace("U+", "").split(", ") == RANGES.split()


def test_verdicts() -> None:
    for row in rows(section("Verdicts")):
        word = row[0].strip("`").split(" at ")[0].split(" up ")[0].split(":")[0].split(" by ")[0]
        assert Verdict(word).status == int(row[2]), word


def test_links_lead_to_sections() -> None:
    titles = re.findall(r"^#+ (.*)$", TEXT, re.MULTILINE)
    anchors = {re.sub(r"[^a-z0-9 -]", "", title.lower()).replace(" ", "-") for title in titles}
    assert set(re.findall(r"\]\(#([^)]*)\)", TEXT)) <= anchors


def test_one_sentence_a_line() -> None:
    for line in TEXT.splitlines():
        if not line.startswith(("|", "`", "{", "charter", "*", "  ", "said")):
            assert not re.search(r"[a-z]\. [A-Z]", line), line


@pytest.mark.skipif(
    not all(shutil.which(tool) for tool in ("ssh-keygen", "sha256sum", "sh")), reason="needs OpenSSH and coreutils"
)
def test_commands_do_what_is_said(tmp_path: Path) -> None:
    match = duel()
    event = match.events[0]
    (tmp_path / "game.pbem").write_bytes(match.file())
    (tmp_path / "allowed_signers").write_text(keys.allowed_signers_line("red", key("red").public, [keys.EVENT]) + "\n")
    (tmp_path / "4.sig").write_text(keys.armor(key("red").public, event.sig, keys.EVENT))
    commands = re.findall(r"```\n(.*)\n```", section("Checking by hand"))[:3]
    done = [
        subprocess.run(
            ["sh", "-c", command.replace("Np", "4p").replace("N.sig", "4.sig")],
            cwd=tmp_path, capture_output=True, text=True, check=True,
        ).stdout
        for command in commands
    ]  # fmt: skip
    assert done[0].startswith('Good "event.v1@pbem" signature for red')
    assert done[1].split()[0] == event.id
    assert done[2].split()[0] == match.game.id
