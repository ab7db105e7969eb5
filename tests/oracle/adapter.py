"""The one place where the oracle's tests meet the code of the day.

What goes in and comes out is plain data, as the files hold it (README.md). Whoever rebuilds what is called
here points the functions to what has taken its place, and leaves the data alone.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from types import SimpleNamespace
from typing import Any

from msgpack import unpackb

from arena.bot.answers import Inbox, Wrong
from arena.conduct.exclusion import Conduct, Limits, Ruling, Sitting
from arena.deals import Deals, MatchKey, PhaseDeals, phase_key, seeded_secret
from arena.match.faults import Fault, FaultKind, HandOver
from arena.match.game import Match, MatchResult, addressed
from arena.match.record import MatchSetup, RoundRecord, Terms
from arena.match.stand_in import STAND_IN, from_deals
from arena.papayoo import SUITS, names_of
from arena.papayoo.cards import CARD_NAMES
from arena.schedule import Field, OpenPlan, PhaseField, Plan, Schedule, catch_up_block, plan_decisions
from arena.score.counting import eligible, sessions_of_each
from arena.score.cut import Keep
from arena.score.cut import cut as cut_by
from arena.score.results import SessionResult
from arena.score.scoring import Scoring
from arena.score.table import Plan as ScoredPlan
from arena.score.table import Standing, Standings
from arena.score.verdicts import Look
from arena.season.decide import conduct_of, decide
from arena.store.acts import EXCLUDE, REINSTATE, Decision
from arena.store.history import Action
from arena.store.stored_season import StoredSeason
from arena.store.views import Role
from protocol.codec import encode
from protocol.messages import CardAnswer, CardsAnswer

Data = Mapping[str, Any]
Play = Callable[[str, Mapping[str, Any]], Any]
"""(bot, question) -> its answer: a message, a line, or None for a bot that ends."""


# Schedule


class Planned:
    """The schedule of a season, from its facts alone."""

    def __init__(self, season: Data) -> None:
        self._bots: list[str] = season["bots"]
        self.plan = _plan(season)

    def sessions(self, cycle: int) -> list[tuple[list[str], list[list[str]]]]:
        """Return the sessions of a cycle: the order, and who sits where in each match."""
        return [
            ([self._bots[bot] for bot in one.order], [[self._bots[bot] for bot in row] for row in one.rows])
            for one in self.plan.cycle(cycle)
        ]


def schedule(season: Data) -> Planned:
    """Return the schedule of a season: of its digest, its field, and who came and left."""
    return Planned(season)


def _plan(season: Data, phases: int | None = None) -> Schedule:
    bots: list[str] = season["bots"]
    if season["open"]:
        fields = (
            PhaseField(
                first_cycle=phase["first_cycle"],
                cycles=phase["end"] - phase["first_cycle"],
                entries=tuple(bots.index(bot) for bot in phase["field"]),
                owed=tuple((bots.index(bot), sessions) for bot, sessions in phase["owed"].items()),
            )
            for phase in season["phases"][:phases]
        )
        return OpenPlan(season["seats"], season["digest"], fields)
    roles: Mapping[str, str] = season["roles"]
    ranked = tuple(number for number, bot in enumerate(bots) if bot not in roles)
    field = [bot for bot in bots if roles.get(bot) != "stand-in"]
    candidates = ranked if season["line_ups"] == "gauntlet" else ()
    left = {int(cycle): {bots.index(bot) for bot in gone} for cycle, gone in season["departed"].items()}
    whole = Field(len(field), season["seats"], season["digest"], season["line_ups"], candidates)
    return Plan(whole, left)


def decision_cycles(first_cycle: int, end: int) -> list[tuple[int, int]]:
    """Return after which cycles of a phase decisions are made, each with the cycle from which they hold."""
    decisions = plan_decisions(first_cycle, end, sessions=8)
    return [(one, decisions.effect(one)) for one in decisions.ends]


def owed(season: Data, phase: int, results: Sequence[Data]) -> dict[str, int]:
    """Return what the entries of a phase of an open season owe when it begins, from what counts then."""
    bots: list[str] = season["bots"]
    field: list[str] = season["phases"][phase]["field"]
    counted = sessions_of_each(eligible(map(_result, results), field))
    known = {bots.index(bot): counted[bot] for bot in field if bot not in season["roles"]}
    plan = _plan(season, phase)
    assert isinstance(plan, OpenPlan)
    block = catch_up_block(plan, [bots.index(bot) for bot in field], season["balanced_cycles"], known)
    return {bots[number]: sessions for number, sessions in block}


# Deals


def secret_of(seed: str, phase: int, season: int) -> str:
    """Return the secret that follows from a seed."""
    return seeded_secret(seed, phase, season).hex()


def _deals(phase: Data, cycle: int, index: int) -> Deals:
    key = phase_key(bytes.fromhex(phase["secret"]), phase["draw"])
    return PhaseDeals(key).session(cycle, index)


def deal(season: Data, phase: Data, session: Sequence[int], matches: int) -> dict[str, Any]:
    """Return what is decided beforehand in a session: its boards, and of each match the suits and seeds."""
    deals, seats = _deals(phase, *session), season["seats"]
    boards = [deals.board(number, seats) for number in range(season["rounds"])]
    keys = [MatchKey(session[0], session[1], order) for order in range(matches)]
    return {
        "boards": [
            [*(" ".join(names_of(hand)) for hand in board.hands), SUITS[board.papayoo_suit]]
            for board in boards
        ],
        "suits": [deals.suits(key) for key in keys],
        "seeds": [[deals.bot_seed(key, seat) for seat in range(seats)] for key in keys],
    }


# A match


def play(
    season: Data, phase: Data, key: Sequence[int], seats: Sequence[str], answers: Play
) -> dict[str, Any]:
    """Play a match with bots in this process, and return it as the files hold it."""
    match, lines = _played(season, phase, key, seats, answers)
    return match_data(key, seats, match.result(), lines)


def _played(
    season: Data, phase: Data, key: Sequence[int], seats: Sequence[str], answers: Play
) -> tuple[Match, list[list[Mapping[str, Any]]]]:
    cycle, index, order = key
    deals, name = _deals(phase, cycle, index), MatchKey(cycle, index, order)
    setup = MatchSetup(
        tuple(deals.board(number, len(seats)) for number in range(season["rounds"])),
        deals.suits(name),
        tuple(deals.bot_seed(name, seat) for seat in range(len(seats))),
        Terms(**season["terms"]),
    )
    absent = [seat for seat, bot in enumerate(seats) if bot == STAND_IN]
    match = Match(setup, from_deals(deals, name), absent)
    lines: list[list[Mapping[str, Any]]] = [[] for _ in seats]
    match.begin()
    asked = 0
    while True:
        for seat, message in match.take_news():
            told = unpackb(addressed(message, 0).packed)
            # Bots were told names in one of these leagues, see README.md.
            if season["names"] and told["type"] == "start":
                told["names"] = [season["names"][bot] for bot in seats]
            lines[seat].append(told)
        if match.over:
            return match, lines
        seat = match.next_waiting
        asked += 1
        question = match.ask(seat)
        message = unpackb(question.packed_for(0, f"{asked:012x}"))
        lines[seat].append(message)
        wrong = _judged(match, seat, message, answers(seats[seat], message))
        if wrong is not None:
            match.fault(Fault(seat, wrong.kind, wrong.reason, question.round, question.number, wrong.sent))


def _judged(match: Match, seat: int, question: Mapping[str, Any], said: Any) -> Wrong | None:
    """Tell the match of an answer; return what is wrong with it."""
    if said is None:
        return Wrong(FaultKind.CRASHED, "it has ended")
    inbox = Inbox()
    inbox.expect(question["id"], CardAnswer if question["type"] == "play" else CardsAnswer)
    inbox.feed(said if isinstance(said, bytes) else encode(said))
    settled = inbox.take()
    assert settled is not None, "each line of these bots answers something"
    if isinstance(settled[1], Wrong):
        return settled[1]
    answer = settled[1]
    assert isinstance(answer, CardAnswer | CardsAnswer)
    cards = answer.cards
    refusal = match.answer(seat, cards, 0)
    return None if refusal is None else Wrong(FaultKind.ILLEGAL, refusal, " ".join(cards))


def match_data(
    key: Sequence[int],
    seats: Sequence[str],
    result: MatchResult,
    lines: Iterable[Iterable[Mapping[str, Any]]],
) -> dict[str, Any]:
    """Return a finished match as the files hold it. `lines`: what each seat was sent."""
    return {
        "match": list(key),
        "seats": list(seats),
        "rounds": [_round(one) for one in result.rounds],
        "points": [seat.points for seat in result.seats],
        "charges": [seat.charge for seat in result.seats],
        "places": [seat.place for seat in result.seats],
        "faults": [
            # A message that is no answer holds an id, which is another one each time.
            [fault.seat, fault.kind.value, fault.round, fault.question]
            + ([fault.sent] if fault.kind is FaultKind.ILLEGAL else [])
            for fault in result.faults
        ],
        "handed_over": [
            None if seat.hand_over is None else [seat.hand_over.value, *(seat.hand_over_at or ())]
            for seat in result.seats
        ],
        "lines": [lines_digest(of_seat) for of_seat in lines],
    }


def _round(one: RoundRecord) -> dict[str, Any]:
    return {
        "passes": [" ".join(names_of(cards)) for cards in one.passes],
        "plays": " ".join(CARD_NAMES[card] for card in one.plays),
        "points": list(one.points),
        "stand_in": list(one.stand_in),
    }


def lines_digest(messages: Iterable[Mapping[str, Any]]) -> str:
    """Return a digest of the messages to a seat, without what is the sender's: ids and tables."""
    told = sha256()
    for message in messages:
        plain = {key: value for key, value in message.items() if key not in ("id", "table")}
        told.update(json.dumps(plain, ensure_ascii=False, separators=(",", ":")).encode() + b"\n")
    return told.hexdigest()[:16]


