"""`arena host`: the process that a worker of a cluster starts to judge bots. Not for use by hand."""

from __future__ import annotations

import click

from arena.cli.options import examples

__all__ = ["host"]


@click.command(
    hidden=True,
    epilog=examples(
        "arena run league.toml --on tls://scheduler:8786",
        "arena run league.toml --on tls://scheduler:8786  # its workers start their own",
    ),
)
@click.option("--hide", multiple=True, metavar="PATH", help="A file or folder that bots must not see.")
def host(hide: tuple[str, ...]) -> None:
    """Make ready and play what comes on standard input.

    Started by a worker of a cluster; of no use by hand.
    """
    from arena.cluster.host import main

    main(hide)
