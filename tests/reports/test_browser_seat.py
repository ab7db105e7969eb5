"""The page on which a person plays, in real browsers and against real bots: by mouse, by keys, on a phone."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.reports.browsers import KEYS, Browser
from tests.reports.test_browser import CONTRAST, LOW_CONTRAST, SCROLLERS
from tests.reports.test_browser_kinds import AXE, WIDTHS
from tests.seated import PATIENCE, PageMatch
from tests.tables import HOSTILE

pytestmark = pytest.mark.slow

UNSAFE = ("--sandbox", "off", "--insecure", "--port", "0")
"""Bots without a sandbox start more quickly; one test has it."""
MATCH = ("--me", "sharp", "count", "duck", "--rounds", "1", "--seed", "a", *UNSAFE)

AT_ONCE = """
const speed = document.querySelector(".wishes select");
speed.value = arguments[0];
speed.onchange();
"""
STATE = """
const text = (selector) => document.querySelector(selector)?.textContent ?? "";
const seen = (selector) => document.querySelector(`${selector}:not([hidden])`)?.textContent ?? "";
const cards = (selector) => [...document.querySelectorAll(selector)].map((one) => one.dataset.name);
return {
  said: text(".said"), live: text("[aria-live]"), trouble: seen("#trouble"), act: seen(".act"),
  hand: cards(".hand button"), free: cards(".hand .free"), result: seen(".result"), notes: text(".notes"),
  focus: document.activeElement.dataset.name ?? document.activeElement.className,
};
"""


COUNTING = """
const [, layer] = document.querySelectorAll(".layer");
window.fallen = [];
new MutationObserver(() => {
  const count = layer.querySelectorAll(".played").length;
  if (window.fallen.at(-1) !== count && window.fallen.length < 3) window.fallen.push(count);
}).observe(layer, { childList: true });
"""
"""Notes how many cards lie on the table, as often as that changes."""

FLIGHTS = """
const { animate } = Element.prototype;
window.flights = 0;
Element.prototype.animate = function (...given) { window.flights++; return animate.apply(this, given); };
"""

TEXTS = "return [...document.querySelectorAll(arguments[0])].map((one) => one.innerText);"
NAMES = "(selector) => [...document.querySelectorAll(selector)].map((one) => one.dataset.name)"
SMALL = """
return [...document.querySelectorAll("button, summary, select")].filter((one) => {
  const { width, height } = one.getBoundingClientRect();
  return one.offsetParent && (width < 24 || height < 24);
}).map((one) => one.outerHTML);
"""

SEND = """
const [question, cards] = arguments, headers = { "Content-Type": "application/json" };
return fetch("answer", { method: "POST", headers, body: JSON.stringify({ question, cards }) })
  .then(async (reply) => [reply.status, await reply.text()]);
