"""What to do next, in one sentence: said after commands, so that nobody has to know the procedure by heart."""

from __future__ import annotations

from pbem import agreement, beacon, papers, record, restored, trust
from pbem.api import Roll
from pbem.home import Home
from pbem.table import Table


def next_step(table: Table) -> str:
    """The next thing to do for whoever sits at this machine."""
    fold, file = table.fold, table.path.name
    if fold.closed:
        return f"the game is over; `pbem verify {file}` checks all of it"
    if not table.seat:
        return "you only watch this game; `pbem receive LETTER` takes in what the players mail"
    offered = f"`pbem agree {file}` accepts what is asked; or " if _may_agree(table) else ""
    return offered + _step(table)


def _may_agree(table: Table) -> bool:
    """Somebody offers or asks something that this machine has not consented to, or can now carry out."""
    said = [one.says for one in papers.said(table)]
    asked = any(isinstance(one, record.Offer | record.AskUndo) for one in said)
    given = {one.seat for one in said if isinstance(one, record.ConsentStatement)}
    if table.fold.holder in table.local:
        return asked and given >= {seat for seat in table.fold.in_game if seat not in table.local}
    return asked and any(seat not in given for seat in table.local if seat in table.fold.in_game)


def _step(table: Table) -> str:
    fold, file = table.fold, table.path.name
    if restored.read_only(table):
        asked = table.room.asking() is not None
        way = f"`pbem send {file}` mails the question, `pbem receive LETTER` takes in the answers"
        return way if asked else f"`pbem resume {file}` asks the others what was signed"
    if fold.holder in table.local:
        return _own_turn(table, fold.holder)
    if fold.batch is not None and fold.batch.round and fold.batch.seed is None:
        return f"{fold.holder} takes in beacon round {fold.batch.round}; wait for the letter of {fold.holder}"
    if fold.batch is not None and fold.batch.seed is None and not fold.open_pair:
        return f"mail the slip that releases the dice (`pbem send {file}` writes it), then wait for {fold.holder}"
    return f"wait for the letter of {fold.holder} and take it in: `pbem receive LETTER`"


def _own_turn(table: Table, holder: str) -> str:
    fold, file = table.fold, table.path.name
    drafted = bool(table.drafted(holder))
    trial = table.trial(holder)
    due = table.round_due()
    if due is not None and (table.dice_due(holder) or drafted):
        return round_step(file, *due)
    if table.dice_due(holder) and fold.policy != "open":
        return f"wait for the slips that release the dice; `pbem send {file}` writes the letter again"
    late = trial.fold.dice_late()
    if fold.policy == "open" and trial.asks and isinstance(trial.asks[0], Roll) and not late:
        return f"`pbem send {file}` signs {'the draft' if drafted else 'your part'} and lets the dice fall"
    if trial.waits() or (late and drafted):
        done = "signs the draft and" if drafted else "passes the baton and"
        return f"`pbem send {file}` {done} writes the letter"
    more = f"; then `pbem send {file}`" if drafted else ""
    return f"{holder} decides: `pbem legal {file}` lists the orders, `pbem order {file} TEXT` drafts one{more}"


def round_step(file: str, net: beacon.Network, number: int) -> str:
    """How the value of a beacon's round comes into the game."""
    at = f"from {trust.when(net.time(number))} on"
    return f"`pbem beacon {file}` takes round {number}: paste what {net.address(number)} shows {at}"


def registered(table: Table) -> list[str]:
    """What to do with a solitaire game that a beacon's round is to start."""
    start = table.fold.game.charter.dice.start
    if start is None:
        return []
    public = trust.when(beacon.network(start.chain).time(start.round))
    return [
        f"its dice begin with round {start.round}, public at {public}",
        f"before then, mail or post this game id to somebody: {table.fold.game.id}",
    ]


def begun_step(table: Table) -> str:
    """The same when the last seal has just come in."""
    fold, file = table.fold, table.path.name
    if fold.holder in table.local or not table.seat:
        return next_step(table)
    mailed = len(fold.seats) == 2 and table.room.entry(table.seat) is not None  # it went with the answer
    return f"{'' if mailed else f'mail your seal (`pbem send {file}` writes it); '}{fold.holder} writes first"


def first_step(home: Home, start: agreement.Beginning) -> str:
    """The same before the first event."""
    file = start.path.name
    seats = home.room(start.setup).seats()
    if not seats:
        return "you only watch this game"
    if start.game is None and agreement.proposed_here(start, seats):
        return f"mail the invitation (`pbem send {file}` writes it again), take in answers with `pbem receive LETTER`"
    if start.game is None:
        return f"mail your answer (`pbem send {file}` writes it again); the charter comes when all seats are taken"
    return f"mail your seal (`pbem send {file}` writes it), take in the others' with `pbem receive LETTER`"
