"""Opening a season: what a league file may change from run to run, what it may not, and what is noted."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from hashlib import sha256
from pathlib import Path

import pytest

from arena.bot.snapshot import folder_digest
from arena.deals import MatchKey
from arena.errors import SeasonChanged
from arena.league import read_league
from arena.runner.seasons import OpenSeason, open_phase, open_season
from arena.season.forecast import forecast
from arena.season.opening import Opening, Way, opening
from arena.season.stages import staged
from arena.store import read, write
from arena.store.database import Database
from arena.store.playing import PlannedSession
from arena.store.stored_season import StoredSeason
from arena.store.views import PhaseView, SeasonFacts, SeasonView
from arena.verify.season_check import check_phase
from arena.verify.verify import verify
from tests.running import edit, make_bot, make_league
from tests.store.samples import played


class Desk:
    """A league file and its database."""

    def __init__(self, league: Path, database: Database) -> None:
        self.league = league
        self.database = database

    def open(self, new_season: str | None = None) -> OpenSeason:
        return open_season(read_league(self.league), self.database, new_season)

    def begin(self, season: OpenSeason) -> tuple[int, MatchKey]:
        """As if a first match were being played. Return its season and its key."""
        phase = open_phase(season, self.database)
        assert phase is not None
        line_up = tuple(season.bots[number] for number in season.plan.cycle(0)[0].order)
        number, key = season.view.number, MatchKey(0, 0, 0, 0)
        write.begin_sessions(self.database, number, 0, [(PlannedSession(0, 0, line_up, 1), [key])], 1)
        return number, key

    def play(self, season: OpenSeason) -> None:
        """As if a first match had been played."""
        number, key = self.begin(season)
        bots = [season.bots[seat] for seat in season.plan.cycle(0)[0].rows[0]]
        write.save_matches(self.database, number, [played(key, bots=bots, seats=3)])

    def play_out(self, season: OpenSeason, cycles: int | None = None) -> None:
        """As if all sessions, or those of the first cycles, had been left out and the phase had ended."""
        phase = open_phase(season, self.database)
        assert phase is not None
        for cycle in range(cycles or season.cycles):
            for session in season.plan.cycle(cycle):
                line_up = tuple(season.bots[number] for number in session.order)
                number = season.plan.match_number(cycle, session.index, 0)
                planned = PlannedSession(cycle, session.index, line_up, number)
                write.begin_sessions(self.database, season.view.number, phase[0].number, [(planned, [])], 1)
                write.leave_out(self.database, season.view.number, planned.key, "for the test")
        write.end_phase(self.database, season.view.number, phase[0].number, "played", 2, cycles)

    def acts(self, what: str) -> list[tuple[str, str, str]]:
        return [
            (act.subject, act.reason, act.detail) for act in read.actions(self.database) if act.what == what
        ]


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    league = make_league(tmp_path, cycles=2)
    with Database.open(tmp_path / "league.db", create=True) as database:
        yield Desk(league, database)


def add_bot(league: Path) -> None:
    make_bot(league.parent / "bots/new", "print('new')\n")
    league.write_text(
        league.read_text() + '[[bots]]\nname = "New"\nfolder = "bots/new"\ncommand = ["{python}", "bot.py"]\n'
    )


def drop_bot(league: Path) -> None:
    head, _, _ = league.read_text().rpartition("[[bots]]")
    league.write_text(head)


def drop_first(league: Path) -> None:
    head, _, rest = league.read_text().partition("[[bots]]")
    league.write_text(head + "[[bots]]" + rest.partition("[[bots]]")[2])


CHANGES: dict[str, tuple[Callable[[Path], None], str]] = {
    "an S key": (lambda league: edit(league, "rounds = 3", "rounds = 6"), "league.rounds: 3 -> 6"),
    "the seed": (lambda league: edit(league, '"tests"', '"other"'), 'schedule.seed: "tests" -> "other"'),
    "a bot's file": (
        lambda league: edit(league.parent / "bots/b2/bot.py", "PICK = 2", "PICK = 1"),
        "bots.b2.digest: ",
    ),
    "a bot's command": (
        lambda league: edit(league, '["{python}", "bot.py"]', '["{python}", "-O", "bot.py"]'),
        "bots.b0.command: ",
    ),
    "another bot": (add_bot, "bots.new: added"),
    "a bot less": (drop_bot, "bots.b3: removed"),
    "fewer cycles": (
        lambda league: edit(league, "cycles = 2", "cycles = 1"),
        "schedule.cycles: 2 -> 1",
    ),
}


def opened(league: Path, stored: StoredSeason | None = None, why: str | None = None) -> Opening:
    """What the file makes of a season, without a database."""
    stage = staged(read_league(league), None if stored is None or why is not None else stored.view)
    bots = stage.loaded.league.bots
    digests = {bot.id: folder_digest(stage.loaded.bot_folder(bot)) for bot in bots}
    return opening(stage, digests, stored, why)


def begun_by(found: Opening, cycles: int) -> StoredSeason:
    """The season that began so, of whose phase a match was finished."""
    new = found.season((1, "ann"), "")
    phase = PhaseView(1, 0, "", 1, "", cycles, predictable=True, cycles_at_most=cycles)
    facts = {one.name: getattr(new, one.name) for one in fields(SeasonFacts)}
    return StoredSeason(SeasonView(number=1, phases=(phase,), **facts), ())


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_is_refused_with_its_name_once_something_was_played(tmp_path: Path, change: str) -> None:
    league = make_league(tmp_path, cycles=2)
    first = opened(league)
    stored = begun_by(first, cycles=2)
    assert (first.way, opened(league, stored).way) == (Way.BEGINS, Way.GOES_ON)
    make, text = CHANGES[change]
    make(league)
    refused = opened(league, stored)
    assert refused.way is Way.REFUSED
    assert text in refused.refusal(1)
    anew = opened(league, replace(stored, is_played=False))
    assert (anew.way, anew.changes) == (Way.BEGINS_ANEW, refused.changes)
    asked = opened(league, stored, "because")
    assert (asked.way, asked.why, asked.changes) == (Way.BEGINS, "because", ())


def test_a_season_that_cannot_go_on_is_followed_by_another_only_with_a_reason(desk: Desk) -> None:
    desk.play(desk.open())
    edit(desk.league, "rounds = 3", "rounds = 6")
    with pytest.raises(SeasonChanged, match=r"league\.rounds: 3 -> 6"):
        desk.open()
    season = desk.open("because")
    assert season.view.number == 2
    assert desk.acts("new season") == [("1", "", ""), ("2", "because", "")]


def test_a_file_that_has_changed_is_named(desk: Desk) -> None:
    desk.play(desk.open())
    edit(desk.league.parent / "bots/b2/bot.py", "PICK = 2", "PICK = 1")
    with pytest.raises(
        SeasonChanged, match=r"bots\.b2\.digest: .*: a file in its folder was changed: bot\.py\n"
    ):
        desk.open()


def test_bots_that_change_after_a_season_begin_the_next_one(desk: Desk) -> None:
    first = desk.open()
    desk.play(first)
    desk.play_out(first)
    for make in (add_bot, drop_first, CHANGES["a bot's file"][0]):
        make(desk.league)
    assert forecast(read_league(desk.league)).begins == "New entered, B2 changed, B0 left"
    season = desk.open()
    assert (season.view.number, season.remark) == (
        2,
        "season 2 begins, for season 1 is over: New entered, B2 changed, B0 left",
    )
    assert desk.acts("new season") == [("1", "", ""), ("2", "New entered, B2 changed, B0 left", "")]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "begun"), [("an S key", True), ("a bot's file", False), ("a bot less", True)]
)
def test_a_season_of_which_nothing_was_played_begins_anew(desk: Desk, change: str, begun: bool) -> None:
    """Under its number; the forecast says the same before. A match that was begun is not played yet."""
    first = desk.open("a reason") if begun else desk.open()
    open_phase(first, desk.database)
    if begun:
        desk.begin(first)
    make, text = CHANGES[change]
    make(desk.league)
    seen = forecast(read_league(desk.league))
    season = desk.open()
    assert (seen.season, [change.text for change in seen.changes]) == (
        1,
        [desk.acts("season begun anew")[0][2]],
    )
    assert text in desk.acts("season begun anew")[0][2]
    assert (season.view.number, season.view.reason) == (1, "a reason" if begun else "")
    assert season.view.phases == ()
    assert read.sessions(desk.database, 1) == read.matches(desk.database, 1, state=None) == []
    assert forecast(read_league(desk.league)).changes == ()
    assert verify(desk.database, read.seasons(desk.database)).difference is None
    assert len(read.seasons(desk.database)) == 1


def test_a_free_key_is_noted(desk: Desk) -> None:
    desk.begin(desk.open())
    edit(desk.league, 'name = "Tiny"', 'name = "Small"')
    edit(desk.league, "[sandbox]", "[report]\npublish = []\n[sandbox]")
    edit(desk.league, "cycles = 2", "cycles = 3")
    assert desk.open().view.number == 1
    assert [subject for subject, *_ in desk.acts("changed key")] == [
        "league.name",
        "report.publish",
        "schedule.cycles",
    ]
    assert desk.acts("changed key")[0][2] == 'league.name: "Tiny" -> "Small"'
    desk.open()
    assert len(desk.acts("changed key")) == 3


def test_what_a_bot_may_be_called_at_any_time_is_kept_up_to_date(desk: Desk) -> None:
    desk.begin(desk.open())
    more = 'command = ["{python}", "bot.py"]\nauthor = "Ada"'
    edit(desk.league, 'command = ["{python}", "bot.py"]', more)
    first, second, *_ = desk.open().view.entries
    assert (first.author, second.author) == ("Ada", "")
    assert [subject for subject, *_ in desk.acts("changed key")] == ["bots.b0.author"]


def test_with_a_seed_a_new_season_has_deals_of_its_own(desk: Desk) -> None:
    desk.play_out(desk.open())
    desk.play_out(desk.open("again"))
    first, second = (season.phases[0] for season in read.seasons(desk.database))
    assert first.secret == sha256(b"papayoo-1|seed|tests|0").hexdigest()
    assert second.secret == sha256(b"papayoo-1|seed|tests#2|0").hexdigest()
    for season in read.seasons(desk.database):
        assert list(check_phase(season.phases[0], [], season.keys)) == []


@pytest.mark.parametrize("played", [2, 1], ids=["played to its end", "settled early"])
def test_a_phase_begins_where_verify_expects_it(desk: Desk, played: int) -> None:
    """Opening asks for the first session that is not over, verify for the end of the phase before."""
    desk.play_out(desk.open(), cycles=played)
    edit(desk.league, "cycles = 2", "cycles = 3")
    assert open_phase(desk.open(), desk.database) is not None
    season = read.current_season(desk.database)
    assert season is not None
    ended, begun = season.phases
    assert begun.first_cycle == played
    assert list(check_phase(begun, [ended], season.keys)) == []
