"""Programs of every kind started in the real sandbox: how they start, what holds them, how they end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.sandbox.starting import ENVIRONMENT, STARTERS, Cell

_OURS = "root" if os.geteuid() == 0 else "ordinary"
alike = pytest.mark.parametrize(
    "cell",
    [pytest.param(starter, marks=[] if starter == _OURS else [pytest.mark.slow]) for starter in STARTERS],
    indirect=True,
)
"""For what hardly depends on who starts it: whom we are not ourselves is tried among the slow tests."""


def test_the_running_interpreter_has_its_libraries(cell: Cell) -> None:
    done = cell.run("{python}", "-c", "import msgpack, arena.papayoo, protocol, sys; print(sys.prefix)")
    assert (done.returncode, done.stdout.strip()) == (0, sys.prefix), done.stderr


@alike
def test_a_program_of_its_own_starts(cell: Cell) -> None:
    cell.holds("run", "#!/bin/sh\nread line; echo $0 $line; exit 7\n")
    done = cell.run("./run", said="hello\n")
    assert (done.returncode, done.stdout.split()[1:]) == (7, ["hello"]), done.stderr


@alike
@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (("nonesuch",), "cannot be started: nonesuch: No such file or directory"),
        (("./data",), "cannot be started: {folder}/./data: Permission denied"),
    ],
)
def test_what_cannot_be_started_says_so(cell: Cell, argv: tuple[str, ...], words: str) -> None:
    cell.holds("data", "text").chmod(0o644)
    done = cell.run(*argv)
    assert (done.returncode, done.stdout) == (126, "")
    assert words.format(folder=cell.folder).replace("/./", "/") in done.stderr.replace("/./", "/")


def test_two_that_breed_do_not_hinder_each_other(cell: Cell) -> None:
    cell.inmate("breeder")
    runs = [
        subprocess.Popen(
            cell.argv(limits={"processes": 20}),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
            env=ENVIRONMENT,
        )
        for _ in range(2)
    ]
    try:
        born = [int(run.stdout.readline()) for run in runs if run.stdout is not None]
    finally:
        for run in runs:
            run.communicate()
    assert all(17 <= number <= 19 for number in born), born


def _below(folder: Path) -> list[int]:
    """The processes that work in a folder."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdecimal() and (entry / "cwd").readlink() == folder:
                found.append(int(entry.name))
        except OSError:
            continue
    return found


def test_all_of_it_ends_with_what_started_it(cell: Cell) -> None:
    """What would be a referee is killed; the bot has daemons in sessions of their own."""
    cell.holds("run", "#!/bin/sh\nsetsid sleep 600 & trap '' TERM HUP; echo on; sleep 600\n")
    code = "import os, subprocess as s, sys; print(os.getpid(), flush=True); s.Popen(sys.argv[1:]).wait()"
    argv = cell.argv("./run", before=[sys.executable, "-c", code])
    with subprocess.Popen(argv, stdout=subprocess.PIPE, env=ENVIRONMENT) as started:
        assert started.stdout is not None
        referee = int(started.stdout.readline())
        assert started.stdout.readline() == b"on\n"
        deadline = time.monotonic() + 30
        while len(_below(cell.folder)) < 3 and time.monotonic() < deadline:
            time.sleep(0.01)
        assert len(_below(cell.folder)) >= 3
        os.kill(referee, signal.SIGKILL)
        deadline = time.monotonic() + 30
        while _below(cell.folder) and time.monotonic() < deadline:
            time.sleep(0.01)
        assert _below(cell.folder) == []


def test_what_is_hidden_stays_so_in_a_folder_that_is_shown(cell: Cell) -> None:
    shown = cell.folder.parent / "shown"
    league = shown / "league"
    own = league / "spring.arena" / "bots" / "abc"
    own.mkdir(parents=True)
    for path in (shown / "library", league / "spring.db", shown / "key"):
        path.write_text("text")
    for path in (shown, league, league / "spring.arena", own.parent, own):
        path.chmod(0o755)
    done = Cell(cell.starter, own).run(
        "sh",
        "-c",
        f"cd {shown}; ls; ls league; cat library key",
        read_only=[str(shown)],
        hidden=[str(league), str(shown / "key"), str(cell.folder)],
        open_to_all=shown,
    )
    assert done.stdout.split()[:4] == ["key", "league", "library", "spring.arena"], done.stderr
    assert done.stdout.split()[4:] == ["text"]
    assert "key: Permission denied" in done.stderr
