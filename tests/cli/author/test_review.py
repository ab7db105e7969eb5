"""`arena review`: what it prints, that it ends in time or at once, and what it leaves alone or refuses."""

from __future__ import annotations

import hashlib
import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from arena.cli.layout import width
from arena.cli.league_files import opened
from arena.store import read
from arena.store.lock import RunLock
from arena.verify.match_file import MatchFile, write_match_file
from tests.cli.calling import Arena

QUICK = ("--worlds", "4", "--jobs", "1")
SHORT = (*QUICK, "--minutes", "0.02")
TITLES = [
    "Where its points go, in points a round",
    "What its decisions cost beside the best choice found, in points",
    "What costly decisions share",
    "Its costliest decisions",
]


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
def test_a_league_is_reviewed_within_the_time_and_left_as_it_is(arena: Arena, finished: Path) -> None:
    before = digest(finished)
    called = arena("review", finished, "Duck", *SHORT)
    assert called.code == 0, called.err
    assert [title for title in called.out.splitlines() if title in TITLES] == TITLES
    said = " ".join(called.out.split())
    tried = re.match(r"Duck: 16 of 16 finished matches read, 64 rounds. ([0-9]+) of ([0-9]+) decisions", said)
    assert tried is not None
    assert 0 < int(tried[1]) < int(tried[2])
    assert "the field" in said
    assert max(map(width, called.out.splitlines())) <= 80
    assert digest(finished) == before


@pytest.mark.slow
def test_a_match_is_reviewed_whole_and_its_file_is_enough(
    arena: Arena, finished: Path, tmp_path: Path
) -> None:
    number = a_match(finished)
    found = json.loads(arena("review", finished, "duck", "--match", number, "--json", *QUICK).out)
    assert found["reviewed"] == found["choices"] > 30
    assert (found["matches"], found["rounds"], found["played"]) == (1, 4, 16)
    assert found["points"]["field"] is None, "nobody else was dealt these hands"
    again = json.loads(arena("review", match_file(finished, number, tmp_path), "Duck", "--json", *QUICK).out)
    assert again == {**found, "played": 1}


@pytest.mark.slow
def test_cards_bear_the_names_that_a_replay_shows(arena: Arena, finished: Path) -> None:
    """The letters of the suits are drawn anew for each match; a pass need not be costly in every one."""
    with opened(finished) as league:
        numbers = [match.number for match in read.matches(league.database, 1, bot="duck")]
        named = [one for one in numbers if read.record(league.database, 1, one).setup.suits != "SHDC"]
    for number in named:
        called = arena("review", finished, "duck", "--match", number, "--worlds", 16, "--jobs", 1)
        passed = re.findall(r"(\d+:\d+) pass, seat \d +(\w+(?: \w+)*)  ", called.out)
        if passed:
            break
    assert passed
    for place, cards in passed:
        shown = " ".join(arena("replay", finished, place, "--text").out.split())
        assert f"passes {cards}, gets" in shown


@pytest.mark.slow
def test_ctrl_c_shows_what_was_found_so_far(finished: Path) -> None:
    review = subprocess.Popen(
        [sys.executable, "-m", "arena", "review", "spring.db", "duck", "--worlds", "64", "--jobs", "2"],
        cwd=finished.parent, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        start_new_session=True,
    )  # fmt: skip
    with review:
        assert review.stderr is not None
        assert "Ctrl-C shows what was found so far" in review.stderr.readline()
        os.killpg(review.pid, signal.SIGINT)
        out, err = review.communicate(timeout=60)
    assert review.returncode == 130
    assert [title for title in out.splitlines() if title in TITLES] == TITLES
    assert err == "stopped: this is what was found until then\n"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["duk"], "duk: season 1 has no such bot; did you mean duck?"),
        (["duck", "--match", "99"], "There is no finished match 99: the highest number is 20"),
        (["duck", "--match", "other"], "was played by"),
        (["duck", "--minutes", "0"], "Invalid value for '--minutes': 0"),
        (["duck", "--worlds", "3"], "Invalid value for '--worlds'"),
        (["duck", "--season", "2"], "there is no season 2"),
    ],
)
def test_what_cannot_be_reviewed(arena: Arena, finished: Path, arguments: list[str], words: str) -> None:
    if "other" in arguments:  # a match without the bot
        with opened(finished) as league:
            matches = read.matches(league.database, 1)
        arguments = [*arguments[:-1], *(
            str(one.number) for one in matches if "duck" not in {seat.bot for seat in one.seats}
        )][:3]  # fmt: skip
    called = arena("review", finished, *QUICK, *arguments)
    assert called.code in {2, 4}
    assert words.casefold() in " ".join(called.err.split()).casefold()
    assert len(called.err.splitlines()) <= 4
    assert called.out == ""


def test_cards_that_are_still_played_are_not_looked_at(arena: Arena, stopped: Path) -> None:
    with opened(stopped) as league:
        open_ones = [each for each in read.matches(league.database, 1) if not each.cards_may_show]
    bot, number = open_ones[0].seats[0].bot, open_ones[0].number
    called = arena("review", stopped, bot, "--match", number, *QUICK)
    assert called.code == 2
    assert "its session is not over, and the same deals are still being played" in called.err
    begun = arena("review", stopped, bot, "--match", 39, *QUICK)
    assert begun.code == 2
    assert "There is no finished match 39: the highest number is 9" in begun.err


def test_a_league_that_reveals_at_its_end_is_not_reviewed_before(
    arena: Arena, stopped: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    noted = {"report": {"reveal": "finished"}}  # the free keys as a run notes them from its league file
    monkeypatch.setattr("arena.cli.league_files.noted_keys", lambda actions: noted)
    called = arena("review", stopped, "low", *QUICK)
    assert called.code == 2
    assert 'may not be looked at yet: the league file says reveal = "finished"' in called.err


def test_files_of_matches_that_cannot_be_used(arena: Arena, finished: Path, tmp_path: Path) -> None:
    number = a_match(finished)
    path = match_file(finished, number, tmp_path)
    for arguments, words in (
        ([path, "duk"], f"duk is not in match {number}; did you mean duck?"),
        ([path, "zzz"], f"zzz is not in match {number}; it was played by"),
        ([path, "duck", "--match", "99"], f"holds match {number}, not 99"),
        ([path, "duck", "--season", "1"], "--season is for a league"),
        ([tmp_path / "none.json", "duck"], "cannot be read"),
    ):
        called = arena("review", *arguments)
        assert called.code == 2
        assert words in called.err
    path.write_text("{}")
    assert "it is not the file of a match" in arena("review", path, "duck").err


def test_a_run_is_not_disturbed(arena: Arena, finished: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with RunLock(finished.with_name("spring.lock")):
        refused = arena("review", finished, "duck", *QUICK)
    assert (refused.code, refused.out) == (2, "")
    assert f"This league is being run by process {os.getpid()}" in refused.err
    answers = iter([None, "123"])
    monkeypatch.setattr("arena.store.lock.holder_of", lambda path: next(answers))
    monkeypatch.setattr("arena.cli.author.review._LOOK_SECONDS", 0)
    begun = arena("review", finished, "duck", *QUICK)
    assert begun.code == 0
    assert "a run of this league has begun: this is what was found until then" in begun.err
    assert " 0 of " in " ".join(begun.out.split())
