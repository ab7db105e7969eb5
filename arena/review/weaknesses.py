"""Where a bot does worse: its paired score over features of the game, those that survive a correction.

The score of a seat in a round is its points, fault points left out, minus the mean of what the other bots had
who were dealt the same hand of the same board in the other matches of the session; where nobody was, minus
what the others at its table had. So the cards' luck cancels. Features of cards are those of the hand dealt,
which is the same for all of them: what is held after the pass depends on the bot itself and on its neighbour.
Against an opponent, that opponent's own points are left out of the mean, or a strong one would seem to make
all others worse. A feature's difference is the mean score of the rounds
that have it minus that of the rounds that do not, by session (`arena.review.clusters.difference`). What
survives Benjamini and Hochberg's procedure over all features at 5 % is told. This module judges no decision:
a weakness says when, not why.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from math import fsum
from typing import Final

from arena.deals import MatchKey
from arena.match.stand_in import STAND_IN
from arena.papayoo import PAPAYOOS, PAYOO, PLAIN_SUITS, SUIT_MASKS
from arena.review.average import FEWEST_SESSIONS
from arena.review.clusters import Estimate, Tally, difference, p_above
from arena.review.course import Course
from arena.review.discovery import RATE, surviving

__all__ = ["Weakness", "weaknesses"]

_FEWEST_BOARDS: Final = 8
"""A feature of fewer boards is not looked at, nor one that so few boards lack."""
_WORST: Final = 3
_TOP_PAYOOS: Final = SUIT_MASKS[PAYOO] & ~((1 << 55) - 1)
_SEVENS: Final = sum(1 << card for card in PAPAYOOS)
_MANY_PAYOOS: Final = 7
_FEW_PAYOOS: Final = 2
_DEALT: Final = {
    "7s": (
        "when dealt no 7s",
        "when dealt one 7",
        "when dealt two 7s",
        "when dealt three 7s or more",
    ),
    "Payoos above P15": (
        "when dealt no Payoos above P15",
        "when dealt one Payoo above P15",
        "when dealt two Payoos above P15",
        "when dealt three Payoos above P15",
        "when dealt four Payoos above P15 or more",
    ),
    "suits besides Payoo": (
        "when dealt no suits besides Payoo",
        "when dealt one suit besides Payoo",
        "when dealt two suits besides Payoo",
        "when dealt three suits besides Payoo",
        "when dealt four suits besides Payoo or more",
    ),
}
"""By what is counted: the words for none, one, two and so on. The last are for more, too."""

Place = tuple[MatchKey, int, int]
"""A seat in a round: match, round, seat."""
Others = dict[tuple[int, ...], dict[str, Tally]]
"""By board and hand, and by bot: the points."""
Feature = tuple[str, str, str]
"""A feature: its key, its words, and the opponent it is about or nothing."""


@dataclass(frozen=True, slots=True)
class Weakness:
    """A feature of rounds in which the bot does worse than otherwise.

    `words`: "when dealt three 7s". `opponent`: the bot that the feature is about, else empty (a page puts
    its name after the words). `difference`: points a round with the feature beyond the field's on the same
    boards, minus the same without it. `boards`: how many have it. `worst`: up to three (match, round, seat).
    """

    key: str
    words: str
    opponent: str
    difference: Estimate
    boards: int
    worst: tuple[Place, ...]
    p: float


@dataclass(slots=True)
class _Kept:
    """What is collected of a feature: its scores by cluster, its boards, and each place with its score."""

    scores: dict[tuple[int, ...], Tally] = field(default_factory=lambda: defaultdict(Tally))
    boards: set[tuple[int, ...]] = field(default_factory=set)
    places: list[tuple[float, tuple[int, ...], Place]] = field(default_factory=list)

    def add(self, cluster: tuple[int, ...], board: tuple[int, ...], score: float, place: Place) -> None:
        self.scores[cluster].add(score)
        self.boards.add(board)
        self.places.append((score, cluster, place))


def weaknesses(courses: Iterable[Course], bot: str, rate: float = RATE) -> tuple[Weakness, ...]:
    """Return the weaknesses of a bot, the largest difference first. Takes about 0.1 ms a round.

    `courses`: the rounds of the field. Those without the bot say what others do with the same hands.
    """
    listed = list(courses)
    own = [course for course in listed if bot in course.bots]
    by_session = len({course.session for course in own}) >= FEWEST_SESSIONS
    others = _others(listed, bot)
    slow = _slow(own, bot)
    whole = _Kept()
    features: dict[Feature, _Kept] = defaultdict(_Kept)
    for course in own:
        cluster = course.session if by_session else course.board
        for seat in (seat for seat, name in enumerate(course.bots) if name == bot):
            score = _score(others, course, seat, "")
            place = course.key, course.number, seat
            if score is not None:
                whole.add(cluster, course.board, score, place)
            for feature in _features(course, seat, slow):
                beyond = _score(others, course, seat, feature[2]) if feature[2] else score
                if beyond is not None:
                    features[feature].add(cluster, course.board, beyond, place)
    tested = [_tested(feature, kept, whole) for feature, kept in features.items() if _comparable(kept, whole)]
    sure = surviving([each.p for each in tested], rate)
    found = [each for each, kept in zip(tested, sure, strict=True) if kept]
    return tuple(sorted(found, key=lambda each: -each.difference.value))


def _others(courses: Iterable[Course], bot: str) -> Others:
    """Return what each of the other bots had with each hand of each board."""
    found: Others = defaultdict(lambda: defaultdict(Tally))
    for course in courses:
        for seat, name in enumerate(course.bots):
            if name not in {bot, STAND_IN}:
                found[*course.board, course.position(seat)][name].add(course.points[seat])
    return found


def _score(others: Others, course: Course, seat: int, opponent: str) -> float | None:
    """Return a seat's points beyond those of the others but the opponent; None if nobody else is there."""
    held = others.get((*course.board, course.position(seat)), {})
    same_hand = [tally for name, tally in held.items() if name != opponent]
    own = course.points[seat]
    if same_hand:
        return own - fsum(tally.total for tally in same_hand) / fsum(tally.count for tally in same_hand)
    rest = [
        points
        for points, name in zip(course.points, course.bots, strict=True)
        if name not in {course.bots[seat], opponent}
    ]
    return own - fsum(rest) / len(rest) if rest else None


