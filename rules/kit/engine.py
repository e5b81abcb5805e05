"""What engines have in common: the answers of a game that hides nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pbem.api import Known, Order, Slot


class OpenInformation:
    """A base for engines without hidden things; one that has some overrides these."""

    def opens(self, state: Any, seat: str, order: Order, known: Known) -> tuple[Slot, ...]:
        """No order opens anything."""
        return ()

    def phrase(self, state: Any, seat: str, order: Order, known: Known) -> str:
        """Orders read the same for everybody."""
        return str(order)

    def replaceable(self, state: Any, seat: str) -> bool:
        """There are no hidden zones to rebuild."""
        return True
