"""All steps of a check in their order, and one bot checked by them. Prints nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version

import trio

from arena.errors import one_error
from arena.linux.alarm import run
from arena.linux.family import adopting_orphans
from arena.workbench.bots import Bot
from arena.workbench.check import ending, lasting, reading, tables
from arena.workbench.check.script import Evidence, Failed, Finding, Script, Step, Verdict
from arena.workbench.check.stage import Stage
from arena.workbench.check.talk import Talk
from protocol.messages import PROTOCOL, Ready

__all__ = ["PARTS", "START", "USES", "Checked", "Outcome", "Part", "check_bot"]

START = Step("start", "starts, and says who it is")
USES = Step("uses", "needs little time to start, and little memory")
_MOST_TABLES = 8
_SLOW_START = 0.5
"""A share of the time to become ready: a bot that takes more may be late on a busy machine."""
_MUCH_MEMORY = 0.8
_MIB = 1 << 20


@dataclass(frozen=True, slots=True)
class Part:
    """Steps that one script decides, with one finding each.

    `seconds`: the most that the script may take, not counting the starts of processes.
    """

    steps: tuple[Step, ...]
    script: Callable[[Talk], Script[tuple[Finding, ...]]]
    seconds: float = 20.0
    starts: int = 1
    """The processes that the script may start itself."""
    plays: bool = True
    """Whether the script asks questions; then it is skipped for a bot that answers none."""


PARTS = (
    Part((reading.QUIET,), reading.keeps_quiet, plays=False),
    Part(tables.STEPS, tables.at_all_tables, 60.0, starts=6),
    Part((reading.STAND_IN,), reading.stand_in),
    Part((reading.KEYS,), reading.unknown_keys),
    Part((reading.MESSAGES,), reading.unknown_messages),
    Part((reading.IDS,), reading.any_ids),
    Part((reading.PIECES,), reading.in_pieces),
    Part((reading.JOINED,), reading.together),
    Part((reading.TABLES,), reading.several_tables),
    Part((lasting.CLOCK,), lasting.near_the_clock, 60.0),
    Part((lasting.LONG,), lasting.plays_long, 30.0),
    Part((lasting.REPEATS,), lasting.repeats, 60.0, starts=6),
    Part((lasting.RESTS,), lasting.rests),
    Part((ending.END,), ending.at_the_end_of_input),
    Part((ending.BYE,), ending.at_bye, plays=False),
)
"""All parts in order. START comes before them and USES after them."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """A step, its number from 1, and its finding."""

    number: int
    step: Step
    finding: Finding


@dataclass(slots=True)
class Checked:
    """The results of a bot's check. `ready`: what the bot said of itself, if it started."""

    bot: Bot
    ready: Ready | None = None
    outcomes: list[Outcome] = field(default_factory=list)
    start_seconds: float = 0.0
    memory: int = 0

    def count(self, verdict: Verdict) -> int:
        """Return how many steps had this verdict."""
        return sum(outcome.finding.verdict is verdict for outcome in self.outcomes)


def check_bot(bot: Bot, told: Callable[[Outcome], object], parts: Sequence[Part] = PARTS) -> Checked:
    """Check one bot; `told` receives each outcome as soon as it is known. Leaves no process running."""
    with one_error(), adopting_orphans():
        return run(_Check(bot, told, parts).run)


class _Check:
    def __init__(self, bot: Bot, told: Callable[[Outcome], object], parts: Sequence[Part]) -> None:
        self._checked = Checked(bot)
        self._told = told
        self._parts = parts
        self._talk = Talk()
        self._mute = False

    async def run(self) -> Checked:
        """Take all steps, one after another."""
        hello = {
            "protocol": PROTOCOL,
            "arena": version("papayoo-arena"),
            "tables_max": _MOST_TABLES,
            # A key that no bot knows: a bot must ignore unknown keys in the handshake too.
            "checked": True,
        }
        async with trio.open_nursery() as nursery:
            stage = Stage(self._checked.bot.command, nursery, hello)
            try:
                await self._all(stage)
            finally:
                await stage.close()
                nursery.cancel_scope.cancel()
        return self._checked

    async def _all(self, stage: Stage) -> None:
        if not await self._start(stage):
            return  # nothing else can be tried
        for part in self._parts:
            if part.plays and self._mute:
                for step in part.steps:
                    self._note(step, Finding.skipped("it answers no question"))
                continue
            await self._part(stage, part)
            self._mute = self._mute or (part.plays and not self._talk.asked)
        self._note(USES, self._uses(stage))

    async def _start(self, stage: Stage) -> bool:
        try:
            await stage.start()
        except Failed as failed:
            self._note(START, Finding.failed(failed.evidence))
            return False
        assert stage.process is not None, "it has started"
        ready = stage.process.ready
        assert ready is not None, "and is ready"
        self._checked.ready = ready
        self._talk.tables = min(ready.tables, _MOST_TABLES)
        language = f", in {ready.language}" if ready.language else ""
        text = f"{ready.name}, version {ready.version}{language}, {ready.tables} tables"
        self._note(START, Finding.passed(text.replace(", 1 tables", "")))
        return True

    async def _part(self, stage: Stage, part: Part) -> None:
        stage.forget_stderr()
        limit = part.seconds + part.starts * self._checked.bot.command.start_ms / 1000
        findings: tuple[Finding, ...] = ()
        with trio.move_on_after(limit):
            findings = await self._findings(stage, part)
        if not findings:
            found = f"it had not finished this after {limit:g} s"
            findings = _first(part, Finding.failed(Evidence("answers in time", found, stderr=stage.stderr())))
        if any(finding.verdict is Verdict.FAILED for finding in findings):
            self._talk.forget_news()
            await stage.close()
        for step, finding in zip(part.steps, findings, strict=True):
            self._note(step, finding)

    async def _findings(self, stage: Stage, part: Part) -> tuple[Finding, ...]:
        try:
            if not stage.usable:
                await stage.start()
            return await stage.perform(part.script(self._talk))
        except Failed as failed:
            return _first(part, Finding.failed(failed.evidence))

    def _uses(self, stage: Stage) -> Finding:
        command = self._checked.bot.command
        self._checked.start_seconds = slowest = max(stage.starts)
        self._checked.memory = stage.memory
        limit_s, used = command.start_ms / 1000, stage.memory / _MIB
        text = (
            f"ready after {slowest:.2f} s at most ({len(stage.starts)} starts; it may take {limit_s:g} s), "
            f"{used:.0f} MiB of memory (it may use {command.memory_mib} MiB)"
        )
        if slowest > _SLOW_START * limit_s or used > _MUCH_MEMORY * command.memory_mib:
            return Finding.warned(text)
        return Finding.passed(text)

    def _note(self, step: Step, finding: Finding) -> None:
        outcome = Outcome(len(self._checked.outcomes) + 1, step, finding)
        self._checked.outcomes.append(outcome)
        self._told(outcome)


def _first(part: Part, finding: Finding) -> tuple[Finding, ...]:
    """Return this finding for the first step of the part, and "skipped" for the other steps."""
    rest = [Finding.skipped("the step before it failed") for _ in part.steps[1:]]
    return (finding, *rest)
