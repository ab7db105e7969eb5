"""The page of a bot that is out says what happened, when, by which rule, and what to do."""

from __future__ import annotations

import lzma
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from arena.conduct.disqualify import Cause, Ruling
from arena.store.database import Database
from arena.store.reader import Reader
from arena.translating import writing_in
from reports import Publish, ReportOptions
from reports.catalogues import FRENCH, tongue
from reports.facts import LeagueFacts, read_facts
from reports.pages.bot import BotPage, BotPages
from reports.pages.leaderboard import leaderboard
from reports.pages.trouble import Trouble
from reports.secrecy import Secrecy
from reports.selection import MatchPages

LANDED = Path(__file__).parents[2] / "store" / "landed"


def landed(folder: Path, name: str) -> Iterator[LeagueFacts]:
    (folder / "landed.db").write_bytes(lzma.decompress((LANDED / name / "landed.db.xz").read_bytes()))
    with Database.open(folder / "landed.db", read_only=True) as database:
        yield read_facts(Reader(database))


@pytest.fixture(scope="module")
def by_evidence(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LeagueFacts]:
    """The limits decided after the first cycle, and the bot played the second one to its end."""
    yield from landed(tmp_path_factory.mktemp("evidence"), "schema_6")


@pytest.fixture(scope="module")
def by_share(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LeagueFacts]:
    """A season under the first rule, in which the stand-in has the seats of who is out."""
    yield from landed(tmp_path_factory.mktemp("share"), "schema_2")


@pytest.fixture(scope="module")
def some_late(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LeagueFacts]:
    """A bot that was late in a sixth of its matches, and is not out."""
    yield from landed(tmp_path_factory.mktemp("late"), "schema_3")


@pytest.fixture(scope="module")
def in_open(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LeagueFacts]:
    yield from landed(tmp_path_factory.mktemp("open"), "schema_4_open")


def page(facts: LeagueFacts, bot: str, publish: frozenset[Publish] = frozenset(Publish)) -> BotPage:
    pages = MatchPages(frozenset(match.number for match in facts.matches))
    return BotPages(facts, pages, Secrecy(ReportOptions(publish=publish), facts.over)).page(bot)


def trouble(facts: LeagueFacts, bot: str) -> Trouble:
    found = page(facts, bot).trouble
    assert found is not None
    return found


def told_of(made: Trouble) -> dict[str, str]:
    return {one.term: f"{one.said} {one.reason}".strip() for one in made.facts}


def commands(made: Trouble) -> list[str]:
    return [step.command for step in (*made.author, *made.organiser)]


def test_it_says_what_happened_when_and_by_which_rule(by_evidence: LeagueFacts) -> None:
    made = trouble(by_evidence, "broken")
    told = told_of(made)
    assert made.heading == "Why it is disqualified"
    assert (
        "in 36 of its 36 matches: 36 × too many faults (first in match 1, last in 48; "
        in told["What happened"]
    )
    assert "3 × 40 = 120 fault points" in told["What it costs"]
    (at,) = by_evidence.ruled_at.values()
    assert at > 0
    assert told["Decided"] == "2026-11-23 09:22 UTC. By the rule, when 1 cycle had been played."
    assert told["It stood at"] == (
        "Replaced in 18 of 18 matches (100 %), evidence 303 (out at 100). In all it was replaced in 36 of "
        "36 matches."
    )
    assert "10 % of its matches (disqualify_share)" in told["The rule"]
    assert "after 10 matches or more (disqualify_after)" in told["The rule"]
    assert told["It follows"].startswith("From session 2.0 on it does not play.")
    assert "stand-in" not in told["It follows"]


def test_it_names_what_to_do(by_evidence: LeagueFacts) -> None:
    made = trouble(by_evidence, "broken")
    newest = page(by_evidence, "broken").faults.shown[0].examples[0]
    last = [one for one in by_evidence.matches if one.number == newest.match]
    (seat,) = (seat.seat for seat in last[0].seats if seat.bot == "broken")
    assert newest.where == "round 0, trick 2"
    assert commands(made) == [
        "arena check FOLDER",
        f"arena replay {newest.match}.json --bot FOLDER --seat {seat} --break 0:2",
        "arena reinstate league.toml broken --reason WHY",
        "arena run league.toml --new-season WHY",
    ]


def test_a_command_can_be_pasted_whatever_the_league_file_is_called(by_evidence: LeagueFacts) -> None:
    (machine,) = by_evidence.machines[-1:]
    spring = replace(by_evidence, machines=(replace(machine, league_file="my league.toml"),))
    assert "arena reinstate 'my league.toml' broken --reason WHY" in commands(trouble(spring, "broken"))


def test_cards_that_are_not_shown_are_not_asked_again(by_evidence: LeagueFacts) -> None:
    made = page(by_evidence, "broken", frozenset()).trouble
    assert made is not None
    assert not [step for step in made.author if "replay" in step.command]


def test_nothing_can_be_done_in_a_season_that_has_ended(by_evidence: LeagueFacts) -> None:
    assert trouble(replace(by_evidence, ended=True), "broken").organiser == ()


