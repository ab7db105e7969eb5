"""The open league of `tests.runner.whole` on a real cluster, every part of which is killed meanwhile."""

from __future__ import annotations

import random
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from arena.store.views import MatchState
from tests.cluster_engine import Cluster, cluster, make_certificate, needs_openssl, on_tls
from tests.runner import whole
from tests.running import Run, finished, make_league, matches

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("cluster"), needs_openssl]

PATIENCE = 90.0
LONGEST = 600.0


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return whole.open_league(tmp_path_factory)


def below(pid: int, command: str) -> list[psutil.Process]:
    """The processes below one whose command line has this word."""
    found = []
    with suppress(psutil.NoSuchProcess):
        for process in psutil.Process(pid).children(recursive=True):
            with suppress(psutil.Error):
                if command in process.cmdline():
                    found.append(process)
    return found


def at_some_moment(run: Run) -> bool:
    """Wait until the run has played a little more, or is over; say whether it goes on."""
    before, deadline = finished(run.league), time.monotonic() + LONGEST
    while run.process.poll() is None and finished(run.league) == before:
        assert time.monotonic() < deadline, run.said()
        time.sleep(0.02)
    time.sleep(random.random())
    return run.process.poll() is None


def ended(run: Run, code: int = 0) -> str:
    """What a run has said at its end."""
    outcome = run.end(LONGEST)
    assert outcome.code == code, outcome.err
    return outcome.err


def test_a_league_on_a_cluster_that_is_killed_piece_by_piece_is_the_same(
    tmp_path: Path, opened: Path
) -> None:
    """Bots come, are built on the hosts, are improved and leave; then two stages follow.

    However far a run has come when something is killed: the league goes on from there, or it is over.
    """
    league = whole.make_open(tmp_path / "league")
    with cluster(tmp_path / "cluster", workers=3) as on:
        on_tls(league, on.certificate)
        kills = (a_coordinator, a_worker_and_the_bridge, the_scheduler, the_run_in_order)
        for step, kill in enumerate(kills):
            whole.change(league, step)
            kill(on, league)
        # The bots end with the run: workers stay, and nothing is below them.
        wait_until(lambda: not any(below(one.pid, "host") for one in on.running.values()))
    assert whole.fields(league) == whole.fields(opened)
    whole.assert_as(league, opened)
    for season in whole.seasons(league):
        states = {match.state for match in matches(league, season.number)}
        assert states <= {MatchState.FINISHED, MatchState.INTERRUPTED}, "no loss there is a failed attempt"


def wait_until(true: Callable[[], object]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.1)


def go_on(on: Cluster, league: Path) -> Run:
    return Run(league, "--on", on.address)


def a_coordinator(on: Cluster, league: Path) -> None:
    """Its bridge notices, and the hosts are free for the next run."""
    run = go_on(on, league)
    at_some_moment(run)
    bridges = below(run.process.pid, "bridge")
    run.kill()
    psutil.wait_procs(bridges, PATIENCE)
    assert not [bridge for bridge in bridges if bridge.is_running()]
    ended(go_on(on, league))


def a_worker_and_the_bridge(on: Cluster, league: Path) -> None:
    run = go_on(on, league)
    if at_some_moment(run):
        on.kill("worker-0")
        on.start_worker(0)
    if at_some_moment(run):
        for bridge in below(run.process.pid, "bridge"):
            bridge.kill()
    if at_some_moment(run):
        for host in below(on.running["worker-1"].pid, "host"):
            host.kill()
    ended(run)


def the_scheduler(on: Cluster, league: Path) -> None:
    """The workers come back by themselves."""
    run = go_on(on, league)
    at_some_moment(run)
    on.kill("scheduler")
    time.sleep(random.random())
    on.start_scheduler()
    ended(run)


def the_run_in_order(on: Cluster, league: Path) -> None:
    """Ctrl-C finishes what is being played, unless all of it has been played before."""
    run = go_on(on, league)
    at_some_moment(run)
    run.process.send_signal(signal.SIGINT)
    outcome = run.end(LONGEST)
    assert outcome.code in (0, 130), outcome.err
    if outcome.code:
        assert "to resume: arena run league.toml" in outcome.err
        numbers = [season.number for season in whole.seasons(league)]
        assert not [one for number in numbers for one in matches(league, number, MatchState.BEGUN)]
        ended(go_on(on, league))


def test_who_cannot_be_let_in_is_told_in_a_sentence_what_to_do(tmp_path: Path) -> None:
    league = make_league(tmp_path, bots=3)
    others = make_certificate(tmp_path / "others")
    with cluster(tmp_path / "cluster", workers=0) as made:
        made.wait_for("scheduler", "the scheduler is at")
        tls, tcp, nobody = made.address, made.address.replace("tls:", "tcp:"), made.address[:-5] + "1"
        for address, whose, words in (
            (tls, others, "refuses the certificate, or is not the scheduler"),
            (tcp, others, "or the one there wants TLS"),
            (nobody, made.certificate, "no scheduler answers"),
        ):
            on_tls(league, whose)
            said = ended(Run(league, "--on", address), 2)
            assert words in said
            assert "What was played is stored. To go on: arena run league.toml --on" in said
