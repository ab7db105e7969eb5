"""`arena bridge`: the process that `arena run --on` starts to reach a cluster. Not for use by hand."""

from __future__ import annotations

import click

from arena.cli.options import examples

__all__ = ["bridge"]


@click.command(
    hidden=True, epilog=examples("arena run league.toml --on tls://scheduler:8786  # starts its own bridge")
)
def bridge() -> None:
    """Pass sessions on between a coordinator and a cluster.

    Started by `arena run --on`; of no use by hand.
    """
    from arena.cluster.bridge import main

    main()
