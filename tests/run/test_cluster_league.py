"""Whole leagues on a real Dask cluster of several processes, some of which are killed while it is played."""

from __future__ import annotations

import random
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from arena.export import What
from arena.store.views import MatchState
from tests.cluster_engine import Cluster, cluster, make_certificates
from tests.cut import Cable
from tests.postgres import server
from tests.run.test_resume import assert_sound, exported
from tests.running import Run, make_league, make_open_league, matches, play, records
from tests.shared import once

SLOW = 0.002
"""Seconds a play: the league goes on long enough for many kills."""
CYCLES = 4
MATCHES = 24 * CYCLES
PATIENCE = 90.0
RESULTS = [what for what in What if what is not What.HOSTS]
"""What is the same wherever a league is played."""


@pytest.fixture(scope="module")
def local(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same league, played on this machine alone."""

    def make(folder: Path) -> None:
        assert play(make_league(folder, cycles=CYCLES, slow=SLOW)).code == 0

    return once(tmp_path_factory, "local", make) / "league.toml"


@pytest.fixture
def three(tmp_path: Path) -> Iterator[Cluster]:
    with cluster(tmp_path / "cluster", workers=3) as made:
        yield made


def start(tmp_path: Path, on: Cluster) -> Run:
    """Begin to play the league on a cluster whose workers share the cores of this machine."""
    path = tmp_path / "league.toml"
    if not path.exists():
        make_league(tmp_path, cycles=CYCLES, slow=SLOW)
    return Run(path, *on.options, "--share-cores")


def ended(run: Run, code: int = 0) -> str:
    """What a run has said at its end."""
    outcome = run.end(PATIENCE)
    assert outcome.code == code, outcome.err
    return outcome.err


def assert_as_local(league: Path, local: Path) -> None:
    """Every match once, and the same matches; no loss of a process of the cluster is a failed attempt."""
    assert {replace(key, attempt=0): one for key, one in records(league).items()} == records(local)
    for what in RESULTS:
        assert exported(league, what) == exported(local, what), what
    assert {match.state for match in matches(league)} <= {MatchState.FINISHED, MatchState.INTERRUPTED}
    assert_sound(league)


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


@pytest.mark.slow
def test_a_cluster_plays_the_same_league(tmp_path: Path, three: Cluster, local: Path) -> None:
    run = start(tmp_path, three)
    said = ended(run)
    assert "everything that was asked for has been played" in said
    assert_as_local(run.league, local)
    assert not [match for match in matches(run.league) if match.attempt]
    said = subprocess.run(
        [sys.executable, "-m", "arena", "verify", "league.toml"],
        cwd=tmp_path, capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    assert "Everything that could be checked agrees" in said


@pytest.mark.slow
def test_hosts_bridge_and_workers_that_are_killed_again_and_again(
    tmp_path: Path, three: Cluster, local: Path
) -> None:
    run = start(tmp_path, three)
    rng = random.Random(18)
    for turn in range(12):
        run.wait_for_matches(min(MATCHES - 4, 4 + 7 * turn))
        if turn % 6 == 5:
            victims = below(run.process.pid, "bridge")
        else:
            nanny = three.running[f"worker-{rng.randrange(3)}"].pid
            victims = worker_of(nanny)
        for victim in victims:
            with suppress(psutil.Error):
                victim.kill()
    ended(run)
    assert_as_local(run.league, local)


@pytest.mark.slow
def test_a_scheduler_that_is_killed_and_comes_back(tmp_path: Path, three: Cluster, local: Path) -> None:
    """Its workers end with it, as their supervisors see, who start all of it again."""
    run = start(tmp_path, three)
    run.wait_for_matches(MATCHES // 4)
    three.kill("scheduler")
    for number in range(3):
        three.running.pop(f"worker-{number}").wait(PATIENCE)
    three.start_scheduler()
    three.wait_for("scheduler", "Scheduler at:", times=2)
    for number in range(3):
        three.start_worker(f"worker-{number}")
    said = ended(run)
    assert "it is waited for" in said
    assert_as_local(run.league, local)


@pytest.mark.slow
def test_a_coordinator_that_is_killed_leaves_nothing_running_and_the_league_goes_on(
    tmp_path: Path, three: Cluster, local: Path
) -> None:
    for part in (4, 2):
        run = start(tmp_path, three)
        run.wait_for_matches(MATCHES // part)
        bridges = below(run.process.pid, "bridge")
        run.kill()
        psutil.wait_procs(bridges, PATIENCE)
        assert not [bridge for bridge in bridges if bridge.is_running()]
    ended(start(tmp_path, three))
    assert_as_local(tmp_path / "league.toml", local)
    # The bots end with the run: what is left of the cluster is what Dask's own commands have started.
    deadline = time.monotonic() + PATIENCE
    while (left := [p for name in three.running for p in below(three.running[name].pid, "host")]) and (
        time.monotonic() < deadline
    ):
        time.sleep(0.1)
    assert not left


@pytest.mark.slow
def test_a_worker_that_is_stopped_for_a_while_and_comes_back_with_an_old_result(
    tmp_path: Path, three: Cluster, local: Path
) -> None:
    run = start(tmp_path, three)
    run.wait_for_matches(MATCHES // 6)
    stopped = worker_of(three.running["worker-0"].pid)
    for process in stopped:
        process.suspend()
    run.wait_for(lambda: re.search(r"\(tls://.*\): it ", run.said()) is not None)
    for process in stopped:
        with suppress(psutil.NoSuchProcess):  # its nanny has ended it
            process.resume()
    ended(run)
    assert_as_local(run.league, local)


@pytest.mark.slow
def test_ctrl_c_finishes_what_is_being_played_and_the_league_goes_on_here(
    tmp_path: Path, three: Cluster, local: Path
) -> None:
    run = start(tmp_path, three)
    run.wait_for_matches(MATCHES // 4)
    run.process.send_signal(signal.SIGINT)
    said = ended(run, 130)
    assert "to resume: arena run league.toml" in said
    assert MatchState.INTERRUPTED not in {match.state for match in matches(run.league)}
    assert play(run.league).code == 0
    assert_as_local(run.league, local)


@pytest.mark.slow
def test_stages_an_open_league_and_bots_that_are_built_are_played_there_too(
    tmp_path: Path, three: Cluster
) -> None:
    """Each of them is played here too; what they export is equal."""

    def staged(folder: Path) -> Path:
        stages = '[[stages]]\nname = "Heats"\nkeep = 3\n[[stages]]\nname = "Final"\ncycles = 2\n'
        return make_league(folder, more=stages)

    def opened(folder: Path) -> Path:
        return make_open_league(folder, schedule="cycles = 2\n")

    def built(folder: Path) -> Path:
        league = make_league(folder, bots=3, more='build = ["{python}", "build.py"]\n')
        bot = folder / "bots/b2"
        (bot / "bot.py").rename(bot / "source.txt")
        (bot / "build.py").write_text("import os\nos.rename('source.txt', 'bot.py')\n")
        return league

    for make in (staged, opened, built):
        found = []
        for where, options in (("here", ()), ("far", (*three.options, "--share-cores"))):
            folder = tmp_path / make.__name__ / where
            folder.mkdir(parents=True)
            league = make(folder)
            assert ended(Run(league, *options)) is not None
            found.append([exported(league, what) for what in RESULTS])
        assert found[0] == found[1], make.__name__


@pytest.mark.slow
def test_connections_that_are_cut(tmp_path: Path, local: Path) -> None:
    """First those of the workers to the scheduler, then that of the bridge."""
    with (
        cluster(tmp_path / "cluster", workers=0) as made,
        Cable(made.port) as workers,
        Cable(made.port) as mine,
    ):
        for number in range(2):
            made.start_worker(f"worker-{number}", to=workers.port)
            made.wait_for(f"worker-{number}", "Registered to:")
        league = make_league(tmp_path, cycles=CYCLES, slow=SLOW)
        run = Run(league, *made.options_by(mine.port), "--share-cores")
        for turn, cable in enumerate((workers, mine, workers)):
            run.wait_for_matches(MATCHES // 5 * (turn + 1))
            cable.cut()
            time.sleep(1.0)
            cable.mend()
            # What has given up is started again, as by a supervisor.
            for name in [name for name in made.running if name.startswith("worker")]:
                with suppress(subprocess.TimeoutExpired):
                    made.running[name].wait(5)
                    made.start_worker(name, to=workers.port)
        ended(run)
    assert_as_local(league, local)


@pytest.mark.slow
def test_results_on_a_server_and_matches_on_a_cluster(tmp_path: Path, three: Cluster, local: Path) -> None:
    """Both the server and a worker are killed once."""
    with server() as own:
        address = own.database()
        league = make_league(tmp_path, cycles=CYCLES, slow=SLOW, more=f'\n[store]\nurl = "{address}"\n')
        run = Run(league, *three.options, "--share-cores")
        run.wait_for(lambda: "matches, " in run.said())
        own.stop(signal.SIGQUIT)
        for process in worker_of(three.running["worker-0"].pid):
            process.kill()
        own.start()
        ended(run)
        found, expected = (
            subprocess.run(
                [sys.executable, "-m", "arena", "export", path.name, "--what", "plays"],
                cwd=path.parent, capture_output=True, text=True, check=True,
            ).stdout
            for path in (league, local)
        )  # fmt: skip
        assert found == expected


@pytest.mark.slow
def test_who_cannot_be_let_in_is_told_in_a_sentence_what_to_do_and_nothing_is_lost(tmp_path: Path) -> None:
    league = make_league(tmp_path)
    others = make_certificates(tmp_path / "others", "client").options("client")
    with cluster(tmp_path / "cluster", workers=0) as made:
        assert made.certificates is not None
        mine = made.certificates.options("client")
        theirs = [*mine[:2], *others[2:]]
        tls, tcp, nobody = made.address, made.address.replace("tls:", "tcp:"), made.address[:-5] + "1"
        for options, words in (
            (("--on", tls, *others), "refuses the certificate, or is not the scheduler"),
            (("--on", tls, *theirs), "refuses the certificate, or is not the scheduler"),
            (("--on", tcp), "or the one there wants TLS"),
            (("--on", nobody, *mine), "no scheduler answers"),
        ):
            said = ended(Run(league, *options), 2)
            assert words in said
            assert "What was played is stored. To go on: arena run league.toml --on" in said
    assert play(league).code == 0
