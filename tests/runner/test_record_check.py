"""What is taken of a record from another machine: what a referee writes, and nothing that breaks anything."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.deals import MatchKey
from arena.match.record import MatchRecord, MatchSetup
from arena.match.record_json import record_from_json, record_to_json
from arena.papayoo import IllegalMove, Round, cards_of, dealer_of
from arena.papayoo import places as ranked
from arena.referee.jobs import Setup
from arena.runner.record_check import validate_record
from arena.store.database import Database
from reports import Publish, ReportOptions, write_site
from tests.driving import Conduct, matches
from tests.driving import play as drive
from tests.papayoo.setups import SIZES
from tests.reports.played import Builder, League, bot_id
from tests.store.samples import BOTS, TERMS, played

Told = dict[str, Any]
KEY = MatchKey(0, 0, 1)
SETUP = Setup((), TERMS, 4, None, "1")


def told(record: MatchRecord) -> Told:
    """A record as it is written on a line."""
    found: Told = json.loads(record_to_json(record))
    return found


def heard(content: Told) -> MatchRecord:
    """The record of a line. Raises ValueError where the line is none."""
    return record_from_json(json.dumps(content))


@pytest.mark.parametrize("seats", SIZES)
def test_what_was_played_by_the_rules_is_taken(seats: int) -> None:
    setup = Setup((), TERMS, seats, None, "1")
    record = played(KEY, seats=seats)
    assert validate_record(record, setup, BOTS[:seats]) == ""
    assert validate_record(record, setup, BOTS[1 : seats + 1]) == "other bots"


def at(*path: str | int) -> Callable[[Told, object], None]:
    def put(content: Any, value: object) -> None:
        for step in path[:-1]:
            content = content[step]
        content[path[-1]] = value

    return put


def swapped(content: Told, value: object) -> None:
    plays = content["rounds"][2]["plays"].split()
    content["rounds"][2]["plays"] = " ".join([plays[-1], *plays[1:-1], plays[0]])


UNKNOWN = {"cpu_us": None, "queued_us": None}
FAULT = {"seat": 0, "kind": "timeout", "round": 0, "question": 1, "wall_us": 1, **UNKNOWN}


def faulty(content: Told, fault: Told) -> None:
    """One fault, whose reason is private."""
    reason = fault.get("reason", "late")
    content["faults"] = [{name: value for name, value in fault.items() if name != "reason"}]
    content["private"]["faults"] = [{"reason": reason, "sent": ""}]


GAME, SEAT, ASKED = "cards, points or decisions", "a seat that cannot be", "another number of rounds or seats"
WRONG: list[tuple[str, Callable[[Told, Any], None], object]] = [
    (ASKED, at("rounds"), []),
    (ASKED, at("suits"), "SSSS"),
    (ASKED, at("no_clock"), [0]),
    ("seats.1.seed: ", at("seats", 1, "seed"), -1),
    (ASKED, at("terms", "fault_points"), 0),
    (GAME, swapped, None),
    (GAME, at("rounds", 0, "plays"), "S1"),
    (GAME, at("rounds", 3, "passes"), ""),
    (GAME, at("rounds", 1, "points"), [250, 0, 0, 0]),
    ("rounds.1.took_us.5: ", at("rounds", 1, "took_us", 5), 2**63),
    (GAME, at("rounds", 1, "stand_in"), [3, 3]),
    (GAME, at("rounds", 1, "extended"), [[3, 1], [3, 1]]),
    (SEAT, at("seats", 0, "points"), 7_000),
    (SEAT, at("seats", 0, "faults"), 1),
    (SEAT, at("seats", 0, "hand_over"), "silent"),
    ("seats.0.cpu_us: ", at("seats", 0, "cpu_us"), -1),
    ("seats.0.id_key: ", at("seats", 0, "id_key"), "<b>"),
    (SEAT, at("seats", 0, "hand_over_at"), [0, 0]),
    ("private.seats.0.stderr_tail: ", at("private", "seats", 0, "stderr_tail"), "x" * 100_000),
    ("a fault that cannot be", faulty, {**FAULT, "seat": 4}),
    ("a fault that cannot be", faulty, {**FAULT, "question": 16}),
    ("a fault that cannot be", faulty, {**FAULT, "question": None}),
    ("private.faults.0.reason: ", faulty, {**FAULT, "reason": "x" * 5_000}),
    (SEAT, faulty, FAULT),
    ("started_at: ", at("started_at"), 10**15),
    ("lateness_us: ", at("lateness_us"), 2**63),
    ("a sandbox that there is not", at("sandbox"), "mine"),
]


@pytest.mark.parametrize(("said", "put", "value"), WRONG)
def test_what_no_referee_writes_is_refused(
    said: str, put: Callable[[Told, object], None], value: object
) -> None:
    content = told(played(KEY))
    put(content, value)
    assert refusal(content).startswith(said)


def refusal(content: Told) -> str:
    try:
        record = heard(content)
    except ValueError as error:
        return str(error)
    return validate_record(record, SETUP, BOTS[:4])


@given(matches())
def test_whatever_bots_do_is_taken(drawn: tuple[MatchSetup, Conduct]) -> None:
    """Faults of every kind, hand-overs, late answers, more time, seats without a bot."""
    record = heard(told(drive(*drawn).record))
    bots = [seat.bot for seat in record.seats]
    setup = Setup((), record.setup.terms, len(record.rounds), None, "1")
    assert validate_record(record, setup, bots) == ""


@given(st.data(), st.sampled_from(SIZES))
def test_the_rules_are_those_of_a_round(data: st.DataObject, seats: int) -> None:
    """Passes and plays with some cards exchanged are taken exactly where a round takes them one by one."""
    record = played(KEY, seats=seats)
    board, found = record.setup.boards[0], record.rounds[0]
    plays, passes = list(found.plays), list(found.passes)
    after = Round.deal(board, dealer_of(0, seats))
    for seat, cards in enumerate(passes):
        after.choose_pass(seat, cards)
    hands = [[plays.index(card) for card in cards_of(hand)] for hand in after.hands]
    anybodys = st.lists(st.integers(0, len(plays) - 1), min_size=2, max_size=2)
    one_seats = st.sampled_from(hands).flatmap(lambda of: st.tuples(st.sampled_from(of), st.sampled_from(of)))
    for one, other in data.draw(st.lists(one_seats | anybodys, max_size=2)):
        plays[one], plays[other] = plays[other], plays[one]
    if data.draw(st.integers(0, 3)) == 0:
        # A seat passes a card that it may not have, and the card is played wherever the right one was.
        chosen = data.draw(st.integers(0, seats - 1))
        right = data.draw(st.sampled_from(cards_of(passes[chosen])))
        wrong = data.draw(st.sampled_from(plays))
        passes[chosen] = passes[chosen] & ~(1 << right) | 1 << wrong
        plays[plays.index(right)] = wrong
    round_ = Round.deal(board, dealer_of(0, seats))
    try:
        for seat, cards in enumerate(passes):
            round_.choose_pass(seat, cards)
        for card in plays:
            round_.play(card)
    except IllegalMove:
        points = found.points
    else:
        points = tuple(round_.points)
    changed = replace(found, passes=tuple(passes), plays=tuple(plays), points=points)
    setup = Setup((), TERMS, seats, None, "1")
    seats_of = tuple(
        replace(seat, points=seat.points + new - old)
        for seat, new, old in zip(record.seats, points, found.points, strict=True)
    )
    ranks = ranked([seat.points + seat.charge for seat in seats_of])
    record = replace(
        record,
        rounds=(changed, *record.rounds[1:]),
        seats=tuple(replace(seat, place=rank) for seat, rank in zip(seats_of, ranks, strict=True)),
    )
    assert (validate_record(record, setup, BOTS[:seats]) == "") == round_.over


EXTREMES = (
    *(-1, 0, 1, 7, 59, 60, 2**31 - 1, 2**31, 2**45, 2**53, 2**63, 10**30, None, True, 1.5),
    *("", "x", "\0", "off", "silent", "timeout", [], [0], [[0, 0]]),
)  # fmt: skip


def kinds_of_places(content: Any, path: tuple[str | int, ...] = ()) -> dict[tuple[str, ...], list[Any]]:
    """Every place in a record, by its path without indices, so that long lists do not crowd out others."""
    found: dict[tuple[str, ...], list[Any]] = {}
    steps = content.items() if isinstance(content, dict) else enumerate(content)
    for step, inner in steps:
        here = (*path, step)
        found.setdefault(tuple(str(one) for one in here if isinstance(one, str)), []).append(here)
        if isinstance(inner, dict | list):
            for kind, places in kinds_of_places(inner, here).items():
                found.setdefault(kind, []).extend(places)
    return found


def spoil(content: Any, draw: st.DrawFn) -> None:
    """Change a record somewhere: another value, an element more or less, two in another order."""
    kinds = kinds_of_places(content)
    *path, last = draw(st.sampled_from(kinds[draw(st.sampled_from(sorted(kinds)))]))
    for step in path:
        content = content[step]
    how = draw(st.sampled_from(["put", "put", "put", "less", "more", "order", "mix"]))
    if isinstance(content, list) and how == "less":
        del content[last]
    elif isinstance(content, list) and how == "more":
        content.append(content[last])
    elif isinstance(content, list) and how == "order":
        content.reverse()
    elif isinstance(content[last], list) and how == "mix":
        content[last] = draw(st.permutations(content[last]))
    else:
        content[last] = draw(st.sampled_from(EXTREMES))


class Spoiling(Builder):
    """Plays a league in which a result came from a host that may send anything."""

    draw: st.DrawFn

    def _match(self, key: MatchKey, row: tuple[int, ...], slower: float) -> MatchRecord:
        record = super()._match(key, row, slower)
        if key != KEY:
            return record
        content = told(record)
        for _ in range(self.draw(st.integers(1, 2))):
            spoil(content, self.draw)
        try:
            other = heard(content)
        except ValueError:
            return record
        bots = [bot_id(self.league.bots[number]) for number in row]
        return record if other.key != key or validate_record(other, SETUP, bots) else other


@pytest.mark.slow
@settings(max_examples=15)
@given(data=st.data())
def test_whatever_is_taken_can_be_stored_and_shown(
    data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder: Path = tmp_path_factory.mktemp("league")
    with Database.open(folder / "league.db", create=True) as database:
        league = Spoiling(database, League(matches=3))
        league.draw = data.draw
        league.play()
        write_site(database, folder / "site", ReportOptions(publish=frozenset(Publish)))
