"""Commands about mail: sync, resend, request, address, and the settings under `mail`."""

from __future__ import annotations

import io
import time
from pathlib import Path

import click

from pbem import addresses, agreement, lacking, log, notices, ordermail, standing
from pbem import mail as letters
from pbem import sync as exchange
from pbem.cli.common import GAME, answer, home, json_option, passphrase, say, seat_option
from pbem.errors import PbemError, Trouble, WrongUse
from pbem.home import Home, Room
from pbem.mailbox import settings
from pbem.mailbox.settings import Account
from pbem.table import Table


def now() -> int:
    """Seconds since 1970, as this machine's clock says."""
    return max(0, int(time.time()))


def new_round(place: Home, *, sign: bool = False, claim: bool = False) -> exchange.Round:
    return exchange.Round(place, now(), talk=say, passphrase=passphrase, sign=sign, claim=claim)


@click.command()
@click.option("--sign", is_flag=True, help="Also sign drafts that are complete; without it only `send` signs.")
@click.option("--claim", is_flag=True, help="Also claim what is due by a charter's clock; else it is only said.")
@json_option
def sync(sign: bool, claim: bool, as_json: bool) -> int:
    """Fetch and send mail for all games: letters, slips, reminders, requests for what is missing.

    May run from a timer and twice at once; a letter twice changes nothing. `pbem mail set` comes first.

    \b
    pbem sync
    pbem sync --sign
    """
    place = home()
    if not settings.accounts(place):
        hint = "`pbem mail set address=red@example.org`; without settings `send` and `receive` use mail files"
        raise WrongUse("no mail account is set up", hint)
    try:
        done = new_round(place, sign=sign, claim=claim).run()
    except log.Busy:
        say("another pbem is exchanging mail; nothing to do")
        return 0
    events = sum(one.events for one in done.taken)
    if as_json:
        answer({"events": events, "letters": done.sent, "waiting": done.waiting, "passed": done.passed})
    else:
        passed = f", {done.passed} other mails passed over" if done.passed else ""
        say(f"{events} new events, {done.sent} letters sent, {done.waiting} waiting{passed}")
    return done.status


def deliver(table: Table) -> bool:
    """Mail what is owed in a game right now, where its settings and address book allow. False: write a file instead."""
    place = table.home
    chosen = settings.account(place, addresses.account(table.room))
    book = addresses.book(table.room)
    if chosen is None or chosen.sends == "file" or not any(seat in book for seat in _others(table, "")):
        return False
    try:
        done = new_round(place).one(table)
    except log.Busy:
        say("another pbem is exchanging mail; the letter leaves with the next `pbem sync`")
        return True
    if done.waiting:
        say("the letter waits: `pbem sync` tries again")
    elif not done.sent:
        say("nothing new to mail; `pbem resend` mails again what was mailed before")
    return True


def draft_from_mail(source: Path | io.BytesIO) -> int:
    """Draft the orders in mails from oneself, given by hand."""
    place = home()
    done = new_round(place)
    count = 0
    for letter in letters.letters(source):
        for block in ordermail.blocks(letter):
            room = done.room_of_orders(block)
            if room is None:
                raise WrongUse(f"{letter.name}: no game {block.game} is played here", "answer a report of that game")
            done.order(room, block, letter, None)
            count += 1
    if not count:
        raise WrongUse(
            "no orders in it",
            f"write them between `{ordermail.template('GAME', 'EVENT').splitlines()[0]}` "
            "and `== end of orders ==`, as the report shows",
        )
    return 0


def _others(table: Table, wanted: str) -> list[str]:
    others = [seat for seat in table.fold.seats if seat not in table.local]
    if wanted and wanted not in others:
        raise WrongUse(f"{wanted[:40]!r} is not played by mail here", f"others: {', '.join(others) or 'none'}")
    return [wanted] if wanted else others


@click.command()
@GAME
@click.option("--to", default="", metavar="SEAT", help="Only to this seat.")
@click.option("--since", type=click.IntRange(min=0), help="Everything after this event (0: the whole log).")
@seat_option
def resend(game: Path, to: str, since: int | None, seat: str) -> int:
    """Mail again, now, what the others may lack: after a bounce, a lost mail, or a call that nothing came.

    \b
    pbem resend game.pbem
    pbem resend game.pbem --to blue --since 0
    """
    agreement.need_started(game)
    with Table.locked(game, home(), seat=seat) as table:
        done = new_round(home()).resend(table, _others(table, to), since)
    return done.status


