"""Plain means of the bots at some of the seats, as text and as JSON: numbers to look at, not a score."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass

from arena.cli.layout import prose
from arena.cli.leaderboard import names_of, narrow_table
from arena.store.views import MatchView, SeasonView, SeatView

__all__ = ["AtSeats", "SeatMean", "seat_means"]


@dataclass(frozen=True, slots=True)
class SeatMean:
    """A bot at the seats looked at: how many `rounds` it sat there, and its points a round.

    `mean` is of card and fault points together. All three are None if it never sat there.
    """

    bot: str
    rounds: int
    mean: float | None
    card_points: float | None
    fault_points: float | None


def seat_means(matches: Iterable[MatchView], bots: Sequence[str], seats: Sequence[int]) -> list[SeatMean]:
    """The means of `bots` over the matches that count, fewest points first."""
    rounds: Counter[str] = Counter()
    cards: Counter[str] = Counter()
    charges: Counter[str] = Counter()
    for match, seat in _sittings(matches, frozenset(seats)):
        rounds[seat.bot] += match.rounds
        cards[seat.bot] += seat.points
        charges[seat.bot] += seat.charge
    means = [_mean(bot, rounds[bot], cards[bot], charges[bot]) for bot in bots]
    return sorted(means, key=lambda each: (each.mean is None, each.mean or 0.0))


def _mean(bot: str, rounds: int, cards: int, charges: int) -> SeatMean:
    if not rounds:
        return SeatMean(bot, 0, None, None, None)
    return SeatMean(bot, rounds, (cards + charges) / rounds, cards / rounds, charges / rounds)


def _sittings(matches: Iterable[MatchView], seats: frozenset[int]) -> Iterable[tuple[MatchView, SeatView]]:
    return ((match, seat) for match in matches if match.counts for seat in match.seats if seat.seat in seats)


@dataclass(frozen=True, slots=True)
class AtSeats:
    """The means of a season at these `seats`."""

    season: SeasonView
    seats: tuple[int, ...]
    means: tuple[SeatMean, ...]

    def text(self) -> str:
        """A table that fits the terminal, and what it is not."""
        names = names_of(self.season)
        rows = [
            (
                "-",
                names[each.bot],
                *map(_points, (each.mean, each.card_points, each.fault_points)),
                f"{each.rounds:,}",
            )
            for each in self.means
        ]
        said = f"Plain means at {_seats(self.seats)}: not adjusted for opponents, no intervals, no verdicts."
        table = narrow_table(("rank", "bot", "mean", "card", "fault", "rounds"), rows)
        return "\n".join([*table, "", prose(said)])

    def document(self) -> dict[str, object]:
        """The same numbers in full."""
        means = [asdict(each) for each in self.means]
        return {"season": self.season.number, "only_seats": list(self.seats), "means": means}


def _seats(seats: Sequence[int]) -> str:
    return f"seat{'' if len(seats) == 1 else 's'} {', '.join(map(str, seats))}"


def _points(points: float | None) -> str:
    return "-" if points is None else f"{points:.2f}"
