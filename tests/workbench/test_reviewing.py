"""What a review reads, and its crew: any number of processes finds the same, and none is left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest

from arena.errors import ArenaError, StoreError, UsageError
from arena.linux.process_tree import children, look_up
from arena.match.record import MatchRecord
from arena.match.stand_in import STAND_IN
from arena.reviews.costs import review_decision
from arena.reviews.decisions import Place
from arena.reviews.review import Survey, in_fair_order
from arena.store import read
from arena.store.database import Database
from arena.store.views import SeasonView
from arena.verify.match_file import MatchFile
from arena.workbench import reviewing
from arena.workbench.reviewing import Crew, Material, of_file, of_league, of_match, review_bot, try_all
from tests.cli.leagues import change, in_record
from tests.reports.played import League, play
from tests.reviews.played import ANY, SOUND, records
from tests.tables import PATIENCE

ROOT = Path(__file__).resolve().parents[2]
RECORD = records({"any": ANY, "a": SOUND, "b": SOUND, "c": SOUND}, 1, rounds=2)[0]
ONE = Crew(jobs=1, worlds=4, seed="1")
MATERIAL = Material("any", {RECORD.key: RECORD}, {RECORD.key: 7}, {"any": "Any"}, 4)


def places() -> list[Place]:
    survey = Survey("any")
    survey.add(RECORD)
    return in_fair_order([place for found in survey.choices.values() for place in found], "1")


def works(times: int = 1) -> Iterator[tuple[MatchRecord, Place]]:
    return ((RECORD, place) for place in places() * times)


def never() -> bool:
    return False


# ------------------------------------------------------------------------------------------ what is read

LEAGUE = League(cycles=2, rounds=1)
"""Five bots: each sits in four sessions of a cycle, with four matches each."""


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("material") / "spring.db"
    play(path, LEAGUE).close()
    return path


@pytest.fixture
def database(path: Path) -> Iterator[Database]:
    with Database.open(path, read_only=True) as database:
        yield database


def season_of(database: Database) -> SeasonView:
    return read.season(database, 1)


@pytest.mark.parametrize(("most", "sessions"), [(22, 5), (3, None)])
def test_of_too_many_matches_whole_sessions_are_drawn_by_the_seed(
    database: Database, monkeypatch: pytest.MonkeyPatch, most: int, sessions: int | None
) -> None:
    monkeypatch.setattr(reviewing, "MOST_MATCHES", most)

    def drawn(seed: str) -> list[int]:
        found = of_league(database, season_of(database), lambda match: True, "duck", seed)
        of_session = Counter((key.cycle, key.index) for key in found.records)
        assert found.played == 32
        if sessions is None:
            assert len(found.records) == most, "a session that is too large"
        else:
            assert list(of_session.values()) == [4] * sessions
        return list(found.numbers.values())

    assert drawn("1") == sorted(drawn("1"))
    assert len({tuple(drawn(seed)) for seed in "123"}) > 1


def test_only_what_may_be_seen_is_read(database: Database) -> None:
    season = season_of(database)
    found = of_league(database, season, lambda match: match.cycle == 1, "duck", "1")
    assert {key.cycle for key in found.records} == {1}
    with pytest.raises(UsageError, match="duck has finished 32 matches, but the cards may not be looked at"):
        of_league(database, season, lambda match: False, "duck", "1")
    number = read.matches(database, 1, bot="duck")[0].number
    with pytest.raises(UsageError, match=f"The cards of match {number} may not be looked at yet"):
        of_match(database, season, lambda match: False, "duck", number)
    with pytest.raises(UsageError, match="plays at random"):
        of_league(database, season, lambda match: True, STAND_IN, "1")


def test_a_bot_of_a_file_is_found_by_name_or_id(database: Database) -> None:
    file = MatchFile(1, ("The Duck", "B", "C", "D"), read.record(database, 1, 1))
    found = of_file(file, "the duck")
    assert found.bot == file.record.seats[0].bot
    assert of_file(file, found.bot).names[found.bot] == "The Duck"


def test_a_tampered_record_is_named_by_its_match(path: Path, tmp_path: Path) -> None:
    other = tmp_path / "spring.db"
    other.write_bytes(path.read_bytes())
    change(other, in_record(7, "rounds[0].points", "json('[250, 0, 0, 0]')"))
    with Database.open(other, read_only=True) as database:
        bot = read.match(database, 1, 7).seats[0].bot
        found = of_league(database, season_of(database), lambda match: True, bot, "1")
        with pytest.raises(StoreError, match="Match 7 cannot be reviewed: round 0: the cards do not fit"):
            review_bot(found, ONE, never, lambda done, choices: None)


# ------------------------------------------------------------------------------------------ the review


def test_it_ends_when_it_is_enough_and_what_was_tried_is_the_beginning_of_the_order() -> None:
    told: list[tuple[int, int]] = []
    review, interrupted = review_bot(MATERIAL, ONE, lambda: len(told) > 5, lambda *one: told.append(one))
    assert not interrupted
    assert told == [(number, review.choices) for number in range(len(told))]
    assert 5 <= review.reviewed == len(told) - 1 < review.choices
    assert (review.matches, review.rounds) == (1, 2)


def test_a_bot_that_never_chose_is_refused() -> None:
    with pytest.raises(UsageError, match="nobody never had a choice in these matches"):
        review_bot(replace(MATERIAL, bot="nobody"), ONE, never, lambda done, choices: None)


# ------------------------------------------------------------------------------------------ the crew


@pytest.mark.slow
def test_any_number_of_processes_finds_the_same_in_the_same_order() -> None:
    expected = [review_decision(RECORD, place, "1", 4) for place in places()[:8]]
    for jobs in (1, 3):
        with closing(try_all(works(), replace(ONE, jobs=jobs), never)) as found:
            assert list(islice(found, 8)) == expected


@pytest.mark.slow
def test_a_process_that_is_killed_ends_it_in_words_and_the_others_with_it() -> None:
    killed: list[int] = []
    found = try_all(works(20), replace(ONE, jobs=2, worlds=64), never)

    def until_lost() -> None:
        for _ in found:
            if not killed:
                killed.extend(spawned())
                os.kill(killed[0], signal.SIGKILL)

    with pytest.raises(ArenaError, match="ended before its time") as ended:
        until_lost()
    assert ended.value.exit_code == 4
    assert len(killed) == 2
    until(lambda: all(map(is_gone, killed)))


_PARENT = """
from dataclasses import replace
from tests.workbench.test_reviewing import ONE, spawned, try_all, works

def look():
    if len(spawned()) == 2:
        print(*spawned(), flush=True)
    return False

if __name__ == "__main__":
    list(try_all(works(20), replace(ONE, jobs=2, worlds=64), look))
"""


@pytest.mark.slow
def test_the_crew_ends_with_a_parent_that_is_killed_and_gives_way(tmp_path: Path) -> None:
    program = tmp_path / "parent.py"
    program.write_text(_PARENT, encoding="utf-8")
    parent = subprocess.Popen(
        [sys.executable, program], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)}, start_new_session=True,
    )  # fmt: skip
    with parent:
        assert parent.stdout is not None
        crew = [int(pid) for pid in parent.stdout.readline().split()]
        assert len(crew) == 2
        until(lambda: all(os.getpriority(os.PRIO_PROCESS, pid) == 19 for pid in crew))
        parent.kill()
    until(lambda: all(map(is_gone, crew)))


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


def spawned() -> list[int]:
    """The processes of the crew: those that multiprocessing has started to work, not to keep its books."""
    found = []
    for pid in children():
        member = look_up(pid)
        line = Path(f"/proc/{pid}/cmdline").read_bytes() if member is not None else b""
        if b"spawn_main" in line:
            found.append(pid)
    return found
