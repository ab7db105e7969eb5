"""The words above the leaderboard never say more than the intervals do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from unittest.mock import patch

import pytest

from arena.conduct.exclusion import Ruling
from arena.score.fit import Fit
from arena.score.table import Standing
from arena.score.verdicts import Comparison, Look, NoLook, Pair, Verdict
from arena.store.views import ALL_PLAYED
from reports.facts import LeagueFacts, read_facts
from reports.pages.verdict import Undecided, certainty, verdict
from tests.reports import played
from tests.reports.played import League


@pytest.fixture(scope="module")
def facts(tmp_path_factory: pytest.TempPathFactory) -> LeagueFacts:
    """A league in the middle of its second cycle, whose standings the tests replace."""
    folder = tmp_path_factory.mktemp("verdict")
    league = League(rounds=1, cycles=2, matches=28)
    with played.play(folder / "league.db", league) as database:
        return read_facts(database)


def with_scores(facts: LeagueFacts, scores: Mapping[str, tuple[float, float | None]]) -> LeagueFacts:
    """The facts with these scores and half widths, best first, equal scores sharing a rank."""
    values = [score for score, _ in scores.values()]
    rows = tuple(
        Standing(
            bot, 1 + sum(v < score for v in values), score, score, 0.0, half, half, 3, 3, 48, False, False
        )
        for bot, (score, half) in scores.items()
    )
    table = replace(facts.standings, rows=rows, comparable=True)
    return replace(facts, standings=table)


def test_a_running_league_says_how_far_it_is(facts: LeagueFacts) -> None:
    said = verdict(facts)
    assert said.provisional == "Provisional, cycle 2 at 40 %."
    assert " so far: " in said.sentence
    assert "can still change" in said.after


def test_a_leader_apart_from_all_others(facts: LeagueFacts) -> None:
    said = verdict(with_scores(facts, {"duck": (50.0, 2.0), "low": (60.0, 2.0), "random": (80.0, 2.0)}))
    assert said.sentence == (
        "Duck has the fewest points so far: 50.00 ± 2.00 a round, 12.50 below par. "
        "Its interval overlaps with no other."
    )


def test_equal_scores_share_the_first_place(facts: LeagueFacts) -> None:
    said = verdict(with_scores(facts, {"duck": (60.0, 9.0), "low": (60.0, 3.0), "random": (64.0, 9.0)}))
    assert said.sentence == "Duck and Low share the fewest points so far: 60.00 a round, 2.50 below par."


def test_without_intervals_nothing_is_claimed(facts: LeagueFacts) -> None:
    table = with_scores(facts, {"duck": (50.0, None), "low": (60.0, None)})
    plain = replace(table, standings=replace(table.standings, comparable=False))
    assert verdict(plain).sentence.endswith("these are plain means.")


def test_a_finished_league_is_not_provisional(facts: LeagueFacts) -> None:
    said = verdict(replace(facts, over=True, standings=replace(facts.standings, provisional=None)))
    assert said.provisional == ""
    assert "so far" not in said.sentence
    assert said.after == "After 7 complete sessions"


def test_before_the_first_session(tmp_path: Path) -> None:
    with played.play(tmp_path / "league.db", League(matches=2)) as database:
        said = verdict(read_facts(database))
    assert said.provisional == "Provisional, cycle 1 at 0 %."
    assert said.sentence == "No session is complete yet, so there is nothing to compare."


NAMES = {"duck": "Duck", "low": "Low", "random": "Random", "moody": "Moody", "greedy": "Greedy"}


def with_look(facts: LeagueFacts, *still_open: tuple[str, str], margin: float = 2.0) -> LeagueFacts:
    """The facts with verdicts in which all pairs but these are decided."""
    bots = tuple(NAMES)
    pairs = tuple(
        Pair(a, b, 3.0, 0.5, 1.0, 5.0, Verdict.OPEN, 0.05, Comparison(a, b, 3.0, 0.25, 80, margin))
        if (a, b) in still_open
        else Pair(a, b, 9.0, 0.5, 7.0, 11.0, Verdict.AHEAD, 0.05, Comparison(a, b, 9.0, 0.25, 80, margin))
        for a, b in combinations(bots, 2)
    )
    seen = Look(8, 120, bots, pairs, {}, {}, facts.standings.fit)
    return replace(facts, look=seen, margin=margin)


def test_verdicts_take_the_place_of_overlapping_intervals(facts: LeagueFacts) -> None:
    scores = {"duck": (50.0, 2.0), "low": (53.0, 2.0), "random": (80.0, 2.0)}
    said = verdict(with_look(with_scores(facts, scores), ("duck", "low")))
    assert said.sentence.endswith(" 12.50 below par. Duck cannot be told apart from Low yet.")
    assert (said.after, said.claim) == (
        "The order below can still change",
        "1 of 4 pairs of neighbours is undecided.",
    )
    ended = verdict(replace(with_look(with_scores(facts, scores)), over=True))
    assert ended.sentence.endswith("Duck is surely ahead of every other bot.")
    assert ended.claim == "Settled: each bot is surely ahead of the next."


def with_out(facts: LeagueFacts, *bots: str) -> LeagueFacts:
    """The facts of an ended league, with verdicts in which all pairs are decided, and these bots out."""
    scores = {bot: (50.0 + 9 * place, 2.0) for place, bot in enumerate(NAMES)}
    scored = with_look(with_scores(facts, scores))
    return replace(scored, over=True, out={bot: Ruling(bot, True, 1) for bot in bots})


def test_of_one_that_is_out_is_told_after_the_leader(facts: LeagueFacts) -> None:
    sentence = verdict(with_out(facts, "greedy")).sentence
    assert sentence.startswith("Duck won with the fewest points: ")
    assert sentence.endswith(" 4 of 5 bots are still in: Greedy was excluded.")


def test_why_too_few_are_left_is_said(facts: LeagueFacts) -> None:
    phases = (replace(facts.season.phases[0], end_reason="too few are left"),)
    ended = replace(facts, season=replace(facts.season, phases=phases))
    table = replace(ended.standings, provisional=None)
    two = replace(with_out(replace(ended, standings=table), "random", "moody"), standings=table)
    assert "ended before the whole schedule" in verdict(replace(two, standings=table)).after
    assert "too few are left" in verdict(two).ended
    four = replace(two, out={"moody": Ruling("moody", True, 1)})
    assert "too few are left" not in verdict(four).ended
    whole = replace(two.season, phases=(replace(phases[0], end_reason=ALL_PLAYED),))
    assert "before the whole schedule" not in verdict(replace(two, season=whole)).after


@pytest.mark.parametrize(
    ("planned", "said"),
    [
        (40, "The season ends when all are, at the earliest after 24 of 40 cycles."),
        (16, "16 cycles are too few for the season to end early."),
    ],
)
def test_it_is_said_from_when_on_a_season_can_end_early(facts: LeagueFacts, planned: int, said: str) -> None:
    """As many bots as seats: one session a cycle, and verdicts need 16."""
    phase = replace(facts.season.phases[0], cycles_at_most=planned, cycles_planned=planned)
    season = replace(facts.season, phases=(phase,), sessions_per_cycle=1, field_size=facts.season.seats)
    early = replace(facts, season=season, over=False, look=NoLook("it is too early"), stops_when_settled=True)
    assert certainty(early).sentence == f"No rank is sure: it is too early. {said}"
    assert certainty(replace(early, over=True)).sentence == "No rank is sure: it is too early."


def test_what_is_undecided_is_listed_with_what_it_takes(facts: LeagueFacts) -> None:
    with patch("arena.score.verdicts._sessions_needed", return_value=1234):
        sure = certainty(with_look(facts, ("low", "random"), ("duck", "random"), ("moody", "greedy")))
    assert sure.sentence == "2 of 4 pairs of neighbours are undecided."
    assert sure.basis == "120 sessions in 8 complete cycles"
    assert sure.margin == "within 2 points"
    assert sure.undecided == (
        Undecided("Low", "Random", 3.0, 2.0, "about 1,300 more sessions"),
        Undecided("Moody", "Greedy", 3.0, 2.0, "about 1,300 more sessions"),
    )
    assert sure.hidden == 0
    assert certainty(with_look(facts, margin=0.0)).margin == ""


def test_whose_form_varies_is_said_with_verdicts_and_without(facts: LeagueFacts) -> None:
    assert certainty(facts).form == ""
    with patch.object(Fit, "varying", {"low": 4.24}):
        for each in (facts, with_look(facts)):
            assert certainty(each).form.startswith("Form varies from cycle to cycle: Low by about 4.2 points")
            assert "Find out whether a bot learns" in certainty(each).form


def test_a_duel_counts_by_seat_and_round(tmp_path: Path) -> None:
    league = League(bots=played.FIVE[:2], cycles=3)
    with played.play(tmp_path / "duel.db", league) as database:
        facts = read_facts(database)
    assert " a seat and round, " in verdict(facts).sentence
