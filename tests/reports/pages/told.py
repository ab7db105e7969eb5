"""Reads the sentences of a story back and recounts what they claim, from the record alone and slowly.

A second account on purpose: it plays by `tests.papayoo.slow_rules` and shares nothing with the rules of the
story but the wording of the sentences.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from string import Formatter
from typing import Any

from arena.match.record import MatchRecord
from reports.pages.story_words import PHRASES
from tests.papayoo.slow_rules import place_of_best, worth

NUMBERS = [
    "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
]  # fmt: skip
OPENINGS = (
    "won", "won clean", "led", "came back", "came back late", "overtook", "overtook second", "last trick",
    "shared", "shared clean", "all level",
)  # fmt: skip
HOW = (
    "no papayoo", "no papayoo once", "clean round", "clean rounds", "clean end", "first", "first late",
    "first trick", "one round", "one trick", "few", "late", "late alone", "into", "gave", "despite",
    "despite round",
)  # fmt: skip
MORE = (
    "papayoo", "papayoo both", "papayoo all", "papayoo once", "papayoo lost", "share", "everything",
    "share alone", "everything alone", "most", "big trick", "lost there", "lost lead", "first to last",
    "first to last late", "changes", "last", "fewest but", "charged", "stand-in", "stand-ins",
)  # fmt: skip
MOMENTS = (
    "thrown", "caught by lead", "caught", "caught by lowest", "caught by only", "own", "own led",
    "papayoo back", "big", "big own", "back", "round share", "round everything", "took over",
)  # fmt: skip
AFTER = ("from here",)

REASONS = {
    "max_faults": "after too many faults",
    "silent": "because it did not answer",
    "crashed": "because it crashed",
    "start_failed": "because it could not be started",
    "flood": "because it wrote too much",
    "resource": "because it used too much of the machine",
}
SUIT_NAMES = {"S": "spade", "H": "heart", "D": "diamond", "C": "club", "P": "Payoo"}


@dataclass(frozen=True)
class Laid:
    """A trick: its cards by seat, who led and took, its points, the seats whose card the stand-in chose."""

    leader: int
    cards: list[str]
    taker: int
    points: int
    stand_in: set[int]


class Game:
    """A match, counted card by card."""

    def __init__(self, record: MatchRecord, names: Sequence[str]) -> None:
        self.names = list(names)
        self.record = record
        self.seats = len(names)
        self.charges = [seat.charge for seat in record.seats]
        self.totals = [seat.points + seat.charge for seat in record.seats]
        self.points = [list(round_.points) for round_ in record.rounds]
        self.dice = [record.setup.suits[board.papayoo_suit] for board in record.setup.boards]
        self.tricks = [self._tricks(number) for number in range(len(record.rounds))]
        self.passes = [[self._names(cards) for cards in round_.passes] for round_ in record.rounds]

    def _name(self, card: int) -> str:
        return f"{self.record.setup.suits[card // 10]}{card % 10 + 1}" if card < 40 else f"P{card - 39}"

    def _names(self, cards: int) -> list[str]:
        return [self._name(card) for card in range(60) if cards >> card & 1]

    def _tricks(self, number: int) -> list[Laid]:
        played, die = self.record.rounds[number], self.dice[number]
        leader, found = number % self.seats, []
        for first in range(0, len(played.plays), self.seats):
            cards = [self._name(card) for card in played.plays[first : first + self.seats]]
            turns = [(leader + turn) % self.seats for turn in range(self.seats)]
            taker = turns[place_of_best(cards)]
            given = {
                turns[turn] for turn in range(self.seats) if self.seats + first + turn in played.stand_in
            }
            by_seat = [cards[(seat - leader) % self.seats] for seat in range(self.seats)]
            found.append(Laid(leader, by_seat, taker, sum(worth(card, die) for card in cards), given))
            leader = taker
        assert [sum(one.points for one in found if one.taker == seat) for seat in range(self.seats)] == list(
            played.points
        )
        return found

    def worth(self, round_: int, card: str) -> int:
        return worth(card, self.dice[round_])

    def after(self, rounds: int, tricks: int = 0) -> list[int]:
        """Card points by seat after so many rounds, and so many tricks of the next."""
        sums = [sum(points[seat] for points in self.points[:rounds]) for seat in range(self.seats)]
        for one in self.tricks[rounds][:tricks] if tricks else ():
            sums[one.taker] += one.points
        return sums

    def alone(self, values: Sequence[int], seat: int) -> bool:
        """Whether a seat alone has the least."""
        return all(values[seat] < other for place, other in enumerate(values) if place != seat)

    def takers(self) -> list[int]:
        """Who took the Papayoo, by round."""
        return [self._papayoo(number).taker for number in range(len(self.points))]

    def givers(self) -> list[int]:
        """Who played it."""
        return [
            self._papayoo(number).cards.index(f"{self.dice[number]}7") for number in range(len(self.points))
        ]

    def _papayoo(self, number: int) -> Laid:
        (found,) = [one for one in self.tricks[number] if f"{self.dice[number]}7" in one.cards]
        return found

    def absent(self, seat: int) -> bool:
        """Whether the whole seat is the stand-in's, under its own name."""
        return self.record.seats[seat].bot == "stand-in"


