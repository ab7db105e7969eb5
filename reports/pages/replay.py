"""Builds the one page that shows any match of a large league, and the matches as its data.

The matches are compact scripts, many in one, because a page that was opened from a file can load nothing
else. A round is its Papayoo, passes and plays, one letter a card, about 90 letters: the script of the page
deals, plays and counts it again. Cards leave here only under the names that the bots saw.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from arena.match.relabel import Relabelling
from arena.papayoo import CARD_NAMES, hand_size
from arena.store.matches import PlayedMatch, PlayedRound
from arena.store.views import MatchView, SeasonView
from reports.facts import LeagueFacts
from reports.pages.match import STANDING_WORDS, about_match, result_words, session_name
from reports.secrecy import Secrecy
from reports.selection import MatchPages
from reports.text import visible

ABOUT = 100
"""Matches in a script, about: no session is divided."""

_LETTERS = {name: chr(ord("0") + card) for card, name in enumerate(CARD_NAMES)}
"""A letter for each card: "0" for S1, the next for S2 ... H1 ... C10, P1 and so on to "k" for P20."""


@dataclass(frozen=True, slots=True)
class ReplayPage:
    """The width and length of a match's tables, and where the matches are found as data.

    `tricks`: of a round; `passed`: cards of a pass; `others`: the other matches of a session; `chunk`:
    matches of one script; `scripts`: the beginning of their paths from the folder of match pages; `last`:
    the greatest number of a finished match.
    """

    seats: int
    rounds: int
    tricks: int
    passed: int
    others: int
    chunk: int
    scripts: str
    last: int


@dataclass(frozen=True, slots=True)
class Chunk:
    """The finished matches with the numbers in `numbers`; `path` from the site's folder."""

    path: str
    numbers: range
    matches: tuple[MatchView, ...]


def replay_page(facts: LeagueFacts) -> ReplayPage:
    """Return the data of the page itself."""
    season = facts.season
    return ReplayPage(
        seats=season.seats,
        rounds=season.rounds,
        tricks=hand_size(season.seats),
        passed=facts.passed,
        others=season.matches_per_session - 1,
        chunk=_size(season),
        scripts="../data/replay-",
        last=facts.matches[-1].number if facts.matches else 0,
    )


def chunks(facts: LeagueFacts) -> Iterator[Chunk]:
    """Yield the finished matches in pieces of equal range, so that no piece changes when another is added."""
    size = _size(facts.season)
    found: dict[int, list[MatchView]] = {}
    for match in facts.matches:
        found.setdefault((match.number - 1) // size, []).append(match)
    for part, matches in sorted(found.items()):
        numbers = range(part * size + 1, (part + 1) * size + 1)
        yield Chunk(f"data/replay-{part + 1}.js", numbers, tuple(matches))


def chunk_script(
    facts: LeagueFacts, pages: MatchPages, secrecy: Secrecy, played: Iterable[PlayedMatch]
) -> bytes:
    """Return a call of the page's function with an object.

    `bots`: names; `ids`: theirs, which name their pages; `matches`: by number a list of: session, a sentence
    about it, whether the match has a page of its own (1 or 0), why its cards are hidden; then by seat bots
    (numbers in `bots`), fault points and places; then the rounds; last the result in a sentence. A round is
    a text: the Papayoo, the passes by seat, the plays in order, and after a blank the decisions of the
    stand-in. Where cards are hidden it is the points by seat.
    """
    bots = {entry.bot: place for place, entry in enumerate(facts.season.entries)}
    rows = (f'"{one.match.number}":{_json(_row(one, bots, pages, secrecy))}' for one in played)
    names = _json([visible(entry.name) for entry in facts.season.entries])
    ids = _json([entry.bot for entry in facts.season.entries])
    lines = ",\n".join(rows)
    return f'papayoo({{"bots":{names},\n"ids":{ids},\n"matches":{{\n{lines}\n}}}})\n'.encode()


def _row(played: PlayedMatch, bots: Mapping[str, int], pages: MatchPages, secrecy: Secrecy) -> list[object]:
    match, hidden = played.match, secrecy.cards_hidden(played.match)
    return [
        session_name(match),
        f"{about_match(match)} {STANDING_WORDS[match.session_state]}".rstrip(),
        int(match.number in pages.own),
        hidden,
        [bots[seat.bot] for seat in match.seats],
        [seat.charge for seat in match.seats],
        [seat.place for seat in match.seats],
        [round_.points if hidden else _round(round_, match.suits) for round_ in played.rounds],
        visible(result_words([(seat.name, seat.total) for seat in match.seats])),
    ]


def _size(season: SeasonView) -> int:
    """Return the matches of a script: whole sessions, so that the same boards are in one script."""
    own = season.matches_per_session
    return max(1, ABOUT // own) * own


def _round(round_: PlayedRound, suits: str) -> str:
    letters = _letters(suits)
    passes = "".join(letters[card] for cards in round_.passes for card in cards.split())
    cards = letters[round_.papayoo] + passes + "".join([letters[card] for card in round_.plays])
    return f"{cards} {','.join(map(str, round_.stand_in))}" if round_.stand_in else cards


@cache
def _letters(suits: str) -> Mapping[str, str]:
    """Return the letter of each card by its canonical name, in a match with these suits."""
    names = Relabelling(suits).card_names
    return {card: _LETTERS[name] for card, name in zip(CARD_NAMES, names, strict=True)}


def _json(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))
