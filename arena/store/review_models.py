"""Defines the tables of reviews, as `arena.store.models` defines all others. Nothing here reads or writes."""

from __future__ import annotations

from sqlalchemy import BigInteger
from sqlmodel import Field

from arena.review.phases import Phase
from arena.store.constraints import check, kinds
from arena.store.row import Row

__all__ = ["Review", "ReviewSummary"]


class Review(Row, table=True):
    """What one decision cost; `arena.review.reviewed` says what the columns mean."""

    __tablename__ = "review"
    __table_args__ = (
        check("seat_range", "seat BETWEEN 0 AND 7"),
        kinds("phase", Phase),
        check(
            "amounts",
            "round >= 0 AND question >= 0 AND method > 0 AND worlds > 0 AND error >= 0 AND beside_error >= 0",
        ),
    )

    match: int = Field(primary_key=True, foreign_key="match.id")
    seat: int = Field(primary_key=True)
    round: int = Field(primary_key=True)
    question: int = Field(primary_key=True)
    phase: str
    chosen: str
    best: str
    cost: float
    error: float
    true_cost: float
    beside: float
    beside_error: float
    expected: float
    worlds: int
    options: int
    method: int
    in_sample: bool


class ReviewSummary(Row, table=True):
    """The newest review of a bot as a whole: a `BotReview` as JSON text (`arena.store.review_document`)."""

    __tablename__ = "review_summary"

    season: int = Field(primary_key=True, foreign_key="season.number")
    bot: str = Field(primary_key=True, foreign_key="bot.slug")
    at: int = Field(sa_type=BigInteger)
    document: str
