"""The review of a bot as text, on one screen, and as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Final

from arena.cli.layout import plain, prose, table
from arena.match.relabel import Relabelling
from arena.reviews.costs import Reviewed
from arena.reviews.decisions import Place
from arena.reviews.means import Estimate
from arena.reviews.points import Group, Row
from arena.reviews.review import BotReview
from arena.wording import counted

if TYPE_CHECKING:
    from arena.workbench.reviewing import Material

_WHERE: Final = {"tricks": "In tricks {}", "suit led": "Where {} is led", "seat": "When it is {}"}
_DEALT: Final = "Dealt {}"


def review_text(review: BotReview, material: Material, source: str) -> str:
    """Return the text. `source`: what a command that shows a match must name."""
    return "\n".join(_lines(review, material, source))


def _lines(review: BotReview, material: Material, source: str) -> Iterator[str]:
    bot = plain(material.names.get(review.bot, review.bot))
    played = counted(material.played, "finished match", "finished matches")
    yield prose(
        f"{bot}: {review.matches:,} of {played} read, {counted(review.rounds, 'round')}. "
        f"{review.reviewed:,} of {counted(review.choices, 'decision')} with a choice tried."
    )
    yield from _title("Where its points go, in points a round")
    yield from _points(review)
    yield from _title("What its decisions cost beside the best choice found, in points")
    yield from _costs(review)
    yield from _title("What costly decisions share")
    yield from _shared(review)
    yield from _title("Its costliest decisions")
    yield from _costliest(review, material, source)


def _title(text: str) -> Iterator[str]:
    yield from ("", text, "-" * len(text))


def _points(review: BotReview) -> Iterator[str]:
    total = review.total
    if total.field is None or total.difference is None:
        yield prose(f"It took {total.bot:.1f}. Nobody else was dealt these hands.")
    else:
        difference = _estimate(total.difference)
        yield prose(
            f"It took {total.bot:.1f}, the field {total.field:.1f} on the same hands ({difference} more). In "
            "brackets stands what the field took:"
        )
    for group in review.groups:
        yield _item(f"{group.name}: {'; '.join(map(_cell, group.rows))}")
    out = [(group, row) for group in review.groups for row in group.rows if row.stands_out]
    yield from (_item(_sentence(group, row)) for group, row in out)
    if total.field is not None and not out:
        yield _item("Nowhere does it surely take more or fewer than the field.")
    if review.faults:
        kinds = ", ".join(f"{count:,} {kind}" for kind, count in review.faults.items())
        yield _item(f"Faults were charged {review.charge:.1f} points a round besides: {kinds}.")


def _cell(row: Row) -> str:
    return f"{row.name} {row.bot:.1f}" + ("" if row.field is None else f" ({row.field:.1f})")


def _sentence(group: Group, row: Row) -> str:
    assert row.difference is not None, "what stands out has a difference"
    where = _WHERE.get(group.name, _DEALT).format(row.name)
    found, error = row.difference.value, row.difference.error
    if group.shares_out:
        return f"{where} it surely takes {abs(found):.1f} ± {error:.1f} {_more(found)} than the field."
    words = "worse" if found > 0 else "better"
    return f"{where} it does surely {abs(found):.1f} ± {error:.1f} {words} beside the field than otherwise."


def _more(value: float) -> str:
    return "more" if value > 0 else "fewer"


def _costs(review: BotReview) -> Iterator[str]:
    rows = [
        (
            phase.phase.value,
            f"{phase.choices:,}",
            f"{phase.reviewed:,}",
            _estimate(phase.each, 2),
            "-" if phase.a_round is None else f"{phase.a_round:z.1f}",
        )
        for phase in review.phases
    ]
    yield from table(("phase", "choices", "tried", "each", "a round"), rows, frozenset({0}))
    if review.a_round is not None:
        yield prose(
            f"Together {_estimate(review.a_round)} a round. No bot has 0 here: compare it with another. Best "
            "is best where every seat plays on by the arena's own quick policy. ± is one standard error."
        )


def _shared(review: BotReview) -> Iterator[str]:
    for one in review.shared:
        yield _item(
            f"{one.words}: {_estimate(one.each)} each, {one.otherwise:.1f} otherwise ({one.decisions:,} of "
            f"{one.reviewed:,}, {one.share:.0%} of what these cost)"
        )
    if not review.shared:
        yield prose("Nothing that was looked for: its costs are spread, small, or too few were tried.")


def _costliest(review: BotReview, material: Material, source: str) -> Iterator[str]:
    if not review.costliest:
        yield "None of those that were tried surely costs a point or more."
        return
    yield f"{counted(review.blunders, 'decision')} surely cost a point or more:"
    rows = []
    for one in review.costliest:
        names = Relabelling.of(material.records[one.decision.place[0]].setup.suits).names
        chosen, best = (" ".join(names(cards)) for cards in (one.decision.chosen, one.best))
        rows.append((f"{one.cost:.1f} ± {one.error:.1f}", _named(one.decision.place, material), chosen, best))
    yield from table(("cost", "match:round", "chose", "better"), rows, frozenset({1, 2, 3}))
    yield f"To see one: arena replay {source} {_numbered(review.costliest[0].decision.place, material)}"


def _numbered(place: Place, material: Material) -> str:
    return f"{material.numbers[place[0]]}:{place[1]}"


def _named(place: Place, material: Material) -> str:
    where = f"trick {place[2] - 1}" if place[2] else "pass"
    return f"{_numbered(place, material)} {where}, seat {place[3]}"


def _item(text: str) -> str:
    """Return sentences for the terminal whose further lines are indented."""
    return f"- {prose(text, 2)}".replace("\n", "\n  ")


def _estimate(estimate: Estimate | None, digits: int = 1) -> str:
    if estimate is None:
        return "-"
    error = "" if estimate.error is None else f" ± {estimate.error:.{digits}f}"
    return f"{estimate.value:z.{digits}f}{error}"


def review_json(review: BotReview, material: Material) -> str:
    """Return the review as JSON text. Cards have the names that the bots of their match saw."""
    document = {
        "bot": review.bot,
        "played": material.played,
        "matches": review.matches,
        "rounds": review.rounds,
        "points": asdict(review.total),
        "groups": [asdict(group) for group in review.groups],
        "faults": review.faults,
        "charge": review.charge,
        "choices": review.choices,
        "reviewed": review.reviewed,
        "phases": [asdict(phase) for phase in review.phases],
        "a_round": None if review.a_round is None else asdict(review.a_round),
        "shared": [asdict(one) for one in review.shared],
        "blunders": review.blunders,
        "costliest": [_decision(one, material) for one in review.costliest],
    }
    return json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False)


def _decision(one: Reviewed, material: Material) -> dict[str, Any]:
    decision = one.decision
    match, round_, question, seat = decision.place
    relabelling = Relabelling.of(material.records[match].setup.suits)
    return {
        "match": material.numbers[match],
        "round": round_,
        "question": question,
        "seat": seat,
        "phase": decision.phase.value,
        "chosen": relabelling.names(decision.chosen),
        "best": relabelling.names(one.best),
        "hand": relabelling.names(decision.hand),
        "table": [relabelling.card_names[card] for card in decision.table],
        "cost": one.cost,
        "error": one.error,
        "true_cost": one.true_cost,
    }
