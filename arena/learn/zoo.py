"""Papayoo as an environment of PettingZoo: one round, each seat an agent, with masks of legal actions.

    env = env(players=4)
    env.reset(seed=1)
    for agent in env.agent_iter():
        seen, reward, ended, cut, info = env.last()
        env.step(None if ended else choose(seen["observation"], seen["action_mask"]))

An action is a card, 0 to 59. The cards that a seat passes are single choices in turn, all of a seat before
the next seat's. The encodings are those of `arena.learn.batch`, which plays the round. It needs the extra
"learn".
"""

from __future__ import annotations

from typing import Any, ClassVar, TypeAlias

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from numpy.typing import NDArray
from pettingzoo import AECEnv

from arena.learn.batch import Batch, fact_names
from arena.learn.boards import Boards
from arena.papayoo import CARDS, POINTS_PER_ROUND, card_name

Seen: TypeAlias = dict[str, NDArray[Any]]


def env(players: int = 4, render_mode: str | None = None) -> PapayooEnv:
    """Return `papayoo_v0`. `render_mode`: "ansi" (`render` returns a text), "human" (it prints it)."""
    return PapayooEnv(players, render_mode)


class PapayooEnv(AECEnv[str, Seen, int]):
    """One round of Papayoo. The agents are "seat_0", "seat_1", ...

    An observation is {"observation": int16, flat, "action_mask": int8, 60}. The first (6 + P) x 60 numbers of
    an observation are the planes, the others the facts of `arena.learn.Observation`. The reward of a seat is
    minus the points that it takes, at the end of the trick. `reset(seed)` decides the deal and the dealer.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "papayoo_v0",
        "render_modes": ["ansi", "human"],
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(self, players: int = 4, render_mode: str | None = None) -> None:
        super().__init__()
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise ValueError(f'render_mode is "ansi" or "human", not {render_mode!r}')
        self.render_mode = render_mode
        self.possible_agents = [f"seat_{seat}" for seat in range(players)]
        self._players = players
        self._random = np.random.default_rng()
        size = (6 + players) * CARDS + len(fact_names(players))
        space = Dict(
            {
                "observation": Box(-POINTS_PER_ROUND, POINTS_PER_ROUND, (size,), np.int16),
                "action_mask": Box(0, 1, (CARDS,), np.int8),
            }
        )
        self.observation_spaces = dict.fromkeys(self.possible_agents, space)
        self.action_spaces = {agent: Discrete(CARDS) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> Dict:
        """Return the space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete:
        """Return the space of an agent's actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal a new round."""
        if seed is not None:
            self._random = np.random.default_rng(seed)
        boards = Boards.drawn(self._random, 1, self._players, int(self._random.integers(self._players)))
        self._batch = Batch(1, self._players, boards=boards, renewed=False)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self._to_act

    @property
    def _to_act(self) -> str:
        return self.possible_agents[int(self._batch.turn[0])]

    def observe(self, agent: str) -> Seen:
        """Return what an agent may know now. Only who is to act has legal actions."""
        seen = self._batch.observe(np.array([self.possible_agents.index(agent)]))
        flat = np.concatenate([seen.planes[0].ravel().astype(np.int16), seen.facts[0]])
        return {"observation": flat, "action_mask": seen.legal[0].astype(np.int8)}

    def step(self, action: int | None) -> None:
        """Choose a card for the agent to act. IllegalActionError if it may not be chosen."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        assert action is not None, "only an agent that has ended has no action"
        self._cumulative_rewards[agent] = 0
        step = self._batch.step(np.array([action]))
        self.rewards = dict(zip(self.agents, map(int, step.rewards[0]), strict=True))
        if step.done:
            self.terminations = dict.fromkeys(self.agents, True)
        else:
            self.agent_selection = self._to_act
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | None:
        """Return the round as text, or print it, as the mode says."""
        if self.render_mode is None:
            return None
        seat, legal = int(self._batch.turn[0]), np.flatnonzero(self._batch.legal()[0])
        lines = [*self._batch.information(0).split("; "), f"points {self._batch.points[0].tolist()}"]
        if legal.size:
            lines.append(f"seat {seat} may choose {' '.join(map(card_name, map(int, legal)))}")
        text = "\n".join(lines)
        if self.render_mode == "human":
            print(text, end="\n\n")
            return None
        return text

    def close(self) -> None:
        """Do nothing: it holds nothing."""
