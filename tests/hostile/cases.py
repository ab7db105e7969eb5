"""The table of hostile bots: what each does, what must become of it, and in which cells it is tried.

What holds of every case (the others lose nothing, nothing is left, the referee is as it was) is in
`tests/referee/test_hostile.py`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

from arena.bot.launch import BotCommand
from arena.match.faults import FaultKind, HandOver
from tests.tables import command


class Cell(Enum):
    """Where the bots of a referee run."""

    PLAIN = "plain"
    SUPERVISED = "plain, where there are no process namespaces"
    SANDBOX = "sandbox"
    ORDINARY = "sandbox of an ordinary user"


ALL = frozenset({Cell.PLAIN, Cell.SANDBOX})
CAGED = frozenset({Cell.SANDBOX, Cell.ORDINARY})
UNCAGED = frozenset({Cell.PLAIN, Cell.SUPERVISED})
EVERYWHERE = frozenset(Cell)
"""An ordinary user's sandbox differs in ids and limits alone, and a supervisor in how bots end. So few cases
are tried there again."""


@dataclass(frozen=True, slots=True)
class Case:
    """A hostile bot and what must become of it: all its faults have this kind and a reason like this.

    `noted`: what its standard error says of its attempt.
    """

    command: BotCommand
    kind: FaultKind | None = None
    reason: str = ""
    faults: int = 0
    hand_over: HandOver | None = None
    sent: str = ""
    cells: frozenset[Cell] = ALL
    noted: str = ""


_HAND_OVERS = {
    FaultKind.CRASHED: HandOver.CRASHED,
    FaultKind.FLOOD: HandOver.FLOOD,
    FaultKind.RESOURCE: HandOver.RESOURCE,
    FaultKind.START_FAILED: HandOver.START_FAILED,
}


def _ends(kind: FaultKind, words: str, reason: str, **more: object) -> Case:
    """One fault ends its match."""
    return replace(Case(command(*words.split()), kind, reason, 1, _HAND_OVERS[kind]), **more)


def _keeps_on(kind: FaultKind, words: str, reason: str, **more: object) -> Case:
    """Three faults end its match."""
    return replace(Case(command(*words.split()), kind, reason, 3, HandOver.MAX_FAULTS), **more)


def _once(kind: FaultKind, words: str, reason: str, **more: object) -> Case:
    """One fault, and it plays on."""
    return replace(Case(command(*words.split()), kind, reason, 1), **more)


def _silent(words: str, reason: str, **more: object) -> Case:
    """Two timeouts, and nobody waits for it any more."""
    return replace(Case(command(*words.split()), FaultKind.TIMEOUT, reason, 2, HandOver.SILENT), **more)


def _plays(words: str, **more: object) -> Case:
    """Nothing that it does is a fault."""
    return replace(Case(command(*words.split())), **more)


def _abuses(how: str, reason: str, **more: object) -> Case:
    return _keeps_on(FaultKind.BAD_MESSAGE, f"abuses {how}", reason, **more)


_NOTHING_CAME = r"nothing came in [12]\.\d{3} s(, of which it|; is standard output flushed).*"
_DEAF = r"nothing came in [12]\.\d{3} s; it does not read its standard input"
_ILLEGAL, _FLOOD, _RESOURCE = FaultKind.ILLEGAL, FaultKind.FLOOD, FaultKind.RESOURCE
_CRASHED, _START, _TIMEOUT = FaultKind.CRASHED, FaultKind.START_FAILED, FaultKind.TIMEOUT
_BAD = FaultKind.BAD_MESSAGE
_STDERR = "more than 16777216 bytes on standard error in one match"
_EXIT = "the process ended by itself, with exit code "
_CLOSED = "the process closed its standard output"
_ENDED = f"{_EXIT}0|{_CLOSED}"
"""On a busy machine a sandbox ends later than its pipe."""
_KILLED = "the process was killed by "

STARTS = (
    _ends(_START, "dies at_once 1", _EXIT + "1"),
    _ends(_START, "dies hello SIGSEGV", _KILLED + "SIGSEGV.*"),
    replace(
        _ends(_START, "slow start", r"not ready within 1\.5 s: nothing came.*"),
        command=command("slow", "start", start_ms=1500),
    ),
    _ends(_START, "chatter text_first", "not ready: The line is not base64.*", sent="Loading the model"),
    replace(
        _ends(_START, "missing", r"cannot be started: \./missing: No such file.*"),
        command=replace(command("missing"), argv=("./missing", "-v")),
    ),
)

MESSAGES = tuple(
    replace(case, cells=frozenset({Cell.PLAIN}))  # a sandbox does not know what is written
    for case in (
        _keeps_on(_BAD, "chatter text", "The line is not base64.*", sent="thinking about it"),
        _keeps_on(_BAD, "chatter nonsense", "The decoded bytes are not msgpack.*", sent="wcHB"),
        _keeps_on(_BAD, "chatter wrong_id", "an answer to question 1, which was never asked.*"),
        _keeps_on(_BAD, "chatter wrong_type", '"play" is answered with "card", not with "cards"'),
        _keeps_on(_BAD, "chatter twice", "a second answer to question [0-9a-f]{12}: .*"),
        _abuses("trailing", "The decoded bytes go on after the first msgpack value.* 1 more: .*"),
        _once(_BAD, "abuses early", "an answer to question 0{12}, which was never asked; .*"),
        _abuses("stale", "a second answer to question [0-9a-f]{12}: .*"),
        _plays("abuses drip"),
        _plays("abuses crlf"),
        _plays("abuses unknown_keys"),
        _keeps_on(_ILLEGAL, "illegal revoke", r"\w+ does not follow suit: \w+ was led, legal: .*"),
        _keeps_on(_ILLEGAL, "illegal foreign", r"\w+: a card that is not in the hand.*"),
        _once(_ILLEGAL, "illegal too_few", r"4 cards passed \(.*\), 5 were asked for"),
        _once(_ILLEGAL, "illegal double", r"(\w+)( \1){4}: each card can be passed only.*"),
        _ends(
            _FLOOD,
            "flood lines",
            r"\d+ bytes in \d+ lines came at once; one line answers one question",
            sent="x",
        ),
        _ends(_FLOOD, "flood endless", "a line of more than 65536 bytes", sent="xxxxx"),
        _ends(_FLOOD, "flood stderr", _STDERR, sent="!!!!!"),
        _ends(_FLOOD, "flood stderr_playing", _STDERR, sent="thinking"),
        _plays("flood much", noted="BEGIN"),
    )
)

TIMES = (
    _silent("slow silent", _NOTHING_CAME),
    _silent("slow deaf", _NOTHING_CAME),
    _silent("stubborn stopped", _NOTHING_CAME),
    _silent("slow no_newline", r"(9|18) bytes came in .* s, but no newline.*", sent="gqR0eXBlo"),
    _keeps_on(_TIMEOUT, "slow always 1.6", f"a complete answer.*|{_NOTHING_CAME}"),
    _once(_TIMEOUT, "slow once 1.6", r"a complete answer came late, by .* \d+ ms"),
    _plays("hungry off_turn"),
)

LIVES = (
    _ends(_CRASHED, "dies 5 0", _ENDED, cells=EVERYWHERE),
    _ends(_CRASHED, "dies 5 3", _EXIT + "3", noted="dies now"),
    _ends(_CRASHED, "dies 5 SIGSEGV", _KILLED + "SIGSEGV.*", cells=EVERYWHERE),
    _ends(_CRASHED, "dies 5 SIGKILL", _KILLED + "SIGKILL.*"),
    _ends(_CRASHED, "dies 5 group", f"{_KILLED}SIGKILL.*|{_CLOSED}"),
    _ends(_CRASHED, "dies 5 mid_line", _EXIT + "0", sent="gqR0eXBlo"),
    _ends(_CRASHED, "stubborn closed", _CLOSED),
    _silent("stubborn closed_input", f"{_NOTHING_CAME}|{_DEAF}"),
    _ends(_CRASHED, "breeds leaves", _ENDED, cells=EVERYWHERE),
    _plays("stubborn sits", cells=EVERYWHERE),
    _plays("breeds child", cells=EVERYWHERE),
    _plays("breeds setsid", cells=EVERYWHERE),
    _plays("breeds daemon", cells=EVERYWHERE),
    _plays("breeds helper", cells=EVERYWHERE),
    _plays("breeds hops", cells=UNCAGED),
    _plays("breeds deep", cells=UNCAGED),
    _plays("breeds zombies", cells=EVERYWHERE),
    _plays("breeds bomb", cells=CAGED, noted="refused"),
    *(
        _plays(f"pries {what}", cells=CAGED, noted=r"(?m)^refused: ")
        for what in ("shadow", "kill_parent", "fill")
    ),
)

_SMALL = {"memory_mib": 128, "cpu_ms": 500}


def _limited(case: Case) -> Case:
    return replace(case, command=replace(case.command, **_SMALL), cells=EVERYWHERE)


RESOURCES = (
    _limited(_ends(_RESOURCE, "hungry memory", r"it used (more than its|\d+ MiB of).*128 MiB.*")),
    _limited(_ends(_RESOURCE, "hungry memory_below", r"it used (more than its|\d+ MiB of).*128 MiB.*")),
    _limited(_ends(_RESOURCE, "hungry memory_daemon", r"it used (more than its|\d+ MiB of).*128 MiB.*")),
    _limited(_ends(_RESOURCE, "hungry cpu", r"it used \d\.\d s of processor time in one match; .* 0\.5 s")),
)

CASES = (*STARTS, *MESSAGES, *TIMES, *LIVES, *RESOURCES)
