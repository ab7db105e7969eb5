"""The page of a bot that is out says what happened, when, by which rule, and what to do."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from arena.conduct.exclusion import Ruling
from arena.season.opening import now_ms
from arena.store import write
from arena.store.database import Database
from reports import Publish, ReportOptions
from reports.facts import LeagueFacts, read_facts
from reports.pages.bot import BotPage, BotPages
from reports.pages.trouble import Trouble
from reports.secrecy import Secrecy
from tests.open_played import OpenPlay
from tests.running import make_league, make_open_league
from tests.shared import once
from tests.staged_played import StagedPlay


def facts_of(database: Path) -> LeagueFacts:
    with Database.open(database, read_only=True) as opened:
        return read_facts(opened)


def play_closed(folder: Path) -> None:
    """Two cycles, in which B4 never answers and B3 is late now and then."""
    league = make_league(folder, bots=5, cycles=2)
    with StagedPlay(league, {"b3": 0.01, "b4": 1.0}) as play:
        play.stage()


def play_open(folder: Path) -> None:
    """An open league whose organiser excludes a bot after the first phase."""
    with OpenPlay(make_open_league(folder)) as play:
        play.phase()
        write.exclude(play.database, 1, "b1@1", "moves on", (now_ms(), "me"))


@pytest.fixture(scope="module")
def closed(tmp_path_factory: pytest.TempPathFactory) -> LeagueFacts:
    """The limits decided after the first cycle, and the bot played the second one to its end."""
    return facts_of(once(tmp_path_factory, "trouble", play_closed) / "league.db")


@pytest.fixture(scope="module")
def in_open(tmp_path_factory: pytest.TempPathFactory) -> LeagueFacts:
    return facts_of(once(tmp_path_factory, "trouble-open", play_open) / "league.db")


def page(facts: LeagueFacts, bot: str, publish: frozenset[Publish] = frozenset(Publish)) -> BotPage:
    files = {match.number for match in facts.matches}
    return BotPages(facts, files, Secrecy(ReportOptions(publish=publish), facts.over)).page(bot)


def trouble(facts: LeagueFacts, bot: str) -> Trouble:
    found = page(facts, bot).trouble
    assert found is not None
    return found


def told_of(made: Trouble) -> dict[str, str]:
    return {one.term: f"{one.said} {one.reason}".strip() for one in made.facts}


def commands(made: Trouble) -> list[str]:
    return [step.command for step in (*made.author, *made.organiser)]


def test_it_says_what_happened_when_and_by_which_rule(closed: LeagueFacts) -> None:
    made = trouble(closed, "b4")
    told = told_of(made)
    assert made.heading == "Why it is excluded"
    happened = (
        r"in 72 of its 72 matches: \d+ × too many faults, \d+ × two timeouts in a row without an answer \("
    )
    assert re.search(happened + r"first in match \d+, last in \d+; ", told["What happened"])
    assert "3 × 40 = 120 fault points" in told["What it costs"]
    (at,) = closed.ruled_at.values()
    assert at > 0
    assert re.fullmatch(
        r"....-..-.. ..:.. UTC\. By the rule, when 1 cycle had been played\.", told["Decided"]
    )
    assert told["It stood at"] == (
        "Replaced in 36 of 36 matches (100 %), evidence 184,854 (out at 500). In all it was replaced in 72 "
        "of 72 matches."
    )
    assert "10 % of its matches (disqualify_share)" in told["The rule"]
    assert told["It follows"].startswith("From session 2.0 on it does not play.")
    assert "stand-in" not in told["It follows"]


def test_it_names_what_to_do(closed: LeagueFacts) -> None:
    made = trouble(closed, "b4")
    newest = page(closed, "b4").faults.shown[0].examples[0]
    last = [one for one in closed.matches if one.number == newest.match]
    (seat,) = (seat.seat for seat in last[0].seats if seat.bot == "b4")
    assert newest.where == "round 0, trick 0"
    assert commands(made) == [
        "arena check FOLDER",
        f"arena replay {newest.match}.json --bot FOLDER --seat {seat} --break 0:0",
        "arena reinstate league.toml b4 --reason WHY",
        "arena run league.toml",
    ]


def test_cards_that_are_not_shown_are_not_asked_again(closed: LeagueFacts) -> None:
    made = page(closed, "b4", frozenset()).trouble
    assert made is not None
    assert not [step for step in made.author if "replay" in step.command]


def test_nothing_can_be_done_in_a_season_that_has_ended(closed: LeagueFacts) -> None:
    assert trouble(replace(closed, ended=True), "b4").organiser == ()


def test_a_bot_that_plays_on_is_told_how_near_it_is(closed: LeagueFacts) -> None:
    made = trouble(replace(closed, over=False), "b3")
    told = told_of(made)
    assert re.fullmatch(r"Replaced in \d of 72 matches", made.heading)
    assert re.fullmatch(rf"{made.heading} \(\d %\), evidence \d\.\d\d \(out at 500\)\.", told["It stands at"])
    assert "Decided" not in told
    assert "arena exclude league.toml b3 --reason WHY" in commands(made)
    assert not [command for command in commands(made) if "reinstate" in command]
    assert "arena exclude" not in str(trouble(closed, "b3").organiser)


def test_a_bot_that_hardly_ever_fails_has_no_trouble(closed: LeagueFacts) -> None:
    assert page(closed, "b0").trouble is None
    well = [match for match in closed.matches if not any(seat.hand_over for seat in match.seats)]
    more = tuple(replace(match, number=100 * n + match.number) for n in range(1, 40) for match in well)
    assert page(replace(closed, matches=(*more, *closed.matches)), "b3").trouble is None


def test_who_was_reinstated_is_told_from_when_on_it_is_judged(closed: LeagueFacts) -> None:
    back = Ruling("b4", False, 1, "its library is there now")
    again = replace(closed, rulings=(*closed.rulings, back), out={}, ruled_at={back: 1_700_000_000_000})
    told = told_of(trouble(again, "b4"))
    assert told["Reinstated"] == "2023-11-14 22:13 UTC. Since session 1.0: its library is there now."
    assert told["It stands at"].startswith("Replaced in 36 of 36 matches")


def test_who_the_organiser_excluded_is_not_blamed(in_open: LeagueFacts) -> None:
    made = trouble(in_open, "b1@1")
    told = told_of(made)
    assert made.heading == "Why it is excluded"
    assert told["Decided"].endswith("By the organiser: moves on.")
    assert "The rule" not in told
    assert commands(made) == [
        "arena reinstate league.toml b1@1 --reason WHY",
        "cp -rT FOLDER entries/b1",
    ]
    assert "blame" not in str(made)


def test_the_reason_of_an_organiser_stays_as_it_is(closed: LeagueFacts) -> None:
    ruling = Ruling("b1", out=True, from_cycle=1, reason="it was late", by_organiser=True)
    made = trouble(replace(closed, out={"b1": ruling}, rulings=(ruling,)), "b1")
    (decided,) = [one for one in made.facts if one.term == "Decided"]
    assert decided.said == "By the organiser:"
    assert decided.reason == "it was late."
