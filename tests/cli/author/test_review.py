"""`arena review`: what it prints and keeps, that it goes on, what it leaves alone, and what it refuses."""

from __future__ import annotations

import hashlib
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import resource_tracker
from pathlib import Path

import pytest

from arena.cli.layout import width
from arena.cli.league_files import opened
from arena.review.documents import decisions_from, review_from
from arena.review.reviewed import Reviewed
from arena.store import read
from arena.store.lock import RunLock
from arena.verify.match_file import MatchFile, write_match_file
from arena.workbench.reviewing import Crew
from tests.cli.calling import Arena
from tests.cli.leagues import change, in_record, value
from tests.review.samples import saved

pytestmark = pytest.mark.slow

QUICK = ("--worlds", "4", "--jobs", "1")
SHORT = (*QUICK, "--minutes", "0.02")
EXPORTS = ("standings", "sessions", "matches", "rounds", "plays", "hosts")
TITLES = [
    "What it does wrong again and again",
    "Its costliest decisions",
    "What its decisions cost, by phase",
    "Where its points go, in points a round",
    "What was luck, in points a round",
    "When it does worse",
]


def stored(path: Path, bot: str = "duck") -> list[Reviewed]:
    with opened(path) as league:
        return saved(league.database, bot)


def summaries(path: Path) -> list[str]:
    with opened(path) as league:
        return [one.bot for one in read.review_summaries(league.database, 1)]


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def a_match(path: Path, bot: str = "duck") -> int:
    """The number of the first match of a bot."""
    with opened(path) as league:
        return read.matches(league.database, 1, bot=bot)[0].number


def match_file(league: Path, number: int, folder: Path) -> Path:
    """The file of a match, as its page has it."""
    with opened(league) as found:
        view = read.match(found.database, 1, number)
        record = read.record(found.database, 1, number)
    path = folder / f"{number}.json"
    path.write_bytes(write_match_file(MatchFile(number, tuple(seat.name for seat in view.seats), record)))
    return path


@pytest.mark.slow
def test_a_match_is_reviewed_whole_and_again_only_in_more_worlds(arena: Arena, finished: Path) -> None:
    asked = ("review", finished, "Duck", "--match", a_match(finished))
    called = arena(*asked, *QUICK)
    assert called.code == 0, called.err
    found = stored(finished)
    assert [title for title in called.out.splitlines() if title in TITLES] == TITLES
    said = " ".join(called.out.split())
    assert f"Duck: 1 of 16 finished matches read, 4 rounds. {len(found)} of {len(found)} decisions" in said
    assert "Best means best under these policies" in said
    plain = [line for line in called.out.splitlines() if "arena replay" not in line]
    assert max(map(width, plain)) <= 80
    assert len(found) > 30
    assert not any(one.in_sample for one in found), "a match is no sample of all that the bot decided"
    assert summaries(finished) == []
    again = arena(*asked, *QUICK)
    assert again.out == called.out
    assert f"{len(found)} of {len(found)} decisions are reviewed already" in again.err
    arena(*asked, "--worlds", "8", "--jobs", "1")
    assert {one.place for one in stored(finished)} == {one.place for one in found}
    arena(*asked, *QUICK)
    assert {one.worlds for one in stored(finished)} == {8}, "what is better is kept"


@pytest.mark.slow
def test_a_league_is_reviewed_by_a_sample_that_grows_and_can_be_forgotten(
    arena: Arena, finished: Path
) -> None:
    def told() -> list[str]:
        shown = [arena("standings", finished, "--json").out]
        return shown + [arena("export", finished, "--what", what, "--format", "json").out for what in EXPORTS]

    exported = told()
    first = arena("review", finished, "duck", *SHORT)
    assert first.code == 0, first.err
    before = stored(finished)
    assert 0 < len(before) < 700
    second = arena("review", finished, "duck", "--json", *SHORT)
    after = {one.place: one for one in stored(finished)}
    assert len(after) > len(before)
    assert all(after[one.place].cost == one.cost for one in before)
    review = review_from(second.out, "duck")
    assert review.reviewed == len(after)
    with opened(finished) as league:
        (kept,) = read.review_summaries(league.database, 1)
    assert review_from(kept.text, "duck") == review
    assert told() == exported, "it changes no score"
    assert arena("verify", finished).code == 0
    arena("review", finished, "low", *SHORT)
    called = arena("review", finished, "Duck", "--forget")
    assert called.err == f"what was stored of {len(after)} decisions of duck is removed\n"
    assert (stored(finished), summaries(finished)) == ([], ["low"])