@click.command()
@GAME
@click.option("--from", "source", default="", metavar="SEAT", help="Only from this seat.")
@seat_option
def request(game: Path, source: str, seat: str) -> int:
    """Ask the others to mail again what came after the last event here; their `sync` answers by itself.

    \b
    pbem request game.pbem
    pbem request game.pbem --from red
    """
    agreement.need_started(game)
    with Table.locked(game, home(), seat=seat, behind=True) as table:
        done = new_round(home()).request(table, _others(table, source))
    return done.status


# The address book ------------------------------------------------------------------------------------------------


@click.group()
def address() -> None:
    """Who is mailed for which seat. It stays on this machine and never enters a game file.

    \b
    pbem address set game.pbem blue blue@example.org
    pbem address show game.pbem
    """


def _room(game: Path) -> tuple[Room, list[str]]:
    """The room of a game file, and its seats."""
    start = agreement.beginning(game)
    if start is not None:
        return home().room(start.setup), lacking.seats_of(start)
    table = Table.reading(game, home())
    return table.room, list(table.fold.game.sealers())


def _known_seat(seat: str, seats: list[str]) -> None:
    if seat not in seats:
        raise WrongUse(f"no seat {seat[:40]!r} in this game", f"seats: {', '.join(seats)}")


@address.command("set")
@GAME
@click.argument("seat")
@click.argument("at", metavar="ADDRESS")
def address_set(game: Path, seat: str, at: str) -> None:
    """Note a seat's address; `-` removes it.

    \b
    pbem address set game.pbem blue blue@example.org
    """
    room, seats = _room(game)
    _known_seat(seat, seats)
    addresses.set_address(room, seat, "" if at == "-" else at)
    say(f"{seat}: {addresses.book(room).get(seat, 'no address')}")


@address.command("away")
@GAME
@click.argument("seat")
@click.argument("day", metavar="YYYY-MM-DD")
@click.option("--from", "first", default="", metavar="YYYY-MM-DD", help="The first day; by default today.")
def address_away(game: Path, seat: str, day: str, first: str) -> None:
    """Say until when a seat is away: nobody is reminded before, and those days count for no claim.

    Of your own seat the next letter tells the others, signed; of another it is your note alone. `-` takes it back.

    \b
    pbem address away game.pbem red 2027-08-15
    pbem address away game.pbem blue 2027-08-15
    """
    room, seats = _room(game)
    _known_seat(seat, seats)
    today = standing.day(now())
    if day != "-" and notices.day(day) < notices.day(first or today):
        raise WrongUse(f"{day} is before {first or today}", "give the last day of the absence")
    if seat in room.seats():
        _notify(game, seat, away=None if day == "-" else (first or today, day))
        return
    if first:
        mine = ", ".join(room.seats()) or "none"
        raise WrongUse("only an absence of your own has a first day", f"your seats: {mine}")
    addresses.set_away(room, seat, "" if day == "-" else day)
    say(f"{seat}: away until {day}, noted here" if day != "-" else f"{seat}: no absence is noted here")


@address.command("share")
@GAME
@click.argument("at", metavar="[ADDRESS]", default="")
@seat_option
def address_share(game: Path, at: str, seat: str) -> None:
    """Let the others of a game pass your address on to those who do not know it; `-` takes it out of later letters.

    By default the address of your account. It is signed, stands in letters and never in the game file.

    \b
    pbem address share game.pbem
    pbem address share game.pbem red@example.org
    """
    chosen = settings.account(home(), addresses.account(_room(game)[0]))
    bare = at or (chosen.address if chosen is not None else "")
    if not bare:
        raise WrongUse("no address of your own is known", "`pbem address share FILE red@example.org`")
    _notify(game, seat, address=None if bare == "-" else letters.address(bare)[1])


def _notify(game: Path, seat: str, **changes: object) -> None:
    """Sign a notice of one's own."""
    agreement.need_started(game)
    with Table.locked(game, home(), seat=seat) as table:
        notices.write(table.author(passphrase), table.room, now(), **changes)
        say("the next letter tells the others: `pbem sync`, or `pbem send FILE`")


@address.command("account")
@GAME
@click.argument("name")
def address_account(game: Path, name: str) -> None:
    """Play a game by another of your mail accounts than the first one.

    \b
    pbem address account game.pbem club
    """
    settings.account(home(), name)
    addresses.use_account(_room(game)[0], name)


