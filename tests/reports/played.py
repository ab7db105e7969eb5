"""Small leagues played for the tests of the pages: real deals, rules, faults and store, but no processes.

Everything follows from the arguments, so that the same league gives the same database.
"""

from __future__ import annotations

import fcntl
import json
import re
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from hashlib import sha256
from inspect import isfunction
from pathlib import Path
from random import Random
from typing import Any

import msgpack

from arena.deals import MatchKey, PhaseDeals, commitment, seeded_secret
from arena.linux.machine import Host
from arena.match.faults import Fault, FaultKind
from arena.match.game import Match, Question
from arena.match.record import MatchRecord, MatchSetup, SeatRecord, Terms
from arena.match.stand_in import from_deals
from arena.schedule import Field, Plan, Session
from arena.store import write
from arena.store.database import Database
from arena.store.playing import PlannedSession
from arena.store.views import Entry, NewPhase, NewSeason, Reported, Role

Message = Mapping[str, Any]
Strategy = Callable[[Random, Message], list[str]]

START = 1_700_000_000_000  # milliseconds
DIGEST = "5ea50f" + "0" * 58
_BASE = re.compile(r"pytest-\d+")
"""The folder that all workers of a session have in common, see `tmp_path`."""


def at_random(rng: Random, question: Message) -> list[str]:
    """Any legal cards."""
    if question["type"] == "pass":
        return rng.sample(question["hand"], question["count"])
    return [rng.choice(question["legal"])]


def low(rng: Random, question: Message) -> list[str]:
    """The highest cards away, the lowest cards first."""
    if question["type"] == "pass":
        return sorted(question["hand"], key=_rank)[-question["count"] :]
    return [min(question["legal"], key=_rank)]


def high(rng: Random, question: Message) -> list[str]:
    """The lowest cards away, the highest cards first: takes many tricks."""
    if question["type"] == "pass":
        return sorted(question["hand"], key=_rank)[: question["count"]]
    return [max(question["legal"], key=_rank)]


def _rank(card: str) -> int:
    return int(card[1:])


@dataclass(frozen=True, slots=True)
class Bot:
    """A bot of a made-up league. `fault_rate`: share of its questions that it answers with a fault."""

    name: str
    play: Strategy = at_random
    author: str = ""
    language: str = ""
    fault_rate: float = 0.0
    sent: str = "I am not base64!"
    stderr: str = ""
    role: Role = Role.ENTRANT


FIVE = (
    Bot("Duck", low, "Ada", "Python"),
    Bot("Low", low, "Grace", "C"),
    Bot("Random", at_random, "", "Go"),
    Bot("Moody", at_random, "Edsger", "Python", fault_rate=0.004),
    Bot("Greedy", high, "Barbara", "Rust"),
)


HOST = Host("", "", "A processor", 4, False, "bubblewrap", "0.5.0", "3.12.1")


@dataclass(frozen=True, slots=True)
class League:
    """What is played. `matches`: after how many to stop, None to finish all the cycles.

    `seed`: None commits to a secret that only this builder could know. `began`, `why`: when its season was
    opened (milliseconds), and the reason. `hosts`: on which sessions are played in turn, and how much longer
    than usual bots take there.
    """

    name: str = "Spring league"
    bots: tuple[Bot, ...] = FIVE
    seats: int = 4
    rounds: int = 4
    cycles: int = 1
    matches: int | None = None
    seed: str | None = None
    sandbox: str = "bubblewrap"
    began: int = START
    why: str = ""
    hosts: tuple[tuple[Host, float], ...] = ((HOST, 1.0),)


