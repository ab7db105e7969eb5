"""Words the steps of a check as text and as data, and its badge. Must not check anything."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence

from arena.bot.process import StartFailure
from arena.bot.roll_call import causes, not_ready
from arena.cli.layout import columns, plain, prose_width
from arena.workbench.check import STEPS, Checked, Outcome, Verdict
from arena.workbench.league_bots import Called
from arena.workbench.sparring import Evidence
from protocol.codec import decode
from protocol.messages import Ready
from protocol.refusal import BadMessage, printable, readable

_MARKS = {
    Verdict.PASSED: "passed ",
    Verdict.WARNED: "warning",
    Verdict.FAILED: "FAILED ",
    Verdict.SKIPPED: "skipped",
}

_WIDTH = 100
_INDENT = " " * 13
_MOST_SHOWN = 600
"""The number of characters of a line that are shown; `--json` has all of them."""


def outcome_text(outcome: Outcome, before: Iterable[Outcome] = ()) -> str:
    """Return one step: its number, verdict, title and finding; below it the evidence, if there is any.

    Evidence like that of a step in `before` is not shown again.
    """
    finding = outcome.finding
    head = f"{outcome.number:2}  {_MARKS[finding.verdict]}  {STEPS[outcome.step]}"
    lines = [head]
    if finding.verdict is not Verdict.FAILED:
        lines += _wrapped(plain(finding.text))
    alike = next((other.number for other in before if other.finding.text == finding.text), None)
    if finding.evidence is not None and alike is None:
        shown = None if finding.verdict is Verdict.FAILED else finding.text
        lines += evidence_lines(finding.evidence, _INDENT, shown)
    elif alike is not None and finding.verdict is Verdict.FAILED:
        lines.append(f"{_INDENT}{plain(finding.text)}, as in step {alike}")
    return "\n".join(lines)


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, prose_width(_WIDTH), initial_indent=_INDENT, subsequent_indent=_INDENT)


def evidence_lines(evidence: Evidence, indent: str, shown: str | None = None) -> list[str]:
    """Return what was found and expected, the question and the answer with their bytes, and standard error.

    What was found is left out if `shown` begins with it.
    """
    return columns([(f"{indent}{name}", text) for name, text in _evidence(evidence, shown)])


def _evidence(evidence: Evidence, shown: str | None) -> Iterator[tuple[str, str]]:
    if shown is None or not shown.startswith(evidence.found):
        yield "found", plain(evidence.found)
    yield "expected", plain(evidence.expected)
    sent = evidence.sent.splitlines()
    for line in sent[-2:]:
        yield "question" if line is sent[-1] else "before it", _cut(_decoded(line))
    if sent:
        yield "its bytes", _cut(printable(sent[-1], _MOST_SHOWN))
    if evidence.came is not None:
        yield "answer", _cut(_decoded(evidence.came))
        yield "its bytes", _cut(printable(evidence.came, _MOST_SHOWN))
    if evidence.stderr:
        yield "stderr", "\n".join(plain(text.expandtabs(4)) for text in evidence.stderr.splitlines())


def _decoded(line: bytes) -> str:
    try:
        return readable(decode(line))
    except BadMessage as refused:
        return f"not a message: {refused.reason.sentence}"


def _cut(text: str) -> str:
    return text if len(text) <= _MOST_SHOWN else f"{text[:_MOST_SHOWN]}... ({len(text)} characters)"


def badge(checked: Checked) -> str:
    """Return the result in one line."""
    passed, failed, warned = (
        checked.count(verdict) for verdict in (Verdict.PASSED, Verdict.FAILED, Verdict.WARNED)
    )
    tried = passed + failed + warned
    word = "FAILED" if failed else "PASSED"
    said = checked.ready
    who = checked.bot.name if said is None else f"{said.name} {said.version}".strip()
    parts = [f"papayoo protocol 1: {word}, {passed + warned} of {tried} steps passed", plain(who)]
    if warned:
        parts.append(f"{warned} warning{'s' if warned > 1 else ''}")
    if said is not None and said.language:
        parts.append(plain(said.language))
    if checked.memory:
        parts.append(f"ready in {checked.start_seconds:.2f} s, {checked.memory / (1 << 20):.0f} MiB")
    return " | ".join(parts)


def checked_json(checked: Checked) -> dict[str, object]:
    """Return all of it as plain data; bytes as text, with escapes where they are not ASCII."""
    return {
        "bot": checked.bot.name,
        "passed": checked.count(Verdict.FAILED) == 0,
        "badge": badge(checked),
        "ready": _ready_json(checked.ready),
        "steps": [
            {
                "number": outcome.number,
                "name": outcome.step,
                "title": STEPS[outcome.step],
                "verdict": outcome.finding.verdict.value,
                "found": outcome.finding.text,
                "evidence": None
                if outcome.finding.evidence is None
                else evidence_json(outcome.finding.evidence),
            }
            for outcome in checked.outcomes
        ],
    }


def _ready_json(ready: Ready | None) -> dict[str, object] | None:
    return None if ready is None else {"name": ready.name, "version": ready.version, "tables": ready.tables}


def evidence_json(evidence: Evidence) -> dict[str, object]:
    """Return the evidence as plain data, uncut."""
    came = evidence.came
    return {
        "expected": evidence.expected,
        "sent": [_decoded(line) for line in evidence.sent.splitlines()],
        "sent_bytes": printable(evidence.sent, len(evidence.sent)),
        "came": None if came is None else _decoded(came),
        "came_bytes": None if came is None else printable(came, len(came)),
        "stderr": evidence.stderr,
    }


def called_text(called: Sequence[Called]) -> str:
    """Return who of a league is ready, a line each, then why the others are not."""
    states = ["FAILED" if one.ready is None else said_text(one.ready) for one in called]
    lines = columns([(plain(one.bot), state) for one, state in zip(called, states, strict=True)])
    why = [_cause(one, one.failure) for one in called if one.failure is not None]
    if not why:
        return "\n".join([*lines, "", f"All {len(called)} bots are ready; nothing was played."])
    return "\n".join([*lines, "", f"{not_ready(len(why), len(called))}; nothing was played.", *why])


def _cause(one: Called, failure: StartFailure) -> str:
    if one.command is None:
        return f"  {plain(one.bot)}: {plain(failure.reason)}"
    return causes([one.command], {one.bot: failure})


def said_text(ready: Ready) -> str:
    """Return what a bot said of itself: "ready: Duck 1.0, in Python, 4 tables"."""
    name = f"{ready.name} {ready.version}".strip()
    language = f", in {ready.language}" if ready.language else ""
    tables = f", {ready.tables} tables" if ready.tables > 1 else ""
    return plain(f"ready: {name}{language}{tables}")


def called_json(called: Sequence[Called]) -> list[dict[str, object]]:
    """Return the same as plain data."""
    return [
        {
            "bot": one.bot,
            "ready": _ready_json(one.ready),
            "reason": one.failure.reason if one.failure else "",
            "stderr": one.failure.stderr if one.failure else "",
        }
        for one in called
    ]
