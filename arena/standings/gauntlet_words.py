"""Puts a gauntlet's answer into words, so that progress and result say the same.

It must not decide anything: `gauntlet_answer` does. The caller gives names that are ready for its medium.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from arena.standings.gauntlet_answer import OPPONENTS, Answer, Comparison, Gap, Outcome
from arena.standings.verdicts import MIN_SESSIONS, NoLook
from arena.standings.words import more_sessions, points, two_digits, within

__all__ = ["expected", "told", "told_early"]

_THE_OPPONENTS = "its opponents"


def told(answer: Answer, names: Mapping[str, str], rounds: int) -> Sequence[str]:
    """Return a line for each two candidates. `rounds`: of a session."""
    known = {**names, OPPONENTS: _THE_OPPONENTS}
    return [_told(one, answer, known, rounds) for one in answer.comparisons]


def told_early(gaps: Sequence[Gap], early: NoLook, names: Mapping[str, str]) -> Sequence[str]:
    """Return a line for each two candidates, or one line without names, while nothing may be claimed."""
    known = {**names, OPPONENTS: _THE_OPPONENTS}
    if not gaps or gaps[0].sessions >= MIN_SESSIONS:
        return [f"no answer yet: {early.reason}"]
    lines = []
    for gap in gaps:
        word = "better" if gap.difference >= 0 else "worse"
        lines.append(
            f"no answer yet: {known[gap.first]} is {abs(gap.difference):.1f} {word} than "
            f"{known[gap.second]} after {gap.sessions:,} of the {MIN_SESSIONS} sessions that a first answer "
            "needs"
        )
    return lines


def _told(one: Comparison, answer: Answer, names: Mapping[str, str], rounds: int) -> str:
    first, second = names[one.first], names[one.second]
    played = f"{answer.sessions:,} sessions ({answer.sessions * rounds:,} rounds)"
    by, interval = _measured(one)
    if one.outcome is Outcome.OPEN:
        return (
            f"undecided after {played}: {first} is {by} {_word(one)} than {second} so far ({interval}); "
            f"{expected(one.more_sessions, rounds)}"
        )
    if one.outcome is Outcome.LEVEL:
        said = f"no difference between {first} and {second} larger than {points(answer.margin)} a round"
        return f"{said} ({first} {by} {_word(one)}, {interval}): settled after {played}"
    small = max(abs(one.low), abs(one.high)) <= answer.margin
    surely = f", surely {within(answer.margin)}" if small else ""
    said = f"{first} is {_word(one)} than {second} by {by} points a round ({interval})"
    return f"{said}{surely}: settled after {played}"


def _word(one: Comparison) -> str:
    return "better" if one.difference >= 0 else "worse"


def _measured(one: Comparison) -> tuple[str, str]:
    """Return the difference without its sign, and its interval with the same sign changed.

    Two digits are shown if they tell anything.
    """
    digits = 2 if one.high - one.low < 2 else 1
    sign = 1.0 if one.difference >= 0 else -1.0
    low, high = sorted((sign * one.low, sign * one.high))
    return f"{abs(one.difference):.{digits}f}", f"{low:z.{digits}f} to {high:z.{digits}f}"


def expected(sessions: int | None, rounds: int) -> str:
    """Return how many more sessions an open pair is expected to need, and how many rounds that is."""
    said = more_sessions(sessions)
    return said if sessions is None else f"{said} ({two_digits(sessions * rounds):,} rounds) expected"
