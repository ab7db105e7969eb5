"""Every sentence that a bot's author reads about a fault, each with an example of what varies in it.

The modules that find faults fill these sentences in, and the table of sentences in protocol/SPEC.md is made
from them. The reasons why a single line is no message belong to the protocol: `protocol.refusal.Refusal`.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from string import Formatter

from arena.match.faults import FaultKind
from arena.papayoo import Illegal

_ILLEGAL, _BAD_MESSAGE, _TIMEOUT = FaultKind.ILLEGAL, FaultKind.BAD_MESSAGE, FaultKind.TIMEOUT
_CRASHED, _START_FAILED = FaultKind.CRASHED, FaultKind.START_FAILED
_FLOOD, _RESOURCE = FaultKind.FLOOD, FaultKind.RESOURCE


class FaultSentence(Enum):
    """One sentence: the kind of fault it belongs to, its words with `{places}`, and an example of each."""

    MUST_FOLLOW = (
        _ILLEGAL,
        "{sent} does not follow suit: {led} was led, legal: {legal}",
        {"sent": "H2", "led": "spades", "legal": "S1 S3 S9"},
    )
    NOT_IN_HAND = (
        _ILLEGAL,
        f"{{sent}}: {Illegal.NOT_IN_HAND.sentence}; the hand is {{hand}}",
        {"sent": "D9", "hand": "S1 S3 S9 H4"},
    )
    WRONG_COUNT = (
        _ILLEGAL,
        "{count} cards passed ({sent}), {wanted} were asked for",
        {"count": "4", "sent": "S10 D10 P15 P17", "wanted": "5"},
    )
    TWICE = (
        _ILLEGAL,
        "{sent}: each card can be passed only once, and must exist",
        {"sent": "S10 S10 P15 P17 P20"},
    )
    OTHER_TYPE = (
        _BAD_MESSAGE,
        '"{asked}" is answered with "{needed}", not with "{given}"',
        {"asked": "play", "needed": "card", "given": "cards"},
    )
    SECOND_ANSWER = (
        _BAD_MESSAGE,
        "a second answer to question {id}: each question has exactly one",
        {"id": "q7Zk1c0XbW"},
    )
    NEVER_ASKED = (
        _BAD_MESSAGE,
        "an answer to question {id}, which was never asked; repeat the id of the question",
        {"id": "1"},
    )
    SILENT = (
        _TIMEOUT,
        "nothing came in {seconds} s; is standard output flushed after each line?",
        {"seconds": "1.000"},
    )
    SILENT_AT_REST = (
        _TIMEOUT,
        "nothing came in {seconds} s, of which it computed for {cpu} s; is standard output flushed "
        "after each line, and each line read as soon as it comes? Or does it wait for a file?",
        {"seconds": "1.000", "cpu": "0.001"},
    )
    SILENT_AT_WORK = (
        _TIMEOUT,
        "nothing came in {seconds} s, of which it computed for {cpu} s: loading, or thinking, takes it too "
        "long",
        {"seconds": "1.000", "cpu": "0.994"},
    )
    SILENT_WITHOUT_CORE = (
        _TIMEOUT,
        "nothing came in {seconds} s, of which it waited {queued} s for a core: the machine was busy",
        {"seconds": "1.500", "queued": "0.981"},
    )
    SILENT_BETWEEN = (
        _TIMEOUT,
        "nothing came in {seconds} s, of which it computed for {cpu} s and waited {queued} s for a core; in "
        "the rest it waited for something else, such as a file or a full buffer",
        {"seconds": "1.000", "cpu": "0.310", "queued": "0.120"},
    )
    KEPT_BACK = (
        _TIMEOUT,
        "{count} bytes came only when its input had ended; it keeps lines back: flush standard output after "
        "each line, and read a line as soon as it comes",
        {"count": "48"},
    )
    DEAF = (
        _TIMEOUT,
        "nothing came in {seconds} s; it does not read its standard input",
        {"seconds": "1.000"},
    )
    NO_NEWLINE = (
        _TIMEOUT,
        "{count} bytes came in {seconds} s, but no newline ended them",
        {"count": "36", "seconds": "1.000"},
    )
    NO_NEWLINE_LOOKS = (
        _TIMEOUT,
        "{count} bytes came in {seconds} s, but no newline ended them. {looks}",
        {
            "count": "36",
            "seconds": "1.000",
            "looks": "It looks like JSON; a message is msgpack, written as base64",
        },
    )
    LATE = (_TIMEOUT, "a complete answer came late, by at most {milliseconds} ms", {"milliseconds": "12"})
    UNREAD = (
        _TIMEOUT,
        "more than {limit} bytes lie unread on its standard input",
        {"limit": "1048576"},
    )
    EXITED = (_CRASHED, "the process ended by itself, with exit code {code}", {"code": "1"})
    KILLED = (_CRASHED, "the process was killed by {signal}", {"signal": "SIGSEGV"})
    CLOSED = (_CRASHED, "the process closed its standard output", dict[str, str]())
    CANNOT_START = (
        _START_FAILED,
        "cannot be started: {what}: {why}",
        {"what": "./bot", "why": "No such file or directory"},
    )
    NOT_BUILT = (
        _START_FAILED,
        "not built: {command}: {why}",
        {"command": "make bot", "why": "exit code 2"},
    )
    NOT_READY_IN_TIME = (
        _START_FAILED,
        "not ready within {seconds} s: {why}",
        {"seconds": "10", "why": "nothing came in 10.000 s; is standard output flushed after each line?"},
    )
    NOT_READY = (
        _START_FAILED,
        "not ready: {why}",
        {"why": "The line is not base64 (standard alphabet, padded with =, nothing else inside)."},
    )
    TOO_MUCH_AT_ONCE = (
        _FLOOD,
        "{size} bytes in {lines} lines came at once; one line answers one question",
        {"size": "70000", "lines": "900"},
    )
    LONG_LINE = (_FLOOD, "a line of more than {limit} bytes", {"limit": "65536"})
    LOUD = (
        _FLOOD,
        "more than {limit} bytes on standard error in one match",
        {"limit": "16777216"},
    )
    MEMORY = (
        _RESOURCE,
        "it used {used} MiB of memory; the limit is {limit} MiB",
        {"used": "1100", "limit": "1024"},
    )
    PROCESSOR = (
        _RESOURCE,
        "it used {used} s of processor time in one match; the limit is {limit} s",
        {"used": "120.1", "limit": "120"},
    )
    TOO_MANY = (
        _RESOURCE,
        "it had {count} processes at once, or more; so many cannot be watched",
        {"count": "4096"},
    )

    def __init__(self, kind: FaultKind, words: str, example: dict[str, str]) -> None:
        self.kind = kind
        """Sentences of `crashed` also stand under `start_failed`, when the process never got ready."""
        self.words = words
        self.example = example

    def say(self, **values: object) -> str:
        """Return the sentence with these values in its places. Raises KeyError when one is missing."""
        return self.words.format_map(values)

    def shown(self, mark: Callable[[str], str]) -> str:
        """Return the sentence with its example, each example value passed through `mark`."""
        parts = Formatter().parse(self.words)
        return "".join(text + (mark(self.example[place]) if place else "") for text, place, _, _ in parts)
