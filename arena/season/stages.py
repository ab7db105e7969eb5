"""The stages of a league: each as a league of its own, and who goes on from one to the next. Pure.

The file names the stages, a stored season says which of them it is and who plays in it. A decision rests on
the sessions that count when it is made; it is stored with the season that it begins, and `arena verify` makes
it again from there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from arena.errors import StoreError, UsageError
from arena.league.model import BotSection, League
from arena.league.reader import LoadedLeague
from arena.league.texts import NAME_LENGTH
from arena.league.versions import started_by
from arena.score.cut import Keep, cut
from arena.score.entry_ids import bot_of, version_of
from arena.score.results import SessionResult
from arena.score.scoring import Scoring
from arena.store.stage import Decision, Stage, rule_of, stage_of
from arena.store.stored_season import StoredSeason
from arena.store.views import Entry, Role, SeasonView, SessionKey

LEAST_BOTS = 2
"""The fewest bots that play a stage."""


@dataclass(frozen=True, slots=True)
class Staged:
    """A stage. `loaded`: its league, as if there were no other stage.

    `told`: the section "stage" of its season's document; empty in a league without stages. `digests`: the
    copies by which the bots play that went on to it; empty in a first stage, whose bots are copied from their
    folders.
    """

    loaded: LoadedLeague
    told: Mapping[str, object] = field(default_factory=dict)
    digests: Mapping[str, str] = field(default_factory=dict)

    @property
    def keep(self) -> Keep | None:
        """Return who goes on after it; None after the last stage, and without stages."""
        number, of = self.told.get("number"), self.told.get("of")
        return keep_after(self.loaded.league, number) if isinstance(number, int) and number != of else None

    @property
    def text(self) -> str:
        """Return in words which stage it is and who goes on after it; empty without stages."""
        if not self.told:
            return ""
        then = "" if self.keep is None else f"; then {self.keep.words}"
        return "{number} of {of}, {name}".format(**self.told) + then

    def folder_of(self, bot: BotSection) -> Path:
        """Return the folder from which a bot is copied, or its copy where it went on to this stage."""
        digest = self.digests.get(bot.id)
        return self.loaded.bot_folder(bot) if digest is None else self.copy_of(digest)

    def copy_of(self, digest: str) -> Path:
        """Return where the copy of a folder is."""
        return self.loaded.arena_folder / "bots" / digest


def staged(loaded: LoadedLeague, season: SeasonView | None) -> Staged:
    """Return the stage that a season is, and without one the first stage of the league.

    Raises UsageError where the file no longer has this stage, StoreError for a damaged season.
    """
    stages = loaded.league.stages
    stage = None if season is None else stage_of(season)
    if season is None or stage is None:
        return Staged(_part(loaded, 1), _told(loaded, 1)) if stages else Staged(loaded)
    if stage.number > len(stages):
        there = f"there are {len(stages)} [[stages]]" if stages else "it has no [[stages]]"
        raise UsageError(
            f"{loaded.path}: season {season.number} is {stage}, and {there}; put them back as they were"
        )
    told = dict(season.section("stage"))
    if stage.number == 1:
        return Staged(_part(loaded, 1), told)
    entrants = [entry for entry in season.entries if entry.role is Role.ENTRANT]
    bots = [_section(season, entry) for entry in entrants]
    return Staged(_part(loaded, stage.number, bots), told, {entry.bot: entry.digest for entry in entrants})


def following(loaded: LoadedLeague, season: SeasonView, decision: Decision) -> Staged:
    """Return the stage after that of a season, with the bots that go on to it, in the season's order."""
    stage = stage_of(season)
    assert stage is not None, "only a stage is followed by one"
    going = [entry for entry in season.entries if entry.bot in decision.going_on]
    told = {**_told(loaded, stage.number + 1), "after": decision.document}
    bots = [_section(season, entry) for entry in going]
    digests = {bot_of(entry.bot): entry.digest for entry in going}
    return Staged(_part(loaded, stage.number + 1, bots), told, digests)


def _part(loaded: LoadedLeague, number: int, bots: Sequence[BotSection] | None = None) -> LoadedLeague:
    return replace(loaded, league=stage_league(loaded.league, number, bots))


