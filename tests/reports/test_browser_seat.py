"""The page on which a person plays, in real browsers and against real bots: by mouse, by keys, on a phone."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.reports.browsers import KEYS, Browser, Chromium
from tests.reports.test_browser import CONTRAST, LOW_CONTRAST, SCROLLERS
from tests.reports.test_browser_kinds import AXE, LOOKS
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


@pytest.fixture
def chromium(browser: Any) -> Browser:
    return Chromium(browser)


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
        seen = player.asked()
        assert seen["said"] == "Choose 5 cards for Sharp."
        passed = " ".join(seen["free"][:5])
        assert either.run("return location.hash;") == ""
        player.pass_first()
        seen = player.wait(lambda seen: seen["free"] and not seen["act"], "the first trick")
        assert f"You passed {passed} to Sharp, and got" in seen["live"]
        assert len(seen["hand"]) == 15
        seen = player.play_out()
        assert seen["hand"] == []
        assert "0 You" in seen["result"]
        rows = [row.split() for row in either.run(TEXTS, ".result tbody tr")]
        match.until(lambda: "the same deals again" in match.out, "the result")
        printed = [line.split() for line in match.out.splitlines()[-4:]]
        assert [[row[0], row[2], row[3]] for row in rows] == [[row[-1], row[1], row[-2]] for row in printed]
        assert either.errors() == []


def test_a_whole_match_with_keys(chromium: Browser) -> None:
    player = Player(chromium)
    with PageMatch(*MATCH) as match:
        player.open(match.address)
        seen = player.asked()
        end = time.monotonic() + PATIENCE
        while player.see()["focus"] not in seen["hand"]:
            chromium.press(KEYS["Tab"])
            assert time.monotonic() < end
        chromium.press(KEYS["End"], " ", KEYS["Home"], " ", KEYS["Right"], KEYS["Enter"], KEYS["Right"], " ")
        chromium.press(
            KEYS["Left"], KEYS["Left"], KEYS["Left"], KEYS["Right"], KEYS["Right"], KEYS["Right"], " "
        )
        seen = player.wait(lambda seen: seen["act"] == "Pass to Sharp (5 of 5)", "five cards")
        pressed = chromium.run(f"return ({NAMES})('.hand [aria-pressed=true]');")
        assert pressed == [*seen["hand"][:4], seen["hand"][-1]]
        # The button stands before the hand.
        chromium.run("document.querySelector('.act').focus();")
        chromium.press(KEYS["Enter"])
        player.wait(lambda seen: seen["free"] and not seen["act"], "the first trick")
        chromium.run("document.querySelector('.hand [tabindex=\"0\"]').focus();")
        for left in range(15, 0, -1):
            seen = player.wait(
                lambda seen, left=left: len(seen["hand"]) == left and seen["free"], "a question"
            )  # type: ignore[misc]
            assert seen["focus"] in seen["free"], "the focus is on a card that may be played"
            chromium.press(KEYS["Right"], KEYS["Enter"])
        assert "You" in player.wait(lambda seen: seen["result"], "the result")["result"]
        assert chromium.errors() == []


@pytest.mark.parametrize("others", [3, 7], ids=["4 seats", "8 seats"])
def test_everybody_can_use_it(chromium: Browser, axe: str, others: int) -> None:
    player = Player(chromium)
    bots = [f"b{number}={'duck' if number % 2 else 'low'}" for number in range(others)]
    with PageMatch("--me", *bots, "--rounds", "1", "--seed", "a", *UNSAFE) as match:
        player.open(match.address)
        player.asked()
        _check(chromium, axe)
        for name in player.see()["free"][: {3: 5, 7: 3}[others]]:
            player.click(name)
        chromium.click(".act")
        player.wait(lambda seen: seen["free"] and not seen["act"], "the first trick")
        player.click(player.see()["free"][0])
        player.asked()
        _check(chromium, axe)
        player.play_out()
        _check(chromium, axe)
        assert chromium.errors() == []


def _check(browser: Browser, axe: str) -> None:
    browser.run(axe)
    for width, scheme in LOOKS:
        browser.resize(width, scheme)
        wide = browser.run("return document.documentElement.scrollWidth;")
        assert wide <= width, f"{wide} pixels of {width}"
        assert browser.run(SCROLLERS) == [], "what scrolls must be reached by keyboard"
        assert browser.run(LOW_CONTRAST, CONTRAST)[1] == [], (width, scheme)
        assert browser.run(AXE)[1] == [], (width, scheme)
    assert browser.run(SMALL) == [], "a thumb needs 24 pixels at least"
    browser.resize(1100, "light")


def test_with_a_sandbox_and_a_pace_that_eyes_can_follow(chromium: Browser) -> None:
    player = Player(chromium)
    with PageMatch("--me", "duck", "low", "--rounds", "1", "--seed", "a", "--port", "0") as match:
        player.open(match.address, 320, "fast")
        player.pass_first()
        seen = player.wait(lambda seen: seen["free"] and not seen["act"], "the first trick")
        chromium.run(COUNTING)
        player.click(seen["free"][0])
        player.wait(lambda seen: seen["free"] and len(seen["hand"]) == 19, "the next question")
        assert chromium.run("return window.fallen;") == [1, 2, 3], "cards fall one after another"


def test_a_slip_is_answered_and_costs_nothing(chromium: Browser) -> None:
    player = Player(chromium)
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
        chromium.run(f"const one = document.querySelector('[data-name={card}]'); one.click(); one.click();")
        after = player.wait(lambda after: card not in after["hand"] and after["free"], "the next question")
        assert len(after["hand"]) == len(seen["hand"]) - 1
        # The same answer once more, as from a page that was left behind.
        status = chromium.run(
            SEND,
            "old", [after["free"][0]],
        )  # fmt: skip
        assert status[0] == 409
        assert "answered already" in status[1]
        assert len(player.see()["hand"]) == len(after["hand"])


def test_two_people_see_their_own_cards_alone(chromium: Browser) -> None:
    player = Player(chromium)
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
        assert chromium.run(TEXTS, ".chip .tag")[1] == "away"


def test_an_old_address_and_a_second_window(chromium: Browser) -> None:
    player = Player(chromium)
    with PageMatch(*MATCH) as match:
        old = match.address
        player.open(old)
        chromium.run("document.cookie = ''; window.second = new EventSource('events');")
        seen = player.wait(lambda seen: seen["trouble"], "another window has the seat")
        assert seen["trouble"].startswith("This seat is open in another window now.")
        chromium.run("window.second.close();")
        chromium.click("#trouble button")
        seen = player.wait(lambda seen: not seen["trouble"] and seen["free"], "here again")
        assert len(seen["hand"]) == 15
        # With the cookie the address that was used is as good as the page without it.
        assert player.open(old)["trouble"] == ""
        match.press_enter()
        assert match.address != old
        assert player.open(match.address)["trouble"] == ""


def test_a_used_address_in_another_browser(either: Browser, browser: Any, firefox: Browser) -> None:
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


def test_a_bot_that_crashes_is_told_and_the_match_goes_on(chromium: Browser) -> None:
    player = Player(chromium)
    dies = f"Dies={{python}} {HOSTILE}/dies.py 5 3"
    with PageMatch("--me", dies, "duck", "--rounds", "1", "--seed", "a", *UNSAFE) as match:
        player.open(match.address)
        player.pass_first()
        seen = player.play_out()
        told = "Dies has crashed: the stand-in plays its cards to the end of the match."
        assert seen["notes"] == told
        assert match.said.count(f"{told}\n") == 1
        stars = chromium.run("return document.querySelectorAll('.played .star').length;")
        assert stars == 1, "its cards are marked as those of the stand-in"


def test_a_killed_server_is_told_of(chromium: Browser) -> None:
    player = Player(chromium)
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
    chromium.errors()


def test_after_the_match_all_cards_and_what_decisions_cost(chromium: Browser) -> None:
    player = Player(chromium)
    with PageMatch(*MATCH) as match:
        player.open(match.address)
        player.pass_first()
        player.play_out()
        links = "return [...document.querySelectorAll('.links a')].map((one) => one.getAttribute('href'));"
        assert chromium.run(links) == ["match.html", "match.json"]
        chromium.click(".result button")
        player.wait(
            lambda seen: chromium.run(links) == ["match.html", "match.json", "review.html"], "the review"
        )
        address = match.address.partition("#")[0]
        chromium.show(f"{address}review.html")
        text = chromium.run("return document.body.innerText;")
        assert "What the decisions of" in text
        assert chromium.run("return Boolean(document.querySelector('#replay .felt'));"), (
            "the card table is there"
        )
        chromium.run("location.hash = '#r0p';")
        top = "return document.querySelector('#replay').getBoundingClientRect().top;"
        player.wait(lambda seen: abs(chromium.run(top)) < 200, "a link to a pass leads to the card table")
        # The page of the seat was left, and a file allows no icon.
        expected = ("NS_BINDING_ABORTED", "img-src", "favicon")
        assert [one for one in chromium.errors() if not any(word in one for word in expected)] == []
