"""Equal faults of a bot stand together, and what differs from fault to fault does not part them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from arena.match.fault_wording import FaultSentence
from arena.match.faults import Fault, FaultKind
from arena.store.views import FaultView, SessionState
from reports import Publish, ReportOptions
from reports.facts import LeagueFacts, read_facts
from reports.pages.fault_groups import FaultGroups, Grouper, common_reason
from reports.secrecy import Secrecy
from tests.reports import played
from tests.reports.played import START, Bot, League

BOTS = (Bot("Duck", played.low), Bot("Low"), Bot("Random"), Bot("Moody"))
MINUTE = 60_000


@pytest.fixture(scope="module")
def facts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LeagueFacts]:
    league = League(bots=BOTS, seats=3, rounds=2)
    with played.play(tmp_path_factory.mktemp("groups") / "league.db", league) as database:
        yield read_facts(database)


def grouped(
    facts: LeagueFacts, faults: list[FaultView], publish: frozenset[Publish] | None = None
) -> FaultGroups:
    options = ReportOptions(publish=frozenset(Publish) if publish is None else publish)
    return Grouper(facts, Secrecy(options, facts.over)).groups(faults)


def seen(match: int, kind: FaultKind, reason: str, **more: object) -> FaultView:
    fault = replace(Fault(0, kind, reason, 1, 3), **more)
    return FaultView(match, SessionState.COMPLETE, START + match * MINUTE, 0, "moody", "Moody", fault)


def test_equal_faults_are_told_once_with_the_newest_as_examples(facts: LeagueFacts) -> None:
    reason = "the process ended by itself, with exit code 3"
    starts = [
        seen(number, FaultKind.START_FAILED, reason, round=None, question=None) for number in range(3, 9)
    ]
    (group,) = grouped(facts, starts).shown
    assert (group.count, group.span, group.kind, group.reason) == (
        6,
        "matches 3 to 8",
        "failed start",
        reason,
    )
    assert (group.since, group.until) == ("2023-11-14 22:16", "2023-11-14 22:21")
    assert [line.match for line in group.examples] == [8, 7, 6]
    assert {(line.where, line.asked, line.reason) for line in group.examples} == {("at its start", "", "")}


def test_what_belongs_to_the_moment_does_not_part_them(facts: LeagueFacts) -> None:
    late = [
        seen(number, FaultKind.TIMEOUT, FaultSentence.LATE.say(milliseconds=number)) for number in range(1, 4)
    ]
    (group,) = grouped(facts, late).shown
    assert group.reason == "a complete answer came late, by at most … ms"
    assert [line.reason for line in group.examples] == [one.fault.reason for one in reversed(late)]


def test_what_is_not_published_is_not_told_apart_either(facts: LeagueFacts) -> None:
    faults = [seen(n, FaultKind.BAD_MESSAGE, f"reason {n}", sent="<S7>") for n in range(1, 4)]
    (group,) = grouped(facts, faults, frozenset({Publish.REPLAYS})).shown
    assert group.count == 3
    assert group.hidden
    assert group.reason == ""
    assert {(line.reason, line.sent) for line in group.examples} == {("", "")}


def test_very_many_reasons_do_not_make_the_page_long(facts: LeagueFacts) -> None:
    made = grouped(facts, [seen(n, FaultKind.BAD_MESSAGE, f"reason {n}") for n in range(1, 100)])
    assert len(made.shown) == 20
    assert made.shown[0].reason == "reason 99"
    assert made.more == "79 older faults with 79 other reasons: not shown."


@pytest.mark.parametrize("sentence", FaultSentence)
def test_every_sentence_of_the_arena_is_known(sentence: FaultSentence) -> None:
    """Two faults of one sentence that differ in cards and times only have one common reason."""
    moment = {
        "sent",
        "led",
        "legal",
        "hand",
        "count",
        "seconds",
        "milliseconds",
        "cpu",
        "queued",
        "size",
        "lines",
        "id",
        "used",
    }
    other = {place: "17" if place in moment else text for place, text in sentence.example.items()}
    first, second = sentence.say(**sentence.example), sentence.say(**other)
    assert common_reason(sentence.kind, first) == common_reason(sentence.kind, second)
    if moment & set(sentence.example):
        assert "…" in common_reason(sentence.kind, first)


def test_a_sentence_in_a_sentence_and_a_free_one() -> None:
    why = FaultSentence.SILENT.say(seconds="2.001")
    said = common_reason(FaultKind.START_FAILED, FaultSentence.NOT_READY_IN_TIME.say(seconds=2, why=why))
    assert said == "not ready within … s: nothing came in … s; is standard output flushed after each line?"
    crash = FaultSentence.EXITED.say(code=3)
    assert common_reason(FaultKind.START_FAILED, crash) == crash
    assert common_reason(FaultKind.BAD_MESSAGE, "17 of something") == "17 of something"
