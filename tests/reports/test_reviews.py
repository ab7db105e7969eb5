"""Reviews on the pages: what a bot's page and match pages show of them, and what they keep to themselves."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from arena.match.relabel import Relabelling
from arena.papayoo import cards_of
from arena.review.reviewed import Reviewed
from arena.review.summary import BotReview
from arena.store import read, write
from arena.store.database import Database
from arena.store.views import StoredChoice
from reports import Publish, ReportOptions, ReviewSheet, write_review_page, write_site
from tests.cli.leagues import change
from tests.reports import played
from tests.reports.parsed import Element, parsed
from tests.reports.played import League
from tests.reports.reviewed import AT, BOT, store_all
from tests.review.samples import save, save_whole, saved

pytestmark = pytest.mark.usefixtures("few_languages")

LEAGUE = League(seats=4, cycles=1, matches=14, seed="t")
"""Three sessions, and two matches of a fourth, whose cards are still secret."""

LIMIT = 15_000
"""The bytes that a full review may add to the page of a bot."""

A_CARD = re.compile(r"[SHDC](?:10|[1-9])|P(?:20|1[0-9]|[1-9])")


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    with played.play(tmp_path_factory.mktemp("reviews") / "league.db", LEAGUE) as database:
        yield database


@pytest.fixture(scope="module")
def plain(database: Database, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pages before any review."""
    return write_site(database, tmp_path_factory.mktemp("plain")).index.parent


@pytest.fixture(scope="module")
def review(database: Database, plain: Path) -> BotReview:
    assert plain.exists(), "the pages without a review are written first"
    return store_all(database)


@pytest.fixture(scope="module")
def site(database: Database, review: BotReview, tmp_path_factory: pytest.TempPathFactory) -> Path:
    assert review.costliest
    return write_site(database, tmp_path_factory.mktemp("site")).index.parent


@cache
def page(site: Path, name: str) -> Element:
    return parsed((site / name).read_text(encoding="utf-8"))


def section(site: Path) -> Element:
    return page(site, f"bots/{BOT}.html").one("section", "review")


def contents(folder: Path) -> dict[str, bytes]:
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def test_a_full_review_takes_at_most_15_kb(plain: Path, site: Path) -> None:
    before, after = ((folder / f"bots/{BOT}.html").stat().st_size for folder in (plain, site))
    assert 8_000 < after - before < LIMIT


def test_findings_come_in_words_with_links_to_their_cards(
    site: Path, review: BotReview, database: Database
) -> None:
    findings = section(site).all("ol", "claims")[0].all("li")
    assert len(findings) == 6
    decisions = {one.place: one for one in saved(database)}
    for item, finding in zip(findings, review.findings, strict=False):
        assert finding.words.lower() in item.text.lower()
        assert f"{finding.a_round:.1f} points a round" in item.text
        for link, place in zip(item.all("a"), finding.examples, strict=True):
            assert shown_at(site, link) == named(database, decisions[place], "chosen")
    assert "more, which cost less, are shown by arena review" in section(site).text


def shown_at(site: Path, link: Element) -> set[str]:
    """The card at the place of a match page that a link leads to, or the cards passed there."""
    found = re.fullmatch(r"\.\./(matches/\d+\.html)#r(\d)(?:p|t(\d+)c(\d))", link.attributes["href"])
    assert found is not None, link.attributes
    round_ = page(site, found[1]).all("section", "round")[int(found[2])]
    assert found[3], "examples of passes are not among these"
    row = round_.one("table", "tricks").one("tbody").rows()[int(found[3])]
    leader, seats = int(row[1].text), len(row) - 5
    return {row[2 + (leader + int(found[4])) % seats].text}


def named(database: Database, decision: Reviewed, which: str) -> set[str]:
    """What was chosen, or was best, as the bots of the match called it."""
    key = (decision.match.cycle, decision.match.index, decision.match.order)
    names = Relabelling.of(suits(database)[key]).card_names
    return {names[card] for card in cards_of(getattr(decision, which))}


@cache
def suits(database: Database) -> dict[tuple[int, int, int], str]:
    """How the suits are called in each match."""
    return {match.slot: match.suits for match in read.each_match(database, 1)}


def test_the_costliest_decisions_name_cards_as_their_match_does(
    site: Path, review: BotReview, database: Database
) -> None:
    items = section(site).one("ol", "moments").all("li")
    assert len(items) == len(review.costliest) == 10
    for item, moment in zip(items, review.costliest, strict=True):
        decision, (chosen, *_) = moment.decision, item.all("p")
        assert f"{decision.cost:.1f} ± {decision.error:.1f} points" in item.text
        assert "as the cards lay, it " in item.text
        said, better = chosen.text.split(", better ")
        assert set(A_CARD.findall(said.removeprefix("Chose "))) == named(database, decision, "chosen")
        assert set(A_CARD.findall(better)) == named(database, decision, "best")
        hand, *table = item.one("small").text.split("on the table")
        assert len(A_CARD.findall(hand.removeprefix("Hand"))) == moment.hand.bit_count()
        assert len(A_CARD.findall("".join(table))) == len(moment.table)
        if decision.question:
            assert shown_at(site, item.one("a")) == named(database, decision, "chosen")
        else:
            assert item.one("a").attributes["href"].endswith(f"#r{decision.round}p")


