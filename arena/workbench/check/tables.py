"""Steps: the bot passes, leads, follows, throws away, and is told of all events, at tables of every size.

Performs nothing itself: `stage` does.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from arena.workbench.check.game import Decision, Game, Played, Running, ask_next, finish
from arena.workbench.check.script import Evidence, Failed, Finding, Look, Restart, Script, Step
from arena.workbench.check.talk import Talk

__all__ = ["STEPS", "at_all_tables"]

STEPS = (
    Step("passes", "passes as many cards of its hand as are asked for"),
    Step("leads", "leads with a card of its hand"),
    Step("follows", "follows suit where it can"),
    Step("throws", "plays any other card where it cannot"),
    Step("tables", "plays whole matches at tables of 3 to 8, told of every event"),
)
_SIZES = range(3, 9)
_ROUNDS = 2
_SECONDS = 6.0
"""The seconds that a bot may use at one size of table; then the match is broken off without a failure."""
_EVENTS = frozenset({"passed", "received", "die", "played", "taken"})


class _AtTable:
    """The match at one size of table: the decisions, and what stopped it, if anything did."""

    def __init__(self, game: Game) -> None:
        self.running = Running(game)
        self.failed: Failed | None = None
        self.failed_at = "tables"
        self.stderr = ""

    @property
    def played(self) -> Played:
        return self.running.played


def at_all_tables(talk: Talk) -> Script[tuple[Finding, ...]]:
    """Play a match at each size; an illegal card is noted, and the match goes on."""
    tables: list[_AtTable] = []
    for players in _SIZES:
        # A seat that deals in one of the rounds, so that the bot is sure to lead.
        table = _AtTable(Game(players, players, players % 2, _ROUNDS))
        tables.append(table)
        try:
            yield from _play(talk, table)
        except Failed as failed:
            table.failed = failed
            if failed.ended and table.played.decisions:
                # Any message before may be the cause of the end, so no single kind of decision is blamed.
                table.failed_at = "tables"
        table.stderr = (yield Look()).stderr
        if not talk.asked:
            # A bot that answers nothing would answer nothing at every size.
            break
        if not table.played.over and players != _SIZES[-1]:
            talk.forget_news()
            yield Restart()
    talk.lenient = any(decision.illegal for table in tables for decision in table.played.decisions)
    return (*(_judged(step.name, tables) for step in STEPS[:-1]), _whole(tables))


def _play(talk: Talk, table: _AtTable) -> Script[None]:
    running, until = table.running, talk.spent + _SECONDS
    while not running.over and talk.spent < until:
        table.failed_at = "passes" if running.passing else "tables"
        yield from ask_next(talk, running)
    table.failed_at = "tables"
    yield from finish(talk, running)


def _kind(decision: Decision) -> str:
    """Return the name of the step that a decision belongs to."""
    message = decision.question.message
    if decision.question.is_pass:
        return "passes"
    if not message["trick"]:
        return "leads"
    led = message["trick"][0][0]
    return "follows" if any(card[0] == led for card in message["hand"]) else "throws"


def _judged(name: str, tables: Sequence[_AtTable]) -> Finding:
    """Return the finding about one kind of decision, over all tables."""
    count = 0
    illegal: list[tuple[int, Evidence]] = []
    sizes: set[int] = set()
    for table in tables:
        players = table.played.game.players
        decisions = [decision for decision in table.played.decisions if _kind(decision) == name]
        count += len(decisions)
        sizes |= {players} if decisions else set()
        found = [decision.illegal for decision in decisions if decision.illegal]
        if table.failed is not None and table.failed_at == name:
            found.append(table.failed.evidence)
        illegal += [(players, replace(evidence, stderr=table.stderr)) for evidence in found]
    if illegal:
        return _failing(illegal)
    if not count:
        return Finding.skipped("this did not happen in any match")
    return Finding.passed(f"{count} times, {_tables(sizes)}")


def _failing(found: Sequence[tuple[int, Evidence]]) -> Finding:
    """Return a failure with the first piece of evidence and the places of all of them."""
    players, evidence = found[0]
    where = f"{len(found)} times, {_tables({size for size, _ in found})}" if len(found) > 1 else ""
    where = where or _tables({players})
    return Finding.failed(replace(evidence, found=f"{evidence.found} ({where})"))


def _whole(tables: Sequence[_AtTable]) -> Finding:
    failed = [
        (table.played.game.players, replace(table.failed.evidence, stderr=table.stderr))
        for table in tables
        if table.failed is not None and table.failed_at == "tables"
    ]
    if failed:
        return _failing(failed)
    over = [table for table in tables if table.played.over]
    told = set().union(*(table.played.events for table in tables))
    decisions = sum(len(table.played.decisions) for table in tables)
    if len(over) == len(tables):
        assert {kind.partition(" by ")[0] for kind in told} == _EVENTS, "each happens in every round"
        return Finding.passed(
            f"{len(over)} matches, {decisions} decisions, events: {', '.join(sorted(told))}"
        )
    if any(table.failed for table in tables):
        return Finding.skipped("see the steps above")
    return Finding.passed(f"{decisions} decisions; it is slow, so not every match was played to its end")


def _tables(sizes: Iterable[int]) -> str:
    ordered = sorted(sizes)
    if len(ordered) == len(_SIZES):
        return "at all tables"
    return f"at tables of {', '.join(map(str, ordered))}"
