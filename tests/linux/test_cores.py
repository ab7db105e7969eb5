"""Claims of cores: held by one process of the machine, gone with it."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from arena.linux.cores import claim_core, cores_used_by
from tests.referees import PATIENCE

_BODY = """
import sys
from arena.linux.cores import claim_core, cores_used_by
claim = claim_core(map(int, sys.argv[1:]))
print("none" if claim is None else claim.core, flush=True)
sys.stdin.read()
"""


@pytest.fixture
def cores() -> list[int]:
    """Numbers that no machine has as cores, of this test alone."""
    base = 10_000_000 + os.getpid() * 10
    return [base, base + 1]


def test_a_claim_is_seen_by_others_and_ends_with_its_process(cores: list[int]) -> None:
    other = subprocess.Popen(
        [sys.executable, "-c", _BODY, *map(str, cores)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    with other:
        assert other.stdin is not None
        assert other.stdout is not None
        assert int(other.stdout.readline()) == cores[0]
        ours = claim_core(cores)
        assert ours is not None
        assert ours.core == cores[1]
        assert claim_core(cores) is None
        # What is started meanwhile does not keep it.
        child = subprocess.Popen(["sleep", "60"])
        ours.release()
        other.kill()
        other.wait(PATIENCE)
    again = [claim_core(cores), claim_core(cores)]
    child.kill()
    child.wait()
    assert [claim and claim.core for claim in again] == cores
    for claim in again:
        assert claim is not None
        claim.release()


def test_the_cores_of_a_program_are_those_that_it_has_pinned_others_to() -> None:
    first = min(os.sched_getaffinity(0))
    code = "import sys; sys.stdin.read()"
    with subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE) as child:
        assert child.stdin is not None
        assert cores_used_by(child.pid) == os.sched_getaffinity(0), "it may use all, and pins nothing"
        os.sched_setaffinity(child.pid, {first})
        assert first in cores_used_by(os.getpid())
        child.stdin.close()
    assert cores_used_by(child.pid) == frozenset(), "it has ended"