def test_the_parts_of_luck_and_skill_add_up_as_they_are_written(site: Path) -> None:
    rows = section(site).one("table", "luck").one("tbody").rows()
    values = [float(cells[1].text.partition(" ±")[0].replace("−", "-")) for cells in rows]
    assert [cells[0].text for cells in rows][:2] == ["Deal", "Die"]
    assert sum(values[:-1]) == pytest.approx(values[-1], abs=1e-9)
    assert all(cells[2].all("rect") for cells in rows)


def test_where_the_points_go_is_what_the_review_says(site: Path, review: BotReview) -> None:
    tables = section(site).all("table", "goes")
    rows = [row for table in tables for row in table.rows() if len(row) == 5 and row[0].tag == "th"]
    assert len(rows) == len(review.points)
    said = {(float(row[1].text), row[4].text.partition(" ±")[0].replace("−", "-")) for row in rows}
    assert said == {(round(one.bot, 2), f"{one.difference.value:.2f}") for one in review.points}
    for row in rows:
        value, error = (float(part.replace("−", "-")) for part in row[4].text.split(" ± "))
        if abs(value) < 1.9 * error:
            assert not row[4].classes, "what is within the errors is not coloured"


def test_without_replays_no_card_and_no_link_to_one_is_there(
    database: Database, review: BotReview, tmp_path: Path
) -> None:
    write_site(database, tmp_path, ReportOptions(publish=frozenset({Publish.FAULTS})))
    shown = section(tmp_path)
    assert not shown.all("i")
    assert not shown.all("a")
    assert len(shown.one("ol", "moments").all("li")) == 10
    assert review.findings[0].words[1:] in shown.text
    assert "Cards are shown only where everybody may see them." in shown.text
    assert shown.all("table", "goes")
    for path in (tmp_path / "matches").glob("*.html"):
        assert not parsed(path.read_text(encoding="utf-8")).all("svg", "expected")


def test_the_cards_of_a_session_that_goes_on_stay_secret(
    database: Database, review: BotReview, tmp_path: Path
) -> None:
    """A review never looks at such a match; but a rule of the pages must hold whatever is stored."""
    secret = [match for match in read.each_match(database, 1) if not match.cards_may_show]
    (first, *_) = [match for match in secret if any(seat.bot == BOT for seat in match.seats)]
    (decision, *_) = saved(database, match=first.slot)
    moments = (replace(review.costliest[0], decision=decision), *review.costliest[1:])
    with played.play(tmp_path / "x.db", LEAGUE) as other:
        save(other, [decision])
        save_whole(other, replace(review, costliest=moments), AT)
        write_site(other, tmp_path / "site")
    items = section(tmp_path / "site").one("ol", "moments").all("li")
    assert [bool(item.all("i")) for item in items] == [False] + [True] * 9
    assert not items[0].all("a")
    assert not page(tmp_path / "site", f"matches/{first.number}.html").all("svg", "expected")


def test_a_match_page_draws_what_was_expected_of_reviewed_bots(
    plain: Path, site: Path, database: Database
) -> None:
    drawn = 0
    for match in read.each_match(database, 1):
        own = [seat.seat for seat in match.seats if seat.bot == BOT]
        text = (site / f"matches/{match.number}.html").read_text(encoding="utf-8")
        graphs = parsed(text).all("svg", "expected")
        if not own or not match.cards_may_show:
            assert not graphs
            assert "expected" not in text
            continue
        assert len(graphs) == match.rounds
        decisions = saved(database, match=match.slot)
        for number, graph in enumerate(graphs):
            places = graph.one("polyline").attributes["points"].split()
            assert len(places) == sum(one.round == number for one in decisions) + 1
            drawn += len(graph.all("circle"))
        assert text.count("<script") == 2, "the card table is all there is of scripts"
    assert drawn > 20


def test_costly_cards_are_marked_where_they_were_played(site: Path, database: Database) -> None:
    (match, *_) = [m for m in read.each_match(database, 1) if any(s.bot == BOT for s in m.seats)]
    shown = page(site, f"matches/{match.number}.html")
    decisions = saved(database, match=match.slot)
    by_id = {e.attributes["id"]: e for e in shown.walk() if "id" in e.attributes}
    marked = shown.all("a", "costly")
    assert marked
    for link in marked:
        note = by_id[link.attributes["href"].removeprefix("#")]
        round_, seat, question = map(int, re.findall(r"\d+", note.attributes["id"]))
        (one,) = (d for d in decisions if (d.round, d.seat, d.question) == (round_, seat, question))
        better = named(database, one, "best")
        assert f"costs {one.cost:.1f} ± {one.error:.1f} points" in note.text
        assert set(A_CARD.findall(note.text.partition("better ")[2].partition(":")[0])) == better
        assert link.attributes["title"].startswith(f"costs {one.cost:.1f} ± {one.error:.1f}; better: ")
        target = by_id[note.one("a").attributes["href"].removeprefix("#")]
        if question:
            assert {target.text} == {link.text} == named(database, one, "chosen")
        else:
            assert target.tag == "table"
    costly = {one.place for one in decisions if one.cost > 2}
    assert len(marked) == len(costly)