def test_under_the_first_rule_the_share_is_named(by_share: LeagueFacts) -> None:
    told = told_of(trouble(by_share, "broken"))
    assert told["It stood at"] == "Replaced in 18 of 18 matches (100 %)."
    assert (
        told["The rule"]
        == "Out is who is replaced in more than 10 % of its matches, and has played 10 matches."
    )
    assert "evidence" not in str(told)
    assert "The stand-in of the arena has its seats." in told["It follows"]


def test_the_stand_in_says_for_whom_it_plays(by_share: LeagueFacts) -> None:
    assert page(by_share, "stand-in").about.endswith(" It played for Broken.")
    assert page(replace(by_share, over=False), "stand-in").about.endswith(" It plays for Broken.")
    back = (*by_share.rulings, Ruling("broken", False, 2))
    reinstated = replace(by_share, over=False, rulings=back, out={})
    assert page(reinstated, "stand-in").about.endswith(" It played for Broken.")
    assert page(by_share, "broken").about == ""
    table = by_share.standings
    seat = replace(table.rows[-1], bot="stand-in", house=True, disqualified=False)
    board = leaderboard(replace(by_share, standings=replace(table, house=(seat,))), MatchPages(frozenset()))
    reasons = {row.standing.bot: row.aside or row.reason for row in board.unranked}
    assert reasons == {"broken": "replaced in 18 of 18 matches", "stand-in": "played for Broken"}


def test_a_bot_that_plays_on_is_told_how_near_it_is(some_late: LeagueFacts) -> None:
    made = trouble(replace(some_late, over=False), "third")
    told = told_of(made)
    assert made.heading == "Replaced in 4 of 24 matches"
    assert told["It stands at"] == "Replaced in 4 of 24 matches (17 %), evidence 0.87 (out at 100)."
    assert "Decided" not in told
    assert "arena withdraw league.toml third --reason WHY" in commands(made)
    assert not [command for command in commands(made) if "reinstate" in command]
    assert "arena withdraw" not in str(trouble(some_late, "third").organiser)


def test_a_bot_that_hardly_ever_fails_has_no_trouble(some_late: LeagueFacts) -> None:
    assert page(some_late, "low").trouble is None
    once = [match for match in some_late.matches if match.number not in (9, 10, 11, 12, 13, 14, 15, 16)]
    more = tuple(replace(match, number=100 * n + match.number) for n in range(1, 40) for match in once)
    assert page(replace(some_late, matches=(*more, *some_late.matches)), "third").trouble is None


def test_who_was_reinstated_is_told_from_when_on_it_is_judged(by_evidence: LeagueFacts) -> None:
    back = Ruling("broken", False, 1, "its library is there now")
    again = replace(
        by_evidence, rulings=(*by_evidence.rulings, back), out={}, ruled_at={back: 1_700_000_000_000}
    )
    told = told_of(trouble(again, "broken"))
    assert told["Reinstated"] == "2023-11-14 22:13 UTC. Since session 1.0: its library is there now."
    assert told["It stands at"].startswith("Replaced in 18 of 18 matches")


def test_who_was_withdrawn_is_not_blamed(in_open: LeagueFacts) -> None:
    made = trouble(in_open, "third@1")
    told = told_of(made)
    assert made.heading == "Why it is withdrawn"
    assert told["Decided"].endswith("By the organiser: moves on.")
    assert "The rule" not in told
    assert commands(made) == [
        "arena reinstate league.toml third --reason WHY",
        "arena enter league.toml FOLDER",
    ]
    assert "blame" not in str(made)


def test_all_versions_may_be_out_by_the_last_of_them(in_open: LeagueFacts) -> None:
    why = "3 of its versions are disqualified, the last one broken@3: replaced in 18 of 18 matches"
    whole = Ruling("broken", True, 3, why, Cause.LIMITS)
    told = told_of(trouble(replace(in_open, out={"broken": whole}, rulings=(whole,)), "broken@1"))
    assert told["It stood at"] == f"{why}."


def test_it_is_told_in_french_too(by_evidence: LeagueFacts) -> None:
    with writing_in(tongue(FRENCH)):
        made = trouble(by_evidence, "broken")
    told = told_of(made)
    assert made.heading == "Pourquoi il est disqualifié"
    assert told["Décision"] == "2026-11-23 09:22 UTC. En application de la règle, après 1 cycle joué."
    assert "(disqualify_share)" in told["La règle"]
    assert commands(made) == commands(trouble(by_evidence, "broken"))


def test_the_reason_of_an_organiser_stays_as_it_is(by_evidence: LeagueFacts) -> None:
    ruling = Ruling("high", out=True, from_cycle=1, reason="it was late", cause=Cause.DISQUALIFIED)
    with writing_in(tongue(FRENCH)):
        made = trouble(replace(by_evidence, out={"high": ruling}, rulings=(ruling,)), "high")
    (decided,) = [one for one in made.facts if one.term == "Décision"]
    assert decided.said == "Par l’organisateur\N{NO-BREAK SPACE}:"
    assert decided.reason == "it was late."
