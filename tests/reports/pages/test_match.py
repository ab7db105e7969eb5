"""What a match page tells of a seat beside its points."""

from __future__ import annotations

from dataclasses import replace

from arena.deals import MatchKey
from arena.store.views import MatchView
from reports.options import ReportOptions
from reports.pages.match import Ways, match_page
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
