"""`python -m arena.cluster`: the certificate and the scheduler of a cluster, and processes of its runs."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import click

from arena.cluster.worker import CERTIFICATE, KEY, NO_DASK, SETTINGS, has_dask
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
    """Be the scheduler of a cluster at ADDRESS, such as tls://10.0.0.1:8786, as Dask's own command is."""
    if not has_dask():
        raise click.ClickException(NO_DASK)
    argv = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--host", address, "--no-dashboard"]
    argv += ["--dashboard-address", "127.0.0.1:0"]
    if address.startswith("tls:"):
        if not (tls / KEY).exists():
            raise click.ClickException(f"{tls / KEY}: no such file; python -m arena.cluster certificates")
        cert = str(tls / CERTIFICATE)
        argv += ["--tls-ca-file", cert, "--tls-cert", cert, "--tls-key", str(tls / KEY)]
    settings = {_variable(key): str(value) for key, value in SETTINGS.items()}
    os.execve(sys.executable, argv, {**os.environ, **settings})  # noqa: S606 - no shell is wanted


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


def _variable(key: str) -> str:
    """Return the environment variable that is a setting of Dask."""
    return f"DASK_{key.replace('.', '__').replace('-', '_').upper()}"


if __name__ == "__main__":
    cluster(prog_name="python -m arena.cluster")
