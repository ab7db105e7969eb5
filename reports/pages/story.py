"""Tells a finished match in one or two sentences, by rules over its record; nothing here is an opinion.

The first sentence says who won and, where a rule finds something, how. The second says what else there was
to remember. Of all that the rules find the most remarkable is told, and of equals the first. The rules are
in `story_rules`, their words in `story_words`, what they count in `story_facts`, the tricks to look at in
`key_moments`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final

from arena.translating import Tongue, in_english, pgettext, writing_in
from reports.pages.key_moments import KeyMoment, key_moments
from reports.pages.rounds import RoundPart
from reports.pages.story_facts import Finish, MatchFacts
from reports.pages.story_rules import HOW, MORE, Rule, Told
from reports.pages.story_words import Filling, Part, Sentence, letters, phrase, plain_text, sentence

__all__ = ["KeyMoment", "Part", "Sentence", "Story", "match_story", "plain_text"]

MOST: Final = 170
"""Letters of a story at most, without names; of a longer one the less remarkable half is left out."""


@dataclass(frozen=True, slots=True)
class Story:
    """The story of a match. `moments`: a few places to look at, in order; none without cards."""

    sentence: Sentence
    moments: tuple[KeyMoment, ...] = ()


def match_story(
    names: Sequence[str],
    seats: Sequence[Finish],
    points: Sequence[Sequence[int]],
    rounds: Sequence[RoundPart] = (),
) -> Story:
    """Return the story of a finished match.

    `names`, `seats`: by seat. `points`: card points by round and seat. `rounds`: the match played again,
    where its cards are shown; without them the story rests on the points alone. Takes about 0.2 ms for four
    rounds of four, and a quarter of that without cards.
    """
    facts = MatchFacts(names, seats, points, rounds)
    return Story(_sentences(facts), key_moments(facts))


def _sentences(facts: MatchFacts) -> Sentence:
    opening = _opening(facts)
    how = _best(HOW, facts) if len(facts.winners) == 1 else None
    more = _best(MORE, facts)
    whole = _joined(opening, how, more)
    if how is None or more is None or _english_letters(whole, opening, how, more) <= MOST:
        return whole
    return _joined(opening, None, more) if how.weight < more.weight else _joined(opening, how, None)


def _english_letters(whole: Sentence, opening: Told, how: Told, more: Told) -> int:
    """Return the length of a story in English, so that all languages tell the same half of a long one."""
    if in_english():
        return letters(whole)
    with writing_in(Tongue()):
        return letters(_joined(opening, how, more))


def _joined(opening: Told, how: Told | None, more: Told | None) -> Sentence:
    first = (_words(opening), _words(how)) if how else (_words(opening),)
    if more is None:
        return sentence(*first, ".")
    return sentence(*first, ". ", _words(_beside(more, opening, how)), ".")


def _best(rules: Sequence[Rule], facts: MatchFacts) -> Told | None:
    found = list(chain.from_iterable(rule(facts) for rule in rules))
    return max(found, key=lambda told: told.weight) if found else None


def _words(told: Told) -> Sentence:
    return phrase(told.key, **told.blanks)


def _beside(more: Told, opening: Told, how: Told | None) -> Told:
    """Return the second sentence without what the first has just said."""
    key, blanks = more.key, more.blanks
    if key == "lost lead" and opening.key in ("overtook", "overtook second"):
        key = "lost there"
    if "papayoo" in blanks and how is not None and how.key in ("gave", "no papayoo"):
        blanks = {**blanks, "papayoo": _it}
    return Told(more.weight, key, blanks)


def _it() -> str:
    return pgettext("the Papayoo", "it")


def _the_next() -> str:
    return pgettext("several bots", "the next")


def _opening(facts: MatchFacts) -> Told:
    winners, total = facts.winners, facts.totals[facts.winners[0]]
    if len(winners) > 1:
        key = "all level" if len(winners) == facts.players else "shared" if total else "shared clean"
        return Told(0, key, {"who": [facts.who(seat) for seat in winners], "total": total})
    (winner,) = winners
    more = min(other for seat, other in enumerate(facts.totals) if seat != winner)
    second = [facts.who(seat) for seat, other in enumerate(facts.totals) if other == more]
    key, course = _course(facts, winner)
    if not total:
        key = "won clean"
    elif key == "overtook" and [course["other"]] == second:
        key = "overtook second"
    blanks: dict[str, Filling] = {
        "who": facts.who(winner),
        "total": total,
        "margin": more - total,
        "more": more,
        "second": second if len(second) < 3 else _the_next,
    }
    return Told(0, key, blanks | course)


def _course(facts: MatchFacts, winner: int) -> tuple[str, dict[str, Filling]]:
    """Return the beginning that fits the way to victory, and what else its words need."""
    rounds = len(facts.points)
    if facts.charged:
        return "won", {}
    if _in_the_last_trick(facts, winner):
        return "last trick", {}
    behind = [number for number in range(rounds - 1) if facts.last(number) == winner]
    if behind and behind[-1] == rounds - 2:
        return "came back late", {}
    before = facts.leader(rounds - 2) if rounds > 1 else winner
    if before not in (None, winner):
        return "overtook", {"other": facts.who(before or 0)}
    if behind and behind[-1] > 0:
        return "came back", {"rounds": behind[-1] + 1, "all": rounds}
    if rounds > 2 and all(facts.leader(number) == winner for number in range(rounds)):
        return "led", {}
    return "won", {}


def _in_the_last_trick(facts: MatchFacts, winner: int) -> bool:
    """Return whether somebody had fewer points than the winner before the last trick of the match."""
    decided = facts.decided
    if decided is None or decided is not facts.paid[-1]:
        return False
    if decided.row.number < len(facts.rounds[-1].tricks) - 1:
        return False
    now = facts.standing(decided)
    now[decided.row.taker] -= decided.row.points
    return min(now) < now[winner]
