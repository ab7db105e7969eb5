"""A final in which its heats count, played without processes: its score, what is said of it, and what not."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from arena.conduct.disqualify import disqualified
from arena.errors import SeasonChanged
from arena.league.carrying import Planned
from arena.league.cycles import FirstVerdicts
from arena.league.reader import read_league
from arena.schedule import Field
from arena.season.carrying import with_carry
from arena.season.forecast import forecast
from arena.season.opening import now_ms, open_season, stored_season
from arena.standings import Look, SessionResult, fit
from arena.store.acts import void_act
from arena.store.database import Database
from arena.store.reader import Reader
from arena.store.scoring import scored
from arena.store.stage import Decision, decision_of, words_of
from arena.store.writer import Writer
from tests.running import edit
from tests.shared import copied, once
from tests.staged_played import STAGES, StagedPlay, carried_league, play_carried


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return once(tmp_path_factory, "carried", play_carried)


def by_hand(heats: list[SessionResult], final: list[SessionResult]) -> list[SessionResult]:
    """All sessions, those of the final in later cycles."""
    return [*heats, *(replace(one, cycle=one.cycle + 1) for one in final)]


@pytest.mark.slow
def test_the_score_of_the_final_is_the_fit_of_both_stages(played: Path) -> None:
    with Database.open(played / "tiny.db", read_only=True) as database:
        reader = Reader(database)
        season = stored_season(reader)
        heats, final = reader.session_results(1), reader.session_results(2)
        score = scored(reader, season)
        assert (len(heats), len(final)) == (9, 24), "a session of the heats is void"
        bots = [f"b{number}" for number in range(5)]
        here = {entry.bot for entry in season.entries}
        (gone,) = set(bots) - here
        expected = fit(by_hand(heats, final), bots, 3, departed=[gone])
        assert score.standings.fit == expected
        assert [row.bot for row in score.standings.rows] == sorted(here, key=lambda bot: expected.scores[bot])
        assert [row.score for row in score.standings.rows] == sorted(expected.scores[bot] for bot in here)
        assert score.results == tuple(final)
        assert score.standings.provisional is None
        assert isinstance(score.look, Look)
        assert (score.look.cycles, score.look.sessions, score.look.earlier) == (6, 33, 9)
        assert score.look.fit == expected


@pytest.mark.slow
def test_the_decision_says_that_earlier_stages_count(played: Path) -> None:
    with Database.open(played / "tiny.db", read_only=True) as database:
        season = stored_season(Reader(database))
    decision = decision_of(season)
    assert decision is not None
    assert (decision.carried, decision.no_carry, decision.to_play) == (9, "", 6)
    assert "in this stage and in 9 sessions of earlier stages" in words_of(season)[-1]


def test_what_becomes_void_in_the_heats_does_not_count_in_the_final(played: Path, tmp_path: Path) -> None:
    with Database.open(copied(played, tmp_path / "other") / "tiny.db") as database:
        Writer(database).void(1, (0, 5), void_act(1, (0, 5), "later", (now_ms(), "test")))
        reader = Reader(database)
        score = scored(reader, stored_season(reader))
        assert len(score.scoring.earlier.results) == 8
        assert score.standings.fit.session_count == 32


def test_the_heats_themselves_are_scored_by_what_was_played_in_them(played: Path) -> None:
    with Database.open(played / "tiny.db", read_only=True) as database:
        reader = Reader(database)
        score = scored(reader, reader.seasons()[0])
        assert score.standings.fit == fit(reader.session_results(1), score.scoring.bots, 3)


def test_before_a_session_of_the_final_its_bots_have_the_score_of_the_heats(tmp_path: Path) -> None:
    with StagedPlay(carried_league(tmp_path)) as play:
        play.stage()
        assert play.goes_on()
        assert "  the 10 sessions that count so far count in the next stage, too" in play.said
        season = stored_season(play.reader)
        assert (season.number, season.rounds) == (2, 4)
        score = scored(play.reader, season)
        assert [row.rank for row in score.standings.rows] == [1, 2, 3, 4]
        assert score.standings.fit.session_count == 10


@pytest.mark.slow
def test_a_bot_that_leaves_the_final_is_a_departed_entry_beside_those_of_the_heats(tmp_path: Path) -> None:
    with StagedPlay(carried_league(tmp_path)) as play:
        play.stage()
        assert play.goes_on()
        bad = stored_season(play.reader).entries[0].bot
        play.fault_rates[bad] = 0.5
        play.stage()
        season = stored_season(play.reader)
        assert bad in disqualified(play.reader.rulings(2))
        score = scored(play.reader, season)
        heats, final = play.reader.session_results(1), play.reader.session_results(2)
        (gone,) = {f"b{number}" for number in range(5)} - {entry.bot for entry in season.entries}
        expected = fit(by_hand(heats, final), [f"b{n}" for n in range(5)], 3, departed=[gone, bad])
        assert score.standings.fit == expected


@pytest.mark.slow
def test_where_too_many_are_out_the_final_is_played_without_the_heats(tmp_path: Path) -> None:
    """Two of the five bots were excluded, so three go on instead of four."""
    stages = STAGES.replace("cycles = 1\n", "cycles = 2\n")
    with StagedPlay(carried_league(tmp_path, stages), {"b3": 0.9, "b4": 0.9}) as play:
        play.stage()
        assert play.goes_on(), "nothing is refused"
        season = stored_season(play.reader)
        decision = decision_of(season)
        assert decision is not None
        assert len(decision.going_on) == 3
        assert (decision.carried, decision.to_play) == (0, 6)
        assert "when there were up to 5 bots and not 3" in decision.no_carry
        assert any("carry = true, but earlier stages do not count" in line for line in play.said), play.said
        assert words_of(season)[-1].startswith("Earlier stages do not count as announced: ")
        assert "by what they played in this stage." in words_of(season)[-2]
        play.stage()
        score = scored(play.reader, season)
        final = play.reader.session_results(2)
        assert score.standings.fit == fit(final, [entry.bot for entry in season.entries], 3)


def test_a_final_in_which_heats_count_is_not_made_shorter(tmp_path: Path) -> None:
    league = carried_league(tmp_path)
    with StagedPlay(league) as play:
        play.stage()
        assert play.goes_on()
        edit(league, "cycles = 6", "cycles = 4")
        with pytest.raises(SeasonChanged, match=r"schedule\.cycles: 6 -> 4: .* committed to 6"):
            open_season(read_league(league), play.reader, play.writer)
        edit(league, "cycles = 4", "cycles = 7")
        assert open_season(read_league(league), play.reader, play.writer).cycles == 7


def test_a_stage_that_follows_another_does_not_begin_anew(tmp_path: Path) -> None:
    league = carried_league(tmp_path)
    with StagedPlay(league) as play:
        play.stage()
        assert play.goes_on()
        edit(league, "rounds = 4", "rounds = 5")
        with pytest.raises(SeasonChanged, match=r"stages\.2\.rounds: 4 -> 5"):
            open_season(read_league(league), play.reader, play.writer)


def test_a_tie_lets_more_go_on_and_the_rule_decides_by_them() -> None:
    def session(index: int, *bots: str) -> SessionResult:
        return SessionResult(0, index, 18, dict.fromkeys(bots, 1500), {})

    played = [[session(0, "a", "b", "c"), session(1, "b", "c", "d"), session(2, "a", "c", "e")]]
    decision = Decision(1, 3, None, 0, 1, 3, (), 0, tuple("abcde"), tuple("abcd"), ("e",), (), False, "")
    four = with_carry(decision, played, Planned(Field(4, 3, ""), 3, 6))
    assert (four.carried, four.no_carry) == (3, "")
    two = with_carry(decision, played, Planned(Field(2, 3, ""), 3, 6))
    assert (two.carried, two.no_carry) == (0, "a final of two carries nothing: a duel is scored by itself")


@pytest.mark.slow
def test_the_forecast_of_the_final_counts_the_heats_for_its_verdicts(tmp_path: Path) -> None:
    league = carried_league(tmp_path)
    with StagedPlay(league) as play:
        play.stage()
        assert play.goes_on()
        seen = forecast(read_league(league))
        assert seen.verdicts is not None
        assert (seen.earlier, seen.verdicts) == (10, FirstVerdicts(5, 20, 15))
        assert seen.reaches_verdicts
        play.stage()
        score = scored(play.reader, stored_season(play.reader))
        moments = [moment for moment in score.scoring.course(score.results) if isinstance(moment.look, Look)]
        assert moments[0].cycles == 5
