"""Says why no answer may have come from a bot, from what it used and sent. Measures and decides nothing."""

from __future__ import annotations

from arena.bot.turn_meter import Used
from arena.match.fault_wording import FaultSentence
from protocol.refusal import guess

__all__ = ["at_rest", "silence", "unended"]

_MOST = 0.5
"""The share of the time from which on the processor, or the wait for it, explains the silence."""
_HARDLY = 0.1
"""The share of the time up to which a bot is said to have waited for something else than the processor."""


def at_rest(seconds: float, used: Used) -> bool:
    """Return whether a bot hardly wanted the processor in so many seconds, as far as that is known."""
    wanted = ((used.cpu_us or 0) + (used.queued_us or 0)) / 1e6
    return used.cpu_us is not None and wanted <= _HARDLY * seconds


def unended(seconds: float, partial: bytes) -> str:
    """Return the sentence about a bot whose line had begun and not ended after so many seconds."""
    count, shown = len(partial), f"{seconds:.3f}"
    looks = guess(partial).rstrip(".")
    if not looks:
        return FaultSentence.NO_NEWLINE.say(count=count, seconds=shown)
    return FaultSentence.NO_NEWLINE_LOOKS.say(count=count, seconds=shown, looks=looks)


def silence(seconds: float, used: Used) -> str:
    """Return the sentence about a bot of which nothing came in so many seconds.

    Its likely cause is told where the bot's use of the processor shows one: it had no core, it computed, or
    it waited for something, which is mostly a buffer that nobody empties.
    """
    shown = f"{seconds:.3f}"
    if used.cpu_us is None or seconds <= 0:
        return FaultSentence.SILENT.say(seconds=shown)
    cpu, queued = used.cpu_us / 1e6, (used.queued_us or 0) / 1e6
    if queued >= _MOST * seconds:
        return FaultSentence.SILENT_WITHOUT_CORE.say(seconds=shown, queued=f"{queued:.3f}")
    if cpu >= _MOST * seconds:
        return FaultSentence.SILENT_AT_WORK.say(seconds=shown, cpu=f"{cpu:.3f}")
    if at_rest(seconds, used):
        return FaultSentence.SILENT_AT_REST.say(seconds=shown, cpu=f"{cpu:.3f}")
    return FaultSentence.SILENT_BETWEEN.say(seconds=shown, cpu=f"{cpu:.3f}", queued=f"{queued:.3f}")
