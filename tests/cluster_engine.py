"""A cluster of several processes on this machine, as docs/cluster.md starts it: a scheduler and workers.

Every process is started by the commands that an organiser uses, over TLS on loopback. Each worker has a
folder and a core of its own, for it stands for a host. What a test kills it kills by its process id.
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

from arena.cluster.host_folder import FOLDER

needs_openssl = pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl is not installed")

PATIENCE = 90.0


def make_certificate(folder: Path) -> Path:
    """Make the folder of a certificate, and return it."""
    argv = [sys.executable, "-m", "arena.cluster", "certificates", str(folder)]
    subprocess.run(argv, check=True, capture_output=True)
    return folder


def on_tls(league: Path, certificate: Path) -> None:
    """Have a league file name this certificate, in place of any other."""
    text = league.read_text().partition("[cluster]")[0].rstrip("\n")
    league.write_text(f'{text}\n[cluster]\ntls = "{os.path.relpath(certificate, league.parent)}"\n')


def _free_port() -> int:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        return int(listening.getsockname()[1])


@dataclass
class Cluster:
    """A scheduler and workers."""

    folder: Path
    certificate: Path
    port: int = field(default_factory=_free_port)
    running: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)

    @property
    def address(self) -> str:
        return f"tls://127.0.0.1:{self.port}"

    def start_scheduler(self) -> None:
        self._start("scheduler", "arena.cluster", "scheduler", self.address)

    def start_worker(self, number: int) -> None:
        cores = sorted(os.sched_getaffinity(0))
        self._start(
            f"worker-{number}", "arena", "worker", self.address, core=cores[number % len(cores)]
        )  # fmt: skip

    def _start(self, name: str, module: str, *words: str, core: int | None = None) -> None:
        pin = [] if core is None else ["taskset", "-c", str(core)]
        with self.log(name).open("ab") as log:
            self.running[name] = subprocess.Popen(
                [*pin, sys.executable, "-m", module, *words, "--tls", str(self.certificate)],
                env={**os.environ, FOLDER: str(self.folder / name)},
                stdout=log, stderr=log, stdin=subprocess.DEVNULL, cwd=self.folder, start_new_session=True,
            )  # fmt: skip

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
def cluster(folder: Path, workers: int) -> Iterator[Cluster]:
    """A cluster with so many workers, ready to be used."""
    folder.mkdir(parents=True)
    made = Cluster(folder, make_certificate(folder / "certificates"))
    try:
        made.start_scheduler()
        for number in range(workers):
            made.start_worker(number)
        for number in range(workers):
            made.wait_for(f"worker-{number}", f" for {made.address}")
        yield made
    finally:
        made.close()
