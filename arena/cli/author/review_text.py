"""The review of a bot as text: first what it does wrong, then where its points go and what was luck."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from arena.cli.layout import fitted, plain, prose, table
from arena.deals import MatchKey
from arena.match.relabel import Relabelling
from arena.papayoo import PAPAYOOS
from arena.review.clusters import Estimate
from arena.review.findings import Finding, Place
from arena.review.phases import Phase
from arena.review.points import Row, Split
from arena.review.reviewed import Reviewed
from arena.review.summary import BotReview, Moment
from arena.wording import counted

if TYPE_CHECKING:
    from arena.review.weaknesses import Weakness
    from arena.workbench.review_material import Material

_SPLITS: Final = {
    Split.TAKEN: "with cards that it",
    Split.GIVEN: "given to others with cards that it",
    Split.TRICK: "in trick",
    Split.SUIT: "suit led",
    Split.PAPAYOO: "the Papayoo:",
}
_TAKEN_WITH: Final = {Phase.PASS: "got in the pass", Phase.LEAD: "led", Phase.FOLLOW: "followed with"}
_GIVEN_WITH: Final = {
    Phase.PASS: "passed",
    Phase.LEAD: "led",
    Phase.FOLLOW: "followed with",
    Phase.DISCARD: "threw",
}


def review_text(review: BotReview, material: Material, source: str) -> str:
    """Return the text. `source`: what a command that shows a match must name."""
    return "\n".join(_Text(review, material, source).lines())


class _Text:
    """The parts of the text, each with its title."""

    def __init__(self, review: BotReview, material: Material, source: str) -> None:
        self._review = review
        self._numbers = material.numbers
        self._records = material.records
        self._names = material.names
        self._source = shlex.quote(source)
        self._bot = plain(material.names.get(review.bot, review.bot))

    def lines(self) -> Iterator[str]:
        yield from self._head()
        yield from self._findings()
        yield from self._costliest()
        yield from self._phases()
        yield from self._points()
        yield from self._ledger()
        yield from self._weaknesses()

    def _head(self) -> Iterator[str]:
        review = self._review
        drawn = sum(phase.reviewed for phase in review.phases)
        played = counted(review.played, "finished match", "finished matches")
        other = f"{review.reviewed - drawn:,} because of what the bot did or in an earlier sample"
        how = f": {drawn:,} drawn at random, {other}"
        yield prose(
            f"{self._bot}: {review.matches:,} of {played} read, {counted(review.rounds, 'round')}. "
            f"{review.reviewed:,} of {counted(review.choices, 'decision')} with a choice reviewed"
            f"{how if review.reviewed < review.choices else ''}."
        )
        if review.mistakes_a_round is not None:
            cost = _estimate(review.mistakes_a_round)
            yield prose(
                f"Added up, its decisions cost {cost} points a round beside the best ones. No bot has 0 "
                "here: compare it with another bot of the league."
            )
        yield ""
        yield prose(
            "A cost is the points that a choice is expected to lose beside the best choice found, over deals "
            "of the hidden cards that fit what the bot could know. Best means best under these policies: "
            "every seat plays on by the arena's own quick one. After each ± stands one standard error."
        )

    def _findings(self) -> Iterator[str]:
        yield from _title("What it does wrong again and again")
        if not self._review.findings:
            yield prose(
                "Nothing was found: no pattern that it shows more than the field surely costs points. That "
                "does not say that there is none; more time finds smaller ones."
            )
        for number, finding in enumerate(self._review.findings, start=1):
            yield f"{number:2}. {_indented(finding.sentence(self._bot), 4)}"
            yield from self._examples(finding)

    def _examples(self, finding: Finding) -> Iterator[str]:
        rows = [(self._named(place), self._command(place)) for place in finding.examples]
        yield from (f"    {line}" for line in table(("such as", "to see it"), rows, frozenset({0, 1})))

    def _costliest(self) -> Iterator[str]:
        review = self._review
        yield from _title("Its costliest decisions")
        if not review.costliest:
            yield prose(
                "None of the reviewed decisions is a blunder: none costs surely, and a point at least."
            )
        if review.blunders > len(review.costliest):
            yield f"{review.blunders:,} of the reviewed decisions are blunders; these are the costliest."
        for number, moment in enumerate(review.costliest, start=1):
            yield from self._moment(number, moment)

    def _moment(self, number: int, moment: Moment) -> Iterator[str]:
        one = moment.decision
        verb = {Phase.PASS: "passed", Phase.LEAD: "led"}.get(one.phase, "played")
        yield f"{number:2}. {one.cost:.1f} ± {one.error:.1f} points: {self._named(one.place)}"
        labels = self._labels(one.match)
        chosen, best = (" ".join(labels.names(cards)) for cards in (one.chosen, one.best))
        text = f"{verb} {chosen}; better: {best}. {_as_they_lay(one)}."
        yield f"    {_indented(text, 4)}"
        yield f"    {_indented(_position(moment, labels), 4)}"
        yield f"    {self._command(one.place)}"

    def _labels(self, match: MatchKey) -> Relabelling:
        """Return the names of the cards in a match, as its bots saw them and as `arena replay` shows them."""
        return Relabelling.of(self._records[match].setup.suits)

    def _phases(self) -> Iterator[str]:
        yield from _title("What its decisions cost, by phase")
        rows = [
            (
                phase.phase.value,
                f"{phase.choices:,}",
                f"{phase.reviewed:,}",
                _estimate(phase.each, 2),
                "-" if phase.a_round is None else f"{phase.a_round:z.1f}",
            )
            for phase in self._review.phases
        ]
        yield from table(("phase", "choices", "drawn", "cost each", "a round"), rows, frozenset({0}))

    def _points(self) -> Iterator[str]:
        yield from _title("Where its points go, in points a round")
        if not self._review.points:
            yield "There is no field to compare it with."
        first = True
        for split in Split:
            rows = [_row(row) for row in self._review.points if row.split is split]
            if rows:
                head = (_SPLITS[split], fitted(self._bot, 14), "field", "best bot", "difference")
                yield from () if first else ("",)
                yield from table(head, rows, frozenset({0}))
                first = False

    def _ledger(self) -> Iterator[str]:
        ledger = self._review.ledger
        yield from _title("What was luck, in points a round")
        parts = [(part.value, value) for part, value in ledger.parts.items()]
        rows = [(name, "not known" if value is None else _estimate(value)) for name, value in parts]
        rows.append(("difference from par", _estimate(ledger.difference)))
        yield from table(("part", "points"), rows, frozenset({0}))
        if ledger.explained is not None and ledger.explained > 0:
            share = f"{ledger.explained:.0%}"
            yield prose(f"Deal, die and the cards passed in explain {share} of how much its rounds vary.")

    def _weaknesses(self) -> Iterator[str]:
        yield from _title("When it does worse")
        if not self._review.weaknesses:
            yield prose(
                "Nothing was found: it surely does worse with no feature of a round that was looked at."
            )
        for weakness in self._review.weaknesses:
            yield prose(self._weakness(weakness))
            rows = [
                (f"match {self._numbers[match]}, round {round_}, seat {seat}", self._replay(match, round_))
                for match, round_, seat in weakness.worst
            ]
            yield from (f"   {line}" for line in table(("worst", "to see it"), rows, frozenset({0, 1})))

    def _weakness(self, weakness: Weakness) -> str:
        opponent = plain(self._names.get(weakness.opponent, weakness.opponent))
        words = f"{weakness.words} {opponent}" if opponent else weakness.words
        much = f"{_estimate(weakness.difference)} points a round worse"
        return f"{much} {words} ({counted(weakness.boards, 'board')})"

    def _named(self, place: Place) -> str:
        match, round_, question, seat = place
        where = "pass" if question == 0 else f"trick {question - 1}"
        return f"match {self._numbers[match]}, round {round_}, {where}, seat {seat}"

    def _command(self, place: Place) -> str:
        return self._replay(place[0], place[1])

    def _replay(self, match: MatchKey, round_: int) -> str:
        return f"arena replay {self._source} {self._numbers[match]}:{round_}"


def _title(text: str) -> Iterator[str]:
    yield from ("", text, "-" * len(text))


def _indented(text: str, by: int) -> str:
    """Return sentences for the terminal whose further lines are indented."""
    return prose(text, by).replace("\n", "\n" + " " * by)


def _estimate(estimate: Estimate | None, digits: int = 1) -> str:
    if estimate is None:
        return "-"
    error = "" if estimate.error is None else f" ± {estimate.error:.{digits}f}"
    return f"{estimate.value:z.{digits}f}{error}"


def _row(row: Row) -> tuple[str, ...]:
    name = row.name
    if row.split in (Split.TAKEN, Split.GIVEN):
        name = _GIVEN_WITH[Phase(name)] if row.split is Split.GIVEN else _TAKEN_WITH[Phase(name)]
    elif row.split is Split.TRICK:
        name = str(int(name) - 1)  # as `arena replay` counts
    return name, f"{row.bot:z.1f}", f"{row.field:z.1f}", f"{row.best:z.1f}", _estimate(row.difference)


def _as_they_lay(one: Reviewed) -> str:
    if one.true_cost > 0:
        return f"As the cards really lay, it cost {one.true_cost:.0f}"
    if one.true_cost < 0:
        return f"As the cards really lay, it saved {-one.true_cost:.0f}"
    return "As the cards really lay, it made no difference"


def _position(moment: Moment, labels: Relabelling) -> str:
    said = f"hand {' '.join(labels.names(moment.hand))}"
    if moment.papayoo_suit is None:
        return said
    lay = " ".join(labels.card_names[card] for card in moment.table) or "nothing"
    papayoo = labels.card_names[PAPAYOOS[moment.papayoo_suit]]
    return f"{said}; on the table {lay}; the Papayoo is {papayoo}"
