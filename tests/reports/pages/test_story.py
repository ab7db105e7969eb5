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


RARE = {"all level", "shared clean", "everything alone", "came back late", "changes", "first to last late"}


@pytest.mark.slow
def test_every_claim_of_many_matches_is_so_and_nearly_every_sentence_is_used() -> None:
    used: Counter[str] = Counter()
    for seed in range(400):
        used += check(a_match(seed, SIZES[seed % 6], 1 + seed // 6 % 6))
    assert set(PHRASES) - set(used) <= RARE


def test_every_sentence_has_a_check() -> None:
    pieces = (*told.OPENINGS, *told.HOW, *told.MORE, *told.MOMENTS, *told.AFTER)
    assert sorted(pieces) == sorted(PHRASES)


# How it reads.


def ended(names: Sequence[str], points: Sequence[Sequence[int]], **failed: Seat) -> str:
    """The story of a match by its points alone. `failed`: by name, who got fault points."""
    sums = [sum(column) for column in zip(*points, strict=True)]
    seats = [
        replace(failed.get(name, Seat(0)), points=total) for name, total in zip(names, sums, strict=True)
    ]
    by_total = places([seat.points + seat.charge for seat in seats])
    finished = [replace(seat, place=place) for seat, place in zip(seats, by_total, strict=True)]
    return plain_text(match_story(names, finished, points).sentence)


BOTS = ("Sharp", "Count", "Duck", "Random")


@pytest.mark.parametrize(
    ("points", "text"),
    [
        (
            [(0, 50, 100, 100), (20, 30, 100, 100), (0, 0, 0, 250), (30, 20, 100, 100)],
            "Sharp led after every round and won with 50 points, 50 fewer than Count, and took no "
            "point in two "
            "of the four rounds. Random took all 250 points of round 2.",
        ),
        (
            [(10, 20, 100, 120), (100, 20, 30, 100), (110, 30, 70, 40), (0, 180, 40, 30)],
            "Sharp overtook Count in the last round and won with 220 points, 20 fewer than Duck, despite 110 "
            "points in round 2. Count took 180 points in the last round.",
        ),
        (
            [(10, 20, 100, 120), (90, 20, 40, 100), (10, 60, 80, 100), (30, 50, 80, 90)],
            "Sharp overtook Count in the last round and won by 10 points, 140 to 150. Count took 50 "
            "points in "
            "the last round.",
        ),
        (
            [(10, 90, 80, 70), (40, 70, 60, 80), (120, 70, 60, 0), (190, 10, 29, 21)],
            "Random won with 171 points, 58 fewer than Duck, and took no point in round 2. "
            "Sharp led after two of the four rounds and finished last.",
        ),
        (
            [(90, 60, 60, 40), (80, 60, 70, 40), (80, 60, 50, 60), (0, 99, 100, 51)],
            "Random led after every round and won with 191 points, 59 fewer than Sharp. "
            "Duck finished last with 280 points.",
        ),
        (
            [(90, 60, 60, 40), (80, 60, 70, 40), (0, 60, 70, 120), (1, 58, 78, 113)],
            "Sharp was last after two of the four rounds and still won with 171 points, 67 fewer "
            "than Count, and "
            "took no point in round 2. Random led after two of the four rounds and finished last.",
        ),
        (
            [(100, 50, 50, 50), (90, 50, 50, 60), (10, 80, 80, 80), (0, 80, 100, 70)],
            "Sharp was last before the last round and still won with 200 points, 60 fewer than "
            "Count and Random, "
            "despite 100 points in round 0. Duck finished last with 280 points.",
        ),
        (
            [(10, 20, 100, 120)],
            "Sharp won with 10 points, 10 fewer than Count. Random finished last with 120 points.",
        ),
        (
            [(24, 25, 99, 102)],
            "Sharp won with 24 points, 1 fewer than Count. Random finished last with 102 points.",
        ),
        (
            [(0, 1, 0, 249)],
            "Sharp and Duck shared first place, without a single point. Random took 249 of the 250 points.",
        ),
        ([(1, 83, 83, 83)], "Sharp won with 1 point, 82 fewer than the next."),
        (
            [(0, 0, 0, 250)],
            "Sharp, Count and Duck shared first place, without a single point. Random took all 250 points.",
        ),
        (
            [(62, 63, 62, 63), (63, 62, 63, 62)],
            "Sharp, Count, Duck and Random ended level, with 125 points each.",
        ),
    ],
)
def test_stories_from_points_alone(points: list[tuple[int, ...]], text: str) -> None:
    assert ended(BOTS, points) == text


ROUNDS = [(10, 20, 100, 120), (90, 20, 40, 100)]


@pytest.mark.parametrize(
    ("failed", "text"),
    [
        (
            {"Count": Seat(0, 40, faults=1)},
            "Count won with 80 points, 20 fewer than Sharp, despite 40 points for a fault. "
            "Random finished last with 220 points.",
        ),
        (
            {"Count": Seat(0, 80, faults=2)},
            "Sharp won with 100 points, 20 fewer than Count. "
            "Count had the fewest card points, but 80 points for faults.",
        ),
        (
            {"Duck": Seat(0, 120, faults=3, hand_over=HandOver.MAX_FAULTS, hand_over_at=(1, 4))},
            "Count won with 40 points, 60 fewer than Sharp. "
            "A stand-in played for Duck from trick 3 of round 1 on, after too many faults.",
        ),
        (
            {"Duck": Seat(0, 120, faults=1, hand_over=HandOver.START_FAILED, hand_over_at=(0, 0))},
            "Count won with 40 points, 60 fewer than Sharp. "
            "A stand-in played for Duck from the start, because it could not be started.",
        ),
        (
            {
                "Duck": Seat(0, 120, faults=1, hand_over=HandOver.CRASHED, hand_over_at=(1, 0)),
                "Random": Seat(0, 120, faults=1, hand_over=HandOver.SILENT, hand_over_at=(0, 1)),
            },
            "Count won with 40 points, 60 fewer than Sharp. Stand-ins played for Duck and Random "
            "after faults.",
        ),
    ],
)
def test_stories_with_faults(failed: dict[str, Seat], text: str) -> None:
    assert ended(BOTS, ROUNDS, **failed) == text


def test_stories_with_cards() -> None:
    """Some whole stories, so that a change of the rules is seen in what they make."""
    assert _told(7, 4, 4) == [
        "Ant won with 123 points, 27 fewer than Dog, and had no point until trick 9 of "
        "round 1. Cat took all 250 points of round 0.",
        "r0 Round 0: Cat took all 250 points of the round.",
        "r0t8c1 Round 0, trick 8: P20 came back: Cat had passed it to Dog and took it in a trick of "
        "54 points.",
        "r0t10c1 Round 0, trick 10: P18 came back: Cat had passed it to Dog and took it in a trick "
        "of 44 points.",
        "r1t8c2 Round 1, trick 8: Bee took its own Papayoo: 52 points.",
        "r2t6c3 Round 2, trick 6: Dog took its own Papayoo: 59 points.",
        "r3t13c2 Round 3, trick 13: Ant had no Payoos and threw the Papayoo into Cat’s trick of 54 points.",
    ]
    assert _told(15, 4, 4) == [
        "Ant won with 136 points, 84 fewer than Dog, and took no point before trick 9 of any round. "
        "Cat led after two of the four rounds and finished last.",
        "r0t6c0 Round 0, trick 6: Cat took Bee’s Papayoo with D8, its only diamond: 50 points.",
        "r2t2c1 Round 2, trick 2: Cat took 50 points in one trick with its own P15. Ant led "
        "from here to the end.",
        "r2t4c0 Round 2, trick 4: The Papayoo came back: Bee had passed it to Cat and took it in a "
        "trick of 40 points.",
    ]
    assert _told(12, 8, 8) == [
        "Gnu won with 7 points, 47 fewer than Dog, and took points in a single trick. Ant took 122 "
        "points in one trick of round 4.",
        "r1t0c7 Round 1, trick 0: Ant took 113 points in one trick with its own P19.",
        "r2t1c1 Round 2, trick 1: Fox took 96 points in one trick with its own P20.",
        "r3t4c5 Round 3, trick 4: Hen had no Payoos and threw the Papayoo into Fox’s trick of 84 points.",
        "r4t0c2 Round 4, trick 0: Gnu had no Payoos and threw the Papayoo into Ant’s trick of 122 points.",
    ]


def _told(seed: int, players: int, rounds: int) -> list[str]:
    story, _ = stories(a_match(seed, players, rounds))
    lines = [f"{one.anchor} {one.where}: {plain_text(one.sentence)}" for one in story.moments]
    return [plain_text(story.sentence), *lines]


HOSTILE = ("{who}", "<b>. ", "won with 0 points", "’s stand-in", "Twin", "Twin", "\u202eevil", "x" * 40)


def test_names_stay_apart_from_the_text_whatever_they_are() -> None:
    twins = 0
    for seed in range(30):
        record = a_match(seed, 8, 3)
        parts = round_parts(record, HOSTILE)
        story = match_story(HOSTILE, record.seats, [round_.points for round_ in record.rounds], parts)
        for words in (story.sentence, *(moment.sentence for moment in story.moments)):
            for place, part in enumerate(words):
                if part.seat is None:
                    assert part.card is not None or not any(name in part.text for name in HOSTILE[:3])
                    continue
                assert part.text == HOSTILE[part.seat]
                if part.text == "Twin":
                    twins += 1
                    assert words[place + 1].text.startswith(f" (seat {part.seat})")
    assert twins
