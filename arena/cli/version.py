"""`arena version`: what runs here, as one needs it in a report of an error."""

from __future__ import annotations

import json

import click

from arena.cli.helping import as_json, examples

__all__ = ["version"]


@click.command(epilog=examples("arena version", "arena version --json"))
@as_json
def version(as_json: bool) -> None:
    """Show the versions of the arena, of Python and of SQLite, and the platform."""
    import platform
    import sqlite3
    from importlib.metadata import version as version_of

    from arena.cli.layout import columns

    versions = {
        "arena": version_of("papayoo-arena"),
        "python": platform.python_version(),
        "sqlite": sqlite3.sqlite_version,
        "platform": platform.platform(),
    }
    click.echo(json.dumps(versions, indent=2) if as_json else "\n".join(columns(list(versions.items()))))
