"""The event loop of a referee: its clock is the counter itself, and it keeps time as trio's own does."""

from __future__ import annotations

import os
import signal

import pytest

from arena.bot.channel import PipeChannel
from arena.linux.alarm import run


@pytest.mark.parametrize("fails", [False, True], ids=["done", "failed"])
def test_the_alarm_is_silent_when_the_loop_has_ended(fails: bool) -> None:
    """A signal while the loop closes its wakeup descriptor is complained about: 'Bad file descriptor'."""

    async def wait_a_moment() -> None:
        down, up = os.pipe(), os.pipe()
        channel = PipeChannel(down[1], up[0])
        assert channel.read_soon() is None
        assert signal.getitimer(signal.ITIMER_REAL)[1] > 0, "it rings"
        channel.close()
        os.close(down[0])
        os.close(up[1])
        if fails:
            raise KeyError("ours")

    if fails:
        with pytest.raises(KeyError, match="ours"):
            run(wait_a_moment)
    else:
        run(wait_a_moment)
    assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)
