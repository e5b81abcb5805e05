"""The commands of the README and of the guides are run in order, and their output is compared.

How a page is read:

    ```console      begins a block that is run; blocks of other kinds are not
    $ COMMAND       a command on the computer of `you`; `red$ COMMAND` on that of red; a folder and a PBEM_HOME each
    > TEXT          typed into a conversation, as is what follows a question that ends in [Y/n]:
    $ echo $?       the exit status of the command before
    <!-- post: red blue NAME -->    the newest mail in red's folder arrives in blue's, saved as NAME

The other lines of a block are what the command prints, on both streams.
In them `...` stands for anything, on a line of its own for any lines; eight or more hex digits for any hex digits,
a date for any date; and on lines about dice every number for any number.
A page starts in empty folders and goes on from block to block; where it names `games/`, the
recorded games lie there.

`PYTHONPATH=. python tests/test_readme.py PAGE` prints what the commands of a page print now.
"""

from __future__ import annotations

import io
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from pbem.cli import run as run_command

CHECKOUT = Path(__file__).resolve().parent.parent
PAGES = (
    "README.md",
    "docs/playing.md",
    "docs/mail.md",
    "docs/bots.md",
    "docs/verifying.md",
    "docs/reading.md",
    "docs/replay.md",
)
LINKED = (
    "README.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    *sorted(page.relative_to(CHECKOUT).as_posix() for page in (CHECKOUT / "docs").glob("*.md")),
)
TOOLS = ("sh", "sed", "cut", "tr", "grep", "head", "sha256sum", "ssh-keygen")
"""What the blocks use beside pbem. Where one is missing, a page that uses it is skipped and the skip names it."""

PROMPT = re.compile(r"(\w*)\$ (.*)")
TYPED = re.compile(r"(?:^> |\[[Yy]/[Nn]\]: )(.*)")
POST = re.compile(r"<!-- post: (\w+) (\w+) (\S+) -->")
SHELL = re.compile(r"[|<>;&$*()]")
VOLATILE = re.compile(
    r"(?P<any>\.\.\.)|(?P<hex>(?<![\w.])[0-9a-f]{8,}(?![\w])|SHA256:\S+)|(?P<date>\d{4}-\d\d-\d\d \d\d:\d\d)"
)
ABOUT_DICE = re.compile(r"\brolls\b|roll#|\bdie\b|\blose\b")


@dataclass
class Step:
    """One command of a page, or a mail on its way (`computer` to `to`)."""

    line: int
    computer: str
    command: str = ""
    expected: list[str] = field(default_factory=list)
    to: str = ""

    @property
    def typed(self) -> list[str]:
        return [found[1] for line in self.expected if (found := TYPED.search(line))]


def steps(text: str) -> Iterator[Step]:
    """What a page does, in order."""
    inside, step = False, None
    for number, line in enumerate(text.splitlines(), 1):
        if posted := POST.match(line):
            yield Step(number, posted[1], posted[3], to=posted[2])
        elif line.startswith("```"):
            if step is not None:
                yield step
            inside, step = line == "```console", None
        elif inside and (prompted := PROMPT.fullmatch(line)):
            if step is not None:
                yield step
            step = Step(number, prompted[1] or "you", prompted[2])
        elif step is not None:
            step.expected.append(line)


def pattern(expected: list[str]) -> re.Pattern[str]:
    """Expected output as a pattern over the whole of what was printed."""
    return re.compile("".join(_line(line) for line in expected))


def _line(line: str) -> str:
    if line.strip() == "...":
        return r"(?:.*\n)*?"
    made, end = "", 0
    for found in VOLATILE.finditer(line):
        made += _plain(line[end : found.start()], line)
        kinds = {"any": r".*?", "hex": r"(?:[0-9a-f]+|SHA256:\S+)", "date": r"\d{4}-\d\d-\d\d \d\d:\d\d"}
        made += kinds[found.lastgroup or ""]
        end = found.end()
    return made + _plain(line[end:].rstrip(), line) + "[ ]*\n"


def _plain(text: str, line: str) -> str:
    if not ABOUT_DICE.search(line):
        return re.escape(text)
    return re.sub(r"\d+", lambda _: r"\d+", re.sub(r"(?:\\ )+", lambda _: " +", re.escape(text)))


