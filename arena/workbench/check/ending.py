"""Steps: how a process ends, at `bye` and at the end of its input. `stage` performs them."""

from __future__ import annotations

from arena.bot.link import GRACE_SECONDS
from arena.workbench.check.game import Game, play
from arena.workbench.check.script import Evidence, Failed, Finding, Heard, Leave, Restart, Script, Step
from arena.workbench.check.talk import Talk
from protocol.codec import encode

__all__ = ["BYE", "END", "at_bye", "at_the_end_of_input"]

END = Step("end_of_input", "exits at the end of its input")
BYE = Step("bye", "exits at `bye`")

_SECONDS = 1.5
"""More than a referee grants, which then kills the process; that is no fault. What counts is the time without
that in which the machine is busy with something else."""
_BYE = encode({"type": "bye", "reason": "the check is over"})


def at_the_end_of_input(talk: Talk) -> Script[tuple[Finding, ...]]:
    """Close the bot's input after a match, without `bye`, and judge how it ends."""
    yield from play(talk, Game(90, 3, 0), seconds=_SECONDS)
    heard = yield Leave(b"", close=True, seconds=_SECONDS)
    return (_judged(heard, b"", "the end of its input"),)


def at_bye(talk: Talk) -> Script[tuple[Finding, ...]]:
    """Send `bye` before any match and leave the bot's input open, and judge how it ends."""
    yield Restart()
    heard = yield Leave(_BYE, close=False, seconds=_SECONDS)
    if heard.ended is None and heard.line is None:
        text = "it exits only at the end of its input, which always follows in a league"
        return (Finding.warned(text, Evidence("that it exits", text, _BYE)),)
    return (_judged(heard, _BYE, "`bye`"),)


def _judged(heard: Heard, sent: bytes, at: str) -> Finding:
    expected = f"that it exits within {GRACE_SECONDS:g} s, without a word"
    if heard.line is not None:
        raise Failed(Evidence(expected, f"it said something at {at}", sent, heard.line))
    if heard.ended is None:
        found = f"it still runs {_SECONDS:g} s after {at}; a referee kills it"
        raise Failed(Evidence(expected, found, sent))
    own = max(0.0, heard.after - heard.queued)
    text = f"{1000 * own:.0f} ms after {at}: {heard.ended}"
    if own > GRACE_SECONDS:
        return Finding.warned(
            f"{text}; after {GRACE_SECONDS:g} s a referee kills it", Evidence(expected, text, sent)
        )
    if "exit code 0" not in heard.ended:
        return Finding.warned(text, Evidence(f"{expected}, with exit code 0", text, sent))
    return Finding.passed(text)
