"""The game as an environment for learners; docs/learning.md explains it by examples.

It needs numpy, and for `arena.learn.zoo` the extra "learn". It must not know leagues, and starts no process.
"""

from arena.learn.batch import PLANES, Batch, IllegalActionError, Observation, Step, fact_names
from arena.learn.boards import Boards
from arena.learn.watching import Watcher

__all__ = ["PLANES", "Batch", "Boards", "IllegalActionError", "Observation", "Step", "Watcher", "fact_names"]
