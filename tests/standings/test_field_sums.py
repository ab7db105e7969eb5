"""Large and changing fields: arrays against the exact reference, departed bots eliminated, bounded work."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from random import Random

import pytest

from arena.standings import Fit, SessionResult, fit
from arena.standings.field_sums import FieldSums, Played
from tests.standings import leagues, reference

SEATS = 4


def changing(
    present: int, departed: int, sessions: int, seed: int = 1
) -> tuple[list[SessionResult], list[str]]:
    """Sessions of the present bots, in half of which one departed bot sits; the departed ones come last."""
    rng = Random(seed)
    bots = [f"a{number:03}" for number in range(present)] + [f"z{number:03}" for number in range(departed)]
    skill = {bot: rng.gauss(0, 8) for bot in bots}
    played = []
    for index in range(sessions):
        line_up = rng.sample(bots[:present], SEATS)
        if departed and index % 2:
            line_up[0] = bots[present + index // 2 % departed]
        rounds = rng.choice([16, 16, 32])
        played.append(leagues.noisy(rng, (index // present, index % present), line_up, rounds, skill))
    return played, bots


def sums_of(
    sessions: Sequence[SessionResult], bots: Sequence[str], present: int, reference: Sequence[int] = ()
) -> FieldSums:
    """The fit of all bots, those after the `present` first ones eliminated."""
    line_ups = [tuple(sorted(map(bots.index, session.card_points))) for session in sessions]
    played = Played.of(sessions, line_ups, bots)
    among = len(reference) or present
    spread = (SEATS - 1) * among / (SEATS * (among - 1))
    return FieldSums(played, present, len(bots) - present, spread, reference)


@pytest.mark.parametrize(("present", "departed"), [(6, 0), (5, 3), (6, 6)])
def test_departed_bots_are_eliminated_exactly(present: int, departed: int) -> None:
    sessions, bots = changing(present, departed, 36)
    gone = bots[present:]
    found = sums_of(sessions, bots, present)
    expected = reference.scores(sessions, bots, SEATS, gone)
    for i, score in enumerate(expected):
        own = 62.5 + found.spread * found.strengths[i] + found.charges[i]
        assert own == pytest.approx(float(score), abs=1e-9)
    refitted = reference.covariance(sessions, bots, SEATS, gone)
    for i, row in enumerate(found.covariance()):
        assert row == pytest.approx([float(value) for value in refitted[i][:present]], abs=1e-9)


def test_cycles_move_the_scores_as_if_nobody_was_eliminated() -> None:
    sessions, bots = changing(9, 7, 120)
    eliminated = sums_of(sessions, bots, 9).moved_by_cycles()
    everybody = sums_of(sessions, bots, 16, range(9)).moved_by_cycles()
    assert eliminated == pytest.approx(everybody[:, :9], abs=1e-9)
    assert abs(eliminated).max() > 0.1


def large(monkeypatch: pytest.MonkeyPatch, *given: object, **named: object) -> Fit:
    """The fit by arrays, however small the field is."""
    with monkeypatch.context() as patched:
        patched.setattr(sys.modules["arena.standings.fit"], "MOST_IN_LISTS", 0)
        return fit(*given, **named)  # type: ignore[arg-type]


@pytest.mark.parametrize("gone", [(), ("bot03",)])
def test_a_large_closed_field_is_scored_as_a_small_one(
    monkeypatch: pytest.MonkeyPatch, gone: tuple[str, ...]
) -> None:
    rng, bots = Random(3), [f"bot{number:02}" for number in range(18)]
    sessions = []
    for cycle in range(6):
        circle = rng.sample(bots, len(bots))
        line_ups = [[circle[(start + step) % 18] for step in (0, 1, 3, 7)] for start in range(18)]
        plan = ((cycle, line_up) for line_up in line_ups)
        made = leagues.from_plan(cycle, plan, 16, {"bot02": 9.0})
        sessions += made
    slow, quick = fit(sessions, bots, 4, departed=gone), large(monkeypatch, sessions, bots, 4, departed=gone)
    assert quick.scores == pytest.approx(slow.scores, abs=1e-9)
    assert slow.design is not None
    assert quick.design is not None
    assert (quick.design.freedom, quick.design.within) == (slow.design.freedom, False)
    assert slow.design.ratio != 1.0
    assert quick.design.ratio == pytest.approx(slow.design.ratio, abs=1e-9)
    for bot in bots:
        assert quick.half_width(bot) == pytest.approx(slow.half_width(bot), abs=1e-9)
        assert quick.verdict_se(bot, "bot00") == pytest.approx(slow.verdict_se(bot, "bot00"), abs=1e-9)
    assert quick.varying == pytest.approx(slow.varying)


def test_several_seats_of_one_stand_in_count_as_in_a_small_field(monkeypatch: pytest.MonkeyPatch) -> None:
    sessions, bots = leagues.complete(5, 6, 4, 3)
    shared = SessionResult(
        3, 0, 16, {"bot00": 1000, "bot01": 1000, "any": 2000}, {"any": 80, "bot00": 40}, {"any": 32}
    )
    again = SessionResult(3, 1, 16, {"bot02": 900, "bot01": 1000, "any": 2100}, {"any": 40}, {"any": 32})
    given = ([*sessions, shared, again], [*bots, "any"], 4)
    slow, quick = fit(*given), large(monkeypatch, *given)
    assert quick.scores == pytest.approx(slow.scores, abs=1e-9)
    for bot in (*bots, "any"):
        assert quick.standard_error(bot) == pytest.approx(slow.standard_error(bot), abs=1e-9)
