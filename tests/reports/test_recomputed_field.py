"""What pages show of a bot beside the field, computed again from the exported tables, as anybody could."""

from __future__ import annotations

from collections import defaultdict
from math import ceil, sqrt
from pathlib import Path
from statistics import fmean, stdev

import pytest

from arena.export import Cell, Export, What, columns_of, table_rows
from arena.store.reader import Reader
from reports import Replays, ReportOptions, write_site
from tests.reports import played
from tests.reports.parsed import Element, parsed
from tests.reports.played import Bot, League

BOTS = (
    Bot("Duck", played.low),
    Bot("Low", played.low),
    Bot("Random"),
    Bot("Moody", fault_rate=0.002),
    Bot("Greedy", played.high),
)
pytestmark = pytest.mark.slow
# Student's t, as any statistics program has it: of 11 degrees of freedom at 1 - 0.05 / 16, of 8 at 97.5 %.
T11_OF_8, T8 = 3.370201, 2.306004
Row = dict[str, Cell]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[What, list[Row]]]:
    folder = tmp_path_factory.mktemp("recomputed")
    with played.play(folder / "league.db", League(bots=BOTS, cycles=3)) as database:
        write_site(database, folder / "site", ReportOptions(replays=Replays.NONE))
        season = Reader(database).current_season()
        assert season is not None
        tables = {}
        for what in (What.MATCHES, What.ROUNDS, What.PLAYS):
            wanted = Export(season, what, timing=True)
            names = [column.name for column in columns_of(what, True)]
            rows = table_rows(Reader(database), wanted)
            tables[what] = [dict(zip(names, row, strict=True)) for row in rows]
    return folder / "site", tables


def page(site: Path, name: str) -> Element:
    return parsed((site / name).read_text("utf-8"))


def table(site: Path, name: str, label: str) -> list[list[str]]:
    """The texts of the rows of the table in the part of a page that is called so."""
    (box,) = [e for e in page(site, name).all("div", "scroll") if e.attributes.get("aria-label") == label]
    return [[cell.text for cell in row] for row in box.one("table").rows()[1:]]


def number(text: str) -> float:
    return float(text.replace("−", "-").replace(",", "").rstrip(" %"))


def whole(row: Row, column: str) -> int:
    value = row[column]
    assert isinstance(value, int)
    return value


def test_the_points_of_a_bot_and_the_field(made: tuple[Path, dict[What, list[Row]]]) -> None:
    site, tables = made
    points: dict[str, list[int]] = defaultdict(list)
    for row in tables[What.ROUNDS]:
        points[str(row["bot"])].append(whole(row, "card_points"))
    means = {bot: fmean(own) for bot, own in points.items()}
    figures = {row[0]: row[1:] for row in table(site, "bots/moody.html", "Beside the field")}
    best = min(means, key=means.__getitem__)
    assert figures["Card points a round"] == [f"{means[bot]:.2f}" for bot in ("moody",)] + [
        f"{fmean(means.values()):.2f}",
        f"{means[best]:.2f}",
    ]
    classes = table(site, "bots/moody.html", "Rounds by card points")
    for step, (_, count, share, field, _) in enumerate(classes):
        inside = {bot: fmean(min(p // 25, 9) == step for p in own) for bot, own in points.items()}
        assert int(count.replace(",", "")) == sum(min(p // 25, 9) == step for p in points["moody"])
        assert share == f"{100 * inside['moody']:.1f} %"
        assert field == f"{100 * fmean(inside.values()):.1f} %"


def test_the_seats_of_a_bot(made: tuple[Path, dict[What, list[Row]]]) -> None:
    site, tables = made
    for label, by_dealer in (("By seat", False), ("By distance from the dealer", True)):
        own: dict[tuple[Cell, Cell], dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
        others: dict[tuple[Cell, Cell], dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
        for row in tables[What.ROUNDS]:
            seat = whole(row, "seat")
            place = (seat - whole(row, "round")) % 4 if by_dealer else seat
            into = own if row["bot"] == "moody" else others
            into[row["cycle"], row["index"]][place].append(whole(row, "card_points"))
        more: dict[int, list[float]] = defaultdict(list)
        for session, places in own.items():
            each = {at: fmean(made) - fmean(others[session][at]) for at, made in places.items()}
            for at in range(4):
                more[at].append(each[at] - fmean(each.values()))
        shown = table(site, "bots/moody.html", label)
        assert len(shown) == 4
        for at, (_, points, beside, _, said, _) in enumerate(shown):
            assert points == f"{fmean(p for places in own.values() for p in places[at]):.2f}"
            assert beside == f"{fmean(p for s in own for p in others[s][at]):.2f}"
            mean, _, error = said.partition(" ± ")
            assert len(more[at]) == 12
            assert abs(number(mean) - fmean(more[at])) < 0.0051
            assert number(error) == pytest.approx(T11_OF_8 * stdev(more[at]) / sqrt(12), abs=0.02)


def test_head_to_head(made: tuple[Path, dict[What, list[Row]]]) -> None:
    site, tables = made
    sessions: dict[tuple[Cell, Cell], dict[str, int]] = defaultdict(lambda: defaultdict(int))
    for row in tables[What.MATCHES]:
        total = whole(row, "card_points") + whole(row, "fault_points")
        sessions[row["cycle"], row["index"]][str(row["bot"])] += total
    heat = page(site, "index.html").one("table", "heat").rows()[1:]
    ids = [row[0].all("a")[0].attributes["href"][5:-5] for row in heat]
    for bot, row in zip(ids, heat, strict=True):
        for other, cell in zip(ids, row[1:], strict=True):
            if bot == other:
                assert cell.text == "·"
                continue
            gaps = [(own[bot] - own[other]) / 16 for own in sessions.values() if bot in own and other in own]
            mean, _, error = cell.text.partition("±")
            assert len(gaps) == 9
            assert abs(number(mean) - fmean(gaps)) <= 0.5
            assert int(error) == ceil(T8 * stdev(gaps) / 3)


def test_the_times_of_a_bot(made: tuple[Path, dict[What, list[Row]]]) -> None:
    site, tables = made
    took = sorted(
        whole(row, "time_us") for row in tables[What.PLAYS] if row["bot"] == "moody" and row["time_us"]
    )
    shown = table(site, "bots/moody.html", "Decisions by time")
    assert sum(int(row[1].replace(",", "")) for row in shown) == len(took)
    for name, count, *_ in shown:
        value, unit = name.removeprefix("up to ").split()
        edge = float(value) * (1_000_000 if unit == "s" else 1000)
        before = max((e for e in (100, 200, 500, 1000, 2000, 5000, 10**4, 2 * 10**4, 5 * 10**4, 10**5,
                                  2 * 10**5, 5 * 10**5) if e < edge), default=0)  # fmt: skip
        assert int(count.replace(",", "")) == sum(before < us <= edge for us in took)
