"""What the server of a table answers: pages for everybody, and all else to who has the cookie of the seat.

    GET  /seat/0/          the page of seat 0: without a card on it
    POST /seat/0/enter     {"token": ...}: the cookie of the seat
    GET  /seat/0/events    the states of the table as this seat sees it, as server-sent events
    POST /seat/0/answer    {"question": ..., "cards": [...]}: pass or play
    POST /seat/0/review    have the match looked back at, once it is over
    GET  /seat/0/match.html    and other documents of the match, once it is over

Knows no socket.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Final, TypeGuard

from arena.people.access import Address, Entrance
from arena.people.http import Reply, Request, said
from arena.people.seat import PageSeat
from arena.seat.seat import Refused

_OF_SEAT: Final = re.compile(r"/seat/([0-7])/([a-z.]*)")
_ELSEWHERE: Final = "This seat needs the address that the terminal shows: open that one in this browser."
_USED: Final = (
    "This address has been used, or there is a newer one. Press Enter in the terminal, and open the address "
    "that it shows then."
)


class TableSite:
    """The pages of a table.

    `page`: that of each seat; `public`: what everybody may have, by its path.
    `review` is called, with the seat, when somebody asks to look back at the match.
    """

    def __init__(
        self,
        address: Address,
        entrance: Entrance,
        seats: Mapping[int, PageSeat],
        page: Reply,
        public: Callable[[str], Reply | None],
        review: Callable[[int], object],
    ) -> None:
        self._address = address
        self._entrance = entrance
        self._seats = seats
        self._page = page
        self._public = public
        self._review = review

    async def answer(self, request: Request) -> Reply:
        """Return what is answered to a request."""
        if not self._address.is_meant(request.headers):
            return said(f"This server is {self._address.origin}.", HTTPStatus.MISDIRECTED_REQUEST)
        of_seat = _OF_SEAT.fullmatch(request.path)
        seat = self._seats.get(int(of_seat[1])) if of_seat else None
        if request.method == "POST" and not self._address.is_own_page(request.headers):
            return said("Only the pages of this server may do that.", HTTPStatus.FORBIDDEN)
        if of_seat is None or seat is None:
            found = self._public(request.path) if request.method in ("GET", "HEAD") else None
            return found or said("There is no such page.", HTTPStatus.NOT_FOUND)
        return self._of_seat(request, seat, of_seat[2])

    def _of_seat(self, request: Request, seat: PageSeat, what: str) -> Reply:
        action = (request.method, what)
        if action in (("GET", ""), ("HEAD", "")):
            return self._page
        if action == ("POST", "enter"):
            return self._enter(request, seat)
        if not self._entrance.may_act(seat.number, request.headers):
            return said(_ELSEWHERE, HTTPStatus.FORBIDDEN)
        if action == ("GET", "events"):
            return Reply(HTTPStatus.OK, kind="text/event-stream", events=seat.events)
        if action == ("POST", "answer"):
            return self._chosen(request, seat)
        if action == ("POST", "review"):
            self._review(seat.number)
            return Reply(HTTPStatus.NO_CONTENT)
        if request.method == "GET" and what in seat.documents:
            return seat.documents[what]()
        return said("There is nothing of the kind yet.", HTTPStatus.NOT_FOUND)

    def _enter(self, request: Request, seat: PageSeat) -> Reply:
        if self._entrance.may_act(seat.number, request.headers):
            return Reply(HTTPStatus.NO_CONTENT)
        token = _field(request, "token")
        cookie = self._entrance.enter(seat.number, token) if isinstance(token, str) else None
        if cookie is None:
            return said(_USED, HTTPStatus.FORBIDDEN)
        seat.taken_over()
        return Reply(HTTPStatus.NO_CONTENT, headers=(("Set-Cookie", cookie),))

    def _chosen(self, request: Request, seat: PageSeat) -> Reply:
        question, cards = _field(request, "question"), _field(request, "cards")
        if not isinstance(question, str) or not _is_names(cards):
            return said("A question and the names of cards are expected.", HTTPStatus.BAD_REQUEST)
        try:
            seat.answer(question, cards)
        except Refused as refused:
            return said(refused.sentence, HTTPStatus.CONFLICT)
        return Reply(HTTPStatus.NO_CONTENT)


def _field(request: Request, name: str) -> object:
    """Return a field of the JSON object that was sent, None if there is none."""
    try:
        sent = json.loads(request.body)
    except (ValueError, RecursionError):
        return None
    return sent.get(name) if isinstance(sent, dict) else None


def _is_names(value: object) -> TypeGuard[list[str]]:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)
