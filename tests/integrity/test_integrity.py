"""Collusion is found where it was planted, in small leagues of simple bots, and innocents are left alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import islice
from random import Random

from arena.integrity import Integrity, look_into
from arena.integrity.naming import name_pairs
from arena.match.record import MatchRecord
from arena.proof.collusion import Bot, play_league
from arena.schedule.seating import duel_rows

FIELD = (
    Bot("ant", "high", "low", "points"),
    Bot("bee", "short", "short", "points"),
    Bot("cat", "payoo", "low", "high"),
    Bot("dog", "first", "low", "high"),
    Bot("elk", "payoo", "short", "points"),
    Bot("fox", "short", "low", "low"),
)
"""Each passes, leads or throws in another way."""

Played = tuple[list[MatchRecord], ...]


@cache
def played(field: tuple[Bot, ...], sessions: int) -> Played:
    return tuple(islice(play_league(field, 4, Random(1)), sessions))


def look(sessions: Played, authors: dict[str, str] | None = None) -> Integrity:
    return look_into([record for records in sessions for record in records], authors or {})


def named(found: Integrity) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """The pairs that are named, as twins and for favours."""
    favours = [(one.giver, one.taker) for one in found.favours if one.named]
    return [one.bots for one in found.twins if one.named], favours


def with_bot(bot: Bot, field: Sequence[Bot] = FIELD) -> tuple[Bot, ...]:
    return tuple(bot if bot.name == other.name else other for other in field)


def test_innocents_are_not_named() -> None:
    found = look(played(FIELD, 60))
    assert named(found) == ([], [])
    assert len(found.twins) == 15
    assert len(found.favours) == 30


def test_a_bot_that_spares_one_other_is_named_and_nobody_else() -> None:
    found = look(played(with_bot(replace(FIELD[0], friend="dog")), 20))
    assert named(found) == ([], [("ant", "dog")])
    favour = found.favours[0]
    assert favour.to_taker < 0.05
    assert favour.to_others > 0.8
    assert favour.sessions <= 20


def test_a_copy_is_named_though_the_letters_of_the_suits_decide_all_its_passes() -> None:
    copy = replace(FIELD[3], name="ant")
    found = look(played(with_bot(copy, FIELD[:5]), 75))
    assert named(found) == ([("ant", "dog")], [])
    shared = found.twins[0].shared
    assert shared["questions"].rate == 1
    assert (shared["passes"].rate or 0) < 0.5
    assert found.usual["questions"] == 0


def test_the_stand_in_is_not_compared() -> None:
    def replaced(record: MatchRecord) -> MatchRecord:
        seat = [taken.bot for taken in record.seats].index("ant") if "ant" in str(record.seats) else None
        rounds = tuple(replace(one, stand_in=tuple(range(64))) for one in record.rounds)
        return record if seat is None else replace(record, rounds=rounds)

    found = look(tuple(list(map(replaced, records)) for records in played(FIELD, 20)))
    assert not any("ant" in one.bots for one in found.twins)
    assert not any("ant" in (one.giver, one.taker) for one in found.favours)
    assert len(found.twins) == 10


def test_what_is_chosen_is_compared_up_to_suits_unless_the_question_was_the_same() -> None:
    (records,) = played(FIELD, 1)
    alike = [replace(one, setup=replace(one.setup, suits="SHDC")) for one in records]
    by_letters = {one.bots: one.shared for one in look((alike,)).twins}
    for shared in by_letters.values():
        assert shared["questions"].compared == shared["passes"].compared + shared["plays"].compared
        assert shared["passes"].compared == 16


def test_nothing_played_and_a_duel_name_nobody() -> None:
    assert look(()) == Integrity({"questions": None, "passes": None, "plays": None}, (), ())
    two = duel_rows((0, 1, 0, 1))
    assert len(two) == 2
    names = {"ant": "ant", "bee": "bee", "cat": "ant", "dog": "bee"}
    (records,) = played(FIELD[:4], 1)
    duel = [
        replace(one, seats=tuple(replace(seat, bot=names[seat.bot]) for seat in one.seats)) for one in records
    ]
    found = look_into(duel, {})
    assert named(found) == ([], [])
    assert found.favours == ()


def test_pairs_of_one_author_are_a_family_of_their_own() -> None:
    chances = {("a", f"b{number}"): 0.5 for number in range(99)} | {("c", "d"): 0.002}
    assert name_pairs(chances, {}) == set()
    assert name_pairs(chances, {"c": "", "d": ""}) == set()
    assert name_pairs(chances, {"c": "Ada", "d": "Ada", "a": "Bob"}) == {("c", "d")}


def test_each_pair_that_is_named_makes_it_easier_for_the_next() -> None:
    chances = {("a", "b"): 0.001, ("a", "c"): 0.002, ("b", "c"): 0.0049, ("c", "d"): 0.5}
    assert name_pairs(chances, {}) == {("a", "b")}
    assert name_pairs(chances | {("a", "c"): 0.0016, ("b", "c"): 0.0024}, {}) == {
        ("a", "b"),
        ("a", "c"),
        ("b", "c"),
    }
