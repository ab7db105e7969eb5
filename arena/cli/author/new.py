"""`arena new`: makes the folder of a new bot, in a language of your choice."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import click

from arena.cli.options import examples

if TYPE_CHECKING:
    from arena.workbench.kits import Kit


def _list_and_leave(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        click.echo(_listed())
        ctx.exit()


@click.command(
    epilog=examples(
        "arena new mybot",
        "arena new 'Sly Fox' --lang rust",
        "arena new mybot --template network",
        "arena new --list",
    )
)
@click.argument("name")
@click.option("--lang", default="python", show_default=True, help="Language of the bot; --list shows all.")
@click.option(
    "--template",
    default="",
    metavar="NAME",
    help="Start from something else than the kit of the language: network, a bot that was trained (Python).",
)
@click.option(
    "--list",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_list_and_leave,
    help="Show the languages and templates, what each needs, and whether this machine has it.",
)
def new(name: str, lang: str, template: str) -> None:
    """Make a folder NAME with a bot to start from.

    The folder holds a file that talks to the arena and needs no packages; a file with choose_pass and
    choose_card, which is yours to change; a README; and a file that says how the bot is built and started.
    The bot plays as it is: legally, and better than random. The command prints what to do next, and the
    lines for a league file.

    With --template network the bot plays by a small neural network, which is there with the program that
    trained it; it needs numpy, which the arena has.

    Exit codes: 0 the folder was made, 2 it cannot be made: the folder exists, or the language is unknown.
    """
    from arena.workbench.kits import find_kit, make_bot

    kit = find_kit(lang, template)
    make_bot(kit, name, Path(name))
    click.echo(_told(kit, name))


def _told(kit: Kit, name: str) -> str:
    from arena.league.bot_file import bot_keys
    from arena.workbench.kits import cure, lacking

    bot = shlex.quote(name)
    missing = lacking(kit)
    lines = [f"{name}/ is a bot in {kit.title}: {kit.edit} is yours to change, README.md says how.", ""]
    if missing:
        lines += ["This machine lacks a program that it needs. In Debian 12:", "", f"    {cure(kit)}", ""]
    lines += [
        "To check it and play a match:",
        "",
        f"    arena check {bot}",
        f"    arena play {bot} random low duck",
        "",
        "In a league file beside the folder:",
        "",
        "    [[bots]]",
        *(f"    {line}" for line in bot_keys(name, name, kit.command, kit.build)),
    ]
    return "\n".join(lines)


def _listed() -> str:
    from arena.cli.layout import table
    from arena.workbench.kits import cure, kits, lacking, templates

    rows = []
    for kit in (*kits(), *templates()):
        missing = ", ".join(need.program for need in lacking(kit))
        state = f"lacks {missing}: {cure(kit)}" if missing else "has everything"
        wanted = f"{kit.lang} --template {kit.template}" if kit.template else kit.lang
        rows.append((wanted, kit.title, ", ".join(need.program for need in kit.needs) or "-", state))
    return "\n".join(table(("--lang", "language", "needs", "this machine"), rows, frozenset(range(4))))
