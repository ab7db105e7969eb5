"""Decides after a decision cycle of a season: who is out by the limits, and whether the league is settled.

Pure: `arena run` calls it with what is stored when the cycle is over, and `arena verify` with the same again.
It uses only what was played in the cycles before the decision, whatever was played ahead, and the acts that
had been made. Where a phase ends follows from the decision, and from who is left: one bot of a duel, or
fewer than a table has seats, end it, for a closed season is a fixed field.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from arena.conduct.exclusion import Conduct, Limits, Ruling, disqualified
from arena.score.results import SessionResult
from arena.score.scoring import Scoring
from arena.score.verdicts import Look, NoLook
from arena.store.acts import Decision, claims_from, voids_from
from arena.store.scoring import Played, Scored, noted_stop, scoring_then
from arena.store.stored_season import StoredSeason, limits_of
from arena.store.views import Role, SeasonView
from arena.wording import listed


@dataclass(frozen=True, slots=True)
class Compared:
    """The bots compared after some cycles, by the sessions that counted then.

    `void`: those of these cycles that did not count.
    """

    scoring: Scoring
    results: Sequence[SessionResult]
    void: tuple[str, ...]
    look: Look | NoLook

    @property
    def settled(self) -> bool:
        """Return whether nothing is open any more."""
        return isinstance(self.look, Look) and self.look.settled

    @property
    def field(self) -> tuple[str, ...]:
        """Return who is in the field, house bots too and nobody who is out, in the order of the entries."""
        scoring = self.scoring
        away = scoring.disqualified | scoring.departed | scoring.stand_ins
        present = scoring.bots if scoring.present is None else scoring.present
        return tuple(bot for bot in scoring.bots if bot in present and bot not in away)


def stops_when_settled(stored: StoredSeason) -> bool:
    """Return whether the league file asks to stop as soon as the league is settled."""
    return noted_stop(stored.acts, stored.view.number) == "settled"


def compare(stored: StoredSeason, played: Played, cycles: int) -> Compared:
    """Compare the bots after the first `cycles` cycles, all of which are over."""
    scoring, results = scoring_then(stored.view, stored.acts, stored.decisions, played, cycles)
    void = sorted(key for key in voids_from(stored.acts, stored.view.number) if key[0] < cycles)
    text = tuple(f"{cycle}.{index}" for cycle, index in void)
    return Compared(scoring, results, text, scoring.deciding_look(results))


def decide(
    stored: StoredSeason, conduct: Conduct, cycles: int, effect: int, compared: Compared | None, at: int
) -> Decision:
    """Return what is decided after the first `cycles` cycles, which holds from the cycle `effect` on.

    `stored`: as it was known then, with the decisions before this one. `conduct`: knows every finished
    session, also later ones. `compared`: the bots after these cycles; None where the league does not stop
    when it is settled. `at`: the time. What the organiser rules on later cycles changes nothing of it.
    """
    excluded: Iterable[Ruling] = ()
    if limits_of(stored.view) is not None:
        excluded = conduct.decide(cycles, effect, stored.rulings)
    return Decision(
        cycles=cycles,
        effect=effect,
        excluded=tuple((ruling.bot, ruling.reason) for ruling in excluded),
        settled=compared is not None and compared.settled,
        field=() if compared is None else compared.field,
        sessions=0 if compared is None else len(compared.results),
        void=() if compared is None else compared.void,
        claims=() if compared is None else _claims(stored.decisions, compared, cycles),
        acts=len(stored.acts),
        at=at,
    )


def _claims(earlier: Sequence[Decision], compared: Compared, cycles: int) -> tuple[tuple[str, str, int], ...]:
    """Return the orders that are claimed after so many cycles, each with the cycles when it was first."""
    if not isinstance(compared.look, Look) or compared.scoring.gauntlet or not compared.look.final:
        return ()
    before = claims_from([one for one in earlier if one.cycles < cycles], compared.void)
    return tuple(sorted((*pair, before.get(pair, cycles)) for pair in compared.look.ahead))


def decision_in_force(stored: StoredSeason, end: int) -> Decision | None:
    """Return the decision by which the league was settled and ends after `end` cycles; None without one.

    It holds as long as nobody is in the field who was not there then: a bot that was reinstated since has to
    be compared. Later acts change scores only.
    """
    out = disqualified(stored.rulings)
    here = {entry.bot for entry in stored.view.entries if entry.role is not Role.STAND_IN} - out.keys()
    return next(
        (one for one in stored.decisions if one.settled and one.effect == end and here <= set(one.field)),
        None,
    )


def is_settled(stored: StoredSeason, stop: str, score: Callable[[], Scored]) -> bool:
    """Return whether a league whose file says when to `stop` is to do so because this season is settled.

    What was decided is stored, and nothing that is ruled later changes it. Where nothing is decided, or where
    the league was played on since, it is what counts now, which is asked of `score`.
    """
    if stop != "settled":
        return False
    phases = stored.view.phases
    if phases and decision_in_force(stored, phases[-1].cycles_planned) is not None:
        return True
    known = score()
    seen = known.scoring.deciding_look(known.results) if known.scoring.gauntlet else known.look
    return isinstance(seen, Look) and seen.settled


def conduct_of(season: SeasonView) -> Conduct:
    """Return what judges by the limits of a season how often bots are replaced, told of nothing yet."""
    return Conduct(limits_of(season) or Limits(1.0), season.matches_per_session)


# Too few bots


def why_broken_off(season: SeasonView, rulings: Iterable[Ruling]) -> str:
    """Return why no further cycle of a season is played, in words; empty if the season goes on.

    `rulings`: all of the season, in the order in which they were made. A reinstated bot can play on.
    """
    out = disqualified(rulings)
    if season.open:  # it waits for others
        return ""
    bots = [entry for entry in season.entries if entry.role is not Role.STAND_IN]
    gone = [entry.name for entry in bots if entry.bot in out]
    left = len(bots) - len(gone)
    if not gone:
        return ""
    told = f"{listed(gone)} {'is' if len(gone) == 1 else 'are'} excluded"
    if season.is_duel:
        return f"{told}, and a duel takes two"
    if season.plans_anew and left < season.seats:
        bots_left = "1 bot is" if left == 1 else f"{left or 'no'} bots are"
        return f"{told}, and {bots_left} left for {season.seats} seats"
    return ""


def too_few_from(season: SeasonView, rulings: Iterable[Ruling]) -> tuple[int, str] | None:
    """Return from which cycle on too few bots of a season are left, and why; None if it goes on.

    `rulings`: as in `why_broken_off`. Some of them may be on cycles that are still to come.
    """
    made = list(rulings)
    if not (why := why_broken_off(season, made)):
        return None
    cycles = sorted({ruling.from_cycle for ruling in made}, reverse=True)
    first = cycles[0]
    for cycle in cycles:
        if not why_broken_off(season, [ruling for ruling in made if ruling.from_cycle <= cycle]):
            break
        first = cycle
    return first, why


def why_cut_short(season: SeasonView, rulings: Iterable[Ruling], cycles: int) -> str:
    """Return what to tell when some of the `cycles` asked for are not played for want of bots.

    Empty if the season goes on, and if all of them were played before the bots left.
    """
    why = why_broken_off(season, rulings)
    last = season.phases[-1] if season.phases else None
    # A phase that ended early ends with the cycles that were played.
    if not why or (last is not None and last.ended_at is not None and last.cycles_planned >= cycles):
        return ""
    what = "duel" if season.is_duel else "season"
    return f"the {what} is over: {why}; arena reinstate lets a bot play again"
