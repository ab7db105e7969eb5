"""`arena referee`: the process that `arena run` starts to seat bots and judge them. Not for use by hand."""

from __future__ import annotations

import click

from arena.cli.options import examples

__all__ = ["referee"]


@click.command(
    hidden=True, epilog=examples("arena run league.toml", "arena run league.toml  # starts its own referees")
)
def referee() -> None:
    """Play the sessions that a coordinator sends on standard input.

    Started by `arena run`; of no use by hand.
    """
    from arena.referee.referee import main

    main()
