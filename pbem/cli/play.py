"""Commands that play: new, join, order, send, receive, play, roll, seal, open, offer, agree, resign, claim."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from pbem import (
    account,
    acts,
    addresses,
    agreement,
    appeals,
    canon,
    charter,
    envelope,
    keys,
    log,
    mail,
    opponent,
    papers,
    post,
    registry,
    remedy,
    restored,
    verify,
)
from pbem.cli.advice import begun_step, first_step, next_step, registered
from pbem.cli.common import (
    GAME,
    components_option,
    home,
    key_option,
    may_roll,
    out_file,
    passphrase,
    read_text,
    responder_key,
    responder_option,
    say,
    seat_option,
    statements,
)
from pbem.errors import Incomplete, OrderRefused, Refused, Trouble, WrongUse
from pbem.home import DEFAULT_KEY, Home
from pbem.ruleset import read_options
from pbem.script import Line, run_script, script_lines
from pbem.table import Table

file_option = click.option(
    "--file", "path", type=click.Path(path_type=Path), help="The game file to make; by default named after the game."
)
out_option = click.option(
    "--out", type=click.Path(path_type=Path), help="Mail file or folder to write to; by default beside the game file."
)
dice_option = click.option(
    "--dice", "policy", type=click.Choice(["sealed", "open", "beacon"]), help="How dice are made: `pbem new --help`."
)
beacon_option = click.option(
    "--beacon", "chain", type=click.Choice(["quicknet", "default"]), help="Which beacon: --dice beacon, --start-in."
)
start_option = click.option(
    "--start-in", type=click.IntRange(1, 525600), metavar="MINUTES", help="Solitaire: a beacon round of then starts it."
)
previous_option = click.option(
    "--previous", metavar="GAME", default="", help="Solitaire: the game you began before this one, its file or id."
)
ahead_option = click.option(
    "--ahead", type=click.IntRange(1, 43200), metavar="MINUTES", help="Beacon dice: from now to the round to be named."
)


def _own_key(place: Home, name: str) -> None:
    """A newcomer without any key gets one; a missing key by name is refused."""
    if name == DEFAULT_KEY and not place.key_names():
        path = place.add_key(name, keys.SigningKey.new(), None)
        say(f"you had no key yet, so one was made: {path}")


def _game_id(previous: str) -> str:
    """The id of a game, from its file or as it is."""
    if not previous or re.fullmatch(r"[0-9a-f]{64}", previous):
        return previous
    with log.open_for_reading(Path(previous)) as stream:
        first = next(log.lines(stream), None)
    if first is None:
        raise WrongUse(f"{previous} is empty", "--previous takes a game file or its id of 64 hex digits")
    return charter.read_charter(first[1]).id


def _free_name(rules: str) -> Path:
    """`malaya.pbem`, `malaya-2.pbem`, ... : the first that is free in this folder."""
    first, _, last = rules.rpartition("-")
    stem = rules if rules == "open-table" else first if last.isdecimal() else last
    for number in range(1, 10_000):
        path = Path(f"{stem}{'' if number == 1 else f'-{number}'}{log.SUFFIX}")
        if not path.exists():
            return path
    raise Trouble("too many game files in this folder", "name one: --file NAME.pbem")


def _named(path: Path | None) -> Path | None:
    """The name a player gave, with the suffix that commands on folders look for."""
    if path is not None and (not path.name or path.is_dir()):
        raise WrongUse(f"{path} is no name for a game file", "--file NAME.pbem")
    return path if path is None or path.suffix else path.with_suffix(log.SUFFIX)


def _shown_name(name: str) -> str:
    """A player's name, as far as the format can hold it."""
    if name == verify.BOT:
        raise WrongUse("that is the name of the bot", "take another --name")
    try:
        canon.check_text(name)
    except Refused as error:
        letters = "Latin, Greek, Cyrillic, Japanese, Chinese and Korean letters; right-to-left scripts not yet"
        raise WrongUse(f"--name: {error.what}", letters) from None
    if len(name) > charter.MAX_NAME:
        raise WrongUse(f"--name: longer than {charter.MAX_NAME} characters")
    return name


