"""The course of a league: it ends at the standings, its axes are true, and it can be read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import pytest

from reports.facts import LeagueFacts
from reports.pages.course import Course, course


def made(facts: LeagueFacts, own: str = "") -> Course:
    found = course(facts, facts.standings.rows, own)
    assert found is not None
    return found


def places(points: str) -> list[tuple[float, float]]:
    return [(float(x), float(y)) for x, y in (point.split(",") for point in points.split())]


def score_at(found: Course, pixels: float) -> float:
    """The score at a height of the drawing, by two ticks of its axis."""
    (a, b) = found.scores[0], found.scores[-1]
    share = (pixels - float(a.at)) / (float(b.at) - float(a.at))
    return float(a.label) + share * (float(b.label) - float(a.label))


def pixels(found: Course, y: float) -> float:
    return found.top + found.inner * y / 100


def test_before_the_first_match_there_is_none(facts: LeagueFacts) -> None:
    assert course(replace(facts, course=()), facts.standings.rows) is None


def test_the_course_ends_at_the_standings(facts: LeagueFacts) -> None:
    found = made(facts)
    assert (found.cycles, found.all_cycles) == ((1, 2, 3), 3)
    for line, row in zip(found.lines, facts.standings.rows, strict=True):
        assert row.score is not None
        assert row.half_width is not None
        outline = [y for x, y in places(line.band) if x == 100]
        assert abs(score_at(found, float(line.end)) - row.score) < 0.3
        assert abs(score_at(found, pixels(found, max(outline))) - row.score - row.half_width) < 0.3


def test_by_its_axes_every_line_is_where_its_scores_are(facts: LeagueFacts) -> None:
    found = made(facts)
    assert [tick.label for tick in found.times] == ["1", "2", "3"]
    assert len(found.scores) > 2
    assert abs(score_at(found, float(found.par)) - 250 / 3) < 0.3
    for line, bot in zip(found.lines, [row.bot for row in facts.standings.rows], strict=True):
        drawn = places(line.points)
        assert [x for x, _ in drawn] == [0, 50, 100]
        for (_, y), (_, standings) in zip(drawn, facts.course, strict=True):
            (score,) = (row.score for row in standings.rows if row.bot == bot)
            assert abs(score_at(found, pixels(found, y)) - (score or 0.0)) < 0.3
        assert abs(pixels(found, drawn[-1][1]) - float(line.end)) < 0.3, "the leader begins at the line's end"


def test_the_interval_is_that_of_the_first_or_of_whose_page_it_is(facts: LeagueFacts) -> None:
    assert [line.chosen for line in made(facts).lines] == [True, False, False, False, False]
    bots = [row.bot for row in facts.standings.rows]
    assert [line.chosen for line in made(facts, bots[3]).lines].index(True) == 3
    assert sum(line.chosen for line in made(facts, bots[3]).lines) == 1
    assert made(facts, "nobody").lines[0].chosen


def test_without_intervals_there_is_no_area(facts: LeagueFacts) -> None:
    bare = tuple(
        (cycles, replace(line, rows=tuple(replace(row, half_width=None) for row in line.rows)))
        for cycles, line in facts.course
    )
    found = made(replace(facts, course=bare))
    assert not found.about
    assert {line.band for line in found.lines} == {""}


@pytest.mark.parametrize("copies", [1, 8])
def test_names_beside_the_course_never_overlap_and_keep_the_order_of_the_ends(
    facts: LeagueFacts, copies: int
) -> None:
    rows: Sequence[object] = facts.standings.rows * copies
    found = course(facts, rows)  # type: ignore[arg-type]
    assert found is not None
    assert len(found.lines) == 5 * copies
    order = sorted(found.lines, key=lambda line: (float(line.end), float(line.name_at)))
    names = [float(line.name_at) for line in order]
    assert all(below - above > 19.8 for above, below in pairwise(names))
    assert names[0] >= found.top + 9.8
    assert names[-1] <= found.top + found.inner - 9.8
    assert len({line.look for line in found.lines}) == min(18, 5 * copies)
