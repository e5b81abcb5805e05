"""The Fall of Kowloon, at the start of the turn after its fourth pier was lost. [16.0]

show        British counters left in Kowloon are opened
surrender   they give up                                      16.0-1
dice        2d6 and the batteries                             16.0-2
disrupt     British units on the Island; lose: eliminated     16.0-3a
batteries   one for every two hits                            16.0-3b
check       the British may give up                           16.0-4
restore     both rally for cards                              16.0-5A
redeploy    both place everything anew                        16.0-5B, 16.0-5C
renew, take, draw, discard   Japan, then the British          16.0-5D, 16.0-5E, 16.0-5F
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.api import Ask, Claim, Illegal, Known, Note, OpenSlots, Order, Owes, Roll, Tell
from rules.glory_recalled import cards, control, recover, victory
from rules.glory_recalled.control import side
from rules.glory_recalled.movement import at, listed
from rules.glory_recalled.orders import (
    Deploy,
    Destroy,
    DestroyNone,
    Discard,
    Disrupt,
    DisruptNone,
    Remove,
    Restore,
    RestoreNone,
    TakeCard,
)
from rules.glory_recalled.stacking import crowd
from rules.glory_recalled.state import (
    BRITISH,
    JAPAN,
    State,
    Told,
    card_of,
    counters_at,
    is_closed,
    is_slot,
    seat_of,
    unit_of,
)

STEPS = (
    *("show", "surrender", "dice", "disrupt", "lose", "batteries", "check"),
    *("restore_japan", "restore_british", "redeploy_japan", "redeploy_british"),
    *("renew_japan", "take_japan", "draw_japan", "discard_japan"),
    *("renew_british", "take_british", "draw_british", "discard_british"),
)


def who(s: State) -> str:
    """The seat of a step that both take."""
    return s.step.split("_")[1]


def on_island(s: State, known: Known, *, fresh: bool = False) -> tuple[str, ...]:
    """British units on the Island, as far as known."""
    return tuple(
        id
        for space in s.board.spaces_in("island")
        for id in counters_at(s, space, BRITISH)
        if unit_of(s, id, known) is not None and not (fresh and s.counters[id].disrupted)
    )


def hidden_there(s: State, known: Known) -> bool:
    """Whether closed counters on the Island may be units."""
    return any(is_closed(id, known) for space in s.board.spaces_in("island") for id in counters_at(s, space, BRITISH))


def batteries_due(s: State) -> tuple[str, ...]:
    """British black batteries of the Island that may be destroyed. [R36, 2.32e]"""
    return tuple(
        one
        for one in control.batteries(s, BRITISH)
        if s.board.space(one).half == "island" and "heavy_battery" not in s.board.space(one).kinds
    )


def hand_card(s: State, seat: str) -> str:
    """The card that the fall gives."""
    return s.board.game.fall_japanese_card if seat == JAPAN else s.board.game.fall_british_card


def waits(s: State) -> tuple[Ask | Roll, ...]:
    """The step's question."""
    match s.step:
        case "show":
            closed = tuple(id for id in victory.left_behind(s) if is_slot(id))
            return (Ask(BRITISH, "show_surrender", "16.0-1", client=OpenSlots(closed)),) if closed else ()
        case "dice":
            return (Roll(f"t{s.turn}/fall", "16.0-2", dice=(6, 6)),)
        case "disrupt" if s.hits and (on_island(s, {}, fresh=True) or hidden_there(s, {})):
            return (Ask(BRITISH, "disrupt", "16.0-3a"),)
        case "lose" if s.hits and on_island(s, {}):
            return (Ask(BRITISH, "lose", "16.0-3a"),)
        case "batteries" if s.struck // s.board.game.fall_hits_per_battery and batteries_due(s):
            return (Ask(JAPAN, "destroy", "16.0-3b"),)
        case "restore_japan" | "restore_british" if s.cards[who(s)].hand and hurt(s, who(s)):
            return (Ask(who(s), "restore", "16.0-5A"),)
        case "redeploy_japan":
            return (Ask(JAPAN, "redeploy", "16.0-5B"),)
        case "redeploy_british" if movers(s, BRITISH):
            return (Ask(BRITISH, "redeploy", "16.0-5C"),)
        case "renew_japan" | "renew_british" if renewable(s, who(s)):
            return (cards.renew(s, who(s), renewable(s, who(s)), "16.0-5D"),)
        case "take_japan" if _there(s, JAPAN):
            return (Ask(JAPAN, "take_card", "16.0-5E", client=Claim("take_card")),)
        case "take_british" if _there(s, BRITISH):
            return (Ask(BRITISH, "take_card", "16.0-5F", client=Claim("take_card")),)
        case "draw_japan" | "draw_british":
            return cards.drawing(s)
        case "discard_japan" | "discard_british" if cards.over(s, who(s)):
            return (Ask(who(s), "discard", "16.0-5E" if who(s) == JAPAN else "16.0-5F"),)
    return ()


