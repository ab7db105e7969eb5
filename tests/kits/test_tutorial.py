"""The change that the tutorial asks for, made in every language: all bots then play the same cards."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from arena.workbench.kits import Kit
from protocol import decode
from tests.kits.fresh import each, fresh, needed, talk, with_python
from tests.pages import blocks, change

LINES = [
    line
    for players in range(3, 9)
    for line in files("protocol").joinpath("transcripts", f"{players}p.in").read_bytes().splitlines()
    if decode(line)["type"] != "bye"
]


def rank(card: str) -> int:
    return int(card[1:])


def told_to_play(question: dict[str, Any]) -> str:
    """What the tutorial wants: stay below; lead the lowest; throw what is most expensive, first of equals."""
    legal, trick = question["legal"], question["trick"]
    if not trick:
        return min(legal, key=rank)
    if legal[0][0] != trick[0][0]:
        papayoo = question["papayoo_suit"] + "7"
        return max(
            legal, key=lambda card: (40 if card == papayoo else rank(card) * (card[0] == "P"), rank(card))
        )
    best = max(rank(card) for card in trick if card[0] == trick[0][0])
    return max((card for card in legal if rank(card) < best), key=rank, default=min(legal, key=rank))


def expected(question: dict[str, Any]) -> list[str]:
    if question["type"] == "play":
        return [told_to_play(question)]
    return sorted(question["hand"], key=rank)[-question["count"] :]


@pytest.mark.parametrize("kit", each())
def test_the_changed_bot_throws_its_most_expensive_card(kit: Kit, tmp_path: Path) -> None:
    needed(kit)
    folder = fresh(kit, tmp_path)
    [diff] = [block.text for block in blocks("tutorial.md") if block.about == (kit.title, kit.edit)]
    change(folder / kit.edit, diff)
    if kit.build:
        built = talk(kit.build, folder, b"")
        assert built.returncode == 0, (built.stdout + built.stderr).decode()
    done = talk(with_python(kit.command), folder, b"\n".join(LINES) + b"\n")
    assert done.returncode == 0, done.stderr.decode()
    questions = [message for line in LINES if (message := decode(line))["type"] in ("pass", "play")]
    answers = [message for line in done.stdout.splitlines() if (message := decode(line))["type"] != "ready"]
    assert [message["id"] for message in answers] == [message["id"] for message in questions]
    for question, answer in zip(questions, answers, strict=True):
        cards = answer["cards"] if question["type"] == "pass" else [answer["card"]]
        assert cards == expected(question), question
    assert any(played_off_suit(question) for question in questions)


def played_off_suit(question: dict[str, Any]) -> bool:
    return (
        question["type"] == "play"
        and bool(question["trick"])
        and question["legal"][0][0] != question["trick"][0][0]
    )
