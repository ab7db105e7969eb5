"""Makes cards, sentences with cards, and the cells of hands and tricks, as markup.

A page of a match has about 500 such cells, and a league has thousands of these pages: a template would take
five times as long. Names of cards are printed as they are (a `CardFace` has no other), numbers too. All other
text is escaped, and what comes from elsewhere is made visible.

The letter of the suit and the rank are text, or the suit heads the column; the style sheet adds the symbol.
The markup is lean, as templates/match.html says.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import cache
from itertools import groupby

from markupsafe import Markup, escape

from reports.pages.example_round import ExampleTrick
from reports.pages.rounds import CardFace, HandRow, OtherRow, Part, Sentence, TrickRow
from reports.text import visible

_SUITS = "shdcp"


def card(face: CardFace) -> Markup:
    """Return a card in a sentence. Its suit is the class: the style sheet adds the symbol."""
    return Markup(_card(face))  # noqa: S704 - letters of a suit and a number


def card_name(face: CardFace) -> Markup:
    """Return the name of a card that stands among others of its suit."""
    return Markup(_name(face))  # noqa: S704 - letters of a suit and a number


def _card(face: CardFace) -> str:
    return f"<i class={face.suit}>{_name(face)}</i>"


def _name(face: CardFace) -> str:
    return f"<b>{face.name}</b>" if face.papayoo else face.name


def told(sentence: Sentence) -> Markup:
    """Return a sentence in which cards stand apart from the text."""
    return Markup("".join(map(_part, sentence)))  # noqa: S704 - _part escapes


def _part(part: Part) -> str:
    return _card(part.card) if part.card else escape(visible(part.text))


def hand_rows(hands: Sequence[HandRow]) -> Markup:
    """Return the rows of the hands of a round, a line each: seat and name, and a cell a suit."""
    return Markup("\n".join(map(_hand_row, hands)))  # noqa: S704 - ours, names are escaped


def _hand_row(row: HandRow) -> str:
    who = f"{row.seat} <bdi>{escape(visible(row.bot))}</bdi>{'*' if row.passed_by_stand_in else ''}"
    return f"<tr><th>{who}{_hand_cells(row.dealt, row.passed)}"


def _hand_cells(dealt: Sequence[CardFace], passed: Sequence[CardFace]) -> str:
    """Return the cells of a hand: the ranks, a cell a suit.

    An empty cell is closed, or the end of the line would be in it. What is passed on is in an `<s>`; the
    style sheet has a word for it to be read out.
    """
    away = {face.name for face in passed}
    held: dict[str, list[CardFace]] = {suit: [] for suit in _SUITS}
    for face in dealt:
        held[face.suit].append(face)
    return "".join([f"<td>{_ranks(faces, away)}" if faces else "<td></td>" for faces in held.values()])


def _ranks(faces: Sequence[CardFace], away: set[str]) -> str:
    """Return the ranks of the cards of one suit. Neighbours that are both passed share an `<s>`."""
    if away.isdisjoint([face.name for face in faces]):
        return _spaced(faces)
    runs = groupby(faces, key=lambda face: face.name in away)
    return " ".join([f"<s>{_spaced(run)}</s>" if passed else _spaced(run) for passed, run in runs])


def _spaced(faces: Iterable[CardFace]) -> str:
    return " ".join([f"<b>{face.rank}</b>" if face.papayoo else face.rank for face in faces])


def others_cells(row: OtherRow) -> Markup:
    """Return the points of others with the same cards, each with the difference to this match."""
    cells = [f"<td>{points} {_away(away)}" for points, away in zip(row.points, row.away, strict=True)]
    return Markup("".join(cells))  # noqa: S704 - numbers


def _away(points: int) -> str:
    if not points:
        return "±0"
    return f"<b>+{points}</b>" if points > 0 else f"<i>−{-points}</i>"  # 250 at most


@cache
def worked_rows(tricks: tuple[ExampleTrick, ...]) -> Markup:
    """Return the rows of the tricks of the example in the rules: the same in all languages."""
    return Markup("\n".join(map(_worked_row, tricks)))  # noqa: S704 - cards and numbers


def _worked_row(trick: ExampleTrick) -> str:
    faces = ((_card(one.face), one.takes) for one in trick.by_seat)
    cells = "".join(f"<td><mark>{face}</mark></td>" if takes else f"<td>{face}</td>" for face, takes in faces)
    leader = trick.cards[0].seat
    return f'<tr><th scope="row">{trick.number}</th><td>{leader}</td>{cells}<td>{trick.points}</td></tr>'


def trick_rows(tricks: Sequence[TrickRow], round_: str, named: Collection[str] = ()) -> Markup:
    """Return the rows of the tricks of a round, a line each. `round_`: the name of its place on the page.

    `named`: the places of tricks to which a link of the page leads: "r1t5".
    """
    anchors = (f"{round_}t{trick.number}" for trick in tricks)
    rows = (
        _trick_row(trick, anchor if trick.stand_in or anchor in named else "")
        for trick, anchor in zip(tricks, anchors, strict=True)
    )
    return Markup("\n".join(rows))  # noqa: S704 - ours, and _played escapes


def _trick_row(trick: TrickRow, anchor: str) -> str:
    """Return the row of a trick. `anchor`: its `id`, empty where no link of the page leads to it.

    Its class is the suit that was led, Payoo if none, and its cards inherit that. Links to faults lead where
    the stand-in played. The text of a cell is the card alone, for replay.js reads it.
    """
    led = trick.led
    parts = [
        "<tr",
        f" id={anchor}" if anchor else "",
        f" class={led}" if led != "p" else "",
        f"><th>{trick.number}<td>{trick.leader}",
    ]
    for seat, face in enumerate(trick.cards):
        kind = "t" if seat == trick.taker else face.suit if face.suit != led else ""
        star = "*" if face.stand_in else ""
        parts.append(f"<td{f' class={kind}' if kind else ''}>{_name(face)}{star}")
    parts.append(f"<td>{trick.taker}<td>{trick.points}<td>{trick.so_far}")
    return "".join(parts)