def test_pages_of_matches_without_reviews_do_not_change(plain: Path, site: Path) -> None:
    def stable(content: bytes) -> bytes:
        return re.sub(rb"<!-- made from .*? -->", b"", content)

    before, after = contents(plain), contents(site)
    same = {name for name in before if stable(before[name]) == stable(after[name])}
    assert {name for name in before if name.startswith("bots/")} - same == {f"bots/{BOT}.html"}
    assert any(name.startswith("matches/") and name.endswith(".html") for name in before.keys() - same)
    assert any(re.fullmatch(r"matches/\d+\.html", name) for name in same)


@pytest.mark.slow
def test_a_run_notices_new_reviews_and_reads_no_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with played.play(tmp_path / "x.db", League(matches=8, cycles=1)) as database:
        store_all(database)
        grown = tmp_path / "grown"
        write_site(database, grown, incremental=True)
        asked: list[object] = []
        reading = read.reviews

        def noting(*args: object, **named: object) -> Iterator[StoredChoice]:
            asked.append(named)
            return reading(*args, **named)  # type: ignore[arg-type]

        monkeypatch.setattr(read, "reviews", noting)
        assert write_site(database, grown, incremental=True).written == 0
        assert asked == []
        (first, *_) = [m for m in read.each_match(database, 1) if any(s.bot == BOT for s in m.seats)]
        decisions = saved(database, match=first.slot)
        asked.clear()
        save(database, [replace(one, cost=one.cost + 3) for one in decisions], at=2)
        assert write_site(database, grown, incremental=True).written == 2, (
            "its page, and what all was made from"
        )
        assert asked == [{"match": first.slot}]
        write.forget_reviews(database, 1, BOT)
        write_site(database, grown, incremental=True)
        write_site(database, tmp_path / "new")
        assert contents(grown) == contents(tmp_path / "new")
        assert not page(grown, f"bots/{BOT}.html").all("section", "review")


@pytest.mark.parametrize(("old", "new"), [('"format": 1', '"format": 2'), ('"blunders"', '"mistakes"')])
def test_a_review_that_cannot_be_read_stops_no_page(tmp_path: Path, old: str, new: str) -> None:
    with played.play(tmp_path / "x.db", League(matches=8, rounds=2)) as database:
        store_all(database)
    change(tmp_path / "x.db", f"UPDATE review SET document = replace(document, '{old}', '{new}')")
    with Database.open(tmp_path / "x.db", read_only=True) as database:
        write_site(database, tmp_path / "site")
    shown = page(tmp_path / "site", f"bots/{BOT}.html")
    assert not shown.all("section", "review")
    assert "A review is stored that this arena cannot read: arena review LEAGUE BOT makes it" in shown.text


@pytest.fixture(scope="module")
def sheet(database: Database, review: BotReview) -> ReviewSheet:
    matches = [m for m in read.each_match(database, 1) if any(seat.bot == BOT for seat in m.seats)]
    records = {m.number: read.record(database, 1, m.number) for m in matches}
    return ReviewSheet(
        review=review,
        at=AT,
        league="Spring <league>",
        names={bot: bot.capitalize() for bot in ("duck", "low", "random", "moody", "greedy")},
        records={record.key: record for record in records.values()},
        numbers={record.key: number for number, record in records.items()},
        decisions=tuple(saved(database)),
    )


def test_a_private_review_is_one_file_that_loads_nothing(sheet: ReviewSheet, tmp_path: Path) -> None:
    path = tmp_path / "review.html"
    write_review_page(path, sheet)
    write_review_page(path, sheet)
    assert [one.name for one in tmp_path.iterdir()] == ["review.html"]
    text = path.read_text(encoding="utf-8")
    whole = parsed(text)
    assert not {e.tag for e in whole.walk()} & {"script", "img", "iframe", "link"}
    assert "default-src 'none'" in text
    assert "url(" not in whole.one("style").text
    ids = [e.attributes["id"] for e in whole.walk() if "id" in e.attributes]
    assert len(ids) == len(set(ids))
    links = [e.attributes["href"] for e in whole.all("a")]
    assert len(links) > 20
    assert all(link.startswith("#") and link[1:] in ids for link in links)
    assert "Spring <league>" in whole.text


def test_a_private_review_shows_everything(sheet: ReviewSheet, tmp_path: Path) -> None:
    write_review_page(tmp_path / "review.html", sheet)
    whole = page(tmp_path, "review.html")
    findings, moments = whole.one("section", "review").all("ol", "claims")
    assert len(findings.all("li")) == len(sheet.review.findings) == 12
    assert all(item.all("i") for item in moments.all("li"))
    rounds = {(moment.decision.match, moment.decision.round) for moment in sheet.review.costliest}
    assert len(whole.all("section", "round")) == len(rounds) == len(whole.all("svg", "expected"))
