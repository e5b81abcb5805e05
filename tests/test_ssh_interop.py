"""What FORMAT.md promises about standard tools: `ssh-keygen` and `sha256sum` judge a line of a game [protocol 2.7]."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from builder import Match, duel, key

from pbem import canon, keys
from pbem.record import Event

pytestmark = pytest.mark.skipif(
    not all(shutil.which(tool) for tool in ("ssh-keygen", "sha256sum", "sed", "cut", "tr", "sh")),
    reason="needs OpenSSH and coreutils",
)


def shell(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["sh", "-c", command], cwd=folder, capture_output=True, text=True, check=False)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A game file, who may sign for what, and the signature of its first event, as a player would export it."""
    match = duel()
    (tmp_path / "game.pbem").write_bytes(match.file())
    signers = [keys.allowed_signers_line(seat, key(seat).public, [keys.EVENT]) for seat in match.game.seats]
    (tmp_path / "allowed_signers").write_text("\n".join(signers) + "\n")
    event = match.events[0]
    (tmp_path / "4.sig").write_text(keys.armor(key("red").public, event.sig, keys.EVENT))
    return tmp_path


LINE = "sed -n '4p' game.pbem | cut -d' ' -f3- | tr -d '\\n'"
VERIFY = "ssh-keygen -Y verify -n event.v1@pbem -f allowed_signers -I red -s 4.sig"


def test_event_is_accepted(folder: Path) -> None:
    done = shell(f"{LINE} | {VERIFY}", folder)
    assert done.returncode == 0, done.stderr
    assert "Good" in done.stdout
    assert keys.fingerprint(key("red").public) in done.stdout


@pytest.mark.parametrize(
    "command",
    [
        f"{LINE} | tr 5 6 | {VERIFY}",
        f"{LINE.replace('4p', '5p')} | {VERIFY}",
        f"{LINE} | {VERIFY.replace('event.v1', 'slip.v1')}",
        f"{LINE} | {VERIFY.replace('-I red', '-I blue')}",
    ],
    ids=["changed byte", "another line", "another purpose", "another seat"],
)
def test_others_are_refused(folder: Path, command: str) -> None:
    assert shell(command, folder).returncode != 0


def test_event_id_by_sha256sum(folder: Path) -> None:
    done = shell(f"(printf 'pbem/v1/event\\0'; {LINE}) | sha256sum", folder)
    assert done.stdout.split()[0] == duel().events[0].id


def test_game_id_and_seal_by_standard_tools(folder: Path) -> None:
    raw = "sed -n '1p' game.pbem | cut -d' ' -f2- | tr -d '\\n'"
    done = shell(f"(printf 'pbem/v1/charter\\0'; {raw}) | sha256sum", folder)
    match = Match()
    assert done.stdout.split()[0] == match.game.id
    sig = bytes.fromhex(canon.decode(match.seals[0][5:-1])["sig"])
    (folder / "seal.sig").write_text(keys.armor(key("red").public, sig, keys.CHARTER))
    signers = keys.allowed_signers_line("red", key("red").public, [keys.CHARTER])
    (folder / "sealers").write_text(signers + "\n")
    done = shell(f"{raw} | ssh-keygen -Y verify -n charter.v1@pbem -f sealers -I red -s seal.sig", folder)
    assert done.returncode == 0, done.stderr


def test_slips_and_statements_too(folder: Path) -> None:
    match = duel()
    slip, says = match.slip("blue"), match.author("blue").statement("resign")
    for name, signed, purpose in (("slip", slip, keys.SLIP), ("said", says, keys.STATEMENT)):
        (folder / name).write_bytes(signed.line())
        (folder / f"{name}.sig").write_text(keys.armor(key("blue").public, signed.sig, purpose))
        (folder / "signers").write_text(keys.allowed_signers_line("blue", key("blue").public, [purpose]) + "\n")
        raw = f"cut -d' ' -f3- {name} | tr -d '\\n'"
        done = shell(f"{raw} | ssh-keygen -Y verify -n {purpose} -f signers -I blue -s {name}.sig", folder)
        assert done.returncode == 0, done.stderr


def test_event_signed_by_ssh_keygen_is_ours(folder: Path) -> None:
    """`ssh-keygen -Y sign` makes the same signature, so a game can be played with an agent or a token of that kind."""
    match = Match()
    event: Event = match.order("move", unit="u1", to=5)
    (folder / "key").write_bytes(keys.write_private(key("red"), None))
    (folder / "key").chmod(0o600)
    (folder / "raw").write_bytes(event.raw)
    done = shell("ssh-keygen -Y sign -f key -n event.v1@pbem raw", folder)
    assert done.returncode == 0, done.stderr
    assert (folder / "raw.sig").read_text() == keys.armor(key("red").public, event.sig, keys.EVENT)