def _write_letter(path: Path, out: Path | None, name: str, raw: bytes) -> Path:
    target = path.parent / name if out is None else out / name if out.is_dir() or not out.suffix else out
    if target.suffix == log.SUFFIX:
        raise WrongUse(f"{target} would be a game file, not a letter", "give another --out")
    log.write_atomic(target, raw)
    click.echo(str(target))
    return target


@click.command()
@click.argument("rules")
@click.option("--scenario", default="", help="Which scenario; `pbem rules show RULES` lists them.")
@click.option("--seat", default="", help="Your seat; the others are invited.")
@click.option("--name", default="", help="Your name as the others see it.")
@key_option
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="An option of the scenario; repeatable.")
@dice_option
@click.option("--days", type=click.IntRange(1, 3650), default=None, help="Days for an answer, as you agree.")
@responder_option
@click.option("--against", type=click.Choice(["bot"]), help="The game's bot plays the other seats, here and at once.")
@click.option("--witness", is_flag=True, help="Invite a third person too, whose secret is part of all dice.")
@beacon_option
@start_option
@previous_option
@file_option
@out_option
@components_option
def new(
    rules: str,
    scenario: str,
    seat: str,
    name: str,
    key_name: str,
    options: tuple[str, ...],
    policy: str | None,
    days: int | None,
    responder: str,
    against: str | None,
    witness: bool,
    chain: str | None,
    start_in: int | None,
    previous: str,
    path: Path | None,
    out: Path | None,
    components: Path | None,
) -> None:
    """Propose a game and write the invitation, or start a solitaire game.

    \b
    pbem new battle-card-malaya
    pbem new glory-recalled --scenario kowloon --against bot
    pbem new open-table --scenario duel --seat red --option game="Hill 12"

    Dice `sealed` (two and more seats): nobody can choose or foresee them; a second decision after dice
    waits for an answer. Dice `open` (one or two seats): one mail a turn; each could look ahead at his own.
    Dice `beacon`: public numbers of a time named beforehand, pasted with `pbem beacon`.
    """
    place = home()
    if against:
        opponent.need(rules, scenario)
    _own_key(place, key_name)
    if components is not None:
        say("components of your own: whoever has not the same ones cannot judge this game, only check its signatures")
    engine = registry.engine(rules)
    chosen = scenario or engine.scenarios()[0].id
    seats = next((one.seats for one in engine.scenarios() if one.id == chosen), ())
    target = _named(path) or _free_name(rules)
    proposal = agreement.Proposal(
        rules, scenario, read_options(options), policy or "", days or 0, components=components, witness=witness,
        beacon=chain or "", start_in=60 * (start_in or 0), previous=_game_id(previous),
    )  # fmt: skip
    own = seat or (seats[0].id if seats else "")
    player = agreement.Player(own, key_name, _shown_name(name), responder_key(place, responder))
    try:
        begun = agreement.propose(place, target.resolve(), proposal, player, passphrase)
    except Refused as error:
        raise WrongUse(error.what, error.hint or f"`pbem rules show {rules}` lists scenarios and options") from None
    if begun:
        click.echo(str(target))
        with Table.locked(target, place, components=components) as table:
            for line in registered(table):
                say(line)
        say(f"the game is on: `pbem play {target}`")
        return
    if against:
        taken = opponent.invite(place, target.resolve(), components=components, passphrase=passphrase)
        click.echo(str(target))
        say(f"the bot plays {', '.join(taken)}, with its secrets on this machine: `pbem play {target}`")
        return
    start = agreement.beginning(target)
    if start is None:
        raise AssertionError("the file was written a moment ago")
    say(f"{target} waits for {start.missing()}; mail this invitation:")
    _write_letter(target, out, *post.setup_letter(place, start))
    say("next: take in the answer with `pbem receive LETTER`")


