"""`arena schema`: what the files of the arena look like, printed from the code that reads them."""

from __future__ import annotations

import json

import click

from arena.cli.helping import HintingGroup, as_json, examples

__all__ = ["schema"]


@click.group(cls=HintingGroup, epilog=examples("arena schema league", "arena schema cli"))
def schema() -> None:
    """Print what a league file and the commands can hold."""


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
