"""Groups the faults of a bot: equal ones are told once, with how many there are and where, newest first.

Equal are faults of one kind whose reasons differ only in what belongs to the moment: cards, times, the id of
a question. It writes nothing; `secrecy` decides what is shown.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from string import Formatter

from arena.match.fault_wording import FaultSentence
from arena.match.faults import FaultKind
from arena.store.views import FaultView
from arena.wording import counted
from reports.facts import LeagueFacts
from reports.pages.listing import match_path
from reports.pages.match import KIND_WORDS, fault_place
from reports.secrecy import Secrecy
from reports.text import minute

_EXAMPLES = 3
_GROUPS_SHOWN = 20
_OF_THE_MOMENT = frozenset(
    {
        "sent", "led", "legal", "hand", "count", "seconds", "milliseconds", "cpu", "queued", "size", "lines",
        "id", "used",
    }
)  # fmt: skip
"""The places of `FaultSentence` that differ from fault to fault although the mistake is the same."""
_WITHIN = "why"
"""A place that may hold another such sentence."""
_ANY = "…"
_REASONS_KEPT = 4096


@dataclass(frozen=True, slots=True)
class FaultLine:
    """One fault. `path`: the link to its trick; `where`: "round 1, trick 4".

    `asked`: what it was asked for, empty if for nothing. `reason`: only where it says more than that of the
    group. While they must not be shown, `reason` and `sent` are empty. `last_words`: the end of its standard
    error in that match, empty while it must not be shown.
    """

    date: str
    match: int
    path: str
    where: str
    asked: str
    reason: str
    sent: str
    last_words: str
    wall_us: int


@dataclass(frozen=True, slots=True)
class FaultGroup:
    """Equal faults. `kind`: "crash"; `span`: "matches 3 to 120"; `since`, `until`: when these were played.

    `reason`: what is common to their reasons. While these must not be shown it is empty, and `hidden` says
    why. `fault`: the value of the list's filter for such faults. `examples`: the newest.
    """

    kind: str
    count: int
    span: str
    since: str
    until: str
    reason: str
    hidden: str
    fault: str
    examples: tuple[FaultLine, ...]


@dataclass(frozen=True, slots=True)
class FaultGroups:
    """The groups of a bot, that of the newest fault first. `more`: how many others there are, in words."""

    shown: tuple[FaultGroup, ...]
    more: str


class Grouper:
    """Groups the faults of one bot after another."""

    def __init__(self, facts: LeagueFacts, secrecy: Secrecy) -> None:
        self._facts = facts
        self._secrecy = secrecy

    def groups(self, faults: Iterable[FaultView]) -> FaultGroups:
        """Return the groups of the faults of one bot, which are given in the order of matches."""
        found: dict[tuple[FaultKind, str, str], list[FaultView]] = {}
        for seen in faults:
            hidden = self._secrecy.evidence_hidden(seen, seen.bot)
            key = seen.fault.kind, "" if hidden else common_reason(seen.fault.kind, seen.fault.reason), hidden
            group = found.pop(key, [])
            group.append(seen)
            found[key] = group  # put back at the end: groups are in the order of their newest faults
        newest = list(reversed(found.items()))
        shown, rest = newest[:_GROUPS_SHOWN], newest[_GROUPS_SHOWN:]
        return FaultGroups(
            tuple(self._group(reason, hidden, group) for (__, reason, hidden), group in shown),
            _not_shown([group for __, group in rest]) if rest else "",
        )

    def _group(self, reason: str, hidden: str, faults: Sequence[FaultView]) -> FaultGroup:
        kind, first, last = faults[0].fault.kind, faults[0], faults[-1]
        if len({seen.fault.reason for seen in faults}) == 1 and not hidden:
            reason = first.fault.reason
        return FaultGroup(
            kind=KIND_WORDS[kind],
            count=len(faults),
            span=_span(first.match, last.match),
            since=minute(first.at),
            until=minute(last.at),
            reason=reason,
            hidden=hidden,
            fault=kind.value,
            examples=tuple(self._line(seen, reason, hidden) for seen in faults[: -_EXAMPLES - 1 : -1]),
        )

    def _line(self, seen: FaultView, common: str, hidden: str) -> FaultLine:
        fault = seen.fault
        anchor = "faults"
        if fault.round is not None and not self._secrecy.cards_hidden(seen):
            anchor = f"r{fault.round}" + ("" if fault.trick is None else f"t{fault.trick}")
        return FaultLine(
            date=minute(seen.at),
            match=seen.match,
            path=f"../matches/{match_path(seen.match)}{anchor}",
            where=fault_place(fault),
            asked=self._asked(fault.question),
            reason="" if hidden or fault.reason == common else fault.reason,
            sent="" if hidden else fault.sent,
            last_words=seen.last_words if self._secrecy.shows_stderr(seen, seen.bot) else "",
            wall_us=fault.wall_us,
        )

    def _asked(self, question: int | None) -> str:
        if question is None:
            return ""
        if question:
            return "a card"
        return f"{counted(self._facts.passed, 'card')} to pass"


def _not_shown(groups: Sequence[Sequence[FaultView]]) -> str:
    reasons = counted(len(groups), "other reason")
    return f"{counted(sum(map(len, groups)), 'older fault')} with {reasons}: not shown."


def _span(first: int, last: int) -> str:
    """Return the matches of a group, in words."""
    if first == last:
        return f"match {first}"
    return f"matches {first} to {last}"


@lru_cache(_REASONS_KEPT)
def common_reason(kind: FaultKind, reason: str) -> str:
    """Return a reason without what belongs to the moment, "…" in its place: "nothing came in … s; ..."."""
    for sentence in FaultSentence:
        # A process that crashes at its start has the sentence of a crash and the kind of a failed start.
        if kind in (sentence.kind, FaultKind.START_FAILED) and (
            found := _pattern(sentence).fullmatch(reason)
        ):
            return sentence.say(
                **{place: _common(kind, place, text) for place, text in found.groupdict().items()}
            )
    return reason


def _common(kind: FaultKind, place: str, text: str) -> str:
    if place in _OF_THE_MOMENT:
        return _ANY
    return common_reason(kind, text) if place == _WITHIN else text


@cache
def _pattern(sentence: FaultSentence) -> re.Pattern[str]:
    parts = Formatter().parse(sentence.words)
    return re.compile(
        "".join(re.escape(text) + (f"(?P<{place}>.*?)" if place else "") for text, place, __, __ in parts),
        re.S,
    )
