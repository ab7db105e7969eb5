"""The environment for PettingZoo: its own tests, and rewards that are the points of the rules."""

from __future__ import annotations

import numpy as np
import pytest

from arena.learn import IllegalActionError, fact_names
from arena.papayoo import POINTS_PER_ROUND

pytest.importorskip("pettingzoo", reason='needs the extra "learn"')

from pettingzoo.test import api_test, seed_test

from arena.learn.zoo import PapayooEnv, env


@pytest.mark.filterwarnings("ignore::UserWarning")  # it warns of spaces that are a Dict
@pytest.mark.parametrize("players", [3, 4, 8])
def test_it_is_an_environment_of_pettingzoo(players: int, capsys: pytest.CaptureFixture[str]) -> None:
    api_test(env(players), num_cycles=300)
    assert "Passed API test" in capsys.readouterr().out


def test_the_same_seed_is_the_same_round() -> None:
    seed_test(env, num_cycles=120)


def played(zoo: PapayooEnv, seed: int) -> dict[str, int]:
    """The rewards of each agent in a round of first legal cards."""
    zoo.reset(seed=seed)
    total = dict.fromkeys(zoo.possible_agents, 0)
    for agent in zoo.agent_iter():
        seen, reward, ended, _, _ = zoo.last()
        total[agent] += int(reward)
        assert bool(seen["action_mask"].any()) is not ended
        zoo.step(None if ended else int(np.argmax(seen["action_mask"])))
    return total


@pytest.mark.parametrize("players", range(3, 9))
def test_rewards_are_the_points_taken(players: int) -> None:
    assert sum(played(env(players), 7).values()) == -POINTS_PER_ROUND


def test_an_agent_sees_what_the_batch_shows_it() -> None:
    zoo = env(4)
    zoo.reset(seed=3)
    seen = zoo._batch.observe()
    own = zoo.observe(zoo.agent_selection)
    planes = seen.planes.size
    assert (own["observation"][:planes] == seen.planes.ravel()).all()
    assert (own["observation"][planes:] == seen.facts[0]).all()
    assert own["observation"].size == planes + len(fact_names(4))
    assert not zoo.observe("seat_1")["action_mask"].any()


def test_the_round_is_shown_as_text() -> None:
    zoo = env(3, render_mode="ansi")
    zoo.reset(seed=1)
    assert "seat 0 may choose" in (zoo.render() or "")
    with pytest.raises(IllegalActionError):
        zoo.step(int(np.argmin(zoo.observe("seat_0")["action_mask"])))
    with pytest.raises(ValueError, match="render_mode"):
        env(3, render_mode="rgb")
