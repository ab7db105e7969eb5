"""`arena worker`: has this machine play for leagues on a cluster. Decides nothing."""

from __future__ import annotations

from pathlib import Path

import click

from arena.cli.options import examples


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
    from arena.cluster.worker import main
    from arena.runner.cluster import OnCluster, check_address

    folder = None if address.startswith("tcp:") else tls
    check_address(OnCluster(address, folder))
    main(address, folder)
