"""A good bot passes every step; each step is failed by a bot that is broken in just that way."""

from __future__ import annotations

import os
import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
import trio
import trio.testing

from arena.bot.channel import PipeChannel, first_of
from arena.bot.launch import BotCommand
from arena.workbench.bots import Bot
from arena.workbench.check import PARTS, STEPS, Checked, Finding, Part, Verdict, check_bot
from arena.workbench.tap import Relay
from protocol import decode, encode
from tests.tables import left_alive

HERE = Path(__file__).parent
SLOW = pytest.mark.slow
FAILED, WARNED, SKIPPED, PASSED = Verdict.FAILED, Verdict.WARNED, Verdict.SKIPPED, Verdict.PASSED


def bot(how: str = "", memory_mib: int = 512, start_ms: int = 10_000) -> Bot:
    argv = ("{python}", "-B", "broken.py", how)
    return Bot(how or "good", BotCommand("bot", argv, str(HERE), start_ms=start_ms, memory_mib=memory_mib))


def parts_of(*names: str) -> list[Part]:
    return [part for part in PARTS if set(part.steps) & set(names)]


def findings(checked: Checked) -> dict[str, Finding]:
    return {outcome.step: outcome.finding for outcome in checked.outcomes}


def check(how: str, *names: str, memory_mib: int = 512) -> dict[str, Finding]:
    """The findings of these steps, and of those that are decided with them; on a busy machine too."""
    parts = [replace(part, seconds=20 * part.seconds) for part in parts_of(*names)]
    return findings(check_bot(bot(how, memory_mib), lambda outcome: None, parts))


@pytest.mark.slow
def test_a_good_bot_passes_every_step_and_each_is_told_at_once() -> None:
    told: list[str] = []
    checked = check_bot(bot("three"), lambda outcome: told.append(outcome.step))
    assert {
        name: finding for name, finding in findings(checked).items() if finding.verdict is not PASSED
    } == {}
    assert told == list(STEPS) == ["start", *(name for part in PARTS for name in part.steps), "uses"]
    assert [outcome.number for outcome in checked.outcomes] == list(range(1, 22))
    assert checked.ready is not None
    assert checked.ready.name == "Broken"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("how", "step", "found"),
    [
        ("chatters", "quiet", "it said something after `ready`"),
        ("greets", "quiet", "it said something after `start`"),
        ("too few", "passes", "4 cards passed"),
        ("foreign lead", "leads", "not in the hand"),
        ("revoke", "follows", "does not follow suit"),
        ("foreign throw", "throws", "not in the hand"),
        ("seven", "tables", "exit code 3"),
        ("twice", "tables", "a second answer"),
        ("stand-in", "stand_in", "exit code 1"),
        ("strict keys", "unknown_keys", "exit code 1"),
        ("strict types", "unknown_messages", "exit code 1"),
        ("answers all", "unknown_messages", "which was never asked"),
        ("short ids", "ids", "which was never asked"),
        ("wraps", "ids", "does your base64 break its lines?"),
        ("one read", "pieces", "exit code 1"),
        pytest.param("first of a read", "together", "nothing came in", marks=SLOW),
        pytest.param("one of three", "several_tables", "nothing came in", marks=SLOW),
        pytest.param("slow", "clock", "times of 13", marks=SLOW),
        ("dies of old age", "long", "exit code 1"),
        ("counts on", "repeats", "it remembers an earlier match"),
        ("keeps tables", "repeats", "it remembers an earlier match"),
        ("outlives", "end_of_input", "it still runs"),
        ("says bye", "bye", "it said something at `bye`"),
    ],
)
def test_each_step_is_failed_by_who_is_broken_there(how: str, step: str, found: str) -> None:
    finding = check(how, step)[step]
    assert finding.verdict is FAILED, finding
    assert found in finding.text
    assert finding.evidence is not None
    assert finding.evidence.expected


@pytest.mark.slow
@pytest.mark.parametrize(
    ("how", "step", "found"),
    [
        ("a bit slow", "clock", "of 100 ms it takes up to"),
        ("dice", "repeats", "`start` has a seed"),
        ("grows", "long", "when it has doubled"),
        ("spins", "rests", "more than 20 %"),
        ("stays", "bye", "exits only at the end of its input"),
    ],
)
def test_what_is_allowed_but_worth_knowing_is_a_warning(how: str, step: str, found: str) -> None:
    finding = check(how, step)[step]
    assert finding.verdict is WARNED, finding
    assert found in finding.text


