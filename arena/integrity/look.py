"""One look at all that a league has played, for twins and for favours."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby

from arena.integrity.choices import free_plays
from arena.integrity.favours import Favour, Favours
from arena.integrity.twins import Likeness, Twins
from arena.match.record import MatchRecord


@dataclass(frozen=True, slots=True)
class Integrity:
    """All pairs of bots, the most suspicious first. `usual`: see `Twins.judge`."""

    usual: Mapping[str, float | None]
    twins: tuple[Likeness, ...]
    favours: tuple[Favour, ...]


class Look:
    """Takes in a league session by session, and judges what it has seen so far."""

    def __init__(self) -> None:
        self._twins, self._favours = Twins(), Favours()

    def add(self, session: Iterable[MatchRecord]) -> None:
        """Take in the matches of one session."""
        for record in session:
            bots = [seat.bot for seat in record.seats]
            for number in range(len(record.rounds)):
                self._twins.add_passes(record, number)
                for play in free_plays(record, number):
                    if play.early:
                        self._twins.add_play(record, number, play)
                    self._favours.add_play(bots, play)
        self._twins.end_session()
        self._favours.end_session()

    def judge(self, authors: Mapping[str, str]) -> Integrity:
        """Judge all pairs. `authors`: of bots, "" or missing where unknown."""
        usual, twins = self._twins.judge(authors, self._favours.habits())
        return Integrity(usual, twins, self._favours.judge(authors))


def look_into(records: Iterable[MatchRecord], authors: Mapping[str, str]) -> Integrity:
    """Look into the matches of a league, given session by session; see `Look.judge`."""
    look = Look()
    for _, session in groupby(records, key=lambda record: (record.key.cycle, record.key.index)):
        look.add(session)
    return look.judge(authors)