@address.command("show")
@GAME
@json_option
def address_show(game: Path, as_json: bool) -> None:
    """Addresses of a game's seats.

    \b
    pbem address show game.pbem
    """
    room, seats = _room(game)
    book = addresses.book(room)
    away = {one: until for one in seats if (until := standing.away_until(room, one, now()))}
    if as_json:
        answer({"seats": book, "away": away, "account": addresses.account(room)})
        return
    for seat in seats:
        here = "played here" if seat in room.seats() else "no address"
        click.echo(f"{seat}: {book.get(seat, here)}" + (f", away until {away[seat]}" if seat in away else ""))


# Settings --------------------------------------------------------------------------------------------------------


@click.group()
def mail() -> None:
    """How mail leaves and arrives. Without settings you mail and save files yourself, which always works.

    \b
    pbem mail set address=red@example.org send=smtp smtp_host=smtp.example.org smtp_user=red@example.org
    pbem mail test
    """


account_option = click.option("--account", default="", metavar="NAME", help="Which account; by default the first.")


@mail.command("set")
@click.argument("changes", metavar="KEY=VALUE", nargs=-1, required=True)
@account_option
def mail_set(changes: tuple[str, ...], account: str) -> None:
    """Change mail settings; an empty value removes one. Passwords are never stored, only where they come from.

    \b
    pbem mail set address=red@example.org send=smtp smtp_host=smtp.example.org
    pbem mail set smtp_user=red@example.org password_command="pass show mail"
    pbem mail set receive=imap imap_host=imap.example.org imap_user=red@example.org
    """
    pairs: dict[str, str] = {}
    for one in changes:
        key, equals, value = one.partition("=")
        if not equals:
            raise WrongUse(f"{one[:40]!r} sets nothing", "write KEY=VALUE, for instance send=smtp")
        pairs[key.strip().replace(".", "_").replace("-", "_")] = value.strip()
    place = home()
    first = next(iter(settings.accounts(place)), settings.DEFAULT)
    changed = settings.change(place, account or first, pairs)
    needed = settings.missing(changed)
    if needed:
        say(f"still needed: {', '.join(f'{key} ({settings.KEYS[key]})' for key in needed)}")
    else:
        say("next: `pbem mail test`")


@mail.command("show")
@click.option("--all", "every", is_flag=True, help="Every setting that there is, with its meaning.")
@json_option
def mail_show(every: bool, as_json: bool) -> None:
    """The mail settings.

    \b
    pbem mail show
    pbem mail show --all
    """
    found = settings.accounts(home())
    if as_json:
        answer({name: dict(one.values) for name, one in found.items()})
    elif every:
        for key, meaning in settings.KEYS.items():
            click.echo(f"{key:<18}{meaning}")
    else:
        for one in found.values():
            click.echo(f"account {one.name}")
            for key in settings.KEYS:
                if key in one.values:
                    click.echo(f"  {key} = {one.values[key]}")
        if not found:
            say("no mail account is set up; letters are written as files: `pbem mail set` changes that")


@mail.command("test")
@account_option
def mail_test(account: str) -> int:
    """Log in to the servers of an account and say what they say; nothing is sent, nothing is changed.

    \b
    pbem mail test
    """
    chosen = settings.account(home(), account)
    if chosen is None:
        raise WrongUse("no mail account is set up", "`pbem mail set address=red@example.org send=smtp ...`")
    worst = 0
    for what, check in (("sending", check_sending), ("receiving", check_receiving)):
        try:
            click.echo(f"{what}: {check(chosen)}")
        except PbemError as error:
            worst = 4
            click.echo(f"{what}: {error}")
            say(f"hint: {error.hint}")
    return worst


def check_sending(account: Account) -> str:
    from pbem.mailbox import sending

    if account.sends == "file":
        return "letters are written as files; you mail them yourself"
    with sending.way(account) as way:
        return way.ready()


def check_receiving(account: Account) -> str:
    from pbem.mailbox import fetching

    needed = settings.missing(account)
    if needed:
        raise Trouble(f"account {account.name} lacks {', '.join(needed)}", f"`pbem mail set {needed[0]}=...`")
    if account.receives == "file":
        return "you give letters to `pbem receive`"
    if account.receives == "imap":
        with fetching.imap(account) as connection:
            fetching.folder_of(connection, account, readonly=True)
            return f"logged in to {account.get('imap_host')}, folder {account.get('imap_folder', 'INBOX')} is there"
    path = Path(account.get("receive_path")).expanduser()
    if not path.exists():
        raise Trouble(f"{path}: no such file or folder", "`pbem mail set receive_path=...`")
    return f"reads {path}"
