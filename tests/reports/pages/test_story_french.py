"""The story of a match in French: it says the same as in English, and reads well before any name."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from string import Formatter

import pytest

from arena.translating import found, writing_in
from reports.catalogues import FRENCH, tongue
from reports.pages.rounds import round_parts
from reports.pages.story import match_story
from reports.pages.story_facts import MatchFacts
from reports.pages.story_rules import HAND_OVERS, HOW, MORE
from reports.pages.story_words import PHRASES, Sentence, phrase, plain_text
from tests.papayoo.setups import SIZES
from tests.reports.pages.test_story import NAMES, a_match

IN_LETTERS = {
    "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
    "eleven": 11, "twelve": 12, "both": 2, "twice": 2,
    "deux": 2, "trois": 3, "quatre": 4, "cinq": 5, "sept": 7, "huit": 8, "neuf": 9, "dix": 10, "onze": 11,
    "douze": 12,
}  # fmt: skip
"""Numbers from two on, in both languages: "un" is an article, too."""

BOTS = {"who", "other", "second", "giver", "taker"}
"""Blanks that hold names."""

NEED_ELISION = re.compile(r"(^|[\s’])(de|du|des|que|jusque|ne|se|le|la|les|au|aux|à le)\s$|’$", re.IGNORECASE)
"""What French changes before some names: "de Duck", but "d’Ada"; or what would make a name a noun."""


def said(words: Sentence) -> Counter[str | int]:
    """Whom and what a sentence names, and its numbers: seats as "@1"."""
    named: list[str | int] = []
    for part in words:
        if part.seat is not None:
            named.append(f"@{part.seat}")
        elif part.card is not None:
            named.append(part.card.name)
        else:
            for word in re.findall(r"\d[\d,\u202f]*|[^\W\d_]+", part.text):
                if word[0].isdigit():
                    named.append(int(re.sub(r"\D", "", word)))
                elif word.lower() in IN_LETTERS:
                    named.append(IN_LETTERS[word.lower()])
    return Counter(named)


def sentences(seed: int, players: int, rounds: int) -> Iterator[tuple[str, Sentence]]:
    """Everything that can be told of a match, in the language that is being written, with what it is."""
    record, names = a_match(seed, players, rounds), NAMES[:players]
    points, parts = [round_.points for round_ in record.rounds], round_parts(record, names)
    for shown in (parts, ()):
        story = match_story(names, record.seats, points, shown)
        yield "story", story.sentence
        yield from ((moment.anchor, moment.sentence) for moment in story.moments)
        facts = MatchFacts(names, record.seats, points, shown)
        for rule in (*(HOW if len(facts.winners) == 1 else ()), *MORE):
            yield from ((told.key, phrase(told.key, **told.blanks)) for told in rule(facts))


def check(seed: int, players: int, rounds: int) -> None:
    english = list(sentences(seed, players, rounds))
    with writing_in(tongue(FRENCH)):
        french = list(sentences(seed, players, rounds))
    for (what, own), (also, other) in zip(english, french, strict=True):
        assert what == also
        assert said(own) == said(other), (plain_text(own), plain_text(other))
        assert plain_text(own) != plain_text(other)


@pytest.mark.parametrize("seed", range(12))
def test_a_story_says_the_same_in_french(seed: int) -> None:
    check(seed, SIZES[seed % 6], 1 + seed // 2 % 6)


@pytest.mark.slow
def test_many_stories_say_the_same_in_french() -> None:
    for seed in range(12, 160):
        check(seed, SIZES[seed % 6], 1 + seed // 6 % 6)


def blanks(text: str) -> list[tuple[str, str]]:
    """The blanks of a sentence, each with the text before it."""
    return [(before, blank) for before, blank, _, _ in Formatter().parse(text) if blank]


@pytest.mark.parametrize("key", PHRASES)
def test_each_sentence_is_in_french_and_reads_well_before_any_name(key: str) -> None:
    with writing_in(tongue(FRENCH)):
        french = found(PHRASES[key])
    assert french != PHRASES[key]
    assert sorted(blank for _, blank in blanks(french)) == sorted(blank for _, blank in blanks(PHRASES[key]))
    for before, blank in blanks(french):
        assert blank not in BOTS or not NEED_ELISION.search(before), before


def test_each_reason_of_a_stand_in_is_in_french() -> None:
    with writing_in(tongue(FRENCH)):
        assert all(found(reason) != reason for reason in HAND_OVERS.values())


def test_a_whole_story_in_french() -> None:
    record, names = a_match(7, 4, 4), NAMES[:4]
    points = [round_.points for round_ in record.rounds]
    with writing_in(tongue(FRENCH)):
        story = match_story(names, record.seats, points, round_parts(record, names))
    moment = story.moments[-1]
    assert plain_text(story.sentence) == (
        "Ant a gagné avec 123 points et une avance de 27 points sur Dog, et n’avait aucun point avant le pli "
        "9 de la manche 1. Cat a pris la totalité des 250 points de la manche 0."
    )
    assert f"{moment.where}\u00a0: {plain_text(moment.sentence)}" == (
        "Manche 3, pli 13\u00a0: Ant n’avait pas de Payoo et a jeté le Papayoo dans le pli ramassé par "
        "Cat\u00a0: 54 points."
    )
