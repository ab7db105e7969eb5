"""Why a pass or a play is against the rules: the reasons, and the exception for code that should have asked.

A bot's wrong move is data: ask `why_illegal_pass` or `why_illegal_play` and keep the `Illegal`. `IllegalMove`
is what `choose_pass` and `play` raise when the program around them did not ask.
"""

from __future__ import annotations

from enum import Enum


class Illegal(Enum):
    """A reason; of several that apply, the first here is given.

    Its value is a stable code for records and vectors; `sentence` is for people.
    """

    sentence: str

    NOT_PASSING = "not_passing", "the pass is over: every seat has chosen its cards"
    ALREADY_CHOSEN = "already_chosen", "this seat has already chosen its pass, and may not change it"
    NOT_PLAYING = "not_playing", "no card can be played before every seat has passed, or after the last trick"
    NOT_IN_HAND = "not_in_hand", "a card that is not in the hand cannot be passed or played"
    WRONG_COUNT = "wrong_count", "the number of cards passed must be exactly the table's pass count"
    MUST_FOLLOW = "must_follow", "a seat that holds cards of the led suit must play one of them"

    def __new__(cls, code: str, sentence: str) -> Illegal:
        """Keep the code as the value, so that `Illegal("must_follow")` finds its reason."""
        reason = object.__new__(cls)
        reason._value_ = code
        reason.sentence = sentence
        return reason


class IllegalMove(Exception):  # noqa: N818  (a move, in the words of the game)
    """A pass or play that the rules forbid was made: a mistake of the calling program. `reason` says why."""

    def __init__(self, reason: Illegal) -> None:
        super().__init__(reason.sentence)
        self.reason = reason