# Score


def _result(session: Data) -> SessionResult:
    points: Mapping[str, Sequence[int]] = session["points"]
    return SessionResult(
        *session["session"],
        session["rounds"],
        {bot: cards for bot, (cards, *_) in points.items()},
        {bot: faults for bot, (_, faults, *_) in points.items() if faults},
        {bot: rest[0] for bot, (_, _, *rest) in points.items() if rest},
    )


def _scoring(season: Data, moment: Data) -> Scoring:
    """Return how a season is scored at a moment: after so many cycles, with these bots out or present."""
    roles: Mapping[str, str] = season["roles"]
    sizes = season["sessions_in"][: moment["cycles"]]
    out, present = moment["out"], moment["present"]
    gauntlet = season["line_ups"] == "gauntlet"
    return Scoring(
        bots=tuple(bot for bot in season["bots"] if bot in moment["ever"]),
        seats=season["seats"],
        house=frozenset(bot for bot, role in roles.items() if role == "house"),
        stand_ins=frozenset(bot for bot, role in roles.items() if role == "stand-in"),
        disqualified=frozenset(out),
        departed=frozenset() if gauntlet else frozenset(out),
        plan=ScoredPlan(
            max(sizes),
            len(sizes),
            frozenset((cycle, index) for cycle, index in moment["void"]),
            dict(enumerate(sizes)),
        ),
        margin=season["margin"],
        gauntlet=gauntlet,
        present=None if present is None else frozenset(present),
    )


