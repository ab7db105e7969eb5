"""Checks of a season's own facts: its document, its phases and their secrets, its sessions' states.

The fixed facts (field, sizes) must agree with the season's document, a phase with its secret, a session's
state with its matches and the organiser's acts. Reads no database and plays nothing. Every check is lazy and
yields what is wrong in words.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence

from arena.deals import CHAIN_LENGTH, chained_secret, commitment, seeded_secret
from arena.league.model import milliseconds
from arena.match.record import MatchRecord, Terms
from arena.match.stand_in import STAND_IN, STAND_IN_NAME
from arena.schedule import Plan, Schedule, season_digest
from arena.score.results import SessionResult
from arena.season.agenda import MAX_TRIES
from arena.store.views import (
    MatchState,
    MatchView,
    PhaseView,
    Role,
    SeasonView,
    SessionKey,
    SessionState,
    SessionView,
    section_of,
)

Document = Mapping[str, object]


def check_season(season: SeasonView) -> Iterator[str]:
    """Yield what is wrong with the season's digest, sizes and entries."""
    document = season.keys
    digest = season_digest(document)
    if digest != season.digest:
        yield f"its digest is {season.digest}, its document gives {digest}"
    league, schedule = section_of(document, "league"), section_of(document, "schedule")
    for name, stored, said in (
        ("seats", season.seats, league.get("seats")),
        ("rounds", season.rounds, league.get("rounds")),
        ("line_ups", season.line_ups, schedule.get("line_ups")),
    ):
        if said is not None and said != stored:
            yield f"{name} is {stored}, its document says {said}"
    if not season.open:
        yield from _nothing_of_open(season)
    bots = document.get("bots")
    if isinstance(bots, list):
        yield from _field(season, [bot for bot in bots if isinstance(bot, dict)])


def _nothing_of_open(season: SeasonView) -> Iterator[str]:
    """Check that a closed season has nothing that only an open one has."""
    for entry in season.entries:
        if entry.version or entry.entered_at:
            yield f"{entry.bot} has a version or a time at which it came, in a season whose field is fixed"
    for phase in season.phases:
        if phase.entries or phase.owed or phase.acts or phase.first_match != 1:
            yield f"phase {phase.number} has a field of its own, in a season whose field is fixed"


def _field(season: SeasonView, bots: Sequence[Document]) -> Iterator[str]:
    """Check the entries: the bots of the document, and after them the stand-in where it plays."""
    if season.field_size != len(bots):
        yield f"its field is of {season.field_size}, its document has {len(bots)} bots"
    said = [bot.get("id") for bot in bots]
    entered = [entry.bot for entry in season.entries]
    if entered not in (said, [*said, STAND_IN]):
        yield f"its entries are {' '.join(entered)}, the bots of its document {' '.join(map(str, said))}"
        return
    for entry, bot in zip(season.entries, bots, strict=False):
        for name in ("name", "digest", "folder", "command", "role"):
            stored = getattr(entry, name)
            stored = list(stored) if isinstance(stored, tuple) else str(stored)
            if bot.get(name, stored) != stored:
                yield f"the {name} of {entry.bot} is {stored}, its document says {bot[name]}"
    for entry in season.entries[len(bots) :]:
        if (entry.name, entry.role, entry.digest) != (STAND_IN_NAME, Role.STAND_IN, ""):
            yield f"the entry of the stand-in is that of {entry.name}, a bot with files of its own"


def check_phase(phase: PhaseView, earlier: Sequence[PhaseView], document: Document) -> Iterator[str]:
    """Yield what is wrong with a phase: its beginning, its public draw, its secret, if that is shown.

    `earlier`: the phases before it.
    """
    schedule = section_of(document, "schedule")
    number, seed = phase.number, schedule.get("seed")
    begins = earlier[-1].cycles_planned if earlier else 0
    if phase.first_cycle != begins:
        yield f"phase {number} begins with session {phase.first_cycle}.0, it must with {begins}.0"
    if earlier and earlier[-1].ended_at is None:
        yield f"phase {number} was begun before phase {number - 1} had ended"
    if schedule and phase.predictable != (seed is not None):
        said = "predictable" if phase.predictable else "secret"
        yield f"phase {number} is said to be {said}, its document says otherwise"
    if schedule and phase.public_draw != schedule.get("public_draw"):
        drawn = f"{phase.public_draw!r}, its document says {schedule.get('public_draw')!r}"
        yield f"the public draw of phase {number} is {drawn}"
    if phase.secret is not None:
        yield from _secret(phase, phase.secret, seed)


