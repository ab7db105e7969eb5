"""Processes of a run: a cluster's worker, and what `arena run` starts, a referee and a writer of pages."""

from __future__ import annotations

from pathlib import Path

import click

from arena.cli.options import examples, league_file_argument


@click.command(hidden=True)
def referee() -> None:
    """Play the sessions that a coordinator sends on standard input.

    Started by `arena run`; of no use by hand.
    """
    from arena.referee.referee import main

    main()


@click.command(hidden=True)
@league_file_argument
def pages(league: Path) -> None:
    """Write the pages of LEAGUE for each line of standard input, and answer with why not, or an empty line.

    Started by `arena run`; of no use by hand.
    """
    import os
    import signal
    import sys

    from arena.linux.reaper import die_with_parent

    die_with_parent(signal.SIGKILL)  # before all that takes long to import

    from arena.cli.league_files import opened
    from arena.cli.organiser.pages import write_pages
    from arena.errors import ArenaError
    from arena.linux.scheduling import placed

    # On one core, to which a referee is pinned last: the others are for referees and bots alone.
    with placed({max(os.sched_getaffinity(0))}):
        for _ in sys.stdin:
            why = ""
            try:
                with opened(league) as found:
                    write_pages(found, refresh=True)
            except ArenaError as error:
                why = " ".join(error.message.split())
            print(why, flush=True)


@click.command(
    epilog=examples("arena worker tls://10.0.0.1:8786", "arena worker tls://10.0.0.1:8786 --tls keys")
)
@click.argument("address")
@click.option(
    "--tls",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("certificates"),
    show_default=True,
    help="Folder of the certificate.",
)
def worker(address: str, tls: Path) -> None:
    """Play for leagues on the cluster of the scheduler at ADDRESS, on all cores that this process may use.

    Comes back when the scheduler does, until it is stopped. The folder of the certificate is made by `python
    -m arena.cluster certificates` (docs/cluster.md).
    """
    from arena.cluster.address import OnCluster, check_address
    from arena.cluster.worker import main

    folder = None if address.startswith("tcp:") else tls
    check_address(OnCluster(address, folder))
    main(address, folder)
