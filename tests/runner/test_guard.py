"""A run stops at once, with a sentence, when its lock or its database is taken away."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import trio
import trio.testing

from arena.errors import StoreError
from arena.runner.run import while_there
from tests.running import Run, make_league


async def test_it_is_stopped_within_seconds(autojump_clock: trio.testing.MockClock) -> None:
    said = ""

    async def play() -> None:
        nonlocal said
        await trio.sleep(10)
        said = "the database is gone"
        await trio.sleep(3)
        pytest.fail("nobody stopped it")

    with pytest.raises(StoreError, match="the database is gone"):
        await while_there(play, [lambda: "", lambda: said])


async def test_it_is_looked_at_once_more_at_the_end(autojump_clock: trio.testing.MockClock) -> None:
    said = ""

    async def play() -> None:
        nonlocal said
        await trio.sleep(1)  # the first look is over, the second comes after two seconds
        said = "the lock is gone"

    with pytest.raises(StoreError, match="the lock is gone"):
        await while_there(play, [lambda: said])


def _replace(path: Path) -> None:
    other = path.with_suffix(".other")
    other.write_bytes(path.read_bytes())
    other.replace(path)


HARMS: dict[str, tuple[Callable[[Path], object], str]] = {
    "the database is replaced": (_replace, "league.db was replaced by another file"),
    "the lock is deleted": (lambda path: path.with_suffix(".lock").unlink(), "league.lock was deleted"),
}


@pytest.mark.slow
@pytest.mark.parametrize(("harm", "said"), HARMS.values(), ids=HARMS.keys())
def test_a_run_whose_files_are_taken_away_ends(
    harm: Callable[[Path], object], said: str, tmp_path: Path
) -> None:
    path = make_league(tmp_path, cycles=200, slow=0.02)
    database = tmp_path / "league.db"
    run = Run(path)
    run.wait_for_matches(1)
    harm(database)
    ended = run.end()
    assert ended.code == 4
    assert said in ended.err
    assert "everything" not in ended.err
    assert "Traceback" not in ended.err
