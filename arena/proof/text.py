"""The findings of the proof as text for people and as data for JSON. Simulates nothing."""

from __future__ import annotations

from collections.abc import Sequence

from arena.proof.figure import Figure
from arena.proof.study import Findings

__all__ = ["findings_data", "findings_text", "summary"]

_LABEL_WIDTH = 46


def findings_text(findings: Findings) -> str:
    """Return a study as text: a title and a line for each figure."""
    title = f"{findings.title} ({findings.leagues:,} leagues)"
    return "\n".join([title, *map(_line, findings.figures), ""])


def findings_data(all_findings: Sequence[Findings], seed: int) -> dict[str, object]:
    """Return all findings as data; shares and rates are fractions of 1."""
    return {
        "seed": seed,
        "holds": all(findings.holds for findings in all_findings),
        "studies": [
            {
                "name": findings.name,
                "title": findings.title,
                "leagues": findings.leagues,
                "figures": list(map(_data, findings.figures)),
            }
            for findings in all_findings
        ],
    }


def summary(all_findings: Sequence[Findings]) -> str:
    """Return the last line: how many claims hold, and which do not."""
    claims = [figure for findings in all_findings for figure in findings.figures if figure.claimed]
    broken = [figure.key for figure in claims if not figure.holds]
    if not claims:
        return "Nothing is claimed of these figures."
    if not broken:
        return f"All {len(claims)} claims hold."
    return f"{len(broken)} of {len(claims)} claims do not hold: {', '.join(broken)}"


def _line(figure: Figure) -> str:
    value = f"{_number(figure, figure.value)} ± {_number(figure, figure.error)}"
    return f"  {figure.label:{_LABEL_WIDTH}}{value:>18}   {_claim(figure)}".rstrip()


def _claim(figure: Figure) -> str:
    """Return the claim and whether it holds, or an empty text for a figure that is only reported."""
    match figure.low, figure.high:
        case None, None:
            return ""
        case None, high if high is not None:
            claim = f"at most {_number(figure, high)}"
        case low, None if low is not None:
            claim = f"at least {_number(figure, low)}"
        case low, high:
            claim = f"{_number(figure, low or 0.0)} to {_number(figure, high or 0.0)}"
    return f"{claim}{'' if figure.holds else ': DOES NOT HOLD'}"


def _number(figure: Figure, value: float) -> str:
    return f"{100 * value:z.2f} %" if figure.percent else f"{value:z.2f}"


def _data(figure: Figure) -> dict[str, object]:
    return {
        "key": figure.key,
        "label": figure.label,
        "value": figure.value,
        "error": figure.error,
        "low": figure.low,
        "high": figure.high,
        "holds": figure.holds,
    }
