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
        sessions = f"{gap.sessions:,} session{'' if gap.sessions == 1 else 's'}"
        lines.append(
            f"no answer yet: {known[gap.first]} is {abs(gap.difference):.1f} {word} than "
            f"{known[gap.second]} after {sessions}, of {MIN_SESSIONS} that a first answer takes"
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
    """The difference without its sign, and its interval seen from there; two digits if they tell anything."""
    digits = 2 if one.high - one.low < 2 else 1
    sign = 1.0 if one.difference >= 0 else -1.0
    low, high = sorted((sign * one.low, sign * one.high))
    return f"{abs(one.difference):.{digits}f}", f"{low:.{digits}f} to {high:.{digits}f}"


def expected(sessions: int | None, rounds: int) -> str:
    """How many more sessions an open pair is expected to need, and how many rounds that is."""
    if sessions is None:
        return "no end can be foreseen"
    few = more_sessions(sessions)
    return f"{few} ({_two_digits(sessions * rounds):,} rounds) expected"


def points(number: float) -> str:
    """Points as a league file has them: "1 point", "0.5 points"."""
    return f"{number:g} point{'' if number == 1 else 's'}"


def _two_digits(count: int) -> int:
    """Rounded up to two digits."""
    step: int = 10 ** max(0, len(str(count)) - 2)
    return -(-count // step) * step
