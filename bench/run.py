"""All measurements but the dice statistics, as the Markdown tables of docs/performance.md or as JSON.

PYTHONPATH=. python bench/run.py [--rounds N] [--json]
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import archive
import mail_speed
import measure
import memory
import peers
import recorded
import startup
import verify_speed

PARTS = {
    **verify_speed.PARTS,
    **recorded.PARTS,
    **archive.PARTS,
    **memory.PARTS,
    **startup.PARTS,
    **peers.PARTS,
    **mail_speed.PARTS,
}

if __name__ == "__main__":
    measure.command(__doc__, PARTS, 7)
