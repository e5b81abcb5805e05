"""Battle Card: Malaya: the contract, what holds in every position, and the data."""

from __future__ import annotations

from pbem.testing import check_engine
from rules.battle_card_malaya import ENGINE


def test_contract() -> None:
    check_engine(ENGINE, games=20)
