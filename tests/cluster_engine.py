"""A Dask cluster of several processes on this machine, as docs/cluster.md starts it.

Every process is started by the commands that an organiser uses, over loopback, with TLS unless a test asks
for none. What a test kills it kills by its process id.
"""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import pytest

__all__ = ["Certificates", "Cluster", "cluster", "make_certificates", "needs_openssl"]

needs_openssl = pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl is not installed")

PATIENCE = 60.0
SETTINGS = {
    "DASK_DISTRIBUTED__WORKER__PROFILE__ENABLED": "False",
    "DASK_DISTRIBUTED__ADMIN__TICK__INTERVAL": "1s",
    "DASK_DISTRIBUTED__ADMIN__SYSTEM_MONITOR__INTERVAL": "10s",
    "DASK_DISTRIBUTED__SCHEDULER__WORK_STEALING": "False",
    "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "0",
    "DASK_DISTRIBUTED__SCHEDULER__WORKER_TTL": "5s",
    "DASK_DISTRIBUTED__SCHEDULER__LOCKS__LEASE_TIMEOUT": "30s",
}
"""The settings of docs/cluster.md, but that a worker that says nothing is given up after 5 seconds."""


@dataclass(frozen=True)
class Certificates:
    """The files of an authority, and of certificates signed by it, by their names."""

    folder: Path

    @property
    def ca(self) -> Path:
        return self.folder / "ca.pem"

    def options(self, name: str) -> list[str]:
        """The options of Dask's commands for the certificate of this name."""
        files = {"--tls-ca-file": self.ca, "--tls-cert": self.cert(name), "--tls-key": self.key(name)}
        return [str(part) for pair in files.items() for part in pair]

    def enter(self, league: Path, name: str, ca: Path | None = None) -> None:
        """Have a league file name this certificate, in place of any other; `ca`: of another authority."""
        text = league.read_text().partition("[cluster]")[0].rstrip("\n")
        files = f'ca = "{ca or self.ca}", cert = "{self.cert(name)}", key = "{self.key(name)}"'
        league.write_text(f"{text}\n[cluster]\ntls = {{ {files} }}\n")

    def cert(self, name: str) -> Path:
        return self.folder / f"{name}.pem"

    def key(self, name: str) -> Path:
        return self.folder / f"{name}.key"


def make_certificates(folder: Path, *names: str) -> Certificates:
    """Make an authority and a certificate for each name, by the commands of docs/cluster.md."""
    folder.mkdir(parents=True, exist_ok=True)

    def openssl(*arguments: str) -> None:
        subprocess.run(["openssl", *arguments], cwd=folder, check=True, capture_output=True)

    key = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")
    openssl("req", "-x509", *key, "-keyout", "ca.key", "-out", "ca.pem", "-days", "365", "-subj", "/CN=arena")
    for name in names:
        openssl(
            "req", "-x509", *key, "-CA", "ca.pem", "-CAkey", "ca.key", "-keyout", f"{name}.key",
            "-out", f"{name}.pem", "-days", "365", "-subj", f"/CN={name}",
            "-addext", "basicConstraints=critical,CA:FALSE",
        )  # fmt: skip
    return Certificates(folder)


def _free_port() -> int:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        return int(listening.getsockname()[1])


@dataclass
class Cluster:
    """A scheduler and workers. `cache`: the folder that stands for that of the host."""

    folder: Path
    cache: Path
    certificates: Certificates | None = None
    settings: dict[str, str] = field(default_factory=dict)
    port: int = field(default_factory=_free_port)
    running: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)

    @property
    def address(self) -> str:
        return self.address_by(self.port)

    def address_by(self, port: int) -> str:
        return f"{'tcp' if self.certificates is None else 'tls'}://127.0.0.1:{port}"

    def start_scheduler(self) -> subprocess.Popen[bytes]:
        return self._start(
            "scheduler", "scheduler", "--host", self.address, "--no-dashboard", "--dashboard-address", ":0"
        )

    def start_worker(self, name: str, to: int = 0) -> subprocess.Popen[bytes]:
        """Start a worker. `to`: the port that leads to the scheduler, if it is another one."""
        options = ("--nthreads", "1", "--no-dashboard", "--death-timeout", "60", "--host", "127.0.0.1")
        return self._start(name, "worker", self.address_by(to or self.port), *options, "--name", name)

    def _start(self, name: str, command: str, *options: str) -> subprocess.Popen[bytes]:
        tls = [] if self.certificates is None else self.certificates.options(command)
        environment = {
            **os.environ, **SETTINGS, **self.settings,
            "XDG_CACHE_HOME": str(self.cache), "TMPDIR": str(self.folder),
        }  # fmt: skip
        with self.log(name).open("ab") as log:
            process = subprocess.Popen(
                [sys.executable, "-m", "dask", command, *options, *tls],
                env=environment, stdout=log, stderr=log, stdin=subprocess.DEVNULL, cwd=self.folder,
                start_new_session=True,
            )  # fmt: skip
        self.running[name] = process
        return process

    def log(self, name: str) -> Path:
        return self.folder / f"{name}.log"

    def wait_for(self, name: str, text: str, times: int = 1) -> None:
        """Wait until a process has written this into its log so often."""
        deadline = time.monotonic() + PATIENCE
        while self.log(name).read_text(errors="replace").count(text) < times:
            if time.monotonic() > deadline or self.running[name].poll() is not None:
                raise AssertionError(f"{name}: no {text!r} in:\n{self.log(name).read_text(errors='replace')}")
            time.sleep(0.05)

    def kill(self, name: str) -> None:
        """Kill -9 a process of the cluster, and wait for it. What is below it stays."""
        process = self.running.pop(name)
        process.kill()
        process.wait()

    def close(self) -> None:
        """End everything, workers first."""
        for process in reversed(self.running.values()):
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGTERM)
        for process in self.running.values():
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()


@contextmanager
def cluster(folder: Path, workers: int = 2, *, tls: bool = True, **settings: str) -> Iterator[Cluster]:
    """A cluster with so many workers, ready to be used."""
    certificates = make_certificates(folder / "tls", "scheduler", "worker", "client") if tls else None
    (folder / "cache").mkdir(parents=True)
    made = Cluster(folder, folder / "cache", certificates, settings)
    try:
        made.start_scheduler()
        made.wait_for("scheduler", "Scheduler at:")
        for number in range(workers):
            made.start_worker(f"worker-{number}")
        for number in range(workers):
            made.wait_for(f"worker-{number}", "Registered to:")
        yield made
    finally:
        made.close()
