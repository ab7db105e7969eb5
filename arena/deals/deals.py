"""The deals: boards, dice and all else that a secret decides, checkable by all once it is shown.

Pure: it takes no secret from anywhere (the caller draws or reads it) and keeps no state. Everything
is h(label, a, b, ...) = HMAC-SHA256(key, ASCII "papayoo-1|label|a|b|..."), with whole numbers in
decimal and cards by their names. `arena/vectors/README.md` explains it for other languages.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache

from arena.papayoo import CARD_NAMES, DIE, PAYOO, SUITS, Board, cards_of, deck, hand_size

SECRET_BYTES = 32

_PLAIN_SUITS = SUITS[:PAYOO]
_INNER_PAD, _OUTER_PAD = (bytes(byte ^ pad for byte in range(256)) for pad in (0x36, 0x5C))


def check_printable(text: str) -> str:
    """The text itself, if it can be a `seed` or a `public_draw`.

    Raises ValueError unless it is one or more printable ASCII characters (space to "~") without
    "|", which separates the parts of what is hashed.
    """
    if not text:
        raise ValueError("the text is empty: expected printable ASCII characters, or leave the key out")
    for place, character in enumerate(text, start=1):
        if not " " <= character <= "~" or character == "|":
            raise ValueError(
                f'character {place} is {character!a}: expected printable ASCII without "|", '
                "which is hashed as it is"
            )
    return text


def commitment(secret: bytes) -> str:
    """What is published before the first match: lowercase hex SHA-256 of the secret's 32 bytes.

    Raises ValueError for another length.
    """
    return hashlib.sha256(_checked(secret)).hexdigest()


def seeded_secret(seed: str, stretch: int) -> bytes:
    """The secret of stretch `stretch` (from 0) of a league with a `seed`: anybody can predict it.

    Raises ValueError for a seed that is not printable.
    """
    return hashlib.sha256(f"papayoo-1|seed|{check_printable(seed)}|{stretch}".encode("ascii")).digest()


def stretch_key(secret: bytes, public_draw: str | None = None) -> bytes:
    """The key of a stretch's `Deals`: its secret, mixed with the public draw if there is one.

    Raises ValueError for a secret of another length than 32 bytes or a draw that is not printable.
    """
    if public_draw is None:
        return _checked(secret)
    message = f"papayoo-1|public|{check_printable(public_draw)}".encode("ascii")
    return hmac.digest(_checked(secret), message, "sha256")


@dataclass(frozen=True, slots=True)
class MatchKey:
    """Which playing of which match: seat order `order` of session (cycle, index), all from 0.

    `attempt` counts, from 0, how often the match had to be begun again for a reason of ours.
    """

    cycle: int
    index: int
    order: int
    attempt: int = 0


class _Hmac:
    """HMAC-SHA256 (RFC 2104) of many short texts with one key, and with one beginning.

    What is the same in all of them is hashed once: `hmac.digest` takes three times as long.
    """

    __slots__ = ("_inner", "_outer")

    def __init__(self, key: bytes) -> None:
        block = hashlib.sha256().block_size
        if len(key) > block:
            key = hashlib.sha256(key).digest()
        key = key.ljust(block, b"\0")
        self._inner = hashlib.sha256(key.translate(_INNER_PAD))
        self._outer = hashlib.sha256(key.translate(_OUTER_PAD))

    def beginning(self, text: bytes) -> _Hmac:
        """The same for texts that begin so."""
        longer = _Hmac.__new__(_Hmac)
        longer._inner, longer._outer = self._inner.copy(), self._outer
        longer._inner.update(text)
        return longer

    def digest(self, text: bytes) -> bytes:
        """Of the beginning and this text, which is its end."""
        inside, outside = self._inner.copy(), self._outer.copy()
        inside.update(text)
        outside.update(inside.digest())
        return outside.digest()


@dataclass(frozen=True, slots=True, repr=False)
class Deals:
    """All that the key of one stretch decides.

    Its text form leaves the key out, for it is secret until the stretch has ended. It cannot be pickled:
    only the key goes to another process.
    """

    key: bytes
    _hmac: _Hmac = field(init=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_hmac", _Hmac(self.key).beginning(b"papayoo-1|"))

    def __repr__(self) -> str:
        return "Deals(key hidden)"

    def board(self, cycle: int, index: int, round_number: int, players: int) -> Board:
        """The prepared deal of a round (from 0), the same in each match of session (cycle, index).

        The deck is sorted by ascending h(card, cycle, index, round, card); with n cards a hand,
        position p gets cards p*n to p*n + n - 1. The die is the first byte of h(die, cycle, index,
        round) modulo 8 on the faces S, S, H, H, D, D, C, C. Raises ValueError unless there are 3 to
        8 players.
        """
        place = f"{cycle}|{index}|{round_number}"
        digest = self._hmac.beginning(f"card|{place}|".encode("ascii")).digest
        cards = {digest(name): card for name, card in _named_deck(players)}
        drawn = [cards[key] for key in sorted(cards)]
        size = hand_size(players)
        hands = [sum(drawn[start : start + size]) for start in range(0, len(drawn), size)]
        die = DIE[self._h(f"die|{place}")[0] % len(DIE)]
        return Board(tuple(hands), die)

    def suits(self, match: MatchKey) -> str:
        """Four letters: what the match calls the canonical suits S, H, D, C, the rolled one included.

        The letters are sorted by ascending h(suit, cycle, index, order, attempt, letter). Payoo is
        always P.
        """
        place = _place(match)
        return "".join(sorted(_PLAIN_SUITS, key=lambda letter: self._h(f"suit|{place}|{letter}")))

    def bot_seed(self, match: MatchKey, seat: int) -> int:
        """The seed told to the bot at a seat: first 4 bytes, big-endian, of
        h(bot, cycle, index, order, seat, attempt)."""
        text = f"bot|{match.cycle}|{match.index}|{match.order}|{seat}|{match.attempt}"
        return int.from_bytes(self._h(text)[:4], "big")

    def standin(self, match: MatchKey, round_number: int, seat: int, question: int) -> int:
        """The number a stand-in chooses with (see `pick`): first 8 bytes, big-endian, of
        h(standin, cycle, index, order, attempt, round, seat, question).

        `round_number` is the round's number inside the match, from 0.
        """
        text = f"standin|{_place(match)}|{round_number}|{seat}|{question}"
        return int.from_bytes(self._h(text)[:8], "big")

    def _h(self, text: str) -> bytes:
        return self._hmac.digest(text.encode("ascii"))


def pick(number: int, choices: Sequence[int], count: int = 1) -> tuple[int, ...]:
    """The `count` cards that a stand-in's number chooses, in the order in which they were chosen.

    `choices` are the canonical cards it may choose from, ascending. Again and again, with m cards
    left: the card at place number mod m is taken out, and the number becomes floor(number / m). A
    play is a count of 1.

    Raises ValueError for more cards than there are, or a negative number or count.
    """
    if number < 0 or not 0 <= count <= len(choices):
        raise ValueError(f"cannot pick {count} of {len(choices)} cards with {number}")
    left = list(choices)
    chosen = []
    for _ in range(count):
        number, place = divmod(number, len(left))
        chosen.append(left.pop(place))
    return tuple(chosen)


@cache
def _named_deck(players: int) -> tuple[tuple[bytes, int], ...]:
    """The cards in play: the name of each in ASCII, and the set of it alone."""
    return tuple((CARD_NAMES[card].encode("ascii"), 1 << card) for card in cards_of(deck(players)))


def _place(match: MatchKey) -> str:
    return f"{match.cycle}|{match.index}|{match.order}|{match.attempt}"


def _checked(secret: bytes) -> bytes:
    if len(secret) != SECRET_BYTES:
        raise ValueError(f"a secret of {len(secret)} bytes: expected {SECRET_BYTES}")
    return secret
