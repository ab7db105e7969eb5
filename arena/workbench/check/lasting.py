"""Steps: the clock, long matches and memory, the same answers to the same messages, rest in between.

Performs nothing itself: `stage` does.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from arena.workbench.check.game import Game, Played, Running, ask_legal, finish, play
from arena.workbench.check.script import Evidence, Failed, Finding, Look, Rest, Restart, Script, Step
from arena.workbench.check.talk import Talk, Told

__all__ = ["CLOCK", "LONG", "REPEATS", "RESTS", "near_the_clock", "plays_long", "repeats", "rests"]

CLOCK = Step("clock", "keeps to the time that each question gives")
LONG = Step("long", "plays long matches, and many, without growing")
REPEATS = Step("repeats", "answers the same messages alike, whatever it played before")
RESTS = Step("rests", "rests while it is not asked")

_PACES_MS = ((500, 0), (100, 0), (30, 1000))
"""(move_ms, bank_ms) of three matches."""
_SURELY_MS = 300
"""A bot that is late although it has more time than this is not just slow."""
_CLOCK_GRACE = 1.5
_LATE_ALLOWED = 1
"""The late answers in a match that may be the fault of the machine."""
_BUSY_MS = 20.0
"""A wait for a core of so many milliseconds is worth a word."""
_LONG_ROUNDS, _LONG_SECONDS = 40, 8.0
_MANY, _MANY_SECONDS = 20, 4.0
_GROWTH, _GROWTH_FLOOR = 2, 64 << 20
"""The referee's limits: it ends a process after its match that has doubled its memory, beyond these bytes."""
_REPEAT_SECONDS = 10.0
_REST_SECONDS = 0.25
_REST_SHARE = 0.2
_IN_THE_MIDDLE = 8


@dataclass(frozen=True, slots=True)
class _Pace:
    """The result of a match with these clocks: the late answers, and the longest time in milliseconds.

    The times leave out what the machine was busy with something else: up to `queued_ms` for an answer.
    """

    move_ms: int
    bank_ms: int
    count: int
    late: list[tuple[bytes, Told]]
    longest_ms: float
    queued_ms: float

    def __str__(self) -> str:
        bank = f" and a bank of {self.bank_ms} ms" if self.bank_ms else ""
        late = f", late {len(self.late)} times of {self.count}" if self.late else ""
        return f"of {self.move_ms} ms{bank} it takes up to {self.longest_ms:.1f} ms{late}"


def near_the_clock(talk: Talk) -> Script[tuple[Finding, ...]]:
    """Give the bot less and less time; at last little time for a move, and a bank for all moves."""
    paces: list[_Pace] = []
    for number, (move_ms, bank_ms) in enumerate(_PACES_MS):
        paces.append((yield from _at_pace(talk, Game(30 + number, 5, number, 1, move_ms, bank_ms))))
    text = "; ".join(map(str, paces))
    if (queued_ms := max(pace.queued_ms for pace in paces)) >= _BUSY_MS:
        text += f"; not counted: up to {queued_ms:.0f} ms without a core, for the machine was busy"
    tardy = [pace for pace in paces if len(pace.late) > _LATE_ALLOWED]
    if not tardy:
        return (Finding.passed(text),)
    line, told = tardy[0].late[0]
    limit = tardy[0].move_ms + tardy[0].bank_ms
    evidence = Evidence(f"an answer within {limit} ms", text, line, told.line)
    if tardy[0].move_ms > _SURELY_MS:
        return (Finding.failed(evidence),)
    return (Finding.warned(text, evidence),)


def _at_pace(talk: Talk, game: Game) -> Script[_Pace]:
    running = Running(game)
    late: list[tuple[bytes, Told]] = []
    longest = queued = 0.0
    while not running.over:
        running.tell_news(talk)
        question, asked = running.next_question(talk.new_id(), _CLOCK_GRACE)
        told = yield from talk.ask(asked)
        queued = max(queued, told.queued)
        told = replace(told, after=max(0.0, told.after - told.queued))
        longest = max(longest, told.after)
        if told.after * 1e6 > question.limit_us:
            late.append((asked.line, told))
            running.too_late(question, told)
        else:
            running.answered(question, asked, told)
    yield from finish(talk, running)
    return _Pace(
        game.move_ms, game.bank_ms, len(running.played.decisions), late, longest * 1000, queued * 1000
    )


