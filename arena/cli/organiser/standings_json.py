"""The standings of a season as JSON, with full precision. `standings` prints it; it computes nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.score.columns import COLUMNS
from arena.score.verdicts import Look, NoLook, Pair
from arena.store.stage import season_title

if TYPE_CHECKING:
    from arena.store.scoring import Scored
    from arena.store.views import SeasonView

__all__ = ["standings_json"]


def standings_json(season: SeasonView, score: Scored) -> dict[str, object]:
    """Return the standings; null where there is no number."""
    shown, seen = score.standings, score.look
    return {
        "season": season.number,
        "title": season_title(season),
        **_stage_json(season),
        "par": shown.par,
        "comparable": shown.comparable,
        "provisional": shown.provisional,
        "form_varies": dict(shown.fit.varying),
        "sessions_complete": len(score.results),
        "sessions_counted": shown.fit.session_count,
        "standings": [
            {column.name: column.value(line) for column in COLUMNS} for line in score.lines(season)
        ],
        **_open_json(season, score),
        "verdicts": _look_json(seen, score.scoring.margin),
    }


def _stage_json(season: SeasonView) -> dict[str, object]:
    """Return which stage a season is and who went on to it; nothing in a league without stages."""
    told = season.section("stage")
    return {"stage": dict(told)} if told else {}


def _open_json(season: SeasonView, score: Scored) -> dict[str, object]:
    """Return what only an open league has."""
    from arena.store.scoring import newcomers

    if not season.open:
        return {}
    shown = score.standings
    return {
        "catching_up": {
            entry: {"sessions": sessions, "needed": needed}
            for entry, (sessions, needed) in newcomers(season, score).items()
        },
        "protected_against_drift": shown.fit.protected,
    }


def _look_json(seen: Look | NoLook, margin: float) -> dict[str, object]:
    """Return the verdicts: every pair with what is known of it, or the reason why there are none."""
    if isinstance(seen, NoLook):
        return {"reason": seen.reason}
    return {
        "cycles": seen.cycles,
        "sessions": seen.sessions,
        "margin": margin,
        "settled": seen.settled,
        "undecided": [[pair.better, pair.worse] for pair in seen.open_neighbours],
        "pairs": [_pair_json(pair) for pair in seen.pairs],
    }


def _pair_json(pair: Pair) -> dict[str, object]:
    return {
        "better": pair.better,
        "worse": pair.worse,
        "difference": pair.difference,
        "se": pair.se,
        "low": pair.low,
        "high": pair.high,
        "verdict": pair.verdict.value,
        "more_sessions": pair.more_sessions,
    }
