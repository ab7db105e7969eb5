"""The match as a state machine: played by dice in every size, with every misdeed, in any order of arrival."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.match.faults import Fault, FaultKind, HandOver
from arena.match.game import Match, MatchResult, Question
from arena.match.record import MatchSetup, Terms
from arena.papayoo import SUIT_MASKS, Board, cards_of, hand_size, mask_of, pass_count
from tests.driving import (
    ENDINGS,
    QUIET_TERMS,
    Conduct,
    Played,
    Told,
    chooser,
    faultless,
    make_setup,
    matches,
    play,
    setups,
)
from tests.examples import examples
from tests.following import Follower
from tests.papayoo.setups import SIZES

Case = tuple[MatchSetup, Conduct]


def hand_over_of(told: Told, terms: Terms) -> tuple[int, HandOver | None]:
    """How many faults a seat had and why it was handed over, told from its course by the page's words."""
    faults = silent = 0
    for kind, late in zip(told.misdeeds, told.late_before, strict=True):
        silent = 0 if late else silent
        if kind is None:
            silent = 0
            continue
        faults += 1
        silent = silent + 1 if kind is FaultKind.TIMEOUT else 0
        if kind in ENDINGS:
            return faults, HandOver(kind.value)
        if faults == terms.max_faults:
            return faults, HandOver.MAX_FAULTS
        if silent == 2:
            return faults, HandOver.SILENT
    return faults, None


@examples(60)
@given(matches())
def test_points_charges_and_the_stand_in_follow_from_what_bots_do(case: Case) -> None:
    played = play(*case)
    check_points(case[0], played.result)
    check_charges(case, played)
    check_stand_in(case, played.result)


def check_points(setup: MatchSetup, result: MatchResult) -> None:
    """Every round has all cards and 250 points."""
    assert len(result.rounds) == len(setup.boards)
    for board, round_ in zip(setup.boards, result.rounds, strict=True):
        assert sum(round_.points) == 250
        assert mask_of(round_.plays) == sum(board.hands)
        assert len(round_.plays) == hand_size(setup.players) * setup.players
        assert len(round_.took_us) == setup.players + len(round_.plays)
        assert list(round_.stand_in) == sorted(set(round_.stand_in))
    totals = [sum(by_seat) for by_seat in zip(*(r.points for r in result.rounds), strict=True)]
    assert [seat.points for seat in result.seats] == totals


def check_charges(case: Case, played: Played) -> None:
    """Faults are charged and matches handed over as the page says."""
    setup, conduct = case
    terms = setup.terms
    for seat, ended in enumerate(played.result.seats):
        told = played.told[seat]
        if seat in conduct.dead:
            assert (ended.hand_over, ended.hand_over_at) == (HandOver.START_FAILED, (0, 0))
            assert (ended.faults, told.messages) == (1, [])
        else:
            assert (ended.faults, ended.hand_over) == hand_over_of(told, terms)
            assert ended.late == sum(told.late_before)
        counted = ended.faults if ended.hand_over is None else terms.max_faults
        assert ended.charge == counted * terms.fault_points
        assert ended.faults == sum(fault.seat == seat for fault in played.result.faults)
    worth = [seat.points + seat.charge for seat in played.result.seats]
    assert [seat.place for seat in played.result.seats] == [
        1 + sum(other < own for other in worth) for own in worth
    ]


def check_stand_in(case: Case, result: MatchResult) -> None:
    """The stand-in decides at faults and after a hand-over, and nowhere else."""
    setup, conduct = case
    players = setup.players
    faulty = {(f.round, f.question, f.seat) for f in result.faults if f.round is not None}
    for number, round_ in enumerate(result.rounds):
        decisions = decisions_of(players, number, round_.plays)
        for place, (question, seat) in enumerate(decisions):
            given_up = result.seats[seat].hand_over_at
            after = given_up is not None and (number, question) > given_up
            never_asked = after or seat in conduct.dead
            expected = never_asked or (number, question, seat) in faulty
            assert (place in round_.stand_in) == expected
            if never_asked:
                assert round_.took_us[place] == 0


def decisions_of(players: int, number: int, plays: Sequence[int]) -> list[tuple[int, int]]:
    """(question, seat) of every decision of a round, in the order of the record."""
    decisions = [(0, seat) for seat in range(players)]
    leader = number % players
    for trick, start in enumerate(range(0, len(plays), players)):
        cards = plays[start : start + players]
        decisions += [(trick + 1, (leader + place) % players) for place in range(players)]
        led = next(mask for mask in SUIT_MASKS if mask >> cards[0] & 1)
        best = max(card for card in cards if led >> card & 1)
        leader = (leader + cards.index(best)) % players
    return decisions


@examples(60)
@given(matches(), st.randoms(use_true_random=False))
def test_the_order_of_arrival_changes_nothing(case: Case, arrival: Random) -> None:
    one_by_one = play(*case)
    together = play(*case, arrival=arrival)
    assert together.record == one_by_one.record
    assert [told.lines for told in together.told] == [told.lines for told in one_by_one.told]


