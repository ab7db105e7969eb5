"""Which matches get a page, and which are pointed at."""

from __future__ import annotations

from dataclasses import replace

import pytest

from arena.store.views import MatchState, MatchView, SeatView, SessionState
from reports.build import selection
from reports.options import Replays


def match(number: int, totals: tuple[int, ...] = (100, 300), at: int = 0, faults: int = 0) -> MatchView:
    """A finished match with these totals by seat."""
    seats = tuple(
        SeatView(seat, f"bot{seat}", f"Bot {seat}", total, 0, 1, faults, None, None, 0, 1, 1, 1, None, 1, 0)
        for seat, total in enumerate(totals)
    )
    return MatchView(
        number, 0, number, 0, 0, 0, MatchState.FINISHED, "", SessionState.COMPLETE, (), seats,
        "SHDC", at, at, 4, 0, 0, "off", 1,
    )  # fmt: skip


def numbers(matches: list[MatchView]) -> list[int]:
    return [match.number for match in matches]


def test_the_closest_first_and_only_those_that_count() -> None:
    played = [match(1, (90, 110)), match(2, (50, 150)), match(3, (100, 100)), match(4, (95, 115))]
    void = replace(match(5, (100, 100)), session_state=SessionState.VOIDED)
    assert numbers(selection.closest([*played, void], 3)) == [3, 1, 4]


def test_the_most_recent_first() -> None:
    assert numbers(selection.most_recent([match(1, at=5), match(2, at=9), match(3, at=5)], 2)) == [2, 3]


@pytest.mark.parametrize(
    ("replays", "pages"),
    [(Replays.NONE, 0), (Replays.ALL, 2500), (Replays.INTERESTING, 401), (Replays.AUTO, 401)],
)
def test_choices_in_a_large_league(replays: Replays, pages: int) -> None:
    matches = [match(n, (n, 0), at=n, faults=int(n == 1234)) for n in range(1, 2501)]
    chosen = selection.with_page(matches, replays)
    assert len(chosen) == pages
    if replays in (Replays.INTERESTING, Replays.AUTO):
        assert chosen == {*range(1, 201), 1234, *range(2301, 2501)}


def test_auto_is_all_in_a_small_league() -> None:
    assert selection.with_page([match(1), match(2)], Replays.AUTO) == {1, 2}
