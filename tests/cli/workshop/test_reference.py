"""docs/cli.md is the text of the commands themselves."""

from __future__ import annotations

from pathlib import Path

from arena.cli.program import COMMANDS, GROUPS
from arena.cli.workshop.schema import reference_markdown
from tests.cli.calling import Arena

PAGE = Path(__file__).parents[3] / "docs" / "cli.md"


def test_the_page_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == reference_markdown(), "arena schema cli > docs/cli.md"


def test_it_has_every_command_but_the_hidden(arena: Arena) -> None:
    out = arena("schema", "cli").out
    for name in COMMANDS:
        assert (f"\n## arena {name}\n" in out) == (name not in GROUPS[""])


def test_options_and_examples_are_listed(arena: Arena) -> None:
    section = arena("schema", "cli").out.partition("## arena report\n")[2].partition("\n## ")[0]
    assert "- `-o, --output DIR`: Folder of the pages" in section
    assert "\n```\narena report league.toml --open\n" in section