@pytest.mark.slow
def test_a_private_review_goes_to_its_file_and_leaves_the_league_alone(arena: Arena, finished: Path) -> None:
    out, before = finished.with_name("mine.html"), digest(finished)
    kept = out.with_suffix(".json")
    called = arena("review", finished, "duck", "--out", out, *SHORT)
    assert called.code == 0, called.err
    assert f"the page is {out}" in called.err
    assert "Review of Duck" in out.read_text("utf-8")
    first = json.loads(kept.read_text("utf-8"))
    again = arena("review", finished, "duck", "--out", kept, "--json", *SHORT)
    assert "are reviewed already" in again.err
    second = json.loads(kept.read_text("utf-8"))
    assert review_from(json.dumps(second["review"]), "duck") == review_from(again.out, "duck")
    known = {one.place: one for one in decisions_from(second["decisions"])}
    assert len(known) > len(first["decisions"]) > 0
    assert all(known[one.place].cost == one.cost for one in decisions_from(first["decisions"]))
    refused = arena("review", finished, "low", "--out", kept, *SHORT)
    assert refused.code == 2
    assert "is a review of something else (season 1" in refused.err
    assert json.loads(kept.read_text("utf-8")) == second
    assert (digest(finished), stored(finished)) == (before, [])


@pytest.mark.slow
def test_the_file_of_a_match_is_enough(arena: Arena, finished: Path, tmp_path: Path) -> None:
    path = match_file(finished, a_match(finished), tmp_path)
    called = arena("review", path, "Duck", *QUICK)
    assert called.code == 0, called.err
    assert "Duck: 1 of 1 finished match read, 4 rounds." in called.out
    in_league = arena("review", finished, "duck", "--match", a_match(finished), "--json", *QUICK)
    alone = arena("review", path, "duck", "--json", *QUICK)
    costliest = [json.loads(each.out)["costliest"] for each in (in_league, alone)]
    assert costliest[0] == costliest[1]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["duk"], "duk: season 1 has no such bot; did you mean duck?"),
        (["stand-in"], "season 1 has no such bot"),
        (["duck", "--match", "99"], "There is no finished match 99: the highest number is 20"),
        (["duck", "--match", "1"], "Match 1 was played by"),
        (["duck", "--minutes", "0"], "Invalid value for '--minutes': 0"),
        (["duck", "--worlds", "3"], "Invalid value for '--worlds'"),
        (["duck", "--season", "2"], "there is no season 2"),
        (["duck", "--out", "review.txt"], "expected a file whose name ends in .json or .html"),
        (["duck", "--out", "nowhere/review.json"], "nowhere"),
        (["duck", "--forget", "--out", "review.json"], "--forget removes all that a league stores of BOT"),
    ],
)
def test_what_cannot_be_reviewed(
    arena: Arena, finished: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], words: str
) -> None:
    monkeypatch.chdir(finished.parent)
    if "1" in arguments:  # a match without the bot
        with opened(finished) as league:
            others = [
                each for each in read.matches(league.database, 1) if "duck" not in {s.bot for s in each.seats}
            ]
        arguments[-1] = str(others[0].number)
        words = f"Match {others[0].number} was played by"
    called = arena("review", finished, *QUICK, *arguments)
    assert called.code in {2, 4}
    assert words.casefold() in " ".join(called.err.split()).casefold()
    assert len(called.err.splitlines()) <= 4
    assert called.out == ""


def test_a_match_whose_cards_are_still_played_is_not_looked_at(arena: Arena, stopped: Path) -> None:
    with opened(stopped) as league:
        open_ones = [each for each in read.matches(league.database, 1) if not each.cards_may_show]
    bot, number = open_ones[0].seats[0].bot, open_ones[0].number
    called = arena("review", stopped, bot, "--match", number, *QUICK)
    assert called.code == 2
    assert "its session is not over, and the same deals are still being played" in called.err
    begun = arena("review", stopped, bot, "--match", 39, *QUICK)
    assert begun.code == 2
    assert "There is no finished match 39: the highest number is 9" in begun.err


