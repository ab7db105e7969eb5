"""Puts verdicts and a gauntlet's answer into words, so that the terminal and the pages say the same.

It must not decide anything: `verdicts` and `paired` do. The caller gives names that are ready for its medium.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import pairwise

from arena.score.fit import Fit
from arena.score.paired import OPPONENTS, Answer, Measured, Outcome
from arena.score.verdicts import Look, NoLook, Pair, Verdict
from arena.wording import counted, listed, ordinal

ABOUT_FORM = (
    "Ranks and the ± allow for it, and more cycles make them surer. Find out whether a bot learns, or "
    "whether the machine was busy."
)
"""What to do where `form` says that form varies."""

ABOUT_SURE = (
    '"Surely" means: the chance that any bot is ever wrongly called better than another is at most '
    "about 5 % for the whole season, over all pairs of bots and however often you look."
)
"""What "surely" means wherever verdicts of a closed season say it."""

SESSION = "the same deals, played in several seat orders: each bot holds each hand equally often"
CYCLE = "the whole schedule once"
PHASE = "cycles that were planned together; all their deals follow from one secret"
"""What the words mean, for who has not read the documents."""

ABOUT_GROUPS = (
    "Within a group nobody is surely ahead of anybody. Each group begins with a bot that somebody "
    "of the group before is surely ahead of; others on both sides of the border may be equally "
    "strong."
)
"""What groups of bots mean, see `Look.groups`."""

_MOST_NAMED = 3


def about_interval(sign: str = "±") -> str:
    """Return what the ± of a score means, in two sentences. `sign`: how it is written there."""
    return (
        f"{sign} is the luck that may be left in one score: about one score in 20 lies further from the "
        "one that endless play would give. To compare two bots, see their ranks."
    )


def still_in(bots: Iterable[str], out: Collection[str], names: Mapping[str, str]) -> str:
    """Return how many bots are still in the field, in one sentence; empty if all are.

    `bots`: all that are or were in it; `out`: those who were excluded.
    """
    all_ = list(bots)
    gone = [bot for bot in all_ if bot in out]
    if not gone:
        return ""
    left, were = len(all_) - len(gone), "was" if len(gone) == 1 else "were"
    told = f"{_listed(gone, names)} {were} excluded"
    number = "None" if not left else f"Only {left:,}" if left <= len(gone) else f"{left:,}"
    are = "is" if left < 2 else "are"
    return f"{number} of {len(all_):,} bots {are} still in: {told}."


def first_place(seen: Look, names: Mapping[str, str], margin: float, some_out: bool = False) -> str:
    """Return what may be said of the first place, in one sentence. `names`: by bot id.

    `some_out`: whether bots were taken out. Then nothing is said of the first place among all.
    """
    leader, *others = seen.bots
    apart, level = _from_leader(seen, Verdict.OPEN), _from_leader(seen, Verdict.LEVEL)
    name, other = names[leader], f"other bot{_still_in(some_out)}"
    if not apart and not level:
        return f"{name} is surely ahead of every {other}."
    if not apart:
        return (
            f"{name} is level with {_listed(level, names)}: the difference is surely within {points(margin)}."
        )
    if len(apart) == len(others) > 1:
        return f"Nobody is surely first: {name} cannot yet be told apart from any {other}."
    return f"{name} cannot be told apart from {_listed(apart, names)} yet."


def _still_in(some_out: bool) -> str:
    return " that is still in" if some_out else ""


def decided(seen: Look, margin: float, some_out: bool = False) -> str:
    """Return how much of the order is sure, in one sentence on the pairs of neighbours.

    `some_out`: as for `first_place`.
    """
    pairs, still = len(seen.bots) - 1, len(seen.open_neighbours)
    if not still:
        neighbours = set(pairwise(seen.bots))
        some_level = any(
            (pair.better, pair.worse) in neighbours and pair.verdict is Verdict.LEVEL for pair in seen.pairs
        )
        level = f", or level with it ({within(margin)})" if some_level else ""
        said = f"each bot{_still_in(some_out)} is surely ahead of the next{level}"
        # Whoever comes to an open field may open any pair again, so that look is never settled.
        return f"Settled: {said}." if seen.settled else f"{said[:1].upper()}{said[1:]}."
    if pairs == 1:
        return "The only pair is undecided."
    return f"{still:,} of {pairs:,} pairs of neighbours {'is' if still == 1 else 'are'} undecided."


def basis(seen: Look) -> str:
    """Return what the verdicts are based on."""
    return f"{seen.sessions:,} sessions in {counted(seen.cycles, 'complete cycle')}"


def form(varying: Mapping[str, float], names: Mapping[str, str]) -> str:
    """Return whose form varies from cycle to cycle, in one sentence; empty if nobody's is seen to.

    `varying`: see `Fit.varying`. It is a remark and no alarm: ± and verdicts allow for it.
    """
    if not varying:
        return ""
    shown = [f"{names[bot]} by about {varying[bot]:.1f} points" for bot in list(varying)[:_MOST_NAMED]]
    more = len(varying) - len(shown)
    others = [counted(more, "other")] if more else []
    return (
        f"Form varies from cycle to cycle: {listed([*shown, *others])} (standard deviation), beyond "
        "the luck of the cards."
    )


def lasting(result: Fit) -> str:
    """Return that form lasts, in one sentence; empty where it is not seen to."""
    if not result.form_lasts:
        return ""
    return (
        "Form lasts over several cycles: who is ahead now may be behind later, so verdicts are careful and "
        "may lapse."
    )


def measured_against(result: Fit, names: Mapping[str, str]) -> str:
    """Return whom scores are measured against, in one sentence, where the field has changed; else empty."""
    counted = result.counted
    gone, new = counted.departed, [bot for bot in counted.present if bot not in counted.measured]
    if not result.comparable or not (gone or new):
        return ""
    said = f"Scores are measured against the {len(counted.measured):,} bots that are in"
    if new:
        have = "has" if len(new) == 1 else "have"
        said += f"; {_listed(new, names)} {have} too few sessions to count in that"
    if gone:
        said += f"; {_listed(gone, names)} left{_moved(result)}"
    return f"{said}."


def _moved(result: Fit) -> str:
    """Return how scores moved when bots left, as the end of a sentence; empty if they did not noticeably."""
    way, further = "higher" if result.shift > 0 else "lower", f"{100 * (result.stretch - 1):.0f} %"
    parts = [f"each score about {abs(result.shift):.2f} points {way}"] if abs(result.shift) >= 0.005 else []
    parts += [f"differences {further} larger"] if further != "0 %" else []
    return f", which makes {' and '.join(parts)}" if parts else ""


def outcome(seen: Look) -> str:
    """Return the result of a league that has ended here: "settled", or which pairs are still open.

    It is stored, and so always in English.
    """
    still = seen.open_neighbours
    if not still:
        return "settled"
    pairs = "pair" if len(still) == 1 else "pairs"
    return f"budget reached: {len(still)} neighbouring {pairs} open: {'; '.join(map(_needs, still))}"


def _needs(pair: Pair) -> str:
    return f"{pair.better} and {pair.worse} ({more_sessions(pair.more_sessions)})"


def more_sessions(count: int | None) -> str:
    """Return how many sessions an open pair needs, rounded up to two digits: "about 1,300 more sessions".

    Where there is no number (`Pair.more_sessions`), say what the organiser can do instead.
    """
    if count is None:
        return "not within reach; raise margin or accept a shared rank"
    rounded = max(1, two_digits(count))
    return f"about {counted(rounded, 'more session')}"


def place_text(ranks: tuple[int, int], ranked: int) -> str:
    """Return the possible ranks in words: "surely 1st of 6", "surely between 2nd and 4th of 6"."""
    (low, high), all_ = map(ordinal, ranks), f"{ranked:,}"
    if low == high:
        return f"surely {low} of {all_}"
    return f"surely between {low} and {high} of {all_}"


def rank_text(ranks: tuple[int, int], dash: str = "-") -> str:
    """Return a rank interval: "2" or "2-4"."""
    low, high = ranks
    return str(low) if low == high else f"{low}{dash}{high}"


def letters_text(own: Sequence[str]) -> str:
    """Return the letters of a bot: "ab", or "z,aa" where one of them has two signs."""
    return ("" if all(len(letter) == 1 for letter in own) else ",").join(own)


def within(margin: float) -> str:
    """Return the margin as a phrase: "within 2 points"."""
    return f"within {points(margin)}"


def points(number: float) -> str:
    """Return points as a league file has them: "1 point", "0.5 points"."""
    return f"{number:zg} {'point' if number == 1 else 'points'}"


def not_counted(counting: int, complete: int) -> str:
    """Return how many of the complete sessions count, and why the others do not; empty if all do."""
    if counting == complete:
        return ""
    return (
        f"{counting:,} of {counted(complete, 'complete session')} count: in the others a bot has played too "
        "little to be compared, or several have left a very large field."
    )


def two_digits(count: int) -> int:
    """Return a number that is rounded up to two digits: 1,300 for 1,234."""
    step: int = 10 ** max(0, len(str(count)) - 2)
    return -(-count // step) * step


def _from_leader(seen: Look, verdict: Verdict) -> list[str]:
    """Return the bots that the leader has this verdict on, in order."""
    return [pair.worse for pair in seen.pairs if pair.better == seen.bots[0] and pair.verdict is verdict]


def _listed(bots: Sequence[str], names: Mapping[str, str]) -> str:
    """Return names for a sentence: up to four, or three and the number of others."""
    more = len(bots) - _MOST_NAMED
    if more <= 1:
        return listed([names[bot] for bot in bots])
    return listed([*(names[bot] for bot in bots[:_MOST_NAMED]), counted(more, "other")])


# A gauntlet


def answer_text(answer: Answer | NoLook, names: Mapping[str, str], rounds: int) -> Sequence[str]:
    """Return a line for each two candidates, or why there is no answer yet. `rounds`: of a session."""
    if isinstance(answer, NoLook):
        return [f"no answer yet: {answer.reason}"]
    known = {**names, OPPONENTS: "its opponents"}
    return [_answer_text(one, answer, known, rounds) for one in answer.comparisons]


def _answer_text(one: Measured, answer: Answer, names: Mapping[str, str], rounds: int) -> str:
    first, second = names[one.first], names[one.second]
    played = f"{answer.sessions:,} sessions ({answer.sessions * rounds:,} rounds)"
    by, interval = _measured(one)
    if one.outcome is Outcome.OPEN:
        needs = more_sessions(one.more_sessions)
        if one.more_sessions is not None:
            needs += f" ({two_digits(one.more_sessions * rounds):,} rounds) expected"
        so_far = f"{first} is {by} {_word(one)} than {second} so far ({interval})"
        return f"undecided after {played}: {so_far}; {needs}"
    if one.outcome is Outcome.LEVEL:
        said = f"{first} is not better than {second} by {points(answer.margin)} a round"
        return f"{said}: it is {by} {_word(one)} ({interval}); settled after {played}"
    said = f"{first} is {_word(one)} than {second} by {by} points a round ({interval})"
    return f"{said}: settled after {played}"


def _word(one: Measured) -> str:
    return "better" if one.difference >= 0 else "worse"


def _measured(one: Measured) -> tuple[str, str]:
    """Return the difference without its sign, and its interval with the same sign changed.

    Two digits are shown if they tell anything.
    """
    digits = 2 if one.high - one.low < 2 else 1
    sign = 1.0 if one.difference >= 0 else -1.0
    low, high = sorted((sign * one.low, sign * one.high))
    return f"{abs(one.difference):.{digits}f}", f"{low:z.{digits}f} to {high:z.{digits}f}"
