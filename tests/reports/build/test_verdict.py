"""The words above the leaderboard never say more than the intervals do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from arena.standings import Standing
from arena.store.reader import Reader
from reports.build.verdict import verdict
from reports.facts import LeagueFacts, read_facts
from tests.reports import played
from tests.reports.played import League


@pytest.fixture(scope="module")
def facts(tmp_path_factory: pytest.TempPathFactory) -> LeagueFacts:
    """A league in the middle of its second cycle, whose standings the tests replace."""
    folder = tmp_path_factory.mktemp("verdict")
    league = League(rounds=4, cycles=2, matches=28)
    with played.play(folder / "league.db", league) as database:
        return read_facts(Reader(database))


def with_scores(facts: LeagueFacts, scores: Mapping[str, tuple[float, float | None]]) -> LeagueFacts:
    """The facts with these scores and half widths, best first, equal scores sharing a rank."""
    values = [score for score, _ in scores.values()]
    rows = tuple(
        Standing(bot, 1 + sum(v < score for v in values), score, score, 0.0, half, 3, 48, False, False)
        for bot, (score, half) in scores.items()
    )
    intervals = all(half is not None for _, half in scores.values())
    table = replace(facts.standings, rows=rows, comparable=True, intervals=intervals)
    return replace(facts, standings=table)


def test_a_running_league_says_how_far_it_is(facts: LeagueFacts) -> None:
    said = verdict(facts)
    assert said.provisional == "Provisional, cycle 2 at 40 %."
    assert " so far: " in said.sentence
    assert "can still change" in said.caution


def test_a_leader_apart_from_all_others(facts: LeagueFacts) -> None:
    said = verdict(with_scores(facts, {"duck": (50.0, 2.0), "low": (60.0, 2.0), "random": (80.0, 2.0)}))
    assert said.sentence == (
        "Duck has the fewest points so far: 50.00 ± 2.00 a round, 12.50 below par. "
        "Its interval overlaps with no other."
    )


def test_neighbours_too_close_to_tell_are_named(facts: LeagueFacts) -> None:
    said = verdict(with_scores(facts, {"duck": (50.0, 2.0), "low": (53.0, 2.0), "random": (80.0, 2.0)}))
    assert said.sentence.endswith("overlaps with that of Low: the order among them is open.")


def test_when_all_overlap_nobody_is_ahead(facts: LeagueFacts) -> None:
    said = verdict(with_scores(facts, {"duck": (60.0, 9.0), "low": (63.0, 9.0), "random": (64.0, 9.0)}))
    assert said.sentence.endswith("overlaps with every other: nobody is clearly ahead.")


def test_equal_scores_share_the_first_place(facts: LeagueFacts) -> None:
    said = verdict(with_scores(facts, {"duck": (60.0, 9.0), "low": (60.0, 3.0), "random": (64.0, 9.0)}))
    assert said.sentence == "Duck and Low share the fewest points so far: 60.00 a round, 2.50 below par."


def test_without_intervals_nothing_is_claimed(facts: LeagueFacts) -> None:
    table = with_scores(facts, {"duck": (50.0, None), "low": (60.0, None)})
    assert verdict(table).sentence.endswith("There is too little to say how sure that is.")
    plain = replace(table, standings=replace(table.standings, comparable=False))
    assert verdict(plain).sentence.endswith("these are plain means.")


def test_a_finished_league_is_not_provisional(facts: LeagueFacts) -> None:
    said = verdict(replace(facts, over=True, standings=replace(facts.standings, provisional=None)))
    assert said.provisional == ""
    assert "so far" not in said.sentence
    assert said.caution.startswith("After 7 complete sessions. ")


def test_before_the_first_session(tmp_path: Path) -> None:
    with played.play(tmp_path / "league.db", League(matches=2)) as database:
        said = verdict(read_facts(Reader(database)))
    assert said.provisional == "Provisional, cycle 1 at 0 %."
    assert said.sentence == "No session is complete yet, so there is nothing to compare."
