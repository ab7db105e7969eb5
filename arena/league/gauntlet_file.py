"""The league file of a gauntlet, as text: candidates that take turns against opponents until it is settled.

Pure: the caller has found out which bots there are and where they lie. The text is read like any other file.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from arena.league.model import BotSection, League
from arena.schedule.planners import gauntlet_sessions

WRITTEN = "# Written by `arena gauntlet`, which writes it again: copy it before you change it."
"""The first line of the file. A file that begins otherwise is somebody's own and must not be overwritten."""

_COPIED = ("time", "process", "sandbox")
"""The sections that are copied from another league as they are."""
_NEVER_OUT = 1.0
"""Disqualifies nobody: a candidate that fails loses points, and that is the answer."""


@dataclass(frozen=True, slots=True)
class Wishes:
    """What the caller asks of a gauntlet.

    `max_sessions` is rounded up to whole cycles. With `seed` None the deals are drawn in secret.
    """

    seats: int
    rounds: int
    margin: float
    max_sessions: int
    seed: str | None = None


def gauntlet_text(
    candidates: Sequence[BotSection], opponents: Sequence[BotSection], wishes: Wishes, rules: League | None
) -> str:
    """Return the text of the file. Folders of the bots must be as they should stand in it.

    `rules` is a league whose clocks, penalties and sandbox apply here, or None for the defaults.
    """
    # House bots fill the table where there are too few opponents.
    field = max(len(opponents), wishes.seats - 1)
    cycles = -(-wishes.max_sessions // gauntlet_sessions(field, wishes.seats))
    names = ", ".join(bot.name for bot in candidates)
    sections: dict[str, Mapping[str, object]] = {
        "league": {
            "name": _title(names),
            "seats": wishes.seats,
            "rounds": wishes.rounds,
        },
        "schedule": {
            "line_ups": "gauntlet",
            "stop": "settled",
            "cycles": cycles,
            "margin": wishes.margin,
            **({} if wishes.seed is None else {"seed": wishes.seed}),
        },
        "faults": {**_dump(rules, "faults"), "disqualify_share": _NEVER_OUT},
        **{name: _dump(rules, name) for name in _COPIED},
    }
    parts = [WRITTEN, *(_section(f"[{name}]", values) for name, values in sections.items() if values)]
    parts += [_section("[[bots]]", _bot(bot, "entrant")) for bot in candidates]
    parts += [_section("[[bots]]", _bot(bot, "house")) for bot in opponents]
    return "\n\n".join(parts) + "\n"


def _title(names: str) -> str:
    title = f"Gauntlet: {names}"
    return title if len(title) <= 80 else f"{title[:77].rstrip()}..."


def _dump(rules: League | None, section: str) -> dict[str, object]:
    """Return the values of a section that are not the defaults."""
    if rules is None:
        return {}
    values = rules.model_dump(mode="json", include={section}, exclude_defaults=True).get(section, {})
    return dict(values)


def _bot(bot: BotSection, role: str) -> dict[str, object]:
    values = bot.model_dump(mode="json", exclude_defaults=True, exclude_none=True)
    return {**values, "role": role}


def _section(head: str, values: Mapping[str, object]) -> str:
    return "\n".join([head, *(f"{key} = {_toml(value)}" for key, value in values.items())])


def _toml(value: object) -> str:
    """Return a value as TOML. Its texts are written as JSON strings, which are valid TOML too."""
    match value:
        case Mapping():
            inside = ", ".join(f"{key} = {_toml(each)}" for key, each in value.items())
            return f"{{ {inside} }}" if inside else "{}"
        case list() | tuple():
            return f"[{', '.join(map(_toml, value))}]"
        case _:
            return json.dumps(value, ensure_ascii=False)
