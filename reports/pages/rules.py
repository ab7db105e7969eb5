"""Builds the page of the rules in each language: "Papayoo in a minute", for the seats of one season.

What it says of numbers comes from the rules themselves (`arena.papayoo`), and what it shows of a round was
played by them (`pages.example_round`). The sentences are in `translations`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from arena.conduct.exclusion import LEAGUES, Limits
from arena.papayoo import SUITS, deck, hand_size, left_of, parse_card, pass_count
from arena.store.stored_season import limits_of
from arena.wording import counted
from reports.facts import LeagueFacts
from reports.pages.cards import CardFace, Part, Sentence
from reports.pages.example_round import ExampleRound, ExampleTrick, example_round
from reports.translations import ENGLISH, LANGUAGES, Language, Sentences, sentences

PATH = "rules.html"

_CARD = re.compile(r"(?<![A-Za-z0-9])([SHDCP](?:20|1[0-9]|[1-9]))(?![A-Za-z0-9])")
"""A card in a sentence. A letter of another script may follow it at once."""


@dataclass(frozen=True, slots=True)
class Table:
    """What a season's rules of the game depend on: the numbers of its seats, and of rounds in a match."""

    seats: int
    rounds: int


@dataclass(frozen=True, slots=True)
class LanguageLink:
    """A language in the list of all. `path`: its page, from the site's folder; `here`: whether this is it."""

    language: Language
    path: str
    here: bool


@dataclass(frozen=True, slots=True)
class RulesPage:
    """Everything on the page.

    `said`: each sentence by its key, with what this table decides put in; `facts`: keys of terms with their
    numbers; `ones`: the key of what is said of the 1s; `suits`: their letters with the keys of their names;
    `players`: what each seat is called; `league`: what else its players should know, in English.
    """

    language: Language
    said: Mapping[str, Sentence]
    facts: tuple[tuple[str, int], ...]
    ones: str
    suits: tuple[tuple[str, str], ...]
    players: tuple[str, ...]
    league: tuple[tuple[str, str], ...]
    example: ExampleRound
    languages: tuple[LanguageLink, ...]

    @property
    def translated(self) -> bool:
        """Return whether this is a translation."""
        return self.language is not ENGLISH

    @property
    def title(self) -> str:
        """Return the page's title."""
        return self.said["title"][0].text

    @property
    def gap(self) -> str:
        """Return what stands between two sentences: a space, but nothing in Chinese."""
        return "" if self.language.tag.startswith("zh") else " "

    @property
    def die(self) -> str:
        """Return the letter of the suit that the die shows."""
        return self.example.papayoo.name[0]


def rules_path(language: Language) -> str:
    """Return the path of the page in this language, from the site's folder."""
    return PATH if language is ENGLISH else f"rules/{language.file}.html"


def rules_page(table: Table, language: Language, league: tuple[tuple[str, str], ...] = ()) -> RulesPage:
    """Build the page of a season in this language. `league`: see `rules_for_players`."""
    texts, example = sentences(language), example_round(table.seats)
    players = tuple(texts["seat"].format(seat=seat) for seat in range(table.seats))

    without_ones = not deck(table.seats) >> parse_card("S1") & 1
    return RulesPage(
        language=language,
        said=dict(_said(texts, table, example, players)),
        facts=(
            ("league.players", table.seats),
            ("league.cards", deck(table.seats).bit_count()),
            ("league.hand", hand_size(table.seats)),
            ("league.passed", pass_count(table.seats)),
            ("league.rounds", table.rounds),
        ),
        ones="cards.ones_out" if without_ones else "cards.ones_in",
        suits=tuple((letter, f"suits.{letter}") for letter in SUITS),
        players=players,
        league=league,
        example=example,
        languages=tuple(LanguageLink(one, rules_path(one), one is language) for one in LANGUAGES),
    )


def rules_for_players(facts: LeagueFacts) -> tuple[tuple[str, str], ...]:
    """Return what players of a league should know besides the rules: terms with a sentence each."""
    return tuple(_for_players(facts))


def _for_players(facts: LeagueFacts) -> Iterator[tuple[str, str]]:
    season, time = facts.season, facts.season.section("time")
    if season.rounds % season.seats == 0:
        yield "Dealer", "each seat deals equally often in a match, seat 0 first"
    else:
        yield "Dealer", "seats deal in turn, seat 0 first; every bot deals equally often in a session"
    if "move_seconds" in time:
        yield "Clock", _clock(time["move_seconds"], time.get("bank_seconds"))
    yield "Names", "bots are not told the names of the others"
    penalties = facts.penalties
    yield (
        "Faults",
        f"{counted(penalties.fault_points, 'point')} each; after {penalties.max_faults} in a match the "
        "stand-in plays on",
    )
    if (limits := limits_of(facts.season)) is not None:
        yield "Excluded", _excluded(limits, facts.season.open)


def _clock(seconds: object, bank: object) -> str:
    own = f"{seconds} s for each pass and each play"
    return f"{own}, and {bank} s extra in a match" if bank else own


def _excluded(limits: Limits, is_open: bool) -> str:
    first = min(limits.bars.values(), default=LEAGUES)
    growing = f"{first:,} for the first entry, more for each later one," if is_open else f"{first:,}"
    return (
        f"with evidence of {growing} that a bot is replaced in more than {100 * limits.share:g} % of its "
        f"matches; chance gives any bot within that share so much evidence in at most 1 of {LEAGUES} leagues"
    )


def _said(
    texts: Sentences, table: Table, example: ExampleRound, players: tuple[str, ...]
) -> Iterator[tuple[str, Sentence]]:
    everywhere = {
        "hand": hand_size(table.seats),
        "passed": pass_count(table.seats),
        "rounds": table.rounds,
        "trick": example.shown.number,
        "papayoo": example.papayoo.name,
    }
    own = _of_example(example, players)
    for key, text in texts.items():
        if key == "trick.higher" and example.shown.higher is None:
            continue
        shown = key.startswith(("trick.", "example."))
        filled = text if key == "seat" else text.format(**everywhere, **own.get(key, {}))
        yield key, tuple(_parts(filled, example.papayoo.name if shown else ""))


def _of_example(example: ExampleRound, players: tuple[str, ...]) -> dict[str, dict[str, object]]:
    """Return what is put into the sentences on the example, by their keys."""
    shown, dealer = example.shown, example.dealer
    seats = len(players)
    return {
        "trick.take": {
            "who": players[shown.best.seat],
            "card": shown.best.face.name,
            "points": _added(shown),
        },
        "trick.higher": {"card": shown.higher.name if shown.higher else ""},
        "example.intro": {"who": players[dealer]},
        "example.dealt": {"seat": dealer},
        "example.passed": {"seat": left_of(dealer, seats)},
        "example.received": {"seat": (dealer - 1) % seats},
        "example.result": {"who": players[example.best]},
    }


def _added(trick: ExampleTrick) -> str:
    """Return the points of a trick with those of its cards: "17 + 40 = 57"; those of a single card alone."""
    worth = [card.points for card in trick.cards if card.points]
    added = " + ".join(map(str, worth))
    return added if len(worth) == 1 else f"{added} = {trick.points}"


def _parts(text: str, papayoo: str) -> Iterator[Part]:
    """Yield the pieces of a sentence. `papayoo`: the card that is marked as such, empty for none."""
    for number, piece in enumerate(_CARD.split(text)):
        if number % 2:
            yield Part(piece, card=CardFace(piece, papayoo=piece == papayoo))
        elif piece:
            yield Part(piece)