def plays_long(talk: Talk) -> Script[tuple[Finding, ...]]:
    """Play one match of many rounds, then many short matches, in one process."""
    before = (yield Look()).memory
    played = yield from play(talk, Game(40, 4, 0, _LONG_ROUNDS), seconds=_LONG_SECONDS)
    if not played.over:
        count = len(played.decisions)
        yield Restart()
        return (Finding.passed(f"{count} decisions of one match in {_LONG_SECONDS:g} s; then it was ended"),)
    matches, until = 0, talk.spent + _MANY_SECONDS
    while matches < _MANY and talk.spent < until:
        yield from play(talk, Game(41 + matches, 8, matches % 8))
        matches += 1
    after = (yield Look()).memory
    text = (
        f"{_LONG_ROUNDS} rounds in one match, then {matches} matches; "
        f"memory {_mib(before)} MiB before, {_mib(after)} MiB after"
    )
    if after > max(_GROWTH_FLOOR, _GROWTH * before):
        return (Finding.warned(f"{text}: a referee starts a new process when it has doubled"),)
    return (Finding.passed(text),)


def _mib(size: int) -> int:
    return round(size / (1 << 20))


def repeats(talk: Talk) -> Script[tuple[Finding, ...]]:
    """Play a match, another one and the first again in one process; then the first in a new process.

    The first match is at the same table each time, so that only the ids differ. Where two new processes
    already answer differently, nothing can be said of the bot's memory.
    """
    yield Restart()
    same = Game(70, 4, 1, 2)
    first = yield from _played(talk, same)
    yield from _played(talk, Game(71, 5, 0, 1, table=1))
    again = yield from _played(talk, same)
    yield Restart()
    fresh = yield from _played(talk, same)
    between = _first_difference(first, fresh)
    if between is not None:
        evidence = _contrast(first, fresh, between, "the answer of another new process")
        text = f"{evidence.found}: it depends on chance or time; `start` has a seed for random choices"
        return (Finding.warned(text, evidence),)
    remembered = _first_difference(first, again)
    if remembered is not None:
        evidence = _contrast(first, again, remembered, "the answer of the same process, a match before")
        found = f"{evidence.found}: it remembers an earlier match, which it should forget at `start`"
        return (Finding.failed(replace(evidence, found=found)),)
    return (Finding.passed(f"{len(first.decisions)} decisions, three times"),)


def _played(talk: Talk, game: Game) -> Script[Played]:
    played = yield from play(talk, game, seconds=_REPEAT_SECONDS)
    if not played.over:
        yield Restart()
    return played


def _first_difference(one: Played, other: Played) -> int | None:
    """Return the number of the first decision that differs, as far as both were played, or None."""
    pairs = zip(one.cards, other.cards, strict=False)
    return next((number for number, (a, b) in enumerate(pairs) if a != b), None)


def _contrast(one: Played, other: Played, number: int, whose: str) -> Evidence:
    before, now = one.decisions[number], other.decisions[number]
    return Evidence(
        f"{' '.join(before.cards)}, {whose}",
        f"decision {number + 1} of the same match was {' '.join(now.cards)}, not {' '.join(before.cards)}",
        now.told.question,
        now.told.line,
    )


def rests(talk: Talk) -> Script[tuple[Finding, ...]]:
    """Measure the bot's rest in the middle of a round and after a match."""
    running = Running(Game(80, 4, 2))
    shares: list[float] = []
    while not running.over:
        yield from ask_legal(talk, running)
        if len(running.played.decisions) == _IN_THE_MIDDLE:
            shares.append((yield from _share()))
    yield from finish(talk, running)
    shares.append((yield from _share()))
    text = f"{_percent(shares)} of a core, in the middle of a round and after a match"
    if max(shares) > _REST_SHARE:
        stopped = "a referee stops a bot that uses more than 20 %"
        return (Finding.warned(f"{text}: {stopped}"),)
    return (Finding.passed(text),)


def _share() -> Script[float]:
    """Return the share of a core that the bot uses while it has no question."""
    heard = yield Rest(_REST_SECONDS)
    if heard.line is not None or heard.ended is not None:
        found = heard.ended or "it said something without being asked"
        raise Failed(Evidence("that it waits", found, b"", heard.line))
    return heard.cpu_us / 1e6 / _REST_SECONDS


def _percent(shares: list[float]) -> str:
    return " and ".join(f"{100 * share:.0f} %" for share in shares)
