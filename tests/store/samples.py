"""What the tests of the store share: a small season, and match records that were really played out."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random

from hypothesis import strategies as st

from arena.conduct.exclusion import Ruling
from arena.deals import MatchKey
from arena.match.faults import Fault, FaultKind, HandOver
from arena.match.record import MatchRecord, MatchSetup, RoundRecord, SeatRecord, Terms
from arena.papayoo import Board, Round, card_at, cards_of, dealer_of, mask_of, places
from arena.store import read, write
from arena.store.acts import Decision
from arena.store.database import Database
from arena.store.playing import PlannedSession
from arena.store.views import Entry, NewPhase, NewSeason, Role
from tests.papayoo.setups import SIZES, shuffled_board

BOTS = ("ant", "bee", "cat", "dog", "elk", "fox", "gnu", "hen")
SECRET = bytes(range(32))
TERMS = Terms(1000, 0, 40, 3)


def new_season(seats: int = 4, matches_per_session: int | None = None, sessions: int = 3) -> NewSeason:
    """A season of eight bots, one of them the stand-in."""
    entries = tuple(
        Entry(bot, number, bot.title(), f"digest-{bot}", f"bots/{bot}", ("python", "bot.py"))
        for number, bot in enumerate(BOTS[:-1])
    )
    stand_in = Entry(BOTS[-1], len(BOTS) - 1, "Stand-in", "", "", (), role=Role.STAND_IN)
    return NewSeason(
        opened_at=1_000,
        document='{"seats": 4}',
        digest="d" * 64,
        league_text="[league]\n",
        line_ups="balanced",
        seats=seats,
        rounds=seats,
        field_size=7,
        sessions_per_cycle=sessions,
        matches_per_session=seats if matches_per_session is None else matches_per_session,
        entries=(*entries, stand_in),
        opened_by="ann",
        reason="first",
    )


def new_phase(season: int = 1, number: int = 0, cycles: int = 2) -> NewPhase:
    """A phase with a known secret."""
    return NewPhase(season, number, "c" * 64, 1_100, "l" * 64, cycles, secret=SECRET)


def opened(path: Path, new: NewSeason | None = None) -> Database:
    """A database with one season and one phase, both new."""
    database = Database.open(path, create=True)
    write.open_season(database, new or new_season())
    write.open_phase(database, new_phase())
    return database


def planned(cycle: int = 0, index: int = 0, line_up: Sequence[str] = BOTS[:4]) -> PlannedSession:
    """A session of the schedule, numbered as in a season of 3 sessions a cycle of 4 matches."""
    return PlannedSession(cycle, index, tuple(line_up), 1 + 4 * (3 * cycle + index))


def keys(cycle: int = 0, index: int = 0, matches: int = 4, attempt: int = 0) -> list[MatchKey]:
    """The same attempt at every match of a session."""
    return [MatchKey(cycle, index, order, attempt) for order in range(matches)]


def played(key: MatchKey, seed: int = 0, seats: int = 4, bots: Sequence[str] = BOTS) -> MatchRecord:
    """A match played out by random moves, without faults."""
    rng = Random(f"{key}{seed}")
    boards = tuple(shuffled_board(seats, rng) for _ in range(seats))
    rounds = tuple(played_round(board, dealer_of(n, seats), rng) for n, board in enumerate(boards))
    points = [sum(by_seat) for by_seat in zip(*(round_.points for round_ in rounds), strict=True)]
    return MatchRecord(
        key=key,
        setup=MatchSetup(boards, "CHSD", tuple(rng.getrandbits(32) for _ in range(seats)), TERMS),
        seats=tuple(
            SeatRecord(bot, total, 0, place, 0, id_key=f"{rng.getrandbits(128):032x}", pid=4_000)
            for bot, total, place in zip(bots[:seats], points, places(points), strict=True)
        ),
        rounds=rounds,
        faults=(),
        started_at=2_000 + 10 * key.order,
        finished_at=2_009 + 10 * key.order,
    )


def played_round(board: Board, dealer: int, rng: Random) -> RoundRecord:
    """A round of random legal moves, each charged with some time."""
    round_ = Round.deal(board, dealer)
    for seat in range(board.players):
        round_.choose_pass(seat, mask_of(rng.sample(cards_of(round_.hands[seat]), round_.pass_count)))
    plays = []
    while not round_.over:
        legal = round_.legal()
        plays.append(card_at(legal, rng.randrange(legal.bit_count())))
        round_.play(plays[-1])
    took = tuple(rng.randrange(1, 900) for _ in range(board.players + len(plays)))
    return RoundRecord(tuple(round_.passed), tuple(plays), tuple(round_.points), (), took)


_TEXTS = st.text(st.characters(exclude_characters="\0", codec="utf-8"), max_size=40)
_COUNTS = st.integers(0, 2**40)

_FAULTS = st.builds(
    Fault,
    seat=st.integers(0, 2),
    kind=st.sampled_from(FaultKind),
    reason=_TEXTS,
    round=st.none() | st.integers(0, 7),
    question=st.none() | st.integers(0, 20),
    sent=_TEXTS,
    wall_us=_COUNTS,
    cpu_us=st.none() | _COUNTS,
    queued_us=st.none() | _COUNTS,
)


@st.composite
def records(draw: st.DrawFn) -> MatchRecord:
    """Any record that a referee could send for match (0, 0, 0), the evidence as odd as it may be."""
    seats = draw(st.sampled_from(SIZES))
    plain = played(MatchKey(0, 0, 0), draw(st.integers(0, 2**32)), seats, draw(st.permutations(BOTS)))
    terms = draw(st.builds(Terms, *[st.integers(0, 10**6)] * 4))
    setup = MatchSetup(plain.setup.boards, "DSCH", plain.setup.seeds, terms)
    return MatchRecord(
        key=plain.key,
        setup=setup,
        seats=tuple(_odd_seat(draw, seat) for seat in plain.seats),
        rounds=tuple(_odd_round(draw, round_) for round_ in plain.rounds),
        faults=tuple(draw(st.lists(_FAULTS, max_size=4))),
        started_at=draw(_COUNTS),
        finished_at=draw(_COUNTS),
        lateness_count=draw(st.integers(0, 99)),
        lateness_us=draw(_COUNTS),
        sandbox=draw(_TEXTS),
    )


def _odd_seat(draw: st.DrawFn, plain: SeatRecord) -> SeatRecord:
    return SeatRecord(
        bot=plain.bot,
        points=plain.points,
        charge=draw(st.integers(0, 999)),
        place=plain.place,
        faults=draw(st.integers(0, 9)),
        hand_over=draw(st.none() | st.sampled_from(HandOver)),
        hand_over_at=draw(st.none() | st.tuples(st.integers(0, 7), st.integers(0, 20))),
        late=draw(st.integers(0, 9)),
        id_key=plain.id_key,
        table=draw(st.integers(0, 999)),
        pid=draw(st.integers(0, 2**22)),
        cpu_us=draw(st.none() | _COUNTS),
        off_turn_us=draw(st.none() | _COUNTS),
        queued_us=draw(st.none() | _COUNTS),
        frozen=draw(st.booleans()),
        left_core=draw(st.booleans()),
        stderr_head=draw(_TEXTS),
        stderr_tail=draw(_TEXTS),
        stderr_bytes=draw(_COUNTS),
    )


def _odd_round(draw: st.DrawFn, plain: RoundRecord) -> RoundRecord:
    made = draw(st.sets(st.integers(0, len(plain.took_us) - 1), max_size=5))
    took = tuple(0 if number in made else us for number, us in enumerate(plain.took_us))
    extended = draw(st.dictionaries(st.integers(0, len(took) - 1), _COUNTS, max_size=3))
    return RoundRecord(
        plain.passes, plain.plays, plain.points, tuple(sorted(made)), took, tuple(sorted(extended.items()))
    )


def exclude_by_limits(database: Database, *rulings: Ruling, season: int = 1) -> None:
    """Store that the limits took bots out, as if it had been decided when the rulings say."""
    by_cycle: dict[int, list[Ruling]] = {}
    for ruling in rulings:
        by_cycle.setdefault(ruling.decided, []).append(ruling)
    for decided, made in sorted(by_cycle.items()):
        last = max((one.cycles for one in read.decisions(database, season)), default=0)
        cycles = max(decided, last + 1)
        excluded = tuple((ruling.bot, ruling.reason) for ruling in made)
        acts = len(read.actions(database))
        decision = Decision(cycles, made[0].from_cycle, excluded, False, (), 0, (), (), acts, 5)
        assert write.decision(database, season, decision)