@click.command()
@click.argument("invitation", metavar="MAIL", type=click.Path(path_type=Path))
@click.option("--seat", default="", help="The seat to take, where several are open; `witness` for the witness.")
@click.option("--name", default="", help="Your name as the others see it.")
@key_option
@responder_option
@file_option
@out_option
@components_option
def join(
    invitation: Path,
    seat: str,
    name: str,
    key_name: str,
    responder: str,
    path: Path | None,
    out: Path | None,
    components: Path | None,
) -> None:
    """Take a seat you were invited to, and write the answer.

    \b
    pbem join invitation.eml
    """
    from pbem import packet

    place = home()
    _own_key(place, key_name)
    came = list(mail.letters(_source(invitation)))
    found = [data for one in came for data in mail.packets(one).packets]
    contents = [packet.read(data) for data in found]
    invited = [content for content in contents if content.of("draft")]
    if not invited:
        raise WrongUse(f"{invitation}: no invitation in it", "`pbem receive` takes in moves")
    draft = agreement.invitation(invited[0])
    target = _named(path) or agreement.table_here(place, draft) or _free_name(draft.doc["rules"]["id"])
    player = agreement.Player(seat, key_name, _shown_name(name), responder_key(place, responder))
    agreement.join(place, target.resolve(), invited[0], player, components=components, passphrase=passphrase)
    _learn_address(place, draft, invited[0].sender, came)
    start = agreement.beginning(target)
    if start is None:
        raise AssertionError("the file was written a moment ago")
    if not start.missing():
        say(f"the game is on, with all seats on this machine: `pbem play {target}`")
        return
    say(f"{target} waits for {start.missing()}; mail this answer:")
    _write_letter(target, out, *post.setup_letter(place, start))
    say("next: take in what comes back with `pbem receive LETTER`")


def _learn_address(place: Home, draft: charter.Draft, seat: str, came: Sequence[mail.Letter]) -> None:
    """Whoever invited is answered at the address of the invitation."""
    written = [at for one in came if (at := envelope.read(one.raw).sender)]
    if written and addresses.learn(place.room(draft.doc["setup"]), seat, written[0]):
        say(f"{seat} is mailed at {written[0]}; `pbem address set` changes that")


def _source(path: Path) -> Path | io.BytesIO:
    if str(path) == "-":
        return io.BytesIO(sys.stdin.buffer.read())
    if not path.exists():
        raise Trouble(f"{path}: no such file or folder", "give a mail file, a mailbox, a folder, or - for input")
    return path


@click.command()
@GAME
@click.argument("text", nargs=-1)
@click.option("--show", "list_them", is_flag=True, help="List the draft.")
@click.option("--drop", "drop", default=None, metavar="N", help="Take back order N and those after it; `all` for all.")
@click.option("--edit", is_flag=True, help="Change the draft in your editor.")
@click.option("--roll", is_flag=True, help="Open dice: sign the draft when dice are due, let them fall, and go on.")
@seat_option
@components_option
def order(
    game: Path,
    text: tuple[str, ...],
    list_them: bool,
    drop: str | None,
    edit: bool,
    roll: bool,
    seat: str,
    components: Path | None,
) -> int:
    """Read orders and keep them in a draft. Nothing is signed before `send` (or `--roll`); taking back is free.

    Each TEXT is one order; `-` reads lines from standard input; lines that start with # are skipped.

    \b
    pbem order game.pbem "withdraw Jitra"
    pbem order game.pbem - < orders.txt
    pbem order game.pbem --drop 2
    """
    agreement.need_started(game)
    with Table.locked(game, home(), seat=seat, components=components) as table:
        table.remember()
        if drop is not None:
            _drop(table, drop)
        if edit:
            _edit(table)
        status = _take_orders(table, script_lines(read_text(text)), roll) if text else 0
        if list_them or drop is not None or edit or not text:
            _list_draft(table)
    return status


