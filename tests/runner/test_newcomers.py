"""Who comes while others play: real folders and a real database, made-up builds, a clock that jumps."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import trio
from trio.testing import MockClock

from arena.errors import BotFolderError
from arena.runner.newcomers import REST_SECONDS, TRY_AGAIN_SECONDS, Newcomers, Workshop
from arena.score.entry_ids import bot_of
from arena.season.open_field import CHANGING, Seen, look
from arena.season.opening import now_ms
from arena.store import read, write
from arena.store.acts import CLOSE, NOT_READY, FailedStart
from arena.store.history import Action
from arena.store.views import Entry
from tests.open_played import OpenPlay
from tests.running import enter, leave, make_open_league

ONE_LOOK = REST_SECONDS + 0.1
ALL = frozenset({"b0@1", "b1@1", "b2@1", "b3@1"})


class Shop(Workshop):
    """A workshop whose builds take as many seconds as `seconds` says of a bot; without that none is needed.

    `broken`: the bots whose builds fail in the end; `full`: those for which the disk is full. `builds`: what
    was begun; `given_up`: what was ended before it was done.
    """

    def __init__(self, played: OpenPlay) -> None:
        self.played = played
        self.seconds: dict[str, float] = {}
        self.broken: set[str] = set()
        self.full: set[str] = set()
        self.uncopied: set[str] = set()
        self.builds: list[str] = []
        self.given_up: list[str] = []

    async def look(self) -> Seen:
        return look(self.played.loaded, self.played.arrivals.view)

    async def is_ready(self, entry: Entry) -> bool:
        if bot_of(entry.bot) in self.uncopied:
            raise BotFolderError("it was changed while it was copied")
        return bot_of(entry.bot) not in self.seconds

    async def build(self, entry: Entry) -> FailedStart | None:
        bot = bot_of(entry.bot)
        self.builds.append(entry.bot)
        try:
            await trio.sleep(self.seconds[bot])
        except trio.Cancelled:
            self.given_up.append(entry.bot)
            raise
        if bot in self.full:
            raise OSError(28, "No space left on device")
        return FailedStart("not built: make: exit code 2") if bot in self.broken else None


class Evening:
    """An open league and the task that looks for newcomers."""

    def __init__(self, league: Path, played: OpenPlay) -> None:
        self.league = league
        self.played = played
        self.arrivals = played.arrivals
        self.shop = Shop(played)
        self.newcomers = Newcomers(played.arrivals, self.shop)

    def comes(self, bot: str, pick: int = 0, *, seconds: float | None = None) -> None:
        """Put the folder of a bot there, whose build takes so long."""
        enter(self.league, bot, pick)
        if seconds is not None:
            self.shop.seconds[bot] = seconds

    def begin(self) -> frozenset[str]:
        """Begin a phase, and return who plays in it."""
        assert self.arrivals.begin(self.arrivals.field().entries), self.played.said
        return frozenset(command.bot for command in self.arrivals.season().commands)

    @property
    def changes(self) -> str:
        return self.played.changes()

    @property
    def stored(self) -> list[str]:
        return [entry.bot for entry in self.arrivals.view.entries]

    @property
    def failures(self) -> list[str]:
        return [act.subject for act in read.actions(self.played.database) if act.what == NOT_READY]


@asynccontextmanager
async def watched(league: Path, slow: Mapping[str, float] | None = None) -> AsyncGenerator[Evening]:
    """An open league whose folders are looked at. `slow`: how long builds take that are needed at once."""
    with OpenPlay(league) as played:
        found = Evening(league, played)
        found.shop.seconds.update(slow or {})
        async with trio.open_nursery() as nursery:
            nursery.start_soon(found.newcomers.keep_looking)
            yield found
            nursery.cancel_scope.cancel()


@pytest.fixture
async def evening(tmp_path: Path) -> AsyncGenerator[Evening]:
    """Four bots that are ready and play. Only a test itself can ask for another clock."""
    async with watched(make_open_league(tmp_path, schedule="version_hours = 0\n")) as found:
        await found.newcomers.all_ready()
        assert found.begin() == ALL
        yield found


async def test_a_slow_build_holds_up_nobody_and_ends_no_phase_before_it_is_done(
    evening: Evening, autojump_clock: MockClock
) -> None:
    evening.comes("late")
    evening.comes("slow", seconds=60)
    evening.comes("b1", 3, seconds=60)
    await trio.sleep(ONE_LOOK)
    assert evening.changes == "", "they have not rested"
    await trio.sleep(ONE_LOOK)
    assert evening.changes == "late@1 has come"
    assert evening.stored == sorted(ALL), "nothing is stored of who is not ready"
    await evening.newcomers.enough_ready()
    assert evening.begin() == {*ALL, "late@1"}, "b1 plays on as it was"
    await trio.sleep(40)
    assert evening.changes == ""
    await trio.sleep(20)
    assert evening.changes == "b1@2 has come; slow@1 has come"
    assert evening.begin() == {"b0@1", "b1@2", "b2@1", "b3@1", "late@1", "slow@1"}
    assert sorted(evening.shop.builds) == ["b1@2", "slow@1"]


async def test_a_build_that_fails_is_told_once_and_ends_no_phase(
    evening: Evening, autojump_clock: MockClock
) -> None:
    evening.shop.broken |= {"bad", "b1"}
    evening.comes("bad", seconds=1)
    evening.comes("b1", 3, seconds=1)
    await trio.sleep(20 * ONE_LOOK)
    assert evening.changes == ""
    assert sorted(evening.failures) == ["b1@2", "bad@1"]
    assert evening.played.said.count("bad@1 is not ready: not built: make: exit code 2") == 1
    evening.newcomers.try_again()
    await trio.sleep(20 * ONE_LOOK)
    assert sorted(evening.shop.builds) == ["b1@2", "bad@1"], "they are unchanged"
    assert evening.begin() == ALL
    evening.shop.broken.clear()
    evening.comes("bad", 2)
    await trio.sleep(3 * ONE_LOOK)
    assert evening.changes == "bad@2 has come"


async def test_a_build_is_given_up_when_its_folder_changes_or_goes(
    evening: Evening, autojump_clock: MockClock
) -> None:
    evening.comes("one", seconds=30)
    evening.comes("two", seconds=30)
    await trio.sleep(2 * ONE_LOOK)
    evening.comes("one", 1)
    leave(evening.league, "two")
    await trio.sleep(ONE_LOOK)
    assert sorted(evening.shop.given_up) == ["one@1", "two@1"]
    await trio.sleep(30 + 2 * ONE_LOOK)
    assert evening.changes == "one@1 has come", "its first version was never stored"
    assert evening.shop.builds.count("one@1") == 2
    assert evening.failures == []


async def test_a_folder_that_does_not_rest_is_not_taken(evening: Evening, autojump_clock: MockClock) -> None:
    for pick in (0, 1, 2, 3):
        evening.comes("busy", pick)
        await trio.sleep(ONE_LOOK)
    assert evening.changes == ""
    assert evening.played.said.count(f"busy does not play: {CHANGING}") == 1
    await trio.sleep(ONE_LOOK)
    assert evening.changes == "busy@1 has come"


async def test_a_full_disk_is_nobodys_fault_and_stops_nobody(
    evening: Evening, autojump_clock: MockClock
) -> None:
    evening.shop.full.add("big")
    evening.comes("big", seconds=1)
    evening.comes("late")
    await trio.sleep(5 * ONE_LOOK)
    assert evening.changes == "late@1 has come"
    assert evening.failures == []
    assert len(evening.shop.builds) == 1, "it is tried again before the next phase only"
    assert any(said.startswith("big@1 does not play: it cannot be built now") for said in evening.played.said)
    evening.shop.full.clear()
    evening.newcomers.try_again()
    await trio.sleep(2 * ONE_LOOK)
    assert evening.changes == "big@1 has come; late@1 has come"


async def test_a_folder_that_cannot_be_copied_is_tried_again(
    evening: Evening, autojump_clock: MockClock
) -> None:
    evening.shop.uncopied.add("late")
    evening.comes("late")
    await trio.sleep(3 * ONE_LOOK)
    assert evening.changes == ""
    assert evening.played.said.count("late@1 does not play: it was changed while it was copied") == 1
    evening.shop.uncopied.clear()
    await trio.sleep(ONE_LOOK)
    assert evening.changes == "late@1 has come"


async def test_nothing_is_built_for_a_closed_season(evening: Evening, autojump_clock: MockClock) -> None:
    act = Action(now_ms(), "ann", CLOSE, "1", "the season is over", "")
    write.action(evening.played.database, act)
    evening.comes("late", seconds=1)
    await trio.sleep(3 * ONE_LOOK)
    assert evening.shop.builds == []
    assert evening.changes == "season 1 is closed: the season is over"


async def test_a_run_that_follows_waits_only_until_two_bots_can_play(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    league = make_open_league(tmp_path)
    async with watched(league, {"b0": 90, "b1": 60, "b2": 30}) as evening:
        await evening.newcomers.enough_ready()
        assert trio.current_time() == pytest.approx(30 + REST_SECONDS, abs=1)
        assert evening.begin() == {"b2@1", "b3@1", "house-1@1"}
        await trio.sleep(31)
        assert evening.changes == "b1@1 has come"


async def test_too_few_bots_wait_for_another_one_or_for_the_next_try(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    league = make_open_league(tmp_path, bots=1)
    async with watched(league) as evening:
        await evening.newcomers.enough_ready()
        for _ in range(2):
            assert not evening.arrivals.begin(evening.arrivals.field().entries)
            began = trio.current_time()
            await evening.newcomers.other_bots()
            assert trio.current_time() - began == TRY_AGAIN_SECONDS
        few = "there is one bot to play; an open league waits until there are 2"
        assert evening.played.said.count(few) == 1
        began = trio.current_time()
        evening.comes("b1")
        await evening.newcomers.other_bots()
        assert trio.current_time() - began <= 2 * ONE_LOOK
        assert evening.arrivals.ready == {"b0@1", "b1@1"}