@pytest.mark.slow
def test_a_league_in_progress_shows_only_sessions_that_are_over(arena: Arena, stopped: Path) -> None:
    with opened(stopped) as league:
        over = {
            each.number: each for each in read.matches(league.database, 1, bot="low") if each.cards_may_show
        }
        played = read.matches(league.database, 1, bot="low")
    assert 0 < len(over) < len(played)
    called = arena("review", stopped, "low", *SHORT)
    assert called.code == 0, called.err
    assert f"Low: {len(over)} of {len(played)} finished matches read" in called.out
    sessions = {(each.cycle, each.index) for each in over.values()}
    assert {(one.match.cycle, one.match.index) for one in stored(stopped, "low")} <= sessions


@pytest.fixture
def at_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cards are revealed at the end of a league: the free keys as a run notes them from its league file."""
    noted = {"report": {"reveal": "finished"}}
    monkeypatch.setattr("arena.cli.league_files.noted_keys", lambda actions: noted)


@pytest.mark.usefixtures("at_the_end")
def test_a_league_that_reveals_at_its_end_is_not_reviewed_before(arena: Arena, stopped: Path) -> None:
    called = arena("review", stopped, "low", *QUICK)
    assert called.code == 2
    assert 'may not be looked at yet: the league file says reveal = "finished"' in called.err
    with opened(stopped) as league:
        number = next(
            each.number for each in read.matches(league.database, 1, bot="low") if each.cards_may_show
        )
    assert "the league is not over" in arena("review", stopped, "low", "--match", number, *QUICK).err


def test_nothing_played_yet(arena: Arena, tmp_path: Path) -> None:
    called = arena("review", tmp_path / "none.db", "duck")
    assert called.code == 2
    assert "nothing played yet" in called.err


def test_files_of_matches_that_cannot_be_used(arena: Arena, finished: Path, tmp_path: Path) -> None:
    number = a_match(finished)
    path = match_file(finished, number, tmp_path)
    for arguments, words in (
        ([path, "duk"], f"duk is not in match {number}; did you mean duck?"),
        ([path, "zzz"], f"zzz is not in match {number}; it was played by"),
        ([path, "duck", "--match", "99"], f"holds match {number}, not 99"),
        ([path, "duck", "--season", "1"], "--season is for a league"),
        ([path, "duck", "--forget"], "--forget removes all that a league stores of BOT"),
        ([tmp_path / "none.json", "duck"], "cannot be read"),
    ):
        called = arena("review", *arguments)
        assert called.code == 2
        assert words in called.err
    path.write_text("{}")
    assert "it is not the file of a match" in arena("review", path, "duck").err


def test_cards_that_do_not_fit_are_named(arena: Arena, finished: Path) -> None:
    number = a_match(finished)
    where = f"WHERE round = 1 AND match = (SELECT id FROM match WHERE number = {number})"
    first, second, *rest = str(value(finished, f"SELECT plays FROM round {where}")).split()
    change(finished, in_record(number, "rounds[1].plays", f"'{' '.join([second, first, *rest])}'"))
    called = arena("review", finished, "duck", *SHORT)
    assert called.code == 4
    assert f"Match {number} cannot be reviewed: round 1: the cards do not fit the rules" in called.err
    assert "`arena verify` says where" in called.err
    assert len(called.err.splitlines()) == 1


def test_a_file_that_is_no_review_is_not_written_over(arena: Arena, finished: Path, tmp_path: Path) -> None:
    out = tmp_path / "mine.json"
    for text in ("{}", "[", '{"kind": "papayoo review", "of": 3}'):
        out.write_text(text)
        called = arena("review", finished, "duck", "--out", out, *SHORT)
        assert called.code == 2
        assert str(out) in called.err
        assert out.read_text() == text


@contextmanager
def run_of(path: Path, *pinned: int) -> Iterator[None]:
    """As if this process ran the league, with referees on these cores."""
    code = "import os, sys; os.sched_setaffinity(0, {int(sys.argv[1])}); print(flush=True); sys.stdin.read()"
    with RunLock(path.with_name("spring.lock")):
        referees = [
            subprocess.Popen(
                [sys.executable, "-c", code, str(core)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
            )
            for core in pinned
        ]
        for referee in referees:
            assert referee.stdout is not None
            referee.stdout.readline()
        try:
            yield
        finally:
            for referee in referees:
                referee.communicate(b"")


def test_a_run_is_not_disturbed(arena: Arena, finished: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def of_league(*anything: object) -> object:
        raise AssertionError("the matches of a league that is being run are not read")

    monkeypatch.setattr("arena.workbench.review_material.of_league", of_league)
    with run_of(finished):
        refused = arena("review", finished, "duck", "--worlds", "4")
        assert refused.code == 2
        assert f"This league is being run by process {os.getpid()}: wait for it, or review" in refused.err
        assert "--jobs N" in refused.err
        full = arena("review", finished, "duck", *SHORT)
        assert full.code == 2
        assert "leaves no core of this machine free" in full.err
        against = arena("review", finished, "duck", "--against", "sharp")
        assert f"is being run by process {os.getpid()}: wait for it, other bots" in against.err
    assert stored(finished) == []


@pytest.mark.slow
@pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="a core for the run and one for the review")
def test_beside_a_run_it_keeps_to_the_cores_that_are_free(
    arena: Arena, finished: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, *free = sorted(os.sched_getaffinity(0))
    # Python's own helper outlives the first review. Begun by it, it would seem to be the run's: on its cores.
    resource_tracker.ensure_running()
    crews: list[Crew] = []
    gave_way: list[set[int]] = []

    def reviewed(works: object, crew: Crew, found: object, enough: object) -> None:
        crews.append(crew)
        assert os.sched_getaffinity(0) == set(free)

    # Without privileges the priority of this process would stay low.
    monkeypatch.setattr(
        "arena.workbench.review_room.give_way_here", lambda: gave_way.append(os.sched_getaffinity(0))
    )

    with run_of(finished, first):
        called = arena("review", finished, "duck", *SHORT)
        assert called.code == 0, called.err
        assert len(stored(finished)) > 0
        monkeypatch.setattr("arena.workbench.review_run.review_all", reviewed)
        many = arena("review", finished, "duck", "--worlds", "4", "--jobs", "4000")
    assert f"the run leaves {len(free)} core" in many.err
    assert crews == [Crew(len(free), "1", 4, frozenset(free), beside_a_run=True)]
    assert gave_way == [{first, *free}] * 2
    assert os.sched_getaffinity(0) == {first, *free}


@pytest.mark.slow
def test_ctrl_c_keeps_what_is_done_and_says_how_to_go_on(finished: Path) -> None:
    review = subprocess.Popen(
        [sys.executable, "-m", "arena", "review", "spring.db", "duck", "--worlds", "64", "--jobs", "2"],
        cwd=finished.parent, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        start_new_session=True,
    )  # fmt: skip
    with review:
        while not stored(finished):  # what is found is stored every few seconds
            assert review.poll() is None
            time.sleep(0.1)
        os.killpg(review.pid, signal.SIGINT)
        out, err = review.communicate(timeout=60)
    assert review.returncode == 130
    assert out == ""
    assert err.endswith("\nstopped; to resume: arena review spring.db duck --worlds 64 --jobs 2\n")
    assert "Traceback" not in err
    assert summaries(finished) == []


@pytest.mark.slow
def test_cards_bear_the_names_that_a_replay_shows(arena: Arena, finished: Path) -> None:
    """The letters of the suits are drawn anew for each match; a pass need not be costly in every one."""
    with opened(finished) as league:
        numbers = [match.number for match in read.matches(league.database, 1, bot="duck")]
        named = [one for one in numbers if read.record(league.database, 1, one).setup.suits != "SHDC"]
    for number in named:
        called = arena("review", finished, "duck", "--match", number, "--worlds", 16, "--jobs", 1)
        text = " ".join(called.out.split())
        passed = re.findall(r"pass, seat \d passed ([^;]*); better: .*? arena replay \S+ (\d+:\d+)", text)
        if passed:
            break
    assert passed
    for cards, place in passed:
        shown = " ".join(arena("replay", finished, place, "--text").out.split())
        assert f"passes {cards}, gets" in shown
