"""Stores and reads the acts that change what counts: void sessions, bots that are out.

They are in the table `action`; whom the limits exclude is in the decisions (`arena.store.decisions`). It
works inside the caller's transaction and decides nothing: that is `arena.season.decide`.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from sqlalchemy import Result, delete, func, insert, select, update
from sqlmodel import col

from arena.conduct.exclusion import Ruling, Sitting, disqualified, whole_bots_out
from arena.errors import StoreError, UsageError
from arena.match.stand_in import STAND_IN, STAND_IN_NAME
from arena.score.entry_ids import bot_of
from arena.store.decisions import Decision, decision_values, read_decisions
from arena.store.history import Action
from arena.store.models import ActionRow, BotRow, DecisionRow, EntryRow, MatchRow, SeasonRow, SeatRow
from arena.store.rows import BadValueError, domain, entry_values, season_from
from arena.store.transaction import Transaction, reads, reads_on
from arena.store.views import Entry, MatchState, Role, SeasonView, SessionKey

__all__ = [
    "BEGUN_ANEW",
    "CLOSE",
    "EXCLUDE",
    "NOT_READY",
    "REINSTATE",
    "RULINGS",
    "VOID",
    "FailedStart",
    "closing",
    "enter_stand_in",
    "failed_start",
    "failed_starts",
    "read_actions",
    "read_rulings",
    "read_sittings",
    "rule_from_the_start",
    "rulings_from",
    "store_decision",
    "store_exclusion",
    "store_reinstatement",
    "void_act",
    "voids_from",
]

BEGUN_ANEW = "season begun anew"
"""The name of the act by which a season of which nothing was played is replaced."""
CLOSE = "close"
"""The name of the act that ends an open season."""
EXCLUDE = "exclude"
"""The name of the act by which the organiser takes a bot out."""
NOT_READY = "not ready"
"""The name of the act that notes that a version did not start before a phase."""
REINSTATE = "reinstate"
"""The name of the act that lets a bot play again."""
RULINGS = (EXCLUDE, REINSTATE)
"""The names of all acts that say who plays."""
VOID = "void"
"""The name of the act that takes a session out of the score."""


def rulings_from(actions: Iterable[Action], decisions: Iterable[Decision], season: int) -> tuple[Ruling, ...]:
    """Return who is out and who is back by the acts and the decisions of a season, in the order of time.

    StoreError for an act that cannot be read.
    """
    found: list[Ruling] = []
    decided = deque(decisions)
    for before, act in enumerate(actions):
        while decided and decided[0].acts <= before:
            found += decided.popleft().rulings
        if act.what in RULINGS:
            of_season, from_cycle = _detail(act)
            if of_season == season:
                out = act.what == EXCLUDE
                found.append(Ruling(act.subject, out, from_cycle, act.reason, by_organiser=out))
    return (*found, *(ruling for decision in decided for ruling in decision.rulings))


def _detail(act: Action) -> tuple[int, int]:
    """Return the season and the first cycle that an act is about."""
    try:
        detail = json.loads(act.detail)
        return int(detail["season"]), int(detail["from_cycle"])
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise StoreError(
            f"The act {act.what} {act.subject} does not say of which cycle: {act.detail!r}"
        ) from error


@reads
def read_rulings(db: Transaction, season: int) -> tuple[Ruling, ...]:
    """Return who was excluded or reinstated, in the order in which that was done."""
    try:
        return rulings_from(read_actions(db), read_decisions(db, season), season)
    except StoreError as error:
        raise BadValueError(str(error)) from error


@reads
def read_actions(db: Transaction) -> list[Action]:
    """Return the organiser's acts, oldest first, in all seasons."""
    return [domain(Action, row) for row in db.scalars(select(ActionRow).order_by(col(ActionRow.id)))]