def _told(loaded: LoadedLeague, number: int) -> dict[str, object]:
    name = loaded.league.stages[number - 1].name or f"Stage {number}"
    return {"number": number, "of": len(loaded.league.stages), "name": name}


def _section(season: SeasonView, entry: Entry) -> BotSection:
    """Return how a bot of a season is started and described, from what is stored of it."""
    told = {"author": entry.author}
    try:
        if season.open:
            # As it was known before: an earlier version of the bot may have been another player.
            name = entry.name
            if len(name) > NAME_LENGTH:
                name = name.removesuffix(f" v{version_of(entry.bot)}")
            known = {"id": bot_of(entry.bot), "name": name, "folder": entry.folder}
            return started_by(known, entry.version).model_copy(update=told)
        documents = season.keys.get("bots", ())
        own = next(document for document in documents if document.get("id") == entry.bot)
        known = {key: value for key, value in own.items() if key in BotSection.model_fields}
        return BotSection.model_validate({**known, **told})
    except (ValueError, StopIteration, AttributeError, TypeError) as error:
        raise StoreError(
            f"Season {season.number} does not say how {entry.bot} is started: {error}"
        ) from error


def stage_league(league: League, number: int, bots: Sequence[BotSection] | None = None) -> League:
    """Return the league of a stage, from 1, as if the file described nothing else.

    `bots`: who plays in it; None in the first stage, whose bots are those of the file.
    """
    stage = league.stages[number - 1]
    own = {key: value for key, value in (("cycles", stage.cycles), ("stop", stage.stop)) if value is not None}
    update: dict[str, object] = {"schedule": league.schedule.model_copy(update=own)}
    if bots is not None:
        update["league"] = league.league.model_copy(update={"open": False, "entries": None})
        update["bots"] = tuple(bots)
    return league.model_copy(update=update)


# Who goes on


def keep_after(league: League, number: int) -> Keep:
    """Return who goes on after a stage, from 1; it must not be the last."""
    stage = league.stages[number - 1]
    assert stage.keep is not None, "the model refuses a stage without keep before the last"
    return Keep(stage.keep, sum(isinstance(one.keep, str) for one in league.stages))


def is_over(stored: StoredSeason) -> bool:
    """Return whether nothing more is played in a season that a run has just played to its end."""
    view = stored.view
    return bool(view.phases) and view.unfinished is None and (not view.open or bool(stored.closed))


def decided(
    season: SeasonView,
    keep: Keep,
    scored_by: tuple[Scoring, Iterable[SessionResult]],
    known: tuple[Iterable[SessionKey], int],
) -> Decision:
    """Return who goes on after a season.

    `scored_by`: the score at its end, and the sessions that counted. `known`: the sessions that were void,
    and the number of acts.
    """
    scoring, results = scored_by[0], list(scored_by[1])
    void, acts = known
    made = cut(scoring, results, keep)
    present = scoring.bots if scoring.present is None else sorted(scoring.present)
    return Decision(
        season=season.number,
        rule=keep.rule,
        cuts=keep.cuts,
        cycles=1 + max((result.cycle for result in results), default=-1),
        sessions=len(results),
        void=tuple(f"{cycle}.{index}" for cycle, index in void),
        acts=acts,
        field=tuple(bot for bot in present if bot not in scoring.departed),
        going_on=made.going_on,
        leaving=made.leaving,
        no_look=made.no_look,
    )


def told(stage: Stage, decision: Decision, names: dict[str, str]) -> list[str]:
    """Return in lines who goes on after a stage and who does not."""
    going, leaving = len(decision.going_on), len(decision.leaving)
    lines = [f"{stage}, is over: {going} of {going + leaving} bots go on: {rule_of(decision)}"]
    lines += [f"  go on: {_listed(decision.going_on, names)}"]
    if decision.leaving:
        lines += [f"  leave: {_listed(decision.leaving, names)}"]
    if decision.no_look:
        lines += [f"  there are no verdicts, so nobody is surely behind: {decision.no_look}"]
    return lines


def _listed(bots: Iterable[str], names: dict[str, str]) -> str:
    return ", ".join(names[bot] for bot in bots) or "nobody"