def _comparable(kept: _Kept, whole: _Kept) -> bool:
    """Return whether enough boards have the feature, and enough rounds lack it."""
    lacking = len(whole.places) - len(kept.places)
    return min(len(kept.boards), lacking) >= _FEWEST_BOARDS


def _tested(feature: Feature, kept: _Kept, whole: _Kept) -> Weakness:
    key, words, opponent = feature
    lacking = _lacking(kept, whole)
    clusters = kept.scores.keys() | lacking.keys()
    found = difference((kept.scores[each], lacking[each]) for each in sorted(clusters))
    worst = sorted(kept.places, key=lambda each: -each[0])
    one_a_board: dict[tuple[int, ...], Place] = {}
    for _, _, place in worst:
        one_a_board.setdefault((place[0].cycle, place[0].index, place[1]), place)
    return Weakness(
        key=key,
        words=words,
        opponent=opponent,
        difference=found,
        boards=len(kept.boards),
        worst=tuple(one_a_board.values())[:_WORST],
        p=p_above(found),
    )


def _lacking(kept: _Kept, whole: _Kept) -> dict[tuple[int, ...], Tally]:
    """Return the scores of the rounds without the feature."""
    having = {place for _, _, place in kept.places}
    found: dict[tuple[int, ...], Tally] = defaultdict(Tally)
    for score, cluster, place in whole.places:
        if place not in having:
            found[cluster].add(score)
    return found


def _slow(courses: Sequence[Course], bot: str) -> float:
    """Return the time in a round, in microseconds, that a quarter of the bot's rounds exceed."""
    times = sorted(
        course.took_us[seat]
        for course in courses
        if course.took_us
        for seat, name in enumerate(course.bots)
        if name == bot
    )
    return times[len(times) * 3 // 4] if times else float("inf")


def _features(course: Course, seat: int, slow: float) -> Iterator[Feature]:
    """Yield the features of a round for a seat: its place, the cards dealt, its company and its time."""
    yield f"seat-{seat}", f"in seat {seat}", ""
    yield _of_place(course.position(seat), course.players)
    yield f"round-{course.number}", f"in round {course.number} of a match", ""
    yield from _of_hand(course.dealt[seat], course.papayoo_suit)
    for other in dict.fromkeys(course.bots):
        if other not in {course.bots[seat], STAND_IN}:
            yield f"against-{other}", "against", other
    if course.took_us and course.took_us[seat] > slow:
        yield "slow", "in the quarter of the rounds in which it took most time", ""


def _of_place(position: int, players: int) -> Feature:
    words = f"{position} seats to the left of the dealer"
    if position < 2:
        words = ("as the dealer, first to play", "to the left of the dealer")[position]
    elif position == players - 1:
        words = "to the right of the dealer, last to play to the first trick"
    return f"place-{position}", words, ""


def _of_hand(hand: int, papayoo_suit: int) -> Iterator[Feature]:
    for name, cards in (("7s", _SEVENS), ("Payoos above P15", _TOP_PAYOOS)):
        yield _counted(name, (hand & cards).bit_count())
    yield _counted("suits besides Payoo", sum(bool(hand & SUIT_MASKS[suit]) for suit in PLAIN_SUITS))
    if hand >> PAPAYOOS[papayoo_suit] & 1:
        yield "dealt-papayoo", "when dealt the Papayoo", ""
    payoos = (hand & SUIT_MASKS[PAYOO]).bit_count()
    if payoos >= _MANY_PAYOOS:
        yield "dealt-many-payoos", "when dealt seven Payoos or more", ""
    if payoos <= _FEW_PAYOOS:
        yield "dealt-few-payoos", "when dealt two Payoos or fewer", ""


def _counted(name: str, held: int) -> Feature:
    """Return the feature of so many cards; the most that has words, and more, are one."""
    words = _DEALT[name]
    counted = min(held, len(words) - 1)
    return f"dealt-{name}-{counted}", words[counted], ""