@reads_on
def read_sittings(db: Transaction, season: int) -> Iterator[Sitting]:
    """Yield every bot of every finished match, and whether it was replaced in it, match by match."""
    found: Result[Any] = db.execute(
        select(
            col(MatchRow.id), col(SeatRow.bot), col(MatchRow.cycle), col(MatchRow.index),
            col(MatchRow.order), col(SeatRow.hand_over).label("lost"), col(SeatRow.pid),
            col(MatchRow.started_at), col(MatchRow.finished_at),
        )
        .join(SeatRow, col(SeatRow.match) == col(MatchRow.id))
        .where(col(MatchRow.season) == season, col(MatchRow.state) == MatchState.FINISHED.value)
        # A bot that was replaced at any of its seats counts as replaced, so such seats come first.
        .order_by(col(MatchRow.id), col(SeatRow.bot), col(SeatRow.hand_over).is_(None), col(SeatRow.seat))
    )  # fmt: skip
    last = None
    for row in found:
        if last != (row.id, row.bot):
            last = row.id, row.bot
            yield domain(Sitting, row)


def store_decision(db: Transaction, season: int, decision: Decision) -> None:
    """Store a decision. The stand-in is entered with the first bot that is out, where it has its seats."""
    if decision.excluded:
        enter_stand_in(db, season)
    db.execute(insert(DecisionRow), decision_values(season, decision))


def store_exclusion(
    db: Transaction, season: int, bot: str, reason: str, act: tuple[int, str], free: int
) -> Ruling:
    """Store that the organiser takes a bot out for a reason, by `act` (when, who).

    Return the ruling: the bot is out from the cycle `free` on (`read.first_free`). UsageError if the
    bot is out already.
    """
    known = disqualified(read_rulings(db, season)).get(bot)
    if known is not None:
        raise UsageError(
            f"{bot} is excluded already, by the {known.by}, from session {known.from_cycle}.0 of season "
            f"{season} on: {known.reason}"
        )
    ruling = Ruling(bot, True, free, reason, by_organiser=True)
    enter_stand_in(db, season)
    db.execute(insert(ActionRow), asdict(_act(season, ruling, act)))
    return ruling


def store_reinstatement(
    db: Transaction, season: int, bot: str, reason: str, act: tuple[int, str], free: int
) -> Ruling:
    """Let an excluded bot play again, by `act` (when, who), and store that.

    It plays from the cycle `free` on (`read.first_free`). In an open season `bot` is a version, or a
    bot that is out as a whole. UsageError if it is not out.
    """
    made = read_rulings(db, season)
    out = {**disqualified(made), **whole_bots_out(made)}
    ruling = out.get(bot)
    if ruling is None:
        versions = [entry for entry in sorted(out) if bot_of(entry) == bot]
        are = "is out: name that one" if len(versions) == 1 else "are out: name one"
        hint = f"; of its versions, {', '.join(versions)} {are}" if versions else ""
        raise UsageError(f"{bot} is not excluded in season {season}, so there is nothing to undo{hint}")
    back = Ruling(bot, False, max(free, ruling.from_cycle), reason)
    db.execute(insert(ActionRow), asdict(_act(season, back, act)))
    return back


def rule_from_the_start(db: Transaction, season: int, bots: Collection[str] | None) -> None:
    """Let what is ruled of `bots` hold from the first cycle on of a season that has just begun anew.

    `bots`: None for all, where it is not known who will play. The cycles of the earlier acts do not exist
    any more, so all but those in force are deleted.
    """
    in_force = set(disqualified(read_rulings(db, season)))
    about = select(col(ActionRow.id), col(ActionRow.subject), col(ActionRow.detail)).where(
        col(ActionRow.what).in_(RULINGS)
    )
    rows = [(id_, bot, json.loads(detail)) for id_, bot, detail in db.execute(about).all()]
    for id_, bot, detail in reversed([row for row in rows if row[2]["season"] == season]):
        # The last act on a bot that is out is the one that took it out.
        if bot in in_force and (bots is None or bot in bots):
            in_force.discard(bot)
            changed = json.dumps({**detail, "from_cycle": 0})
            db.execute(update(ActionRow).where(col(ActionRow.id) == id_).values(detail=changed))
            enter_stand_in(db, season)
        else:
            db.execute(delete(ActionRow).where(col(ActionRow.id) == id_))


