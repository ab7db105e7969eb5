"""Study: how often do stages cut the best bot, and what are the scores and verdicts of a final worth?

All rules of who goes on are compared by the same contests. The best bot is the one of the largest strength
when the first stage ends; what it does to some opponents and others to it averages out over that field.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from random import Random
from typing import Self

from arena.proof.changing import Effects, Entries, OpenSeason, Version
from arena.proof.coverage import BOUNDS
from arena.proof.figure import Figure, mean_figure, rate_figure
from arena.proof.ladder import MOST_WRONG, Lives, wrong_order
from arena.proof.stages import Contenders, Contest, Rule, Stage, knocked_out, look_at
from arena.proof.study import Leagues
from arena.proof.world import stream
from arena.standings import Fit, Look
from arena.standings.open_field import open_fit

__all__ = ["MOST_CUT", "Laddered", "Outcome", "Staged"]

MOST_CUT = 0.02
"""The share of contests in which a rule by contenders may cut the best bot."""
_MOST_BIAS = 0.3
_SEATS = 4


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one contest by one rule.

    `sizes`: the bots of each stage. `cut`: the best bot is not in the last one. `wrong_champion`: it is not
    first by score there. `wrong_first`: who is first there is not the best against those who are left, for
    bots suit some opponents better than others; None if that is not known. `wrong`: for each stage that had
    verdicts, whether any was wrong. `covered`: the shares of scores and of differences of the last stage
    whose ± holds the truth; None without a ±. `bias`: of whoever led the stage before, in points in the last
    one.
    """

    sizes: tuple[int, ...]
    cut: bool
    wrong_champion: bool
    wrong_first: bool | None = None
    wrong: tuple[bool, ...] = ()
    covered: tuple[float, float] | None = None
    bias: float | None = None


def _covered(found: Fit, truth: Mapping[str, float]) -> tuple[float, float] | None:
    """Return the shares of scores and of differences whose ± holds the truth."""
    if not found.intervals:
        return None
    scores = [abs(found.scores[bot] - truth[bot]) <= (found.half_width(bot) or 0.0) for bot in truth]
    differences = [
        abs(found.scores[a] - found.scores[b] - truth[a] + truth[b]) <= (found.pair_half_width(a, b) or 0.0)
        for a, b in combinations(truth, 2)
    ]
    return sum(scores) / len(scores), sum(differences) / len(differences)


def _outcome(entries: Entries, played: Sequence[Stage]) -> Outcome:
    best = min(played[0].present, key=lambda i: entries.versions[i].strength)
    final, names = played[-1], entries.names
    truth = entries.truth(final.present)
    leader = next(names[i] for i in played[-2].in_order(names) if i in final.present)
    tables = [(look_at(stage), entries.truth(stage.present)) for stage in played]
    return Outcome(
        sizes=tuple(len(stage.present) for stage in played),
        cut=best not in final.present,
        wrong_champion=final.in_order(names)[0] != best,
        wrong_first=names[final.in_order(names)[0]] != min(truth, key=truth.__getitem__),
        wrong=tuple(wrong_order(seen, known) for seen, known in tables if isinstance(seen, Look)),
        covered=_covered(final.found, truth),
        bias=final.found.scores[leader] - truth[leader],
    )


@dataclass(frozen=True, slots=True)
class Staged:
    """Contests of `stages` closed stages of so many balanced `cycles`, under each of the `rules`.

    `deviation`: of the strengths, in points. `effects`: what bots do to one another, of this `kind`.
    """

    bots: int
    deviation: float
    rules: tuple[Rule, ...]
    leagues: int
    kind: str
    effects: Effects
    stages: int = 4
    cycles: int = 4

    @property
    def name(self) -> str:
        """Return the beginning of its figures' keys."""
        return f"stages.{self.bots}-{self.deviation:g}.{self.kind}"

    @property
    def title(self) -> str:
        """Return the title of the study."""
        contest = f"{self.bots} bots, strengths of sd {self.deviation:g}, effects {self.kind}"
        return f"Contests in stages: {contest}, {self.stages} stages of {self.cycles} cycles"

    def sample(self, seed: int, number: int) -> Mapping[str, Outcome]:
        """Simulate one contest by all rules."""
        dice, name = stream(seed, self.name, number), f"{seed}|{self.name}|{number}"
        versions = [Version(bot, 1, dice.gauss(0.0, self.deviation), bot) for bot in range(self.bots)]
        entries = Entries.of(dice, versions, _SEATS, effects=self.effects)
        contest = Contest(entries, name, self.stages)
        contest.stage(range(self.bots), self.cycles, dice)
        found = {rule.label: _outcome(entries, contest.by(rule, self.cycles)) for rule in self.rules}
        rounds = knocked_out(entries, name, range(self.bots))
        best = min(range(self.bots), key=lambda i: versions[i].strength)
        sizes = tuple(map(len, rounds[:-1]))
        found["knock-out"] = Outcome(sizes, best not in rounds[-2], rounds[-1] != [best])
        return found

    def resized(self, leagues: int) -> Self:
        """See `Study`."""
        return replace(self, leagues=leagues)

    def figures(self, seed: int, leagues: Leagues) -> Iterator[Figure]:
        """Yield for each rule how it went."""
        samples = leagues.samples(partial(self.sample, seed), self.leagues)
        yield from _figures(self.name, samples, self.rules)


