"""Decisions of a season as they are stored: what was decided after a decision cycle, and what it rested on.

It decides nothing: that is `arena.season.decide`.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass
from typing import Annotated, Final

from annotated_types import Ge
from pydantic import TypeAdapter, ValidationError
from sqlalchemy import select
from sqlmodel import col

from arena.conduct.exclusion import Ruling
from arena.schedule import canonical_json
from arena.store.models import DecisionRow
from arena.store.rows import BadValueError, RowValues
from arena.store.transaction import Transaction, reads

__all__ = ["Decision", "claims_from", "decision_values", "read_decisions"]


@dataclass(frozen=True, slots=True)
class Decision:
    """What was decided after the first `cycles` cycles of a season. It holds from the cycle `effect` on.

    `excluded`: the bots that the limits take out, each with the reason. `settled`: whether the league ends,
    because it was to stop when it is settled. What that rested on: `field`, who was compared, house bots too,
    in the order of the entries; `sessions`, how many counted; `void`, those of these cycles that did not,
    such as "3.1". `claims`: the orders that are claimed, each with the number of cycles after which it was
    claimed first: better, worse, cycles. These are empty where nothing was compared. `acts`: how many acts
    had been made by then, at the time `at`.
    """

    cycles: Annotated[int, Ge(1)]
    effect: Annotated[int, Ge(1)]
    excluded: tuple[tuple[str, str], ...]
    settled: bool
    field: tuple[str, ...]
    sessions: Annotated[int, Ge(0)]
    void: tuple[str, ...]
    claims: tuple[tuple[str, str, Annotated[int, Ge(1)]], ...]
    acts: Annotated[int, Ge(0)]
    at: Annotated[int, Ge(0)]

    @property
    def rulings(self) -> tuple[Ruling, ...]:
        """Return the rulings on who is out."""
        after = None if self.effect == self.cycles else self.cycles
        return tuple(Ruling(bot, True, self.effect, reason, after=after) for bot, reason in self.excluded)


def claims_from(decisions: Sequence[Decision], void: Collection[str]) -> dict[tuple[str, str], int]:
    """Return the orders (better, worse) that decisions claimed and that stand, with when they first did.

    `void`: the sessions that do not count now, such as "3.1". One that counted when an order was claimed
    reopens it.
    """
    if not decisions:
        return {}
    known = {one.cycles: set(one.void) for one in decisions}
    cycles_of_void = {text: int(text.partition(".")[0]) for text in void}
    return {
        (better, worse): first
        for better, worse, first in decisions[-1].claims
        if all(cycle >= first or text in known.get(first, ()) for text, cycle in cycles_of_void.items())
    }


_ADAPTER: Final = TypeAdapter(Decision)


def decision_values(season: int, decision: Decision) -> RowValues:
    """Return the row of a decision."""
    return {
        "season": season, "cycles": decision.cycles, "document": canonical_json(asdict(decision))
    }  # fmt: skip


@reads
def read_decisions(db: Transaction, season: int) -> tuple[Decision, ...]:
    """Return the decisions of a season, earliest first."""
    found = db.scalars(
        select(DecisionRow).where(col(DecisionRow.season) == season).order_by(col(DecisionRow.cycles))
    )
    return tuple(_decision_from(row) for row in found)


def _decision_from(row: DecisionRow) -> Decision:
    try:
        decision = _ADAPTER.validate_json(row.document, strict=True)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise BadValueError(f"a decision after {row.cycles} cycles: {where}: {first['msg']}") from error
    if decision.cycles != row.cycles or canonical_json(asdict(decision)) != row.document:
        raise BadValueError(f"a decision after {row.cycles} cycles is not as an arena writes it")
    return decision
