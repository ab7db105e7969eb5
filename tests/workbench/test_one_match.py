"""A person and real bots at one table: the match is whole, a crash is told, and no process stays behind."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest

from arena.bot.person import Person
from arena.linux.process_tree import children
from arena.match.faults import FaultKind, HandOver
from arena.match.record import Terms
from arena.seat.seat import Seat
from arena.seat.view import Stage, View
from arena.workbench.bots import Bot
from arena.workbench.one_match import Guest, Played, Rules, play_match
from tests.tables import command, left_alive

RULES = Rules(1, Terms(5000, 0, 40, 3), "seed")
GOOD = Bot("Good", command("good"))
DIES = Bot("Dies", command("dies", "5", "3"))


def first_legal(views: list[View]) -> Callable[[Person], Awaitable[None]]:
    async def converse(person: Person) -> None:
        seat = Seat()
        while not seat.view.bye:
            views.append(seat.heard(await person.hear()))
            if seat.view.question:
                person.say(seat.answer(seat.view.legal[: seat.view.count]))

    return converse


def played(*bots: Bot | Guest) -> tuple[Played, list[tuple[int, bool]], list[tuple[int, HandOver]]]:
    """The match, who said what in order (the seat, and whether it spoke), and which bots were replaced."""
    lines: list[tuple[int, bool]] = []
    replaced: list[tuple[int, HandOver]] = []
    match = play_match(
        bots,
        RULES,
        lambda seat, from_bot, line: lines.append((seat, from_bot)),
        lambda seat, why: replaced.append((seat, why)),
    )
    return match, lines, replaced


def test_a_person_plays_among_bots_and_the_record_says_so() -> None:
    views: list[View] = []
    match, lines, replaced = played(GOOD, Guest("Ann", first_legal(views)), GOOD)
    record = match.record
    assert record.setup.no_clock == (1,)
    assert [seat.bot for seat in record.seats] == ["good", "person", "good"]
    assert [ready.name for ready in match.ready] == ["Hostile", "Ann", "Hostile"]
    assert (record.faults, replaced, match.kept_back) == ((), [], {})
    assert views[-2].stage is Stage.MATCH_OVER
    assert views[-2].totals == tuple(seat.points for seat in record.seats)
    # start, a pass, 20 plays, round_over, match_over, bye; and 21 answers
    assert (lines.count((1, False)), lines.count((1, True))) == (25, 21)
    assert (record.seats[0].cpu_us is None, record.seats[1].cpu_us) == (False, None)


def test_the_deals_are_those_of_the_same_seed_without_people() -> None:
    alone, _, _ = played(GOOD, GOOD, GOOD)
    among, _, _ = played(Guest("Ann", first_legal([])), GOOD, GOOD)
    assert alone.record.setup.boards == among.record.setup.boards
    assert alone.record.setup.no_clock is None


def test_a_crash_is_told_at_once_and_the_match_goes_on() -> None:
    views: list[View] = []
    match, _, replaced = played(Guest("Ann", first_legal(views)), DIES, GOOD)
    assert replaced == [(1, HandOver.CRASHED)]
    assert [fault.kind for fault in match.record.faults] == [FaultKind.CRASHED]
    assert len(views[-2].tricks) == 20


def test_a_person_who_goes_is_played_on_by_the_stand_in() -> None:
    async def gone(person: Person) -> None:
        await person.hear()

    match, _, replaced = played(GOOD, GOOD, Guest("Ann", gone))
    assert match.record.seats[2].hand_over is HandOver.CRASHED
    assert replaced == []


class Quit(Exception):  # noqa: N818
    """What a person's program raises to end the match."""


def test_what_a_persons_program_raises_ends_the_match_and_every_process() -> None:
    others, bots = set(children()), set[int]()  # other tests leave a browser or a server running

    async def quits(person: Person) -> None:
        for _ in range(2):
            await person.hear()
        bots.update(set(children()) - others)
        raise Quit

    with pytest.raises(BaseExceptionGroup) as raised:
        played(Guest("Ann", quits), GOOD, GOOD)
    assert raised.value.split(Quit)[1] is None
    assert len(bots) == 2
    assert left_alive(bots) == []