def renewable(s: State, seat: str) -> tuple[str, ...]:
    """What is shuffled: deck, discards, and the marked cards. [16.0-5D]"""
    own = s.cards[seat]
    return (*own.pile, *own.discard, *own.aside) if f"renewed:{seat}" not in s.effects else ()


def _there(s: State, seat: str) -> bool:
    """Whether a copy can be in the pile: by public facts there is one more than was seen."""
    held = sum(s.opened.get(slot) == hand_card(s, seat) for slot in s.cards[seat].hand)
    return (
        bool(s.cards[seat].pile)
        and s.board.cards[hand_card(s, seat)].copies > held
        and f"taken:{seat}" not in s.effects
    )


def hurt(s: State, seat: str) -> tuple[str, ...]:
    """Disrupted units of a seat on the map."""
    return tuple(
        id for id, one in s.counters.items() if one.disrupted and seat_of(s, id) == seat and one.at in s.board.spaces
    )


def go_on(s: State, tell: Tell) -> None:
    """What happens by itself, and the next step."""
    match s.step:
        case "show":
            tell(Note("fall", {"turn": s.turn}, ("16.0a",), anchor=f"T{s.turn}.fall"))
        case "surrender":
            surrender(s, tell)
        case "check":
            s.fallen, s.hits, s.struck = True, 0, 0
            if s.points[JAPAN] > s.points[BRITISH]:
                victory.win(s, JAPAN, "16.0-4", tell)
                return
        case "discard_british":
            s.effects, s.owed = (), {}
            s.phase, s.step = "action", "act"
            return
    s.step = STEPS[STEPS.index(s.step) + 1]
    if s.step == "draw_japan":
        s.owed = {}
        cards.owe(s, JAPAN, s.board.game.fall_japanese_draw)
    if s.step == "draw_british":
        s.owed = {}
        cards.owe(s, BRITISH, s.board.game.fall_british_draw)


def surrender(s: State, tell: Tell) -> None:
    """Units and leaders left in Kowloon, for double points. [16.0-1]"""
    for id in victory.left_behind(s):
        recover.give_up(s, id, tell)
    for name, chief in list(s.leaders.items()):
        if seat_of(s, name) == BRITISH and chief.at in s.board.spaces_in("kowloon"):
            recover.give_up(s, name, tell)


def rolled(s: State, dice: Sequence[int], label: str, tell: Tell) -> None:
    """The dice, one up for each Japanese battery, one down for each British one. [16.0-2, R36]"""
    own, other = len(control.batteries(s, JAPAN)), len(control.batteries(s, BRITISH))
    s.hits = max(0, sum(dice) + own - other)
    s.struck = s.hits
    told = {"dice": sum(dice), "own": own, "other": other, "hits": s.hits}
    tell(Note("fall.hits", told, ("16.0-2",), label))
    s.step = "disrupt"


# --- orders ---


def refuse(s: State, seat: str, order: Order, known: Known) -> Illegal | Owes | None:
    """Answers, each in its step."""
    match order:
        case Disrupt(units=units) if s.step == "disrupt":
            return refuse_disrupt(s, units, known)
        case DisruptNone() if s.step == "disrupt":
            return refuse_disrupt(s, (), known)
        case Remove() if s.step == "lose":
            return _refuse_lose(s, order)
        case Destroy() if s.step == "batteries":
            return _refuse_batteries(s, order)
        case DestroyNone() if s.step == "batteries":
            return None
        case Restore() if s.step.startswith("restore"):
            return _refuse_restore(s, seat, order)
        case RestoreNone() if s.step.startswith("restore"):
            return None
        case Deploy() if s.step.startswith("redeploy"):
            return refuse_redeploy(s, seat, order, known)
        case TakeCard(card="none") if s.step.startswith("take"):
            return _refuse_none(s, seat, known)
        case TakeCard() if s.step.startswith("take"):
            card = card_of(s, order.card, known)
            if order.card not in s.cards[seat].pile or card is None or card.id != hand_card(s, seat):
                name = s.board.name(hand_card(s, seat))
                return Illegal(f"a card {name} is taken out of the deck", ("16.0-5E" if seat == JAPAN else "16.0-5F",))
            return None
        case Discard() if s.step.startswith("discard"):
            return recover.refuse_discard(s, seat, order, cards.over(s, seat))
    return Illegal("that belongs to another moment", ("16.0a",))