def score(season: Data, moment: Data, results: Iterable[Data]) -> dict[str, Any]:
    """Return standings and verdicts at a moment, from the sessions that count then."""
    scoring, known = _scoring(season, moment), [_result(one) for one in results]
    found = scoring.standings(known)
    seen = scoring.look(known)
    ahead = sorted(map(list, seen.ahead)) if isinstance(seen, Look) else []
    return {"standings": _standings(found), "ahead": ahead}


def _standings(found: Standings) -> dict[str, Any]:
    return {
        "par": found.par,
        "comparable": found.comparable,
        "rows": [_row(row) for row in found.rows],
        "house": [_row(row) for row in found.house],
        "retired": [_row(row) for row in found.retired],
    }


def _row(row: Standing) -> dict[str, Any]:
    return {
        "bot": row.bot,
        "rank": row.rank,
        "score": row.score,
        "fap": row.fap,
        "charge": row.charge,
        "standard_error": row.standard_error,
        "sessions": row.sessions,
        "rounds": row.rounds,
    }


# Decisions


def exclusions(
    season: Data, cycles: int, effect: int, sittings: Iterable[Data], rulings: Iterable[Data]
) -> list[str]:
    """Return whom the limits exclude after the first `cycles` cycles, from the cycle `effect` on.

    `sittings`: the matches, each with who sat there and who was replaced. `rulings`: those made before.
    """
    # These leagues were recorded with one bar for all, see README.md.
    bars = dict.fromkeys(season["bots"], 100)
    limits = Limits(season["disqualify_share"], bars)
    conduct = Conduct(limits, season["matches_per_session"])
    conduct.add(_sittings(sittings))
    made = [
        Ruling(one["bot"], one["out"], one["from"], by_organiser=one["by"] == "organiser", after=one["after"])
        for one in rulings
    ]
    return [ruling.bot for ruling in conduct.decide(cycles, effect, made)]


