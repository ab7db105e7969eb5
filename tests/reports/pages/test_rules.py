"""The page of the rules: true for every number of seats, and its example is played by the rules."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from arena.papayoo import hand_size, pass_count
from reports import website, write_site
from reports.pages.rules import Table, rules_page, rules_path
from reports.render import Assets, Page, Renderer, Site
from reports.translations import ENGLISH, LANGUAGES, Language
from tests.reports import played
from tests.reports.parsed import Element, parsed
from tests.reports.played import Bot, League

SEATS = range(3, 9)
RENDERER = Renderer(Site("A league", Assets.read()))
FACTS = {3: (60, 20, 5), 4: (60, 15, 5), 5: (60, 12, 4), 6: (60, 10, 3), 7: (56, 8, 3), 8: (56, 7, 3)}
"""Cards in play, cards each, cards passed, by the number of players, as the game's box says."""


def shown(table: Table, language: Language = ENGLISH) -> Element:
    """The page as a browser gets it."""
    data = rules_page(table, language)
    tag = "" if language is ENGLISH else language.tag
    page = Page(rules_path(language), "rules.html", data.title, "rules", data, lang=tag)
    return parsed(RENDERER.render(page).decode())


@pytest.mark.parametrize("seats", SEATS)
def test_the_numbers_are_those_of_the_table(seats: int) -> None:
    main = shown(Table(seats, 9)).one("main")
    terms = main.one("dl", "counts")
    numbers = tuple(int(said.text) for said in terms.all("dd"))
    assert numbers == (seats, *FACTS[seats], 9)
    assert [term.text for term in terms.all("dt")] == [
        "Players", "Cards in play", "Cards each", "Cards passed", "Rounds in a match",
    ]  # fmt: skip
    assert ("S1, H1, D1 and C1 are left out" in main.text) is (seats >= 7)
    assert ("All 60 cards are in play, the 1s too." in main.text) is (seats <= 6)
    assert f"Everybody chooses {pass_count(seats)} cards" in main.text
    assert f"Cards each: {hand_size(seats)}." in main.text
    assert "Rounds in a match: 9." in main.text


@pytest.mark.parametrize("seats", SEATS)
def test_the_round_on_the_page_keeps_to_the_rules(seats: int) -> None:
    """Read from the table alone, as a reader would check it."""
    main = shown(Table(seats, seats)).one("main")
    head, *rows, foot = main.one("table", "worked").rows()
    assert [cell.text for cell in head[2:-1]] == [str(seat) for seat in range(seats)]
    papayoo = _papayoo(main)
    tricks = [[cell.text for cell in row[2:-1]] for row in rows]
    assert len(tricks) == hand_size(seats)
    deck = [card for trick in tricks for card in trick]
    assert len(set(deck)) == len(deck) == FACTS[seats][0]
    assert ("S1" in deck) is (seats <= 6)
    points, leader = [0] * seats, 0
    for number, (row, trick) in enumerate(zip(rows, tricks, strict=True)):
        assert (row[0].text, row[1].text) == (str(number + 1), str(leader))
        led = trick[leader][0]
        for seat, card in enumerate(trick):
            later = [other[seat] for other in tricks[number:]]
            assert card[0] == led or led not in {one[0] for one in later}, "who can follow suit must"
        taker = max((seat for seat in range(seats) if trick[seat][0] == led), key=lambda s: int(trick[s][1:]))
        marked = [seat for seat in range(seats) if row[2 + seat].all("mark")]
        assert marked == [taker]
        worth = sum(40 if c == papayoo else int(c[1:]) if c[0] == "P" else 0 for c in trick)
        assert row[-1].text == str(worth)
        points[taker] += worth
        leader = taker
    assert [cell.text for cell in foot[1:]] == [*map(str, points), "250"]
    best = [seat for seat in range(seats) if points[seat] == min(points)]
    assert main.text.count(f"Seat {best[0]} has the fewest points in this round.") == len(best) == 1


def _papayoo(main: Element) -> str:
    die, papayoo = main.all("dl")[1].all("dd")[3:]
    assert papayoo.text == f"{die.text[0]}7"
    return papayoo.text


