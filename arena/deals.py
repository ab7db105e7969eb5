"""The deals: boards, dice and all else that a secret decides, checkable by all once it is shown.

Pure: it takes no secret from anywhere (the caller draws or reads it) and keeps no state. Everything
is h(label, a, b, ...) = HMAC-SHA256(key, ASCII "papayoo-1|label|a|b|..."), with whole numbers in
decimal and cards by their names. `arena/vectors/README.md` explains it for other languages.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from arena.papayoo import CARD_NAMES, DIE, PAYOO, SUITS, Board, cards_of, deck, hand_size, mask_of

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


@dataclass(frozen=True, slots=True, repr=False)
class Deals:
    """All that the key of one stretch decides.

    Its text form leaves the key out, for it is secret until the stretch has ended.
    """

    key: bytes

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
        digests = self._beginning_with(f"papayoo-1|card|{place}|".encode("ascii"), _named_deck(players))
        drawn = sorted(digests)
        size = hand_size(players)
        hands = (drawn[start : start + size] for start in range(0, len(drawn), size))
        die = DIE[self._h(f"die|{place}")[0] % len(DIE)]
        return Board(tuple(mask_of(card for _, card in hand) for hand in hands), die)

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
        return hmac.digest(self.key, f"papayoo-1|{text}".encode("ascii"), "sha256")

    def _beginning_with(
        self, prefix: bytes, named: Iterable[tuple[int, bytes]]
    ) -> Iterator[tuple[bytes, int]]:
        """The HMAC of `prefix` and each name, with its number. As RFC 2104 has it, in a third of the time of
        one call each: what is the same in all of them is hashed once."""
        key = self.key.ljust(hashlib.sha256().block_size, b"\0")
        inner, outer = (
            hashlib.sha256(key.translate(_INNER_PAD) + prefix),
            hashlib.sha256(key.translate(_OUTER_PAD)),
        )
        for number, name in named:
            inside, outside = inner.copy(), outer.copy()
            inside.update(name)
            outside.update(inside.digest())
            yield outside.digest(), number


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
def _named_deck(players: int) -> tuple[tuple[int, bytes], ...]:
    """The cards in play, each with its name in ASCII."""
    return tuple((card, CARD_NAMES[card].encode("ascii")) for card in cards_of(deck(players)))


def _place(match: MatchKey) -> str:
    return f"{match.cycle}|{match.index}|{match.order}|{match.attempt}"


def _checked(secret: bytes) -> bytes:
    if len(secret) != SECRET_BYTES:
        raise ValueError(f"a secret of {len(secret)} bytes: expected {SECRET_BYTES}")
    return secret
