"""Every bot against every other: what the heat map says must be what the matches say."""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from math import ceil, sqrt
from statistics import stdev

from reports.facts import LeagueFacts
from reports.pages.heat_map import SHADES, HeatMap, heat_map
from reports.tally import Gap, Tallies


def made(facts: LeagueFacts) -> HeatMap:
    found = heat_map(facts, facts.standings.rows)
    assert found is not None
    return found


def test_head_to_head_is_counted_from_the_matches_and_has_two_sides(facts: LeagueFacts) -> None:
    found = made(facts)
    bots = [row.bot for row in facts.standings.rows]
    assert [row.path for row in found.rows] == [f"bots/{bot}.html" for bot in bots]
    assert found.pairs == 10
    for i, bot in enumerate(bots):
        for j, other in enumerate(bots):
            cell, back = found.rows[i].cells[j], found.rows[j].cells[i]
            if i == j:
                assert cell is None
                continue
            assert cell is not None
            assert back is not None
            sessions: dict[tuple[int, int], list[int]] = {}
            rounds = 0
            for match in facts.matches:
                own = {seat.bot: seat.total for seat in match.seats}
                if {bot, other} <= set(own):
                    sessions.setdefault(match.slot[:2], []).append(own[bot] - own[other])
                    rounds += match.rounds
            mean = sum(map(sum, sessions.values())) / rounds
            assert abs(float(cell.text.replace("−", "-")) - mean) <= 0.5
            each = [sum(gaps) / (rounds / len(sessions)) for gaps in sessions.values()]
            error = stdev(each) / sqrt(len(each))
            assert len(each) == 9, "8 degrees of freedom: Student's t is 2.306, and 3.833 for ten pairs"
            assert cell.error == str(ceil(2.306004 * error))
            assert cell.sure == (abs(mean) > 3.832519 * error)
            assert (cell.error, cell.sure, cell.tone[1:]) == (back.error, back.sure, back.tone[1:])
            assert {cell.tone[:1], back.tone[:1]} in ({"a", "b"}, {"z"})
    assert {cell.sure for row in found.rows for cell in row.cells if cell} == {True, False}


def test_shades_reach_as_far_as_the_differences(facts: LeagueFacts) -> None:
    pairs = list(facts.counts.gaps)  # before the copy: until then the last session is not counted
    for most in (3, 12, 47, 99, 230, 1200):
        counts = copy(facts.counts)
        counts._gaps = {pair: Gap(rounds=10, points=10 * most // 7) for pair in pairs}
        counts._gaps["duck", "greedy"] = Gap(rounds=10, points=-10 * most)
        found = made(replace(facts, counts=counts))
        ends = [float(shade.text.replace("−", "-").replace(",", "")) for shade in found.legend]
        assert len(ends) == 2 * SHADES
        assert ends == sorted(ends)
        assert ends[0] == -ends[-1]
        step = ends[-1] / SHADES
        assert most <= ends[-1]
        assert ends[-1] < 3 * most
        bots = [row.bot for row in facts.standings.rows]
        cell = found.rows[bots.index("duck")].cells[bots.index("greedy")]
        assert cell is not None
        assert cell.tone == f"b{ceil(most / step)}"


def test_before_the_first_match_nobody_has_met(facts: LeagueFacts) -> None:
    assert heat_map(replace(facts, counts=Tallies(3)), facts.standings.rows) is None
