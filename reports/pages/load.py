"""Tells the machine's part in late answers and slow starts from the bot's, in a sentence or two.

It knows what was stored of each fault: how long the bot computed, and how long it was ready and others had
its core. Beside that it shows how others fared in the same minutes on the same host. It writes nothing.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from arena.match.fault_wording import is_late
from arena.match.faults import Fault, FaultKind
from arena.store.views import FaultView, MatchView
from arena.translating import _, ngettext
from reports.facts import LeagueFacts
from reports.pages.bars import percent
from reports.text import number

__all__ = ["Load"]

_TIMED = frozenset({FaultKind.TIMEOUT, FaultKind.START_FAILED})
_MINUTE = 60_000  # milliseconds
_HELD_UP, _SOMEWHAT = 0.5, 0.1  # shares of the time that it waited for a core
_IDLE, _BUSY = 0.05, 0.5  # shares of the time that it computed

_Minute = tuple[int | None, int]
"""A host and a minute since 1970."""


class Load:
    """What the machine did while bots were late. It is gathered once, when it is first asked for."""

    def __init__(self, facts: LeagueFacts) -> None:
        self._facts = facts

    def said(self, bot: str, faults: Sequence[FaultView]) -> str:
        """Return what the machine had to do with faults of one bot and kind; empty for other kinds."""
        if not faults or faults[0].fault.kind not in _TIMED:
            return ""
        own = _own([seen.fault for seen in faults if is_late(seen.fault)])
        return " ".join(part for part in (own, self._others(bot, faults)) if part)

    def _others(self, bot: str, faults: Sequence[FaultView]) -> str:
        """Return how many decisions of the others were late in the same minutes. Who is out says nothing."""
        minutes = {self._minutes[seen.match] for seen in faults if seen.match in self._minutes}
        asked = late = 0
        for minute in minutes:
            for other, decisions in self._asked[minute].items():
                if other != bot and self._facts.ruling_on(other) is None:
                    asked += decisions
                    late += self._late[minute][other]
        if not asked:
            return ""
        when = _("In the same minute") if len(minutes) == 1 else _("In the same minutes")
        if not late:
            return ngettext(
                "%(when)s the other bots were late for none of %(num)s decision.",
                "%(when)s the other bots were late for none of %(num)s decisions.",
                asked, when=when,
            )  # fmt: skip
        return ngettext(
            "%(when)s the other bots were late for %(late)s of %(num)s decision.",
            "%(when)s the other bots were late for %(late)s of %(num)s decisions.",
            asked, when=when, late=number(late),
        )  # fmt: skip

    @cached_property
    def _minutes(self) -> dict[int, _Minute]:
        return {match.number: _minute(match) for match in self._facts.matches}

    @cached_property
    def _asked(self) -> defaultdict[_Minute, Counter[str]]:
        found: defaultdict[_Minute, Counter[str]] = defaultdict(Counter)
        for match in self._facts.matches:
            for seat in match.seats:
                found[_minute(match)][seat.bot] += seat.decisions
        return found

    @cached_property
    def _late(self) -> defaultdict[_Minute, Counter[str]]:
        found: defaultdict[_Minute, Counter[str]] = defaultdict(Counter)
        for seen in self._facts.faults:
            if seen.fault.kind is FaultKind.TIMEOUT and seen.match in self._minutes:
                found[self._minutes[seen.match]][seen.bot] += 1
        return found


def _minute(match: MatchView) -> _Minute:
    return match.host, (match.finished_at or match.started_at) // _MINUTE


def _own(faults: Sequence[Fault]) -> str:
    """Return what the bot did in that time, and whether the machine kept it from more."""
    if not faults:
        return _("This is no matter of time, so the machine was not the cause.")
    computed = _share([(fault.cpu_us, fault.wall_us) for fault in faults])
    waited = _share([(fault.queued_us, fault.wall_us) for fault in faults])
    if waited is None:
        return _waiting_unknown(computed)
    did = _did(computed, waited)
    if waited.known < len(faults):
        known, all_ = number(waited.known), number(len(faults))
        did = _("%(did)s (known of %(known)s of %(all)s)", did=did, known=known, all=all_)
    if waited.part >= _HELD_UP:
        return _("The machine is probably to blame: %(did)s.", did=did)
    if waited.part >= _SOMEWHAT:
        return _("The machine may have had a part in it: %(did)s.", did=did)
    return _("The machine was not the cause: %(did)s.", did=did)


def _waiting_unknown(computed: _Share | None) -> str:
    if computed is None:
        return _("How long the bot computed and waited for a core is not known.")
    return _(
        "The bot computed for %(share)s of this time; how long it waited for a core is not known.",
        share=computed.text,
    )


def _did(computed: _Share | None, waited: _Share) -> str:
    """Return what the bot did in that time, as a clause. Of one that was held up, nothing is concluded."""
    if computed is None:
        return _("the bot had no core for %(share)s of this time", share=waited.text)
    did = _(
        "the bot computed for %(share)s of this time and had no core for %(waited)s of it",
        share=computed.text, waited=waited.text,
    )  # fmt: skip
    if waited.part >= _SOMEWHAT:
        return did
    if computed.part < _IDLE:
        return _("%(did)s, so it hung or waited for something", did=did)
    return _("%(did)s, so it takes too long", did=did) if computed.part >= _BUSY else did


@dataclass(frozen=True, slots=True)
class _Share:
    """A part of the time of some faults, 0 to 1, and of how many of them it is known."""

    part: float
    known: int

    @property
    def text(self) -> str:
        return percent(self.part, 1)


def _share(spent: Sequence[tuple[int | None, int]]) -> _Share | None:
    """Return which part of the whole times the known parts are; None if none is known."""
    known = [(part, whole) for part, whole in spent if part is not None and whole > 0]
    if not known:
        return None
    # A process tree with several threads can compute for longer than the clock ran.
    part = sum(min(part, whole) for part, whole in known)
    return _Share(part / sum(whole for _, whole in known), len(known))
