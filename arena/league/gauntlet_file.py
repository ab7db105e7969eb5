"""The league file of a gauntlet, as text: candidates that take turns against opponents, until it is settled.

Pure: what bots there are and where they lie was found out before; the text is read like any other file.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from arena.league.model import BotSection, League
from arena.schedule.planners import gauntlet_sessions

__all__ = ["WRITTEN", "Wishes", "gauntlet_text"]

WRITTEN = "# Written by `arena gauntlet`, which writes it again: copy it before you change it."
"""How the file begins; one that does not is somebody's own."""

_COPIED = ("time", "process", "sandbox")
_NEVER_OUT = 1.0
"""Nobody is disqualified: a candidate that fails loses points, and that is the answer."""


@dataclass(frozen=True, slots=True)
class Wishes:
    """What is asked. `max_sessions` is rounded up to whole cycles; `seed` None draws the deals in secret."""

    id: str
    seats: int
    rounds: int
    margin: float
    max_sessions: int
    seed: str | None = None


def gauntlet_text(
    candidates: Sequence[BotSection], opponents: Sequence[BotSection], wishes: Wishes, rules: League | None
) -> str:
    """The file's text. `rules`: a league whose clocks, penalties and sandbox hold here, None for defaults.

    Folders of the bots are as they should stand in the file.
    """
    field = max(len(opponents), wishes.seats - 1)  # the house fills the table
    cycles = -(-wishes.max_sessions // gauntlet_sessions(field, wishes.seats))
    names = ", ".join(bot.name for bot in candidates)
    sections: dict[str, Mapping[str, object]] = {
        "league": {
            "name": _title(names),
            "id": wishes.id,
            "seats": wishes.seats,
            "rounds": wishes.rounds,
            "show_names": rules.league.show_names if rules else False,
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
        "report": {"refresh_seconds": 0},
    }
    parts = [WRITTEN, *(_section(f"[{name}]", values) for name, values in sections.items() if values)]
    parts += [_section("[[bots]]", _bot(bot, "entrant")) for bot in candidates]
    parts += [_section("[[bots]]", _bot(bot, "house")) for bot in opponents]
    return "\n\n".join(parts) + "\n"


def _title(names: str) -> str:
    title = f"Gauntlet: {names}"
    return title if len(title) <= 80 else f"{title[:77].rstrip()}..."


def _dump(rules: League | None, section: str) -> dict[str, object]:
    """The values of a section that are not the defaults."""
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
    """A value as TOML: its texts are written as JSON's, which are TOML's too."""
    match value:
        case Mapping():
            inside = ", ".join(f"{key} = {_toml(each)}" for key, each in value.items())
            return f"{{ {inside} }}" if inside else "{}"
        case list() | tuple():
            return f"[{', '.join(map(_toml, value))}]"
        case _:
            return json.dumps(value, ensure_ascii=False)
