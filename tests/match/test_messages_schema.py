"""All that a match tells its seats is as protocol/schema.json says, faults included."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from arena.deals import Deals, MatchKey, seeded_secret
from arena.match.faults import Fault, FaultKind
from arena.match.game import Match, addressed
from arena.match.record import MatchSetup, Terms
from arena.match.stand_in import from_deals
from protocol.codec import decode, encode
from tests.protocol.shapes import schema_text

SCHEMA = json.loads(schema_text())
VALIDATORS = {
    name: Draft202012Validator({"$ref": f"#/$defs/{name}", "$defs": SCHEMA["$defs"]})
    for name in ("start", "pass", "play", "round_over", "match_over")
}


def told(players: int, *, fault_every: int) -> Iterator[dict[str, Any]]:
    """Every message of a match of one round; the stand-in decides every so many questions."""
    deals, key = Deals(seeded_secret("schema", players)), MatchKey(0, 0, 0)
    setup = MatchSetup(
        boards=(deals.board(0, players),),
        suits=deals.suits(key),
        seeds=tuple(deals.bot_seed(key, seat) for seat in range(players)),
        terms=Terms(move_ms=1000, bank_ms=500, fault_points=40, max_faults=1000),
    )
    match = Match(setup, from_deals(deals, key))
    match.begin()
    count = 0
    while True:
        yield from (decode(encode(addressed(message, 0))) for _, message in match.take_news())
        if match.over:
            return
        seat = match.waiting()[0]
        question = match.ask(seat)
        message = decode(encode(addressed(question.message, 0, "id")))
        yield message
        count += 1
        if count % fault_every == 0:
            late = Fault(seat, FaultKind.BAD_MESSAGE, "", question.round, question.number, wall_us=1_000_000)
            match.fault(late)
        else:
            cards = message["hand"][: message["count"]] if question.is_pass else message["legal"][-1:]
            assert match.answer(seat, cards, 1_010_000) is None


@pytest.mark.parametrize("players", [3, 8])
def test_every_message_of_a_match_is_as_the_schema_says(players: int) -> None:
    kinds = set()
    for message in told(players, fault_every=3):
        assert [error.message for error in VALIDATORS[message["type"]].iter_errors(message)] == []
        kinds.add(message["type"])
        kinds |= {(event["event"], event.get("by")) for event in message.get("events", ())}
    assert kinds >= VALIDATORS.keys()
    assert kinds >= {("played", "stand_in"), ("played", "bot"), ("played", None), ("passed", "stand_in")}
