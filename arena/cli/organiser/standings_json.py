"""The standings of a season as JSON, with full precision. `standings` prints it; it computes nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.standings import Look, NoLook, Pair, Standing
from arena.standings.open_look import OpenLook
from arena.store.titles import season_title

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
        "intervals": shown.intervals,
        "provisional": shown.provisional,
        "form_varies": dict(shown.fit.varying),
        "standings": [_line_json(season, score, line) for line in (*shown.rows, *shown.house)],
        **_open_json(season, score),
        "verdicts": _look_json(seen, score.scoring.margin),
    }


def _stage_json(season: SeasonView) -> dict[str, object]:
    """Return which stage a season is and who went on to it; nothing in a league without stages."""
    told = season.section("stage")
    return {"stage": dict(told)} if told else {}


def _open_json(season: SeasonView, score: Scored) -> dict[str, object]:
    """Return what only an open league has."""
    from arena.store.newcomers import newcomers, too_few_opponents

    if not season.open:
        return {}
    seen = score.look
    return {
        "retired": [_line_json(season, score, line) for line in score.standings.retired],
        "catching_up": {
            entry: {"sessions": sessions, "needed": needed}
            for entry, (sessions, needed) in newcomers(season, score).items()
        },
        "too_few_opponents": list(too_few_opponents(season, score)),
        "protected_against_drift": seen.protected if isinstance(seen, OpenLook) else None,
    }


def _look_json(seen: Look | NoLook, margin: float) -> dict[str, object]:
    """Return the verdicts: every pair with what is known of it, or the reason why there are none."""
    if isinstance(seen, NoLook):
        return {"reason": seen.reason}
    return {
        "cycles": seen.cycles,
        "sessions": seen.sessions,
        "boundary": seen.boundary,
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
        "verdict": pair.verdict.value,
        "more_sessions": pair.more_sessions,
    }


def _line_json(season: SeasonView, score: Scored, line: Standing) -> dict[str, object]:
    names, seen = {entry.bot: entry.name for entry in season.entries}, score.look
    low, high = seen.ranks.get(line.bot, (None, None)) if isinstance(seen, Look) else (None, None)
    ruling = score.ruling_on(line.bot)
    return {
        "rank": line.rank,
        "rank_low": low,
        "rank_high": high,
        "letters": list(seen.letters.get(line.bot, ())) if isinstance(seen, Look) else None,
        "bot": line.bot,
        "name": names[line.bot],
        "score": line.score,
        "half_width": line.half_width,
        "standard_error": line.standard_error,
        "card_points": line.fap,
        "fault_points": line.charge,
        "sessions": line.sessions,
        "rounds": line.rounds,
        "house": line.house,
        "excluded_by": ruling.by if ruling else None,
        "reason": ruling.reason if ruling else None,
    }
