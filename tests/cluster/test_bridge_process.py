"""The bridge as a process: however it ends, it is gone in time, and says what was wrong."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from arena.cluster.bridge_lines import BRIDGE_LINES, END_SECONDS, Connect
from arena.runner.child import CLOSE_SECONDS
from tests.cluster.test_bridge import ORDER

PATIENCE = 60.0
CONNECT = BRIDGE_LINES.write(Connect("tls://far:1", None, ORDER, {}, 300.0))
_BODY = """
import asyncio, threading, time
from arena.cluster import bridge
# As Dask's threads, which may wait for somebody who is gone.
threading.Thread(target=time.sleep, args=(1000,)).start()

class Engine:
    async def workers(self): return frozenset()
    async def change(self): await hang()
    async def close(self): pass

async def hang():
    while True:
        try:
            await asyncio.sleep(1000)
        except asyncio.CancelledError:
            pass

async def connecting(connect): return Engine()

{change}
bridge._dask = connecting
bridge.END_SECONDS = 0.05
bridge.main()
"""
_RAISES = """
async def close(self): raise RuntimeError("the engine is odd")
Engine.close = close
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "said", "code", "words"),
    [
        pytest.param("async def connecting(connect): await hang()", CONNECT, 0, "", id="connects"),
        pytest.param("Engine.close = lambda self: hang()", CONNECT, 0, "", id="close hangs"),
        pytest.param(_RAISES, CONNECT, 1, "RuntimeError: the engine is odd", id="close raises"),
        pytest.param("", CONNECT + b"rm -rf /\n", 1, "ValueError", id="hears nonsense"),
    ],
)
def test_a_bridge_always_ends_and_says_what_was_wrong(
    change: str, said: bytes, code: int, words: str
) -> None:
    done = subprocess.run(
        [sys.executable, "-c", _BODY.format(change=change)],
        cwd=Path(__file__).parents[2], input=said, capture_output=True, timeout=PATIENCE, check=False,
    )  # fmt: skip
    assert done.returncode == code, done.stderr
    assert words in done.stderr.decode()
    assert bool(done.stderr) == bool(code)


def test_a_bridge_ends_before_it_is_killed() -> None:
    assert END_SECONDS < CLOSE_SECONDS
