"""`arena schema`: what the files of the arena look like, printed from the code that reads them."""

from __future__ import annotations

import json
from pathlib import Path

import click

from arena.cli.helping import HintingGroup, as_json, examples

__all__ = ["schema"]


@click.group(cls=HintingGroup, epilog=examples("arena schema league", "arena schema cli"))
def schema() -> None:
    """Print what a league file, the commands and the messages can hold."""


@schema.command(epilog=examples("arena schema league | less", "arena schema league --json"))
@as_json
def league(as_json: bool) -> None:
    """Print every key of league.toml: its type, default, class and meaning.

    The class says when a key may change while a league goes on. The text is Markdown.
    """
    from arena.league.describe import sections
    from arena.league.schema import schema_markdown, schema_rows

    if not as_json:
        click.echo(schema_markdown(), nl=False)
        return
    columns = ("key", "type", "default", "class", "meaning")
    tables = {
        section: [
            dict(zip(columns, [cell.strip("`") for cell in row], strict=True)) for row in schema_rows(section)
        ]
        for section in sections()
    }
    click.echo(json.dumps(tables, indent=2, ensure_ascii=False))


@schema.command(epilog=examples("arena schema cli | less", "arena schema cli > docs/cli.md"))
def cli() -> None:
    """Print the reference of all commands in Markdown."""
    from arena.cli.reference import reference_markdown

    click.echo(reference_markdown(), nl=False)


@schema.command(
    epilog=examples(
        "arena schema protocol --json > schema.json", "arena schema protocol --fill protocol/SPEC.md"
    )
)
@as_json
@click.option(
    "--fill",
    "page",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Make the tables in this copy of SPEC.md anew instead.",
)
def protocol(as_json: bool, page: Path | None) -> None:
    """Print every message between referee and bots, and every sentence about a fault.

    The text is the tables of protocol/SPEC.md; with --json it is the JSON Schema that they are made from.
    """
    from arena.cli.specification import fill, parts_markdown
    from protocol.schema import schema_text

    if page is not None:
        changed = fill(page)
        click.echo(f"{page}: {'brought up to date' if changed else 'was up to date'}", err=True)
    else:
        click.echo(schema_text() if as_json else parts_markdown(), nl=False)
