"""`arena doctor`: what this machine has of what the arena can use."""

from __future__ import annotations

import json

import click

from arena.cli.exits import NO
from arena.cli.helping import as_json, examples

__all__ = ["doctor"]


@click.command(epilog=examples("arena doctor", "arena doctor --json > machine.json"))
@as_json
@click.pass_context
def doctor(ctx: click.Context, as_json: bool) -> None:
    """Look at this machine: what a league can use here, and what is missing.

    Python, platform, cores, disk space, what can keep bots apart and hold them to their share, and
    for each language of `arena new` what is missing. Exits with 1 if leagues cannot be run at all.
    """
    from arena.cli.machine import examine, examined_json, examined_text

    findings = examine()
    click.echo(
        json.dumps(examined_json(findings), indent=2, ensure_ascii=False)
        if as_json
        else examined_text(findings)
    )
    if any(finding.prevents for finding in findings):
        ctx.exit(NO)
