"""Which matches get a page, and which are pointed at."""

from __future__ import annotations

from dataclasses import replace

from arena.store.views import MatchState, MatchView, SeatView, SessionState
from reports import selection


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


def test_the_most_recent_first_in_the_order_of_their_numbers_whichever_was_finished_last() -> None:
    assert numbers(selection.most_recent([match(1, at=5), match(3, at=5), match(2, at=9)], 2)) == [3, 2]


LARGE = [match(n, (n, 0), at=n, faults=int(n == 1234)) for n in range(1, 2501)]


def test_a_large_league_has_one_page_for_all_but_those_with_a_fault() -> None:
    assert selection.match_pages(LARGE) == selection.MatchPages(frozenset({1234}), shared=True)
    assert selection.match_pages(LARGE[:2000]) == selection.MatchPages(frozenset(range(1, 2001)))


def test_a_league_that_will_be_large_is_shown_as_one_from_its_beginning() -> None:
    assert selection.match_pages([match(1)], 2001) == selection.MatchPages(frozenset(), True)


def test_the_way_to_a_match_and_to_a_trick_of_it() -> None:
    pages = selection.MatchPages(frozenset({7}), shared=True)
    assert [pages.path(7), pages.path(7, "r2t5"), pages.path(7, "faults")] == [
        "7.html",
        "7.html#r2t5",
        "7.html#faults",
    ]
    assert [pages.path(8), pages.path(8, "r2t5"), pages.path(8, "faults")] == [
        "replay.html#m8",
        "replay.html#m8r2t5",
        "replay.html#m8",
    ]
    assert selection.MatchPages(frozenset({7})).path(8) is None


def test_an_author_has_pages_of_the_matches_of_the_own_bot() -> None:
    other = replace(match(9), seats=match(9).seats[1:])
    own = selection.match_pages([match(7), other, match(11)], 5000, "bot0").own
    assert own == {7, 11}
