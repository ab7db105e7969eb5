"""Shows how well the network plays after parts of its training: `python curve.py FOLDER` of train.py --keep.

Each network plays the same league against sample bots, all in this process: the deals, seats, rules and
score are those of a league. It prints points a round with their ±.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from runpy import run_path
from typing import Any

import numpy as np
from network import Network

import arena
from arena.learn import Watcher
from arena.learn.playing import Agent, play
from arena.papayoo import CARD_NAMES

SAMPLES = Path(arena.__file__).parents[1] / "bots" / "python"
OPPONENTS = ("sharp", "count", "dump")
Message = Mapping[str, Any]


class Seat:
    """A network at one table, as an agent of `arena.learn.play`."""

    def __init__(self, network: Network) -> None:
        self._network = network
        self._watcher = Watcher()

    def __call__(self, question: Message) -> Sequence[str]:
        self._watcher.told(question)
        chosen: list[str] = []
        for _ in range(question.get("count", 1)):
            seen = self._watcher.observe(chosen if question["type"] == "pass" else ())
            chosen.append(CARD_NAMES[int(self._network.choose(seen)[0])])
        return chosen


def sample(name: str) -> Agent:
    """Return a sample bot in Python as an agent."""
    sys.path.insert(0, str(SAMPLES / name))  # for its papayoo_bot, the same in each folder
    bot = run_path(str(SAMPLES / name / "bot.py"))
    return lambda question: bot["choose_pass" if question["type"] == "pass" else "choose_card"](question)


def measured(weights: Path, cycles: int) -> dict[str, tuple[float, float]]:
    """Return the points a round of the network and of its opponents, with their ±."""
    agents: dict[str, Agent] = {"learned": Seat(Network.load(weights))}
    agents |= {name: sample(name) for name in OPPONENTS}
    rows = play(agents, cycles=cycles, seed="curve").standings.rows
    return {row.bot: (row.score, row.half_width or np.nan) for row in rows}


def main() -> None:
    parser = argparse.ArgumentParser(
        description="Show how well the network plays after parts of its training."
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--cycles", type=int, default=100, help="sessions of each network, of 16 rounds")
    given = parser.parse_args()
    found = [(path.stem, measured(path, given.cycles)) for path in sorted(given.folder.glob("*.npz"))]
    for stem, scores in found:
        print(
            f"{stem:<14}"
            + "   ".join(f"{name} {mean:5.1f} ± {plus:.1f}" for name, (mean, plus) in scores.items())
        )


if __name__ == "__main__":
    main()
