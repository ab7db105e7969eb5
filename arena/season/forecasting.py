"""Makes the forecast of a league, from its file, the folders of its bots and what is stored of it.

It stores nothing and starts no bot.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import replace

from arena.bot.snapshot import folder_digest, naming
from arena.conduct.exclusion import disqualified, out_in
from arena.errors import StoreError
from arena.league.cycles import cycles_of
from arena.league.house import field_of, house_bot, house_folder, is_house
from arena.league.reader import LoadedLeague
from arena.league.season import Change, season_document
from arena.league.versions import started_by
from arena.schedule import OpenPlan, PhaseField, canonical_json, season_digest
from arena.schedule.open_plan import CatchUp, catch_up_quota
from arena.season.agenda import OVER
from arena.season.ahead import ahead
from arena.season.changed import changes_since, may_begin_anew, why_another
from arena.season.decide import too_few_from
from arena.season.forecast import Forecast, Player, Stored, sessions_left
from arena.season.open_field import LEAST_RANKED, house_entries
from arena.season.opening import cycles_begun, now_ms, plan_of, with_cycles
from arena.season.phases import is_settled
from arena.season.staged import Staged, staged
from arena.standings.entry_ids import bot_of
from arena.standings.open_field import eligible, sessions_of_each
from arena.store import read
from arena.store.acts import closing, failed_starts
from arena.store.database import Database, is_there
from arena.store.planned import closed_plan, open_plan, with_house
from arena.store.views import Entry, Role, SeasonView

__all__ = ["forecast"]

_FOR_EVER = 10_000
"""The cycles of a phase of which it is asked when verdicts are possible, and not how long it is."""


def _stored(loaded: LoadedLeague, new_season: bool) -> Stored | None:
    if not is_there(loaded.database):
        return None
    with Database.open(loaded.database, read_only=True) as database:
        view = read.current_season(database)
        if view is None:
            return None
        states = read.session_states(database, view.number)
        played = [(match.started_at, match.finished_at) for match in read.matches(database, view.number)]
        return Stored(
            view=view,
            rulings=tuple(read.rulings(database, view.number)),
            actions=tuple(read.actions(database)),
            results=tuple(read.session_results(database, view.number)) if view.open else (),
            over=Counter(cycle for (cycle, _), state in states.items() if state in OVER),
            match_ms=tuple(end - begin for begin, end in played if end is not None),
            settled=not new_season and is_settled(staged(loaded, view).loaded, view, database),
            cycles=cycles_begun(view),
            is_empty=may_begin_anew(view, database),
        )


def forecast(loaded: LoadedLeague, new_season: bool = False) -> Forecast:
    """Return the forecast for a league file; `new_season`: of another season than the stored one.

    Raises UsageError when there is no schedule for its field, BotFolderError when a bot's folder cannot be
    read, StoreError when its database cannot be read.
    """
    newest = _stored(loaded, new_season)
    known = None if new_season else newest
    stage = staged(loaded, known.view if known else None)
    document = _document(stage)
    changes = changes_since(known.view, document, with_cycles(stage.loaded, known.cycles)) if known else ()
    goes_on = known if not changes else None
    stage = replace(stage, loaded=with_cycles(stage.loaded, goes_on.cycles if goes_on else 0))
    number = newest.view.number + new_season if newest else 1
    season = None if known and changes and not known.is_empty else number
    if stage.loaded.league.league.open:
        return _open(stage, season, changes, goes_on, document)
    # What was ruled holds also in a season that begins anew.
    gone = disqualified(known.rulings) if known and changes and known.is_empty else {}
    seen = _closed(stage, season, changes, goes_on, (document, gone))
    begins = why_another(known.view, changes, stage.loaded) if known and season is None else ""
    return replace(seen, begins=begins)


def _document(stage: Staged) -> dict[str, object]:
    league, digests = stage.loaded.league, dict(stage.digests)
    for bot in () if league.league.open else field_of(league):
        with naming(bot.id):
            digests[bot.id] = digests.get(bot.id) or folder_digest(stage.loaded.bot_folder(bot))
    return season_document(league, digests)


def _closed(
    stage: Staged,
    season: int | None,
    changes: tuple[Change, ...],
    stored: Stored | None,
    of_new: tuple[Mapping[str, object], Collection[str]],
) -> Forecast:
    """Return the forecast of a closed season. `of_new`: its document and who is out, if it is not stored."""
    bots, end = field_of(stage.loaded.league), cycles_of(stage.loaded.league)
    document, gone = of_new
    rulings = stored.rulings if stored else ()
    plan = closed_plan(stored.view, rulings) if stored else plan_of(stage.loaded, season_digest(document))
    ended, last = "", end
    if stored and stored.settled:
        ended, last = "it is settled", 0
    elif stored and (few := too_few_from(stored.view, rulings)) is not None:
        ended, last = f"{few[1]}; arena reinstate lets a bot play again", min(end, few[0])
    sits = {
        bots[number].id
        for cycle in sessions_left(plan, range(last), stored)
        for number in plan.present(cycle)
        if bots[number].id not in out_in(rulings, cycle)
    }.difference(gone)
    present = plan.present(max(0, last - 1))
    return Forecast(
        stage, season, changes, stored, ended, plan, plan, 0, end, last,
        bots={number: bot.id for number, bot in enumerate(bots)},
        ranked=frozenset(bots[number].id for number in present if bots[number].role == "entrant"),
        players={bot.id: Player(bot, stage.folder_of(bot)) for bot in bots if bot.id in sits},
        departed=tuple(bot.name for number, bot in enumerate(bots) if number not in present),
    )  # fmt: skip


def _open(
    stage: Staged,
    season: int | None,
    changes: tuple[Change, ...],
    stored: Stored | None,
    document: Mapping[str, object],
) -> Forecast:
    """Return the forecast of an open season, if nobody comes, changes or leaves."""
    view = stored.view if stored else _nothing_stored(stage.loaded, document)
    actions, rulings = (stored.actions, stored.rulings) if stored else ((), ())
    seen = ahead(stage.loaded, view, rulings, failed_starts(view, actions), now_ms())
    act, plan, cycles = closing(actions, view.number), open_plan(view), cycles_of(stage.loaded.league)
    ranked = frozenset(entry.bot for entry in seen.field.entries if entry.role is Role.ENTRANT)
    entries: tuple[Entry, ...] = ()
    if act is None and len(ranked) >= LEAST_RANKED:
        house = house_entries(view, seen.field.entries, folder_digest(house_folder()), 0)
        entries = (*seen.field.entries, *house)
    numbers = {entry.bot: entry.number for entry in entries}
    is_begun = view.unfinished is not None
    if stored:
        stored = replace(stored, results=tuple(eligible(stored.results, with_house(view, numbers))))
    catch_up = CatchUp(0, (), ())
    if entries and not is_begun:
        counts = sessions_of_each(stored.results if stored else ())
        owing = {number: counts[bot] for bot, number in numbers.items() if bot in ranked}
        catch_up = catch_up_quota(plan, sorted(numbers.values()), cycles, owing)
    whole = _with_next(plan, numbers, catch_up, 0 if is_begun else cycles)
    first = view.phases[-1].first_cycle if is_begun else plan.cycles
    known = {entry.number: entry for entry in (*view.entries, *entries)}
    sits = {number for cycle in range(first, whole.cycles) for number in whole.present(cycle)}
    return Forecast(
        stage, season, changes, stored,
        "" if act is None else f"{act.reason}; no further phase is played",
        whole, _with_next(plan, numbers, catch_up, _FOR_EVER), first, whole.cycles, whole.cycles,
        bots={number: entry.bot for number, entry in known.items()},
        ranked=ranked if entries else frozenset(),
        players={known[number].bot: _entered(stage, known[number]) for number in sorted(sits)},
        ahead=seen,
        catch_up={known[number].bot: sessions for number, sessions in catch_up.block},
    )  # fmt: skip


def _nothing_stored(loaded: LoadedLeague, document: Mapping[str, object]) -> SeasonView:
    """Return an open season of which nothing is stored."""
    seats, rounds = loaded.league.league.seats, loaded.league.league.rounds
    text, digest = canonical_json(document), season_digest(document)
    return SeasonView(
        1,
        0,
        text,
        digest,
        "",
        "balanced",
        seats,
        rounds,
        seats,
        seats,
        seats,
        "",
        "",
        entries=(),
        phases=(),
    )


def _with_next(plan: OpenPlan, numbers: Mapping[str, int], catch_up: CatchUp, cycles: int) -> OpenPlan:
    """Return the plan with a further phase of these entries, and of so many balanced cycles."""
    if not numbers or not cycles:
        return plan
    length = cycles + bool(catch_up.block)
    following = PhaseField(plan.cycles, length, tuple(sorted(numbers.values())), catch_up.block)
    return plan.going_on([*plan.phases, following])


def _entered(stage: Staged, entry: Entry) -> Player:
    """Return how an entry of an open league is started: from its copy, or from its folder as it is now."""
    if is_house(bot_of(entry.bot)):
        number = int(entry.name.removeprefix("House ").partition(" ")[0])
        return Player(house_bot(number), house_folder())
    known = {"id": bot_of(entry.bot), "name": entry.name, "folder": entry.folder}
    try:
        section = started_by(known, entry.version)
    except ValueError as error:
        raise StoreError(f"The version of {entry.bot} cannot be read: {error}") from error
    copy = stage.copy_of(entry.digest)
    return Player(section, copy if copy.is_dir() else stage.loaded.root / entry.folder)
