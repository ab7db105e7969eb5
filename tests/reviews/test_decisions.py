"""The decisions of a record: what the seat knew is true, is all that was shown, and is nothing more."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.match.record import MatchRecord, MatchSetup, RoundRecord
from arena.papayoo import (
    Board,
    Round,
    card_at,
    hand_size,
    left_of,
    mask_of,
    pass_count,
)
from arena.reviews.decisions import Decision, decisions_of
from arena.strategy import Dealer
from tests.driving import Conduct, matches, play
from tests.reviews.played import ANY, SOUND, one_match


def mixed(players: int, seed: int, rounds: int = 1) -> MatchRecord:
    return one_match([ANY if seat % 2 else SOUND for seat in range(players)], rounds, seed)


@given(st.integers(3, 8), st.integers(0, 2**20))
def test_the_true_hands_fit_what_the_seat_knew(players: int, seed: int) -> None:
    for decision in decisions_of(mixed(players, seed)):
        seen, hands = decision.seen, decision.true_hands
        assert seen.agrees
        assert seen.me == decision.seat
        assert hands[decision.seat] == decision.hand
        for seat in set(range(players)) - {decision.seat}:
            assert seen.held[seat] == hands[seat].bit_count()
            assert seen.known[seat] & ~hands[seat] == 0
            assert hands[seat] & ~(seen.hidden & seen.possible[seat]) == 0


@given(st.integers(3, 8), st.integers(0, 2**20), st.data())
def test_hidden_cards_change_nothing_that_a_seat_sees(players: int, seed: int, data: st.DataObject) -> None:
    """Deal what is hidden anew, in a way that fits, and let the same be played: the seat sees the same."""
    record = mixed(players, seed)
    decision = data.draw(st.sampled_from(list(decisions_of(record))))
    other = dealt_anew(record, decision, Random(seed))
    again = next(each for each in decisions_of(other, [decision.seat]) if each.place == decision.place)
    assert (again.seen, again.position) == (decision.seen, decision.position)
    assert (again.hand, again.legal) == (decision.hand, decision.legal)
    assert again.phase is decision.phase
    assert again.had_choice == decision.had_choice


def dealt_anew(record: MatchRecord, decision: Decision, chance: Random) -> MatchRecord:
    """The first round with other hidden cards, played alike up to the decision and then at random."""
    me, players, question = decision.seat, decision.players, decision.place[2]
    before = record.rounds[0]
    hands = Dealer(decision.seen, chance).deal()
    hands[me] = decision.hand
    if question == 0:
        return from_hands(record, hands, {me: before.passes[me]}, (), chance)
    plays = plays_until(record, decision)
    round_ = Round.deal(record.setup.boards[0], 0)
    for seat, cards in enumerate(before.passes):
        round_.choose_pass(seat, cards)
    for card in plays:
        hands[round_.turn] |= 1 << card
        round_.play(card)
    right = (me - 1) % players
    # What this seat passed and received is known to it; the others passed any cards of those that came on.
    passes = {me: before.passes[me], right: before.passes[right]}
    for seat in set(range(players)) - set(passes):
        passes[seat] = any_of(hands[left_of(seat, players)], pass_count(players), chance)
    for seat in range(players):
        hands[seat] = hands[seat] & ~passes[(seat - 1) % players] | passes[seat]
    return from_hands(record, hands, passes, plays, chance)


def plays_until(record: MatchRecord, decision: Decision) -> tuple[int, ...]:
    position = decision.position
    assert position is not None
    return record.rounds[0].plays[: (decision.place[2] - 1) * decision.players + len(position.trick)]


def from_hands(
    record: MatchRecord, hands: Sequence[int], passes: dict[int, int], plays: Sequence[int], chance: Random
) -> MatchRecord:
    """The record with these hands before the passes. What is not given is chosen at random."""
    board = Board(tuple(hands), record.setup.boards[0].papayoo_suit)
    round_ = Round.deal(board, 0)
    count = pass_count(len(hands))
    chosen = tuple(passes.get(seat) or any_of(hand, count, chance) for seat, hand in enumerate(hands))
    for seat, cards in enumerate(chosen):
        round_.choose_pass(seat, cards)
    cards_played: list[int] = []
    while not round_.over:
        place = len(cards_played)
        cards_played.append(plays[place] if place < len(plays) else one_of(round_.legal(), chance))
        round_.play(cards_played[-1])
    points = tuple(round_.points)
    new = replace(record.rounds[0], passes=chosen, plays=tuple(cards_played), points=points)
    return replace(record, setup=replace(record.setup, boards=(board,)), rounds=(new,))


def one_of(cards: int, chance: Random) -> int:
    return card_at(cards, chance.randrange(cards.bit_count()))


def any_of(cards: int, count: int, chance: Random) -> int:
    chosen = 0
    for _ in range(count):
        chosen |= 1 << one_of(cards & ~chosen, chance)
    return chosen


def test_the_left_neighbour_is_known_to_hold_the_pass_until_it_plays_it() -> None:
    record = mixed(4, 3)
    passed = record.rounds[0].passes[1]
    sizes = []
    for decision in decisions_of(record, [1]):
        if decision.position is None:
            assert decision.seen.known == [0] * 4
            continue
        gone = mask_of(plays_until(record, decision))
        assert decision.seen.known == [0, 0, passed & ~gone, 0]
        sizes.append(decision.seen.known[2].bit_count())
    assert sizes[0] == 5
    assert sizes[-1] <= 1


@given(matches())
def test_every_decision_of_a_match_is_there_once(match: tuple[MatchSetup, Conduct]) -> None:
    setup, conduct = match
    record = play(setup, conduct).record
    players = record.setup.players
    found = list(decisions_of(record))
    assert len(found) == len(record.rounds) * players * (1 + hand_size(players))
    assert len({each.place for each in found}) == len(found)
    assert all(each.bot == record.seats[each.seat].bot for each in found)
    assert all(each.chosen & ~each.legal == 0 for each in found)
    by_stand_in = sum(each.by_stand_in for each in found)
    assert by_stand_in == sum(len(each.stand_in) for each in record.rounds)


# ---------------------------------------------------------------------------- a record that is not true


TAMPERED: dict[str, Callable[[RoundRecord], RoundRecord]] = {
    "other points": lambda old: replace(old, points=(*old.points[:3], old.points[3] + 1)),
    "a play is missing": lambda old: replace(old, plays=old.plays[:-1]),
    "a card that there is not": lambda old: replace(old, plays=(77, *old.plays[1:])),
    "two plays are exchanged": lambda old: replace(old, plays=(old.plays[1], old.plays[0], *old.plays[2:])),
    "a pass is missing": lambda old: replace(old, passes=old.passes[:-1]),
    "a pass of strange cards": lambda old: replace(old, passes=(old.passes[1], *old.passes[1:])),
    "no pass at all": lambda old: replace(old, passes=(0, *old.passes[1:])),
    "what is no set of cards": lambda old: replace(old, passes=(-1, *old.passes[1:])),
}


@pytest.mark.parametrize("how", TAMPERED)
def test_a_record_that_contradicts_the_rules_is_refused_in_words(how: str) -> None:
    record = mixed(4, 9)
    record = replace(record, rounds=(TAMPERED[how](record.rounds[0]),))
    with pytest.raises(ValueError, match="round 0: the cards do not fit the rules ") as caught:
        list(decisions_of(record))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("part", ["rounds", "seats"])
def test_a_record_that_is_not_whole_is_refused(part: str) -> None:
    record = mixed(4, 9, rounds=2)
    cut = replace(record, **{part: getattr(record, part)[:-1]})
    with pytest.raises(ValueError, match="are stored"):
        list(decisions_of(cut))
