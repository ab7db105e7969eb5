"""Puts verdicts into words, so that the terminal and the pages say the same about the same look.

It must not decide anything: `verdicts` does. The caller gives names that are ready for its medium.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import pairwise

from arena.standings.verdicts import Look, Pair, Verdict
from arena.translating import N_, _, decimals, ngettext

ABOUT_FORM = N_(
    "Ranks and the ± allow for it, and more cycles make them surer. Form that lasts over several cycles they "
    "do not see: find out whether a bot learns, or whether the machine was busy."
)
"""What to do where `form` says that form varies."""

ABOUT_SURE = N_(
    '"Surely" means: the chance that any bot is ever wrongly called better than another is about 5 %% for '
    "the whole season, over all pairs of bots and however often you look."
)
"""What "surely" means wherever verdicts of a closed season say it."""

SESSION = N_("the same deals, played in several seat orders: each bot holds each hand equally often")
CYCLE = N_("the whole schedule once")
STRETCH = N_("cycles that were planned together; all their deals follow from one secret")
"""What the words mean, for who has not read the documents."""

ABOUT_GROUPS = N_(
    "Within a group nobody is surely ahead of anybody. Each group begins with a bot that somebody of the "
    "group before is surely ahead of; others on both sides of the border may be equally strong."
)
"""What groups of bots mean, see `groups`."""

_MOST_NAMED = 3
_FIRST = N_("1st")
_ORDINALS = {1: N_("%(num)sst"), 2: N_("%(num)snd"), 3: N_("%(num)srd")}
_OTHER_ORDINAL = N_("%(num)sth")


def about_interval(sign: str = "±") -> str:
    """Return what the ± of a score means, in two sentences. `sign`: how it is written there."""
    return _(
        "%(sign)s is the luck that may be left in a score: in 95 of 100 leagues, the score that endless play "
        "would give lies within it. Read it once, when the league is over.",
        sign=sign,
    )


def still_in(bots: Iterable[str], out: Collection[str], names: Mapping[str, str]) -> str:
    """Return how many bots are still in the field, in one sentence; empty if all are.

    `bots`: all that are or were in it; `out`: those who were excluded.
    """
    all_ = list(bots)
    gone = [bot for bot in all_ if bot in out]
    if not gone:
        return ""
    told = ngettext(
        "%(bots)s was excluded",
        "%(bots)s were excluded",
        len(gone), bots=_shortened([names[bot] for bot in gone]),
    )  # fmt: skip
    left, places = len(all_) - len(gone), {"all": decimals(f"{len(all_):,}"), "told": told}
    if not left:
        return _("None of %(all)s bots is still in: %(told)s.", **places)
    if left <= len(gone):
        return ngettext(
            "Only %(num)s of %(all)s bots is still in: %(told)s.",
            "Only %(num)s of %(all)s bots are still in: %(told)s.",
            left, **places,
        )  # fmt: skip
    return ngettext(
        "%(num)s of %(all)s bots is still in: %(told)s.",
        "%(num)s of %(all)s bots are still in: %(told)s.",
        left, **places,
    )  # fmt: skip


def first_place(seen: Look, names: Mapping[str, str], margin: float, some_out: bool = False) -> str:
    """Return what may be said of the first place, in one sentence. `names`: by bot id.

    `some_out`: whether bots were taken out. Then nothing is said of the first place among all.
    """
    leader, *others = seen.bots
    apart = _from_leader(seen, Verdict.OPEN)
    level = _from_leader(seen, Verdict.LEVEL)
    name = names[leader]
    if not apart and not level:
        if some_out:
            return _("%(bot)s is surely ahead of every other bot that is still in.", bot=name)
        return _("%(bot)s is surely ahead of every other bot.", bot=name)
    if not apart:
        return _(
            "%(bot)s is level with %(others)s: the difference is surely within %(points)s.",
            bot=name, others=_listed(level, names), points=points(margin),
        )  # fmt: skip
    if len(apart) == len(others) > 1:
        return _nobody(name, some_out)
    return _("%(bot)s cannot be told apart from %(others)s yet.", bot=name, others=_listed(apart, names))


def _nobody(leader: str, some_out: bool) -> str:
    if some_out:
        return _(
            "Nobody is surely first: %(bot)s cannot yet be told apart from any other bot that is still in.",
            bot=leader,
        )
    return _("Nobody is surely first: %(bot)s cannot yet be told apart from any other bot.", bot=leader)


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
        said = _each_ahead(some_out, points(margin) if some_level else "")
        # Whoever comes to an open field may open any pair again, so that look is never settled.
        return _("Settled: %(said)s.", said=said) if seen.settled else f"{said[:1].upper()}{said[1:]}."
    if pairs == 1:
        return _("The only pair is undecided.")
    return ngettext(
        "%(num)s of %(pairs)s pairs of neighbours is undecided.",
        "%(num)s of %(pairs)s pairs of neighbours are undecided.",
        still, pairs=decimals(f"{pairs:,}"),
    )  # fmt: skip


def _each_ahead(some_out: bool, margin: str) -> str:
    """Return that the order is sure. `margin`: in words, empty if no neighbours are level."""
    if margin and some_out:
        return _(
            "each bot that is still in is surely ahead of the next, or level with it (within %(points)s)",
            points=margin,
        )
    if margin:
        return _("each bot is surely ahead of the next, or level with it (within %(points)s)", points=margin)
    if some_out:
        return _("each bot that is still in is surely ahead of the next")
    return _("each bot is surely ahead of the next")


def basis(seen: Look) -> str:
    """Return what the verdicts are based on."""
    sessions = decimals(f"{seen.sessions - seen.earlier:,}")
    cycles = ngettext("%(num)s complete cycle", "%(num)s complete cycles", seen.cycles)
    if not seen.earlier:
        return _("%(sessions)s sessions in %(cycles)s", sessions=sessions, cycles=cycles)
    return _(
        "%(sessions)s sessions in %(cycles)s and %(earlier)s of earlier stages",
        sessions=sessions, cycles=cycles, earlier=decimals(f"{seen.earlier:,}"),
    )  # fmt: skip


def form(varying: Mapping[str, float], names: Mapping[str, str]) -> str:
    """Return whose form varies from cycle to cycle, in one sentence; empty if nobody's is seen to.

    `varying`: see `Fit.varying`. It is a remark and no alarm: ± and verdicts allow for it.
    """
    if not varying:
        return ""
    shown = [
        _("%(bot)s by about %(points)s points", bot=names[bot], points=decimals(f"{varying[bot]:.1f}"))
        for bot in list(varying)[:_MOST_NAMED]
    ]
    more = len(varying) - len(shown)
    others = [ngettext("%(num)s other", "%(num)s others", more)] if more else []
    return _(
        "Form varies from cycle to cycle: %(whose)s (standard deviation), beyond the luck of the cards.",
        whose=listed([*shown, *others]),
    )


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
        return _("not within reach; raise margin or accept a shared rank")
    rounded = max(1, two_digits(count))
    return ngettext("about %(num)s more session", "about %(num)s more sessions", rounded)


def place_text(ranks: tuple[int, int], ranked: int) -> str:
    """Return the possible ranks in words: "surely 1st of 6", "surely between 2nd and 4th of 6"."""
    (low, high), all_ = map(ordinal, ranks), decimals(f"{ranked:,}")
    if low == high:
        return _("surely %(place)s of %(all)s", place=low, all=all_)
    return _("surely between %(low)s and %(high)s of %(all)s", low=low, high=high, all=all_)


def ordinal(value: int) -> str:
    """Return a place or rank: 1st, 2nd, 3rd, 4th, 11th, 21st."""
    if value == 1:
        return _(_FIRST)  # other languages treat it otherwise than the 21st
    teens = 10 < value % 100 < 20
    return _(_OTHER_ORDINAL if teens else _ORDINALS.get(value % 10, _OTHER_ORDINAL), num=value)


def rank_text(ranks: tuple[int, int], dash: str = "-") -> str:
    """Return a rank interval: "2" or "2-4"."""
    low, high = ranks
    return str(low) if low == high else f"{low}{dash}{high}"


def letters_text(own: Sequence[str]) -> str:
    """Return the letters of a bot: "ab", or "z,aa" where one of them has two signs."""
    return ("" if all(len(letter) == 1 for letter in own) else ",").join(own)


def within(margin: float) -> str:
    """Return the margin as a phrase: "within 2 points"."""
    return _("within %(points)s", points=points(margin))


def points(number: float) -> str:
    """Return points as a league file has them: "1 point", "0.5 points"."""
    # In English 0.5 and 1.5 are many points, in French they are not: 0 is many or not in the same way.
    grammatical = int(number) if number == 1 or number >= 2 else 0
    return ngettext("%(num)s point", "%(num)s points", grammatical, num=decimals(f"{number:zg}"))


def two_digits(count: int) -> int:
    """Return a number that is rounded up to two digits: 1,300 for 1,234."""
    step: int = 10 ** max(0, len(str(count)) - 2)
    return -(-count // step) * step


def _from_leader(seen: Look, verdict: Verdict) -> list[str]:
    """Return the bots that the leader has this verdict on, in order."""
    return [pair.worse for pair in seen.pairs if pair.better == seen.bots[0] and pair.verdict is verdict]


def _listed(bots: Sequence[str], names: Mapping[str, str]) -> str:
    """Return names for a sentence: up to four, or three and the number of others."""
    return _shortened([names[bot] for bot in bots])


def _shortened(names: Sequence[str]) -> str:
    more = len(names) - _MOST_NAMED
    if more <= 1:
        return listed(names)
    return listed([*names[:_MOST_NAMED], ngettext("%(num)s other", "%(num)s others", more)])


def listed(parts: Sequence[str]) -> str:
    """Return the parts as a list in a sentence: "a, b and c"; empty if there are none."""
    if len(parts) < 2:
        return "".join(parts)
    return _("%(first)s and %(last)s", first=", ".join(parts[:-1]), last=parts[-1])


def clauses(parts: Iterable[str]) -> str:
    """Return clauses beside one another: "a was b; c was d"."""
    return _("; ").join(parts)