class Pages:
    """The computers of one page: a folder each, with an application folder in it."""

    def __init__(self, root: Path, text: str) -> None:
        self.root = root
        self.games = " games/" in text
        self.status = 0
        shim = root / "bin" / "pbem"
        shim.parent.mkdir(parents=True)
        shim.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m pbem "$@"\n')
        shim.chmod(0o755)

    def do(self, step: Step) -> str:
        """Do one step; what it printed."""
        folder = self._folder(step.computer)
        if step.to:
            letters = sorted(folder.glob("*.eml"), key=lambda path: path.stat().st_mtime_ns)
            shutil.copyfile(letters[-1], self._folder(step.to) / step.command)
            return ""
        if step.command == "echo $?":
            return f"{self.status}\n"
        command = step.command.replace("python start.py demo", "pbem demo").replace("python start.py pbem", "pbem")
        words = shlex.split(command)
        with _at(folder):
            if SHELL.search(command) or words[0] != "pbem" or any(Path(word).is_dir() for word in words[1:]):
                return self._shell(command, folder)
            return self._here(words[1:], step.typed)

    def _folder(self, computer: str) -> Path:
        folder = self.root / computer
        if not folder.is_dir():
            folder.mkdir()
            if self.games:
                shutil.copytree(CHECKOUT / "games", folder / "games")
        return folder

    def _here(self, words: list[str], typed: list[str]) -> str:
        bare = io.BytesIO()
        said = io.TextIOWrapper(bare, encoding="utf-8", newline="", write_through=True)
        keys, sys.stdin = sys.stdin, Keyboard(typed, said)
        try:
            with redirect_stdout(said), redirect_stderr(said):
                self.status = run_command(words)
        finally:
            sys.stdin = keys
        return bare.getvalue().decode()

    def _shell(self, command: str, folder: Path) -> str:
        missing = [tool for tool in TOOLS if re.search(rf"\b{tool}\b", command) and shutil.which(tool) is None]
        if missing or shutil.which("sh") is None:
            pytest.skip(f"{', '.join(missing) or 'sh'} is not installed; `{command}` cannot be run")
        path = f"{self.root / 'bin'}{os.pathsep}{os.environ.get('PATH', '')}"
        done = subprocess.run(
            ["sh", "-c", command],
            cwd=folder,
            env={**os.environ, "PATH": path, "PYTHONPATH": str(CHECKOUT)},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            encoding="utf-8",
            check=False,
        )
        self.status = done.returncode
        return done.stdout


class Keyboard(io.StringIO):
    """Typed lines, seen on the screen as they are read."""

    def __init__(self, lines: list[str], screen: io.TextIOWrapper) -> None:
        super().__init__("".join(f"{line}\n" for line in lines))
        self.screen = screen

    def readline(self, size: int | None = -1, /) -> str:
        line = super().readline(-1 if size is None else size)
        self.screen.write(line)
        return line


@contextmanager
def _at(folder: Path) -> Iterator[None]:
    before, home = Path.cwd(), os.environ.get("PBEM_HOME")
    os.chdir(folder)
    os.environ["PBEM_HOME"] = str(folder / "private")
    try:
        yield
    finally:
        os.chdir(before)
        if home is None:
            del os.environ["PBEM_HOME"]
        else:
            os.environ["PBEM_HOME"] = home


@pytest.mark.parametrize("page", PAGES)
def test_commands_print_what_the_page_says(page: str, tmp_path: Path) -> None:
    text = (CHECKOUT / page).read_text("utf-8")
    pages, found = Pages(tmp_path, text), list(steps(text))
    assert any(not step.to for step in found), f"{page} shows no commands"
    for step in found:
        printed = pages.do(step)
        if not step.to and pattern(step.expected).fullmatch(printed) is None:
            expected = "\n".join(step.expected)
            pytest.fail(f"{page}:{step.line}: `{step.command}` printed\n{printed}\nand not\n{expected}", pytrace=False)


@pytest.mark.parametrize("page", LINKED)
def test_links_lead_somewhere(page: str) -> None:
    text = re.sub(r"```.*?```", "", (CHECKOUT / page).read_text("utf-8"), flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text):
        assert ((CHECKOUT / page).parent / target).exists(), f"{page} links to {target}"


def test_the_index_has_every_page() -> None:
    pages = [page.name for page in (CHECKOUT / "docs").glob("*.md") if page.name != "README.md"]
    games = [f"../rules/{page.parent.name}/README.md" for page in (CHECKOUT / "rules").glob("*/README.md")]
    index = (CHECKOUT / "docs" / "README.md").read_text("utf-8")
    assert [page for page in (*pages, *games) if f"]({page})" not in index] == []


def test_every_command_is_named() -> None:
    from pbem.cli import COMMANDS

    pages = [CHECKOUT / "README.md", *sorted((CHECKOUT / "docs").glob("*.md"))]
    text = "".join(page.read_text("utf-8") for page in pages)
    assert [name for name in COMMANDS if f"pbem {name}" not in text] == []


def test_the_games_of_the_readme_are_those_that_can_be_played() -> None:
    """A new engine gets a row in the README when it is registered, and not before."""
    from pbem.registry import BUILT_IN

    rows = re.findall(r"^\| \[`([a-z0-9-]+)`\]\(rules/", (CHECKOUT / "README.md").read_text("utf-8"), re.MULTILINE)
    assert sorted(rows) == sorted(BUILT_IN)


def test_pictures_are_small() -> None:
    for path in (CHECKOUT / "docs" / "images").iterdir():
        assert path.stat().st_size < 200_000, path.name


def test_the_readers_own_wildcards() -> None:
    said = pattern(["head 0123abcd and ...", "...", "red rolls 2d6 for x: 6 1, sum 7", "at 2026-01-02 03:04 UTC"])
    assert said.fullmatch("head ffff0000 and on\n\na\nred rolls 2d6 for x: 2 10, sum 12\nat 1999-12-31 23:59 UTC\n")
    assert not said.fullmatch("head ffff0000 and on\nred rolls 2d6 for y: 2 1, sum 3\nat 1999-12-31 23:59 UTC\n")
    assert not pattern(["event 4"]).fullmatch("event 5\n")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as scratch:
        page_text = Path(sys.argv[1]).read_text("utf-8")
        screen = Pages(Path(scratch), page_text)
        for one in steps(page_text):
            print(f"(mail of {one.computer} to {one.to})" if one.to else f"{one.computer}$ {one.command}")
            print(screen.do(one), end="")
