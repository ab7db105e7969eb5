"""Every number of the pages is what plain sums over the export give; see `recomputed`."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from arena.store.database import Database
from reports import write_site
from tests.reports import played
from tests.reports.browsing import log, shown_match
from tests.reports.parsed import Element, parsed
from tests.reports.played import Bot, League
from tests.reports.recomputed import Data, agrees, column, exported, quantile, spent, table_of, total, value
from tests.reports.replayed import read_rounds, replay
from tests.shared import once

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

pytestmark = pytest.mark.slow

EIGHT = tuple(Bot(f"Bot {number}", fault_rate=0.02) for number in range(8))
LEAGUES = {
    "complete": League(cycles=2),
    "in the middle": League(cycles=3, matches=42),  # two matches of a session that is not over
    "three seats": League(seats=3, rounds=3),
    "eight seats": League(bots=EIGHT, seats=8, rounds=8, matches=8),
}
Page = Callable[[str], Element]


@pytest.fixture(scope="module", params=LEAGUES)
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    def make(folder: Path) -> None:
        with played.play(folder / "league.db", LEAGUES[request.param]) as database:
            write_site(database, folder / "site")

    return once(tmp_path_factory, f"recomputed {request.param}", make)


@pytest.fixture(scope="module")
def data(folder: Path) -> Data:
    with Database.open(folder / "league.db", read_only=True) as database:
        return exported(database)


@pytest.fixture(scope="module")
def page(folder: Path) -> Page:
    return lambda name: parsed((folder / "site" / f"{name}.html").read_text(encoding="utf-8"))


def agree(texts: list[str], numbers: list[float]) -> None:
    """Each text is its number."""
    wrong = [pair for pair in zip(texts, numbers, strict=True) if not agrees(*pair)]
    assert wrong == []


def test_the_points_are_those_of_the_cards(data: Data) -> None:
    points, papayoo = data.taken()
    shown = {row["match"] for row in data.plays}
    rounds = [row for row in data.rounds if row["match"] in shown]
    assert rounds
    assert all(points[row["match"], row["round"], row["seat"]] == row["card_points"] for row in rounds)
    assert len(papayoo) == len({(row["match"], row["round"]) for row in rounds})


def test_the_pages_of_matches(data: Data, browser: Chrome, folder: Path) -> None:
    for number in data.numbers()[::12]:  # a browser takes its time
        match, seats = shown_match(browser, folder / "site/matches", number), data.match(number)
        result = table_of(match, "Seat", "Place", "Total")
        for word, key in (
            ("Place", "place"),
            ("Card points", "card_points"),
            ("Fault points", "fault_points"),
        ):
            agree(column(result, word), [row[key] for row in seats])
        agree(column(result, "Total"), [total(row) for row in seats])
        for word, key in (("Time a decision", "time_total_us"), ("Longest", "time_max_us")):
            divided = [
                row[key] / (row["decisions"] if "total" in key else 1) for row in seats if row["decisions"]
            ]
            agree([text for text in column(result, word) if text != "–"], divided)
        _check_rounds(data, match, number)
        _check_others(data, match, number)
    assert log(browser, "browser") == []


def _check_rounds(data: Data, match: Element, number: int) -> None:
    points, seats = data.points(number), data.match(number)
    grid = match.one("table", "grid")
    lines = [[cell.text for cell in cells[1:]] for cells in grid.rows()[1:]]
    expected = [[points[round_, seat["seat"]] for seat in seats] for round_ in range(seats[0]["rounds"])]
    for texts, numbers in zip(lines, [*expected, [row["card_points"] for row in seats]], strict=True):
        agree(texts, numbers)
    rounds = read_rounds(match)
    assert [replay(one) for one in rounds] == (expected if rounds else [])
    tricks = [(t.points, -r, -n) for r, one in enumerate(rounds) for n, t in enumerate(one.tricks)]
    links = [(-r, -n, points) for points, r, n in sorted(tricks, reverse=True)[:3]]
    found = re.findall(r"round (\d+), trick (\d+) \((\d+) to ", match.one("p", "tricky").text)
    assert [tuple(map(int, one)) for one in found] == links, "the costliest tricks"
    letters = dict(zip("SHDCP", f"{seats[0]['suits']}P", strict=True))
    for round_, one in enumerate(rounds):
        plays = [r for r in data.plays if (r["match"], r["round"]) == (number, round_) and r["question"]]
        for trick, shown in enumerate(one.tricks, 1):
            cards = {r["seat"]: r["cards"] for r in plays if r["question"] == trick}
            assert shown.cards == [letters[card[0]] + card[1:] for _, card in sorted(cards.items())]


def _check_others(data: Data, match: Element, number: int) -> None:
    own, compared = data.points(number), 0
    for part in match.one("table", "others").all("tbody"):
        rows = part.rows()
        points = data.points(int(rows[0][0].text.split()[-1]))
        for round_, cells in enumerate(rows[1:]):
            for seat, cell in enumerate(cells[1:]):
                value, difference = cell.text.split()
                there = points[round_, seat]
                agree([value, difference], [there, there - own[round_, seat]])
                compared += 1
    assert bool(compared) is bool(read_rounds(match))


def test_the_lists_of_matches(data: Data, page: Page) -> None:
    everything = table_of(page("matches/index"), "Match", "Margin", "Result")
    faults = {n: sum(row["faults"] for row in data.match(n)) for n in data.numbers()}
    closest = sorted(data.counting(), key=lambda n: (data.margin(n), n))
    lists = {"index": data.numbers(), "closest": closest, "faults": [n for n in faults if faults[n]]}
    for name, numbers in lists.items():
        table = table_of(page(f"matches/{name}"), "Match", "Margin", "Result")
        listed = [int(text) for text in column(table, "Match")]
        assert sorted(listed) == sorted(numbers)
        assert name != "closest" or [data.margin(n) for n in listed] == [data.margin(n) for n in numbers]
        agree(column(table, "Margin"), [data.margin(n) for n in listed])
    for number, text in zip(data.numbers(), column(everything, "Result"), strict=True):
        ordered = sorted(data.match(number), key=lambda row: (row["place"], row["seat"]))
        expected = "".join(f"{data.name(row['bot'])} {total(row)}" for row in ordered)
        assert text.startswith(expected), text
        assert (f"{faults[number]} fault" in text) is bool(faults[number])


def test_the_standings_and_where_the_points_come_from(data: Data, page: Page) -> None:
    board = page("index")
    table = table_of(board, "#", "Bot", "Score")
    agree(column(table, "Score"), [row["score"] for row in data.standings])
    widths = [
        small.text.partition("± ")[2] for cell in table.all("td", "score") for small in cell.all("small")
    ]
    agree(widths, [row["half_width"] for row in data.standings if row["half_width"]])
    _check_where_points_come_from(data, board)


def _check_where_points_come_from(data: Data, page: Element) -> None:
    bots = [row["bot"] for row in data.standings]
    come = table_of(page, "Bot", "Card points", "Places", "p95")
    for word, key in (("Card points", "card_points"), ("Fault points", "fault_points"), ("Rounds", "rounds")):
        agree(column(come, word), [row[key] for row in data.standings])
    own = {bot: [row for row in data.matches if row["bot"] == bot] for bot in bots}
    agree(column(come, "Matches"), [len(own[bot]) for bot in bots])
    agree(column(come, "Faults"), [sum(row["faults"] for row in own[bot]) for bot in bots])
    agree(column(come, "Longest"), [max(row["time_max_us"] for row in own[bot]) for bot in bots])
    mean = [sum(r["time_total_us"] for r in own[b]) / sum(r["decisions"] for r in own[b]) for b in bots]
    agree(column(come, "Mean time"), mean)
    for bot, text in zip(bots, column(come, "Places"), strict=True):
        places = [row["place"] for row in own[bot] if row["state"] == "complete"]
        shares = [100 * places.count(place) / len(places) for place in range(1, len(text.split()) + 1)]
        agree(text.split(), shares)


def test_bots_against_each_other(data: Data, page: Page) -> None:
    bots = [row["bot"] for row in data.standings]
    heat = page("index").one("table", "heat")
    for bot, cells in zip(bots, heat.rows()[1:], strict=True):
        for other, cell in zip(bots, cells[1:], strict=True):
            assert bot == other or agrees(cell.text, data.together(bot, other)), (bot, other, cell.text)
    for bot in bots:
        others = [other for other in bots if other != bot]
        table = table_of(page(f"bots/{bot}"), "Opponent", "Difference", "Matches")
        score = {row["bot"]: row["score"] for row in data.standings}
        agree(column(table, "Difference"), [score[bot] - score[other] for other in others])
        met = [data.meetings(bot, other) for other in others]
        agree(column(table, "Matches"), [len(pairs) for pairs in met])
        agree(column(table, "At one table"), [data.together(bot, other) for other in others])
        ahead = [sum(total(a) < total(b) for a, b in pairs) / len(pairs) for pairs in met]
        agree(column(table, "Ahead"), ahead)


def test_the_points_of_a_bot(data: Data, page: Page) -> None:
    _, papayoo = data.taken()
    for bot in (row["bot"] for row in data.standings):
        shown, rows = page(f"bots/{bot}"), data.counted(bot)
        matches = [row for row in data.matches if row["bot"] == bot and row["state"] == "complete"]
        said = shown.one("main").text
        assert f"{len(rows):,} rounds in {len(matches)} matches" in said
        took = sum(papayoo[row["match"], row["round"]] == row["seat"] for row in rows) / len(rows)
        figures = table_of(shown, "Figure", "This bot", "Field")
        own = dict(zip(column(figures, "Figure"), column(figures, "This bot"), strict=True))
        (share,) = (text for name, text in own.items() if "Papayoo" in name)
        assert agrees(share, took)
        faults = sum(row["faults"] for row in data.matches if row["bot"] == bot)
        assert (f"{faults:,} fault" in said) is bool(faults)
        places = table_of(shown, "Place", "Matches", "Share")
        counts = [sum(row["place"] == place for row in matches) for place in range(1, len(data.match(1)) + 1)]
        agree(column(places, "Matches"), counts)
        agree(column(places, "Share"), [count / len(matches) for count in counts])


def test_the_times_of_a_bot(data: Data, page: Page) -> None:
    come = table_of(page("index"), "Bot", "Card points", "Places", "p95")
    for line, bot in enumerate(row["bot"] for row in data.standings):
        rows = [row for row in data.matches if row["bot"] == bot]
        table = table_of(page(f"bots/{bot}"), "Phase", "Decisions", "50 %")
        own = [at for at, phase in enumerate(column(table, "Phase")) if phase in ("Pass", "Play")]

        def cells(word: str, table: Element = table, own: list[int] = own) -> list[str]:
            texts = column(table, word)
            return [texts[at] for at in own]

        agree([max(cells("Longest"), key=value)], [max(row["time_max_us"] for row in rows)])
        counts = [int(text.replace(",", "")) for text in cells("Decisions")]
        assert sum(counts) == sum(row["decisions"] for row in rows)
        if any(row["state"] != "complete" for row in rows):
            continue  # the export has no decisions of a session that is not over
        passes, plays = (
            [row for row in data.plays if bool(row["question"]) is play] for play in (False, True)
        )
        times = [spent(part, bot) for part in (passes, plays)]
        agree(cells("Decisions"), [len(one) for one in times])
        for word, share in (("50 %", 0.5), ("95 %", 0.95), ("99 %", 0.99), ("99.9 %", 0.999)):
            agree(cells(word), [quantile(one, share) for one in times])
        agree(cells("Longest"), [max(one) for one in times])
        agree([column(come, "p95")[line]], [quantile([*times[0], *times[1]], 0.95)])
