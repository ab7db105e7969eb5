"""Decides who goes on after a stage, from the standings and verdicts at its end.

`keep = 12` goes by rank, `keep = "contenders 3"` by verdicts (`contenders`). It must not compute a score, and
knows neither league files nor deals.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from arena.standings.contenders import error_of_cut, going_on
from arena.standings.results import SessionResult
from arena.standings.scoring import Scoring
from arena.standings.table import Standing
from arena.standings.verdicts import NoLook

__all__ = ["Cut", "Keep", "cut"]

_CONTENDERS = "contenders "


@dataclass(frozen=True, slots=True)
class Keep:
    """The rule by which bots go on.

    `rule`: how many by rank, or "contenders k". `at_most`: the most that go on, None for no limit. `cuts`:
    how many stages of the league end with a rule by contenders: these share the error.
    """

    rule: int | str
    at_most: int | None
    cuts: int

    @property
    def contenders(self) -> int | None:
        """Return k of "contenders k", None for a rule by rank."""
        return None if isinstance(self.rule, int) else int(self.rule.removeprefix(_CONTENDERS))

    @property
    def words(self) -> str:
        """Return who goes on, for people."""
        if self.contenders is None:
            words = f"the first {self.rule} go on"
        else:
            words = (
                "all go on but those who have a surely better one before them"
                if self.contenders == 1
                else f"all go on but those who have {self.contenders:,} surely better ones before them"
            )
        if self.at_most is None:
            return words
        return f"{words}, at most {self.at_most}"

    def error(self, entrants: int) -> float | None:
        """Return the error of a pair in the look that decides, None for a rule by rank."""
        return None if self.contenders is None else error_of_cut(self.contenders, entrants, self.cuts)


@dataclass(frozen=True, slots=True)
class Cut:
    """Who goes on and who does not, each best first.

    `drawn`: those who shared the last place, among whom lots decided; empty if no lots were needed.
    `limited`: whether `at_most` took out bots that the rule would have kept. `no_look`: why nobody could be
    compared, so that nobody was cut; else empty.
    """

    going_on: tuple[str, ...]
    leaving: tuple[str, ...]
    drawn: tuple[str, ...] = ()
    limited: bool = False
    no_look: str = ""


def cut(
    scoring: Scoring, results: Sequence[SessionResult], keep: Keep, shuffled: Callable[[list[str]], list[str]]
) -> Cut:
    """Decide who goes on. `results`: the sessions that count. `shuffled` draws lots, best first.

    Disqualified bots and house bots never go on. By rank all go on who share the rank of the last one, unless
    `at_most` is less; then lots decide among those. By contenders a bot leaves behind whom so many are surely
    better, at least as many as a table has seats stay, and without verdicts all stay.
    """
    table = scoring.standings(results)
    ranked = [row for row in table.rows if not row.disqualified]
    staying, no_look = _staying(scoring, results, keep, ranked)
    kept, drawn = _limited([row for row in ranked if row.bot in staying], keep.at_most, shuffled)
    leaving = tuple(row.bot for row in ranked if row.bot not in kept)
    return Cut(
        going_on=tuple(row.bot for row in ranked if row.bot in kept),
        leaving=leaving,
        drawn=drawn,
        limited=len(kept) < len(staying),
        no_look=no_look,
    )


def _staying(
    scoring: Scoring, results: Sequence[SessionResult], keep: Keep, ranked: Sequence[Standing]
) -> tuple[frozenset[str], str]:
    """Return who goes on by the rule alone, and why nobody could be compared."""
    if isinstance(keep.rule, int):
        most = keep.rule
        return frozenset(row.bot for row in ranked if row.rank is not None and row.rank <= most), ""
    assert keep.contenders is not None, "a rule that is no number is by contenders"
    error = keep.error(max(2, len(scoring.entrants)))
    assert error is not None, "a rule by contenders has an error"
    seen = scoring.look_at(results, error)
    staying = going_on(seen, tuple(row.bot for row in ranked), keep.contenders, scoring.seats)
    return frozenset(staying), seen.reason if isinstance(seen, NoLook) else ""


def _limited(
    staying: Sequence[Standing], at_most: int | None, shuffled: Callable[[list[str]], list[str]]
) -> tuple[frozenset[str], tuple[str, ...]]:
    """Return the first `at_most`, and those among whom lots decided because they share the last rank."""
    if at_most is None or len(staying) <= at_most:
        return frozenset(row.bot for row in staying), ()
    last = staying[at_most - 1].rank
    surely = [row.bot for row in staying if row.rank is not None and (last is None or row.rank < last)]
    equal = [row.bot for row in staying if row.rank == last]
    free = at_most - len(surely)
    if len(equal) == free:
        return frozenset([*surely, *equal]), ()
    return frozenset([*surely, *shuffled(equal)[:free]]), tuple(equal)
