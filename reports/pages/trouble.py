"""Explains a bot that is out or could not play on: what happened, when, by which rule, and what to do.

It decides nothing: the rulings and the limits of the season do. It writes nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from arena.conduct.exclusion import LEAGUES, Conduct, Limits, Ruling, Sitting, totals
from arena.match.faults import HandOver
from arena.score.entry_ids import bot_of
from arena.store.stored_season import limits_of
from arena.store.views import FaultView, MatchView
from arena.wording import counted
from reports.facts import LeagueFacts
from reports.pages.match import HAND_OVER_WORDS
from reports.secrecy import Secrecy
from reports.text import minute, number

_NOT_WORTH_TELLING = 0.01  # of its matches: the list of its faults tells of so few
_FOLDER = "FOLDER"  # the author knows where the bot is; the pages do not tell others


@dataclass(frozen=True, slots=True)
class Step:
    """Something to do: a command and what it does."""

    command: str
    text: str


@dataclass(frozen=True, slots=True)
class Told:
    """Something about it: `term`, and what is `said`. `reason`: what follows it, as it is stored."""

    term: str
    said: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Trouble:
    """What went wrong. `author`, `organiser`: what each of them can do."""

    heading: str
    facts: tuple[Told, ...]
    author: tuple[Step, ...]
    organiser: tuple[Step, ...]


class Troubles:
    """Finds the trouble of one bot after another. What they have in common is found once."""

    def __init__(self, facts: LeagueFacts, files: Collection[int], secrecy: Secrecy) -> None:
        self._facts = facts
        self._files = files
        self._secrecy = secrecy
        # The same decision as that of a run, from the same facts: what was played to the end.
        self._limits = limits_of(facts.season)  # None where the limits take out nobody
        self._cycles = 1 + max((match.cycle for match in facts.matches), default=0)
        self._conduct = Conduct(self._limits or Limits(1.0), facts.season.matches_per_session)
        for match in facts.matches:
            self._conduct.add(_sittings(match))

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
    ) -> Iterator[Told]:
        if lost:
            yield Told("What happened", _what(bot, played, lost))
            yield Told("What it costs", self._cost())
        if ruling is not None:
            yield self._decided(ruling)
            # Of a bot that is out with all its versions, the ruling tells what one of them did.
            if ruling.by_limits and ruling.bot != bot:
                yield Told("It stood at", "", f"{ruling.reason}.")
            elif ruling.by_limits:
                yield Told("It stood at", self._stood(bot, ruling.decided))
        else:
            back = [one for one in self._facts.rulings if one.bot in (bot, bot_of(bot)) and not one.out]
            for one in back[-1:]:
                since = f"Since session {one.from_cycle}.0:"
                yield Told("Reinstated", f"{self._when(one)}{since}", f"{one.reason}.")
            if self._limits is not None:
                yield Told("It stands at", self._stood(bot))
        if self._limits is not None and (ruling is None or ruling.by_limits):
            yield Told("The rule", self._rule(bot))
        if ruling is not None:
            yield Told("It follows", self._follows(ruling))

    def _cost(self) -> str:
        penalties = self._facts.penalties
        charge = penalties.fault_points * penalties.max_faults
        each = f"{number(penalties.max_faults)} × {number(penalties.fault_points)}"
        return (
            f"Each such match is charged {each} = {number(charge)} fault points. From then on the "
            "arena plays random legal cards in its seat, and what they take is charged as well."
        )

    def _decided(self, ruling: Ruling) -> Told:
        when = self._when(ruling)
        if not ruling.by_limits:
            return Told("Decided", when + "By the organiser:", f"{ruling.reason}.")
        rule = f"By the rule, when {counted(ruling.decided, 'cycle')} had been played."
        return Told("Decided", when + rule)

    def _when(self, ruling: Ruling) -> str:
        at = self._facts.ruled_at.get(ruling)
        return "" if at is None else f"{minute(at)} UTC. "

    def _stood(self, bot: str, cycles: int | None = None) -> str:
        """Return how often a bot was replaced in so many cycles, and the evidence, as a decision has it."""
        (lost, matches), evidence = self._judged(bot, cycles)
        share = f" ({100 * lost / matches:.0f} %)" if matches else ""
        said = f"Replaced in {number(lost)} of {_matches(matches)}{share}{evidence}."
        lost_now, matches_now = self._judged(bot)[0]
        if (lost_now, matches_now) == (lost, matches):
            return said
        return f"{said} In all it was replaced in {number(lost_now)} of {_matches(matches_now)}."

    def _judged(self, bot: str, cycles: int | None = None) -> tuple[tuple[int, int], str]:
        """Return in how many of its matches a bot was replaced, and the evidence if it is judged, in words.

        What counts is what it has played since it was reinstated, as in a decision.
        """
        last = (self._cycles if cycles is None else cycles) - 1
        tally = self._conduct.tally(bot, last, self._facts.rulings)
        bar = self._limits.bars.get(bot) if self._limits else None
        if self._limits is None or bar is None:
            return totals(tally), ""
        return totals(tally), f", evidence {self._limits.in_words(tally)} (out at {number(bar)})"

    def _rule(self, bot: str) -> str:
        limits = self._limits
        assert limits is not None, "somebody is judged"
        share = f"{100 * limits.share:g} %"
        bar = limits.bars.get(bot)
        enough = "enough of it" if bar is None else number(bar)
        return (
            f"A bot may be replaced in {share} of its matches (disqualify_share). The evidence that "
            "it goes beyond that, and not by bad luck, begins at 1, grows with each match in which "
            "it is replaced, and shrinks with the others. At the end of a cycle, or of several in a "
            f"long season, who has {enough} is out. In at most 1 of {LEAGUES} leagues any bot gets there "
            "that is within its share."
        )

    def _follows(self, ruling: Ruling) -> str:
        session = f"{ruling.from_cycle}.0"
        since = f"From session {session} on it does not play."
        keeps = "It keeps the score of what it has played, without a rank."
        if self._facts.season.plans_anew:
            return f"{since} {keeps}"
        stand_in = "The stand-in of the arena has its seats."
        return f"{since} {stand_in} {keeps}"

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
        fault, own = seen.fault, seen.match in self._files
        place = f"{fault.round}:{'pass' if fault.trick is None else fault.trick}"
        source = f"{seen.match}.json" if own else f"league.toml {seen.match}"
        does = (
            f"asks it the questions of match {seen.match} again, without a clock, and stops before its fault"
        )
        if own:
            does = f"{does}; {seen.match}.json is linked on the page of that match"
        asked = f"--seat {fault.seat} --break {place}"
        return Step(f"arena replay {source} --bot {_FOLDER} {asked}", does)

    def _for_organiser(self, bot: str, ruling: Ruling | None) -> Iterator[Step]:
        facts, league = self._facts, "league.toml"
        if facts.ended:
            return
        if ruling is not None:
            does = "lets it play again; it is judged by what it plays from then on"
            if facts.over and not facts.season.open:
                does = f"{does} (if no cycle is left, raise [schedule] cycles, too)"
            yield Step(f"arena reinstate {league} {ruling.bot} --reason WHY", does)
        elif not facts.over:
            does = "lets the others play on without it"
            yield Step(f"arena exclude {league} {bot_of(bot)} --reason WHY", does)
        if facts.season.open:
            does = "enters the mended bot as another version, in the league’s folder of entries"
            yield Step(f"cp -rT {_FOLDER} entries/{bot_of(bot)}", does)
        else:
            yield Step(
                f"arena run {league}{'' if facts.over else ' --new-season WHY'}",
                "begins a new season with the mended bot, and a new score; this season keeps its pages",
            )


def _matches(many: int) -> str:
    return counted(many, "match", "matches")


def _heading(ruling: Ruling | None, lost: int, played: int) -> str:
    if ruling is not None:
        return "Why it is excluded"
    return f"Replaced in {number(lost)} of {counted(played, 'match', 'matches')}"


def _what(bot: str, played: Sequence[MatchView], lost: Sequence[MatchView]) -> str:
    reasons = Counter(why for match in lost if (why := _why(match, bot)) is not None)
    told = ", ".join(f"{number(times)} × {HAND_OVER_WORDS[why]}" for why, times in reasons.most_common())
    first, last = lost[0], lost[-1]
    if first is last:
        span = f"match {first.number}"
    else:
        span = f"first in match {first.number}, last in {last.number}"
    return (
        f"The arena’s stand-in had to take its seat in {number(len(lost))} of its "
        f"{counted(len(played), 'match', 'matches')}: {told} ({span}; since "
        f"{minute(first.finished_at or first.started_at)} UTC)."
    )


def _why(match: MatchView, bot: str) -> HandOver | None:
    """Return why a bot was replaced in a match, at any of its seats; None if it played to the end."""
    return next(
        (seat.hand_over for seat in match.seats if seat.bot == bot and seat.hand_over is not None), None
    )


def _sittings(match: MatchView) -> Iterator[Sitting]:
    """Yield each bot of a match once. It counts as replaced if it was replaced at any of its seats."""
    seats = {seat.bot: seat for seat in match.seats} | {
        seat.bot: seat for seat in reversed(match.seats) if seat.hand_over is not None
    }
    for seat in seats.values():
        yield Sitting(
            seat.bot, match.cycle, match.index, match.order,
            seat.hand_over, seat.pid, match.started_at, match.finished_at or match.started_at,
        )  # fmt: skip
