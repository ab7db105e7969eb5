"""Pages of a league with many bots: nothing grows with bots times bots, and the neighbours are there."""

from __future__ import annotations

import pytest

import reports.facts
from arena.score import verdicts
from arena.score.verdicts import LETTERS_UP_TO, Look
from reports import ReportOptions
from reports.facts import LeagueFacts
from reports.pages import leaderboard as board
from reports.pages import opponents
from reports.pages.bot import BotPage, BotPages
from reports.pages.leaderboard import leaderboard
from reports.secrecy import Secrecy


@pytest.fixture
def many(facts: LeagueFacts, monkeypatch: pytest.MonkeyPatch) -> LeagueFacts:
    """The league of five, of which three are many."""
    monkeypatch.setattr(reports.facts, "EVERY_PAIR_UP_TO", 3)
    monkeypatch.setattr(verdicts, "LETTERS_UP_TO", 3)
    monkeypatch.setattr(board, "_COURSES", 2)
    monkeypatch.setattr(opponents, "_NEAR", 1)
    return facts


def page(facts: LeagueFacts, bot: str) -> BotPage:
    return BotPages(facts, (), Secrecy(ReportOptions(), facts.over)).page(bot)


def test_the_standings_are_in_groups(many: LeagueFacts) -> None:
    made = leaderboard(many)
    assert isinstance(many.look, Look)
    in_groups = [tuple(row.line.standing.bot for row in group.rows) for group in made.ranked]
    assert in_groups == list(many.look.groups)
    assert len(in_groups) > 1
    assert made.ranked[0].heading.startswith("Group 1: ")
    assert made.ranked[-1].places.endswith("5")


def test_no_page_has_every_bot_against_every_other(many: LeagueFacts) -> None:
    made = leaderboard(many)
    assert made.heat is None
    assert made.course is not None
    assert [line.name for line in made.course.lines] == [
        many.entry(row.bot).name for row in many.standings.rows[:2]
    ]


def test_a_bot_stands_among_its_neighbours(many: LeagueFacts) -> None:
    order = [row.bot for row in many.standings.rows]
    made = page(many, order[1])
    assert [row.path for row in made.opponents] == [f"{order[0]}.html", "", f"{order[2]}.html"]
    assert [row.rank for row in made.opponents] == ["1", "2", "3"]
    assert made.course is not None
    assert [line.name for line in made.course.lines if line.chosen] == [made.name]


def test_what_is_sure_of_all_others_adds_up(many: LeagueFacts) -> None:
    assert isinstance(many.look, Look)
    for bot in many.look.bots:
        low, high = many.look.ranks[bot]
        said = page(many, bot).others
        assert said.startswith("It met 4 bots at its tables. Among 4 other ranked bots it is ")
        assert (f"surely behind {low - 1}" in said) == (low > 1)
        assert (f"surely ahead of {5 - high}" in said) == (high < 5)


def test_a_small_league_has_letters_and_all_pairs(facts: LeagueFacts) -> None:
    made = leaderboard(facts)
    assert len(facts.season.entries) <= LETTERS_UP_TO
    (group,) = made.ranked
    assert group.heading == made.about_groups == ""
    assert all(row.line.group.isalpha() for row in group.rows)
    assert made.heat is not None
    assert len(page(facts, "duck").opponents) == 4
    assert page(facts, "duck").others == ""