def refuse_disrupt(s: State, units: Sequence[str], known: Known) -> Illegal | Owes | None:
    """One undisrupted unit of the Island for each hit. [16.0-3a, R36]"""
    able = on_island(s, known, fresh=True)
    for id in units:
        if id not in able:
            return Illegal(f"{id} is no undisrupted unit on the Island that is shown", ("16.0-3a",))
    if len(set(units)) != len(units) or len(units) > s.hits or len(units) < min(s.hits, len(able)):
        return Illegal(f"{min(s.hits, len(able))} units are disrupted", ("16.0-3a", "R36"))
    if len(units) < s.hits and hidden_there(s, known):
        return Owes("no more undisrupted units stand on the Island")
    return None


def _refuse_lose(s: State, order: Remove) -> Illegal | None:
    """Hits for which no undisrupted unit is left. [R36]"""
    able = on_island(s, {})
    if len(set(order.units)) != min(s.hits, len(able)) or not set(order.units) <= set(able):
        return Illegal(f"{min(s.hits, len(able))} units are eliminated", ("16.0-3a", "R36"))
    return None


def _refuse_batteries(s: State, order: Destroy) -> Illegal | None:
    """For every two hits one battery, no grey one. [16.0-3b]"""
    most = s.struck // s.board.game.fall_hits_per_battery
    if len(set(order.spaces)) != len(order.spaces) or len(order.spaces) > most:
        return Illegal(f"at most {most} batteries are destroyed", ("16.0-3b",))
    for space in order.spaces:
        if space not in batteries_due(s):
            return Illegal(f"{space} is no black British battery of the Island", ("16.0-3b", "R36"))
    return None


