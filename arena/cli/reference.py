"""The reference of all commands in Markdown, from the commands themselves. `docs/cli.md` is this text."""

from __future__ import annotations

from collections.abc import Iterator
from inspect import cleandoc

import click

from arena.cli.program import arena

__all__ = ["commands", "reference_markdown"]

_TITLE = """# The command line

Every command says this itself with `-h`. This page is their own text: `arena schema cli > docs/cli.md`.
"""


def commands() -> Iterator[tuple[click.Context, click.Command]]:
    """Every command that is not hidden, with a context that bears its full name; `arena` itself first."""
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
    """The whole page. Ends with a newline."""
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
    """The examples of a command's epilog, one a line."""
    lines = cleandoc(command.epilog or "").splitlines()
    return "\n".join(line.strip() for line in lines if line.startswith("  "))


def _code(text: str) -> str:
    return f"```\n{text}\n```"
