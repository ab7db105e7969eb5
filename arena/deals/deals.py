"""The deals: boards, dice and everything else that a secret decides. Anybody can check them once it is shown.

Pure: this module takes no secret from anywhere (the caller draws or reads it) and keeps no state. Every
deal follows from h(label, a, b, ...) = HMAC-SHA256(key, ASCII "papayoo-2|label|a|b|..."), with whole numbers
in decimal and cards by their names. `arena/vectors/README.md` explains it for other languages.

The key is that of one session, which follows from the phase's. So whoever is handed a session's key learns
the deals of that session and no others. What it decides does not depend on the attempt, so a match that is
played again is the same match.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache

from arena.papayoo import CARD_NAMES, DIE, PAYOO, SUITS, Board, cards_of, deck, hand_size

DERIVATION = "papayoo-2"
"""The name of the way in which everything follows from a phase's key."""
SECRET_BYTES = 32
"""The length of a phase's secret."""

CHAIN_LENGTH = 10_000
"""The phases of a season that has such a chain, at most: one an hour for more than a year."""

_PLAIN_SUITS = SUITS[:PAYOO]
# RFC 2104 XORs the key with the bytes 0x36 and 0x5c. These are tables for `bytes.translate`.
_INNER_PAD, _OUTER_PAD = (bytes(byte ^ pad for byte in range(256)) for pad in (0x36, 0x5C))


def check_printable(text: str) -> str:
    """Return the text if it can be a `seed` or a `public_draw`.

    Raises ValueError unless it is one or more printable ASCII characters (space to "~") without
    "|", which separates the parts of what is hashed.
    """
    if not text:
        raise ValueError("the text is empty: expected printable ASCII characters, or leave the key out")
    for place, character in enumerate(text, start=1):
        if not " " <= character <= "~" or character == "|":
            raise ValueError(f'character {place} is {character!a}: expected printable ASCII without "|"')
    return text


def commitment(secret: bytes) -> str:
    """Return what is published before the first match: lowercase hex SHA-256 of the secret's 32 bytes.

    Raises ValueError for a secret of another length.
    """
    return hashlib.sha256(_checked(secret)).hexdigest()


def seeded_secret(seed: str, phase: int, season: int = 1) -> bytes:
    """Return the secret of a phase (from 0) of a season (from 1) of a league with a `seed`.

    Anybody can predict it. A later season has `<seed>#<season>` for a seed, so that its deals are others.
    Raises ValueError for a seed that is not printable.
    """
    own = check_printable(seed) if season == 1 else f"{check_printable(seed)}#{season}"
    return hashlib.sha256(f"papayoo-1|seed|{own}|{phase}".encode("ascii")).digest()


def chained_secret(end: bytes, phase: int) -> bytes:
    """Return the secret of a phase, from 0: the end of the chain, hashed CHAIN_LENGTH - 1 - phase times.

    It is for an open season with a public draw. Whoever knows the draw could try secrets for a later phase
    until its deals suit somebody. So all secrets of the season follow from one end that is drawn before the
    first phase, and the first commitment fixes them: the secret of a phase is the SHA-256 of that of the
    next one. What has been shown checks what is shown later, and tells nothing of it.

    Raises ValueError for an end that has not 32 bytes, and for a phase after the last link.
    """
    if len(end) != SECRET_BYTES:
        raise ValueError(f"the end of a chain has {SECRET_BYTES} bytes, not {len(end)}")
    if not 0 <= phase < CHAIN_LENGTH:
        raise ValueError(f"phase {phase}: the chain of secrets has links for {CHAIN_LENGTH:,} phases")
    secret = end
    for _ in range(CHAIN_LENGTH - 1 - phase):
        secret = hashlib.sha256(secret).digest()
    return secret


def phase_key(secret: bytes, public_draw: str | None = None) -> bytes:
    """Return the key of a phase's `Deals`: its secret, mixed with the public draw if there is one.

    Raises ValueError for a secret of another length than 32 bytes, or a draw that is not printable.
    """
    if public_draw is None:
        return _checked(secret)
    # Nobody decides the deals alone: the secret is committed to beforehand, and nobody could choose the draw.
    message = f"papayoo-1|public|{check_printable(public_draw)}".encode("ascii")
    return hmac.digest(_checked(secret), message, "sha256")


@dataclass(frozen=True, slots=True)
class MatchKey:
    """The name of one playing of one match: seat order `order` of session (cycle, index), all counted from 0.

    `attempt` counts, from 0, how often the arena had to begin the match again.
    """

    cycle: int
    index: int
    order: int
    attempt: int = 0


