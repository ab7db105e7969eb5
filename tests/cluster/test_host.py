"""The host process: why a host is left out, in words, and what it hides from bots in a real sandbox."""

from __future__ import annotations

import json
import os
import resource
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from arena.bot.snapshot import Snapshot
from arena.cluster.host_folder import FOLDER, host_id
from arena.cluster.orders import ORDER_LINES, Facts, HostMessage, Order, Ready, SandboxWish, Unready, Why
from arena.referee.jobs import Finished
from arena.sandbox import Level, Limits
from tests.cluster.working import (
    ARENA,
    OFF,
    REQUIRED,
    WorkerProcess,
    facts_of,
    host_folder,
    hostile_bots,
    order_of,
    said,
    session,
)
from tests.referees import PATIENCE
from tests.sandbox.starting import as_ordinary_user, needs_sandbox
from tests.tables import command

_AUTO = SandboxWish("auto", needed=False, limits=Limits(), user="nobody")


@pytest.fixture(scope="module")
def bots(tmp_path_factory: pytest.TempPathFactory) -> Snapshot:
    """A copy of the hostile bots."""
    return hostile_bots(tmp_path_factory.mktemp("bots"))


@pytest.fixture
def worker(tmp_path: Path, bots: Snapshot) -> Iterator[WorkerProcess]:
    """A worker whose host has the bots."""
    with WorkerProcess(tmp_path / "host") as made:
        assert made.bring(bots) == ""
        yield made


def good(bots: Snapshot, wish: SandboxWish = OFF) -> Order:
    commands = [replace(command("good", bot=f"good-{name}"), folder=bots.digest) for name in "abc"]
    return order_of(commands, wish=wish)


def answered(messages: list[HostMessage]) -> Unready:
    """Why a host is left out: after its facts, in text without a traceback."""
    facts, answer = messages
    assert isinstance(facts, Facts)
    assert isinstance(answer, Unready)
    assert "Traceback" not in answer.text
    return answer


def test_what_a_host_says_of_itself(worker: WorkerProcess, bots: Snapshot) -> None:
    facts = facts_of(worker.begin(good(bots)))
    assert (facts.host, facts.name, facts.arena) == (host_id(), socket.gethostname(), ARENA)
    assert facts.cores == len(os.sched_getaffinity(0))
    assert facts.python == ".".join(map(str, sys.version_info[:3]))
    assert facts.sandbox == "off"


@pytest.mark.slow
def test_another_arena_is_named_with_both_versions(worker: WorkerProcess, bots: Snapshot) -> None:
    order = json.loads(ORDER_LINES.write(good(bots)).removeprefix(b"Order "))
    newer = {**order, "version": order["version"] + 1, "more": "than this arena knows"}
    jobs = {**order, "setup": {**order["setup"], "version": 99}}
    arena = {**order, "setup": {**order["setup"], "arena": "9.8.7"}}
    for foreign, named in ((newer, "orders 2"), (jobs, "jobs 99"), (arena, "9.8.7")):
        line = b"Order " + json.dumps(foreign).encode() + b"\n"
        answer = answered(said(worker.call("begin", line)))
        assert answer.why is Why.ARENA
        assert named in answer.text
        assert f"this host's is {ARENA} (orders 1, jobs 1)" in answer.text
    answer = answered(said(worker.call("begin", b'Order {"run": "mine-1"}\n')))
    assert answer.why is Why.ARENA


def test_where_no_sandbox_is_asked_for_but_needed(worker: WorkerProcess, bots: Snapshot) -> None:
    answer = answered(worker.begin(good(bots, replace(OFF, needed=True))))
    assert answer.why is Why.SANDBOX


