"""Made-up leagues and looks for the tests of the score: seeded, whole points, 250 a round."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from random import Random

from arena.score.fit import fit
from arena.score.results import SessionResult
from arena.score.verdicts import Comparison, Look, Pair, Verdict


def session(
    place: tuple[int, int], rounds: int, cards: Mapping[str, int], faults: Mapping[str, int] | None = None
) -> SessionResult:
    """A session at (cycle, index), without charges unless given."""
    return SessionResult(place[0], place[1], rounds, cards, faults or {})


def noisy(
    rng: Random, place: tuple[int, int], line_up: Sequence[str], rounds: int, skill: Mapping[str, float]
) -> SessionResult:
    """A session whose points scatter around 250/k plus the skills relative to the line-up's mean."""
    seats = len(line_up)
    level = sum(skill[bot] for bot in line_up) / seats
    cards = {
        bot: max(0, round(rounds * (250 / seats + skill[bot] - level) + rng.gauss(0, 60) * rounds**0.5))
        for bot in line_up
    }
    spare = 250 * rounds - sum(cards.values())
    for number, bot in enumerate(line_up):  # share the rest as evenly as whole points allow
        own = spare // (seats - number)
        own = max(own, -cards[bot])
        cards[bot] += own
        spare -= own
    if spare:
        richest = max(cards, key=lambda bot: cards[bot])
        cards[richest] += spare
    faults = {bot: 40 * rng.randrange(1, 4) for bot in line_up if rng.random() < 0.15}
    return SessionResult(place[0], place[1], rounds, cards, faults)


def complete(
    seed: int, size: int, seats: int, cycles: int, skill: Mapping[str, float] | None = None
) -> tuple[list[SessionResult], list[str]]:
    """Every line-up once a cycle; sessions of seats * seats rounds."""
    bots = [f"bot{number:02}" for number in range(size)]
    plan = [(cycle, line_up) for cycle in range(cycles) for line_up in combinations(bots, seats)]
    return from_plan(seed, plan, seats * seats, skill or {}), bots


def from_plan(
    seed: int, plan: Iterable[tuple[int, Sequence[str]]], rounds: int, skill: Mapping[str, float]
) -> list[SessionResult]:
    """The sessions of a list of (cycle, line-up), indices in its order."""
    rng = Random(seed)
    sessions = []
    for index, (cycle, line_up) in enumerate(plan):
        level = {bot: skill.get(bot, 0.0) for bot in line_up}
        sessions.append(noisy(rng, (cycle, index), line_up, rounds, level))
    return sessions


def seen(bots: str, verdicts: Mapping[tuple[str, str], Verdict]) -> Look:
    """A look at bots of one letter each, in this order, with these verdicts; all others are ahead."""
    pairs = []
    for a, b in combinations(bots, 2):
        compared = Comparison(a, b, 3.0, 1.0, 80.0, 2.0)
        pairs.append(Pair(a, b, 3.0, 1.0, 1.0, 5.0, verdicts.get((a, b), Verdict.AHEAD), 0.01, compared))
    return Look(8, 120, tuple(bots), tuple(pairs), {}, {}, fit([], bots, 4))
