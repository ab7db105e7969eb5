"""Documents of reviews: a `BotReview`, or decisions, as JSON and back. It finds nothing out.

The store keeps these texts and knows nothing of what is in them. Sets of cards are text there, as in records
("S1 S3 P20"): a number of 60 bits is not the same in every reader of JSON.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, Final

from pydantic import TypeAdapter, ValidationError

from arena.errors import StoreError
from arena.match.texts import plays_from
from arena.papayoo import card_name, mask_of, names_of
from arena.review.reviewed import Reviewed
from arena.review.summary import BotReview

__all__ = [
    "decision_from",
    "decisions_from",
    "document_of_decisions",
    "document_of_review",
    "review_from",
    "text_of_decision",
    "text_of_review",
]

_SETS: Final = frozenset({"chosen", "best", "hand"})
"""The keys of sets of cards. Where such a key holds no whole number, it is of something else."""
_ORDERED: Final = "table"
_ADAPTER: Final = TypeAdapter(BotReview)
_DECISION: Final = TypeAdapter(Reviewed)
_DECISIONS: Final = TypeAdapter(tuple[Reviewed, ...])
_FORMAT: Final = 1
"""The version of the document of a review. Whoever changes the fields of a `BotReview` adds one, so that no
arena takes a review of another version for one of its own."""


def document_of_review(review: BotReview) -> dict[str, Any]:
    """Return the document of a review: what can be written as JSON."""
    found = _named(_ADAPTER.dump_python(review, mode="json"))
    assert isinstance(found, dict), "a review has fields"
    return {"format": _FORMAT, **found}


def text_of_review(review: BotReview) -> str:
    """Return the document of a review as JSON text."""
    return json.dumps(document_of_review(review), ensure_ascii=False, allow_nan=False)


def review_from(text: str, bot: str) -> BotReview:
    """Return the review of a text. StoreError, with what is wrong, if it is none of this bot."""
    try:
        document = json.loads(text, parse_constant=_no_number)
        if isinstance(document, dict) and document.get("format") != _FORMAT:
            said = document.get("format", "none")
            raise ValueError(f"its format is {said}, and this arena reads format {_FORMAT}")
        review = _ADAPTER.validate_python(_numbered(document))
    except (ValueError, LookupError, RecursionError) as error:
        raise _unreadable(bot, _in_words(error)) from error
    if review.bot != bot:
        raise _unreadable(bot, f"it is of {review.bot}")
    return review


def text_of_decision(found: Reviewed) -> str:
    """Return what one decision cost as JSON text."""
    return json.dumps(_named(_DECISION.dump_python(found, mode="json")), ensure_ascii=False, allow_nan=False)


def decision_from(text: str) -> Reviewed:
    """Return the decision of a text. StoreError, with what is wrong and what to do, if it is none."""
    try:
        return _DECISION.validate_python(_numbered(json.loads(text, parse_constant=_no_number)))
    except (ValueError, LookupError, RecursionError) as error:
        raise StoreError(
            f"The stored review of a decision cannot be read ({_in_words(error)[:200]}): remove it with "
            "`arena review LEAGUE BOT --forget`, and review the bot again"
        ) from error


def document_of_decisions(found: Iterable[Reviewed]) -> list[dict[str, Any]]:
    """Return what can be written as JSON of what decisions cost."""
    document = _named(_DECISIONS.dump_python(tuple(found), mode="json"))
    assert isinstance(document, list), "there are several"
    return document


def decisions_from(document: object) -> tuple[Reviewed, ...]:
    """Return the decisions of a document that was read as JSON. ValueError, in words, if it is none."""
    try:
        return _DECISIONS.validate_python(_numbered(document))
    except ValidationError as error:
        raise ValueError(_in_words(error)) from None


def _in_words(error: Exception) -> str:
    """Return in one line what is wrong with a document."""
    if not isinstance(error, ValidationError):
        return str(error)
    first = error.errors(include_url=False)[0]
    where = ".".join(map(str, first["loc"]))
    return f"{where}: {first['msg']}" if where else first["msg"]


def _unreadable(bot: str, why: str) -> StoreError:
    return StoreError(
        f"The stored review of {bot} cannot be read ({why[:200]}): "
        "remove it with `arena review LEAGUE BOT --forget`, and review the bot again"
    )


def _named(part: Any, key: str = "") -> Any:
    """Return a part of a document with cards in the place of numbers."""
    if isinstance(part, dict):
        return {name: _named(value, name) for name, value in part.items()}
    if isinstance(part, list):
        return [card_name(card) for card in part] if key == _ORDERED else [_named(each) for each in part]
    if key in _SETS and isinstance(part, int):
        return " ".join(names_of(part))
    return part


def _numbered(part: Any, key: str = "") -> Any:
    """Return a part of a document with numbers in the place of cards. ValueError for what is no card."""
    if isinstance(part, dict):
        return {name: _numbered(value, name) for name, value in part.items()}
    if isinstance(part, list):
        return [_card(each) for each in part] if key == _ORDERED else [_numbered(each) for each in part]
    if key in _SETS and isinstance(part, str):
        return mask_of(plays_from(part))
    return part


def _card(name: object) -> int:
    (card,) = plays_from(str(name))
    return card


def _no_number(text: str) -> float:
    raise ValueError(f"{text} is no number of JSON")