def _drop(table: Table, drop: str) -> None:
    drafted = table.drafted()
    if drop == "all":
        table.set_draft([])
    elif drop.isdecimal() and 1 <= int(drop) <= len(drafted):
        table.set_draft(drafted[: int(drop) - 1])
    else:
        raise WrongUse(f"no order {drop[:20]} in the draft", f"it has {len(drafted)}; or --drop all")


def _edit(table: Table) -> None:
    text = click.edit("\n".join(table.drafted()) + "\n")
    if text is None:
        return
    try:
        script = run_script(table.blank_trial(), text)
    except OrderRefused:
        say("the draft stays as it was; this is what you wrote:\n" + text.rstrip())
        raise
    table.set_draft([line.text for line in script.taken])
    if script.unused:
        say(f"not used, {script.why}: " + "; ".join(line.text for line in script.unused))


def _take_orders(table: Table, lines: Sequence[Line], roll: bool) -> int:
    """Draft a script; with `roll` sign and roll where open dice come due, and go on with the rest."""
    while True:
        try:
            script = run_script(table.trial(), lines)
        except OrderRefused:
            if len(lines) > 1:
                say(f"none of these {len(lines)} orders is drafted")
            raise
        already = table.drafted()
        if script.taken:
            table.set_draft([*already, *(line.text for line in script.taken)])
        for line in script.taken:
            click.echo(f"{line.number} {line.text}")
        if already and script.taken:
            say(f"added to a draft of {len(already)}: `pbem order {table.path.name} --show` numbers them all")
        before = len(table.story)
        if not roll or not table.roll_now(passphrase):
            break
        _tell(table, before)
        lines = script.unused
        if not lines:
            say(f"next: {next_step(table)}")
            return 0
    if not script.unused:
        _say_next(table)
        return 0
    say(f"not used, because {script.why}:")
    for line in script.unused:
        say(f"  {line.number} {line.text}")
    _say_next(table)
    return 3


def _say_next(table: Table) -> None:
    """What the drafted position waits for."""
    trial = table.trial()
    if may_roll(table, trial):
        say(f"dice are due: `pbem send {table.path}` signs the draft and lets them fall (or `order --roll`)")
    elif table.drafted():
        say(f"next: {next_step(table)}")


def _list_draft(table: Table) -> None:
    drafted = table.drafted()
    if not drafted:
        say("the draft is empty")
    for number, line in enumerate(drafted, 1):
        click.echo(f"{number} {line}")


def _tell(table: Table, before: int) -> None:
    """Say the story from a place on."""
    from pbem import report

    told = account.report(table.fold, table.story[before:], reader=table.seat, known=table.known(table.seat))
    lines = report.story_lines(told)
    if lines:
        click.echo("\n".join(lines))


@click.command()
@GAME
@click.option("--since", type=click.IntRange(min=0), help="Send everything after this event again (0: the whole log).")
@out_option
@ahead_option
@seat_option
@components_option
def send(game: Path, since: int | None, out: Path | None, ahead: int | None, seat: str, components: Path | None) -> int:
    """Sign the draft, let due dice fall, pass the baton if it passes, and write the letter to the others.

    Sending again writes the same letter: nothing is signed twice.

    \b
    pbem send game.pbem
    pbem send game.pbem --out ~/mail/
    """
    place = home()
    start = agreement.beginning(game)
    if start is not None and start.missing():
        _write_letter(game, out, *post.setup_letter(place, start))
        say(f"next: {first_step(place, start)}")
        return 0
    with Table.locked(game, place, seat=seat, components=components) as table:
        table.remember()
        before, seq = len(table.story), table.fold.seq
        table.ahead = 60 * ahead if ahead else table.ahead
        try:
            table.finish(passphrase, patient=True)
        except Incomplete as missing:
            say(f"the game waits for {missing.missing}")
            if table.round_due() is not None:
                say(f"hint: {missing.hint}")
        signed = _say_signed(table, table.fold.seq - seq, before)
        _let_bots_answer(table)
        return _mail(table, since, out, signed)


