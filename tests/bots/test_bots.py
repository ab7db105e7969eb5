"""Every sample bot as a real process: whole matches at small and large tables, and how it begins and ends."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import Any

import pytest

from arena.papayoo import POINTS_PER_ROUND
from protocol import CardAnswer, CardsAnswer, encode
from tests.bots.playing import Chooser, Lots, Process, Twins, play_match
from tests.bots.programs import ALL_BOTS, BOTS, PYTHON_BOTS, BotProcess, Program, compiled_bots, need, program

PASS: dict[str, Any] = {
    "type": "pass", "id": "p1", "table": 0, "round": 0, "dealer": 0, "seat": 1,
    "hand": ["S1", "S2", "H3", "H10", "D7", "C1", "C9", "P1", "P2", "P20"], "count": 3,
    "scores": [0] * 6, "move_ms": 1000, "bank_ms": 0, "events": [],
}  # fmt: skip
PLAY: dict[str, Any] = {
    "type": "play", "id": "q" * 32, "table": 0, "round": 0, "trick_number": 0, "dealer": 0, "leader": 0,
    "papayoo_suit": "D", "seat": 1, "hand": ["S1", "S2", "H3", "H10", "D7", "C1", "C9", "P1", "P2", "P20"],
    "legal": ["H3", "H10"], "trick": ["H5"], "received": ["S2", "P1", "P2"], "passed": ["S9", "H8", "P19"],
    "points": [0] * 6, "scores": [0] * 6, "move_ms": 1000, "bank_ms": 0,
    "events": [{"event": "played", "seat": 0, "card": "H5"}],
}  # fmt: skip


@pytest.fixture(scope="session")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of bots/c, compiled there."""
    return compiled_bots(tmp_path_factory)


@pytest.fixture(params=ALL_BOTS)
def bot(request: pytest.FixtureRequest) -> Program:
    return _program(request.param, request)


@pytest.fixture
def process(bot: Program) -> Iterator[BotProcess]:
    with BotProcess(bot) as started:
        yield started


def _program(name: str, request: pytest.FixtureRequest) -> Program:
    """The bot of that name. Compiles and looks for Node only if that bot needs it."""
    if name.startswith("javascript/"):
        need("node")
    compiled = request.getfixturevalue("compiled") if name.startswith("c/") else BOTS
    return program(name, compiled)


def test_every_folder_is_tested() -> None:
    programs = [path.parent for pattern in ("bot.*", "main.c") for path in BOTS.rglob(pattern)]
    folders = {
        str(folder.relative_to(BOTS))
        for folder in programs
        if folder.parent.name != "kits" and folder.name != "__pycache__"
    }
    assert folders == set(ALL_BOTS)


def test_says_who_it_is_plays_legally_and_exits_at_bye(bot: Program, process: BotProcess) -> None:
    ready = process.hello()
    language, _, folder = bot.name.partition("/")
    assert ready.name.casefold().startswith(folder)
    assert language.removesuffix("-strong") == (ready.language or "c").casefold()
    assert ready.version
    for players in (3, 5, 8):
        chance = Random(players)
        choosers: list[Chooser] = [Lots(chance) for _ in range(players)]
        choosers[chance.randrange(players)] = Process(process)
        assert sum(play_match(choosers, 2, chance)) == 2 * POINTS_PER_ROUND
    process.tell({"type": "bye", "reason": "the test is complete"})
    assert process.exit_code() == 0, "though its input stays open"


def test_reads_lines_however_they_come_and_exits_at_their_end(process: BotProcess) -> None:
    process.hello()
    line = encode(PASS)
    process.write(line[:1])
    process.write(line[1:77])
    process.write(line[77:] + encode(PLAY))
    cards, card = process.read(), process.read()
    assert isinstance(cards, CardsAnswer)
    assert len(cards.cards) == 3
    assert set(cards.cards) <= set(PASS["hand"])
    assert isinstance(card, CardAnswer)
    assert card.id == PLAY["id"]
    assert card.card in PLAY["legal"]
    for question in (PASS, PLAY):
        process.write(encode(question).removesuffix(b"\n") + b"\r\n")
        assert process.read().id == question["id"]
    _ignores_what_it_does_not_know(process)
    process.close_input()
    assert process.exit_code() == 0


def _ignores_what_it_does_not_know(process: BotProcess) -> None:
    odd: list[object] = [None, True, False, 0, 127, 128, 255, 256, 65535, 65536, 2**32, 2**53 - 1]
    odd += [-1, -32, -33, -128, -129, -(2**15), -(2**15) - 1, -(2**31), -(2**31) - 1, 1 - 2**53]
    odd += ["", "x" * 31, "x" * 32, "é" * 128, "x" * 5000, [], [0] * 15, [[]] * 16, {}]
    odd += [{f"key {i}": i for i in range(size)} for size in (15, 16, 64)]
    process.tell({"future": odd, "type": "weather", "table": odd})
    for question in (PASS, PLAY):
        assert process.ask({"future": odd, **question, "more": odd}).id == question["id"]


@pytest.mark.parametrize("name", PYTHON_BOTS)
def test_plays_the_same_again_with_the_same_seed(name: str) -> None:
    first, second = (_answers_of(program(f"python/{name}", BOTS), Random(5)) for _ in range(2))
    assert first == second


def _answers_of(bot: Program, chance: Random) -> list[list[str]]:
    """What a bot chooses in two matches in one process."""
    with BotProcess(bot) as process:
        process.hello()
        seat = Process(process)
        for _ in range(2):
            lots = Random(chance.random())
            play_match([Lots(lots), seat, Lots(lots), Lots(lots)], 2, lots)
    return seat.chosen


@pytest.mark.parametrize(
    ("name", "twin"), [("python/duck", "javascript/duck"), ("python/dump", "c/dump")]
)  # fmt: skip
def test_twins_play_alike(name: str, twin: str, request: pytest.FixtureRequest) -> None:
    with ExitStack() as stack:
        both = [stack.enter_context(BotProcess(_program(each, request))) for each in (name, twin)]
        for process in both:
            process.hello()
        for players in range(3, 9):
            chance = Random(players)
            seat = Twins(Process(both[0]), Process(both[1]))
            play_match([seat, *(Lots(chance) for _ in range(players - 1))], 2, chance)


def test_what_a_python_bot_prints_does_not_disturb_its_answers(tmp_path: Path) -> None:
    source = (BOTS / "python/low/bot.py").read_text()
    (tmp_path / "bot.py").write_text(source.replace("    return ", "    print('thinking')\n    return "))
    talkative = Program("talkative", program("python/low", BOTS).command, tmp_path)
    with BotProcess(talkative) as process:
        assert process.hello().name == "Low"
        assert process.ask(PLAY) == CardAnswer("q" * 32, "H3")