@dataclass(frozen=True)
class Claim:
    """A sentence found: its key, and what stands in its blanks. Names are lists of seats.

    `by_stand_in`: the blanks whose bot had its card chosen by the stand-in.
    """

    key: str
    values: dict[str, Any]
    by_stand_in: frozenset[str] = frozenset()


_NAME = r"[A-Z][a-z]+(?: \(seat \d\))?(?:’s stand-in)?"
_WHO = ("who", "other", "second", "taker", "giver")


@cache
def _pattern(key: str, names: str) -> re.Pattern[str]:
    pieces = []
    for text, blank, noun, _ in Formatter().parse(PHRASES[key].removeprefix(". ")):
        pieces.append(re.escape(text))
        if blank is None:
            continue
        if blank in _WHO:
            piece = rf"(?:{names})(?:’s stand-in)?"
            piece = rf"the next|{piece}(?:(?:, | and ){piece})*"
        elif blank == "card":
            piece = r"[SHDCP]\d+"
        elif blank in ("papayoo", "times", "when", "why", "faults", "suit"):
            piece = r"[^.]+?"
        else:
            piece = r"\w+|[\d,]+" if noun == "words" else rf"[\d,]+(?: {noun}s?)?" if noun else r"[\d,]+"
        pieces.append(f"(?P<{blank}>{piece})")
    return re.compile("".join(pieces))


def read(text: str, keys: Sequence[str], names: Sequence[str]) -> list[Claim]:
    """What a piece of a sentence can be."""
    every = "|".join(sorted(names, key=len, reverse=True))
    found = []
    for key in keys:
        match = _pattern(key, every).fullmatch(text)
        if match is not None:
            found.append(_claim(key, match.groupdict(), names))
    return found


def _claim(key: str, blanks: dict[str, str], names: Sequence[str]) -> Claim:
    nouns = {blank: noun for _, blank, noun, _ in Formatter().parse(PHRASES[key]) if blank}
    values: dict[str, Any] = {}
    for blank, text in blanks.items():
        if blank in _WHO:
            own = re.findall("|".join(sorted(names, key=len, reverse=True)), text)
            values[blank] = [] if text == "the next" else [names.index(name) for name in own]
        elif nouns[blank] == "words":
            values[blank] = NUMBERS.index(text) if text in NUMBERS else int(text)
        elif re.fullmatch(r"[\d,]+( \w+)?", text):
            value, _, noun = text.replace(",", "").partition(" ")
            values[blank] = int(value)
            wanted = nouns[blank] or ""
            assert noun == (wanted if int(value) == 1 or not wanted else f"{wanted}s"), text
        else:
            values[blank] = text
    return Claim(key, values, frozenset(b for b, text in blanks.items() if text.endswith("’s stand-in")))