class _Hmac:
    """HMAC-SHA256 (RFC 2104) of many short texts with one key and a common beginning.

    The key and the common beginning are hashed only once: `hmac.digest` takes three times as long.
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
        """Return the same for texts that begin with this one, after the beginning so far."""
        longer = _Hmac.__new__(_Hmac)
        longer._inner, longer._outer = self._inner.copy(), self._outer
        longer._inner.update(text)
        return longer

    def digest(self, text: bytes) -> bytes:
        """Return the digest of the beginning followed by this text."""
        # A hash object cannot be rewound, so each text goes into copies.
        inside, outside = self._inner.copy(), self._outer.copy()
        inside.update(text)
        outside.update(inside.digest())
        return outside.digest()


@dataclass(frozen=True, slots=True, repr=False)
class PhaseDeals:
    """The deals of a whole phase, from the `key` that `phase_key` returns.

    The text form leaves the key out, because the key is secret until the phase has ended.
    """

    key: bytes

    def __repr__(self) -> str:
        return "PhaseDeals(key hidden)"

    def session(self, cycle: int, index: int) -> Deals:
        """Return the deals of one session. Their key is h(session, cycle, index) of the phase's key."""
        label = f"{DERIVATION}|session|{cycle}|{index}"
        return Deals(hmac.digest(self.key, label.encode("ascii"), "sha256"))


@dataclass(frozen=True, slots=True, repr=False)
class Deals:
    """Everything that is decided beforehand in one session.

    `key`: the session's. The text form leaves it out, because it is secret until the phase has ended. The
    object cannot be pickled: only the key goes to another process.
    """

    key: bytes
    _hmac: _Hmac = field(init=False, compare=False)

    def __post_init__(self) -> None:
        # A frozen dataclass lets no field be set in the ordinary way.
        beginning = f"{DERIVATION}|".encode("ascii")
        object.__setattr__(self, "_hmac", _Hmac(self.key).beginning(beginning))

    def __repr__(self) -> str:
        return "Deals(key hidden)"

    def board(self, round_number: int, players: int) -> Board:
        """Return the prepared deal of a round (from 0), the same in each match of the session.

        The deck is sorted by ascending h(card, round, card). With n cards a hand, position p gets cards p*n
        to p*n + n - 1. The die is the first byte of h(die, round) modulo 8 on the faces S, S, H, H, D, D, C,
        C. Raises ValueError unless there are 3 to 8 players.
        """
        # No seat order and no attempt: every match of a session, however often begun, has the same boards.
        digest = self._hmac.beginning(f"card|{round_number}|".encode("ascii")).digest
        # Sorting by a hash of each card is a shuffle that needs no random generator, so that any language can
        # repeat it.
        cards = {digest(name): card for name, card in _named_deck(players)}
        drawn = [cards[key] for key in sorted(cards)]
        size = hand_size(players)
        hands = [sum(drawn[start : start + size]) for start in range(0, len(drawn), size)]
        # 256 is a multiple of 8, so each face is equally likely.
        die = DIE[self._h(f"die|{round_number}")[0] % len(DIE)]
        return Board(tuple(hands), die)

    def suits(self, match: MatchKey) -> str:
        """Return four letters: what the match calls the canonical suits S, H, D, C.

        The suit that the die shows is one of them. The letters are sorted by ascending h(suit, order,
        letter). Payoo is always P.
        """
        return "".join(sorted(_PLAIN_SUITS, key=lambda letter: self._h(f"suit|{match.order}|{letter}")))

    def bot_seed(self, match: MatchKey, seat: int) -> int:
        """Return the seed that the bot at this seat is told.

        It is the first 4 bytes, big-endian, of h(bot, order, seat).
        """
        return int.from_bytes(self._h(f"bot|{match.order}|{seat}")[:4], "big")

    def standin(self, match: MatchKey, round_number: int, seat: int, question: int) -> int:
        """Return the number that a stand-in chooses with (see `pick`).

        It is the first 8 bytes, big-endian, of h(standin, order, round, seat, question). `round_number` is
        the round's number inside the match, from 0.
        """
        text = f"standin|{match.order}|{round_number}|{seat}|{question}"
        return int.from_bytes(self._h(text)[:8], "big")

    def _h(self, text: str) -> bytes:
        return self._hmac.digest(text.encode("ascii"))


def pick(number: int, choices: Sequence[int], count: int = 1) -> tuple[int, ...]:
    """Return the `count` cards that a stand-in's number chooses, in the order in which they were chosen.

    `choices` are the canonical cards to choose from, ascending. With m cards left, the card at place number
    mod m is taken out and the number becomes floor(number / m). This is repeated `count` times. For a play,
    `count` is 1.

    Raises ValueError for more cards than there are, or a negative number or count.
    """
    if number < 0 or not 0 <= count <= len(choices):
        raise ValueError(f"cannot pick {count} of {len(choices)} cards with {number}")
    # A number has far more values than there are ways to choose, so that mod favours no card noticeably.
    left = list(choices)
    chosen = []
    for _ in range(count):
        number, place = divmod(number, len(left))
        chosen.append(left.pop(place))
    return tuple(chosen)


@cache
def _named_deck(players: int) -> tuple[tuple[bytes, int], ...]:
    """Return the cards in play, each as its name in ASCII and as the set of this card alone."""
    return tuple((CARD_NAMES[card].encode("ascii"), 1 << card) for card in cards_of(deck(players)))


def _checked(secret: bytes) -> bytes:
    if len(secret) != SECRET_BYTES:
        raise ValueError(f"a secret of {len(secret)} bytes: expected {SECRET_BYTES}")
    return secret
