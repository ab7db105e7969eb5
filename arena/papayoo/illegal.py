"""The reasons why a pass or a play is against the rules, and the exception for callers that did not ask.

A bot's wrong move is data, no exception: ask `why_illegal_pass` or `why_illegal_play` and keep the
`Illegal`. `choose_pass` and `play` raise `IllegalMove` when their caller did not ask first.
"""

from __future__ import annotations

from enum import Enum
from typing import Final


class Illegal(Enum):
    """A reason why a move is against the rules. When several apply, the first in this order is given.

    The value is a stable code for records and vectors; `sentence` is for people.
    """

    NOT_PASSING = "not_passing"
    ALREADY_CHOSEN = "already_chosen"
    NOT_PLAYING = "not_playing"
    NOT_IN_HAND = "not_in_hand"
    WRONG_COUNT = "wrong_count"
    MUST_FOLLOW = "must_follow"

    @property
    def sentence(self) -> str:
        """Return the reason in words."""
        return _SENTENCES[self]


_SENTENCES: Final = {
    Illegal.NOT_PASSING: "the pass is over: every seat has chosen its cards",
    Illegal.ALREADY_CHOSEN: "this seat has already chosen its pass, and may not change it",
    Illegal.NOT_PLAYING: "no card can be played before every seat has passed, or after the last trick",
    Illegal.NOT_IN_HAND: "a card that is not in the hand cannot be passed or played",
    Illegal.WRONG_COUNT: "the number of cards passed must be exactly the table's pass count",
    Illegal.MUST_FOLLOW: "a seat that holds cards of the led suit must play one of them",
}


class IllegalMove(Exception):  # noqa: N818  (a move, in the words of the game)
    """Raised for a pass or play that the rules forbid: a mistake of the calling program.

    `reason` says why.
    """

    def __init__(self, reason: Illegal) -> None:
        super().__init__(reason.sentence)
        self.reason = reason
