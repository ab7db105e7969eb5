"""Reviews the decisions at one seat of a match that was just played, in a process beside it.

The process is `arena review`, so the numbers are those that its user would get. Stores nothing.
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
from reports import CostlyDecision, LookBack

_WORLDS: Final = 64
"""In how many deals each decision is tried."""


class NotReviewed(Exception):  # noqa: N818  (it says what happened)
    """The review failed. The text says why."""


async def look_back(file: MatchFile, seat: int) -> LookBack:
    """Return what the decisions at a seat of a match cost. Raises NotReviewed."""
    with tempfile.TemporaryDirectory(prefix="arena-back-") as folder:
        path = Path(folder) / "match.json"
        path.write_bytes(write_match_file(file))
        argv, environment = same_python(
            "-m", "arena", "review", str(path), file.record.seats[seat].bot,
            "--worlds", str(_WORLDS), "--json",
        )  # fmt: skip
        done = await trio.run_process(
            argv, env=environment, capture_stdout=True, capture_stderr=True, check=False,
            stdin=subprocess.DEVNULL,
        )  # fmt: skip
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise NotReviewed(said[-1] if said else f"it ended with {done.returncode}")
    return _of(json.loads(done.stdout), seat)


def _of(found: dict[str, Any], seat: int) -> LookBack:
    a_round = found["a_round"]
    return LookBack(
        seat=seat,
        tried=found["reviewed"],
        a_round=None if a_round is None else (a_round["value"], a_round["error"]),
        costly=tuple(
            CostlyDecision(
                one["round"],
                one["question"],
                tuple(one["chosen"]),
                tuple(one["best"]),
                one["cost"],
                one["error"],
            )
            for one in found["costliest"]
        ),
    )
