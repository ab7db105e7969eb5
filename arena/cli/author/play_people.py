"""People in `arena play`: the options of --me, and what of them goes together. Plays nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict

import click

if TYPE_CHECKING:
    from arena.workbench.bots import Bot

_ME = "You"
"""The name of a person who is alone, in results."""


class PeopleWishes(TypedDict):
    """How people play; see the help of each option."""

    me: int
    names: tuple[str, ...]
    terminal: bool
    clock: bool
    open_: bool
    away_minutes: float
    host: str | None
    port: int | None
    tls_cert: Path | None
    tls_key: Path | None
    insecure: bool
    as_json: bool
    sandbox: str


def people_options(command: click.decorators.FC) -> click.decorators.FC:
    """Add the options of `PeopleWishes`."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


_FILE = click.Path(path_type=Path, dir_okay=False)
_OPTIONS = (
    click.option(
        "--me", count=True, help="Play yourself, on a page. Given twice: two people play, and so on."
    ),
    click.option("--name", "names", multiple=True, metavar="NAME", help="With --me: the name of a person."),
    click.option("--terminal", is_flag=True, help="With --me: type your cards here, without a page."),
    click.option("--clock", is_flag=True, help="With --me: you have the time that the bots have."),
    click.option(
        "--open/--no-open", "open_", default=True, help="Open the page in a browser.  [default: yes]"
    ),
    click.option(
        "--away-minutes",
        type=click.FloatRange(0.01, 24 * 60),
        default=10.0,
        show_default=True,
        metavar="M",
        help="The stand-in plays for a person whose page stays away for so long.",
    ),
    click.option(
        "--port", type=click.IntRange(0, 65535), metavar="PORT", help="Port of the pages; 0: any free one."
    ),
    click.option(
        "--host",
        metavar="ADDRESS",
        help="Serve the pages to other machines, too, at this name or address; with --tls-... or --insecure.",
    ),
    click.option(
        "--tls-cert", type=_FILE, metavar="FILE", help="With --host: the certificate of this server."
    ),
    click.option("--tls-key", type=_FILE, metavar="FILE", help="With --host: the key of that certificate."),
    click.option(
        "--insecure",
        is_flag=True,
        help="Allow bots without a sandbox beside pages, and --host without TLS: others may see your cards.",
    ),
)


def check_people(wishes: PeopleWishes) -> None:
    """Raise UsageError for options that mean nothing without --me, or do not go together."""
    if not wishes["me"]:
        for key, option in (
            ("clock", "--clock"),
            ("terminal", "--terminal"),
            ("names", "--name"),
            ("host", "--host"),
        ):
            if wishes[key]:  # type: ignore[literal-required]
                raise click.UsageError(f"{option} is for --me: bots play by themselves, with their clocks")
        return
    if wishes["names"] and len(wishes["names"]) != wishes["me"]:
        raise click.UsageError(
            f"{len(wishes['names'])} names for {wishes['me']} people: give --name for each --me"
        )
    if wishes["terminal"]:
        if wishes["me"] > 1:
            raise click.UsageError("one person plays on a terminal: leave --terminal out for several")
        if wishes["host"] is not None:
            raise click.UsageError("--host is for pages: leave --terminal out")
        return
    _check_safety(wishes)


def _check_safety(wishes: PeopleWishes) -> None:
    """Refuse what would let others see the cards of a person, and how a bot could."""
    given = [wishes["tls_cert"], wishes["tls_key"]]
    if any(given) != all(given):
        raise click.UsageError("--tls-cert and --tls-key go together")
    if any(given) and wishes["host"] is None:
        raise click.UsageError("--tls-... are for --host: what stays on this machine needs no certificate")
    if wishes["host"] is not None and not all(given) and not wishes["insecure"]:
        raise click.UsageError(
            "--host sends your cards over the network: give --tls-cert and --tls-key, or --insecure to let "
            "everybody on the way read them"
        )
    if wishes["insecure"]:
        return
    if wishes["sandbox"] == "off":
        raise click.UsageError(
            "beside pages bots need the sandbox: without it they could read the address of your page, and "
            "with it your cards. Leave --sandbox off out, play with --terminal, or add --insecure"
        )
    wishes["sandbox"] = "require"


@contextmanager
def sandbox_explained(wishes: PeopleWishes) -> Iterator[None]:
    """Say what else can be done where pages need a sandbox and there is none."""
    from arena.errors import NoSandbox

    try:
        yield
    except NoSandbox as error:
        if not wishes["me"] or wishes["terminal"]:
            raise
        raise NoSandbox(
            f"{error}\nOn a page you play with bots in a sandbox only: without it they could read its "
            "address, and with it your cards. Without one: --terminal, or --insecure with bots that you trust"
        ) from None


def names_of_people(wishes: PeopleWishes, bots: Sequence[Bot]) -> tuple[str, ...]:
    """Return what the people are called. Raises UsageError where a bot is called so, too."""
    count = wishes["me"]
    names = wishes["names"] or (
        (_ME,) if count == 1 else tuple(f"Person {number + 1}" for number in range(count))
    )
    taken = {bot.name.casefold() for bot in bots}
    for name in names:
        if not name.strip() or len(name) > 40 or not name.isprintable():
            raise click.UsageError(f"--name {name!r}: a name has 1 to 40 letters")
        if name.casefold() in taken:
            said = f"{_ME} are you" if name == _ME else f"{name} is there twice"
            raise click.UsageError(f"{said}: give that bot another name, such as other=duck")
        taken.add(name.casefold())
    return names
