"""The open league of `tests.runner.whole` on a real Dask cluster, every part of which is killed meanwhile."""

from __future__ import annotations

import re
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import psutil
import pytest

from arena.store.views import MatchState
from tests.cluster_engine import Cluster, cluster, make_certificates
from tests.cut import Cable
from tests.runner import whole
from tests.running import Run, finished, make_league, matches

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("cluster")]

PATIENCE = 90.0


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return whole.open_league(tmp_path_factory)


@dataclass
class Wired:
    """A cluster of two workers. The second of them and the runs are connected by cables."""

    cluster: Cluster
    second_worker: Cable
    runs: Cable

    def run(self, league: Path) -> Run:
        """Begin to play on it."""
        assert self.cluster.certificates is not None
        self.cluster.certificates.enter(league, "client")
        return Run(league, "--on", self.cluster.address_by(self.runs.port))

    def start_workers(self) -> None:
        """Start those that do not run, as a supervisor does."""
        for number in range(2):
            name = f"worker-{number}"
            if name not in self.cluster.running or self.cluster.running[name].poll() is not None:
                self.cluster.start_worker(name, to=self.second_worker.port if number == 1 else 0)

    def nanny(self, number: int) -> int:
        return self.cluster.running[f"worker-{number}"].pid


@contextmanager
def wired(folder: Path) -> Iterator[Wired]:
    with (
        cluster(folder, workers=0) as made,
        Cable(made.port) as second_worker,
        Cable(made.port) as runs,
    ):
        found = Wired(made, second_worker, runs)
        found.start_workers()
        for number in range(2):
            made.wait_for(f"worker-{number}", "Registered to:")
        yield found


def ended(run: Run, code: int = 0) -> str:
    """What a run has said at its end."""
    outcome = run.end(PATIENCE)
    assert outcome.code == code, outcome.err
    return outcome.err


def below(pid: int, command: str) -> list[psutil.Process]:
    """The processes below one whose command line has this word."""
    found = []
    with suppress(psutil.NoSuchProcess):
        for process in psutil.Process(pid).children(recursive=True):
            with suppress(psutil.Error):
                if command in process.cmdline():
                    found.append(process)
    return found


def worker_of(nanny: int) -> list[psutil.Process]:
    """The worker process below a nanny: the one that is started for it alone."""
    with suppress(psutil.Error):
        return [
            one
            for one in psutil.Process(nanny).children()
            if "resource_tracker" not in " ".join(one.cmdline())
        ]
    return []


def wait_for_more(run: Run, more: int = 3) -> None:
    run.wait_for_matches(finished(run.league) + more)


def test_a_league_on_a_cluster_that_is_killed_piece_by_piece_is_the_same(
    tmp_path: Path, opened: Path
) -> None:
    """Bots come, are built on the hosts, are improved and leave; then two stages follow."""
    league = whole.make_open(tmp_path / "league")
    with wired(tmp_path / "cluster") as on:
        a_coordinator_is_killed(on, league)
        whole.change(league, 1)
        workers_and_the_bridge_are_killed(on, league)
        whole.change(league, 2)
        a_worker_hangs_and_the_scheduler_is_killed(on, league)
        whole.change(league, 3)
        connections_are_cut_and_the_run_is_stopped(on, league)
        # The bots end with the run: what is left of the cluster is what Dask's own commands have started.
        deadline = time.monotonic() + PATIENCE
        names = list(on.cluster.running)
        while left := [p for name in names for p in below(on.cluster.running[name].pid, "host")]:
            assert time.monotonic() < deadline, left
            time.sleep(0.1)
    assert whole.fields(league) == whole.fields(opened)
    whole.assert_as(league, opened)
    for season in whole.seasons(league):
        states = {match.state for match in matches(league, season.number)}
        assert states <= {MatchState.FINISHED, MatchState.INTERRUPTED}, "no loss there is a failed attempt"


def a_coordinator_is_killed(on: Wired, league: Path) -> None:
    run = on.run(league)
    wait_for_more(run)
    bridges = below(run.process.pid, "bridge")
    run.kill()
    psutil.wait_procs(bridges, PATIENCE)
    assert not [bridge for bridge in bridges if bridge.is_running()]
    ended(on.run(league))


def workers_and_the_bridge_are_killed(on: Wired, league: Path) -> None:
    run = on.run(league)
    for number in range(3):
        wait_for_more(run)
        victims = worker_of(on.nanny(number)) if number < 2 else below(run.process.pid, "bridge")
        for victim in victims:
            with suppress(psutil.Error):
                victim.kill()
    ended(run)


def a_worker_hangs_and_the_scheduler_is_killed(on: Wired, league: Path) -> None:
    """The worker comes back with an old result, and the scheduler's workers end and are started again."""
    run = on.run(league)
    wait_for_more(run)
    stopped = worker_of(on.nanny(0))
    for process in stopped:
        process.suspend()
    run.wait_for(lambda: re.search(r"\(tls://.*\): it ", run.said()) is not None)
    for process in stopped:
        with suppress(psutil.NoSuchProcess):  # its nanny has ended it
            process.resume()
    wait_for_more(run)
    on.cluster.kill("scheduler")
    for number in range(2):
        on.cluster.running.pop(f"worker-{number}").wait(PATIENCE)
    on.cluster.start_scheduler()
    on.cluster.wait_for("scheduler", "Scheduler at:", times=2)
    on.start_workers()
    said = ended(run)
    # A client of Dask that reconnects in the wrong moment ends its bridge instead.
    assert "waited for" in said or "another one is started" in said


def connections_are_cut_and_the_run_is_stopped(on: Wired, league: Path) -> None:
    """First that of a worker to the scheduler, then that of the bridge."""
    run = on.run(league)
    for cable in (on.second_worker, on.runs):
        run.wait_for(lambda: len(whole.seasons(league)) > 1)
        before = len(matches(league, 2, MatchState.FINISHED))
        run.wait_for(lambda before=before: len(matches(league, 2, MatchState.FINISHED)) > before)  # type: ignore[misc]
        cable.cut()
        time.sleep(1.0)
        cable.mend()
        with suppress(subprocess.TimeoutExpired):  # what has given up is started again
            on.cluster.running["worker-1"].wait(5)
            on.start_workers()
    run.process.send_signal(signal.SIGINT)
    outcome = run.end(PATIENCE)
    # A machine that was held up by the cuts may have played the rest of the league meanwhile.
    assert outcome.code == 0 or "to resume: arena run league.toml" in outcome.err, outcome.err
    assert outcome.code in (0, 130), outcome.err
    assert not matches(league, 2, MatchState.BEGUN)
    ended(on.run(league))


def test_who_cannot_be_let_in_is_told_in_a_sentence_what_to_do(tmp_path: Path) -> None:
    league = make_league(tmp_path, bots=3)
    others = make_certificates(tmp_path / "others", "client")
    with cluster(tmp_path / "cluster", workers=0) as made:
        assert made.certificates is not None
        tls, tcp, nobody = made.address, made.address.replace("tls:", "tcp:"), made.address[:-5] + "1"
        for address, whose, words in (
            (tls, others, "refuses the certificate, or is not the scheduler"),
            (tcp, others, "or the one there wants TLS"),
            (nobody, made.certificates, "no scheduler answers"),
        ):
            whose.enter(league, "client", ca=made.certificates.ca)
            said = ended(Run(league, "--on", address), 2)
            assert words in said
            assert "What was played is stored. To go on: arena run league.toml --on" in said