def _refuse_restore(s: State, seat: str, order: Restore) -> Illegal | None:
    """Two units a card, wherever they are. [16.0-5A]"""
    for slot in order.cards:
        wrong = cards.refuse_held(s, seat, slot, {}, closed=True)
        if wrong is not None:
            return wrong
    if len(set(order.units)) != len(order.units) or not set(order.units) <= set(hurt(s, seat)):
        return Illegal("disrupted units of yours are rallied, each once", ("16.0-5A",))
    need = -(-len(order.units) // s.board.game.fall_rally_units)
    if len(set(order.cards)) != need or len(order.cards) != need:
        return Illegal(f"{len(order.units)} units cost {need} cards", ("16.0-5A",))
    return None


def _refuse_none(s: State, seat: str, known: Known) -> Illegal | Owes | None:
    """Only where no copy is in the deck."""
    found = [card_of(s, slot, known) for slot in s.cards[seat].pile]
    if any(card is not None and card.id == hand_card(s, seat) for card in found):
        return Illegal("a copy is in your deck", ("16.0-5E" if seat == JAPAN else "16.0-5F",))
    return Owes(f"no {s.board.name(hand_card(s, seat))} was in the deck") if None in found else None


def movers(s: State, seat: str) -> tuple[str, ...]:
    """Counters and leaders that are placed anew: all, but not the reserve. [R44, R63]"""
    everybody = (*s.counters, *s.leaders)
    return tuple(id for id in everybody if seat_of(s, id) == seat and at(s, id) != "reserve")


def may_stand(s: State, seat: str, id: str, space: str) -> bool:
    """Kowloon for Japan, the Island for the British; Japanese who have landed may stay there. [R44]"""
    half = s.board.space(space).half
    return half == ("kowloon" if seat == JAPAN else "island") or (seat == JAPAN and at(s, id) == space)


def refuse_redeploy(s: State, seat: str, order: Deploy, known: Known) -> Illegal | Owes | None:
    """Everything, in the own half, within stacking. [16.0-5B, 16.0-5C]"""
    clause = "16.0-5B" if seat == JAPAN else "16.0-5C"
    stand: dict[str, list[str]] = {}
    for space, *items in order.placings:
        stand.setdefault(space, []).extend(items)
    every = [id for items in stand.values() for id in items]
    if sorted(every) != sorted(movers(s, seat)):
        return Illegal("every counter and leader is placed, each once", (clause,))
    owes: Owes | None = None
    for space, items in stand.items():
        if space not in s.board.spaces or not all(may_stand(s, seat, id, space) for id in items):
            return Illegal(f"{space} is not in your half", (clause,))
        if any(id not in items for id in counters_at(s, space, JAPAN if seat == BRITISH else BRITISH)):
            return Illegal(f"{space} is held by the enemy", ("7.3-b2", clause))
        if sum(id in s.leaders for id in items) > 1:
            return Illegal(f"{space} would have two leaders", ("8.0-b1", clause))
        verdict = crowd(s, seat, space, [id for id in items if id not in s.leaders], known)
        if isinstance(verdict, Illegal):
            return verdict
        owes = verdict or owes
    return owes


def take(s: State, seat: str, order: Order, tell: Tell) -> None:
    """An answer."""
    match order:
        case Disrupt(units=units):
            for id in units:
                s.counters[id].disrupted = True
            s.hits -= len(units)
            tell(Note("fall.disrupted", {"units": listed(s, units)}, ("16.0-3a",)))
        case Remove():
            for id in order.units:
                control.eliminate(s, id, tell)
        case Destroy():
            for space in order.spaces:
                control.destroy(s, space, tell)
        case Restore():
            cards.discard(s, seat, order.cards)
            for id in order.units:
                s.counters[id].disrupted = False
            tell(Note("fall.restored", {"side": side(seat), "units": listed(s, order.units)}, ("16.0-5A",)))
        case Deploy():
            redeploy(s, seat, order, tell)
        case TakeCard() if order.card != "none":
            cards.give(s, seat, (order.card,))
            s.effects = tuple(sorted({*s.effects, f"taken:{seat}"}))
            told: Told = {"side": side(seat), "card": s.board.name(hand_card(s, seat))}
            tell(Note("fall.card", told, ("16.0-5E" if seat == JAPAN else "16.0-5F",)))
            return
        case Discard():
            recover.throw(s, seat, order, tell)
            return
    go_on(s, tell)


def redeploy(s: State, seat: str, order: Deploy, tell: Tell) -> None:
    """They stand fresh and in supply. [R36]"""
    for space, *items in order.placings:
        for id in items:
            one = s.leaders[id] if id in s.leaders else s.counters[id]
            one.at, one.spent, one.oos = space, False, False
            control.entered(s, id, (space,), tell)
    told: Told = {"side": side(seat), "spaces": len(order.placings)}
    tell(Note("fall.redeployed", told, ("16.0-5B",) if seat == JAPAN else ("16.0-5C",)))


def renewed(s: State, seat: str) -> None:
    """The new deck is there."""
    s.effects = tuple(sorted({*s.effects, f"renewed:{seat}"}))


# --- menus ---


def offers(s: State, seat: str, known: Known) -> Iterator[Order]:
    """Answers to the step's question."""
    match s.step:
        case "disrupt":
            units = on_island(s, known, fresh=True)[: s.hits]
            yield Disrupt(units=units) if units else DisruptNone()
        case "lose":
            yield Remove(units=on_island(s, {})[: s.hits])
        case "batteries":
            yield DestroyNone()
            yield Destroy(spaces=batteries_due(s)[: s.struck // s.board.game.fall_hits_per_battery])
        case "restore_japan" | "restore_british":
            yield RestoreNone()
            yield Restore(units=hurt(s, seat)[:2], cards=s.cards[seat].hand[:1])
        case "redeploy_japan" | "redeploy_british":
            yield anew(s, seat, known)
        case "take_japan" | "take_british":
            for slot in s.cards[seat].pile:
                card = card_of(s, slot, known)
                if card is not None and card.id == hand_card(s, seat):
                    yield TakeCard(card=slot)
                    return
            yield TakeCard(card="none")
        case "discard_japan" | "discard_british":
            yield Discard(cards=s.cards[seat].hand[: cards.over(s, seat)])


def anew(s: State, seat: str, known: Known) -> Deploy:
    """Where they are if they may stay, else wherever there is room; Japan near the piers."""
    stand: dict[str, list[str]] = {}
    homeless: list[str] = []
    enemy = BRITISH if seat == JAPAN else JAPAN
    for id in movers(s, seat):
        here = at(s, id)
        if here in s.board.spaces and may_stand(s, seat, id, here) and not counters_at(s, here, enemy):
            stand.setdefault(here, []).append(id)
        else:
            homeless.append(id)
    open_to = [
        space
        for space in s.board.spaces_in("kowloon" if seat == JAPAN else "island")
        if not counters_at(s, space, enemy)
    ]
    open_to.sort(key=lambda space: (not s.board.takes_marker(space), space))
    for id in homeless:
        for space in open_to:
            there = [*stand.get(space, ()), id]
            if sum(one in s.leaders for one in there) > 1:
                continue
            if not isinstance(crowd(s, seat, space, [one for one in there if one not in s.leaders], known), Illegal):
                stand[space] = there
                break
        else:
            raise AssertionError(f"no room for {id}")
    return Deploy(placings=tuple((space, *ids) for space, ids in sorted(stand.items())))
