"""Shows that a review is honest: planted faults are found by name, and bots without one have an empty list.

    python -m tests.review.honesty faults --matches 240 --decisions 3000
    python -m tests.review.honesty clean sharp --reviews 10
    python -m tests.review.honesty costs redeal --matches 16
    python -m tests.review.honesty simulated

Leagues are played in this process. Every bot plays in all matches, in all seats and on the same boards as
the field. The costs are found as `arena review` finds them: the same decisions in the same order, as many as
`--decisions` says, or for as long as `--minutes` says.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from fnmatch import fnmatch
from functools import partial
from itertools import islice
from math import fsum, sqrt
from random import Random

from arena.match.record import MatchRecord
from arena.papayoo import POINTS_PER_ROUND
from arena.review.average import average_cost
from arena.review.cost import DEFAULT_WORLDS
from arena.review.course import courses_of
from arena.review.discovery import blunders
from arena.review.findings import Place
from arena.review.one import review_one
from arena.review.phases import Phase
from arena.review.reviewed import Reviewed
from arena.review.sample import Asked, choices_of, fair_order, in_order, targets
from arena.review.summary import BotReview
from arena.review.whole import review_of
from tests.review.planted import BY_NAME, CLEAN, FAULTS, FIELDS, planted, planted_league
from tests.review.simulated import ALL, mean_and_error, naive

BOT = "bot"
FAULT_POINTS = 40
_AT_A_TIME = 32


@dataclass(frozen=True, slots=True)
class Effort:
    """How much is reviewed: at most so many decisions and minutes, on `jobs` processes."""

    decisions: int = 2000
    minutes: float = 60.0
    jobs: int = 1
    worlds: int = DEFAULT_WORLDS
    seed: str = "honest"


@dataclass(frozen=True, slots=True)
class Outcome:
    """One bot reviewed. `seconds`: the time that the reviews took, by the clock."""

    name: str
    sessions: int
    seconds: float
    reviewed: Sequence[Reviewed]
    review: BotReview

    @property
    def first(self) -> str:
        """Return the key of the first finding, or nothing."""
        return self.review.findings[0].key if self.review.findings else ""

    @property
    def found(self) -> bool:
        """Return whether the first finding names the planted fault."""
        return any(fnmatch(self.first, key) for key in BY_NAME.get(self.name, "").split())


def review_records(name: str, records: Sequence[MatchRecord], effort: Effort) -> Outcome:
    """Review the bot of these matches, as `arena review` does."""
    courses = [course for record in records for course in courses_of(record)]
    order = in_order(fair_order(choices_of(courses, BOT), effort.seed), targets(courses, BOT, effort.seed))
    began = time.monotonic()
    reviewed = _costs(records, islice(order, effort.decisions), effort)
    seconds = time.monotonic() - began
    review = review_of(courses, BOT, reviewed, _strengths(records), FAULT_POINTS, len(records))
    return Outcome(name, len({course.session for course in courses}), seconds, reviewed, review)


def _costs(records: Sequence[MatchRecord], order: Iterator[Asked], effort: Effort) -> list[Reviewed]:
    """Return what the decisions cost, each once, as far as the time goes."""
    by_key = {record.key: record for record in records}
    end = time.monotonic() + 60 * effort.minutes
    found: dict[Place, Reviewed] = {}
    with ProcessPoolExecutor(effort.jobs) as pool:
        while time.monotonic() < end and (asked := list(islice(order, _AT_A_TIME * effort.jobs))):
            new = list(dict.fromkeys(each.place for each in asked if each.place not in found))
            review = partial(review_one, seed=effort.seed, worlds=effort.worlds)
            costs = pool.map(review, [by_key[place[0]] for place in new], new)
            found |= {place: replace(cost, in_sample=False) for place, cost in zip(new, costs, strict=True)}
            for each in asked:
                if each.in_sample:
                    found[each.place] = replace(found[each.place], in_sample=True)
    return list(found.values())


def _strengths(records: Sequence[MatchRecord]) -> dict[str, float]:
    points: dict[str, int] = {}
    for record in records:
        for seat in record.seats:
            points[seat.bot] = points.get(seat.bot, 0) + seat.points
    rounds = sum(len(record.rounds) for record in records)
    return {bot: total / rounds - POINTS_PER_ROUND / len(points) for bot, total in points.items()}


def of_faults(names: Sequence[str], options: argparse.Namespace) -> None:
    """Print for each planted fault what a review finds first."""
    print("fault                  points  sessions reviewed      s  found  first finding")
    for name in names:
        records = planted_league(planted(name, options.base), options.matches, options.seed, options.field)
        outcome = review_records(name, records, _effort(options))
        print(_line(outcome, records), flush=True)
        for each in outcome.review.findings[1:4]:
            print(f"{'':56}then   {each.sentence(BOT)}")


def _line(outcome: Outcome, records: Sequence[MatchRecord]) -> str:
    first = outcome.review.findings[0].sentence(BOT) if outcome.review.findings else "nothing"
    found = "yes" if outcome.found else "NO"
    return (
        f"{outcome.name:22}{_strengths(records)[BOT]:+7.1f}{outcome.sessions:10}{len(outcome.reviewed):9}"
        f"{outcome.seconds:7.0f}  {found:5}  {first}"
    )


def of_clean(names: Sequence[str], options: argparse.Namespace) -> None:
    """Print how many reviews of bots without a fault had an empty list."""
    print("bot        field    reviews  with findings  with blunders  mistakes a round")
    for name in names:
        found: list[Outcome] = []
        for seed in range(options.seed, options.seed + options.reviews):
            records = planted_league(CLEAN[name](), options.matches, seed, options.field)
            found.append(review_records(name, records, _effort(options)))
        wrong = [each.first for each in found if each.first]
        costly = sum(each.review.blunders > 0 for each in found)
        mistakes = [each.review.mistakes_a_round for each in found]
        mean = sum(each.value for each in mistakes if each) / len(mistakes)
        print(
            f"{name:11}{options.field:9}{len(found):7}{len(wrong):15}{costly:15}{mean:18.2f}",
            *wrong,
            flush=True,
        )


def of_costs(names: Sequence[str], options: argparse.Namespace) -> None:
    """Print what the decisions of clean bots cost, by phase, and the same with the cards as they really lay.

    The two agree on average where the deals that the seat had to reckon with are like the real ones.
    """
    print("bot        phase    reviewed  points each      error of one  with the true hands  blunders")
    for name in names:
        records = planted_league(CLEAN[name](), options.matches, options.seed, options.field)
        outcome = review_records(name, records, _effort(options))
        sample = [each for each in outcome.reviewed if each.in_sample]
        for phase in (None, *Phase):
            of_phase = [each for each in sample if phase in (None, each.phase)]
            found = average_cost(of_phase)
            true = average_cost([replace(each, cost=each.true_cost, error=0.0) for each in of_phase])
            print(
                f"{name:11}{phase or 'all':9}{len(of_phase):8}{found.value:10.2f} ± {found.error or 0:.2f}"
                f"{_error_of_one(of_phase):15.2f}{true.value:14.2f} ± {true.error or 0:.2f}"
                f"{len(blunders(of_phase)):10}"
            )
        print(f"{name:11}{1000 * outcome.seconds / len(outcome.reviewed):.0f} ms a decision", flush=True)


def _error_of_one(costs: Sequence[Reviewed]) -> float:
    """Return the error of one decision: the root of the mean square."""
    return sqrt(fsum(each.error**2 for each in costs) / len(costs)) if costs else 0.0


def of_simulated(names: Sequence[str], options: argparse.Namespace) -> None:
    """Print the estimates of decisions whose true costs are known, and what the plain estimate would say."""
    print("true cost  estimate          plain   intervals of 95 % above the truth, below it")
    for simulated in ALL:
        found = simulated.estimates(options.seed)
        mean, error = mean_and_error([each.cost for each in found])
        chance = Random(options.seed)
        plain, _ = mean_and_error([naive(simulated, chance) for _ in found])
        above = sum(each.cost - 1.96 * each.error > simulated.cost for each in found) / len(found)
        below = sum(each.cost + 1.96 * each.error < simulated.cost for each in found) / len(found)
        print(
            f"{simulated.cost:9.2f}{mean:10.2f} ± {error:.2f}{plain:10.2f}"
            f"{100 * above:12.1f} %{100 * below:9.1f} %"
        )


def _effort(options: argparse.Namespace) -> Effort:
    return Effort(options.decisions, options.minutes, options.jobs, options.worlds)


_WORK = {"faults": of_faults, "clean": of_clean, "costs": of_costs, "simulated": of_simulated}


def main() -> None:
    """Read the command line and print a table."""
    parser = argparse.ArgumentParser(description="Shows what reviews find in bots with known faults.")
    parser.add_argument("what", choices=[*_WORK])
    parser.add_argument("bots", nargs="*", help="names of faults or of clean bots; all of them if none")
    parser.add_argument("--matches", type=int, default=240, help="matches of a league")
    parser.add_argument("--decisions", type=int, default=4000, help="the most decisions of a review")
    parser.add_argument("--minutes", type=float, default=5.0, help="the longest time of a review")
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    parser.add_argument("--worlds", type=int, default=DEFAULT_WORLDS, help="of a decision")
    parser.add_argument("--seed", type=int, default=1, help="of the league")
    parser.add_argument(
        "--reviews", type=int, default=10, help="of each clean bot, each in a league of its own"
    )
    parser.add_argument("--field", choices=[*FIELDS], default="sound", help="who else plays")
    parser.add_argument("--base", choices=[*CLEAN], default="sharp", help="on which bot faults are planted")
    options = parser.parse_args()
    known = FAULTS if options.what == "faults" else CLEAN
    unknown = set(options.bots) - set(known)
    if unknown:
        parser.error(f"unknown: {', '.join(sorted(unknown))}; expected some of {', '.join(known)}")
    _WORK[options.what](options.bots or [*known], options)


if __name__ == "__main__":
    main()