def decisions(
    season: Data, sittings: Iterable[Data], settled: Mapping[int, bool]
) -> Iterator[dict[str, Any]]:
    """Yield each decision of a season, as `decide_again` of `tests.oracle.decisions` does."""
    roles = {"house": Role.HOUSE, "stand-in": Role.STAND_IN}
    faults = {"disqualify_share": season["disqualify_share"]}
    view: Any = SimpleNamespace(
        number=season["number"],
        open=season["open"],
        matches_per_session=season["matches_per_session"],
        section=lambda name: faults if name == "faults" else {},
        entries=[
            SimpleNamespace(
                bot=bot, number=number, role=roles.get(season["roles"].get(bot, ""), Role.ENTRANT)
            )
            for number, bot in enumerate(season["bots"])
        ],
    )
    conduct = conduct_of(view)
    conduct.add(_sittings(sittings))
    acts = [
        Action(0, "ann", EXCLUDE if one["out"] else REINSTATE, one["bot"], "", _detail(season, one))
        for one in season["rulings"]
        if one["by"] == "organiser"
    ]
    made: list[Decision] = []
    for phase in season["phases"]:
        sessions = len(phase["field"]) if season["open"] else season["sessions_in"][0]
        cycles = plan_decisions(phase["first_cycle"], phase["planned"], sessions, season["open"])
        for end in (end for end in cycles.ends if end <= phase["end"]):
            seen: Any = SimpleNamespace(
                settled=settled.get(end, False), field=(), results=(), void=(), look=None
            )
            known = StoredSeason(view, acts, made)
            made.append(decide(known, conduct, end, cycles.effect(end), seen, 0))
            yield {
                "cycles": made[-1].cycles,
                "effect": made[-1].effect,
                "excluded": [bot for bot, _ in made[-1].excluded],
                "settled": made[-1].settled,
            }


def _detail(season: Data, ruling: Data) -> str:
    return json.dumps({"season": season["number"], "from_cycle": ruling["from"]})


def _sittings(matches: Iterable[Data]) -> Iterator[Sitting]:
    for match in matches:
        for bot in sorted({*match["seats"]}):
            lost = HandOver(match["lost"][bot]) if bot in match["lost"] else None
            yield Sitting(bot, *match["match"], lost)


def cut(season: Data, moment: Data, results: Iterable[Data], rule: Data) -> dict[str, Any]:
    """Return who goes on after a stage, best first, and who does not."""
    keep = Keep(rule["keep"], rule["cuts"])
    made = cut_by(_scoring(season, moment), [_result(one) for one in results], keep)
    return {"going_on": list(made.going_on), "leaving": list(made.leaving)}
