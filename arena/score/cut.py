"""Decides who goes on after a stage, from the standings and verdicts at its end.

`keep = 12` goes by rank, `keep = "contenders 3"` by verdicts: a bot leaves if at least 3 bots are surely
better. If each of its N - 1 comparisons is wrong with a chance of at most 0.05 k/(N - 1), the best bot is on
average behind 0.05 k bots by mistake. So it is behind k of them with a chance of at most 5 %, by Markov's
inequality.
It must not compute a score, and knows neither league files nor deals.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from arena.score.results import SessionResult
from arena.score.scoring import Scoring
from arena.score.verdicts import ERROR_RATE, Look, NoLook, Verdict

_CONTENDERS = "contenders "


@dataclass(frozen=True, slots=True)
class Keep:
    """The rule by which bots go on.

    `rule`: how many by rank, or "contenders k". `cuts`: how many stages of the league end with a rule by
    contenders: these share the error.
    """

    rule: int | str
    cuts: int

    @property
    def contenders(self) -> int | None:
        """Return k of "contenders k", None for a rule by rank."""
        return None if isinstance(self.rule, int) else int(self.rule.removeprefix(_CONTENDERS))

    @property
    def words(self) -> str:
        """Return who goes on, for people."""
        if self.contenders is None:
            return f"the first {self.rule} go on"
        if self.contenders == 1:
            return "all go on but those who have a surely better one before them"
        return f"all go on but those who have {self.contenders:,} surely better ones before them"

    def error(self, entrants: int) -> float | None:
        """Return the error of a pair in the look that decides, None for a rule by rank.

        `entrants`: the ranked bots when the stage began.
        """
        if self.contenders is None:
            return None
        return min(ERROR_RATE, ERROR_RATE * self.contenders / (max(2, entrants) - 1)) / self.cuts


@dataclass(frozen=True, slots=True)
class Cut:
    """Who goes on and who does not, each best first.

    `no_look`: why nobody could be compared, so that nobody was cut; else empty.
    """

    going_on: tuple[str, ...]
    leaving: tuple[str, ...]
    no_look: str = ""


def cut(scoring: Scoring, results: Sequence[SessionResult], keep: Keep) -> Cut:
    """Decide who goes on. `results`: the sessions that count.

    Disqualified bots and house bots never go on. By rank all go on who share the rank of the last one. By
    contenders a bot leaves behind whom so many are surely better, at least as many as a table has seats stay,
    and without verdicts all stay.
    """
    ranked = [row for row in scoring.standings(results).rows if not row.disqualified]
    contenders, error, no_look = keep.contenders, keep.error(len(scoring.entrants)), ""
    if isinstance(keep.rule, int):
        most = keep.rule
        staying = tuple(row.bot for row in ranked if row.rank is not None and row.rank <= most)
    else:
        assert contenders is not None, "a rule that is no number is by contenders"
        assert error is not None, "a rule by contenders has an error"
        seen = scoring.look_at(results, error)
        no_look = seen.reason if isinstance(seen, NoLook) else ""
        staying = going_on(seen, tuple(row.bot for row in ranked), contenders, scoring.seats)
    return Cut(
        going_on=tuple(row.bot for row in ranked if row.bot in staying),
        leaving=tuple(row.bot for row in ranked if row.bot not in staying),
        no_look=no_look,
    )


def going_on(seen: Look | NoLook, ranked: tuple[str, ...], contenders: int, seats: int) -> tuple[str, ...]:
    """Return the bots of `ranked` that go on, in its order.

    `seen`: the look at the error of `Keep.error`. A bot that was not compared goes on, and so do all
    without a look. At least as many as `seats` go on, those who are behind the fewest others first; of
    equals, the one with the better score.
    """
    if isinstance(seen, NoLook):
        return ranked
    better = Counter(pair.worse for pair in seen.pairs if pair.verdict is Verdict.AHEAD)
    places = {bot: place for place, bot in enumerate(seen.bots)}
    staying = {bot for bot in ranked if better[bot] < contenders}
    leaving = sorted(set(ranked) - staying, key=lambda bot: (better[bot], places[bot]))
    staying.update(leaving[: max(0, seats - len(staying))])
    return tuple(bot for bot in ranked if bot in staying)
