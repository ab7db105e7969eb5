"""What a gauntlet answers, in words, so that progress and result say the same. It decides nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .comparison import OPPONENTS, Answer, Comparison, Gap, Outcome
from .verdicts import MIN_SESSIONS, NoLook
from .words import more_sessions, within

_THE_OPPONENTS = "its opponents"


def told(answer: Answer, names: Mapping[str, str], rounds: int) -> Sequence[str]:
    """A line for each two candidates. `rounds`: of a session."""
    known = {**names, OPPONENTS: _THE_OPPONENTS}
    return [_told(one, answer, known, rounds) for one in answer.comparisons]


def told_early(gaps: Sequence[Gap], early: NoLook, names: Mapping[str, str]) -> Sequence[str]:
    """A line for each two candidates, or one without any, as long as nothing may be claimed."""
    known = {**names, OPPONENTS: _THE_OPPONENTS}
    if not gaps or gaps[0].sessions >= MIN_SESSIONS:
        return [f"no answer yet: {early.reason}"]
    lines = []
    for gap in gaps:
        word = "better" if gap.difference >= 0 else "worse"
        by = one_digit(abs(gap.difference))
        sessions = f"{gap.sessions:,} session{'' if gap.sessions == 1 else 's'}"
        lines.append(
            f"no answer yet: {known[gap.first]} is {by} {word} than {known[gap.second]} after {sessions}, "
            f"of {MIN_SESSIONS} that a first answer takes"
        )
    return lines


def _told(one: Comparison, answer: Answer, names: Mapping[str, str], rounds: int) -> str:
    return f"{verdict(one, names, answer.margin)}: {_basis(one, answer, rounds)}"


def verdict(one: Comparison, names: Mapping[str, str], margin: float) -> str:
    """What is known of two candidates, with the interval: the part of the sentence before the colon."""
    first, second = names[one.first], names[one.second]
    if one.outcome is Outcome.LEVEL:
        return (
            f"no difference between {first} and {second} larger than {points(margin)} a round, {_so_far(one)}"
        )
    if one.outcome is Outcome.OPEN:
        return f"undecided whether {first} is better than {second}, {_so_far(one)}"
    word = "better" if one.outcome is Outcome.BETTER else "worse"
    low, high = sorted((abs(one.low), abs(one.high)))
    said = f"{first} is {word} than {second} by {one_digit(abs(one.difference))} points a round"
    small = f", surely {within(margin)}" if high <= margin else ""
    return f"{said} ({one_digit(low)} to {one_digit(high)}){small}"


def _so_far(one: Comparison) -> str:
    word = "better" if one.difference >= 0 else "worse"
    sign = 1.0 if one.difference >= 0 else -1.0
    low, high = sorted((sign * one.low, sign * one.high))
    return f"{one_digit(abs(one.difference))} {word} so far ({one_digit(low)} to {one_digit(high)})"


def _basis(one: Comparison, answer: Answer, rounds: int) -> str:
    played = f"{answer.sessions:,} sessions ({answer.sessions * rounds:,} rounds)"
    if one.outcome is not Outcome.OPEN:
        return f"settled after {played}"
    return f"{expected(one.more_sessions, rounds)} after {played}"


def expected(sessions: int | None, rounds: int) -> str:
    """How many more sessions an open pair is expected to need, and how many rounds that is."""
    if sessions is None:
        return "no end can be foreseen"
    few = more_sessions(sessions)
    return f"{few} ({_two_digits(sessions * rounds):,} rounds) expected"


def points(number: float) -> str:
    """Points as a league file has them: "1 point", "0.5 points"."""
    return f"{number:g} point{'' if number == 1 else 's'}"


def one_digit(value: float) -> str:
    """A number of points with one digit, two below 1: "12.3", "0.25"."""
    return f"{value:.2f}" if abs(value) < 1 else f"{value:.1f}"


def _two_digits(count: int) -> int:
    """Rounded up to two digits."""
    step: int = 10 ** max(0, len(str(count)) - 2)
    return -(-count // step) * step
