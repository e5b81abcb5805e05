"""`pbem play`: the board, the choices, a prompt; orders are drafted, the barrier is asked for."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from pbem import account, report
from pbem.cli.common import may_roll, passphrase, say
from pbem.cli.play import _let_bots_answer, _mail, _say_signed, _tell
from pbem.errors import Incomplete, PbemError
from pbem.home import Home
from pbem.script import openers, run_script
from pbem.table import Table
from pbem.trial import Trial

HELP = """\
write an order, or
  board     the report and map           legal   what may be ordered now
  draft     orders not signed yet        drop N  take back order N and those after it
  roll      sign and let open dice fall  send    sign the draft and write the letter
  help      this                         quit    leave; the draft stays"""


def converse(game: Path, home: Home, seat: str, components: Path | None) -> int:
    """Prompt until the player leaves or the input ends. Every order holds the game's lock only while it is taken."""
    shown = True
    while True:
        with Table.locked(game, home, seat=seat, components=components) as table:
            table.remember()
            _let_bots_answer(table)
            if shown:
                click.echo(report.terminal(_board(table), colour=sys.stdout.isatty()))
                click.echo("`help` lists what you may write here")
            _say_turn(table)
            blocks = openers(table.fold.engine.orders)
        text = _prompt()
        if text is not None and text.casefold() in blocks:
            text = _block(text)
        shown = text in ("board", "")
        if text is None or text in ("quit", "exit", "q"):
            return 0
        try:
            _obey(game, home, seat, components, text)
        except PbemError as error:
            say(str(error))
            if error.hint:
                say(f"hint: {error.hint}")


def _board(table: Table) -> report.Report:
    """The report with the drafted orders on the board, for the player alone."""
    since, file, known = table.last_look(), table.path.name, table.known(table.seat)
    count = len(table.drafted()) if table.seat else 0
    if not count:
        return account.report(table.fold, table.story, reader=table.seat, known=known, since=since, file=file)
    trial = table.trial()
    story = [*table.story, *((table.fold.seq + 1, note) for note in trial.notes)]
    return account.report(
        trial.fold,
        story,
        reader=table.seat,
        known=trial.author.known(),
        since=since,
        head=(trial.fold.seq, table.fold.head),
        file=file,
        remark=f"as your draft has it ({count} of your orders are not signed yet)",
    )


def _prompt() -> str | None:
    try:
        return str(click.prompt("", prompt_suffix="> ", default="", show_default=False, err=True)).strip()
    except click.Abort:
        return None
    except UnicodeDecodeError:
        say("what you typed is not in UTF-8; the draft stays as it is")
        return None


def _block(first: str) -> str:
    """The lines of an order that ends with `end`, or with an empty line."""
    lines = [first]
    while lines[-1].casefold() != "end" and (line := _prompt()):
        lines.append(line)
    return "\n".join(lines)


def _say_turn(table: Table) -> None:
    if not table.seat:
        say("no seat of this game is played on this machine")
        return
    trial = table.trial()
    say(_stands(table, trial) if trial.waits() else f"{table.seat}: {_question(trial)}")


def _stands(table: Table, trial: Trial) -> str:
    """Why the player is not asked now, and what he can do about it."""
    why, fold = trial.waits(), trial.fold
    if fold.closed or fold.holder != table.seat:
        return why
    if may_roll(table, trial):
        return f"{why}: `roll` signs the draft and lets them fall"
    what = "hands over to the bot" if table.bots() else "writes the letter"
    return f"{why}: `send` signs the draft and {what}"


def _question(trial: object) -> str:
    asks = getattr(trial, "asks", ())
    return f"{asks[0].what.replace('_', ' ')} [{asks[0].clause}]" if asks else ""


def _obey(game: Path, home: Home, seat: str, components: Path | None, text: str) -> None:
    word, _, rest = text.partition(" ")
    if rest and word != "drop":
        word = "order"
    if word in ("board", ""):
        return
    if word == "help":
        click.echo(HELP)
        return
    with Table.locked(game, home, seat=seat, components=components) as table:
        before = len(table.story)
        if word == "draft":
            click.echo("\n".join(table.drafted()) or "the draft is empty")
        elif word == "drop":
            drafted = table.drafted()
            keep = int(rest) - 1 if rest.isdecimal() and 1 <= int(rest) <= len(drafted) else 0
            table.set_draft(drafted[:keep])
            click.echo("\n".join(drafted[:keep]) or "the draft is empty")
        elif word == "legal":
            trial = table.trial()
            click.echo("\n".join(account.menu(trial.fold, trial.seat, trial.author.known())) or trial.waits())
        elif word == "roll":
            say("no dice are due" if not table.roll_now(passphrase) else "signed")
            _tell(table, before)
        elif word == "send":
            _send(table, before)
        else:
            _draft(table, text)


def _send(table: Table, before: int) -> None:
    seq = table.fold.seq
    try:
        table.finish(passphrase, patient=True)
    except Incomplete as missing:
        say(f"the game waits for {missing.missing}")
    signed = _say_signed(table, table.fold.seq - seq, before)
    if table.bots():
        _let_bots_answer(table)
    else:
        _mail(table, None, None, signed)


def _draft(table: Table, text: str) -> None:
    trial = table.trial()
    told = len(trial.notes)
    script = run_script(trial, text)
    table.set_draft([*table.drafted(), *(line.text for line in script.taken)])
    for note in trial.notes[told:]:
        click.echo(report.sentence(note, table.fold.engine.words))
    for line in script.unused:
        say(f"not used, because {script.why}: {line.text}")
    if may_roll(table, trial):
        if click.confirm("dice are due: sign the draft and let them fall?", default=True, err=True):
            before = len(table.story)
            table.roll_now(passphrase)
            _tell(table, before)
    elif trial.waits() and table.bots():
        if click.confirm(f"{trial.waits()}: sign the draft?", default=True, err=True):
            _send(table, len(table.story))
    elif trial.waits():
        say(_stands(table, trial))
