"""Shows how well the network plays after parts of its training: `python curve.py FOLDER` of train.py --keep.

Each network plays the same league against sample bots, all in this process: the deals, seats, rules and
score are those of a league. It prints points a round with their ±, and draws them.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from runpy import run_path
from typing import Any

import numpy as np
from network import Network

import arena.learn
from arena.learn import Watcher
from arena.learn.playing import Agent, play
from arena.papayoo import CARD_NAMES

SAMPLES = Path(arena.learn.__file__).parents[2] / "bots" / "python"
OPPONENTS = ("sharp", "count", "dump")
Message = Mapping[str, Any]
Scores = dict[str, tuple[float, float]]


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
    bot = run_path(str(SAMPLES / name / "bot.py"))
    return lambda question: bot["choose_pass" if question["type"] == "pass" else "choose_card"](question)


def measured(weights: Path, cycles: int) -> Scores:
    """Return the points a round of the network and of its opponents, with their ±."""
    agents: dict[str, Agent] = {"learned": Seat(Network.load(weights))}
    agents |= {name: sample(name) for name in OPPONENTS}
    rows = play(agents, cycles=cycles, seed="curve").standings.rows
    return {row.bot: (row.score, row.half_width or np.nan) for row in rows}


WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 720, 400, 50, 90, 30, 50
STYLE = """text{font:14px sans-serif;fill:#777}.grid{stroke:#8884}.bar{stroke:#0a8f66;stroke-width:2}
polyline{fill:none;stroke:#888;stroke-width:1.5}.learned{stroke:#0a8f66;stroke-width:2.5}"""


class Axes:
    """Where points a round and percents of the training stand in the drawing, these on a logarithmic axis."""

    def __init__(self, percents: Sequence[int], top: int) -> None:
        self._first, self._last, self._top = np.log(percents[0]), np.log(percents[-1]), top

    def x(self, percent: int) -> float:
        part = (np.log(percent) - self._first) / (self._last - self._first)
        return LEFT + (WIDTH - LEFT - RIGHT) * float(part)

    def y(self, points: float) -> float:
        return TOP + (HEIGHT - TOP - BOTTOM) * (1 - points / self._top)


def drawn(found: Mapping[int, Scores]) -> str:
    """Return the curve as an SVG, from what was measured after these percents of the training."""
    top = 20 * (1 + int(max(mean for scores in found.values() for mean, _ in scores.values()) // 20))
    axes = Axes(list(found), top)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}"><style>{STYLE}</style>',
        f'<text x="{LEFT}" y="18">points a round, fewer are better</text>',
        f'<text x="{LEFT}" y="{HEIGHT - 6}">of the training</text>',
    ]
    for points in range(0, top + 1, 20):
        parts.append(f'<path class="grid" d="M{LEFT} {axes.y(points):.0f}H{WIDTH - RIGHT}"/>')
        parts.append(f'<text x="{LEFT - 8}" y="{axes.y(points) + 5:.0f}" text-anchor="end">{points}</text>')
    for percent, scores in found.items():
        at, (mean, plus) = f"{axes.x(percent):.0f}", scores["learned"]
        parts.append(f'<text x="{at}" y="{HEIGHT - 28}" text-anchor="middle">{percent} %</text>')
        parts.append(f'<path class="bar" d="M{at} {axes.y(mean - plus):.1f}V{axes.y(mean + plus):.1f}"/>')
    low = 0.0  # the labels do not cover each other
    ends = sorted(list(found.values())[-1].items(), key=lambda end: -end[1][0])
    for name, (last, _) in ends:
        line = " ".join(f"{axes.x(at):.0f},{axes.y(scores[name][0]):.1f}" for at, scores in found.items())
        low = max(low + 16, axes.y(last) + 5)
        parts.append(f'<polyline class="{name}" points="{line}"/>')
        parts.append(f'<text x="{WIDTH - RIGHT + 8}" y="{low:.0f}">{name.capitalize()}</text>')
    return "\n".join([*parts, "</svg>", ""])


def main() -> None:
    parser = argparse.ArgumentParser(
        description="Show how well the network plays after parts of its training."
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--cycles", type=int, default=100, help="sessions of each network, of 16 rounds")
    parser.add_argument("--svg", type=Path, help="draw the curve into this file")
    given = parser.parse_args()
    found: dict[int, Scores] = {}
    for path in sorted(given.folder.glob("*-percent.npz")):
        percent = int(path.name.partition("-")[0])
        scores = found[percent] = measured(path, given.cycles)
        said = "   ".join(f"{name} {mean:5.1f} ± {plus:.1f}" for name, (mean, plus) in scores.items())
        print(f"{percent:3} %   {said}", flush=True)
    if not found:
        parser.error(
            f"{given.folder}: no 010-percent.npz or the like; train.py --keep {given.folder} makes them"
        )
    if given.svg is not None:
        given.svg.write_text(drawn(found), encoding="utf-8")


if __name__ == "__main__":
    main()