def _let_bots_answer(table: Table) -> None:
    """What the bot does at its seats, where it has some, is told like any other news."""
    before = len(table.story)
    if opponent.answer(table, passphrase):
        _tell(table, before)


def _deliver(table: Table) -> bool:
    """Mail the letter at once, where mail is set up."""
    if not (table.home.root / "mail.toml").exists():
        return False
    from pbem.cli.mail import deliver

    return deliver(table)


def _mail(table: Table, since: int | None, out: Path | None, signed: bool) -> int:
    """Write the letter, where there is somebody to write to and something to tell."""
    idle = 0 if signed or table.fold.closed else 3
    wanted = since is not None or out is not None
    if table.all_here() and not wanted:
        say(f"next: {next_step(table)}")
        return idle
    in_turn = table.fold.since_handover and table.fold.holder in table.local and not table.all_here()
    beside = bool(acts.own(table))
    if in_turn and since is None and not (beside or papers.said(table) or restored.receipt_lines(table)):
        say(f"nothing to mail yet, {table.fold.holder} holds the baton")
        say(f"next: {next_step(table)}")
        return idle
    if not (beside or table.packet(since).lines):
        say(f"nothing to mail: the others have all there is; `pbem send {table.path} --since 0` writes the whole log")
        say(f"next: {next_step(table)}")
        return idle
    if not wanted and _deliver(table):
        return 0
    _write_letter(table.path, out, *post.letter(table, since=since))
    others = [seat for seat in table.fold.seats if seat not in table.local]
    say(f"mail this letter to {', '.join(others) or 'whom you like'}")
    return 0


def _say_signed(table: Table, events: int, before: int) -> bool:
    """Tell what was signed, if anything was."""
    if events:
        _tell(table, before)
        where = f"{table.path} is at event {table.fold.seq}, head {table.fold.head[:16]}"
        say(f"signed {_counted(events, 'event')}; {where}")
    return bool(events)


@click.command()
@click.argument("source", metavar="[FILE, folder, Maildir, mbox or -]", type=click.Path(path_type=Path))
@click.option("--save", type=click.Path(path_type=Path), help="Keep a game that is not played here in this new file.")
@click.option("--orders", is_flag=True, help="Draft the orders in a mail from yourself, between its marker lines.")
@click.option("--quiet", is_flag=True, help="No report, only what was taken in.")
@click.option("--late", is_flag=True, help="Let beacon rounds pass that were public before their letter came.")
@click.option("--html", "html", type=click.Path(path_type=Path), help="Write your report to this file as HTML too.")
@seat_option
@components_option
def receive(
    source: Path,
    save: Path | None,
    orders: bool,
    quiet: bool,
    late: bool,
    html: Path | None,
    seat: str,
    components: Path | None,
) -> int:
    """Take in letters, check every line, release or resolve dice, and print your report.

    Nothing of a letter is used unless all of it is sound; taking in a letter twice changes nothing.

    \b
    pbem receive letter.eml
    pbem receive ~/Maildir
    cat letter.eml | pbem receive -
    """
    place, worst = home(), 0
    if orders:
        from pbem.cli.mail import draft_from_mail

        return draft_from_mail(_source(source))
    taken: Iterator[post.Taken] = post.receive(
        place, mail.letters(_source(source)), save=save, components=components, passphrase=passphrase, late=late
    )
    several, passed = source.is_dir(), 0
    for one in taken:
        if one.nothing and several:
            passed += 1
            continue
        worst = max(worst, _say_taken(one))
        if one.problem is None and one.file is not None and save is None:
            _say_how_it_stands(place, one.file, one, seat, html, components, quiet)
    if passed:
        say(f"{_counted(passed, 'mail')} without a packet passed over")
    return worst


