"""What the leaderboard shows: standings with intervals, conduct, how far the league is, its deals."""

from __future__ import annotations

from dataclasses import dataclass

from reports.model.chart import Axis, Interval
from reports.model.comparison import Course, HeatMap, Positions
from reports.model.listing import ListedMatch

__all__ = [
    "BotRow",
    "Certainty",
    "ConductRow",
    "DealRow",
    "Excluded",
    "Leaderboard",
    "PlaceShare",
    "ProgressPart",
    "RulesPart",
    "RulingRow",
    "Undecided",
    "Verdict",
]


@dataclass(frozen=True, slots=True)
class Verdict:
    """The league in a few sentences. `provisional`: how far it is, empty when it is over."""

    provisional: str
    sentence: str
    caution: str


@dataclass(frozen=True, slots=True)
class Undecided:
    """Neighbours of whom it is open who is better: points between them, points needed, and what it takes."""

    better: str
    worse: str
    difference: float
    needed: float
    more: str


@dataclass(frozen=True, slots=True)
class Certainty:
    """How sure the order is. `sentence`: in words; `basis`: what it rests on, empty without verdicts.

    `undecided`: the first of the open pairs, best first; `hidden`: how many more there are. `margin`:
    within how many points two bots count as level, in words, empty if they never do.
    """

    sentence: str
    basis: str
    undecided: tuple[Undecided, ...]
    hidden: int
    margin: str


@dataclass(frozen=True, slots=True)
class BotRow:
    """A line of the standings; points are the mean of a round.

    `ranks`: those still possible, "1–2", and `letters`: shared by bots that cannot be told apart; both
    empty without verdicts. `rank` is None for bots not ranked, `score` before the first complete
    session, `half_width` and `interval` without intervals. `about`: author and language; `note`:
    "disqualified", "house bot"; `reason`: why it is disqualified.
    """

    rank: int | None
    ranks: str
    letters: str
    bot: str
    name: str
    score: float | None
    half_width: float | None
    interval: Interval | None
    about: str
    url: str
    note: str
    reason: str


@dataclass(frozen=True, slots=True)
class PlaceShare:
    """The share of its matches that a bot finished at a place, drawn from `x` on, in percent of the cell."""

    place: int
    share: str
    x: str
    width: str


@dataclass(frozen=True, slots=True)
class ConductRow:
    """Where a bot's points come from, and how it behaved.

    `kinds`: its faults by kind, in words, most frequent first; times are microseconds a decision, None
    before the first, `p95_us` what 95 % of them did not exceed. `places`: empty before the first match.
    """

    bot: str
    name: str
    card_points: float | None
    fault_points: float | None
    rounds: int
    matches: int
    faults: int
    kinds: str
    mean_us: float | None
    p95_us: int | None
    longest_us: int | None
    places: tuple[PlaceShare, ...]


@dataclass(frozen=True, slots=True)
class ProgressPart:
    """How much of the plan is played. `share`: of the sessions, as a width; `text`: the same in words."""

    sessions_complete: int
    sessions_planned: int
    share: str
    matches: int
    text: str


@dataclass(frozen=True, slots=True)
class DealRow:
    """A stretch: what was committed before its first match, and its secret once it has ended.

    `begins`: its first session; `ended`: why it ended, empty while it goes on.
    """

    stretch: int
    begins: str
    commitment: str
    secret: str | None
    ended: str
    public_draw: str
    predictable: bool
    league_digest: str


@dataclass(frozen=True, slots=True)
class Excluded:
    """A session that does not count: "void" or "left out", and why."""

    session: str
    state: str
    reason: str


@dataclass(frozen=True, slots=True)
class RulingRow:
    """A bot that was "disqualified" or "reinstated", from which session on, and why."""

    name: str
    what: str
    begins: str
    reason: str


@dataclass(frozen=True, slots=True)
class RulesPart:
    """The rules of the league that a reader of the page needs. `schedule`: in words."""

    rounds: int
    matches_per_session: int
    schedule: str
    fault_points: int
    max_faults: int


@dataclass(frozen=True, slots=True)
class Leaderboard:
    """Everything on the leaderboard page. `counted_by`: "a round" or, in a duel, "a seat and round".

    `unranked`: disqualified and house bots, and the stand-in. `played_on`: terms with what is said of
    times, versions and the machine.
    """

    seats: int
    par: float
    counted_by: str
    comparable: bool
    verdict: Verdict
    certainty: Certainty
    progress: ProgressPart
    axis: Axis | None
    ranked: tuple[BotRow, ...]
    unranked: tuple[BotRow, ...]
    conduct: tuple[ConductRow, ...]
    heat: HeatMap | None
    course: Course | None
    positions: Positions | None
    recent: tuple[ListedMatch, ...]
    closest: tuple[ListedMatch, ...]
    deals: tuple[DealRow, ...]
    excluded: tuple[Excluded, ...]
    rulings: tuple[RulingRow, ...]
    rules: RulesPart
    sandbox: str
    played_on: tuple[tuple[str, str], ...]
    season: int
    season_digest: str
