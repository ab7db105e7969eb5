"""People in `arena play`: the options of --me, and a match with people on pages or on the terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict

import click

from arena.cli.browser import open_page_apart
from arena.cli.layout import fitted_apart, plain
from arena.cli.options import say

if TYPE_CHECKING:
    from arena.people.hosting import Certificate
    from arena.people.shared import Note
    from arena.workbench.bots import Bot
    from arena.workbench.one_match import Overheard, Played, Rules

_MOST_OF_A_NAME = 16
"""The most columns of a bot's name beside the cards that it plays."""
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
    for place, name in enumerate(names):
        if not name.strip() or len(name) > 40 or not name.isprintable():
            raise click.UsageError(f"--name {name!r}: a name has 1 to 40 letters")
        if name.casefold() in taken:
            said = f"{_ME} are you" if name == _ME else f"{name} is there twice"
            raise click.UsageError(f"{said}: give that bot another name, such as other=duck")
        taken.add(name.casefold())
        assert place < count
    return names


@dataclass(frozen=True, slots=True)
class Seated:
    """Who plays, and how. `names`: by seat, people first."""

    bots: Sequence[Bot]
    names: Sequence[str]
    rules: Rules


def with_people(
    seated: Seated, overheard: Overheard, show: Callable[[Played], object], wishes: PeopleWishes
) -> Played:
    """Play a match with people, `show` it as soon as it is over, and return how it went.

    Raises Interrupted when it was left before its end.
    """
    from arena.errors import Interrupted
    from arena.workbench.seat_terminal import LEFT

    over: list[Played] = []

    def shown(played: Played) -> None:
        over.append(played)
        show(played)

    try:
        if wishes["terminal"]:
            _on_terminal(seated, overheard, shown, wishes)
        else:
            _on_pages(seated, overheard, shown, wishes)
    except* KeyboardInterrupt:
        pass
    if over:
        return over[0]
    raise Interrupted(LEFT)


def _on_terminal(
    seated: Seated, overheard: Overheard, show: Callable[[Played], object], wishes: PeopleWishes
) -> None:
    from arena.workbench.one_match import Guest, play_match
    from arena.workbench.seat_terminal import SeatTerminal

    names, rules = seated.names, seated.rules
    short = fitted_apart(map(plain, names), _MOST_OF_A_NAME)
    terminal = SeatTerminal(
        [short[plain(name)] for name in names],
        lambda text: click.echo(text, nl=False, err=wishes["as_json"]),
        rules.terms.move_ms / 1000 if wishes["clock"] else None,
    )
    guest = Guest(names[0], terminal.converse, wishes["clock"])
    try:
        show(play_match([guest, *seated.bots], rules, overheard, terminal.replaced))
    finally:
        terminal.end_line()


def _on_pages(
    seated: Seated, overheard: Overheard, show: Callable[[Played], object], wishes: PeopleWishes
) -> None:
    from arena.people.access import LOOPBACK
    from arena.workbench.page_match import Match, Where, play_on_pages

    where = Where(
        wishes["host"] or LOOPBACK, wishes["port"], _certificate(wishes), wishes["away_minutes"] * 60
    )
    people = tuple(seated.names[: wishes["me"]])
    match = Match(people, seated.bots, seated.rules, wishes["clock"])
    host = _Host(seated.names, len(people), show, opens=wishes["open_"])
    play_on_pages(match, where, overheard, host)


def _certificate(wishes: PeopleWishes) -> Certificate | None:
    from arena.people.hosting import Certificate

    certificate, key = wishes["tls_cert"], wishes["tls_key"]
    return None if certificate is None or key is None else Certificate(str(certificate), str(key))


class _Host:
    """Invites people, and prints what all at the table are told; see `arena.workbench.page_match.Host`."""

    def __init__(
        self, names: Sequence[str], people: int, show: Callable[[Played], object], *, opens: bool
    ) -> None:
        self._names = [plain(name) for name in names]
        self._people = people
        self._show = show
        # Of several people only one can sit at this machine's browser, and who that is nobody knows.
        self._opens = opens and people == 1
        self._over = False

    def invite(self, seat: int, address: str, *, again: bool) -> None:
        """See `Host`."""
        if seat == 0 and not again:
            who = "Open this page to play" if self._people == 1 else "Everybody opens a page to play"
            say(f"{who}; Enter here gives a new address, Ctrl-C ends it.")
        click.echo(address if self._people == 1 else f"{self._names[seat]}: {address}", err=True)
        if self._opens and not again:
            open_page_apart(address)

    def tell(self, note: Note) -> None:
        """See `Host`."""
        from arena.match.faults import HandOver
        from arena.people.shared import What
        from arena.workbench.seat_text import replaced_text

        name = self._names[note.seat]
        if note.what is What.REPLACED:
            say(replaced_text(name, HandOver(note.why)))
        else:
            why = "was away too long" if note.what is What.AWAY else "was late too often"
            say(f"{name} {why}: the stand-in plays the cards to the end of the match.")

    def over(self, played: Played) -> None:
        """See `Host`."""
        self._show(played)
        say("The pages stay until they are closed, or until Ctrl-C.")

    def failed(self, error: Exception) -> None:
        """See `Host`."""
        say(f"a request could not be answered: {error!r}")