def _say_how_it_stands(
    place: Home, path: Path, one: post.Taken, seat: str, html: Path | None, components: Path | None, quiet: bool
) -> None:
    """What came of the letter, and what to do next."""
    start = agreement.beginning(path)
    if start is not None and start.missing():
        say(f"next: {first_step(place, start)}")
        return
    table = Table.reading(path, place, seat=seat, components=components)
    if one.events or one.papers or one.answered:
        _say_what_follows(table, one, html, quiet)
    say(f"next: {begun_step(table) if one.begun else next_step(table)}")


def _say_taken(one: post.Taken) -> int:
    for remark in one.remarks:
        say(f"{one.letter}: {remark}")
    if one.problem is not None:
        named = str(one.problem).startswith(f"{one.letter}: ")
        say(str(one.problem) if named else f"{one.letter}: {one.problem}")
        hint = one.problem.hint or "nothing of it was used; tell the sender what was met"
        say(f"hint: {hint}")
        return one.problem.exit_status
    name = one.file.name if one.file is not None else "game"
    if one.begun:
        say(f"{name}: {one.begun}" + ("" if one.begun == "all seals are in" else " still missing"))
    elif one.events or one.papers:
        counts = ((one.events, "new event"), (one.papers, "slip or statement"))
        say(f"{name}: " + ", ".join(_counted(number, what) for number, what in counts if number))
    else:
        say(f"{name}: nothing new in {one.letter}")
    return 0


def _counted(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what.replace(' or ', 's or ')}s"


def _say_what_follows(table: Table, one: post.Taken, html: Path | None, quiet: bool) -> None:
    """Statements that came, dice that came out, and the report on what is new."""
    from pbem import report

    if one.papers:
        for line in statements(table):
            say(line)
    if one.answered:
        mine = table.fold.holder in table.local and not table.trial(table.fold.holder).waits()
        audited = not table.fold.engine_waits()
        say("your part of the audit is signed" if audited else "the dice are out" if mine else "dice were released")
    if quiet or not (one.events or one.answered):
        return
    seen, name = table.known(table.seat), table.path.name
    told = account.report(table.fold, table.story, reader=table.seat, known=seen, since=one.before, file=name)
    click.echo(report.terminal(told, colour=sys.stdout.isatty()), nl=False)
    if html is not None:
        log.write_atomic(out_file(html, table.path), report.html(told).encode())


@click.command()
@GAME
@seat_option
@components_option
def play(game: Path, seat: str, components: Path | None) -> int:
    """Play as a conversation: the board, the choices, a prompt. Orders are drafted; `send` signs them.

    \b
    pbem play game.pbem
    """
    from pbem.cli.conversation import converse

    agreement.need_started(game)
    return converse(game, home(), seat, components)


@click.command()
@GAME
@click.argument("what", nargs=-1, required=True)
@seat_option
@click.pass_context
def roll(ctx: click.Context, game: Path, what: tuple[str, ...], seat: str) -> int:
    """Roll dice for a stated purpose at an open table: drafted like any order, at once under open dice.

    \b
    pbem roll game.pbem 2d6 for the attack on hill 12
    """
    agreement.need_started(game)
    with Table.locked(game, home(), seat=seat) as table:
        return _take_orders(table, [Line(1, "roll " + " ".join(what))], roll=True)


@click.command()
@GAME
@click.argument("name")
@click.argument("text", nargs=-1, required=True)
@seat_option
def seal(game: Path, name: str, text: tuple[str, ...], seat: str) -> int:
    """Seal a text of your own at an open table: drafted like any order. The name is for you alone.

    \b
    pbem seal game.pbem orders-3 3rd Bn to 0504, dig in
    """
    return _draft(game, seat, f"secret {name}: {' '.join(text)}")


