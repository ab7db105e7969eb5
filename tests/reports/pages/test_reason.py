"""Why a bot leads: the same figures as counted from the matches, and silence where nobody leads alone."""

from __future__ import annotations

from dataclasses import replace
from statistics import fmean

from reports.facts import LeagueFacts
from reports.pages.leaderboard import reason


def test_the_leader_beside_the_field(facts: LeagueFacts) -> None:
    found = reason(facts)
    assert found is not None
    first = facts.standings.rows[0].bot
    assert found.name == facts.entry(first).name
    assert found.path == f"bots/{first}.html"
    tallies = {row.bot: facts.tallies[row.bot] for row in facts.standings.rows}
    took = {bot: 100 * own.papayoos / own.rounds for bot, own in tallies.items()}
    few = {bot: 100 * own.cheap / own.rounds for bot, own in tallies.items()}
    assert f"took the Papayoo, the card of 40 points, in {took[first]:.0f} %" in found.said
    assert f"fewer than 25 points in {few[first]:.0f} %;" in found.said
    assert (
        f"took it in {fmean(took.values()):.0f} % and fewer than 25 points in {fmean(few.values()):.0f} %."
        in found.said
    )
    # At three seats somebody takes the Papayoo in each round, and the five bots play equally many.
    assert round(fmean(took.values())) == 33


def test_nobody_leads_alone(facts: LeagueFacts) -> None:
    table = facts.standings
    level = tuple(replace(row, rank=1) for row in table.rows)
    assert reason(replace(facts, standings=replace(table, rows=level))) is None
    alone = tuple(replace(row, rank=None if row.rank != 1 else 1) for row in table.rows)
    assert reason(replace(facts, standings=replace(table, rows=alone))) is None
