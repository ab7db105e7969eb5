"""Every bot against every other: what the heat map says must be what the matches say."""

from __future__ import annotations

from dataclasses import replace

from reports.facts import LeagueFacts
from reports.pages.heat_map import heat_map


def test_head_to_head_is_counted_from_the_matches_and_has_two_sides(facts: LeagueFacts) -> None:
    found = heat_map(facts, facts.standings.rows)
    assert found is not None
    bots = [row.bot for row in facts.standings.rows]
    assert [row.path for row in found.rows] == [f"bots/{bot}.html" for bot in bots]
    for i, bot in enumerate(bots):
        for j, other in enumerate(bots):
            cell, back = found.rows[i].cells[j], found.rows[j].cells[i]
            if i == j:
                assert cell is None
                continue
            assert cell is not None
            assert back is not None
            tables = [
                ({seat.bot: seat.total for seat in match.seats}, match.rounds)
                for match in facts.matches
                if {bot, other} <= {seat.bot for seat in match.seats}
            ]
            mean = sum(own[bot] - own[other] for own, _ in tables) / sum(rounds for _, rounds in tables)
            assert abs(float(cell.text.replace("−", "-")) - mean) <= 0.5
            assert cell.tone[1:] == back.tone[1:]
            assert {cell.tone[:1], back.tone[:1]} in ({"a", "b"}, {"z"})


def test_who_never_met_has_an_empty_cell(facts: LeagueFacts) -> None:
    strangers = {bot: replace(tally, meetings=dict(tally.meetings)) for bot, tally in facts.tallies.items()}
    del strangers["duck"].meetings["greedy"]
    found = heat_map(replace(facts, tallies=strangers), facts.standings.rows)
    assert found is not None
    bots = [row.bot for row in facts.standings.rows]
    cell = found.rows[bots.index("duck")].cells[bots.index("greedy")]
    assert cell is not None
    assert (cell.text, cell.tone) == ("", "")


def test_before_the_first_match_nobody_has_met(facts: LeagueFacts) -> None:
    assert heat_map(replace(facts, tallies={}), facts.standings.rows) is None
