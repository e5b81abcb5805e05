"""Hidden numbers: chits whose number everybody knows, and their owner alone what they are for (OT-7.5, OT-7.6)."""

from __future__ import annotations

from pbem.api import Commit, Illegal, Known, Note, Slot, Tell
from rules.open_table import lists
from rules.open_table.decks import refuse_name
from rules.open_table.holdings import Purse
from rules.open_table.secret_orders import MAX_CHITS, Assign, Chits, Spend
from rules.open_table.state import State


def refuse_chits(state: State, seat: str, order: Chits, known: Known) -> Illegal | None:
    purse = state.held.purses.get(f"{seat}-{order.purse}")
    if purse is None and (taken := refuse_name(state, order.purse)):
        return taken
    there = len(purse.slots) if purse is not None else 0
    if not 1 <= order.count <= MAX_CHITS - there:
        return Illegal(f"{order.count} more than {there} chits: a purse holds {MAX_CHITS}", ("OT-7.5",))
    if state.waiting:
        return Illegal("dice wait, and chits are assigned at once", ("OT-7.5",), "let the dice fall first")
    return None


def receive(state: State, seat: str, order: Chits, tell: Tell) -> None:
    name = f"{seat}-{order.purse}"
    state.held.purses.setdefault(name, Purse(name, seat)).coming = order.count
    tell(Note("chits", {"seat": seat, "purse": name, "count": order.count}, ("OT-7.5",)))


def to_assign(state: State) -> Purse | None:
    """The purse whose new chits are to be assigned."""
    return next((purse for purse in state.held.purses.values() if purse.coming), None)


def refuse_assign(state: State, seat: str, order: Assign, known: Known) -> Illegal | None:
    purse = to_assign(state)
    if purse is None or purse.seat != seat or purse.short != order.purse:
        return Illegal(f"{seat} has no chits {order.purse[:32]} to assign", ("OT-7.5",), "chits NAME 5")
    try:
        areas = lists.chits(order.areas)
    except lists.BadList as bad:
        return Illegal(str(bad), ("OT-7.5",), "such as hill 5, river 3")
    if len(areas) != purse.coming:
        return Illegal(f"{len(areas)} chits are assigned, {purse.coming} are there", ("OT-7.5",))
    return None


def sealed(state: State, purse: Purse, slots: tuple[Slot, ...], replaces: tuple[Slot, ...], tell: Tell) -> None:
    """Chits were assigned; they are then mixed, so that no order of writing shows."""
    purse.swap(replaces, slots)
    if purse.coming and not replaces:
        purse.coming, purse.fresh = 0, slots
        tell(Note("assigned", {"seat": purse.seat, "purse": purse.name, "count": len(slots)}, ("OT-7.5",)))
    else:
        purse.fresh = tuple(slot for slot in purse.fresh if slot not in replaces)


def mixing(purse: Purse) -> Commit:
    return Commit("purse", purse.short, len(purse.fresh), replaces=purse.fresh)


def spendable(purse: Purse, area: str, known: Known) -> list[Slot]:
    """The chits of an area, as far as they are known: open ones first."""
    found = [slot for slot in purse.slots if slot in known and lists.near_key(str(known[slot])) == lists.near_key(area)]
    return sorted(found, key=lambda slot: slot not in purse.shown)


def refuse_spend(state: State, seat: str, order: Spend, known: Known) -> Illegal | None:
    purse = state.held.purses.get(f"{seat}-{order.purse}")
    if purse is None:
        mine = ", ".join(purse.short for purse in state.held.purses.values() if purse.seat == seat) or "none"
        return Illegal(f"{seat} has no chits {order.purse[:32]}", ("OT-7.6",), f"chits of {seat}: {mine}")
    there = len(spendable(purse, order.area, known))
    if not 1 <= order.count <= there:
        return Illegal(f"{order.count} chits for {order.area[:40]}: {there} can be opened", ("OT-7.6",))
    return None


def opens(state: State, seat: str, order: Spend, known: Known) -> tuple[Slot, ...]:
    purse = state.held.purses[f"{seat}-{order.purse}"]
    wanted = spendable(purse, order.area, known)[: order.count]
    return tuple(slot for slot in wanted if slot not in purse.shown)


def spend(state: State, seat: str, order: Spend, tell: Tell) -> None:
    purse = state.held.purses[f"{seat}-{order.purse}"]
    gone = spendable(purse, order.area, purse.shown)[: order.count]
    area = purse.shown[gone[0]]
    purse.swap(gone, ())
    purse.spent[area] = purse.spent.get(area, 0) + order.count
    args: dict[str, str | int] = {"seat": seat, "purse": purse.name, "area": area, "count": order.count}
    tell(Note("spend", {**args, "left": len(purse.slots)}, ("OT-7.6",)))
