"""The step of the clock, with a bot that the test plays: what is counted as its time, and what is not."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from arena.workbench.check.lasting import near_the_clock
from arena.workbench.check.script import Finding, Heard, Receive, Send, Verdict
from arena.workbench.check.talk import Talk
from protocol import decode, encode


def answer_to(sent: Send) -> bytes:
    """The first legal answer to the question at the end of what was sent, without a newline."""
    question = decode(b"".join(sent.pieces).splitlines(keepends=True)[-1])
    if question["type"] == "pass":
        said: dict[str, object] = {"type": "cards", "cards": question["hand"][: question["count"]]}
    elif question["type"] == "play":
        said = {"type": "card", "card": question["legal"][0]}
    else:
        return b""
    return encode({**said, "id": question["id"]}).removesuffix(b"\n")


def times(slow: int, after: float, queued: float) -> Iterator[tuple[float, float]]:
    """So many answers take long, the others a millisecond."""
    yield from [(after, queued)] * slow
    while True:
        yield 0.001, 0.0


def found(slow: int, after: float, queued: float = 0.0) -> Finding:
    """How the step comes out."""
    took = times(slow, after, queued)
    script, line = near_the_clock(Talk()), b""
    heard = Heard()
    action = next(script)
    while True:
        if isinstance(action, Send):
            line, heard = answer_to(action), Heard()
        else:
            assert isinstance(action, Receive)
            seconds, waited = next(took)
            heard = Heard(line=line, after=seconds, queued=waited)
        try:
            action = script.send(heard)
        except StopIteration as end:
            (finding,) = end.value
            assert isinstance(finding, Finding)
            return finding


@pytest.mark.parametrize(
    ("slow", "verdict", "said"),
    [(0, Verdict.PASSED, "of 500 ms it takes up to 1.0 ms;"), (1, Verdict.PASSED, "late 1 times of 13")],
)
def test_once_may_be_the_machines_doing(slow: int, verdict: Verdict, said: str) -> None:
    finding = found(slow, 0.6)
    assert finding.verdict is verdict
    assert said in finding.text
    assert "not counted" not in finding.text


def test_who_is_late_twice_fails() -> None:
    finding = found(2, 0.6)
    assert finding.verdict is Verdict.FAILED
    assert finding.evidence is not None
    assert finding.evidence.expected == "an answer within 500 ms"


def test_a_busy_machine_is_not_the_bots_fault() -> None:
    finding = found(20, 0.9, queued=0.8)
    assert finding.verdict is Verdict.PASSED
    assert "of 500 ms it takes up to 100.0 ms;" in finding.text
    assert finding.text.endswith("; not counted: up to 800 ms without a core, for the machine was busy")
