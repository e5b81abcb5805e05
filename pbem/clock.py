"""The clock of this machine, for what is signed: a claim and no proof."""

from __future__ import annotations

import time


def now() -> int:
    """Seconds since 1970, as this machine's clock claims; a clock set before that claims nothing."""
    return max(0, int(time.time()))
