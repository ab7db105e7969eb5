"""The story of a match: whether each of its sentences is so, how it reads, and what it may say when."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arena.deals import MatchKey
from arena.match.faults import HandOver
from arena.match.record import MatchRecord, MatchSetup, RoundRecord, SeatRecord
from arena.papayoo import Board, Round, card_at, cards_of, dealer_of, mask_of, places
from reports.pages.rounds import round_parts
from reports.pages.story import Story, match_story, plain_text
from reports.pages.story_words import PHRASES
from tests.papayoo.setups import SIZES, shuffled_board
from tests.reports.pages import told
from tests.store.samples import TERMS

NAMES = ("Ant", "Bee", "Cat", "Dog", "Elk", "Fox", "Gnu", "Hen")


@dataclass(frozen=True)
class Seat:
    """How a made-up bot ended. The story asks for no more."""

    points: int
    charge: int = 0
    place: int = 1
    faults: int = 0
    hand_over: HandOver | None = None
    hand_over_at: tuple[int, int] | None = None


# Matches of random bots with random faults.


def a_match(seed: int, players: int, rounds: int) -> MatchRecord:
    """A match of equal bots or of very unequal ones, some of which fail."""
    rng = Random(f"{seed} {players} {rounds}")
    boards = tuple(shuffled_board(players, rng) for _ in range(rounds))
    skill = rng.choice(("random", "random", "low", "low low low high random"))
    skills = [rng.choice(skill.split()) for _ in range(players)]
    made = [_round(board, dealer_of(n, players), skills, rng) for n, board in enumerate(boards)]
    points = [sum(column) for column in zip(*(round_.points for round_ in made), strict=True)]
    seats = [SeatRecord("bot", total, 0, 0, 0) for total in points]
    for _ in range(rng.choice((0, 0, 1, 2))):
        _fail(seats, made, players, rng)
    totals = [seat.points + seat.charge for seat in seats]
    if rng.random() < 0.15:  # a tie, by a charge that makes up the difference
        best, second = sorted(range(players), key=lambda seat: totals[seat])[:2]
        if totals[best] < totals[second] and not seats[best].charge and seats[best].bot == "bot":
            seats[best] = replace(seats[best], charge=totals[second] - totals[best], faults=1)
            totals[best] = totals[second]
    finished = [replace(seat, place=place) for seat, place in zip(seats, places(totals), strict=True)]
    suits = "".join(rng.sample("SHDC", 4))
    setup = MatchSetup(boards, suits, (0,) * players, TERMS)
    return MatchRecord(MatchKey(0, 0, 0), setup, tuple(finished), tuple(made), (), 0, 1)


def _round(board: Board, dealer: int, skills: Sequence[str], rng: Random) -> RoundRecord:
    round_ = Round.deal(board, dealer)
    for seat in range(board.players):
        hand = cards_of(round_.hands[seat])
        dear = sorted(hand, key=lambda card: card % 10 if card < 40 else card - 30)
        chosen = dear[-round_.pass_count :] if skills[seat] == "low" else rng.sample(hand, round_.pass_count)
        round_.choose_pass(seat, mask_of(chosen))
    plays = []
    while not round_.over:
        legal, skill = round_.legal(), skills[round_.turn]
        ranked = sorted(cards_of(legal), key=lambda card: card % 10 if card < 40 else card - 39)
        discards = bool(round_.trick) and ranked[0] // 10 != round_.trick[0] // 10
        at_random = card_at(legal, rng.randrange(legal.bit_count()))
        highest = skill == "high" or (skill == "low" and discards)
        plays.append(at_random if skill == "random" else ranked[-1] if highest else ranked[0])
        round_.play(plays[-1])
    return RoundRecord(tuple(round_.passed), tuple(plays), tuple(round_.points), (), ())


def _fail(seats: list[SeatRecord], made: list[RoundRecord], players: int, rng: Random) -> None:
    """Let a bot that has not failed yet commit faults, be replaced, or be absent from the start."""
    seat = rng.randrange(players)
    if seats[seat].faults or seats[seat].bot != "bot":
        return
    kind = rng.choice(("fault", "faults", "over", "absent"))
    round_, question = rng.randrange(len(made)), rng.choice((0, 0, 1, 2, 5))
    if kind == "absent":
        seats[seat] = replace(seats[seat], bot="stand-in")
        round_, question = 0, 0
    elif kind == "over":
        reason = rng.choice(list(HandOver))
        if reason is HandOver.START_FAILED:
            round_, question = 0, 0
        seats[seat] = replace(
            seats[seat],
            charge=120,
            faults=rng.randrange(1, 4),
            hand_over=reason,
            hand_over_at=(round_, question),
        )
    else:
        faults = 1 if kind == "fault" else 2
        seats[seat] = replace(seats[seat], charge=40 * faults, faults=faults)
    for number in range(round_, len(made)):
        own = _decisions(made[number], number, seat, players)[question if number == round_ else 0 :]
        if kind.startswith("fault"):
            own = own[: seats[seat].faults] if number == round_ else []
        made[number] = replace(made[number], stand_in=tuple(sorted({*made[number].stand_in, *own})))


def _decisions(round_: RoundRecord, number: int, seat: int, players: int) -> list[int]:
    """The numbers of a seat's decisions in a round: its pass, then its plays."""
    found, leader = [seat], number % players
    for first in range(0, len(round_.plays), players):
        found.append(players + first + (seat - leader) % players)
        cards = round_.plays[first : first + players]
        suit = cards[0] // 10 if cards[0] < 40 else 4
        leader = (leader + cards.index(max(c for c in cards if (c // 10 if c < 40 else 4) == suit))) % players
    return found


def stories(record: MatchRecord) -> tuple[Story, Story]:
    """The story with the cards, and without."""
    names = NAMES[: record.setup.players]
    points = [round_.points for round_ in record.rounds]
    shown = match_story(names, record.seats, points, round_parts(record, names))
    return shown, match_story(names, record.seats, points)


def check(record: MatchRecord) -> Counter[str]:
    """Recount every claim; how often each sentence was used."""
    names = NAMES[: record.setup.players]
    game = told.Game(record, names)
    used: Counter[str] = Counter()
    shown, hidden = stories(record)
    winners = {names[seat] for seat, one in enumerate(record.seats) if one.place == 1}
    for story in (shown, hidden):
        text = plain_text(story.sentence)
        claims = told.claims_of(text, names)
        assert all(told.CHECKS[claim.key](game, claim.values) for claim in claims), (text, claims)
        assert {names[seat] for seat in claims[0].values["who"]} == winners
        assert len(text) < 200, text
        used.update(claim.key for claim in claims)
    assert not hidden.moments
    assert len(shown.moments) <= 6
    assert len({(moment.anchor, moment.sentence) for moment in shown.moments}) == len(shown.moments)
    for moment in shown.moments:
        text = plain_text(moment.sentence)
        claims = told.claims_of_moment(text, names)
        at = told.spot(moment.anchor)
        assert all(told.moment_holds(game, claim, at) for claim in claims), (moment, claims)
        used.update(claim.key for claim in claims)
    return used


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.integers(0, 2**32), st.sampled_from(SIZES), st.integers(1, 6))
def test_every_claim_is_so(seed: int, players: int, rounds: int) -> None:
    check(a_match(seed, players, rounds))


@pytest.mark.slow
def test_every_claim_of_many_matches_is_so_and_nearly_every_sentence_is_used() -> None:
    used: Counter[str] = Counter()
    for seed in range(600):
        used += check(a_match(seed, SIZES[seed % 6], 1 + seed // 6 % 6))
    assert set(PHRASES) - set(used) <= {"all level", "shared clean", "everything alone"}, set(PHRASES) - set(
        used
    )


def test_every_sentence_has_a_check() -> None:
    pieces = (*told.OPENINGS, *told.HOW, *told.MORE, *told.MOMENTS, *told.AFTER)
    assert sorted(pieces) == sorted(PHRASES)
