"""Builds what pages say of the review of a bot: findings, costs, costly decisions, luck, weaknesses.

It reads, computes and writes nothing: `BotReview` is the result, and this puts it into words and tables.
Whoever calls it says which matches and cards may be shown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from arena.review.findings import Finding, Place
from arena.review.points import Split
from arena.review.summary import BotReview, PhaseCost
from arena.review.weaknesses import Weakness
from arena.wording import counted
from reports.pages.moments import (
    PHASES,
    Known,
    MomentRow,
    PlaceLink,
    estimated,
    moment_row,
    place_link,
    plus_minus,
    round_link,
)
from reports.pages.points_tables import LedgerRow, PointsTable, ledger_rows, points_tables
from reports.text import minute, number, points

__all__ = ["ReviewPart", "review_part"]

MOST_FINDINGS, MOST_WEAKNESSES = 6, 5
"""The most that a page of a league shows. Its section may take 15 KB."""

_EXAMPLES = 3


@dataclass(frozen=True, slots=True)
class Claim:
    """Something found out: in words, how much it costs, and where it can be seen.

    `name`: of the bot that it is about, else empty; it follows the words.
    """

    words: str
    name: str
    amount: str
    details: str
    places: tuple[PlaceLink, ...]


@dataclass(frozen=True, slots=True)
class PhaseRow:
    """What the decisions of a phase cost."""

    name: str
    choices: int
    reviewed: int
    each: str
    a_round: str


@dataclass(frozen=True, slots=True)
class ReviewPart:
    """The review of a bot as it is shown. `at`: when it was made, in words.

    `about`: what was reviewed; `mistakes`: what its decisions cost a round. `more_findings`,
    `more_weaknesses`: how many are not shown. `hides_cards`: whether a costly decision is shown without its
    cards, because they may not be seen. `zero`: the place of 0 in the
    drawing of the ledger. `explained`: how much of the spread of its points was luck, in words.
    """

    name: str
    at: str
    about: str
    mistakes: str
    phases: tuple[PhaseRow, ...]
    findings: tuple[Claim, ...]
    more_findings: int
    blunders: int
    costliest: tuple[MomentRow, ...]
    hides_cards: bool
    points: tuple[PointsTable, ...]
    tricks: tuple[PointsTable, ...]
    ledger: tuple[LedgerRow, ...]
    zero: str
    ledger_rounds: int
    explained: str
    weaknesses: tuple[Claim, ...]
    more_weaknesses: int


def review_part(
    review: BotReview,
    at: int,
    names: Callable[[str], str],
    known: Known,
    turns: Mapping[Place, int] | None = None,
    whole: bool = False,
) -> ReviewPart:
    """Return what is shown of a review made at `at` (milliseconds since 1970, UTC).

    `names`: gives the name of a bot by its id. `turns`: which card of its trick a decision was, from 0, where
    it is known; a link without it leads to the trick. `whole`: all findings and weaknesses, however many.
    """
    shown = review.findings if whole else review.findings[:MOST_FINDINGS]
    findings = tuple(_finding(one, known, turns or {}) for one in shown)
    worst = review.weaknesses if whole else review.weaknesses[:MOST_WEAKNESSES]
    weaknesses = tuple(_weakness(one, names, known) for one in worst)
    zero, rows = ledger_rows(review.ledger)
    costliest = tuple(moment_row(known, moment) for moment in review.costliest)
    return ReviewPart(
        name=names(review.bot),
        at=minute(at),
        about=_about(review),
        mistakes=_mistakes(review),
        phases=tuple(_phases(review)),
        findings=findings,
        more_findings=len(review.findings) - len(findings),
        blunders=review.blunders,
        costliest=costliest,
        hides_cards=any(not row.chosen for row in costliest),
        points=points_tables(row for row in review.points if row.split is not Split.TRICK),
        tricks=points_tables(row for row in review.points if row.split is Split.TRICK),
        ledger=rows,
        zero=zero,
        ledger_rounds=review.ledger.rounds,
        explained=_explained(review.ledger.explained),
        weaknesses=weaknesses,
        more_weaknesses=len(review.weaknesses) - len(weaknesses),
    )


def _about(review: BotReview) -> str:
    rounds = counted(review.rounds, "round")
    matches = f"{number(review.matches)} of its {counted(review.played, 'match', 'matches')}"
    return (
        f"{number(review.reviewed)} of {counted(review.choices, 'decision')} with a choice, in "
        f"{matches} ({rounds})"
    )


def _mistakes(review: BotReview) -> str:
    found = review.mistakes_a_round
    if found is None:
        return "Too few decisions were reviewed to say what all of them cost in a round."
    return (
        "Beside the best choices, all its decisions together cost "
        f"{plus_minus(found.value, found.error)} points a round."
    )


def _phases(review: BotReview) -> Iterator[PhaseRow]:
    for one in review.phases:
        yield _phase(one)


def _phase(one: PhaseCost) -> PhaseRow:
    a_round = "–" if one.a_round is None else points(one.a_round)
    name = PHASES[one.phase].capitalize()
    return PhaseRow(name, one.choices, one.reviewed, estimated(one.each, 3), a_round)


def _finding(one: Finding, known: Known, turns: Mapping[Place, int]) -> Claim:
    each = plus_minus(one.each.value, one.each.error)
    return Claim(
        words=f"{one.words[:1].upper()}{one.words[1:]}",
        name="",
        amount=f"{points(one.a_round, 1)} points a round",
        details=f"{one.often}, {each} points each time",
        places=tuple(place_link(known, place, turns.get(place)) for place in one.examples[:_EXAMPLES]),
    )


def _weakness(one: Weakness, names: Callable[[str], str], known: Known) -> Claim:
    worse = plus_minus(one.difference.value, one.difference.error)
    return Claim(
        words=one.words,
        name=names(one.opponent) if one.opponent else "",
        amount=f"{worse} points a round worse",
        details=counted(one.boards, "board"),
        places=tuple(round_link(known, key, round_) for key, round_, _seat in one.worst[:_EXAMPLES]),
    )


def _explained(share: float | None) -> str:
    if share is None:
        return ""
    return (
        f"Deal, die and cards passed in explain {100 * max(share, 0.0):.1f}\xa0% of the spread of its points."
    )
