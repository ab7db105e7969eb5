"""Probes of the parts of a referee, each alone and without processes: rules, state machine, codec, record."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from itertools import islice
from typing import Final

import trio

from arena.bench.figures import Measure, Sample
from arena.bench.played import decisions, lines_of, match_keys, play_out, record_of, setup_of
from arena.linux.alarm import run
from arena.linux.scheduling import placed
from arena.papayoo import Board, Round, card_at, cards_of, mask_of
from arena.referee.jobs import Finished, write_message
from protocol.canonical import canonical_card, canonical_cards
from protocol.codec import line_of
from protocol.messages import read_answer

__all__ = ["CLOCK", "CODEC", "MATCH", "RECORD", "RULES", "RULES_US", "Parts", "playout"]

RULES: Final = Measure("playout_per_s", "rules alone, playouts: decisions a second", "", more_is_better=True)
MATCH: Final = Measure("match_us", "state machine, a decision", "us")
RULES_US: Final = Measure("rules_us", "rules alone, a decision", "us")
RECORD: Final = Measure("record_us", "record to a line for the coordinator, a decision", "us")
CLOCK: Final = Measure("clock_us", "clock, a decision", "us")
CODEC: Final = Measure("codec_us", "codec, a decision", "us")


class Parts:
    """The parts in one process. A sample puts `matches` matches through each part.

    `sizes`: the mean bytes (asked, answered) of a decision.
    """

    name = "parts"
    title = "Parts in one process"
    measures = (RULES, RULES_US, MATCH, CODEC, RECORD, CLOCK)

    def __init__(self, seats: int, matches: int, core: int | None) -> None:
        self._cores = () if core is None else (core,)
        self._decisions = decisions(seats) * matches
        self._games = [(key, setup_of(key, seats)) for key in islice(match_keys(seats), matches)]
        self._said = [lines_of(key, setup) for key, setup in self._games]
        self._sent = [message for lines in self._said for message in lines.sent]
        self._answers = [
            answered for lines in self._said for answered in zip(lines.ids, lines.answer_lines(), strict=True)
        ]
        bots = tuple(f"bot{number}" for number in range(seats))
        self._records = [
            record_of(key, setup, play_out(key, setup, lines.answers), bots)
            for (key, setup), lines in zip(self._games, self._said, strict=True)
        ]
        sent = sum(len(line_of(message.packed)) for message in self._sent)
        self.sizes = sent // self._decisions, sum(len(line) for _, line in self._answers) // self._decisions

    def sample(self) -> Sample:
        """See `Probe`."""
        with placed(self._cores):
            rules = self._us_a_decision(self._playouts)
            return {
                RULES.key: 1e6 / rules,
                RULES_US.key: rules,
                MATCH.key: self._us_a_decision(self._matches),
                CODEC.key: self._us_a_decision(self._code),
                RECORD.key: self._us_a_decision(self._write_down),
                CLOCK.key: run(self._clock),
            }

    def _us_a_decision(self, work: Callable[[], None]) -> float:
        """Return the processor time of `work` a decision, in microseconds.

        Processor time, since other programs on the core then matter only through the caches.
        """
        before = time.thread_time_ns()
        work()
        return (time.thread_time_ns() - before) / 1000 / self._decisions

    def _playouts(self) -> None:
        chance = random.Random(0)  # noqa: S311 - the same playouts each time
        for _, setup in self._games:
            for dealer, board in enumerate(setup.boards):
                playout(board, dealer, chance)

    def _matches(self) -> None:
        for (key, setup), lines in zip(self._games, self._said, strict=True):
            play_out(key, setup, lines.answers)

    def _code(self) -> None:
        for message in self._sent:
            line_of(message.packed)
        for name, line in self._answers:
            # The quick way first, as the referee's inbox does it.
            if canonical_card(line, name) is None and canonical_cards(line, name) is None:
                read_answer(line)

    async def _clock(self) -> float:
        """Return the time of reading the clock at a question's beginning and end, as a link does it."""
        now = trio.lowlevel.current_clock().current_time

        def read() -> None:
            for _ in range(self._decisions):
                now()
                now()

        return self._us_a_decision(read)

    def _write_down(self) -> None:
        for record in self._records:
            write_message(Finished(record, 0))


def playout(board: Board, dealer: int, chance: random.Random) -> None:
    """Play a round at random, by the rules alone."""
    current = Round.deal(board, dealer)
    for seat, hand in enumerate(tuple(current.hands)):
        current.choose_pass(seat, mask_of(cards_of(hand)[: current.pass_count]))
    while not current.over:
        legal = current.legal()
        current.play(card_at(legal, int(chance.random() * legal.bit_count())))