@pytest.mark.slow
def test_without_bubblewrap_it_depends_on_what_the_league_asks(bots: Snapshot, tmp_path: Path) -> None:
    tools = tmp_path / "tools"
    tools.mkdir()
    for name in ("python3", "sh"):
        (tools / name).symlink_to(shutil.which(name) or "")
    with WorkerProcess(tmp_path / "host", environment={"PATH": str(tools)}) as poor:
        assert poor.bring(bots) == ""
        for wish in (REQUIRED, replace(_AUTO, needed=True), replace(_AUTO, mode="require")):
            answer = answered(poor.begin(good(bots, wish)))
            assert answer.why is Why.SANDBOX
            assert "bubblewrap is not installed" in answer.text
            assert "\n" not in answer.text
        facts, ready = poor.begin(good(bots, _AUTO))
        assert isinstance(facts, Facts)
        assert facts.sandbox == "off"
        assert isinstance(ready, Ready)
        assert ready.said[0].startswith("WARNING: bots run WITHOUT A SANDBOX")


@pytest.mark.slow
def test_a_sandbox_that_cannot_be_as_wished(worker: WorkerProcess, bots: Snapshot) -> None:
    answer = answered(worker.begin(good(bots, replace(_AUTO, read_only=("/no/such/folder",)))))
    assert answer.why is Why.SANDBOX
    assert "/no/such/folder: there is no such file or folder" in answer.text


@pytest.mark.slow
def test_a_bundle_that_never_came_is_a_bot_that_is_not_ready(bots: Snapshot, tmp_path: Path) -> None:
    with WorkerProcess(tmp_path / "host") as empty:
        answer = answered(empty.begin(good(bots)))
    assert answer.why is Why.BOT
    assert "its files are not on this host" in answer.text


@pytest.mark.slow
def test_a_folder_that_cannot_be_made_is_said_in_one_sentence(bots: Snapshot, tmp_path: Path) -> None:
    (tmp_path / "host").write_text("a file")
    with WorkerProcess(tmp_path / "host") as worker:
        why = worker.bring(bots)
        answer = answered(worker.begin(good(bots)))
    assert why == answer.text
    assert answer.why is Why.ROOM
    assert f"Not a directory; make room there, or name another folder with {FOLDER}" in why


@pytest.mark.slow
def test_a_full_disk_is_said_in_one_sentence_and_leaves_nothing(bots: Snapshot, tmp_path: Path) -> None:
    """The limit of a file's size stands for the end of a disk: the write that goes beyond it fails."""
    limited = f"import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (4096, {resource.RLIM_INFINITY}))"
    with WorkerProcess(tmp_path / "host", first=limited) as worker:
        why = worker.bring(bots)
        assert "File too large; make room there" in why
        folder = host_folder(tmp_path / "host")
        assert list(folder.bundles.iterdir()) == []
        assert worker.call("missing", [bots.digest]) == [bots.digest]
    none = f"import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (0, {resource.RLIM_INFINITY}))"
    with WorkerProcess(tmp_path / "host", first=none) as worker:
        answer = answered(worker.begin(good(bots)))
        assert answer.why is Why.ROOM
        assert "File too large; make room there" in answer.text
    with WorkerProcess(tmp_path / "host") as roomy:
        assert roomy.bring(bots) == ""
        assert isinstance(roomy.begin(good(bots))[-1], Ready)


def own_network() -> tuple[str, ...]:
    """What starts a command where nobody else has claimed a core: names of cores belong to a network."""
    how = ("unshare", "-n") if os.geteuid() == 0 else ("unshare", "-r", "-n")
    if subprocess.run([*how, "true"], capture_output=True, check=False).returncode:
        pytest.skip("only root can try what root does")
    return how


