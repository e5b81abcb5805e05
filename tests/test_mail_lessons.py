"""Every complaint that docs/mail.md lists has a test that exists."""

from __future__ import annotations

import re
from pathlib import Path

HERE = Path(__file__).resolve().parent


def test_every_complaint_names_a_test_that_exists() -> None:
    page = (HERE.parent / "docs" / "mail.md").read_text("utf-8")
    table = page.partition("| complaint from")[2]
    rows = [line for line in table.splitlines()[2:] if line.startswith("|")]
    named = re.findall(r"`(test_\w+\.py)::(test_\w+)`", table)
    assert len(named) == len(rows) > 30
    for file, test in named:
        assert f"def {test}(" in (HERE / file).read_text("utf-8"), f"{file} has no {test}"
