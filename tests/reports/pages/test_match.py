"""What a match page tells of a seat beside its points."""

from __future__ import annotations

from dataclasses import replace

from arena.deals import MatchKey
from arena.match.faults import Fault, FaultKind, HandOver
from arena.store.views import MatchView
from reports.options import ReportOptions
from reports.pages.match import Ways, about_match, match_page, result_words, taken_over
from reports.secrecy import Secrecy
from tests.reports.test_selection import match
from tests.store.samples import played


def _marks(view: MatchView) -> list[tuple[str, ...]]:
    secrecy = Secrecy(ReportOptions(frozenset()), over=True)
    page = match_page(view, played(MatchKey(0, 0, 0), seats=3), secrecy, Ways(None, None, ()))
    return [seat.marks for seat in page.seats]


def test_it_shows_who_was_stopped_off_turn_and_who_left_its_core() -> None:
    view = match(1, (90, 60, 100))
    assert _marks(view) == [(), (), ()]
    first, second, third = view.seats
    seats = (first, replace(second, frozen=True, off_turn_us=1_234_567), replace(third, left_core=True))
    assert _marks(replace(view, seats=seats)) == [
        (),
        ("stopped between its questions: 1.2 s of processor time without a question",),
        ("left the core that it shares with its referee",),
    ]


def test_it_shows_who_got_more_time_and_at_which_fault() -> None:
    """In trick 6 the last seat of the trick timed out, after its deadline had moved."""
    record = played(MatchKey(0, 0, 0), seats=3)
    first = record.rounds[0]
    board = record.setup.boards[0].hands_by_seat(0)
    held = [hand & ~first.passes[seat] | first.passes[seat - 1] for seat, hand in enumerate(board)]
    decision = 3 + 6 * 3 + 2
    (seat,) = [seat for seat in range(3) if held[seat] >> first.plays[decision - 3] & 1]
    late = Fault(seat, FaultKind.TIMEOUT, "nothing came", 0, 7, wall_us=1_487_000)
    passed = Fault(1, FaultKind.TIMEOUT, "nothing came", 0, 0, wall_us=1_000_000)
    rounds = (replace(first, extended=((decision, 487_000),)), *record.rounds[1:])
    view = match(1, (90, 60, 100))
    seats = tuple(replace(one, extended_us=487_000) if one.seat == seat else one for one in view.seats)
    page = match_page(
        replace(view, seats=seats),
        replace(record, rounds=rounds, faults=(passed, late)),
        Secrecy(ReportOptions(), over=True),
        Ways(None, None, ()),
    )
    assert [row.extended_us for row in page.faults] == [0, 487_000]
    assert [bool(one.marks) for one in page.seats] == [one.seat == seat for one in seats]
    assert page.seats[seat].marks == ("got 487 ms more for its answers, while others had its core",)


def test_it_says_from_which_decision_on_the_stand_in_played() -> None:
    seat = replace(match(1, (90, 60, 100)).seats[0], hand_over=HandOver.MAX_FAULTS)
    assert taken_over(replace(seat, hand_over_at=(1, 0))) == "stand-in from round 1, pass on: too many faults"
    later = replace(seat, hand_over_at=(2, 4))
    assert taken_over(later) == "stand-in from round 2, trick 3 on: too many faults"


def test_it_says_which_attempt_counts_if_not_the_first() -> None:
    view = replace(match(1, (90, 60, 100)), cycle=0, index=3, order=1)
    assert about_match(view) == "Session 0.3, seat order 1."
    assert about_match(replace(view, attempt=2)) == "Session 0.3, seat order 1, attempt 2."


def test_the_result_is_one_sentence() -> None:
    assert result_words([("A", 90), ("B", 1060), ("C", 100)]) == "A won with 90 points, 10 fewer than C."
    assert result_words([("A", 7), ("B", 1), ("C", 7)]) == "B won with 1 point, 6 fewer than A and C."
    assert result_words([("A", 9), ("B", 9), ("C", 10)]) == "A and B share the first place with 9 points."
    assert result_words([("A", 9), ("B", 9)]) == "A and B share the first place with 9 points."
