"""Head to head, with its errors, computed again from the exported tables, as anybody could."""

from __future__ import annotations

from collections import defaultdict
from math import ceil
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
T8 = 2.306004  # Student's t, as any statistics program has it: of 8 degrees of freedom at 97.5 %
Row = dict[str, Cell]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[What, list[Row]]]:
    folder = tmp_path_factory.mktemp("recomputed")
    with played.play(folder / "league.db", League(bots=BOTS, cycles=3)) as database:
        write_site(database, folder / "site", ReportOptions(replays=Replays.NONE))
        season = Reader(database).current_season()
        assert season is not None
        tables = {}
        for what in (What.MATCHES,):
            wanted = Export(season, what, timing=True)
            names = [column.name for column in columns_of(what, True)]
            rows = table_rows(Reader(database), wanted)
            tables[what] = [dict(zip(names, row, strict=True)) for row in rows]
    return folder / "site", tables


def page(site: Path, name: str) -> Element:
    return parsed((site / name).read_text("utf-8"))


def number(text: str) -> float:
    return float(text.replace("−", "-").replace(",", "").rstrip(" %"))


def whole(row: Row, column: str) -> int:
    value = row[column]
    assert isinstance(value, int)
    return value


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
