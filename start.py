"""Set up pbem on a fresh machine with Python 3.11 or newer, and run it. Standard library only.

python start.py demo          install into .venv and run the demo
python start.py test          install into .venv with the test tools and run the tests
python start.py lint          the same for the linters
python start.py pbem ...      any pbem command, installed into .venv first
"""

import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

HERE = Path(__file__).resolve().parent
VENV = Path(os.environ.get("PBEM_VENV", HERE / ".venv"))
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
PYTHON = BIN / ("python.exe" if os.name == "nt" else "python")


def install(extras: str) -> None:
    """A virtual environment with this checkout in it; what is there already is kept."""
    stamp = VENV / f"installed-{extras or 'core'}-{(HERE / 'pyproject.toml').stat().st_mtime_ns}"
    if stamp.exists():
        return
    if not PYTHON.exists():
        venv.create(VENV, with_pip=True)
    target = f"{HERE}[{extras}]" if extras else str(HERE)
    run(PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-e", target)
    stamp.touch()


def run(*words: object) -> None:
    """Run a command; end with its status where it fails."""
    status = subprocess.call([str(word) for word in words])
    if status:
        sys.exit(status)


def main(words: list[str]) -> None:
    """Do what the first word says."""
    if sys.version_info < (3, 11):  # noqa: UP036 - whoever has an older one shall be told
        sys.exit("pbem needs Python 3.11 or newer")
    what, rest = (words[0], words[1:]) if words else ("help", [])
    if what == "demo":
        install("")
        shutil.rmtree(HERE / "pbem-demo", ignore_errors=True)
        run(PYTHON, "-m", "pbem", "demo", "--folder", HERE / "pbem-demo", *rest)
    elif what == "test":
        install("test")
        run(PYTHON, "-m", "pytest", *(rest or ["-n", "auto"]))
    elif what == "lint":
        install("test,lint")
        run(PYTHON, "-m", "ruff", "check", HERE)
        run(PYTHON, "-m", "ruff", "format", "--check", HERE)
        run(PYTHON, "-m", "mypy")
    elif what == "pbem":
        install("")
        run(PYTHON, "-m", "pbem", *rest)
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