def _act(season: int, ruling: Ruling, act: tuple[int, str]) -> Action:
    at, who = act
    detail = json.dumps({"season": season, "from_cycle": ruling.from_cycle})
    return Action(at, who, EXCLUDE if ruling.out else REINSTATE, ruling.bot, ruling.reason, detail)


def enter_stand_in(db: Transaction, season: int) -> None:
    """Make the stand-in an entry of a season in which it has the seats of bots that are out."""
    row = db.scalars(select(SeasonRow).where(col(SeasonRow.number) == season)).one()
    if season_from(row, (), ()).plans_anew:
        return
    of_season = col(EntryRow.season) == season
    known = db.execute(select(col(EntryRow.bot)).where(of_season, col(EntryRow.bot) == STAND_IN)).first()
    if known is not None:
        return
    if db.execute(select(col(BotRow.slug)).where(col(BotRow.slug) == STAND_IN)).first() is None:
        db.execute(insert(BotRow), {"slug": STAND_IN})
    count = db.execute(select(func.count()).select_from(EntryRow).where(of_season)).scalar()
    entry = Entry(STAND_IN, int(count or 0), STAND_IN_NAME, "", "", (), role=Role.STAND_IN)
    db.execute(insert(EntryRow), entry_values(season, entry))


def closing(actions: Iterable[Action], season: int) -> Action | None:
    """Return the act by which the organiser closed an open season; None as long as it is open."""
    return next((act for act in actions if act.what == CLOSE and act.subject == str(season)), None)


def void_act(season: int, session: SessionKey, reason: str, act: tuple[int, str]) -> Action:
    """Return the act by which a session becomes void, for a reason; `act`: when, and by whom."""
    at, who = act
    cycle, index = session
    return Action(at, who, VOID, f"{cycle}.{index}", reason, json.dumps({"season": season}))


def voids_from(actions: Iterable[Action], season: int) -> dict[SessionKey, str]:
    """Return the sessions of a season that acts made void, and why.

    StoreError for an act that cannot be read.
    """
    found: dict[SessionKey, str] = {}
    for act in actions:
        if act.what == VOID:
            of_season, session = _voided(act)
            if of_season == season:
                found[session] = act.reason
    return found


def _voided(act: Action) -> tuple[int, SessionKey]:
    try:
        cycle, index = act.subject.split(".")
        return int(json.loads(act.detail)["season"]), (int(cycle), int(index))
    except (ValueError, LookupError, TypeError, RecursionError) as error:
        raise StoreError(
            f"The act {VOID} {act.subject!r} does not say which session of which season: {act.detail!r}"
        ) from error


@dataclass(frozen=True, slots=True)
class FailedStart:
    """Why a version did not start before a phase, and the printable lines that it left behind."""

    reason: str
    last_words: tuple[str, ...] = ()


def failed_start(season: int, entry: str, failed: FailedStart, at: int, who: str) -> Action:
    """Return the act that notes that a version did not start; `failed_starts` reads it."""
    return Action(at, who, NOT_READY, entry, failed.reason, "\n".join([str(season), *failed.last_words]))


def failed_starts(season: SeasonView, actions: Sequence[Action]) -> Mapping[str, Sequence[FailedStart]]:
    """Return how each version failed to start, each time in a row: since it last took its place.

    `actions`: all of the database. Their order tells what was later, for a machine's clock may be wrong.
    """
    played = {entry: phase.acts for phase in season.phases for entry in phase.entries}
    found: dict[str, list[FailedStart]] = {}
    for before, act in enumerate(actions):
        if (act.what, act.subject) == (BEGUN_ANEW, str(season.number)):
            found.clear()  # it has other entries now
        elif act.what == NOT_READY and before >= played.get(act.subject, 0):
            number, *words = act.detail.split("\n")
            if number == str(season.number):
                found.setdefault(act.subject, []).append(FailedStart(act.reason, tuple(words)))
    return found