@examples(60)
@given(matches())
def test_events_alone_tell_each_seat_the_whole_round(case: Case) -> None:
    setup, conduct = case
    played = play(setup, conduct)
    for seat, told in enumerate(played.told):
        follower = Follower(seat)
        for message in told.messages:
            follower.hear(message)
        ended = played.result.seats[seat]
        if ended.hand_over is None:
            cards = hand_size(setup.players) * setup.players
            assert follower.rounds_followed == len(setup.boards)
            assert follower.plays_seen == cards * len(setup.boards)
            assert follower.by_stand_in == ended.faults
            assert told.messages[-1]["places"] == [other.place for other in played.result.seats]
        else:
            assert all(message["type"] != "match_over" for message in told.messages)


@examples(40)
@given(setups(), st.integers(0, 2**32 - 1))
def test_nothing_of_the_canonical_suits_shows(setup: MatchSetup, seed: int) -> None:
    """Suits that were renamed beforehand, in the boards, give the same lines as those renamed on the way."""
    renamed = tuple(rename(board, setup.suits) for board in setup.boards)
    conduct = faultless(setup.players, seed)
    on_the_way = play(setup, conduct)
    beforehand = play(replace(setup, boards=renamed, suits="SHDC"), conduct)
    assert [told.lines for told in on_the_way.told] == [told.lines for told in beforehand.told]
    assert on_the_way.result.seats == beforehand.result.seats


