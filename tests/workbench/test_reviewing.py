"""The crew of a review: the same results from any number of processes, and none of them is left behind."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from arena.errors import ArenaError, StoreError
from arena.linux.process_tree import children, look_up
from arena.match.record import MatchRecord
from arena.review.course import courses_of
from arena.review.findings import Place
from arena.review.one import review_one
from arena.review.reviewed import Reviewed
from arena.review.sample import Asked, choices_of
from arena.workbench.reviewing import Crew, Work, review_all
from tests.review.played import ANY, DUCK, DUMP, SHORT, records
from tests.tables import PATIENCE

ROOT = Path(__file__).resolve().parents[2]
RECORD = records({"short": SHORT, "dump": DUMP, "duck": DUCK, "any": ANY}, 1, rounds=2)[0]
PLACES = choices_of(courses_of(RECORD), "any")
ONE = Crew(jobs=1, seed="1", worlds=4)


def works(places: list[Place], record: MatchRecord = RECORD) -> Iterator[Work]:
    return (Work(record, Asked(place, in_sample=number % 2 == 0)) for number, place in enumerate(places))


def never() -> bool:
    return False


def is_gone(pid: int) -> bool:
    """It has ended, whether anybody has waited for it or not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0]
    except OSError:
        return True
    return state == "Z"


def until(what: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not what():
        assert time.monotonic() < end, "it took too long"
        time.sleep(0.02)


@pytest.mark.slow
def test_any_number_of_processes_finds_the_same() -> None:
    places = PLACES[:8]
    expected = {
        place: replace(review_one(RECORD, place, "1", 4), in_sample=number % 2 == 0)
        for number, place in enumerate(places)
    }
    for jobs in (1, 3):
        found: list[Reviewed] = []
        review_all(works(places), replace(ONE, jobs=jobs), found.append, never)
        assert {one.place: one for one in found} == expected
        assert len(found) == len(places)


@pytest.mark.slow
def test_cards_that_do_not_fit_end_it_in_words() -> None:
    rounds = list(RECORD.rounds)
    plays = rounds[0].plays
    rounds[0] = replace(rounds[0], plays=(plays[1], plays[0], *plays[2:]))
    tampered = replace(RECORD, rounds=tuple(rounds))
    late = [place for place in PLACES if place[2] > 1][:1]
    with pytest.raises(
        StoreError, match=r"^The match of session 0\.0, seat order 0 cannot be reviewed: the record"
    ):
        review_all(works(late, tampered), ONE, pytest.fail, never)
    until(lambda: all(map(is_gone, spawned())))


@pytest.mark.slow
def test_a_process_that_is_killed_ends_it_in_words_and_the_others_with_it() -> None:
    found: list[Reviewed] = []
    killed: list[int] = []

    def enough() -> bool:
        if found and not killed:
            killed.extend(spawned())
            os.kill(killed[0], signal.SIGKILL)
        return False

    many = replace(ONE, jobs=2, worlds=64)
    with pytest.raises(ArenaError, match="ended before its time") as ended:
        review_all(works(PLACES * 20), many, found.append, enough)
    assert ended.value.exit_code == 4
    assert len(killed) == 2
    until(lambda: all(map(is_gone, killed)))


@pytest.mark.slow
def test_an_interruption_passes_at_once_and_leaves_no_process() -> None:
    crew: list[int] = []

    def interrupted() -> bool:
        crew[:] = spawned()
        if crew:
            raise KeyboardInterrupt
        return False

    # A single one of these decisions would take minutes.
    with pytest.raises(KeyboardInterrupt):
        review_all(works(PLACES * 20), replace(ONE, jobs=2, worlds=100_000), pytest.fail, interrupted)
    assert len(crew) == 2
    until(lambda: all(map(is_gone, crew)))


@pytest.mark.slow
def test_no_process_of_the_crew_answers_what_a_terminal_sends() -> None:
    """With Ctrl-C all of them get SIGINT; the main process alone ends the others."""
    held: list[set[int]] = []

    def enough() -> bool:
        crew = spawned()
        if len(crew) == 3:
            held[:] = [held_back_by(pid) for pid in crew]
        return bool(held)

    review_all(works(PLACES * 20), replace(ONE, jobs=3), lambda one: None, enough)
    assert held == [{signal.SIGHUP, signal.SIGINT, signal.SIGTERM}] * 3


def held_back_by(pid: int) -> set[int]:
    """The signals that a process blocks."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    mask = int(re.findall(r"^SigBlk:\s*(\w+)$", status, re.M)[0], 16)
    return {number for number in range(1, 65) if mask >> (number - 1) & 1}


def spawned() -> list[int]:
    """The processes of the crew: those that multiprocessing has started to work, not to keep its books."""
    found = []
    for pid in children():
        member = look_up(pid)
        line = Path(f"/proc/{pid}/cmdline").read_bytes() if member is not None else b""
        if b"spawn_main" in line:
            found.append(pid)
    return found


_PARENT = """
import sys, time
from tests.workbench.test_reviewing import ONE, PLACES, spawned, works
from arena.workbench.reviewing import review_all
from dataclasses import replace

def told():
    if spawned():
        print(*spawned(), flush=True)
    return False

if __name__ == "__main__":
    crew = replace(ONE, jobs=2, worlds=100_000, beside_a_run="beside" in sys.argv)
    review_all(works(PLACES * 20), crew, print, told)
"""


@pytest.mark.slow
@pytest.mark.parametrize("beside", ["beside", "alone"])
def test_the_crew_ends_with_a_parent_that_is_killed_and_gives_way(tmp_path: Path, beside: str) -> None:
    program = tmp_path / "parent.py"
    program.write_text(_PARENT, encoding="utf-8")
    parent = subprocess.Popen(
        [sys.executable, program, beside], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)}, start_new_session=True,
    )  # fmt: skip
    with parent:
        assert parent.stdout is not None
        crew = [int(pid) for pid in parent.stdout.readline().split()]
        assert len(crew) == 2
        until(lambda: all(os.getpriority(os.PRIO_PROCESS, pid) == 19 for pid in crew))
        if beside == "beside":
            until(lambda: all(os.sched_getscheduler(pid) == os.SCHED_IDLE for pid in crew))
            assert all(os.getsid(pid) == pid for pid in crew), "the priority of a session is its own"
            groups = [Path(f"/proc/{pid}/autogroup") for pid in crew]
            until(lambda: all(not one.exists() or one.read_text().endswith("nice 19\n") for one in groups))
        else:
            assert all(os.getsid(pid) == parent.pid for pid in crew)
        parent.kill()
    until(lambda: all(map(is_gone, crew)))
