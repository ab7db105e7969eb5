"""Studies: what does somebody gain who enters one program again and again, or retires helpers as it suits?

In both, all programs are equally good, so every gain is luck that was chosen.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from typing import Self

from arena.proof.changing import Entries, OpenSeason, Version
from arena.proof.figure import Figure, mean_figure, rate_figure
from arena.proof.ladder import MOST_WRONG, wrong_order
from arena.proof.study import Leagues
from arena.proof.world import stream
from arena.standings import Look, Verdict
from arena.standings.open_field import OpenFit, open_fit
from arena.standings.open_look import open_judged

__all__ = ["Helpers", "Resubmitting"]

_BOTS = 12
_SEATS = 4
_MARGIN = 2.0


@dataclass(frozen=True, slots=True)
class Resubmitting:
    """Twelve equal programs; the author of one enters it again before each stretch in which it is not first.

    A stretch has `cycles` balanced cycles, and there are as many as `tries`.
    """

    tries: int
    cycles: int
    leagues: int

    @property
    def name(self) -> str:
        """Return the beginning of its figures' keys."""
        return "resubmitting"

    @property
    def title(self) -> str:
        """Return the title of the study."""
        return f"One program entered again and again: {_BOTS} equal bots, {self.tries} tries"

    def sample(self, seed: int, number: int) -> tuple[bool, bool, float]:
        """Simulate a season.

        Return whether the author's program was ever first by score after a stretch, whether it was ever
        surely ahead of another bot, and the share of the tables with any pair in a wrong order.
        """
        dice = stream(seed, self.name, number)
        versions = [Version(bot, 1, 0.0, bot) for bot in range(_BOTS)]
        versions += [Version(0, again, 0.0, 0) for again in range(2, self.tries + 1)]
        entries = Entries.of(dice, versions, _SEATS)
        season = OpenSeason(entries, f"{seed}|{self.name}|{number}", dice)
        own, next_one = 0, _BOTS
        first = lucky = False
        wrong: list[bool] = []
        for _ in range(self.tries):
            present = sorted([own, *range(1, _BOTS)])
            names, found = [versions[i].name for i in present], None
            for cycles in season.stretch(present, self.cycles):
                found = open_fit(season.results, names, _SEATS)
                table = open_judged(cycles, found, names, _MARGIN) if cycles >= 3 else None
                if isinstance(table, Look):
                    ahead = {pair.better for pair in table.pairs if pair.verdict is Verdict.AHEAD}
                    lucky = lucky or versions[own].name in ahead
                    wrong.append(bool(ahead))
            if found is not None and _is_first(found, versions[own].name):
                first = True
            elif next_one < len(versions):
                own, next_one = next_one, next_one + 1
        return first, lucky, sum(wrong) / max(1, len(wrong))

    def resized(self, leagues: int) -> Self:
        """See `Study`."""
        return replace(self, leagues=leagues)

    def figures(self, seed: int, leagues: Leagues) -> Iterator[Figure]:
        """Yield how often the author was first by score, and how often that was called sure."""
        samples = leagues.samples(partial(self.sample, seed), self.leagues)
        yield rate_figure(f"{self.name}.first", "ever first by score", [first for first, _, _ in samples])
        sure = [lucky for _, lucky, _ in samples]
        yield rate_figure(f"{self.name}.sure", "ever surely ahead of anybody", sure, MOST_WRONG)
        tables = [share for _, _, share in samples]
        label = "a table with a wrong order"
        yield mean_figure(f"{self.name}.wrong", label, tables, (0.0, MOST_WRONG))


def _is_first(found: OpenFit, name: str) -> bool:
    return name in found.bots and min(found.bots, key=lambda entry: found.scores[entry]) == name


@dataclass(frozen=True, slots=True)
class Helpers:
    """Twelve equal programs after `cycles` cycles; the owner of the first retires some of its `helpers`.

    Of all subsets it chooses the one after which its program has the best score, against the bots that do
    not belong to it.
    """

    helpers: int
    cycles: int
    leagues: int

    @property
    def name(self) -> str:
        """Return the beginning of its figures' keys."""
        return f"helpers.{self.helpers}"

    @property
    def title(self) -> str:
        """Return the title of the study."""
        return f"Helpers retired as it suits: {_BOTS} equal bots, {self.helpers} of them helpers"

    def sample(self, seed: int, number: int) -> tuple[float, bool]:
        """Simulate a season.

        Return the points gained, and whether any choice gave a table with a wrong order.
        """
        dice = stream(seed, self.name, number)
        versions = [Version(bot, 1, 0.0, bot) for bot in range(_BOTS)]
        entries = Entries.of(dice, versions, _SEATS)
        season = OpenSeason(entries, f"{seed}|{self.name}|{number}", dice)
        for _ in season.stretch(range(_BOTS), self.cycles):
            pass
        names = [version.name for version in versions]
        rivals = names[1 + self.helpers :]
        scores, sure = [], False
        for size in range(self.helpers + 1):
            for retired in combinations(names[1 : 1 + self.helpers], size):
                field = [name for name in names if name not in retired]
                found = open_fit(season.results, field, _SEATS)
                truth = entries.truth([i for i, name in enumerate(names) if name in field])
                scores.append(_against(found.scores, names[0], rivals) - _against(truth, names[0], rivals))
                table = open_judged(self.cycles, found, field, _MARGIN)
                if isinstance(table, Look):
                    sure = sure or wrong_order(table, truth)
        return scores[0] - min(scores), sure

    def resized(self, leagues: int) -> Self:
        """See `Study`."""
        return replace(self, leagues=leagues)

    def figures(self, seed: int, leagues: Leagues) -> Iterator[Figure]:
        """Yield the points gained by the choice, and how often a verdict followed from any choice."""
        samples = leagues.samples(partial(self.sample, seed), self.leagues)
        gained = mean_figure(f"{self.name}.gained", "points gained", [gain for gain, _ in samples])
        yield replace(gained, percent=False)
        sure = [sure for _, sure in samples]
        yield rate_figure(f"{self.name}.wrong", "a wrong order after any choice", sure, MOST_WRONG)


def _against(scores: Mapping[str, float], own: str, rivals: list[str]) -> float:
    """Return how far a score lies above the mean of the rivals'."""
    return scores[own] - sum(scores[rival] for rival in rivals) / len(rivals)