@pytest.mark.parametrize("seats", SEATS)
def test_the_dealer_plays_what_was_dealt_and_passed(seats: int) -> None:
    main = shown(Table(seats, seats)).one("main")
    dealt, passed, received = (
        {card.text for card in said.all("i")} for said in main.all("dl")[1].all("dd")[:3]
    )
    terms = [term.text for term in main.all("dl")[1].all("dt")[:3]]
    assert terms == ["Hand of seat 0", "Passed to seat 1", f"Received from seat {seats - 1}"]
    assert len(dealt) == hand_size(seats)
    assert len(passed) == len(received) == pass_count(seats)
    assert passed < dealt
    rows = main.one("table", "worked").rows()[1:-1]
    assert {row[2].text for row in rows} == dealt - passed | received


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: language.tag)
def test_every_language_shows_the_same_cards_and_numbers(language: Language) -> None:
    def told(tree: Element) -> tuple[list[str], list[str]]:
        main = tree.one("main")
        numbers = re.findall(r"\d+", " ".join(cell.text for cell in main.all("td") + main.all("dd")))
        return [card.text for card in main.all("i")], numbers

    for seats in (3, 8):
        tree = shown(Table(seats, 5), language)
        assert tree.one("html").attributes["lang"] == language.tag
        cards, numbers = told(tree)
        wanted, same = told(shown(Table(seats, 5)))
        assert (sorted(cards), numbers) == (sorted(wanted), same)
        assert "{" not in tree.text
        links = {a.attributes["hreflang"]: a for a in tree.one("main").one("ul", "languages").all("a")}
        assert list(links) == [one.tag for one in LANGUAGES]
        assert [tag for tag, a in links.items() if "aria-current" in a.attributes] == [language.tag]
        chrome = [tree.one("header"), tree.one("footer"), tree.one("a", "skip")]
        expected = None if language is ENGLISH else "en"
        assert {part.attributes.get("lang") for part in chrome} == {expected}
        up = "" if language is ENGLISH else "../"
        assert links["en"].attributes["href"] == f"{up}rules.html"
        assert links["ko"].attributes["href"] == f"{up}rules/ko.html"


LEAGUE = League(bots=tuple(Bot(f"Bot {n}") for n in range(7)), seats=7, rounds=14, matches=1)


@pytest.mark.slow
def test_all_pages_lead_to_the_rules_of_their_season(tmp_path: Path) -> None:
    played.play(tmp_path / "league.db", LEAGUE).close()
    later = replace(LEAGUE, seats=4, rounds=4, began=played.START + 86_400_000, why="four at a table")
    site = tmp_path / "site"
    with played.play(tmp_path / "league.db", later) as database:
        write_site(database, site)
    for folder, numbers in ((site / "season-1", "7 56 8 3 14"), (site, "4 60 15 5 4")):
        for language in LANGUAGES:
            tree = parsed((folder / rules_path(language)).read_text(encoding="utf-8"))
            assert " ".join(said.text for said in tree.one("dl", "counts").all("dd")) == numbers
    for path in site.rglob("*.html"):
        tree = parsed(path.read_text(encoding="utf-8"))
        season = site / "season-1" if "season-1" in path.parts else site
        for part in (tree.one("header"), tree.one("footer")):
            links = [path.parent / link.attributes["href"] for link in part.all("a")]
            assert (season / "rules.html").resolve() in [link.resolve() for link in links], path


def test_nothing_of_the_rules_is_made_again_while_a_season_is_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[Language] = []

    def counted(table: Table, language: Language, league: tuple[tuple[str, str], ...]) -> object:
        made.append(language)
        return rules_page(table, language, league)

    monkeypatch.setattr(website, "rules_page", counted)
    with played.play(tmp_path / "league.db", LEAGUE) as database:
        write_site(database, tmp_path / "site", incremental=True)
        assert made == list(LANGUAGES)
        assert all((tmp_path / "site" / rules_path(language)).is_file() for language in LANGUAGES)
        write_site(database, tmp_path / "site", incremental=True)
        assert len(made) == len(LANGUAGES)
        (tmp_path / "site" / "rules" / "ko.html").write_text("not ours")
        write_site(database, tmp_path / "site", incremental=True)
    assert [language.tag for language in made[len(LANGUAGES) :]] == ["ko"]