@click.command()
@GAME
@click.argument("name")
@seat_option
def open(game: Path, name: str, seat: str) -> int:
    """Open a text that you sealed at an open table: drafted like any order.

    \b
    pbem open game.pbem orders-3
    """
    return _draft(game, seat, f"open {name}")


def _draft(game: Path, seat: str, order: str) -> int:
    agreement.need_started(game)
    with Table.locked(game, home(), seat=seat) as table:
        return _take_orders(table, [Line(1, order)], roll=False)


# Statements ------------------------------------------------------------------------------------------------------


@click.command()
@GAME
@click.argument("result", default="draw")
@seat_option
def offer(game: Path, result: str, seat: str) -> None:
    """Offer to end the game: `draw`, `none` (no result), or the seat that shall have won.

    \b
    pbem offer game.pbem draw
    """
    agreement.need_started(game)
    with Table.locked(game, home(), seat=seat) as table:
        appeals.offer(table, result, passphrase)
        say(f"offered: {result}; `pbem send {game}` writes it. It lapses with the next event")


@click.command()
@GAME
@click.option("--to", "to", type=click.IntRange(min=0), required=True, help="Back to the position after this event.")
@seat_option
def undo(game: Path, to: int, seat: str) -> None:
    """Ask the others to set the game back. Nothing is erased: the events stay in the log, and dice are new ones.

    Orders that are only drafted are taken back with `pbem order FILE --drop N`, without asking anybody.

    \b
    pbem undo game.pbem --to 41
    """
    agreement.need_started(game)
    with Table.locked(game, home(), seat=seat) as table:
        appeals.ask_undo(table, to, passphrase)
        if appeals.dice_since(table, to):
            say("dice have been seen since then; the others will be told that new ones are thrown")
        say(f"asked; `pbem send {game}` writes it. It lapses with the next event")


@click.command()
@GAME
@seat_option
def agree(game: Path, seat: str) -> None:
    """Accept what was offered or asked for: an end of the game, or an undo.

    \b
    pbem agree game.pbem
    """
    agreement.need_started(game)
    with Table.locked(game, home(), seat=seat) as table:
        table.need_in_play()
        asked = remedy.asked(table)
        if asked is None:
            raise WrongUse("nothing is offered at this point of the game", f"`pbem offer {game} draw` offers it")
        for line in remedy.words(table, asked):
            say(line)
        done = remedy.consent(table, asked, passphrase, seat=seat)
        words = {"agree": "the game is over by agreement", "undo": "it is undone; go on from there"}
        say(words.get(done, "your consent is written"))
        say(f"`pbem send {game}` writes the letter")


@click.command()
@GAME
@seat_option
@click.option("--yes", is_flag=True, help="Do not ask.")
def resign(game: Path, seat: str, yes: bool) -> None:
    """Give up: an event if you hold the baton, a statement otherwise.

    \b
    pbem resign game.pbem
    """
    agreement.need_started(game)
    with Table.locked(game, home(), seat=seat) as table:
        if not yes and not click.confirm(f"resign as {table.need_seat()}?", err=True):
            raise click.Abort
        appeals.resign(table, passphrase)
        say(f"{table.seat} has resigned; `pbem send {game}` writes the letter")


@click.command()
@GAME
@click.option("--days", type=click.IntRange(0), required=True, help="How long you have waited, on your word.")
@click.option("--against", default="", metavar="SEAT", help="Who lets the game rest, if several owe something.")
@seat_option
def claim(game: Path, days: int, against: str, seat: str) -> None:
    """Say that a seat lets the game rest: the one that owes the next event, or a slip for the dice it needs.

    It stands in the file; nobody is judged.

    \b
    pbem claim game.pbem --days 30
    """
    agreement.need_started(game)
    with Table.locked(game, home(), seat=seat) as table:
        debtor = appeals.claim(table, days, passphrase, against=against)
        say(f"the claim against {debtor} stands in {game}; `pbem send {game}` writes the letter")
