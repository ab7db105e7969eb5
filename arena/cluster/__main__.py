"""`python -m arena.cluster`: the certificate and the scheduler of a cluster, and processes of its runs."""

from __future__ import annotations

import subprocess
from pathlib import Path

import click

from arena.cluster.address import CERTIFICATE, KEY, OnCluster, check_address
from arena.cluster.engine import be_scheduler
from arena.errors import UsageError
from arena.linux.folders import remove_tree

_FOLDER = Path("certificates")
_DAYS = "1096"


@click.group()
def cluster() -> None:
    """Prepare a cluster for `arena run --on`; see docs/cluster.md."""


@cluster.command()
@click.argument("folder", type=click.Path(path_type=Path), default=_FOLDER)
def certificates(folder: Path) -> None:
    """Make FOLDER with a certificate and its key, for all machines of one cluster.

    Whoever has the key belongs to the cluster.
    """
    if folder.exists():
        raise click.ClickException(
            f"{folder}: is there already; a new certificate would lock out who has the old one"
        )
    try:
        folder.mkdir(parents=True, mode=0o700)
    except OSError as error:
        raise click.ClickException(f"{folder}: cannot be made: {error.strerror}") from None
    made = [
        "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
        "-keyout", KEY, "-out", CERTIFICATE, "-days", _DAYS, "-subj", "/CN=papayoo-arena",
    ]  # fmt: skip
    try:
        done = subprocess.run(made, cwd=folder, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        folder.rmdir()
        raise click.ClickException(
            "there is no program openssl on this machine: apt install openssl"
        ) from None
    if done.returncode:
        remove_tree(folder)
        raise click.ClickException(f"openssl made no certificate: {done.stderr.strip()}")
    (folder / KEY).chmod(0o600)
    click.echo(
        f"{folder}: copy it to the scheduler's machine and to every host (scp -rp), and name it in\n"
        f'the league file: [cluster] tls = "{folder}"'
    )


@cluster.command()
@click.argument("address")
@click.option("--tls", type=click.Path(path_type=Path), default=_FOLDER, show_default=True)
def scheduler(address: str, tls: Path) -> None:
    """Be the scheduler of a cluster at ADDRESS, such as tls://10.0.0.1:8786."""
    folder = None if address.startswith("tcp:") else tls
    try:
        check_address(OnCluster(address, folder))
        be_scheduler(address, folder)
    except UsageError as error:
        raise click.ClickException(error.message) from None


@cluster.command(hidden=True)
def bridge() -> None:
    """Be the bridge of a run, which starts it."""
    from arena.cluster.bridge import main

    main()


@cluster.command(hidden=True)
@click.option("--hide", multiple=True)
def host(hide: tuple[str, ...]) -> None:
    """Be the host process of a run, which a worker starts."""
    from arena.cluster.host import main

    main(hide)


if __name__ == "__main__":
    cluster(prog_name="python -m arena.cluster")
