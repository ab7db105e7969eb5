"""The forecast of an open league: its next stretch, if nobody changes, and when verdicts are possible.

Stores nothing and starts no bot: the time is that of the matches played so far, or at least its upper bound.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from arena.bot.launch import BotCommand
from arena.bot.missing import what_is_missing
from arena.bot.snapshot import folder_digest
from arena.conduct.disqualify import Ruling
from arena.errors import StoreError
from arena.league.cycles import cycles_of
from arena.league.house import house_folder
from arena.league.reader import LoadedLeague
from arena.league.season import season_document
from arena.league.versions import started_by
from arena.papayoo import hand_size
from arena.schedule import OpenPlan, canonical_json, season_digest
from arena.schedule.open_plan import CatchUp, catch_up_quota
from arena.schedule.seating import seat_orders
from arena.season.agenda import OVER
from arena.season.ahead import Ahead, ahead
from arena.season.forecast import Size, referee_count
from arena.season.open_field import LEAST_RANKED, house_entries
from arena.season.opening import now_ms
from arena.season.staged import Staged, stage_now
from arena.standings.entry_ids import bot_of
from arena.standings.form import LEAST_CYCLES
from arena.standings.open_field import ENOUGH_SESSIONS, eligible, sessions_of_each
from arena.standings.results import SessionResult
from arena.store import read
from arena.store.acts import closing, failed_starts
from arena.store.database import Database, is_there
from arena.store.history import Action
from arena.store.planned import open_plan, with_house
from arena.store.views import Role, SeasonView

__all__ = ["OpenForecast", "open_forecast"]


@dataclass(frozen=True, slots=True)
class OpenForecast:
    """The forecast of an open league, if nobody comes, changes or leaves.

    `season`: the stored season, None if there is none yet. `closed`: why it was closed, else empty.
    `goes_on`: the number of the stretch that was begun and is not over, else None. `left`: the sessions of
    that. `field`: the entries of the next stretch, house bots included; empty if too few are ranked.
    `catch_up`: the sessions of its block, by entry. `size`: that of the next stretch. `first_look`: after how
    many further cycles verdicts become possible, 0 if they are now; None if too few play. `seconds`: of what
    is to be played with `jobs` referees, None if nothing was measured; `most_seconds`: the most that the
    clocks allow. `derivation`: how the deals follow from the secret.
    """

    loaded: LoadedLeague
    stage: Staged
    season: int | None
    closed: str
    goes_on: int | None
    left: Size
    ahead: Ahead
    field: tuple[str, ...]
    catch_up: dict[str, int]
    size: Size
    first_look: int | None
    unready: Mapping[str, str]
    seconds: float | None
    most_seconds: float
    jobs: int


@dataclass(frozen=True, slots=True)
class _Known:
    """What is stored of the season; nothing of it for a new one."""

    view: SeasonView
    rulings: tuple[Ruling, ...] = ()
    actions: tuple[Action, ...] = ()
    results: tuple[SessionResult, ...] = ()
    over: frozenset[tuple[int, int]] = frozenset()
    spent: tuple[float, ...] = ()
    is_stored: bool = False


def open_forecast(loaded: LoadedLeague, jobs: int | None = None) -> OpenForecast:
    """Return the forecast for the file of an open league; `jobs` as on the command line of a run.

    Raises StoreError when its database cannot be read.
    """
    stage = stage_now(loaded)
    loaded = stage.loaded
    known = _known(loaded)
    season = known.view
    seen = ahead(loaded, season, known.rulings, failed_starts(season, known.actions), now_ms())
    end = closing(known.actions, season.number)
    last = season.stretches[-1] if season.stretches else None
    going = last is not None and last.ended_at is None
    plan = open_plan(season)
    numbers = _numbers(season, seen) if end is None else {}
    counted = sessions_of_each(eligible(known.results, with_house(season, numbers)))
    cycles = cycles_of(loaded.league)
    ranked = {number: counted[entry] for entry, number in numbers.items() if _is_ranked(entry, seen)}
    catch_up = (
        catch_up_quota(plan, sorted(numbers.values()), cycles, ranked) if numbers else CatchUp(0, (), ())
    )
    size = _next_size(loaded, plan, numbers, catch_up)
    first = last.first_cycle if last is not None else 0
    planned = sum(plan.sessions_in(cycle) for cycle in range(first, plan.cycles))
    done = sum(cycle >= first for cycle, _ in known.over)
    left = _size(loaded, plan.cycles - first, planned - done) if going else _size(loaded, 0, 0)
    to_play = left if going else size
    at_once = referee_count(loaded.league.process, jobs, to_play.sessions)
    names = {number: entry for entry, number in numbers.items()}
    return OpenForecast(
        loaded=loaded,
        stage=stage,
        season=season.number if known.is_stored else None,
        closed="" if end is None else end.reason,
        goes_on=last.number if going and last is not None else None,
        left=left,
        ahead=seen,
        field=tuple(sorted(numbers, key=numbers.__getitem__)),
        catch_up={names[number]: sessions for number, sessions in catch_up.block},
        size=size,
        first_look=_first_look(known, ranked, plan, (numbers.values(), catch_up)),
        unready=_unready(loaded, seen) if numbers else {},
        seconds=to_play.matches * sum(known.spent) / len(known.spent) / at_once if known.spent else None,
        most_seconds=_most(loaded, to_play) / at_once,
        jobs=at_once,
    )


def _known(loaded: LoadedLeague) -> _Known:
    if is_there(loaded.database):
        with Database.open(loaded.database, read_only=True) as database:
            view = read.current_season(database)
            if view is not None and view.open:
                return _read(database, view)
    document = season_document(loaded.league, {})
    league = loaded.league.league
    orders = len(seat_orders(tuple(range(league.seats))))
    digest = season_digest(document)
    return _Known(
        SeasonView(
            1, 0, canonical_json(document), digest, "", "balanced", league.seats, league.rounds,
            league.seats, league.seats, orders, "", "", (), (),
        )
    )  # fmt: skip


def _read(database: Database, view: SeasonView) -> _Known:
    states = read.session_states(database, view.number)
    return _Known(
        view=view,
        rulings=tuple(read.rulings(database, view.number)),
        actions=tuple(read.actions(database)),
        results=tuple(read.session_results(database, view.number)),
        over=frozenset(key for key, state in states.items() if state in OVER),
        spent=tuple(
            (match.finished_at - match.started_at) / 1000
            for match in read.matches(database, view.number)
            if match.finished_at is not None
        ),
        is_stored=True,
    )


def _numbers(season: SeasonView, seen: Ahead) -> dict[str, int]:
    """Return the entries of the next stretch with their numbers; none if too few are ranked."""
    numbers = {entry.bot: entry.number for entry in seen.field.entries}
    if sum(_is_ranked(entry, seen) for entry in numbers) < LEAST_RANKED:
        return {}
    house = house_entries(season, seen.field.entries, folder_digest(house_folder()), 0)
    return numbers | {entry.bot: entry.number for entry in house}


def _is_ranked(entry: str, seen: Ahead) -> bool:
    return any(one.bot == entry and one.role is Role.ENTRANT for one in seen.field.entries)


def _next_size(loaded: LoadedLeague, plan: OpenPlan, numbers: dict[str, int], catch_up: CatchUp) -> Size:
    if not numbers:
        return _size(loaded, 0, 0)
    cycles = cycles_of(loaded.league)
    field = sorted(numbers.values())
    block = len(list(plan.catch_up_tables(field, catch_up.block))) if catch_up.block else 0
    return _size(loaded, cycles + bool(block), block + cycles * len(field))


def _size(loaded: LoadedLeague, cycles: int, sessions: int) -> Size:
    league = loaded.league.league
    matches = sessions * len(seat_orders(tuple(range(league.seats))))
    rounds = matches * league.rounds
    return Size(cycles, sessions, matches, rounds, rounds * league.seats * (1 + hand_size(league.seats)))


def _most(loaded: LoadedLeague, size: Size) -> float:
    """Return the seconds that the clocks allow at most."""
    league = loaded.league
    bank = size.matches * league.league.seats * league.time.bank_seconds
    return size.decisions * league.time.move_seconds + bank


def _first_look(
    known: _Known, ranked: Collection[int], plan: OpenPlan, next_field: tuple[Collection[int], CatchUp]
) -> int | None:
    """Return after how many further cycles two entries can be compared, if nobody changes.

    `ranked`: the numbers of the ranked entries. `next_field`: the entries of the next stretch, and who
    catches up in it. A block counts as a cycle, with the sessions of everybody who sits in it. Its rest in
    later stretches is not told.
    """
    if len(ranked) < LEAST_RANKED:
        return None
    over = Counter(cycle for cycle, _ in known.over)
    complete = {cycle for cycle in range(plan.cycles) if over[cycle] >= plan.sessions_in(cycle)}
    names = {entry.bot: entry.number for entry in known.view.entries}
    results = eligible(
        (one for one in known.results if one.cycle in complete),
        with_house(known.view, [entry.bot for entry in known.view.entries if entry.number in next_field[0]]),
    )
    counted = Counter({names[bot]: times for bot, times in sessions_of_each(results).items()})
    cycles = _cycles_ahead(plan, complete, next_field)
    for further, sessions in enumerate(cycles):
        enough = sum(counted[number] >= ENOUGH_SESSIONS for number in ranked)
        if enough >= LEAST_RANKED and len(complete) + further >= LEAST_CYCLES:
            return further
        counted += sessions
    raise AssertionError("cycles have no end")


def _cycles_ahead(
    plan: OpenPlan, complete: Collection[int], next_field: tuple[Collection[int], CatchUp]
) -> Iterator[Counter[int]]:
    """Yield in how many sessions of each further cycle every entry sits: without end."""
    field, catch_up = sorted(next_field[0]), next_field[1]
    rest = [cycle for cycle in range(plan.cycles) if cycle not in complete]
    for cycle in rest:
        yield Counter(number for session in plan.cycle(cycle) for number in session.order)
    if catch_up.block and not rest:
        yield Counter(
            number for table in plan.catch_up_tables(field, catch_up.block) for number in table.entries
        )
    while True:
        yield Counter(dict.fromkeys(field, plan.seats))


def _unready(loaded: LoadedLeague, seen: Ahead) -> dict[str, str]:
    """Return what each version that is to play misses that misses something, as far as it can be seen."""
    missing = {}
    for entry in seen.field.entries:
        known = {"id": bot_of(entry.bot), "name": entry.name, "folder": entry.folder}
        try:
            bot = started_by(known, entry.version)
        except ValueError as error:
            raise StoreError(f"The version of {entry.bot} cannot be read: {error}") from error
        copy = loaded.arena_folder / "bots" / entry.digest
        folder = copy if copy.is_dir() else loaded.root / entry.folder
        missing[entry.bot] = what_is_missing(BotCommand(entry.bot, bot.command, str(folder), build=bot.build))
    return {entry: why for entry, why in missing.items() if why is not None}
