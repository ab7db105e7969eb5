"""The card table of a match page in a real browser: see `conftest` for what that needs."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from reports import Publish, ReportOptions, write_site
from tests.reports import played
from tests.reports.browsing import log, show, shown_match
from tests.reports.played import Bot, League
from tests.reports.test_browser import CONTRAST, LOW_CONTRAST

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

pytestmark = pytest.mark.slow

BOX = "document.querySelector('#replay')"
SAID = f"return {BOX}.querySelector('.said').textContent"
HEARD = f"return {BOX}.querySelector('[aria-live]').textContent"
WIDE = 1400


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A match with faults, a long name and one that is written from right to left."""
    folder = tmp_path_factory.mktemp("table")
    long = Bot("Unbrokenlylongnameofabotwithfortyletters", played.low)
    bots = (long, Bot("Moody", fault_rate=0.03), Bot("بوت"), Bot("Random"))
    with played.play(folder / "league.db", League(bots=bots, seed="s")) as database:
        write_site(database, folder / "site", ReportOptions(publish=frozenset(Publish)))
    return folder / "site" / "matches" / "replay.html"


@pytest.fixture(scope="module")
def eight(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A match of eight seats with long names."""
    folder = tmp_path_factory.mktemp("eight")
    bots = tuple(Bot(f"{number}{'W' * 39}") for number in range(8))
    with played.play(folder / "league.db", League(bots=bots, seats=8, rounds=8)) as database:
        write_site(database, folder / "site")
    return folder / "site" / "matches" / "replay.html"


def opened(browser: Chrome, page: Path, anchor: str = "", width: int = WIDE, *, still: bool = True) -> None:
    """Show the page afresh, at a card, with or without what moves."""
    show(browser, "about:blank", width)
    motion = {"name": "prefers-reduced-motion", "value": "reduce" if still else "no-preference"}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [motion]})
    browser.get(f"{page.as_uri()}#m1{anchor}")


def said(browser: Chrome) -> str:
    return str(browser.execute_script(SAID))


def press(browser: Chrome, *keys: str) -> str:
    """Press keys where the focus is; what the card table then says."""
    for key in keys:
        browser.switch_to.active_element.send_keys(key)
    return said(browser)


def click(browser: Chrome, selector: str) -> Any:
    return browser.execute_script(f"document.querySelector(arguments[0]).click(); {SAID}", selector)


def in_view(browser: Chrome) -> bool:
    """Whether the felt is on the screen once it has stopped scrolling."""
    from selenium.webdriver.support.ui import WebDriverWait

    script = """
        const { top, bottom } = document.querySelector("#replay .felt").getBoundingClientRect();
        return top >= 0 && bottom <= innerHeight;
        """
    return bool(WebDriverWait(browser, 10).until(lambda found: found.execute_script(script)))


def test_it_follows_links_keys_and_clicks(browser: Chrome, page: Path) -> None:
    from selenium.webdriver import Keys

    opened(browser, page, "r1t2")
    assert said(browser).startswith("Round 1, trick 2: ")
    browser.execute_script(f"{BOX}.focus()")
    assert press(browser, Keys.HOME).startswith("Round 1: cards dealt")
    assert browser.current_url == f"{page.as_uri()}#m1r1"
    assert press(browser, Keys.ARROW_RIGHT).startswith("Round 1: cards passed")
    assert browser.current_url == f"{page.as_uri()}#m1r1p"
    assert re.search(r"takes \d+\.$", press(browser, "n", Keys.ARROW_LEFT)), "the end of round 1"
    assert browser.execute_script("return document.querySelectorAll('.chip.takes').length") == 1
    assert click(browser, "#r0t3").startswith("Round 0, trick 3: ")
    assert re.search(r"#m1r0t3s\d$", browser.current_url)
    assert press(browser, Keys.ARROW_LEFT).startswith("Round 0, trick 3: "), "a click takes the focus there"
    assert not re.search(r" takes \d+\.$", said(browser)), "the card before the last"
    assert log(browser, "browser") == []


def test_keys_act_inside_the_card_table_only(browser: Chrome, page: Path) -> None:
    from selenium.webdriver import Keys

    opened(browser, page, "r1t2")
    before = said(browser)
    browser.execute_script("document.querySelector('#main').focus()")
    assert press(browser, Keys.HOME, "n", "p", Keys.ARROW_RIGHT, Keys.END) == before
    # Not with a mouse: the page scrolls to its trick once it is loaded, and a click could miss.
    browser.execute_script(
        "const box = document.querySelector('#replay [type=checkbox]'); box.focus(); box.click()"
    )
    assert press(browser, Keys.ARROW_RIGHT) != before, "arrows work after “open hands”"
    assert re.search(r"#m1r1t3s\d$", browser.current_url)
    browser.execute_script("document.querySelector('#replay [title=Back]').focus()")
    assert press(browser, Keys.ARROW_LEFT) == before
    browser.execute_script("document.querySelector('#replay [aria-label=Round]').focus()")
    assert press(browser, "n", "p") == before, "a list keeps its own keys"
    browser.execute_script("document.querySelector('#replay [type=range]').focus()")
    assert press(browser, Keys.HOME).startswith("Round 1: cards dealt"), "so does the slider"


def test_it_shows_what_the_tables_say(browser: Chrome, page: Path) -> None:
    """At every step of a round: hands shrink by one card, and points are those of the table of tricks."""
    opened(browser, page, "r3p")
    steps, points, grid = browser.execute_script(
        """
        const box = document.querySelector("#replay");
        const names = one => [...one.querySelectorAll(".card")].map(card => card.getAttribute("aria-label"));
        const held = () => [...box.querySelectorAll(".fan")].map(names);
        const steps = [[held(), []]];
        const slider = box.querySelector("[type=range]");
        while (Number(slider.value) < Number(slider.max)) {
          box.querySelector("[aria-label=Next]").click();
          steps.push([held(), names(box.querySelector(".layer:last-of-type, .layer + .layer"))]);
        }
        const found = [...box.querySelectorAll(".points")].map(one => one.textContent.match(/\\d+/g));
        const numbers = found.map(one => one.map(Number));
        return [steps, numbers,
          [...document.querySelectorAll(".grid tfoot td")].map(cell => Number(cell.textContent))];
        """
    )
    for (before, _), (after, table) in pairwise(steps):
        gone = {card for hand in before for card in hand} - {card for hand in after for card in hand}
        assert len(gone) == 1
        assert gone.pop() in {card.replace(", by the stand-in", "") for card in table}
    assert not any(steps[-1][0])
    assert sum(round_ for round_, _ in points) == 250
    assert [match for _, match in points] == grid, "points of the match are those of all rounds"


def test_cards_have_the_names_of_the_tables(browser: Chrome, page: Path) -> None:
    opened(browser, page, "r0")
    papayoo = browser.execute_script("return document.querySelector('.round > p b').textContent")
    cards = browser.execute_script(
        """
        return [...document.querySelectorAll("#replay .fan .card")].map(card =>
          [card.getAttribute("aria-label"), card.textContent, card.querySelectorAll("path").length,
            getComputedStyle(card).backgroundColor]);
        """
    )
    assert len(cards) == 60
    (heart,) = [card for card in cards if "Papayoo" in card[0]]
    assert heart[0] == f"{papayoo}, the Papayoo"
    assert heart[1].endswith("40")
    plain = [card for card in cards if card[0][0] != "P" and card is not heart]
    payoos = [card for card in cards if card[0][0] == "P"]
    assert all(card[1] == card[0][1:] + card[0][0] for card in plain)
    assert all(card[1] == card[0][1:] + "P" + card[0][1:] for card in payoos), "its points in its star"
    assert all(card[2] for card in cards), "each has a shape"
    grounds = [{card[3] for card in some} for some in (plain, payoos, [heart])]
    assert [len(ground) for ground in grounds] == [1, 1, 1]
    assert len(set.union(*grounds)) == 3


@pytest.mark.parametrize("width", [320, 1100])
def test_a_click_on_a_trick_keeps_the_card_table_in_view(browser: Chrome, page: Path, width: int) -> None:
    opened(browser, page, "", width)
    for trick in ("#r0t0", "#r1t14", "#r3t14", "#r2t7"):
        browser.execute_script(f"document.querySelector('{trick}').scrollIntoView({{ behavior: 'instant' }})")
        click(browser, trick)
        assert in_view(browser)
        assert said(browser).startswith(f"Round {trick[2]}, trick {trick[4:]}: ")


@pytest.mark.parametrize("width", [320, WIDE])
def test_a_link_to_a_trick_brings_the_card_table_into_view(browser: Chrome, page: Path, width: int) -> None:
    for anchor in ("r3t10", "r2t5s1"):
        opened(browser, page, anchor, width)
        assert said(browser).startswith(f"Round {anchor[1]}, trick ")
        assert in_view(browser)
        browser.execute_script("scrollTo({ top: 0, behavior: 'instant' }); location.hash = '#m1r1t2'")
        from selenium.webdriver.support.ui import WebDriverWait

        WebDriverWait(browser, 10).until(lambda found: said(found).startswith("Round 1, trick 2: "))
        assert in_view(browser)
        click(browser, ".graph a")
        WebDriverWait(browser, 10).until(lambda found: not said(found).startswith("Round 1, trick 2: "))
        browser.execute_script("scrollTo({ top: 0, behavior: 'instant' })")
        click(browser, f".graph a[href='{browser.execute_script('return location.hash')}']")
        assert in_view(browser), "a second click on the same link"


def test_playing_by_itself_is_paused_by_name_and_has_a_speed(browser: Chrome, page: Path) -> None:
    from selenium.webdriver.support.ui import Select, WebDriverWait

    opened(browser, page, "r0p")
    script = """
        const button = document.querySelectorAll(".steps button")[2];
        return [button.ariaLabel, button.title, button.innerText.trim()];
        """
    assert browser.execute_script(script) == ["Play"] * 3
    browser.execute_script(
        """
        const real = setTimeout;
        window.waits = [];
        setTimeout = (act, ms) => (waits.push(ms), real(act, ms / 50));
        """
    )
    waits = []
    for speed in ("0.5", "1", "4"):
        Select(browser.find_element("css selector", "[aria-label=Speed]")).select_by_value(speed)
        click(browser, ".steps button:nth-child(1)")
        browser.execute_script("waits.length = 0; document.querySelector('[title=Play]').click()")
        assert browser.execute_script(script) == ["Pause"] * 3
        WebDriverWait(browser, 20).until(lambda found: found.execute_script("return waits.length") > 2)
        click(browser, "[title=Pause]")
        assert browser.execute_script(script) == ["Play"] * 3
        waits.append(browser.execute_script("return waits[0]"))
    assert waits == [2200, 1100, 275]
    click(browser, "[title=Play]")
    browser.find_element("css selector", "[title=Next]").click()
    assert browser.execute_script(script) == ["Play"] * 3, "who steps by hand has stopped it"
    browser.execute_script("location.hash = '#m1r3t14s1'")
    WebDriverWait(browser, 20).until(lambda found: said(found).startswith("Round 3, trick 14"))
    click(browser, "[title=Play]")
    WebDriverWait(browser, 20).until(lambda found: found.execute_script(script) == ["Play"] * 3)
    assert re.search(r"#m1r3t14s\d$", browser.current_url)
    assert "takes" in said(browser), "it stops at the end"


def test_one_sentence_a_step_is_read_out_and_fewer_while_it_plays(browser: Chrome, page: Path) -> None:
    opened(browser, page, "r0p")
    for _ in range(5):
        words = click(browser, "[title=Next]")
        assert browser.execute_script(HEARD) == words
        assert words.count(". ") == 0
    heard = browser.execute_async_script(
        f"""
        const done = arguments[0], heard = [], live = {BOX}.querySelector("[aria-live]");
        new MutationObserver(() => heard.push(live.textContent)).observe(live, {{ childList: true }});
        {BOX}.querySelector("[aria-label=Speed]").value = 4;
        const real = setTimeout;
        setTimeout = (act, ms) => real(act, ms / 20);
        {BOX}.querySelector("[title=Play]").click();
        const slider = {BOX}.querySelector("[type=range]"), wait = setInterval(() => {{
          if (Number(slider.value) < 50) return;
          clearInterval(wait);
          {BOX}.querySelector("[title=Pause]").click();
          done(heard);
        }}, 20);
        """
    )
    assert len(heard) <= 12, "of over 40 cards in tricks of four"
    assert all("takes" in words for words in heard)


def test_the_graph_marks_big_tricks_and_faults_with_links(browser: Chrome, page: Path) -> None:
    from selenium.webdriver.support.ui import WebDriverWait

    opened(browser, page)
    rounds = shown_match(browser, page.parent, 1).all("section", "round")
    marks = browser.execute_script(
        """
        const links = [...document.querySelectorAll(".graph a")];
        return links.map(link => [link.className, link.hash, link.ariaLabel, link.title]);
        """
    )
    rows = [row.text for one in rounds for row in one.one("table", "tricks").all("tr")[1:]]
    assert sum("heart" in kind for kind, *_ in marks) == len(rounds) == 4
    assert sum("fault" in kind for kind, *_ in marks) == sum(row.count("*") for row in rows) > 0
    for kind, anchor, label, title in marks:
        assert label == title
        browser.execute_script(f"document.querySelector('.graph a[href=\"{anchor}\"]').click()")
        where = label.split(": ")[0]
        WebDriverWait(browser, 10).until(lambda found, where=where: said(found).startswith(f"{where}: "))
        if "fault" in kind:
            assert "by the stand-in" in said(browser)
            continue
        points = re.search(r" takes (\d+)(, with the Papayoo [SHDC]7)?$", label)
        assert points
        assert said(browser).endswith(f" takes {points[1]}.")
        assert ("heart" in kind) is bool(points[2])
    click(browser, ".graph a.heart")
    browser.execute_script("const s = document.querySelector('.head select'); s.value = ''; s.onchange()")
    assert browser.execute_script("return document.querySelectorAll('.graph a.heart').length") == 1
    lines = browser.execute_script("return document.querySelectorAll('.graph polyline').length")
    assert lines == 4


def test_cards_move_only_for_those_who_want_it(browser: Chrome, page: Path) -> None:
    moves = (
        f"{BOX}.querySelector('[title=Next]').click(); return {BOX}.getAnimations({{ subtree: true }}).length"
    )
    for still in (True, False):
        opened(browser, page, "r0", still=still)
        seen = [browser.execute_script(moves) for _ in range(6)]
        assert any(seen) is not still
        assert not any(seen) or seen[0] == 4, "the passes"
        click(browser, "#r2t2")
    assert log(browser, "browser") == []


def test_the_address_of_a_step_is_copied(browser: Chrome, page: Path) -> None:
    opened(browser, page)
    browser.execute_script("document.querySelector('#r2t4').click()")
    script = f"""
        const writeText = async text => {{
          if (!arguments[0]) throw "forbidden";
          window.got = text;
        }};
        Object.defineProperty(navigator, "clipboard", {{ value: {{ writeText }}, configurable: true }});
        document.execCommand = () => (window.got = document.activeElement.value, true);
        window.got = "";
        {BOX}.querySelector(".controls > button").click();
        """
    for modern in (True, False):
        browser.execute_script(script, modern)
        from selenium.webdriver.support.ui import WebDriverWait

        WebDriverWait(browser, 10).until(lambda found: found.execute_script(HEARD) == "Link copied")
        assert re.fullmatch(r".*/replay\.html#m1r2t4s\d", browser.execute_script("return window.got"))
        browser.execute_script(f"{BOX}.querySelector('[aria-live]').textContent = ''")
    assert browser.execute_script("return document.activeElement.textContent") == "Link copied"
    assert browser.execute_script("return document.querySelector('#replay textarea')") is None


def test_a_link_within_the_page_keeps_the_match_and_its_place(browser: Chrome, page: Path) -> None:
    from selenium.webdriver.support.ui import WebDriverWait

    opened(browser, page)
    click(browser, "a[href='#faults']")
    WebDriverWait(browser, 10).until(lambda found: str(found.current_url).endswith("#m1faults"))
    browser.refresh()
    heading = "return document.querySelector('#match:not([hidden]) h1')?.textContent"
    WebDriverWait(browser, 10).until(lambda found: found.execute_script(heading) == "Match 1")
    top = "return document.querySelector('#faults').getBoundingClientRect().top"
    assert browser.execute_script(top) < 200


@pytest.mark.parametrize(("width", "scheme"), [(320, "dark"), (1100, "light")])
def test_eight_seats_fit_a_telephone(browser: Chrome, eight: Path, width: int, scheme: str) -> None:
    for anchor in ("r0", "r0p", "r1t3", "r7t6"):
        show(browser, "about:blank")
        show(browser, f"{eight.as_uri()}#m1{anchor}", width, scheme)
        assert browser.execute_script("return document.documentElement.scrollWidth") <= width
        assert browser.execute_script(LOW_CONTRAST, CONTRAST)[1] == []
        small = browser.execute_script(
            """
            const box = document.querySelector("#replay"), { left, right } = box.getBoundingClientRect();
            const outside = [...box.querySelectorAll(".chip, .played, button, select, input")].filter(one => {
              const at = one.getBoundingClientRect();
              return at.left < left || at.right > right;
            });
            const small = [...box.querySelectorAll("button, select, [type=range], label")].filter(one =>
              one.getBoundingClientRect().height < 40 || one.getBoundingClientRect().width < 40);
            return [...outside, ...small].map(one => one.outerHTML);
            """
        )
        assert small == []
