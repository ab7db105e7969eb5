"""Where a review works: on all cores while nobody plays, else on a few; there works the main process too."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys

import pytest

from arena.errors import DatabaseBusy
from arena.workbench import review_room
from arena.workbench.review_room import room_for

BESIDE = """
import json, os
from arena.workbench.review_room import room_for

with room_for(1, lambda: "", print) as room:
    mine = sorted(os.sched_getaffinity(0))
    given = os.sched_getscheduler(0), os.getpriority(os.PRIO_PROCESS, 0), os.getsid(0)
    print(json.dumps([sorted(room.cores), mine, *given]))
"""


def nobody() -> None:
    return None


def test_all_cores_are_used_while_nobody_plays() -> None:
    with room_for(None, nobody, pytest.fail) as room:
        assert (room.jobs, room.cores, room.beside_a_run) == (
            len(os.sched_getaffinity(0)),
            frozenset(),
            False,
        )
    with room_for(3, nobody, pytest.fail) as room:
        assert room.jobs == 3


@pytest.mark.parametrize(("holder", "who"), [("123", "process 123"), ("", "another process")])
def test_without_a_number_there_is_none_beside_a_run(holder: str, who: str) -> None:
    with (
        pytest.raises(DatabaseBusy, match=f"is being run by {who}: wait"),
        room_for(None, lambda: holder, pytest.fail),
    ):
        pass


def test_beside_a_run_the_main_process_gives_way_on_the_same_cores_and_stays_in_its_session() -> None:
    """In a session of its own it would not hear Ctrl-C."""
    done = subprocess.run(
        [sys.executable, "-c", BESIDE], capture_output=True, text=True, timeout=60, check=True
    )
    cores, mine, policy, nice, session = json.loads(done.stdout)
    assert len(cores) == 1
    assert mine == cores
    assert (policy, nice, session) == (os.SCHED_IDLE, 19, os.getsid(0))


def test_a_run_on_another_machine_uses_no_core_of_this_one() -> None:
    """A server of databases says who holds a lock, and on which host."""
    here = f"{os.getpid()} on {socket.gethostname()}"
    assert review_room._of_the_run(here) == review_room._of_the_run(str(os.getpid())) != frozenset()
    assert review_room._of_the_run(f"{os.getpid()} on elsewhere.example") == frozenset()
    assert review_room._of_the_run("") == frozenset()
