"""Asks Redeal what it would have done at one seat of a match that was just played, in a process beside it.

The process is `arena review --against`, so the numbers are those that its user would get. Stores nothing.
"""

from __future__ import annotations

import json
import subprocess
import tempfile
from pathlib import Path
from typing import Any, Final

import trio

from arena.linux.installation import same_python
from arena.verify.match_file import MatchFile, write_match_file
from reports import AskedBack, Differing

__all__ = ["NotAsked", "asked_back"]

_WORLDS: Final = 64
"""In how many deals each difference is tried: on a server's core a match of four rounds takes 20 s."""
_BOT: Final = "redeal"


class NotAsked(Exception):  # noqa: N818  (it says what happened)
    """Redeal could not be asked. The text says why."""


async def asked_back(file: MatchFile, seat: int) -> AskedBack:
    """Return what Redeal would have done at a seat of a match. Raises NotAsked."""
    with tempfile.TemporaryDirectory(prefix="arena-back-") as folder:
        path = Path(folder) / "match.json"
        path.write_bytes(write_match_file(file))
        argv, environment = same_python(
            "-m", "arena", "review", str(path), file.record.seats[seat].bot,
            "--against", _BOT, "--worlds", str(_WORLDS), "--json",
        )  # fmt: skip
        done = await trio.run_process(
            argv, env=environment, capture_stdout=True, capture_stderr=True, check=False,
            stdin=subprocess.DEVNULL,
        )  # fmt: skip
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise NotAsked(said[-1] if said else f"it ended with {done.returncode}")
    (found,) = json.loads(done.stdout)
    return _of(found, seat)


def _of(found: dict[str, Any], seat: int) -> AskedBack:
    a_round = found["a_round"]
    return AskedBack(
        seat=seat,
        name=found["name"],
        asked=found["asked"],
        a_round=None if a_round is None else (a_round["value"], a_round["error"]),
        exact=found["exact"],
        differing=tuple(
            Differing(
                one["round"],
                one["question"],
                tuple(one["chosen"]),
                tuple(one["other"]),
                one["cost"],
                one["error"],
            )
            for one in found["differences"]
        ),
    )
