"""Where the points go: each table shares out all points, and what stands out beside the field really does."""

from __future__ import annotations

from dataclasses import replace

import pytest

from arena.match.record import MatchRecord
from arena.match.stand_in import STAND_IN
from arena.papayoo import cards_of, rank_of
from arena.reviews.decisions import replays_of
from arena.reviews.points import Group, PointsTable
from tests.reviews.played import ANY, HIGH, SOUND, Policy, playing, records

FOUR = {"a": SOUND, "b": SOUND, "c": HIGH, "d": ANY}
MATCHES = records(FOUR, 10)


def table_of(matches: list[MatchRecord], bot: str) -> PointsTable:
    table = PointsTable(bot)
    for record in matches:
        for replay in replays_of(record):
            assert list(replay.decisions([])) == []
            table.add(replay, (record.key, replay.number, 0, 0))
    return table


def by_name(table: PointsTable) -> dict[str, Group]:
    return {group.name: group for group in table.groups()}


@pytest.mark.parametrize("bot", FOUR)
def test_rows_share_out_all_points_or_all_rounds_of_the_bot_and_of_the_field(bot: str) -> None:
    table = table_of(MATCHES, bot)
    points = [seat.points for record in MATCHES for seat in record.seats if seat.bot == bot]
    total = table.total()
    assert (total.rounds, total.bot) == (160, pytest.approx(sum(points) / 160))
    assert total.field == pytest.approx((250 - total.bot) / 3), "all others held each of its hands once"
    assert total.difference is not None
    assert total.difference.value == pytest.approx(total.bot - total.field)
    for group in table.groups():
        rows = group.rows
        if group.shares_out:
            assert sum(row.bot for row in rows) == pytest.approx(total.bot)
            assert sum(row.field or 0 for row in rows) == pytest.approx(total.field)
        else:
            assert sum(row.rounds for row in rows) == 160
            assert sum(row.rounds * row.bot for row in rows) / 160 == pytest.approx(total.bot)
    assert [row.name for row in by_name(table)["tricks"].rows] == ["0 to 4", "5 to 9", "10 to 14"]
    assert len(by_name(table)["seat"].rows) == 4


def without_dealing(policy: Policy) -> Policy:
    """The policy, which leads its highest cards whenever it deals."""
    return playing(
        policy,
        lambda round_, dice, card: (
            max(cards_of(round_.legal()), key=rank_of) if round_.turn == round_.dealer else card
        ),
    )


def test_what_a_bot_does_worse_stands_out_and_nothing_of_equal_bots_does() -> None:
    odd = records({**FOUR, "a": without_dealing(SOUND)}, 16, seed=3)
    out = [row.name for group in table_of(odd, "a").groups() for row in group.rows if row.stands_out]
    assert "the dealer" in out
    alike = records(dict.fromkeys("abcd", SOUND), 16, seed=4)
    for bot in "abcd":
        assert not [row for group in table_of(alike, bot).groups() for row in group.rows if row.stands_out]


def test_without_others_at_these_hands_nothing_is_compared() -> None:
    alone = MATCHES[:1]
    table = table_of(alone, "a")
    assert (table.total().field, table.total().difference) == (None, None)
    assert all(row.field is None and not row.stands_out for group in table.groups() for row in group.rows)
    with pytest.raises(ValueError, match="no round of zed"):
        table_of(alone, "zed").total()


def test_the_stand_in_is_no_part_of_the_field() -> None:
    def replaced(record: MatchRecord) -> MatchRecord:
        seats = tuple(replace(seat, bot=STAND_IN if seat.bot == "d" else seat.bot) for seat in record.seats)
        return replace(record, seats=seats)

    total = table_of(list(map(replaced, MATCHES)), "a").total()
    others = [seat.points for record in MATCHES for seat in record.seats if seat.bot in {"b", "c"}]
    assert total.field == pytest.approx(sum(others) / 320)
