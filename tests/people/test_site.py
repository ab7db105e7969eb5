"""What the server of a table answers: to whom, and to what."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from arena.people.access import Address, Entrance
from arena.people.http import Reply, Request, document
from arena.people.site import TableSite
from tests.people.at_table import PageTable

HOST = "127.0.0.1:7251"


class Browser:
    """Somebody who asks the site of a table with one person. `reviews`: the seats that asked for one."""

    def __init__(self, table: PageTable) -> None:
        self.entrance = Entrance([0])
        self.reviews: list[int] = []
        self.headers = {"host": HOST, "origin": f"http://{HOST}"}
        self.site = TableSite(
            Address("127.0.0.1", 7251),
            self.entrance,
            dict(enumerate(table.seats)),
            document(b"page"),
            {"/": document(b"door"), "/a.js": document(b"js", "text/javascript")}.get,
            self.reviews.append,
        )

    async def ask(self, method: str, path: str, content: object = b"", **headers: str) -> Reply:
        body = content if isinstance(content, bytes) else json.dumps(content).encode()
        return await self.site.answer(Request(method, path, self.headers | headers, body))

    async def enter(self) -> Reply:
        reply = await self.ask("POST", "/seat/0/enter", {"token": self.entrance.token(0)})
        self.headers["cookie"] = dict(reply.headers)["Set-Cookie"].partition(";")[0]
        return reply


def sentence(reply: Reply) -> str:
    found: str = json.loads(reply.body)["sentence"]
    return found


@pytest.fixture
async def table() -> PageTable:
    return PageTable(3)


async def test_what_everybody_may_have(table: PageTable) -> None:
    browser = Browser(table)
    assert (await browser.ask("GET", "/")).body == b"door"
    assert (await browser.ask("HEAD", "/a.js")).kind == "text/javascript"
    assert (await browser.ask("GET", "/seat/0/")).body == b"page"


@pytest.mark.parametrize(
    "path", ["/no", "/seat/1/", "/seat/9/", "/seat/0", "/seat/00/", "/seat/0/../a.js", "/seat/0/x/y", "", "*"]
)
async def test_what_is_not_there(table: PageTable, path: str) -> None:
    browser = Browser(table)
    await browser.enter()
    assert (await browser.ask("GET", path)).status == 404
    assert (await browser.ask("POST", path)).status == 404


async def test_nothing_of_a_seat_without_its_cookie(table: PageTable) -> None:
    browser = Browser(table)
    table.seats[0].documents["match.html"] = lambda: document(b"cards")
    asked = [
        ("GET", "/seat/0/events"),
        ("POST", "/seat/0/answer"),
        ("POST", "/seat/0/review"),
        ("GET", "/seat/0/match.html"),
        ("GET", "/seat/0/nothing"),
    ]
    for method, path in asked:
        reply = await browser.ask(method, path, {"question": "", "cards": []})
        assert (reply.status, reply.events) == (403, None)
        assert "needs the address that the terminal shows" in sentence(reply)
    await browser.enter()
    assert (await browser.ask("GET", "/seat/0/match.html")).body == b"cards"
    assert (await browser.ask("GET", "/seat/0/events")).events is not None
    assert (await browser.ask("GET", "/seat/0/nothing")).status == 404
    assert (await browser.ask("POST", "/seat/0/review")).status == 204
    assert browser.reviews == [0]


@pytest.mark.parametrize(
    "origin", ["", "null", "http://evil.example", f"https://{HOST}", "http://localhost:7251"]
)
async def test_only_its_own_pages_may_change_anything(table: PageTable, origin: str) -> None:
    browser = Browser(table)
    await browser.enter()
    for path in ("/seat/0/enter", "/seat/0/answer", "/seat/0/review"):
        reply = await browser.ask("POST", path, {"token": browser.entrance.token(0)}, origin=origin)
        assert reply.status == 403
        assert sentence(reply) == "Only the pages of this server may do that."
        assert reply.headers == ()
    assert browser.reviews == []


async def test_a_name_that_points_here_finds_nothing(table: PageTable) -> None:
    browser = Browser(table)
    await browser.enter()
    for path in ("/", "/seat/0/", "/seat/0/events"):
        reply = await browser.ask("GET", path, host="evil.example:7251")
        assert (reply.status, sentence(reply)) == (421, "This server is http://127.0.0.1:7251.")


async def test_a_token_is_changed_for_a_cookie_once(table: PageTable) -> None:
    browser = Browser(table)
    token = browser.entrance.token(0)
    for bad in (b"", b"[", b"[]", b"{}", {"token": 1}, {"token": "x"}, b"[" * 5000, b"\xff"):
        reply = await browser.ask("POST", "/seat/0/enter", bad)
        assert reply.status == 403
        assert sentence(reply).startswith("This address has been used, or there is a newer one.")
    assert (await browser.ask("POST", "/seat/0/enter", {"token": token})).status == 204
    assert (await browser.ask("POST", "/seat/0/enter", {"token": token})).status == 403
    await browser.enter()
    reply = await browser.ask("POST", "/seat/0/enter", {"token": token})
    assert (reply.status, reply.headers) == (204, ()), "who has the cookie needs no token"


async def test_cards_are_chosen_and_slips_refused(autojump_clock: MockClock) -> None:
    table = PageTable(3)
    browser = Browser(table)
    await browser.enter()

    async def choose(question: object, cards: object) -> tuple[int, str]:
        reply = await browser.ask("POST", "/seat/0/answer", {"question": question, "cards": cards})
        return reply.status, sentence(reply) if reply.body else ""

    async with table.playing():
        await wait_all_tasks_blocked()
        state = table.seats[0].state()
        question, hand = state["question"], state["hand"]
        assert isinstance(hand, Sequence)
        for odd in ((1, hand[:5]), (question, "S7"), (question, [1]), (question, None), (None, None)):
            assert (await choose(*odd))[0] == 400
        status, why = await choose(question, hand[:1])
        assert (status, why) == (409, "Pass 5 cards, not 1.")
        assert await choose(question, hand[:5]) == (204, "")
        status, why = await choose(question, hand[:5])
        assert status == 409
        assert why.startswith("You have answered already")
        await trio.sleep(2)
        assert table.seats[0].state()["stage"] == "playing"
