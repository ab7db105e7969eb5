"""The course of a league: it ends at the standings, and can be read."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from reports.facts import LeagueFacts
from reports.pages.course import course


def test_before_the_first_match_there_is_none(facts: LeagueFacts) -> None:
    assert course(replace(facts, course=()), facts.standings.rows) is None


def test_the_course_ends_at_the_standings(facts: LeagueFacts) -> None:
    found = course(facts, facts.standings.rows)
    assert found is not None
    assert (found.cycles, found.all_cycles) == ((1, 2, 3), 3)
    assert [line.scores[-1] for line in found.lines] == [f"{row.score:.2f}" for row in facts.standings.rows]
    for line in found.lines:
        places = [tuple(map(float, point.split(","))) for point in line.points.split()]
        assert [x for x, _ in places] == [0, 50, 100]
        assert all(0 <= y <= 100 for _, y in places)
        assert (line.side == "below") == (places[-1][1] < float(found.par.rstrip("%")))


def test_names_beside_the_course_never_overlap(facts: LeagueFacts) -> None:
    found = course(facts, facts.standings.rows)
    assert found is not None
    ends = sorted(float(line.end.rstrip("%")) * found.height / 100 for line in found.lines)
    assert all(below - above > 19 for above, below in pairwise(ends))
    assert ends[0] >= 10
    assert ends[-1] <= found.height - 10