def claims_of(text: str, names: Sequence[str]) -> list[Claim]:
    """What the sentences of a story claim; every letter of them belongs to exactly one claim."""
    first, _, second = text.partition(". ")
    if not second:
        first = first.removesuffix(".")
    ways = [
        [opening, *how]
        for end in range(len(first) + 1)
        for opening in read(first[:end], OPENINGS, names)
        for how in ([[one] for one in read(first[end:], HOW, names)] if end < len(first) else [[]])
    ]
    assert len(ways) == 1, (text, ways)
    if not second:
        return ways[0]
    more = read(second.removesuffix("."), MORE, names)
    assert second.endswith(".")
    assert len(more) == 1, (text, more)
    return [*ways[0], *more]


def claims_of_moment(text: str, names: Sequence[str]) -> list[Claim]:
    """The same for a key moment."""
    first, *rest = text.removesuffix(".").split(". ")
    assert text.endswith(".")
    found = read(first, MOMENTS, names)
    assert len(found) == 1, (text, found)
    for sentence in rest:
        found += read(sentence, AFTER, names)
    assert len(found) == 1 + len(rest)
    return found


def _won(game: Game, v: dict[str, Any]) -> bool:
    (who,) = v["who"]
    rest = sorted(total for seat, total in enumerate(game.totals) if seat != who)
    second = [seat for seat, total in enumerate(game.totals) if total == rest[0]]
    return (
        game.alone(game.totals, who)
        and v.get("total", game.totals[who]) == game.totals[who]
        and v["margin"] == rest[0] - game.totals[who]
        and v.get("more", rest[0]) == rest[0]
        and ("second" not in v or (v["second"] == second if len(second) < 3 else not v["second"]))
    )


def _uncharged(game: Game) -> bool:
    return not any(game.charges)


def _rounds(game: Game) -> int:
    return len(game.points)


def _winners(game: Game) -> list[int]:
    return [seat for seat, total in enumerate(game.totals) if total == min(game.totals)]


def _only_winner(game: Game) -> int:
    (who,) = _winners(game)
    return who


def _last_after(game: Game, seat: int, rounds: int) -> bool:
    return game.alone([-points for points in game.after(rounds)], seat)


def _taken(game: Game, seat: int) -> list[tuple[int, int]]:
    """The tricks with points that a seat took."""
    return [
        (number, place)
        for number, tricks in enumerate(game.tricks)
        for place, one in enumerate(tricks)
        if one.taker == seat and one.points
    ]


def _clean(game: Game) -> list[int]:
    return [number for number, points in enumerate(game.points) if not points[_only_winner(game)]]


def _given(game: Game, giver: int, taker: int) -> int:
    return sum(
        game.worth(number, one.cards[giver])
        for number, tricks in enumerate(game.tricks)
        for one in tricks
        if one.taker == taker
    )


def _often(text: str) -> int:
    return 2 if text == "twice" else NUMBERS.index(text.removesuffix(" times"))


def _faults(game: Game, seat: int, v: dict[str, Any]) -> bool:
    words = "a fault" if game.record.seats[seat].faults == 1 else "faults"
    return v["charge"] == game.charges[seat] > 0 and v["faults"] == words


def _leaders(game: Game) -> list[int]:
    found = []
    for rounds in range(1, _rounds(game) + 1):
        sums = game.after(rounds)
        found += [seat for seat in range(game.seats) if game.alone(sums, seat)]
    return found


def _handed(game: Game, seat: int, v: dict[str, Any]) -> bool:
    reason = game.record.seats[seat].hand_over
    return reason is not None and v["why"] == REASONS[reason.value]


def _when(game: Game, seat: int) -> str:
    round_, question = game.record.seats[seat].hand_over_at or (0, 0)
    if question == 0:
        return "from the start" if round_ == 0 else f"from round {round_} on"
    return f"from trick {question - 1} of round {round_} on"


Check = Callable[[Game, dict[str, Any]], bool]

