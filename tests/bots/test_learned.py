"""Learned: its network knows no suit by name, its bot plays at many tables, and training makes it better."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from arena.learn import PLANES, Batch, Observation, fact_names
from arena.learn.playing import play
from protocol import encode
from tests.bots.programs import BOTS, BotProcess, program
from tests.bots.redealing import modules as modules_of
from tests.bots.test_bots import PASS, PLAY

LEARNED = BOTS / "python-strong/learned"


@pytest.fixture(scope="module")
def modules() -> SimpleNamespace:
    return modules_of("python-strong/learned")


@pytest.fixture(scope="module")
def network(modules: SimpleNamespace) -> Any:
    return modules.network.Network.load(LEARNED / "weights.npz")


def observed(players: int, rounds: int = 2) -> Iterator[Observation]:
    """What is seen at every decision of some rounds that are played at random."""
    batch, random = Batch(rounds, players, 5), np.random.default_rng(5)
    for _ in range(batch.decisions):
        seen = batch.observe()
        yield seen
        batch.step(np.where(seen.legal, random.random(seen.legal.shape), 2).argmin(axis=1))


def renamed(seen: Observation, order: Sequence[int]) -> Observation:
    """The same with other names of the plain suits: what stood at suit `order[i]` stands at suit i."""
    cards = [10 * suit + rank for suit in order for rank in range(10)] + list(range(40, 60))
    players = seen.planes.shape[1] - len(PLANES)
    names, letters = fact_names(players), "SHDC"
    to = {letters[i]: letters[suit] for i, suit in enumerate(order)} | {"P": "P"}
    columns = [
        names.index(f"{name[:-1]}{to[name[-1]]}") if name.startswith(("papayoo", "led", "void")) else at
        for at, name in enumerate(names)
    ]
    planes = seen.planes[:, :, cards]
    return Observation(planes, seen.facts[:, columns], planes[:, 1].astype(bool), seen.seat)


@pytest.mark.parametrize("players", [3, 5, 8])
def test_the_names_of_the_suits_mean_nothing_to_it(players: int, network: Any) -> None:
    order, compared = (2, 0, 3, 1), 0
    for seen in observed(players):
        chosen: NDArray[np.intp] = network.choose(seen)
        assert seen.legal[np.arange(len(chosen)), chosen].all()
        other: NDArray[np.intp] = network.choose(renamed(seen, order))
        back = np.array([10 * order[card // 10] + card % 10 if card < 40 else card for card in other])
        # Of two suits with the same ranks in the hand it may see either first.
        suits = [
            [hand[10 * suit : 10 * suit + 10].tobytes() for suit in range(4)] for hand in seen.planes[:, 0]
        ]
        told_apart = np.array([len(set(hands)) == 4 for hands in suits])
        assert (chosen == back)[told_apart].all()
        compared += int(told_apart.sum())
    assert compared > 50


@pytest.mark.slow
def test_it_beats_count_and_what_is_weaker(modules: SimpleNamespace, network: Any) -> None:
    agents: Mapping[str, Any] = {
        "learned": modules.curve.Seat(network),
        **{name: modules.curve.sample(name) for name in ("count", "dump", "duck")},
    }
    rows = {row.bot: row for row in play(agents, cycles=20).standings.rows}
    assert next(iter(rows)) == "learned"
    learned, count = rows["learned"], rows["count"]
    assert learned.half_width is not None
    assert learned.score + learned.half_width < count.score


@pytest.mark.slow
def test_training_is_repeated_by_its_seed_and_makes_it_better(tmp_path: Path) -> None:
    def trained(name: str, seed: int) -> bytes:
        out = tmp_path / f"{name}.npz"
        command = [sys.executable, "train.py", "--batches", "2", "--seed", str(seed), "--out", str(out)]
        told = subprocess.run(command, cwd=LEARNED, capture_output=True, text=True, check=True).stdout
        first, *_, last = (float(line.split()[-2]) for line in told.splitlines())
        assert last < first
        with np.load(out) as found:
            return b"".join(found[key].tobytes() for key in found.files)

    assert trained("one", 1) == trained("same", 1) != trained("other", 2)


def test_it_answers_all_tables_in_one_batch_as_one_by_one() -> None:
    questions = [
        {**question, "table": table, "id": f"{question['type']}{table}", "seat": table % 6}
        for table in range(8)
        for question in ((PASS,) if table % 2 else (PLAY,))
    ]
    with (
        BotProcess(program("python-strong/learned", BOTS)) as together,
        BotProcess(program("python-strong/learned", BOTS)) as alone,
    ):
        assert together.hello().tables == alone.hello().tables == 8
        together.write(b"".join(map(encode, questions)))
        assert [together.read() for _ in questions] == [alone.ask(question) for question in questions]
