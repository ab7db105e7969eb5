"""The end at `bye`, with a bot that the test plays: how long it may take, and whose time counts."""

from __future__ import annotations

import pytest

from arena.workbench.check.ending import at_bye
from arena.workbench.check.script import Finding, Heard, Leave, Restart, Verdict
from arena.workbench.check.talk import Talk


def found(heard: Heard) -> Finding:
    """How the step comes out when this was heard."""
    script = at_bye(Talk())
    assert isinstance(next(script), Restart)
    assert isinstance(script.send(Heard()), Leave)
    with pytest.raises(StopIteration) as end:
        script.send(heard)
    (finding,) = end.value.value
    assert isinstance(finding, Finding)
    return finding


EXITED = "the process ended by itself, with exit code "


@pytest.mark.parametrize(
    ("after", "queued", "code", "verdict", "said"),
    [
        (0.15, 0.0, 0, Verdict.PASSED, "150 ms after `bye`: the process ended by itself, with exit code 0"),
        (0.25, 0.0, 0, Verdict.WARNED, "250 ms after `bye`: "),
        (0.25, 0.1, 0, Verdict.PASSED, "150 ms after `bye`: "),
        (0.35, 0.1, 0, Verdict.WARNED, "after 0.2 s a referee kills it"),
        (0.15, 0.2, 0, Verdict.PASSED, "0 ms after `bye`: "),
        (0.15, 0.0, 3, Verdict.WARNED, "exit code 3"),
    ],
)
def test_it_must_exit_soon_by_its_own_time(
    after: float, queued: float, code: int, verdict: Verdict, said: str
) -> None:
    finding = found(Heard(ended=f"{EXITED}{code}", after=after, queued=queued))
    assert finding.verdict is verdict
    assert said in finding.text
