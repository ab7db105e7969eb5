"""The table of every key of league.toml, made from the models, for `arena schema league` and the docs.

It prints nothing itself.
"""

from __future__ import annotations

import re

from arena.league.describe import KeyInfo, all_keys, heading_of, sections
from arena.league.fieldtypes import KeyClass

_VALUE = re.compile(r'["\d\[{]|true|false')  # a default written as TOML, not in words
_COLUMNS = ("key", "type", "default", "class", "meaning")


def schema_rows(section: str) -> list[tuple[str, str, str, str, str]]:
    """Return key, type, default, class and meaning of each key of a section, in the order of the file."""
    return [_row(key) for key in all_keys().values() if key.section == section]


def schema_markdown() -> str:
    """Return the whole table as Markdown: the classes, then one table for each section.

    Ends with a newline.
    """
    blocks = ["\n".join(f"- **{klass.value}**: {klass.meaning}." for klass in KeyClass)]
    for section in sections():
        lines = [_line(_COLUMNS), _line(["---"] * len(_COLUMNS))]
        lines += [_line([_escaped(cell) for cell in row]) for row in schema_rows(section)]
        blocks.append(f"### `{heading_of(section)}`\n\n" + "\n".join(lines))
    return "\n\n".join(blocks) + "\n"


def _row(key: KeyInfo) -> tuple[str, str, str, str, str]:
    default = f"`{key.default}`" if _VALUE.match(key.default) else key.default
    return f"`{key.name}`", key.expected, default, key.klass.value, key.meaning


def _line(cells: list[str] | tuple[str, ...]) -> str:
    return "| " + " | ".join(cells) + " |"


def _escaped(cell: str) -> str:
    return cell.replace("|", "\\|")
