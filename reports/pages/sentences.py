"""Sentences of pages in which cards stand apart from the text."""

from __future__ import annotations

from dataclasses import dataclass

from reports.pages.rounds import CardFace

__all__ = ["Part", "Sentence"]


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a sentence: text, or a card."""

    text: str
    card: CardFace | None = None


Sentence = tuple[Part, ...]
