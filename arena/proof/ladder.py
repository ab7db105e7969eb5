"""Study: do ± and verdicts hold in a field that changes, for newcomers and for veterans?

Who comes, improves or leaves does not depend on results here; `resubmitting` and `helpers` are about that.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import combinations
from random import Random
from typing import Self

from arena.proof.changing import Entries, OpenSeason, Version
from arena.proof.coverage import BOUNDS
from arena.proof.figure import Figure, mean_figure, rate_figure
from arena.proof.study import Leagues
from arena.proof.world import Faults, stream
from arena.standings import Look, Verdict
from arena.standings.open_field import OpenFit, open_fit
from arena.standings.open_look import open_judged

__all__ = ["MOST_WRONG", "Ladder", "Lives", "wrong_order"]

MOST_WRONG = 0.05
"""The share of tables in which any order may be wrong."""
_MARGIN = 2.0
_MOST_BIAS = 0.3
_SAME = 1e-9


@dataclass(frozen=True, slots=True)
class Lives:
    """Who comes, improves and leaves, from phase to phase.

    `start`: the bots of the first phase. `deviation`: of their strengths, in points. Before each later
    phase one or two bots come with the chance `comes` each, and each bot improves, or leaves, with the
    chance `improves`, or `leaves`. `fresh`: whether a new version has new effects on others, too. `drift`:
    the standard deviation of form from cycle to cycle. `charged`: whether every third bot has faults.
    """

    start: int = 12
    deviation: float = 6.0
    comes: float = 0.6
    improves: float = 0.1
    leaves: float = 0.06
    fresh: bool = False
    drift: float = 0.0
    charged: bool = False

    def drawn(self, dice: Random, phases: int) -> tuple[list[Version], list[list[int]]]:
        """Return all entries, and the numbers of those present in each phase."""
        versions = [Version(bot, 1, dice.gauss(0.0, self.deviation), bot) for bot in range(self.start)]
        present, fields = list(range(self.start)), [list(range(self.start))]
        bots = self.start
        for _ in range(phases - 1):
            staying = [i for i in present if dice.random() >= self.leaves]
            kept = staying if len(staying) >= self.start // 2 else present
            present = []
            for i in kept:
                if dice.random() >= self.improves:
                    present.append(i)
                    continue
                old = versions[i]
                kind = 1000 + len(versions) if self.fresh else old.kind
                better = old.strength + dice.gauss(-1.0, self.deviation / 2.0)
                present.append(len(versions))
                versions.append(Version(old.bot, old.number + 1, better, kind))
            for _ in range(2):
                if dice.random() < self.comes:
                    present.append(len(versions))
                    versions.append(Version(bots, 1, dice.gauss(0.0, self.deviation), bots))
                    bots += 1
            present.sort()
            fields.append(present)
        return versions, fields


@dataclass(slots=True)
class _Seen:
    """What was seen of one season."""

    hits: defaultdict[str, list[bool]] = field(default_factory=lambda: defaultdict(list))
    errors: defaultdict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    wrong: list[bool] = field(default_factory=list)

    def take(self, found: OpenFit, truth: Mapping[str, float], newcomers: set[str]) -> None:
        """Compare the scores of a phase with the truth."""
        for entry in found.bots:
            if found.half_width(entry) is not None:
                who = "newcomers" if entry in newcomers else "veterans"
                error = found.scores[entry] - truth[entry]
                self.errors[who].append(error)
                self.hits[who].append(abs(error) <= (found.half_width(entry) or 0.0))
        for a, b in combinations(found.bots, 2):
            who = "newcomers" if {a, b} & newcomers else "veterans"
            error = found.scores[a] - found.scores[b] - (truth[a] - truth[b])
            self.hits[f"{who}.differences"].append(abs(error) <= (found.pair_half_width(a, b) or 0.0))


def wrong_order(found: Look, truth: Mapping[str, float]) -> bool:
    """Return whether any pair of a table is called in the wrong order."""
    return any(
        pair.verdict is Verdict.AHEAD and truth[pair.worse] - truth[pair.better] <= _SAME
        for pair in found.pairs
    )


@dataclass(frozen=True, slots=True)
class Ladder:
    """Open seasons of so many `phases`, each of `cycles` balanced cycles; a look after every cycle.

    `claimed`: whether anything is claimed of these lives, or the figures are only reported.
    """

    key: str
    what: str
    lives: Lives
    phases: int
    cycles: int
    leagues: int
    claimed: bool = True

    @property
    def name(self) -> str:
        """Return the beginning of its figures' keys."""
        return f"ladder.{self.key}"

    @property
    def title(self) -> str:
        """Return the title of the study."""
        return f"A field that changes: {self.what}, {self.phases} phases of {self.cycles} cycles"

    def sample(self, seed: int, number: int) -> _Seen:
        """Simulate one season and compare it with the truth, after each phase and at each look."""
        dice = stream(seed, self.name, number)
        versions, fields = self.lives.drawn(dice, self.phases)
        charged = {i: Faults(0.3, 40) for i in range(0, len(versions), 3)} if self.lives.charged else {}
        entries = Entries.of(dice, versions, 4, self.lives.drift, charged)
        season, seen = OpenSeason(entries, f"{seed}|{self.name}|{number}", dice), _Seen()
        for place, present in enumerate(fields):
            truth, names = entries.truth(present), [versions[i].name for i in present]
            found = None
            for cycles in season.phase(present, self.cycles):
                found = open_fit(season.results, names, 4)
                table = open_judged(cycles, found, names, _MARGIN) if cycles >= 3 else None
                if isinstance(table, Look):
                    seen.wrong.append(wrong_order(table, truth))
            if found is not None and place:
                before = set(fields[place - 1])
                seen.take(found, truth, {versions[i].name for i in present if i not in before})
        return seen

    def resized(self, leagues: int) -> Self:
        """See `Study`."""
        return replace(self, leagues=leagues)

    def figures(self, seed: int, leagues: Leagues) -> Iterator[Figure]:
        """Yield coverage and bias of newcomers and veterans, and how often an order is wrong."""
        samples = leagues.samples(partial(self.sample, seed), self.leagues)
        bounds = BOUNDS if self.claimed else None
        for who in ("newcomers", "veterans"):
            for key, label in ((who, f"{who}: scores"), (f"{who}.differences", f"{who}: differences")):
                shares = [_mean(sample.hits[key]) for sample in samples if sample.hits[key]]
                yield mean_figure(f"{self.name}.{key}", label, shares, bounds)
            biases = [_mean(sample.errors[who]) for sample in samples if sample.errors[who]]
            allowed = (-_MOST_BIAS, _MOST_BIAS) if self.claimed else None
            bias = mean_figure(f"{self.name}.{who}.bias", f"{who}: bias in points", biases, allowed)
            yield replace(bias, percent=False)
        tables = [_mean(sample.wrong) for sample in samples if sample.wrong]
        most = (0.0, MOST_WRONG) if self.claimed else None
        yield mean_figure(f"{self.name}.wrong", "a table with a wrong order", tables, most)
        ever = [any(sample.wrong) for sample in samples]
        yield rate_figure(f"{self.name}.ever", "a wrong order ever in the season", ever)


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)
