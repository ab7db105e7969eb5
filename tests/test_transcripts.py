"""The transcripts in protocol/transcripts are what a real match sends, and what the bot `first` answers.

Run as a script, this file writes them anew.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from arena.deals import MatchKey, PhaseDeals, seeded_secret
from arena.match.game import Match, addressed
from arena.match.question_ids import QuestionIds
from arena.match.record import MatchSetup, Terms
from arena.match.stand_in import from_deals
from protocol.codec import decode, encode
from protocol.messages import PROTOCOL, Ready, answer_line, ready_line
from tests.bots.programs import need

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "protocol" / "transcripts"
SEAT = 1
HELLO_ID = "hello-1"


def first_answers(message: dict[str, object], question_id: str) -> bytes:
    """What `first` says: the first `count` cards of the hand, or the first legal card."""
    if message["type"] == "pass":
        hand, count = message["hand"], message["count"]
        assert isinstance(hand, list)
        assert isinstance(count, int)
        return answer_line(question_id, hand[:count])
    legal = message["legal"]
    assert isinstance(legal, list)
    return answer_line(question_id, legal[0])


def transcript(players: int) -> tuple[bytes, bytes]:
    """(all lines to the bot at SEAT, all lines from it) of one match in which `first` sits everywhere."""
    deals = PhaseDeals(seeded_secret("transcripts", players)).session(0, 0)
    key = MatchKey(0, 0, 0)
    setup = MatchSetup(
        boards=tuple(deals.board(number, players) for number in range(players)),
        suits=deals.suits(key),
        seeds=tuple(deals.bot_seed(key, seat) for seat in range(players)),
        terms=Terms(move_ms=1000, bank_ms=0, fault_points=40, max_faults=3),
    )
    ids = [QuestionIds(f"{seat:032x}") for seat in range(players)]
    hello = {"type": "hello", "id": HELLO_ID, "protocol": PROTOCOL, "arena": "transcript", "tables_max": 1}
    told, said = [encode(hello)], [ready_line(Ready(HELLO_ID, "First", "1"))]
    match = Match(setup, from_deals(deals, key))
    match.begin()
    while True:
        told += [encode(addressed(message, 0)) for seat, message in match.take_news() if seat == SEAT]
        if match.over:
            break
        seat = match.waiting()[0]
        question_id = next(ids[seat])
        message = addressed(match.ask(seat).message, 0, question_id)
        line = first_answers(message, question_id)
        if seat == SEAT:
            told.append(encode(message))
            said.append(line)
        answer = decode(line)
        cards = answer["cards"] if message["type"] == "pass" else [answer["card"]]
        assert isinstance(cards, list)
        assert match.answer(seat, [str(card) for card in cards], 0) is None
    told.append(encode({"type": "bye", "reason": "the transcript ends"}))
    return b"".join(told), b"".join(said)


@pytest.mark.parametrize("players", range(3, 9))
def test_the_files_are_what_a_match_sends(players: int) -> None:
    told, said = transcript(players)
    assert (FOLDER / f"{players}p.in").read_bytes() == told
    assert (FOLDER / f"{players}p.out").read_bytes() == said


def test_the_bot_first_answers_as_the_files_say(tmp_path: Path) -> None:
    need("gcc")
    program = tmp_path / "first"
    subprocess.run(["gcc", "-O2", "-o", program, ROOT / "bots/c/first/main.c"], check=True)
    for players in range(3, 9):
        told, said = FOLDER / f"{players}p.in", FOLDER / f"{players}p.out"
        with told.open("rb") as lines:
            done = subprocess.run([program], stdin=lines, capture_output=True, timeout=20, check=True)
        assert done.stdout == said.read_bytes()


if __name__ == "__main__":
    for size in range(3, 9):
        sent, answered = transcript(size)
        (FOLDER / f"{size}p.in").write_bytes(sent)
        (FOLDER / f"{size}p.out").write_bytes(answered)
