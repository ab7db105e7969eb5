"""The lists of matches, page by page, and the same matches as data for their filters."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from arena.match.faults import FaultKind
from arena.store.views import MatchView
from reports.facts import LeagueFacts, read_facts
from reports.pages import listing
from reports.pages.listing import ListingPage, MatchLists, margin
from tests.reports import played
from tests.reports.played import Bot, League

BOTS = (*played.FIVE[:3], Bot("Moody", fault_rate=0.02))


@pytest.fixture(scope="module")
def facts(tmp_path_factory: pytest.TempPathFactory) -> LeagueFacts:
    """24 matches and the first of another session."""
    path = tmp_path_factory.mktemp("listing") / "league.db"
    with played.play(path, League(bots=BOTS, seats=3, rounds=3, cycles=2, matches=25)) as database:
        return read_facts(database)


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten matches a page."""
    monkeypatch.setattr(listing, "PER_PAGE", 10)


def pages(facts: LeagueFacts) -> dict[str, ListingPage]:
    return dict(MatchLists(facts).pages())


def numbers(page: ListingPage) -> list[int]:
    return [match.number for match in page.matches]


def test_a_page_has_the_matches_of_its_numbers(facts: LeagueFacts) -> None:
    made = pages(facts)
    shown = [numbers(made[f"matches/{name}.html"]) for name in ("index", "page-2", "page-3")]
    assert shown == [[*range(1, 11)], [*range(11, 21)], [*range(21, 26)]]


def test_the_lists_that_are_made_beforehand(facts: LeagueFacts) -> None:
    made = pages(facts)
    faulty = [match.number for match in facts.matches if match.faults]
    listed = [numbers(page) for path, page in made.items() if "faults" in path]
    assert len(faulty) > 1
    assert [number for part in listed for number in part] == faulty
    nearest = made["matches/closest.html"]
    assert len(nearest.matches) == sum(match.counts for match in facts.matches)
    margins = [margin(match) for match in nearest.matches]
    assert margins == sorted(margins)
    assert [part.matches for part in nearest.lists] == [25, len(faulty), len(nearest.matches)]


def test_only_the_list_of_all_can_be_filtered(facts: LeagueFacts) -> None:
    for path, page in pages(facts).items():
        assert (page.filters is not None) is ("faults" not in path and "closest" not in path)


def rows(facts: LeagueFacts) -> Iterator[tuple[MatchView, list[Any]]]:
    scripts = dict(MatchLists(facts).scripts())
    assert list(scripts) == [f"data/matches-{part}.js" for part in (1, 2, 3)]
    matches = iter(facts.matches)
    for part, script in enumerate(scripts.values()):
        said = json.loads(script.decode().removeprefix("papayoo(").removesuffix(")\n").split(",", 1)[1])
        assert script.startswith(b"papayoo(%d,[\n" % part)
        for row in said:
            yield next(matches), row


def test_the_data_say_what_the_list_says(facts: LeagueFacts) -> None:
    bots, kinds = [entry.bot for entry in facts.season.entries], list(FaultKind)
    for match, (number, session, note, results, faults) in rows(facts):
        assert (number, session) == (match.number, f"{match.cycle}.{match.index}")
        assert note == ("session not complete" if number == 25 else "")
        assert [(bots[bot], total) for bot, total in results] == [
            (seat.bot, seat.total) for seat in match.by_place()
        ]
        assert results[-1][1] - results[0][1] == margin(match)
        own = [fault for fault in facts.faults if fault.match == number]
        assert {(bots[bot], kinds[kind]): many for bot, kind, many in faults} == {
            key: sum((fault.bot, fault.fault.kind) == key for fault in own)
            for key in {(fault.bot, fault.fault.kind) for fault in own}
        }