@dataclass(frozen=True, slots=True)
class Laddered:
    """Contests whose first stage is an open ladder of so many `phases`; then who goes on plays a final."""

    lives: Lives
    rules: tuple[Rule, ...]
    leagues: int
    phases: int = 6
    cycles: int = 3
    final_cycles: int = 4

    @property
    def name(self) -> str:
        """Return the beginning of its figures' keys."""
        return "stages.ladder"

    @property
    def title(self) -> str:
        """Return the title of the study."""
        ladder = f"a ladder of {self.phases} phases of {self.cycles} cycles"
        return f"Contests in stages: {ladder}, then a final of {self.final_cycles}"

    def sample(self, seed: int, number: int) -> Mapping[str, Outcome]:
        """Simulate one contest by all rules."""
        dice, name = stream(seed, self.name, number), f"{seed}|{self.name}|{number}"
        versions, fields = self.lives.drawn(dice, self.phases)
        entries = Entries.of(dice, versions, _SEATS)
        contest = Contest(entries, name, 2, [self._ladder(entries, name, fields, dice)])
        return {rule.label: _outcome(entries, contest.by(rule, self.final_cycles)) for rule in self.rules}

    def _ladder(self, entries: Entries, name: str, fields: Sequence[Sequence[int]], dice: Random) -> Stage:
        season = OpenSeason(entries, name, dice)
        cycles = 0
        for present in fields:
            for ended in season.phase(present, self.cycles):
                cycles = ended
        found = open_fit(season.results, [entries.names[i] for i in fields[-1]], _SEATS)
        return Stage(tuple(fields[-1]), cycles, season.results, found)

    def resized(self, leagues: int) -> Self:
        """See `Study`."""
        return replace(self, leagues=leagues)

    def figures(self, seed: int, leagues: Leagues) -> Iterator[Figure]:
        """Yield for each rule how it went."""
        samples = leagues.samples(partial(self.sample, seed), self.leagues)
        yield from _figures(self.name, samples, self.rules)


def _figures(name: str, samples: Sequence[Mapping[str, Outcome]], rules: Sequence[Rule]) -> Iterator[Figure]:
    claimed = {rule.label for rule in rules if isinstance(rule, Contenders)}
    for rule in samples[0]:
        found, key = [sample[rule] for sample in samples], f"{name}.{rule.replace(' ', '-')}"
        sizes = [_mean(each) for each in zip(*(one.sizes for one in found), strict=True)]
        shown = "-".join(f"{size:.0f}" for size in sizes)
        most = MOST_CUT if rule in claimed else None
        yield rate_figure(f"{key}.cut", f"{rule} ({shown}): best cut", [one.cut for one in found], most)
        champions = [one.wrong_champion for one in found]
        yield rate_figure(f"{key}.champion", f"{rule}: wrong champion", champions)
        firsts = [one.wrong_first for one in found if one.wrong_first is not None]
        if firsts:
            yield rate_figure(f"{key}.first", f"{rule}: first is not the best of the final", firsts)
        yield from _of_final(key, rule, found)


def _of_final(key: str, rule: str, found: Sequence[Outcome]) -> Iterator[Figure]:
    """Yield what is claimed of scores and verdicts, where the rule has them."""
    tables = [_mean(one.wrong) for one in found if one.wrong]
    if tables:
        label = f"{rule}: a table with a wrong order"
        yield mean_figure(f"{key}.wrong", label, tables, (0.0, MOST_WRONG))
    known = [one.covered for one in found if one.covered is not None]
    if known:
        for place, kind in enumerate(("scores", "differences")):
            shares = [each[place] for each in known]
            yield mean_figure(f"{key}.final.{kind}", f"{rule}: final, {kind}", shares, BOUNDS)
    errors = [one.bias for one in found if one.bias is not None]
    if errors:
        label = f"{rule}: bias of who led before, points"
        bias = mean_figure(f"{key}.bias", label, errors, (-_MOST_BIAS, _MOST_BIAS))
        yield replace(bias, percent=False)


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)
