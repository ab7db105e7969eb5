"""`arena run --on` before it connects to anything: wrong options, files that are not there."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.calling import Arena
from tests.cluster_engine import make_certificate, needs_openssl, on_tls
from tests.running import edit, make_league

LOCAL, FAR = "tls://127.0.0.1:8786", "tls://scheduler:8786"
PLAIN = LOCAL.replace("tls", "tcp")


@pytest.fixture
def league(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """One session; no match is played to estimate how long it takes."""
    monkeypatch.setattr("arena.runner.trial.try_sessions", lambda *_: 0.5)
    return make_league(tmp_path, bots=3, sandbox="auto")


@pytest.fixture
def tls(tmp_path_factory: pytest.TempPathFactory, league: Path) -> Path:
    """The folder of a certificate, which the league file names."""
    made = make_certificate(tmp_path_factory.mktemp("tls") / "certificates")
    on_tls(league, made)
    return made


def refused(arena: Arena, league: Path, *options: str) -> str:
    """Return the one sentence with which a run and a dry run end at once: neither made anything."""
    before = sorted(league.parent.iterdir())
    said = []
    for more in ([], ["--dry-run"]):
        called = arena("run", league, *options, *more)
        assert (called.code, called.out) == (2, "")
        head, error = called.err.rsplit("Error: ", 1)
        assert "Traceback" not in head
        assert error.count("\n") == 1
        said.append(error.strip())
    assert said[0] == said[1]
    assert sorted(league.parent.iterdir()) == before
    return said[0]


def test_referees_of_this_machine_do_not_go_with_a_cluster(arena: Arena, league: Path) -> None:
    assert refused(arena, league, "--on", PLAIN, "--jobs", "2") == (
        "--jobs is for this machine: a worker has a referee for each of its cores."
    )


@needs_openssl
@pytest.mark.parametrize(
    "address",
    [
        "scheduler:8786",
        "10.0.0.1",
        "tls://scheduler",
        "http://h:1",
        "tls://:8786",
        "tls://h:x",
        "tls://h:0",
        "",
    ],
)
def test_an_address_that_is_none_is_named_with_one_that_is(
    arena: Arena, league: Path, tls: Path, address: str
) -> None:
    said = refused(arena, league, "--on", address)
    assert said == f"{address}: expected a scheduler's address, such as {FAR}"


@needs_openssl
def test_beyond_this_machine_neither_tls_nor_sandbox_may_be_missing(
    arena: Arena, league: Path, tls: Path
) -> None:
    assert "a cluster beyond this machine needs TLS" in refused(
        arena, league, "--on", FAR.replace("tls", "tcp")
    )
    off = ("--on", FAR, "--sandbox", "off")
    assert "a cluster beyond this machine needs a sandbox" in refused(arena, league, *off)
    edit(league, 'mode = "auto"', 'mode = "off"')
    assert "a cluster beyond this machine needs a sandbox" in refused(arena, league, *off[:-2])


@needs_openssl
def test_a_dry_run_says_where_it_would_be_played_and_connects_to_nothing(
    arena: Arena, league: Path, tls: Path
) -> None:
    """Nobody is called scheduler here; the run itself would say so."""
    called = arena("run", league, "--dry-run", "--on", FAR)
    assert (called.code, called.err) == (0, "")
    assert f"cluster   {FAR}, which a dry run does not connect to" in called.out
    assert "not known: a session to measure it would need the cluster" in called.out
    assert max(map(len, called.out.splitlines())) <= 80
    assert "cluster" not in arena("run", league, "--dry-run").out


def test_a_worker_is_refused_in_a_sentence_what_a_run_is(arena: Arena, tmp_path: Path) -> None:
    for words, said in (
        (["scheduler:8786"], "expected a scheduler's address, such as tls://scheduler:8786"),
        (["tcp://scheduler:8786"], "a cluster beyond this machine needs TLS"),
        ([FAR, "--tls", str(tmp_path)], f"{tmp_path}/cert.pem: No such file or directory"),
    ):
        called = arena("worker", *words)
        assert (called.code, called.out) == (2, "")
        assert said in called.err


@needs_openssl
def test_a_certificate_is_made_once(tmp_path: Path) -> None:
    folder = make_certificate(tmp_path / "certificates")
    before = (folder / "cert.pem").read_bytes()
    argv = [sys.executable, "-m", "arena.cluster", "certificates", str(folder)]
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "is there already; a new certificate would lock out who has the old one" in done.stderr
    assert (folder / "cert.pem").read_bytes() == before
    away = subprocess.run(
        [*argv[:3], "scheduler", FAR, "--tls", str(tmp_path)], capture_output=True, text=True, check=False
    )
    assert "cert.pem: No such file or directory (python -m arena.cluster certificates" in away.stderr
