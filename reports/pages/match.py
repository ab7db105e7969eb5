"""Builds the matches as data for the page that shows them, and defines the words for what happens in a match.

The data are compact scripts, many matches in one, because a page that was opened from a file can load nothing
else. A round is its Papayoo, passes and plays, one letter a card, about 90 letters: the script of the page
deals, plays and counts it again. Cards leave here only under the names that the bots saw, and what may be
shown `secrecy` decides.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from arena.match.faults import Fault, FaultKind, HandOver
from arena.match.record import MatchRecord, SeatRecord
from arena.match.relabel import Relabelling
from arena.papayoo import CARD_NAMES, pass_count
from arena.store.matches import PlayedMatch, PlayedRound
from arena.store.views import MatchView, SeasonView, SeatView, SessionState
from arena.verify.match_file import MatchFile, without_private, write_match_file
from arena.wording import counted
from reports.facts import LeagueFacts
from reports.pages.listing import session_name
from reports.secrecy import Secrecy
from reports.text import listed, milliseconds, number, visible

ABOUT = 50
"""Matches in a script, about: no session is divided."""

KIND_WORDS = {
    FaultKind.ILLEGAL: "illegal move",
    FaultKind.BAD_MESSAGE: "bad message",
    FaultKind.TIMEOUT: "timeout",
    FaultKind.CRASHED: "crash",
    FaultKind.START_FAILED: "failed start",
    FaultKind.FLOOD: "flood",
    FaultKind.RESOURCE: "resource limit",
}
"""The names of the kinds of fault for people, in the singular."""

HAND_OVER_WORDS = {
    HandOver.MAX_FAULTS: "too many faults",
    HandOver.SILENT: "two timeouts in a row without an answer",
    HandOver.CRASHED: "it crashed",
    HandOver.START_FAILED: "it could not be started",
    HandOver.FLOOD: "it wrote too much",
    HandOver.RESOURCE: "it used more than its share of the machine",
}

_BROKEN_OFF = "Not scored: the season ended before its session was over."

_STANDING_WORDS = {
    SessionState.PLANNED: "Not scored yet: other matches of its session are still to be played.",
    SessionState.COMPLETE: "",
    SessionState.VOIDED: "Not scored: the organiser took its session out.",
    SessionState.LEFT_OUT: "Not scored: a match of its session could not be finished.",
}

_LETTERS = {name: chr(ord("0") + card) for card, name in enumerate(CARD_NAMES)}
"""A letter for each card: "0" for S1, the next for S2 ... H1 ... C10, P1 and so on to "k" for P20."""


@dataclass(frozen=True, slots=True)
class MatchPage:
    """What the script of the page is told besides the data of the matches.

    `passed`: cards of a pass; `chunk`: matches of one script; `scripts`: the beginning of the paths of these
    from the folder of match pages; `last`: the greatest number of a finished match. On a page of one match
    there is nothing to load: `inside` is its data, `title` what it is called.
    """

    passed: int
    chunk: int = 0
    scripts: str = ""
    last: int = 0
    inside: str = ""
    title: str = "A match"


@dataclass(frozen=True, slots=True)
class Chunk:
    """The finished matches with the numbers in `numbers`; `path` from the site's folder."""

    path: str
    numbers: range
    matches: tuple[MatchView, ...]


@dataclass(frozen=True, slots=True)
class Beside:
    """What there is of a match beside its cards.

    `stderr`: what its seats wrote to standard error, of those that may be quoted; `file`: whether it is there
    as JSON; `messages`: whether a page has its messages.
    """

    stderr: tuple[tuple[int, SeatRecord], ...] = ()
    file: bool = False
    messages: bool = False


_NOTHING = Beside()


def match_page(facts: LeagueFacts) -> MatchPage:
    """Return what the page of all matches is told."""
    return MatchPage(
        passed=facts.passed,
        chunk=_size(facts.season),
        scripts="../data/replay-",
        last=facts.matches[-1].number if facts.matches else 0,
    )


def page_of_one(match: MatchView, data: Mapping[str, object], title: str) -> MatchPage:
    """Return what the page of a single match is told, which is a file of its own."""
    seats = [{"name": visible(seat.name)} for seat in match.seats]
    document = {
        "bots": seats,
        "matches": {str(match.number): {**data, "bots": list(range(len(seats)))}},
    }
    return MatchPage(pass_count(len(seats)), inside=_json(document), title=title)


