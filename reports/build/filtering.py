"""All finished matches as small scripts, for the filters of the list of matches. Writes nothing.

Classic scripts, because a page that was opened from a file can load nothing else.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence

from arena.match.faults import FaultKind
from arena.store.views import MatchView, SessionState
from reports.build.match import KIND_WORDS, session_name
from reports.build.selection import MatchPages
from reports.facts import LeagueFacts
from reports.model.listing import Choice, Filters

__all__ = ["filters", "list_scripts"]

_KINDS = {kind: place for place, kind in enumerate(FaultKind)}
_Faults = Mapping[tuple[int, int], int]
"""How many faults, by bot and kind, both as numbers."""
_Notes = Mapping[SessionState, str]


def filters(facts: LeagueFacts, parts: int) -> Filters:
    """What can be chosen. `parts`: how many scripts there are."""
    return Filters(
        bots=tuple(Choice(entry.bot, entry.name) for entry in facts.season.entries),
        faults=(
            Choice("any", "with a fault"),
            *(Choice(kind.value, f"with a {KIND_WORDS[kind]}") for kind in FaultKind),
        ),
        data=tuple(map(_path, range(parts))),
    )


def list_scripts(
    facts: LeagueFacts, pages: MatchPages, parts: Sequence[Sequence[MatchView]], notes: _Notes
) -> Iterator[tuple[str, bytes]]:
    """A script for each part of the matches: its path in the site, and its text.

    A line is a match: number, session, seat order, where it is shown (0 nowhere, 1 on a page of its
    own, 2 on the shared one), note, then (bot, total) of each seat from the best on, and (bot, kind,
    number) of the faults. Bots and kinds go by their places in `Filters`. `notes`: on sessions.
    """
    bots = {entry.bot: place for place, entry in enumerate(facts.season.entries)}
    faults = _faults(facts, bots)
    for part, matches in enumerate(parts):
        rows = (_row(match, pages, bots, faults.get(match.number, {}), notes) for match in matches)
        lines = ",\n".join(json.dumps(row, separators=(",", ":")) for row in rows)
        yield _path(part), f"papayoo({part},[\n{lines}\n])\n".encode()


def _path(part: int) -> str:
    return f"data/matches-{part + 1}.js"


def _faults(facts: LeagueFacts, bots: Mapping[str, int]) -> dict[int, dict[tuple[int, int], int]]:
    counts: dict[int, dict[tuple[int, int], int]] = {}
    for fault in facts.faults:
        own, key = counts.setdefault(fault.match, {}), (bots[fault.bot], _KINDS[fault.kind])
        own[key] = own.get(key, 0) + 1
    return counts


def _row(
    match: MatchView, pages: MatchPages, bots: Mapping[str, int], faults: _Faults, notes: _Notes
) -> list[object]:
    shown = 1 if match.number in pages.own else 2 if pages.shared else 0
    results = [(bots[seat.bot], seat.total) for seat in match.by_place()]
    counted = [(*key, many) for key, many in sorted(faults.items())]
    note = notes[match.session_state]
    return [match.number, session_name(match), match.order, shown, note, results, counted]
