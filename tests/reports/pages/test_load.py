"""What the machine had to do with late answers: only as much as was measured."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from arena.conduct.disqualify import Ruling
from arena.match.fault_wording import FaultSentence
from arena.match.faults import Fault, FaultKind
from arena.store.reader import Reader
from arena.store.views import FaultView, SessionState
from reports.facts import LeagueFacts, read_facts
from reports.pages.load import Load
from tests.reports import played
from tests.reports.played import START, Bot, League

BOTS = (Bot("Duck", played.low), Bot("Low"), Bot("Random"), Bot("Moody"))
SECOND = 1_000_000


@pytest.fixture(scope="module")
def facts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LeagueFacts]:
    league = League(bots=BOTS, seats=3, rounds=3)
    with played.play(tmp_path_factory.mktemp("load") / "league.db", league) as database:
        yield read_facts(Reader(database))


def late(cpu_us: int | None, queued_us: int | None, match: int = 1, bot: str = "moody") -> FaultView:
    fault = Fault(0, FaultKind.TIMEOUT, "late", 1, 3, "", SECOND, cpu_us, queued_us)
    return FaultView(match, SessionState.COMPLETE, START, 0, bot, bot.title(), fault)


NOT_IT, PERHAPS, PROBABLY = (
    "The machine was not the cause",
    "The machine may have had a part in it",
    "The machine is probably to blame",
)


@pytest.mark.parametrize(
    ("cpu", "queued", "blame", "did"),
    [
        (0, 20_000, NOT_IT, "computed for 0 % of this time and had no core for 2 % of it, so it hung or "
         "waited for something."),
        (970_000, 10_000, NOT_IT, "computed for 97 % of this time and had no core for 1 % of it, so it takes "
         "too long."),
        (300_000, 10_000, NOT_IT, "computed for 30 % of this time and had no core for 1 % of it."),
        (300_000, 200_000, PERHAPS, "computed for 30 % of this time and had no core for 20 % of it."),
        (0, 900_000, PROBABLY, "computed for 0 % of this time and had no core for 90 % of it."),
        (None, 900_000, PROBABLY, "had no core for 90 % of this time."),
    ],
)  # fmt: skip
def test_it_says_what_was_measured(
    facts: LeagueFacts, cpu: int | None, queued: int, blame: str, did: str
) -> None:
    assert Load(facts).said("moody", [late(cpu, queued)]).startswith(f"{blame}: the bot {did} In the same ")


def test_what_was_not_measured_is_not_guessed(facts: LeagueFacts) -> None:
    said = Load(facts).said("moody", [late(20_000, None)])
    assert said.startswith(
        "The bot computed for 2 % of this time; how long it waited for a core is not known."
    )
    said = Load(facts).said("moody", [late(None, None)])
    assert said.startswith("How long the bot computed and waited for a core is not known.")


def test_threads_are_no_more_than_all_of_the_time(facts: LeagueFacts) -> None:
    assert "computed for 100 % of this time" in Load(facts).said("moody", [late(64 * SECOND, 0)])


def test_of_how_many_it_is_known(facts: LeagueFacts) -> None:
    said = Load(facts).said("moody", [late(0, 0), late(None, None), late(None, None)])
    assert "so it hung or waited for something (known of 1 of 3)." in said


def test_how_others_fared_in_the_same_minutes(facts: LeagueFacts) -> None:
    """Matches are a second apart, so all of this league lie in few minutes."""
    asked = sum(seat.decisions for match in facts.matches for seat in match.seats if seat.bot != "moody")
    assert len(facts.matches) < 60
    numbers = [match.number for match in facts.matches]
    everywhere = [late(0, 0, number) for number in numbers]
    said = Load(facts).said("moody", everywhere)
    assert said.endswith(f"the other bots were late for none of {asked:,} decisions.")
    own = (*facts.faults, late(0, 0), late(0, 0, 1, "duck"), late(0, 0, 2, "low"))
    some = Load(replace(facts, faults=own)).said("moody", everywhere)
    assert some.endswith(f"the other bots were late for 2 of {asked:,} decisions.")


def test_who_is_out_says_nothing_of_the_machine(facts: LeagueFacts) -> None:
    out = {bot: Ruling(bot, True, 1) for bot in ("duck", "low", "random")}
    broken = replace(facts, out=out, faults=(late(0, 0, 1, "duck"),))
    assert "other bots" not in Load(broken).said("moody", [late(0, 0)])


def test_a_crash_is_no_matter_of_time(facts: LeagueFacts) -> None:
    crash = late(0, 0)
    crashed = replace(crash, fault=replace(crash.fault, kind=FaultKind.CRASHED))
    assert Load(facts).said("moody", [crashed]) == ""
    ended = FaultSentence.EXITED.say(code=3)
    start = replace(crash, fault=replace(crash.fault, kind=FaultKind.START_FAILED, reason=ended))
    assert Load(facts).said("moody", [start]).startswith("This is no matter of time")
    slow = FaultSentence.NOT_READY_IN_TIME.say(seconds=2, why="nothing came")
    waited = replace(start, fault=replace(start.fault, reason=slow, queued_us=SECOND))
    assert Load(facts).said("moody", [waited]).startswith("The machine is probably to blame")