CHECKS: dict[str, Check] = {
    "won": _won,
    "won clean": lambda g, v: _won(g, v) and g.totals[v["who"][0]] == 0,
    "led": lambda g, v: (
        _won(g, v)
        and _uncharged(g)
        and all(g.alone(g.after(rounds), v["who"][0]) for rounds in range(1, _rounds(g) + 1))
    ),
    "came back": lambda g, v: (
        _won(g, v) and _uncharged(g) and _last_after(g, v["who"][0], v["rounds"]) and v["all"] == _rounds(g)
    ),
    "came back late": lambda g, v: (
        _won(g, v) and _uncharged(g) and _last_after(g, v["who"][0], _rounds(g) - 1)
    ),
    "overtook": lambda g, v: (
        _won(g, v)
        and _uncharged(g)
        and g.alone(g.after(_rounds(g) - 1), v["other"][0])
        and v["other"] != v["who"]
    ),
    "overtook second": lambda g, v: CHECKS["overtook"](g, v) and g.totals[v["other"][0]] == v["more"],
    "last trick": lambda g, v: (
        _won(g, v)
        and _uncharged(g)
        and g.after(_rounds(g) - 1, len(g.tricks[-1]) - 1)[v["who"][0]]
        > min(g.after(_rounds(g) - 1, len(g.tricks[-1]) - 1))
    ),
    "shared": lambda g, v: (
        v["who"] == _winners(g) and 1 < len(v["who"]) < g.seats and v["total"] == min(g.totals)
    ),
    "shared clean": lambda g, v: v["who"] == _winners(g) and len(v["who"]) > 1 and min(g.totals) == 0,
    "all level": lambda g, v: v["who"] == list(range(g.seats)) and set(g.totals) == {v["total"]},
    "no papayoo": lambda g, v: _only_winner(g) not in g.takers() and _rounds(g) > 1,
    "no papayoo once": lambda g, v: _only_winner(g) not in g.takers() and _rounds(g) == 1,
    "clean round": lambda g, v: _clean(g) == [v["round"]],
    "clean rounds": lambda g, v: len(_clean(g)) == v["rounds"] > 1 and v["all"] == _rounds(g) > v["rounds"],
    "clean end": lambda g, v: (
        v["rounds"] > 1 and _clean(g) == list(range(_rounds(g) - v["rounds"], _rounds(g)))
    ),
    "first": lambda g, v: _clean(g)[: v["round"]] == list(range(v["round"])) and v["round"] not in _clean(g),
    "first late": lambda g, v: _rounds(g) > 1 and _clean(g) == list(range(_rounds(g) - 1)),
    "first trick": lambda g, v: _taken(g, _only_winner(g))[0] == (v["round"], v["trick"]) and v["round"] > 0,
    "one round": lambda g, v: _clean(g) == [n for n in range(_rounds(g)) if n != v["round"]],
    "one trick": lambda g, v: len(_taken(g, _only_winner(g))) == 1,
    "few": lambda g, v: (
        len(_taken(g, _only_winner(g))) == v["tricks"] and v["all"] == sum(map(len, g.tricks))
    ),
    "late": lambda g, v: min(t for _, t in _taken(g, _only_winner(g))) == v["trick"] and _rounds(g) > 1,
    "late alone": lambda g, v: _taken(g, _only_winner(g))[0] == (0, v["trick"]) and _rounds(g) == 1,
    "into": lambda g, v: (
        _given(g, _only_winner(g), v["other"][0]) == v["points"] and v["other"] != _winners(g)
    ),
    "gave": lambda g, v: (
        list(zip(g.givers(), g.takers(), strict=True)).count((_only_winner(g), v["other"][0]))
        == _often(v["times"])
    ),
    "despite": lambda g, v: _faults(g, _only_winner(g), v),
    "despite round": lambda g, v: g.points[v["round"]][_only_winner(g)] == v["points"],
    "papayoo": lambda g, v: (
        g.takers().count(v["who"][0]) == v["rounds"] > 1 and v["rounds"] < v["all"] == _rounds(g)
    ),
    "papayoo both": lambda g, v: g.takers() == v["who"] * 2,
    "papayoo all": lambda g, v: g.takers() == v["who"] * v["all"],
    "papayoo once": lambda g, v: (
        [n for n, seat in enumerate(g.takers()) if seat == v["who"][0]] == [v["round"]]
        and _only_winner(g) not in g.takers()
        and g.totals[v["who"][0]] - 40 < min(g.totals)
    ),
    "papayoo lost": lambda g, v: (
        [n for n, seat in enumerate(g.takers()) if seat == v["who"][0]] == [v["round"]]
        and g.totals[v["who"][0]] - min(g.totals) == v["margin"] > 0
    ),
    "share": lambda g, v: g.points[v["round"]][v["who"][0]] == v["points"] < 250 and _rounds(g) > 1,
    "everything": lambda g, v: g.points[v["round"]][v["who"][0]] == 250,
    "share alone": lambda g, v: g.points[0][v["who"][0]] == v["points"] and _rounds(g) == 1,
    "everything alone": lambda g, v: g.points[0][v["who"][0]] == 250 and _rounds(g) == 1,
    "most": lambda g, v: g.after(_rounds(g))[v["who"][0]] == v["points"] and v["every"] == 250 * _rounds(g),
    "big trick": lambda g, v: any(
        one.taker == v["who"][0] and one.points == v["points"] for one in g.tricks[v["round"]]
    ),
    "lost there": lambda g, v: g.points[-1][v["who"][0]] == v["points"],
    "lost lead": lambda g, v: (
        _uncharged(g)
        and g.alone(g.after(_rounds(g) - 1), v["who"][0])
        and v["who"][0] not in _winners(g)
        and g.points[-1][v["who"][0]] == v["points"]
    ),
    "first to last": lambda g, v: (
        _uncharged(g)
        and g.alone(g.after(v["rounds"]), v["who"][0])
        and v["all"] == _rounds(g)
        and g.totals[v["who"][0]] == max(g.totals)
    ),
    "first to last late": lambda g, v: CHECKS["first to last"](
        g, {**v, "rounds": _rounds(g) - 1, "all": _rounds(g)}
    ),
    "changes": lambda g, v: (
        _uncharged(g)
        and sum(a != b for a, b in zip(_leaders(g), _leaders(g)[1:], strict=False)) == _often(v["times"])
    ),
    "last": lambda g, v: (
        v["who"] == [s for s in range(g.seats) if g.totals[s] == max(g.totals)]
        and v["total"] == max(g.totals)
    ),
    "fewest but": lambda g, v: g.alone(g.after(_rounds(g)), v["who"][0]) and _faults(g, v["who"][0], v),
    "charged": lambda g, v: _faults(g, v["who"][0], v),
    "stand-in": lambda g, v: _handed(g, v["who"][0], v) and v["when"] == _when(g, v["who"][0]),
    "stand-ins": lambda g, v: (
        len(v["who"]) > 1
        and v["who"] == [s for s in range(g.seats) if g.record.seats[s].hand_over is not None]
    ),
}
"""Whether what a sentence claims is so."""