@pytest.mark.slow
def test_workers_claim_their_cores_and_one_too_many_is_left_out(bots: Snapshot, tmp_path: Path) -> None:
    body = (
        "import os, sys\n"
        "from arena.cluster import worker\n"
        "os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:2])\n"
        "lines = sys.stdin.buffer.readline()\n"
        "cores = len(os.sched_getaffinity(0))\n"
        "workers = [worker.Worker() for _ in range(cores + 1)]\n"
        "told = [one.begin(lines)[-1] for one in workers]\n"
        "workers[0].leave('league-1')\n"
        "workers[0]._referee.close()\n"  # waits for its end
        "told.append(workers[-1].begin(lines)[-1])\n"
        "sys.stdout.buffer.write(b''.join(told)); sys.stdout.buffer.flush()\n"
    )
    with WorkerProcess(tmp_path / "host") as bringer:
        assert bringer.bring(bots) == ""
    order = replace(good(bots), pinned=True)
    done = subprocess.run(
        [*own_network(), sys.executable, "-c", body],
        input=ORDER_LINES.write(order),
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2]), FOLDER: str(tmp_path / "host")},
        stdout=subprocess.PIPE,
        timeout=PATIENCE,
        check=True,
    )
    *ready, refused, again = said(done.stdout.splitlines())
    cores = [one.core for one in ready if isinstance(one, Ready)]
    assert sorted(core for core in cores if core is not None) == sorted(os.sched_getaffinity(0))[:2]
    assert isinstance(refused, Unready)
    assert refused.why is Why.CORE
    assert "claimed by other workers" in refused.text
    assert isinstance(again, Ready)
    assert again.core == cores[0], "the claim is gone with the process"


@pytest.mark.slow
def test_keys_and_ports_are_hidden_from_bots(bots: Snapshot, tmp_path: Path) -> None:
    """Even if they lie in a folder that the league file shows to bots."""
    needs_sandbox("root" if os.geteuid() == 0 else "ordinary")
    shown = tmp_path / "shown"
    (shown / "tls").mkdir(parents=True)
    shown.chmod(0o755)
    for name in ("data.txt", "tls/worker.key", "tls/ca.pem"):
        (shown / name).write_text(f"the secret of {name}")
    (shown / "link.key").symlink_to("tls/worker.key")
    link = str(shown / "link.key")
    ca = str(shown / "tls" / "ca.pem")
    arguments = ("--tls-key", link, f"--tls-ca-file={ca}")
    with socket.create_server(("127.0.0.1", 0)) as server:
        tries = {
            "shows": ("reads", str(shown / "data.txt")),
            "key": ("reads", str(shown / "tls" / "worker.key")),
            "link": ("reads", link),
            "ca": ("reads", ca),
            "host": ("reads", str(host_folder(tmp_path / "host").path / "locks" / "place-0")),
            "port": ("connects", str(server.getsockname()[1])),
        }
        commands = [
            replace(command("pries", *what, bot=name), folder=bots.digest) for name, what in tries.items()
        ]
        order = order_of(commands, wish=replace(REQUIRED, read_only=(str(shown),)))
        with WorkerProcess(tmp_path / "host", arguments=arguments) as worker:
            assert worker.bring(bots) == ""
            assert isinstance(worker.begin(order)[-1], Ready)
            messages, ended = worker.play(order.run, session(commands))
    assert ended == ""
    [record] = [one.record for one in messages if isinstance(one, Finished)]
    noted = {seat.bot: seat.stderr_head for seat in record.seats}
    assert "got the secret of data.t" in noted["shows"], "else nothing is tried here"
    for bot in tries.keys() - {"shows"}:
        assert noted[bot].startswith("refused: "), noted


@pytest.mark.slow
def test_a_worker_of_an_ordinary_user_plays_in_a_sandbox(bots: Snapshot, tmp_path: Path) -> None:
    """Most hosts of a cluster are not played on by root."""
    needs_sandbox("root")
    open_to_all = tmp_path / "open"
    open_to_all.mkdir()
    open_to_all.chmod(0o777)
    order = good(bots, REQUIRED)
    with WorkerProcess(open_to_all / "host", before=as_ordinary_user(open_to_all)) as worker:
        assert worker.bring(bots) == ""
        facts, ready = worker.begin(order)
        assert isinstance(ready, Ready), ready
        assert isinstance(facts, Facts)
        assert facts.sandbox == Level.OWN_FILES
        messages, ended = worker.play(order.run, session(order.setup.commands))
    assert ended == ""
    [record] = [one.record for one in messages if isinstance(one, Finished)]
    assert record.faults == ()
