"""Explains a bot that is out or could not play on: what happened, when, by which rule, and what to do.

It decides nothing: the rulings and the limits of the season do. It writes nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from shlex import quote

from arena.conduct.disqualify import Ruling
from arena.conduct.evidence import ENOUGH
from arena.conduct.limits import EvidenceLimits
from arena.match.faults import HandOver
from arena.standings.entry_ids import bot_of
from arena.store.views import FaultView, MatchView
from reports.conduct import Judgement
from reports.facts import LeagueFacts
from reports.pages.match import HAND_OVER_WORDS
from reports.secrecy import Secrecy
from reports.selection import MatchPages
from reports.text import count, minute, number

__all__ = ["Step", "Trouble", "Troubles"]

_MATCHES = ("match", "matches")
_LEAGUE_FILE = "league.toml"  # where no run has said how it is called
_NOT_WORTH_TELLING = 0.01  # of its matches: the list of its faults tells of so few
_FOLDER = "FOLDER"  # the author knows where the bot is; the pages do not tell others


@dataclass(frozen=True, slots=True)
class Step:
    """Something to do: a command and what it does."""

    command: str
    text: str


@dataclass(frozen=True, slots=True)
class Trouble:
    """What went wrong. `facts`: terms with a text each; `author`, `organiser`: what each of them can do."""

    heading: str
    facts: tuple[tuple[str, str], ...]
    author: tuple[Step, ...]
    organiser: tuple[Step, ...]


class Troubles:
    """Finds the trouble of one bot after another. What they have in common is found once."""

    def __init__(self, facts: LeagueFacts, pages: MatchPages, secrecy: Secrecy) -> None:
        self._facts = facts
        self._pages = pages
        self._secrecy = secrecy
        self._judgement = Judgement(facts)
        machine = facts.machines[-1:]
        self._league = quote(machine[0].league_file if machine else _LEAGUE_FILE)

    def of(self, bot: str, played: Sequence[MatchView], faults: Sequence[FaultView]) -> Trouble | None:
        """Return the trouble of a bot, None if it is in the field and hardly ever had to be replaced.

        `played`: its finished matches; `faults`: all of its faults, in the order of matches.
        """
        ruling = self._facts.ruling_on(bot)
        lost = [match for match in played if _why(match, bot) is not None]
        if ruling is None and len(lost) <= _NOT_WORTH_TELLING * len(played):
            return None
        return Trouble(
            heading=_heading(ruling, len(lost), len(played)),
            facts=tuple(self._told(bot, ruling, played, lost)),
            author=tuple(self._for_author(faults, lost, bot)),
            organiser=tuple(self._for_organiser(bot, ruling)),
        )

    def _told(
        self, bot: str, ruling: Ruling | None, played: Sequence[MatchView], lost: Sequence[MatchView]
    ) -> Iterator[tuple[str, str]]:
        if lost:
            yield "What happened", _what(bot, played, lost)
            yield "What it costs", self._cost()
        if ruling is not None:
            yield "Decided", self._decided(ruling)
            if ruling.by_limits:
                yield "It stood at", self._stood(bot, ruling.decided, ruling)
        else:
            back = [one for one in self._facts.rulings if one.bot in (bot, bot_of(bot)) and not one.out]
            for one in back[-1:]:
                yield "Reinstated", f"{self._when(one)}Since session {one.from_cycle}.0: {one.reason}."
            if self._judgement.limits is not None:
                yield "It stands at", self._stood(bot, None, None)
        if self._judgement.limits is not None and (ruling is None or ruling.by_limits):
            yield "The rule", self._rule()
        if ruling is not None:
            yield "It follows", self._follows(ruling)

    def _cost(self) -> str:
        penalties = self._facts.penalties
        charge = penalties.fault_points * penalties.max_faults
        each = f"{number(penalties.max_faults)} × {number(penalties.fault_points)}"
        return (
            f"Each such match is charged {each} = {number(charge)} fault points. From then on the arena "
            "plays random legal cards in its seat, and what they take is charged as well."
        )

    def _decided(self, ruling: Ruling) -> str:
        when = self._when(ruling)
        if not ruling.by_limits:
            return f"{when}By the organiser: {ruling.reason}."
        return f"{when}By the rule, when {count(ruling.decided, 'cycle')} had been played."

    def _when(self, ruling: Ruling) -> str:
        at = self._facts.ruled_at.get(ruling)
        return "" if at is None else f"{minute(at)} UTC. "

    def _stood(self, bot: str, cycles: int | None, ruling: Ruling | None) -> str:
        # Of a bot that is out with all its versions, the ruling tells what one of them did.
        if ruling is not None and ruling.bot != bot:
            return f"{ruling.reason}."
        then, now = self._judgement.of(bot, cycles), self._judgement.of(bot)
        in_all = f"{number(now.lost)} of {count(now.matches, *_MATCHES)}"
        later = f" In all it was replaced in {in_all}." if then != now else ""
        return f"{then.text.capitalize()}.{later}"

    def _rule(self) -> str:
        limits = self._judgement.limits
        assert limits is not None, "somebody is judged"
        share, least = f"{100 * limits.share:g} %", count(limits.after, *_MATCHES)
        if not isinstance(limits, EvidenceLimits):
            return f"Out is who is replaced in more than {share} of its matches, and has played {least}."
        return (
            f"A bot may be replaced in {share} of its matches (disqualify_share). The evidence that it goes "
            f"beyond that, and not by bad luck, begins at 1, grows with each match in which it is replaced, "
            f"and shrinks with the others. At the end of a cycle, or of several in a long season, who has "
            f"{number(ENOUGH)} is out, after {least} or more (disqualify_after). A bot within its share gets "
            f"there in at most 1 of 100 seasons."
        )

    def _follows(self, ruling: Ruling) -> str:
        since = f"From session {ruling.from_cycle}.0 on it does not play."
        keeps = "It keeps the score of what it has played, without a rank."
        if self._facts.season.plans_anew:
            return f"{since} {keeps}"
        return f"{since} The stand-in of the arena has its seats. {keeps}"

    def _for_author(self, faults: Sequence[FaultView], lost: Sequence[MatchView], bot: str) -> Iterator[Step]:
        starts = bool(lost) and _why(lost[-1], bot) is HandOver.START_FAILED
        if lost:
            does = (
                "starts it as a match does, and shows the end of its standard error"
                if starts
                else "tests step by step whether it keeps to the protocol and to its time"
            )
            yield Step(f"arena check {_FOLDER}", does)
        asked = [seen for seen in faults if seen.fault.round is not None and seen.fault.question is not None]
        for seen in [one for one in asked if not self._secrecy.cards_hidden(one)][-1:]:
            yield self._replay(seen)

    def _replay(self, seen: FaultView) -> Step:
        fault, own = seen.fault, seen.match in self._pages.own
        place = f"{fault.round}:{'pass' if fault.trick is None else fault.trick}"
        source = f"{seen.match}.json" if own else f"{self._league} {seen.match}"
        there = f"; {seen.match}.json is linked on the page of that match" if own else ""
        does = (
            f"asks it the questions of match {seen.match} again, without a clock, and stops before its fault"
        )
        asked = f"--seat {fault.seat} --break {place}"
        return Step(f"arena replay {source} --bot {_FOLDER} {asked}", f"{does}{there}")

    def _for_organiser(self, bot: str, ruling: Ruling | None) -> Iterator[Step]:
        facts, league = self._facts, self._league
        if facts.ended:
            return
        if ruling is not None:
            late = " (if no cycle is left, raise [schedule] cycles, too)"
            does = "lets it play again, if it was not to blame; it is judged by what it plays from then on"
            does = "lets it play again" if ruling.withdrawn else does
            does += late if facts.over and not facts.season.open else ""
            yield Step(f"arena reinstate {league} {ruling.bot} --reason WHY", does)
        elif not facts.over:
            yield Step(
                f"arena withdraw {league} {bot_of(bot)} --reason WHY", "lets the others play on without it"
            )
        if facts.season.open:
            yield Step(f"arena enter {league} {_FOLDER}", "enters the mended bot as another version")
        else:
            yield Step(
                f"arena run {league} --new-season WHY",
                "begins a new season with the mended bot, and a new score; this season keeps its pages",
            )


def _heading(ruling: Ruling | None, lost: int, played: int) -> str:
    if ruling is not None:
        return f"Why it is {ruling.word}"
    return f"Replaced in {number(lost)} of {count(played, *_MATCHES)}"


def _what(bot: str, played: Sequence[MatchView], lost: Sequence[MatchView]) -> str:
    reasons = Counter(why for match in lost if (why := _why(match, bot)) is not None)
    told = ", ".join(f"{number(times)} × {HAND_OVER_WORDS[why]}" for why, times in reasons.most_common())
    first, last = lost[0], lost[-1]
    span = (
        f"match {first.number}" if first is last else f"first in match {first.number}, last in {last.number}"
    )
    since = minute(first.finished_at or first.started_at)
    return (
        f"The arena’s stand-in had to take its seat in {number(len(lost))} of its "
        f"{count(len(played), *_MATCHES)}: {told} ({span}; since {since} UTC)."
    )


def _why(match: MatchView, bot: str) -> HandOver | None:
    """Return why a bot was replaced in a match, at any of its seats; None if it played to the end."""
    return next(
        (seat.hand_over for seat in match.seats if seat.bot == bot and seat.hand_over is not None), None
    )
