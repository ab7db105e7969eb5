"""`arena schema`: prints the keys of league files, the messages and the commands, from the code itself.

Also makes docs/cli.md, the reference of all commands, and the generated parts of protocol/SPEC.md.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from inspect import cleandoc
from pathlib import Path

import click

from arena.cli.options import HintingGroup, as_json, examples
from arena.cli.program import arena
from arena.errors import UsageError
from arena.match.fault_wording import FaultSentence
from protocol.spec_page import PageError, filled, parts, table

__all__ = ["commands", "reference_markdown"]

_TITLE = """# The command line

Every command prints its own part with `-h`. This page is made of them: `arena schema cli > docs/cli.md`.
"""


@click.group(cls=HintingGroup, epilog=examples("arena schema league", "arena schema cli"))
def schema() -> None:
    """Print all keys of a league file, all commands, all messages."""


@schema.command(epilog=examples("arena schema league | less", "arena schema league --json"))
@as_json
def league(as_json: bool) -> None:
    """Print every key of league.toml: its type, default, class and meaning.

    The class says whether a key may change during a season. The text is Markdown.
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
    help="Bring the tables in this copy of SPEC.md up to date instead.",
)
def protocol(as_json: bool, page: Path | None) -> None:
    """Print every message between referee and bots, and every sentence about a fault.

    Prints the tables of protocol/SPEC.md; with --json the JSON Schema from which they are made.
    """
    from protocol.schema import schema_text

    if page is not None:
        changed = fill(page)
        click.echo(f"{page}: {'brought up to date' if changed else 'was up to date'}", err=True)
    else:
        click.echo(schema_text() if as_json else parts_markdown(), nl=False)


def made_parts() -> dict[str, str]:
    """Return every generated part of the page, by name."""
    rows = [(f"`{sentence.kind}`", sentence.shown(lambda value: f"*{value}*")) for sentence in FaultSentence]
    return {**parts(), "sentences": table(("fault", "sentence"), rows)}


def parts_markdown() -> str:
    """Return all parts, one after another under their names."""
    return "\n".join(f"## {name}\n\n{text}" for name, text in made_parts().items())


def fill(page: Path) -> bool:
    """Bring the generated parts of a page up to date; return whether that changed it. Raises UsageError."""
    try:
        old = page.read_text(encoding="utf-8")
        new = filled(old, made_parts())
        if new != old:
            page.write_text(new, encoding="utf-8")
    except (OSError, UnicodeDecodeError, PageError) as error:
        raise UsageError(f"{page}: {error}") from error
    return new != old


def commands() -> Iterator[tuple[click.Context, click.Command]]:
    """Yield every command that is not hidden, with a context that has its full name; `arena` itself first."""
    yield from _below(arena, None, "arena")


def _below(
    command: click.Command, parent: click.Context | None, name: str
) -> Iterator[tuple[click.Context, click.Command]]:
    ctx = click.Context(command, parent, name, **command.context_settings)
    yield ctx, command
    if isinstance(command, click.Group):
        for word in command.list_commands(ctx):
            inner = command.get_command(ctx, word)
            if inner is not None and not inner.hidden:
                yield from _below(inner, ctx, word)


def reference_markdown() -> str:
    """Return the whole page, with a newline at the end."""
    return "\n".join([_TITLE, *(_section(ctx, command) for ctx, command in commands())])


def _section(ctx: click.Context, command: click.Command) -> str:
    usage = " ".join([ctx.command_path, *command.collect_usage_pieces(ctx)])
    parts = [f"## {ctx.command_path}", _code(usage), cleandoc(command.help or "")]
    options = [param for param in command.get_params(ctx) if isinstance(param, click.Option)]
    records = [record for option in options if (record := option.get_help_record(ctx))]
    parts.append("\n".join(f"- `{name}`: {text}" for name, text in records))
    parts.append(_code(_examples(command)))
    return "\n\n".join(part for part in parts if part) + "\n"


def _examples(command: click.Command) -> str:
    """Return the examples in a command's epilog, one a line."""
    lines = cleandoc(command.epilog or "").splitlines()
    return "\n".join(line.strip() for line in lines if line.startswith("  "))


def _code(text: str) -> str:
    return f"```\n{text}\n```"
