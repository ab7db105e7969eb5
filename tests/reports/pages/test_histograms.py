"""Where the numbers of a histogram stand: above what they count, and never on the dot of the best bot."""

from __future__ import annotations

from reports.facts import LeagueFacts
from reports.pages.field import Field
from reports.pages.histograms import Column, points_of

NUMBER = 20
"""Pixels that a number takes above what it stands on."""


def columns(facts: LeagueFacts) -> list[Column]:
    field = Field(facts)
    found = []
    for bot, own in facts.tallies.items():
        made = points_of(own, field, field.best(bot))
        assert made is not None
        found += [column for column in made.columns if column.count]
    return found


def test_a_number_stands_on_its_bar_or_the_line_of_the_field_unless_the_best_is_in_its_way(
    facts: LeagueFacts,
) -> None:
    kinds = set()
    for column in columns(facts):
        own = min(float(y) for y in (column.y, column.field_y) if y)
        best = float(column.best_y or 999)
        in_its_way = own - NUMBER < best < own
        assert float(column.top) == (best if in_its_way else own)
        kinds.add((in_its_way, best < own))
    assert kinds == {(True, True), (False, True), (False, False)}, "all that can be was there"