def chunks(facts: LeagueFacts) -> Iterator[Chunk]:
    """Yield the finished matches in pieces of equal range, so that no piece changes when another is added."""
    size = _size(facts.season)
    found: dict[int, list[MatchView]] = {}
    for match in facts.matches:
        found.setdefault((match.number - 1) // size, []).append(match)
    for part, matches in sorted(found.items()):
        numbers = range(part * size + 1, (part + 1) * size + 1)
        yield Chunk(f"data/replay-{part + 1}.js", numbers, tuple(matches))


def chunk_script(
    facts: LeagueFacts,
    secrecy: Secrecy,
    played: Iterable[PlayedMatch],
    faults: Mapping[int, Sequence[Fault]],
    beside: Mapping[int, Beside],
) -> bytes:
    """Return a call of the page's function with an object. `faults`, `beside`: by the numbers of matches.

    `bots`: name and page of each bot; `matches`: by number, see `match_data`, and `bots`: by seat, their
    places in the list of bots.
    """
    places = {entry.bot: place for place, entry in enumerate(facts.season.entries)}

    def row(one: PlayedMatch) -> str:
        number = one.match.number
        data = match_data(one, secrecy, faults.get(number, ()), beside.get(number, _NOTHING))
        return f'"{number}":{_json({**data, "bots": [places[seat.bot] for seat in one.match.seats]})}'

    bots = [
        {"name": visible(entry.name), "path": f"../bots/{entry.bot}.html"} for entry in facts.season.entries
    ]
    lines = ",\n".join(map(row, played))
    return f'papayoo({{"bots":{_json(bots)},\n"matches":{{\n{lines}\n}}}})\n'.encode()


def match_data(
    played: PlayedMatch, secrecy: Secrecy, faults: Iterable[Fault] = (), beside: Beside = _NOTHING
) -> dict[str, object]:
    """Return the data of a match; what is empty is left out.

    `session`: its name; `about`: its place in the schedule, a sentence; `standing`: why it does not count;
    `result`: a sentence; `hidden`: why its cards are not shown. `seats`: place, fault points, time a
    decision, the longest, and sentences that others should know. `rounds`: a text each: the Papayoo, the
    passes by seat, the plays in order, and after a blank the decisions of the stand-in; where cards are
    hidden, the points by seat. `faults`: a seat and round, and where they may be explained the rest of it;
    `unsaid`: why others are not. `stderr`: what seats wrote. `sandbox`: the level. `file`, `messages`:
    whether they are there.
    """
    match, hidden = played.match, secrecy.cards_hidden(played.match)
    every = list(faults)
    unsaid = [why for one in every if (why := secrecy.evidence_hidden(match, match.seats[one.seat].bot))]
    data: dict[str, object] = {
        "session": session_name(match),
        "about": _about(match),
        "standing": _standing(match, secrecy),
        "result": visible(result_words([(seat.name, seat.total) for seat in match.seats])),
        "hidden": hidden,
        "seats": [_seat(seat) for seat in match.seats],
        "rounds": [one.points if hidden else _round(one, match.suits) for one in played.rounds],
        "faults": [_fault(one, match, secrecy) for one in every],
        "unsaid": unsaid[0] if unsaid else "",
        "stderr": [_stderr(seat, wrote) for seat, wrote in beside.stderr],
        "sandbox": match.sandbox,
        "file": beside.file,
        "messages": beside.messages,
    }
    return {key: value for key, value in data.items() if value not in ("", [], False)}


def match_json(match: MatchView, record: MatchRecord, secrecy: Secrecy) -> bytes:
    """Return the file of a match whose cards are shown, with which its author can play the match again."""
    stderr = [seat.seat for seat in match.seats if secrecy.shows_stderr(match, seat.bot)]
    evidence = [seat.seat for seat in match.seats if not secrecy.evidence_hidden(match, seat.bot)]
    open_record = without_private(record, stderr, evidence)
    names = tuple(seat.name for seat in match.seats)
    return write_match_file(MatchFile(match.number, names, open_record))


def messages_name(match: MatchView) -> str:
    """Return the file name of the page of its messages, beside that of the matches."""
    return f"{match.number}-messages.html"


def talking_seats(match: MatchView, secrecy: Secrecy) -> tuple[SeatView, ...]:
    """Return the seats whose messages are shown."""
    return tuple(seat for seat in match.seats if secrecy.shows_messages(match, seat.bot))


def result_words(totals: Sequence[tuple[str, int]]) -> str:
    """Return the result of a match in one sentence: "Duck won with 106 points, 120 fewer than Random."

    `totals`: by seat, a name with its points.
    """
    fewest = min(total for _, total in totals)
    winners = [name for name, total in totals if total == fewest]
    if len(winners) > 1:
        return f"{listed(winners)} share the first place with {counted(fewest, 'point')}."
    more = min(total for _, total in totals if total > fewest)
    fewer = f"{number(more - fewest)} fewer than {listed([name for name, total in totals if total == more])}"
    return f"{winners[0]} won with {counted(fewest, 'point')}, {fewer}."


def fault_kinds(counts: Mapping[FaultKind, int]) -> str:
    """Return faults by kind in words, most frequent first: "2 × timeout, 1 × crash"."""
    kinds = sorted(counts, key=lambda kind: (-counts[kind], list(FaultKind).index(kind)))
    return ", ".join(
        f"{number(counts[kind])}\N{NO-BREAK SPACE}×\N{NO-BREAK SPACE}{KIND_WORDS[kind]}" for kind in kinds
    )


def seat_marks(seat: SeatView) -> Iterator[str]:
    """Yield what others should know of a bot's conduct in a match, besides its faults."""
    if seat.frozen:
        used = f"{(seat.off_turn_us or 0) / 1e6:.1f} s"
        yield f"stopped between its questions: {used} of processor time without a question"
    if seat.left_core:
        yield "left the core that it shares with its referee"
    if seat.extended_us:
        more = milliseconds(seat.extended_us)
        yield f"got {more} more for its answers, while others had its core"


def taken_over(seat: SeatView) -> str:
    """Return from when and why the stand-in decided, in words; empty if it did not."""
    if seat.hand_over is None or seat.hand_over_at is None:
        return ""
    return f"stand-in from {decision_words(*seat.hand_over_at)} on: {HAND_OVER_WORDS[seat.hand_over]}"


def decision_words(round_: int, question: int) -> str:
    """Return which decision of a match it is: "round 1, pass", "round 1, trick 3"."""
    return f"round {round_}, trick {question - 1}" if question else f"round {round_}, pass"


def fault_place(fault: Fault) -> str:
    """Return where a fault happened, in words."""
    if fault.kind is FaultKind.START_FAILED:
        return "at its start"
    if fault.round is None or fault.question is None:
        return "outside any question"
    return decision_words(fault.round, fault.question)


def _about(match: MatchView) -> str:
    attempt = f", attempt {match.attempt}" if match.attempt else ""
    return f"Session {session_name(match)}, seat order {match.order}{attempt}."


def _standing(match: MatchView, secrecy: Secrecy) -> str:
    """Return why a match is not scored, in words; empty if it is."""
    if secrecy.closed and match.session_state is SessionState.PLANNED:
        return _BROKEN_OFF
    return _STANDING_WORDS[match.session_state]


def _seat(seat: SeatView) -> list[object]:
    asked = seat.decisions
    notes = [note for note in (taken_over(seat), *seat_marks(seat)) if note]
    mean, longest = (
        (milliseconds(seat.took_total_us / asked), milliseconds(seat.took_max_us)) if asked else ("–", "–")
    )
    return [seat.place, seat.charge, mean, longest, notes]


def _fault(fault: Fault, match: MatchView, secrecy: Secrecy) -> dict[str, object]:
    if secrecy.evidence_hidden(match, match.seats[fault.seat].bot):
        return {"seat": fault.seat, "round": fault.round}
    spent = [f"{milliseconds(fault.cpu_us)} of processor time"] if fault.cpu_us is not None else []
    if spent and fault.queued_us:
        spent.append(f"{milliseconds(fault.queued_us)} waiting for a core")
    after = f" after {milliseconds(fault.wall_us)}{' (' + ', '.join(spent) + ')' if spent else ''}."
    return {
        "seat": fault.seat, "round": fault.round, "place": fault_place(fault),
        "kind": KIND_WORDS[fault.kind], "after": after, "reason": visible(fault.reason),
        "sent": visible(fault.sent),
    }  # fmt: skip


def _stderr(seat: int, wrote: SeatRecord) -> list[object]:
    parts = [part for part in (wrote.stderr_head, wrote.stderr_tail) if part]
    return [seat, counted(wrote.stderr_bytes, "byte"), visible("\n\n… and at the end …\n\n".join(parts))]


def _size(season: SeasonView) -> int:
    """Return the matches of a script: whole sessions, so that the same boards are in one script."""
    own = season.matches_per_session
    return max(1, ABOUT // own) * own


def _round(round_: PlayedRound, suits: str) -> str:
    letters = _letters(suits)
    passes = "".join(letters[card] for cards in round_.passes for card in cards.split())
    cards = letters[round_.papayoo] + passes + "".join([letters[card] for card in round_.plays])
    return f"{cards} {','.join(map(str, round_.stand_in))}" if round_.stand_in else cards


@cache
def _letters(suits: str) -> Mapping[str, str]:
    """Return the letter of each card by its canonical name, in a match with these suits."""
    names = Relabelling(suits).card_names
    return {card: _LETTERS[name] for card, name in zip(CARD_NAMES, names, strict=True)}


def _json(value: object) -> str:
    """Return JSON that may stand inside a script: nothing in it ends that."""
    return json.dumps(value, separators=(",", ":")).replace("<", "\\u003c")