def test_much_memory_is_warned_of() -> None:
    assert check("large", "quiet", memory_mib=90)["uses"].verdict is WARNED


def test_who_does_not_start_fails_there_and_nothing_else_is_tried() -> None:
    checked = check_bot(bot("does not start"), lambda outcome: None)
    found = findings(checked)
    assert found["start"].verdict is FAILED
    assert found["start"].evidence is not None
    assert found["start"].evidence.stderr == "no such engine"
    sent = found["start"].evidence.sent
    assert not sent or decode(sent)["type"] == "hello", "it may have ended before anything could be sent"
    assert set(found) == {"start"}


def test_who_is_not_ready_sees_the_question_and_its_own_bytes() -> None:
    evidence = findings(check_bot(bot("no base64"), lambda outcome: None))["start"].evidence
    assert evidence is not None
    assert decode(evidence.sent)["type"] == "hello"
    assert evidence.came == b"\x84 ready"
    assert "not base64" in evidence.found


@pytest.mark.slow
@pytest.mark.parametrize(("how", "found"), [("silent", "nothing came"), ("no newline", "no newline ended")])
def test_who_answers_nothing_is_not_waited_for_at_every_step(how: str, found: str) -> None:
    before = time.monotonic()
    checked = check_bot(bot(how), lambda outcome: None)
    assert time.monotonic() - before < 20
    assert found in findings(checked)["passes"].text
    assert checked.count(FAILED) == 1


def test_a_mistake_at_one_table_leaves_the_other_steps_alone() -> None:
    found = check("revoke", "passes", "ids", "together")
    failed = [name for name, finding in found.items() if finding.verdict is FAILED]
    assert failed == ["follows"]
    assert "at all tables" in found["follows"].text


def test_the_evidence_has_the_exact_bytes_and_standard_error() -> None:
    finding = check("strict keys", "unknown_keys")["unknown_keys"]
    assert finding.evidence is not None
    assert finding.evidence.sent.endswith(b"\n")
    assert finding.evidence.sent.count(b"\n") == 2  # start and pass, in one write
    assert "KeyError: " in finding.evidence.stderr
    crashed = check("seven", "tables")["tables"]
    assert "at tables of 7" in crashed.text
    repeated = check("counts on", "repeats")["repeats"].evidence
    assert repeated is not None
    assert repeated.came is not None
    assert decode(repeated.sent)["id"] == decode(repeated.came)["id"]


def test_a_step_that_would_not_end_is_ended() -> None:
    async def never(_: object) -> list[Finding]:
        await trio.sleep_forever()
        return []

    part = Part(("ids",), never, seconds=0.2 - 6 * 10)  # it may start as many processes of 10 s
    checked = check_bot(bot(), lambda outcome: None, [part])
    assert "it had not finished this after 0.2 s" in findings(checked)["ids"].text


@pytest.mark.slow
def test_nothing_is_left_running() -> None:
    pids: list[int] = []

    def note(outcome: object) -> None:
        pids.extend(int(path.name) for path in Path("/proc").iterdir() if _is_ours(path))

    check_bot(bot("outlives"), note, parts_of("quiet", "end_of_input"))
    assert pids
    assert left_alive(set(pids)) == []


def _is_ours(path: Path) -> bool:
    if not path.name.isdecimal():
        return False
    try:
        return f"{HERE}/broken.py" in path.joinpath("cmdline").read_text() or (
            "broken.py" in path.joinpath("cmdline").read_text() and path.joinpath("cwd").resolve() == HERE
        )
    except OSError:
        return False


async def test_more_than_a_pipe_holds_reaches_a_bot_that_reads_late() -> None:
    (down_read, down_write), (up_read, up_write) = os.pipe(), os.pipe()
    relay = Relay(PipeChannel(down_write, up_read), lambda from_bot, line: None)
    bot = PipeChannel(up_write, down_read)
    relay.begin(lambda message: [{**message, "text": "x" * 40_000}] * 4)
    line, came = encode({"type": "events"}), bytearray()

    async def write_two() -> None:
        for _ in range(2):
            while not relay.write_nowait(line):
                await first_of([relay.wait_readable, relay.wait_writable])
        while came.count(b"\n") < 8:
            await relay.wait_readable()

    with closing(relay), closing(bot), trio.fail_after(60):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(write_two)
            await trio.testing.wait_all_tasks_blocked()
            while came.count(b"\n") < 8:
                await bot.wait_readable()
                came += bot.read_nowait() or b""
            nursery.cancel_scope.cancel()
    assert [len(decode(each)["text"]) for each in came.splitlines()] == [40_000] * 8