def rename(board: Board, suits: str) -> Board:
    """The board with each canonical suit replaced by the one whose letter it bears."""
    to = ["SHDC".index(letter) for letter in suits]
    hands = (
        mask_of(10 * to[card // 10] + card % 10 if card < 40 else card for card in cards_of(hand))
        for hand in board.hands
    )
    return Board(tuple(hands), to[board.papayoo_suit])


@examples(40)
@given(st.sampled_from(SIZES), st.integers(0, 2**32), st.data())
def test_the_first_question_tells_nothing_of_the_other_hands_or_the_die(
    players: int, seed: int, data: st.DataObject
) -> None:
    setup = make_setup(players, 1, seed)
    seat = data.draw(st.integers(0, players - 1))
    board = setup.boards[0]
    others = data.draw(st.permutations([place for place in range(players) if place != seat]))
    hands = [board.hands[seat] if place == seat else board.hands[others.pop()] for place in range(players)]
    other_board = Board(tuple(hands), data.draw(st.integers(0, 3)))
    other = replace(setup, boards=(other_board,))
    assert first_lines(setup, seat) == first_lines(other, seat)


def first_lines(setup: MatchSetup, seat: int) -> list[bytes]:
    return play(setup, faultless(setup.players)).told[seat].lines[:2]


def begun(players: int = 4, rounds: int = 2, terms: Terms = QUIET_TERMS) -> Match:
    match = Match(make_setup(players, rounds, terms=terms), chooser())
    match.begin()
    match.take_news()
    return match


def legal_answer(question: Question) -> list[str]:
    message = question.message
    return list(message["hand"][: message["count"]] if question.is_pass else message["legal"][:1])


def answer_legally(match: Match, seat: int, took_us: int = 0) -> Question:
    question = match.ask(seat)
    assert match.answer(seat, legal_answer(question), took_us) is None
    return question


def timeout(question: Question) -> Fault:
    return Fault(question.seat, FaultKind.TIMEOUT, "nothing", question.round, question.number)


def test_a_hand_over_while_others_think_leaves_their_passes_open() -> None:
    match = begun()
    questions = [match.ask(seat) for seat in match.waiting()]
    match.fault(Fault(2, FaultKind.CRASHED, "gone", 0, 0))
    assert match.waiting() == []
    for seat in (3, 0, 1):
        assert match.answer(seat, legal_answer(questions[seat]), 1) is None
    assert match.waiting() == [0]
    assert match.handed_over(2) is HandOver.CRASHED
    assert match.plays_so_far == 0


def test_the_crash_of_the_leader_as_the_last_to_pass_lets_the_stand_in_lead() -> None:
    match = begun()
    for seat in (3, 2, 1):
        answer_legally(match, seat)
    match.ask(0)
    match.fault(Fault(0, FaultKind.CRASHED, "gone", 0, 0))
    assert match.plays_so_far == 1
    assert match.waiting() == [1]


def test_the_bank_pays_for_what_a_move_takes_longer_and_never_less_than_nothing() -> None:
    match = begun(terms=Terms(move_ms=100, bank_ms=50, fault_points=40, max_faults=3))
    limits = []
    for took_us in (100_000, 120_900, 100_001, 400_000, 0):
        until = match.waiting()
        while until and until[0] != 0:
            answer_legally(match, until[0])
            until = match.waiting()
        question = answer_legally(match, 0, took_us)
        limits.append((question.limit_us, question.message["bank_ms"]))
    assert limits == [(150_000, 50), (150_000, 50), (129_100, 29), (129_099, 29), (100_000, 0)]


@pytest.mark.parametrize(
    ("between", "silent"),
    [
        (lambda match, seat: None, True),
        (lambda match, seat: match.late_answer(seat), False),
    ],
    ids=["nothing", "late answer"],
)
def test_two_timeouts_in_a_row_are_silence_unless_an_answer_came(
    between: Callable[[Match, int], None], silent: bool
) -> None:
    match = begun(terms=Terms(1000, 0, 40, 9))
    match.fault(timeout(match.ask(0)))
    between(match, 0)
    for seat in (1, 2, 3):
        answer_legally(match, seat)
    match.fault(timeout(match.ask(0)))
    assert (match.handed_over(0) is HandOver.SILENT) == silent


@pytest.mark.parametrize("kind", [FaultKind.ILLEGAL, FaultKind.BAD_MESSAGE])
def test_another_fault_between_two_timeouts_is_no_silence(kind: FaultKind) -> None:
    match = begun(players=3, terms=Terms(1000, 0, 40, 9))
    kinds = iter((FaultKind.TIMEOUT, kind, FaultKind.TIMEOUT))
    while (misdeed := next(kinds, None)) is not None:
        while match.waiting()[0] != 0:
            answer_legally(match, match.waiting()[0])
        question = match.ask(0)
        match.fault(Fault(0, misdeed, "", question.round, question.number))
    assert match.handed_over(0) is None


def test_faults_stand_in_the_order_of_the_decisions_whichever_was_found_first() -> None:
    """Those outside any question come first, then the passes of a round by seat, then its plays in turn."""
    match = begun(rounds=1, terms=Terms(1000, 0, 40, 99))
    questions = [match.ask(seat) for seat in match.waiting()]
    for seat in (2, 0, 3, 1):
        match.fault(timeout(questions[seat]))
    in_turn = []
    for _ in range(8):
        asked = match.ask(match.next_waiting)
        in_turn.append((asked.number, asked.seat))
        match.fault(Fault(asked.seat, FaultKind.BAD_MESSAGE, "a stray line", 0, asked.number))
    assert in_turn != sorted(in_turn), "the second trick is led by another seat than the first"
    match.fault(Fault(3, FaultKind.RESOURCE, "too much memory"))
    while not match.over:
        answer_legally(match, match.next_waiting)
    passes = [(0, seat) for seat in range(4)]
    told = [(fault.question, fault.seat) for fault in match.result().faults]
    assert told == [(None, 3), *passes, *in_turn]


def test_the_stand_in_is_told_which_decision_is_asked_for_and_how_many_cards() -> None:
    """From these numbers anybody can derive its choices again."""
    told: list[tuple[int, int, int, int]] = []

    def choose(round_: int, seat: int, question: int, legal: int, count: int) -> int:
        told.append((round_, seat, question, count))
        return mask_of(cards_of(legal)[:count])

    match = Match(make_setup(4, 2), choose, absent=[2])
    match.begin()
    while not match.over:
        answer_legally(match, match.waiting()[0])
    assert told == [
        (round_, 2, question, 1 if question else pass_count(4))
        for round_ in range(2)
        for question in range(hand_size(4) + 1)
    ]


def test_a_late_answer_is_explained_only_where_the_question_timed_out() -> None:
    match = begun(rounds=1, terms=Terms(1000, 0, 40, 9))
    slow, wrong, silent = match.ask(0), match.ask(1), match.ask(2)
    match.fault(timeout(slow))
    match.fault(Fault(1, FaultKind.BAD_MESSAGE, "a stray line", 0, 0))
    match.fault(timeout(silent))
    match.explain_late(slow, 2_500_400)
    match.explain_late(wrong, 7_000_000)
    while not match.over:
        answer_legally(match, match.waiting()[0])
    reasons = [fault.reason for fault in match.result().faults]
    assert reasons == ["a complete answer came late, by at most 2500 ms", "a stray line", "nothing"]


def test_an_illegal_answer_is_refused_in_words_and_changes_nothing() -> None:
    match = begun()
    question = match.ask(0)
    hand, count = question.message["hand"], question.message["count"]
    assert "4 cards passed" in str(match.answer(0, hand[: count - 1], 0))
    assert "0 cards passed (no card), 5" in str(match.answer(0, [], 0))
    assert "only once" in str(match.answer(0, [hand[0]] * count, 0))
    strange = next(name for name in ("S7", "H7", "D7", "C7", "P7") if name not in hand)
    refusal = match.answer(0, [*hand[1:count], strange], 0)
    assert str(refusal).endswith(f"the hand is {' '.join(hand)}")
    assert match.answer(0, hand[:count], 0) is None


def test_a_discard_that_should_have_followed_is_explained_in_the_bots_own_suits() -> None:
    names = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs", "P": "Payoo"}
    match = begun(rounds=4)
    explained = 0
    while not match.over:
        seat = match.waiting()[0]
        question = match.ask(seat)
        message = question.message
        others = [] if question.is_pass else [c for c in message["hand"] if c not in message["legal"]]
        if others:
            led = names[message["trick"][0][0]]
            expected = f"{others[0]} does not follow suit: {led} was led, legal: {' '.join(message['legal'])}"
            assert match.answer(seat, others[:1], 0) == expected
            explained += 1
        assert match.answer(seat, legal_answer(question), 0) is None
    assert explained > 20
