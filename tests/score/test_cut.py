"""Who goes on after a stage: by rank, by contenders, and with ties."""

from __future__ import annotations

import pytest

from arena.score.cut import Keep, cut, going_on
from arena.score.results import SessionResult
from arena.score.scoring import Scoring
from arena.score.table import Plan
from arena.score.verdicts import Look, NoLook
from tests.score import leagues

SKILL = {"bot00": -20.0, "bot01": -12.0, "bot02": 0.0, "bot03": 2.0, "bot04": 14.0, "bot05": 16.0}


def league(
    cycles: int = 8, *, house: str = "", disqualified: str = ""
) -> tuple[Scoring, list[SessionResult]]:
    results, bots = leagues.complete(3, 6, 4, cycles, SKILL)
    plan, out = Plan(15, cycles), frozenset(disqualified.split())
    return Scoring(tuple(bots), 4, frozenset(house.split()), disqualified=out, plan=plan), results


def test_disqualified_and_house_bots_never_go_on() -> None:
    made = cut(*league(disqualified="bot00"), Keep(3, 0))
    assert made.going_on == ("bot01", "bot02", "bot03")
    assert "bot00" not in made.leaving, "it was out before"
    made = cut(*league(house="bot01"), Keep(3, 0))
    assert made.going_on == ("bot00", "bot02", "bot03")


def test_who_shares_the_last_rank_goes_on() -> None:
    scoring, results = league()
    equal = [leagues.session(s.key, s.rounds, dict.fromkeys(s.card_points, 1000)) for s in results]
    assert cut(scoring, equal, Keep(2, 0)).going_on == scoring.bots


def test_contenders_cut_who_is_behind_so_many_and_never_below_the_seats() -> None:
    scoring, results = league(12)
    seen = scoring.look_at(results, 0.05)
    assert isinstance(seen, Look)
    ranked = seen.bots
    behind = {bot: seen.ranks[bot][0] - 1 for bot in ranked}
    assert max(behind.values()) >= 3
    for contenders in (1, 2, 3):
        kept = going_on(seen, ranked, contenders, 1)
        assert kept == tuple(bot for bot in ranked if behind[bot] < contenders)
        assert kept
    assert going_on(seen, ranked, 1, 4) == tuple(
        sorted(ranked, key=lambda bot: (behind[bot], ranked.index(bot)))[:4]
    )
    assert going_on(NoLook("too early"), ranked, 1, 4) == ranked
    assert going_on(seen, (*ranked, "new"), 1, 1)[-1] == "new", "nobody is cut without a comparison"


def test_without_verdicts_nobody_is_cut() -> None:
    scoring, results = league(cycles=1)
    made = cut(scoring, results, Keep("contenders 1", 1))
    assert (len(made.going_on), made.leaving) == (6, ())
    assert made.no_look == "verdicts need 3 complete cycles; so far there is 1"


def test_the_error_is_shared_by_all_cuts_of_the_league() -> None:
    assert Keep("contenders 2", 3).error(11) == pytest.approx(0.05 * 2 / 10 / 3)
    assert (Keep("contenders 1", 1).error(24), Keep("contenders 9", 1).error(4)) == (0.05 / 23, 0.05)
    assert Keep(5, 3).error(11) is None
