"""Where stories stand on the pages: what their links lead to, and what they say while cards are hidden."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from arena.store.reader import Reader
from reports import Publish, ReportOptions, match_story, plain_text, write_site
from tests.reports import played
from tests.reports.parsed import Element, parsed
from tests.reports.played import Bot, League

BOTS = (Bot("Low <b>", played.low), Bot("Moody", fault_rate=0.01), Bot("Random"), Bot("High", played.high))


def pages(folder: Path) -> dict[int, Element]:
    """The pages of matches by number."""
    found = (folder / "matches").glob("[0-9]*.html")
    return {int(path.stem): parsed(path.read_text("utf-8")) for path in found if path.stem.isdecimal()}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A league of four sessions, of which the last is being played: `shown`, `hidden` and `points.txt`."""
    tmp_path = tmp_path_factory.mktemp("stories")
    with played.play(tmp_path / "league.db", League(bots=BOTS, cycles=4, matches=14)) as database:
        write_site(database, tmp_path / "shown")
        write_site(database, tmp_path / "hidden", ReportOptions(publish=frozenset({Publish.FAULTS})))
        reader = Reader(database)
        (tmp_path / "points.txt").write_text(
            "\n".join(
                plain_text(
                    match_story(
                        [seat.name for seat in view.seats],
                        view.seats,
                        [round_.points for round_ in reader.record(1, view.number).rounds],
                    ).sentence
                )
                for view in reader.matches(1)
                if view.seats
            ),
            encoding="utf-8",
        )
    return tmp_path


def test_a_key_moment_leads_to_its_card(site: Path) -> None:
    led = 0
    for page in pages(site / "shown").values():
        ids = {element.attributes["id"]: element for element in page.walk() if "id" in element.attributes}
        for item in [item for ul in page.all("ul", "highlights") for item in ul.all("li")]:
            link = item.one("a")
            anchor = link.attributes["href"].removeprefix("#")
            where = re.fullmatch(r"r(\d+)(?:t(\d+)(?:c(\d+))?|p)?", anchor)
            assert where is not None
            assert link.text.startswith(f"Round {where[1]}")
            if where[2] is not None:
                assert link.text == f"Round {where[1]}, trick {where[2]}"
            if where[3] is None:
                continue
            led += 1
            card = ids[anchor]
            assert card.tag == "td"
            named = [face.text for face in item.all("i")]
            assert "Papayoo" in item.text or card.text.rstrip("*") in named or "led" in item.text
            assert bool(card.all("b")) is (re.search("Papayoo[ :’]", item.text) is not None)
    assert led > 10


def test_names_stand_apart_from_what_is_told(site: Path) -> None:
    names = {bot.name for bot in BOTS}
    for page in pages(site / "shown").values():
        story = page.one("p", "story")
        assert {name.text for name in story.all("bdi")} <= names
        assert not story.all("b")
        rest = "".join(child for child in story.children if isinstance(child, str))
        assert not any(name in rest for name in names)


def test_hidden_cards_leave_a_story_of_points_alone(site: Path) -> None:
    """Those that are not published, and those of a session that is still being played."""
    from_points = (site / "points.txt").read_text("utf-8").splitlines()
    shown, hidden = pages(site / "shown"), pages(site / "hidden")
    assert {number for number, page in shown.items() if not page.all("ul", "highlights")} == {13, 14}
    for number, page in (hidden | {number: shown[number] for number in (13, 14)}).items():
        assert not page.all("ul", "highlights")
        text = page.one("p", "story").text
        assert text == from_points[number - 1]
        assert not re.search("trick|Payoo|Papayoo", text.replace("from trick", ""))