def _secret(phase: PhaseView, shown: str, seed: object) -> Iterator[str]:
    number = phase.number
    try:
        secret = bytes.fromhex(shown)
        committed = commitment(secret)
    except ValueError as error:
        yield f"the secret or public draw of phase {number} is invalid: {error}"
        return
    if committed != phase.commitment:
        yield f"phase {number} was committed to {phase.commitment}, its secret gives {committed}"
    if isinstance(seed, str) and secret != seeded_secret(seed, number, phase.season):
        yield f"the secret of phase {number} does not follow from the seed {seed!r}"


def check_chain(season: SeasonView, end: bytes) -> Iterator[str]:
    """Yield what is wrong with the chain of secrets of an open season with a public draw.

    `end`: its end as it is stored, which nobody else may see; empty in other seasons.
    """
    schedule = season.section("schedule")
    if not (season.open and schedule.get("public_draw") and schedule.get("seed") is None):
        if end:
            yield "the end of a chain of secrets is stored, and no phase follows from one"
        return
    before: str | None = None
    for phase in season.phases:
        # What a phase was committed to is the SHA-256 of its secret, so this needs no later secret.
        if before is not None and before != phase.commitment:
            yield (
                f"phase {phase.number} was committed to {phase.commitment}; by the chain of secrets "
                f"this must be the secret of phase {phase.number - 1}, which is {before}"
            )
        before = phase.secret
    last = season.phases[-1] if season.phases else None
    if last is not None and not _fits(end, last):
        yield f"what phase {last.number} was committed to does not follow from the stored chain of secrets"


def _fits(end: bytes, phase: PhaseView) -> bool:
    if phase.number >= CHAIN_LENGTH:
        return False
    try:
        return commitment(chained_secret(end, phase.number)) == phase.commitment
    except ValueError:
        return False


def check_sizes(season: SeasonView, plan: Schedule) -> Iterator[str]:
    """Yield where the stored numbers of sessions and matches differ from the schedule."""
    per_cycle = plan.sessions_per_cycle if isinstance(plan, Plan) else season.seats
    for name, stored, planned in (
        ("sessions a cycle", season.sessions_per_cycle, per_cycle),
        ("matches a session", season.matches_per_session, plan.matches_per_session),
    ):
        if stored != planned:
            yield f"{stored} {name} are stored, the schedule has {planned}"


def why_not_so(
    session: SessionView, attempts: Sequence[MatchView], void: Mapping[SessionKey, str], matches: int
) -> str:
    """Return why the session cannot be in its state, or an empty text when it can.

    `attempts`: all attempts at its matches, in every state. `void`: by the acts, each with the reason.
    `matches`: the matches of a session.
    """
    said = void.get((session.cycle, session.index))
    if session.state is SessionState.VOIDED:
        if said is None:
            return "it is void, but no act made it void"
        if said != session.reason:
            return f"it is void for the reason {session.reason!r}, the act says {said!r}"
    elif said is not None:
        return f"it is {session.state.value}, and was made void: {said}"
    if session.state is SessionState.LEFT_OUT:
        tries = Counter(match.order for match in attempts if match.state is MatchState.ABORTED)
        if max(tries.values(), default=0) < MAX_TRIES:
            return f"it is left out, and no match of it was aborted {MAX_TRIES} times"
    elif session.state is SessionState.PLANNED and session.matches_finished == matches:
        return "all its matches are finished, and it is not complete"
    if session.reason and session.state in (SessionState.COMPLETE, SessionState.PLANNED):
        return f"it is {session.state.value}, and has a reason not to count: {session.reason}"
    return ""


def terms_of(document: Mapping[str, object]) -> Terms | None:
    """Return the clocks and penalties of the season's document, or None if any of them is missing."""
    time, faults = section_of(document, "time"), section_of(document, "faults")
    match (
        time.get("move_seconds"),
        time.get("bank_seconds"),
        faults.get("fault_points"),
        faults.get("max_faults"),
    ):
        case (float() | int() as move, float() | int() as bank, int() as points, int() as most):
            return Terms(milliseconds(move), milliseconds(bank), points, most)
    return None


def result_of(session: SessionView, records: Sequence[MatchRecord]) -> SessionResult:
    """Return the result of a complete session from what was played, without the database's own sums."""
    cards: defaultdict[str, int] = defaultdict(int)
    charges: defaultdict[str, int] = defaultdict(int)
    sat: defaultdict[str, int] = defaultdict(int)
    for record in records:
        for number, seat in enumerate(record.seats):
            sat[seat.bot] += len(record.rounds)
            cards[seat.bot] += sum(played.points[number] for played in record.rounds)
            charges[seat.bot] += seat.charge
    rounds = sum(len(record.rounds) for record in records)
    several = {bot: played for bot, played in sat.items() if played != rounds}
    return SessionResult(session.cycle, session.index, rounds, dict(cards), dict(charges), several)