@dataclass(frozen=True)
class Spot:
    """Where a key moment is: by its link."""

    round: int
    trick: int | None
    turn: int | None


def spot(anchor: str) -> Spot:
    """The place that a link leads to."""
    found = re.fullmatch(r"r(\d+)(?:t(\d+)(?:c(\d+))?|p)?", anchor)
    assert found is not None
    round_, trick, turn = (None if part is None else int(part) for part in found.groups())
    assert round_ is not None
    return Spot(round_, trick, turn)


def moment_holds(game: Game, claim: Claim, at: Spot) -> bool:
    """Whether what a key moment claims is so at its place."""
    v, key = claim.values, claim.key
    if key in ("round share", "round everything"):
        return game.points[at.round][v["who"][0]] == v.get("points", 250) and at.trick is None
    if key == "took over":
        seat = v["who"][0]
        question = 0 if at.trick is None else at.trick + 1
        return _handed(game, seat, v) and game.record.seats[seat].hand_over_at == (at.round, question)
    assert at.trick is not None
    assert at.turn is not None
    one = game.tricks[at.round][at.trick]
    if key == "from here":
        return _from_here(game, v["who"][0], at)
    taker, giver = v["taker"][0], (one.leader + at.turn) % game.seats
    card = one.cards[giver]
    for blank, seat in (("taker", taker), ("giver", giver)):
        if blank in v and (blank in claim.by_stand_in) != (seat in one.stand_in and not game.absent(seat)):
            return False
    return (
        one.taker == taker
        and one.points == v["points"]
        and v.get("giver", [giver]) == [giver]
        and game.worth(at.round, card) == max(game.worth(at.round, other) for other in one.cards)
        and (card == f"{game.dice[at.round]}7") == ("apayoo" in PHRASES[key])
        and _HOW_IT_CAME[key](game, one, at, v)
    )