"""


PLAYED: list[Browser] = []
"""The browsers that the test has played in."""


def leave(browser: Browser) -> None:
    """Leave a page, which complains when its server has ended."""
    browser.show("about:blank")
    browser.errors()


@pytest.fixture(autouse=True)
def left_afterwards() -> Iterator[None]:
    """Have the next test, which may be one of other pages, find no complaint of a match that has ended."""
    yield
    while PLAYED:
        leave(PLAYED.pop())


class Player:
    """A person at a page of this browser."""

    def __init__(self, browser: Browser) -> None:
        self.browser = browser
        leave(browser)
        PLAYED.append(browser)

    def see(self) -> dict[str, Any]:
        seen: dict[str, Any] = self.browser.run(STATE)
        return seen

    def wait(self, holds: Callable[[dict[str, Any]], object], what: str) -> dict[str, Any]:
        """Wait until what is seen is so, and return it."""
        end = time.monotonic() + PATIENCE
        while not holds(seen := self.see()):
            assert time.monotonic() < end, f"{what}: {seen}"
            time.sleep(0.02)
        return seen

    def asked(self) -> dict[str, Any]:
        """Wait until something is to be chosen, or the match is over."""
        return self.wait(lambda seen: seen["free"] or seen["result"], "a question")

    def open(self, address: str, width: int = 1100, speed: str = "none") -> dict[str, Any]:
        self.browser.show(address, width)
        seen = self.wait(lambda seen: seen["free"] or seen["said"] or seen["trouble"], "the table")
        self.browser.run(AT_ONCE, speed)
        return seen

    def click(self, name: str) -> None:
        self.browser.click(f".hand [data-name={name}]")

    def pass_first(self) -> None:
        """Pass the first five cards."""
        for name in self.asked()["free"][:5]:
            self.click(name)
        self.browser.click(".act")

    def play_out(self) -> dict[str, Any]:
        """Play the first legal card until the match is over."""
        while True:
            seen = self.asked()
            if seen["result"]:
                return seen
            name = seen["free"][0]
            self.click(name)
            self.wait(lambda seen, name=name: name not in seen["hand"], "the card is played")  # type: ignore[misc]


def test_a_whole_match_with_clicks(either: Browser) -> None:
    player = Player(either)
    with PageMatch(*MATCH) as match:
        player.open(match.address)
        assert player.asked()["said"] == "Choose 5 cards for Sharp."
        assert either.run("return location.hash;") == ""
        player.pass_first()
        seen = player.wait(lambda seen: seen["free"] and not seen["act"], "the first trick")
        assert "You passed S1 S3 S4 S6 S8 to Sharp, and got" in seen["live"]
        assert len(seen["hand"]) == 15
        seen = player.play_out()
        assert seen["hand"] == []
        assert "0 You" in seen["result"]
        rows = [row.split() for row in either.run(TEXTS, ".result tbody tr")]
        match.until(lambda: "the same deals again" in match.out, "the result")
        printed = [line.split() for line in match.out.splitlines()[-4:]]
        assert [[row[0], row[2], row[3]] for row in rows] == [[row[-1], row[1], row[-2]] for row in printed]
        assert either.errors() == []


def test_a_whole_match_with_keys(either: Browser) -> None:
    player = Player(either)
    with PageMatch(*MATCH) as match:
        player.open(match.address)
        seen = player.asked()
        end = time.monotonic() + PATIENCE
        while player.see()["focus"] not in seen["hand"]:
            either.press(KEYS["Tab"])
            assert time.monotonic() < end
        either.press(KEYS["End"], " ", KEYS["Home"], " ", KEYS["Right"], KEYS["Enter"], KEYS["Right"], " ")
        either.press(
            KEYS["Left"], KEYS["Left"], KEYS["Left"], KEYS["Right"], KEYS["Right"], KEYS["Right"], " "
        )
        seen = player.wait(lambda seen: seen["act"] == "Pass to Sharp (5 of 5)", "five cards")
        pressed = either.run(f"return ({NAMES})('.hand [aria-pressed=true]');")
        assert pressed == ["S1", "S3", "S4", "S6", "P11"]
        # The button stands before the hand.
        either.run("document.querySelector('.act').focus();")
        either.press(KEYS["Enter"])
        player.wait(lambda seen: seen["free"] and not seen["act"], "the first trick")
        either.run("document.querySelector('.hand [tabindex=\"0\"]').focus();")
        for left in range(15, 0, -1):
            seen = player.wait(
                lambda seen, left=left: len(seen["hand"]) == left and seen["free"], "a question"
            )  # type: ignore[misc]
            assert seen["focus"] in seen["free"], "the focus is on a card that may be played"
            either.press(KEYS["Right"], KEYS["Enter"])
        assert "You" in player.wait(lambda seen: seen["result"], "the result")["result"]
        assert either.errors() == []


@pytest.mark.parametrize("others", [2, 3, 7], ids=["3 seats", "4 seats", "8 seats"])
def test_everybody_can_use_it(either: Browser, axe: str, others: int) -> None:
    player = Player(either)
    bots = [f"b{number}={'duck' if number % 2 else 'low'}" for number in range(others)]
    with PageMatch("--me", *bots, "--rounds", "1", "--seed", "a", *UNSAFE) as match:
        player.open(match.address)
        player.asked()
        _check(either, axe)
        for name in player.see()["free"][: {2: 5, 3: 5, 7: 3}[others]]:
            player.click(name)
        either.click(".act")
        player.wait(lambda seen: seen["free"] and not seen["act"], "the first trick")
        player.click(player.see()["free"][0])
        player.asked()
        _check(either, axe)
        player.play_out()
        _check(either, axe)
        assert either.errors() == []


def _check(browser: Browser, axe: str) -> None:
    browser.run(axe)
    for width in WIDTHS:
        browser.resize(width, "light")
        wide = browser.run("return document.documentElement.scrollWidth;")
        assert wide <= width, f"{wide} pixels of {width}"
        assert browser.run(SCROLLERS) == [], "what scrolls must be reached by keyboard"
        for scheme, rules in (("light", {}), ("dark", {"runOnly": ["color-contrast"]})):
            browser.resize(width, scheme)
            assert browser.run(LOW_CONTRAST, CONTRAST)[1] == [], (width, scheme)
            assert browser.run(AXE, rules)[1] == [], (width, scheme)
    assert browser.run(SMALL) == [], "a thumb needs 24 pixels at least"
    browser.resize(1100, "light")


def test_with_a_sandbox_and_a_pace_that_eyes_can_follow(either: Browser) -> None:
    player = Player(either)
    with PageMatch("--me", "duck", "low", "--rounds", "1", "--seed", "a", "--port", "0") as match:
        player.open(match.address, 320, "fast")
        player.pass_first()
        seen = player.wait(lambda seen: seen["free"] and not seen["act"], "the first trick")
        either.run(COUNTING)
        player.click(seen["free"][0])
        player.wait(lambda seen: seen["free"] and len(seen["hand"]) == 19, "the next question")
        assert either.run("return window.fallen;") == [1, 2, 3], "cards fall one after another"


def test_no_card_flies_for_those_who_ask_for_less_motion(browser: Any) -> None:
    from tests.reports.browsers import Chromium

    player, flown = Player(Chromium(browser)), []
    for wish in ("reduce", "no-preference"):
        motion = {"name": "prefers-reduced-motion", "value": wish}
        with PageMatch("--me", "duck", "low", "--rounds", "1", "--seed", "a", *UNSAFE) as match:
            player.open(match.address, speed="fast")
            browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [motion]})
            player.pass_first()
            seen = player.wait(lambda seen: seen["free"] and not seen["act"], "the first trick")
            browser.execute_script(FLIGHTS)
            player.click(seen["free"][0])
            player.wait(lambda seen: seen["free"] and len(seen["hand"]) == 19, "the next question")
            flown.append(browser.execute_script("return window.flights;"))
        leave(player.browser)  # `show` ends the wish, too
    assert flown[0] == 0
    assert flown[1] > 0


def test_a_slip_is_answered_and_costs_nothing(either: Browser) -> None:
    player = Player(either)
    with PageMatch(*MATCH) as match:
        player.open(match.address)
        player.pass_first()
        for _ in range(14):
            seen = player.wait(lambda seen: seen["free"] and not seen["act"], "a question")
            bad = next((name for name in seen["hand"] if name not in seen["free"]), None)
            if bad is not None:
                break
            player.click(seen["free"][0])
            player.wait(lambda after, before=seen: len(after["hand"]) < len(before["hand"]), "played")  # type: ignore[misc]
        assert bad is not None, "with this seed there is a suit to follow"
        player.click(bad)
        assert player.see()["said"].startswith("You must follow suit: ")
        # A card clicked twice is played once: the second click finds nothing to choose.
        card = seen["free"][0]
        either.run(f"const one = document.querySelector('[data-name={card}]'); one.click(); one.click();")
        after = player.wait(lambda after: card not in after["hand"] and after["free"], "the next question")
        assert len(after["hand"]) == len(seen["hand"]) - 1
        # The same answer once more, as from a page that was left behind.
        status = either.run(
            SEND,
            "old", [after["free"][0]],
        )  # fmt: skip
        assert status[0] == 409
        assert "answered already" in status[1]
        assert len(player.see()["hand"]) == len(after["hand"])


def test_a_card_is_pressed_twice_where_that_is_wanted(either: Browser) -> None:
    player = Player(either)
    with PageMatch(*MATCH) as match:
        player.open(match.address)
        either.run(
            "const twice = document.querySelector('.wishes input'); if (!twice.checked) twice.click();"
        )
        player.pass_first()
        seen = player.wait(lambda seen: seen["free"] and not seen["act"], "the first trick")
        first, other = seen["free"][0], seen["free"][1]
        player.click(first)
        assert player.see()["said"].endswith("once more to play it.")
        player.click(other)
        assert len(player.see()["hand"]) == 15
        player.click(other)
        after = player.wait(lambda after: other not in after["hand"], "played")
        assert first in after["hand"]
        either.run("localStorage.clear();")


def test_two_people_see_their_own_cards_alone(either: Browser) -> None:
    player = Player(either)
    words = ("--me", "--me", "--name", "Ann", "--name", "Ben", "duck", "low", "--rounds", "1", "--seed", "a")
    with PageMatch(*words, *UNSAFE, people=2) as match:
        seen = player.open(match.addresses[0])
        assert seen["said"] == "Waiting for Ben."
        other = player.open(match.addresses[1])
        ben = player.asked()
        # The same browser has both seats, and each address its own.
        seen = player.open(match.addresses[0].partition("#")[0])
        ann = player.asked()
        assert not set(ann["hand"]) & set(ben["hand"])
        assert (ann["act"], ben["act"]) == (
            "Pass to Ben (0 of 5)",
            "Pass to duck (0 of 5)".replace("duck", "Duck"),
        )
        player.pass_first()
        seen = player.wait(lambda seen: not seen["act"], "passed")
        assert seen["said"].endswith("Ben is thinking.")
        assert other["trouble"] == ""
        # Ben's page is closed: all are told so.
        assert either.run(TEXTS, ".chip .tag")[1] == "away"


def test_an_old_address_and_a_second_window(either: Browser) -> None:
    player = Player(either)
    with PageMatch(*MATCH) as match:
        old = match.address
        player.open(old)
        either.run("document.cookie = ''; window.second = new EventSource('events');")
        seen = player.wait(lambda seen: seen["trouble"], "another window has the seat")
        assert seen["trouble"].startswith("This seat is open in another window now.")
        either.run("window.second.close();")
        either.click("#trouble button")
        seen = player.wait(lambda seen: not seen["trouble"] and seen["free"], "here again")
        assert len(seen["hand"]) == 15
        # With the cookie the address that was used is as good as the page without it.
        assert player.open(old)["trouble"] == ""
        match.press_enter()
        assert match.address != old
        assert player.open(match.address)["trouble"] == ""


def test_a_used_address_in_another_browser(either: Browser, browser: Any, firefox: Browser) -> None:
    from tests.reports.browsers import Chromium

    stranger = Player(firefox if isinstance(either, Chromium) else Chromium(browser))
    player = Player(either)
    with PageMatch(*MATCH) as match:
        player.open(match.address)
        stranger.browser.show(match.address)
        seen = stranger.wait(lambda seen: seen["trouble"], "refused")
        assert seen["trouble"].startswith("This address has been used, or there is a newer one.")
        assert seen["hand"] == []
        stranger.browser.show(match.address.partition("#")[0])
        seen = stranger.wait(lambda seen: seen["trouble"], "refused")
        assert seen["trouble"].startswith("This seat needs an address that the terminal shows.")
        match.press_enter()
        stranger.open(match.address)
        seen = player.wait(lambda seen: seen["trouble"], "another browser has the seat")
        assert seen["trouble"].startswith("This seat is open in another window now.")
        stranger.browser.errors()


def test_a_bot_that_crashes_is_told_and_the_match_goes_on(either: Browser) -> None:
    player = Player(either)
    dies = f"Dies={{python}} {HOSTILE}/dies.py 5 3"
    with PageMatch("--me", dies, "duck", "--rounds", "1", "--seed", "a", *UNSAFE) as match:
        player.open(match.address)
        player.pass_first()
        seen = player.play_out()
        told = "Dies has crashed: the stand-in plays its cards to the end of the match."
        assert seen["notes"] == told
        assert match.said.count(f"{told}\n") == 1
        stars = either.run("return document.querySelectorAll('.played .star').length;")
        assert stars == 1, "its cards are marked as those of the stand-in"


def test_a_killed_server_is_told_of(either: Browser) -> None:
    player = Player(either)
    with PageMatch(*MATCH) as match:
        player.open(match.address)
        player.pass_first()
        for _ in range(3):
            seen = player.wait(lambda seen: seen["free"] and not seen["act"], "a question")
            player.click(seen["free"][0])
            player.wait(lambda after, before=seen: len(after["hand"]) < len(before["hand"]), "played")  # type: ignore[misc]
        match.end(signal.SIGKILL)
        seen = player.wait(lambda seen: seen["trouble"], "the server is gone")
        assert seen["trouble"].startswith("The arena does not answer: it was ended, or its machine sleeps.")
    either.errors()


def test_after_the_match_all_cards_and_what_redeal_would_have_done(either: Browser) -> None:
    player = Player(either)
    with PageMatch(*MATCH) as match:
        player.open(match.address)
        player.pass_first()
        player.play_out()
        links = "return [...document.querySelectorAll('.links a')].map((one) => one.getAttribute('href'));"
        assert either.run(links) == ["match.html", "match.json"]
        either.click(".result button")
        player.wait(lambda seen: either.run(links) == ["match.html", "match.json", "review.html"], "Redeal")
        address = match.address.partition("#")[0]
        either.show(f"{address}review.html")
        text = either.run("return document.body.innerText;")
        assert "What Redeal would have done" in text
        assert either.run("return document.querySelectorAll('.differing tbody tr').length;") > 0
        assert either.run("return Boolean(document.querySelector('#replay .felt'));"), (
            "the card table is there"
        )
        # The page of the seat was left, and a file allows no icon.
        expected = ("NS_BINDING_ABORTED", "img-src", "favicon")
        assert [one for one in either.errors() if not any(word in one for word in expected)] == []


FRENCH = """
const parts = await Promise.all([...new DOMParser().parseFromString(
  await (await fetch("", { headers: { "Accept-Language": "fr-CH, fr;q=0.9" } })).text(), "text/html",
).querySelectorAll("script")].map((one) => fetch(one.getAttribute("src")).then((reply) => reply.text())));
return parts.join("");
"""


def test_in_french(either: Browser) -> None:
    """A browser says which language its reader prefers."""
    player = Player(either)
    with PageMatch(*MATCH) as match:
        player.open(match.address)
        scripts = either.run(f"return (async () => {{{FRENCH}}})();")
        assert "Choisissez ${state.count} cartes pour" in scripts
        assert "Choose ${state.count}" not in scripts
        assert either.errors() == []