def play(path: Path, league: League) -> Database:
    """The database of a league, at `path`, for the caller to close. One that is there gets a season more.

    A league is played once for all tests of a session, and copied from then on.
    """
    base = next((folder for folder in path.parents if _BASE.fullmatch(folder.name)), None)
    if base is None or path.exists() or not all(isfunction(bot.play) for bot in league.bots):
        database = Database.open(path, create=True)
        Builder(database, league).play()
        return database
    key = sha256(repr((DIGEST, _told(league))).encode()).hexdigest()[:16]
    with (base / f"played-{key}.lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # of the kernel, which releases it when a worker dies
        whole = base / f"played-{key}.db"
        if not whole.exists():
            with Database.open(base / f"playing-{key}.db", create=True) as database:
                Builder(database, league).play()
            (base / f"playing-{key}.db").rename(whole)
    shutil.copy(whole, path)
    return Database.open(path)


def _told(league: League) -> object:
    """Return all that a league depends on beside its document. A strategy goes by its name."""
    return [(field.name, getattr(league, field.name)) for field in fields(league) if field.name != "bots"], [
        [(field.name, getattr(bot, field.name)) for field in fields(bot) if field.name != "play"]
        + [bot.play.__module__, bot.play.__qualname__]
        for bot in league.bots
    ]


class Builder:
    """Plays a league into a database."""

    def __init__(self, database: Database, league: League) -> None:
        self.database = database
        self.league = league
        self._turn = 0
        self.plan = Plan(Field(len(league.bots), league.seats, DIGEST))
        self.secret = seeded_secret(league.seed or f"nobody knows{league.began - START or ''}", 0)
        self.season = write.open_season(self.database, _season(league, self.plan))
        self.deals = PhaseDeals(self.secret)
        write.open_phase(self.database, NewPhase(
                self.season, 0, commitment(self.secret), league.began, "1ea90e" * 10 + "beef",
                league.cycles, secret=self.secret, predictable=league.seed is not None,
            )
        )  # fmt: skip

    def play(self) -> None:
        """Play what the league asks for; the phase ends when nothing is left."""
        left = self.league.matches
        for session in self._sessions():
            last = len(session.rows) if left is None else min(left, len(session.rows))
            self.play_session(session, 0, last)
            if left is not None:
                left -= last
                if left <= 0:
                    return
        write.end_phase(self.database, self.season, 0, "all cycles played", self.league.began + 3_600_000)

    def play_session(self, session: Session, first: int, last: int) -> None:
        """Play the seat orders from `first` to before `last` of a session, on the next host."""
        host, slower = self.league.hosts[self._turn % len(self.league.hosts)]
        self._turn += 1
        ids = tuple(bot_id(self.league.bots[number]) for number in session.order)
        number = self.plan.match_number(session.cycle, session.index, 0)
        planned = PlannedSession(session.cycle, session.index, ids, number)
        keys = [MatchKey(session.cycle, session.index, order) for order in range(first, last)]
        write.begin_sessions(self.database, self.season, 0, [(planned, keys)], self.league.began)
        rows = session.rows[first:last]
        records = [self._match(key, row, slower) for key, row in zip(keys, rows, strict=True)]
        where = write.note_host(self.database, host, self.league.began)
        write.save_matches(self.database, self.season, records, dict.fromkeys(keys, where))

    def _sessions(self) -> Iterator[Session]:
        for cycle in range(self.league.cycles):
            yield from self.plan.cycle(cycle)

    def _match(self, key: MatchKey, row: tuple[int, ...], slower: float) -> MatchRecord:
        league, deals = self.league, self.deals.session(key.cycle, key.index)
        boards = tuple(deals.board(r, league.seats) for r in range(league.rounds))
        seeds = tuple(deals.bot_seed(key, seat) for seat in range(league.seats))
        setup = MatchSetup(boards, deals.suits(key), seeds, Terms(1000, 0, 40, 3))
        bots = [league.bots[number] for number in row]
        match = Match(setup, from_deals(deals, key))
        play_out(match, bots, Random(f"{key}"), slower)
        result = match.result()
        seats = tuple(
            SeatRecord(
                bot_id(bot), seat.points, seat.charge, seat.place, seat.faults, seat.hand_over,
                seat.hand_over_at, seat.late, f"{number:032x}", key.cycle, 4000 + number, 1_000_000,
                stderr_head=bot.stderr, stderr_bytes=len(bot.stderr),
            )
            for number, (bot, seat) in enumerate(zip(bots, result.seats, strict=True))
        )  # fmt: skip
        started = league.began + 1000 * self.plan.match_number(key.cycle, key.index, key.order)
        return MatchRecord(
            key, setup, seats, result.rounds, result.faults, started, started + 900, sandbox=league.sandbox
        )


def play_out(match: Match, bots: Sequence[Bot], rng: Random, slower: float = 1.0) -> None:
    match.begin()
    while not match.over:
        match.take_news()
        for seat in match.waiting():
            _answer(match, match.ask(seat), bots[seat], rng, slower)


def _answer(match: Match, question: Question, bot: Bot, rng: Random, slower: float) -> None:
    if rng.random() < bot.fault_rate:
        kind = rng.choice([FaultKind.BAD_MESSAGE, FaultKind.TIMEOUT])
        timeout = kind is FaultKind.TIMEOUT
        reason = "nothing arrived (did you flush stdout?)" if timeout else "the line is not base64"
        match.fault(
            Fault(
                question.seat, kind, reason, question.round, question.number,
                "" if timeout else bot.sent, 1_000_000 if timeout else 1234, 20_000,
            )
        )  # fmt: skip
        return
    # Unpacked as bots do it: a `PackedMessage` reads itself twenty times as slowly.
    asked: Message = msgpack.unpackb(question.packed_for(0, ""))
    why = match.answer(question.seat, bot.play(rng, asked), round(rng.randrange(20, 900) * slower))
    assert why is None, why


def bot_id(bot: Bot) -> str:
    """An id that fits any name."""
    slug = "".join(letter if letter.isascii() and letter.isalnum() else "-" for letter in bot.name.lower())
    return slug[:40]


def _season(league: League, plan: Plan) -> NewSeason:
    document = {"league": {"id": "spring"}, "faults": {"fault_points": 40, "max_faults": 3}}
    return NewSeason(
        opened_at=league.began,
        document=json.dumps(document),
        digest=DIGEST,
        league_text=f"[league]\nname = {json.dumps(league.name)}\n",
        line_ups=plan.resolved.value,
        seats=league.seats,
        rounds=league.rounds,
        field_size=len(league.bots),
        sessions_per_cycle=plan.sessions_per_cycle,
        matches_per_session=plan.matches_per_session,
        entries=tuple(_entry(number, bot) for number, bot in enumerate(league.bots)),
        opened_by="organiser" if league.why else "",
        reason=league.why,
    )


def _entry(number: int, bot: Bot) -> Entry:
    said = Reported(bot.name, "1.0", bot.language)
    return Entry(
        bot_id(bot), number, bot.name, f"{number:064x}", "bots/x", ("{python}", "bot.py"),
        author=bot.author, role=bot.role, reported=said,
    )  # fmt: skip


def stopped(league: League, matches: int) -> League:
    """The same league, stopped after so many matches."""
    return replace(league, matches=matches)