def _from_here(game: Game, who: int, at: Spot) -> bool:
    """From this trick on the winner leads alone, and just before it did not."""
    assert at.trick is not None
    places = [
        (number, tricks)
        for number in range(at.round, _rounds(game))
        for tricks in range(at.trick + 1 if number == at.round else 1, len(game.tricks[number]) + 1)
    ]
    return (
        who == _only_winner(game)
        and _uncharged(game)
        and all(game.alone(game.after(*place), who) for place in places)
        and not game.alone(game.after(at.round, at.trick), who)
    )


def _held(game: Game, at: Spot, seat: int) -> list[str]:
    """The cards that a seat held when a trick began."""
    assert at.trick is not None
    return [one.cards[seat] for one in game.tricks[at.round][at.trick :]]


def _of_led(game: Game, one: Laid, at: Spot) -> list[int]:
    """The ranks that the taker could have played."""
    led = one.cards[one.leader][0]
    return sorted(int(card[1:]) for card in _held(game, at, one.taker) if card[0] == led)


def _follows(one: Laid, game: Game, at: Spot) -> bool:
    """Somebody else's Papayoo was played to its suit, and taken by one who did not lead."""
    return one.cards[one.leader][0] == game.dice[at.round] and one.leader != one.taker


def _back(game: Game, one: Laid, at: Spot, v: dict[str, Any]) -> bool:
    giver = (one.leader + (at.turn or 0)) % game.seats
    return one.cards[giver] in game.passes[at.round][one.taker] and giver == (one.taker + 1) % game.seats


_HOW_IT_CAME: dict[str, Callable[[Game, Laid, Spot, dict[str, Any]], bool]] = {
    "thrown": lambda g, one, at, v: (
        v["suit"] == SUIT_NAMES[one.cards[one.leader][0]] + "s"
        and not any(card[0] == one.cards[one.leader][0] for card in _held(g, at, v["giver"][0]))
    ),
    "caught by lead": lambda g, one, at, v: (
        one.leader == one.taker != v["giver"][0]
        and v["card"] == one.cards[one.taker]
        and v["card"][0] == g.dice[at.round]
    ),
    "caught": lambda g, one, at, v: (
        _follows(one, g, at) and v["card"] == one.cards[one.taker]
        and _of_led(g, one, at)[0] < int(v["card"][1:])
    ),
    "caught by lowest": lambda g, one, at, v: (
        _follows(one, g, at) and v["card"] == one.cards[one.taker] and v["suit"] == SUIT_NAMES[v["card"][0]]
        and _of_led(g, one, at)[0] == int(v["card"][1:]) and len(_of_led(g, one, at)) > 1
    ),
    "caught by only": lambda g, one, at, v: (
        _follows(one, g, at) and v["card"] == one.cards[one.taker] and v["suit"] == SUIT_NAMES[v["card"][0]]
        and _of_led(g, one, at) == [int(v["card"][1:])]
    ),
    "own": lambda g, one, at, v: one.cards[one.taker] == f"{g.dice[at.round]}7" and one.leader != one.taker,
    "own led": lambda g, one, at, v: (
        one.cards[one.taker] == f"{g.dice[at.round]}7" and one.leader == one.taker
    ),
    "papayoo back": _back,
    "back": lambda g, one, at, v: _back(g, one, at, v) and v["card"] in one.cards,
    "big": lambda g, one, at, v: v["card"] == one.cards[v["giver"][0]] and v["giver"] != v["taker"],
    "big own": lambda g, one, at, v: v["card"] == one.cards[v["taker"][0]],
}  # fmt: skip
