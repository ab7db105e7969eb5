"""The leaderboard of a season as text that fits 80 columns, and as JSON. Works nothing out itself."""

from __future__ import annotations

from arena.cli.layout import fitted, plain, table, width
from arena.standings import Standing, Standings
from arena.store.reader import Reader
from arena.store.scoring import scored
from arena.store.views import SeasonView

__all__ = ["current_standings", "leaderboard_json", "leaderboard_text"]

_HEAD = ("rank", "bot", "score", "+-", "card", "fault", "sessions", "rounds")
_NAME = 1
"""The column of names: the one that gives way, so that the table fits the terminal."""
_TERMINAL = 80
_LEAST_NAME = 8


def current_standings(reader: Reader, season: SeasonView) -> Standings:
    """The standings from all that counts now."""
    return scored(reader, season).standings


def leaderboard_text(season: SeasonView, board: Standings) -> str:
    """The table, what it does not claim yet, and the bots without a rank apart. Ends without a newline."""
    names = {entry.bot: plain(entry.name) for entry in season.entries}
    ranked = [line for line in board.rows if not line.disqualified]
    out = [line for line in board.rows if line.disqualified]
    groups = [("", ranked), ("disqualified", out), ("not ranked (house)", list(board.house))]
    rows = [_cells(line, names) for _, group in groups for line in group]
    lines = table(_HEAD, _narrowed(rows), frozenset({_NAME}))
    text, rest = lines[:1], lines[1:]
    for title, group in groups:
        if group and title:
            text += ["", title]
        text += rest[: len(group)]
        rest = rest[len(group) :]
    return "\n".join([*text, "", *_sentences(board)])


def _cells(line: Standing, names: dict[str, str]) -> tuple[str, ...]:
    return (
        "-" if line.rank is None else str(line.rank),
        names[line.bot],
        _points(line.score),
        _points(line.half_width),
        _points(line.fap),
        _points(line.charge),
        f"{line.sessions:,}",
        f"{line.rounds:,}",
    )


def _narrowed(rows: list[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """The rows with names cut to what the other columns leave of the terminal."""
    widths = [max(map(width, column)) for column in zip(_HEAD, *rows, strict=True)]
    others = sum(widths) - widths[_NAME] + 2 * (len(_HEAD) - 1)
    most = max(_LEAST_NAME, _TERMINAL - others)
    return [(*row[:_NAME], fitted(row[_NAME], most), *row[_NAME + 1 :]) for row in rows]


def _points(points: float | None) -> str:
    return "-" if points is None else f"{points:.2f}"


def _sentences(board: Standings) -> list[str]:
    """What has to be said beside the numbers."""
    said = [f"Points a round, fewer are better; an average bot without faults has {board.par:.2f}."]
    if board.intervals:
        said.append("+- is a 95 % interval if looked at once; it claims no rank.")
    if not board.comparable:
        said.append("Not yet comparable: the bots have not met enough, scores are plain means.")
    elif not board.intervals:
        said.append("No intervals yet: they rest on single sessions.")
    if board.provisional is not None:
        said.append(f"{board.provisional[:1].upper()}{board.provisional[1:]}.")
    return said


def leaderboard_json(season: SeasonView, board: Standings) -> dict[str, object]:
    """The standings with full precision; null where there is no number."""
    names = {entry.bot: entry.name for entry in season.entries}
    return {
        "season": season.number,
        "par": board.par,
        "comparable": board.comparable,
        "intervals": board.intervals,
        "provisional": board.provisional,
        "standings": [_line_json(line, names) for line in (*board.rows, *board.house)],
    }


def _line_json(line: Standing, names: dict[str, str]) -> dict[str, object]:
    return {
        "rank": line.rank,
        "bot": line.bot,
        "name": names[line.bot],
        "score": line.score,
        "half_width": line.half_width,
        "card_points": line.fap,
        "fault_points": line.charge,
        "sessions": line.sessions,
        "rounds": line.rounds,
        "house": line.house,
        "disqualified": line.disqualified,
    }
