"""`pbem demo`."""

from __future__ import annotations

from pathlib import Path

import click

from pbem.demo import Demo


@click.command()
@click.option("--folder", type=click.Path(path_type=Path), default=Path("pbem-demo"), show_default=True)
def demo(folder: Path) -> None:
    """Play a two-seat game and a solitaire game through real mail files, and check the results.

    \b
    pbem demo
    """
    made = Demo(folder.resolve(), click.echo).run()
    click.echo("\nlook at:")
    for path in made:
        click.echo(f"  {path}")
