"""`arena export`: writes a season for other programs, one match for other people, and the whole database."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from arena.cli.options import LeagueName, examples, league_argument, season_option

if TYPE_CHECKING:
    from arena.cli.league_files import OpenLeague

_TABLES = ("standings", "sessions", "matches", "rounds", "plays", "hosts")
_PAGE = "page"
_DATABASE = "database"
_FORMATS = ("csv", "json", "jsonl")


@click.command(
    epilog=examples(
        "arena export league.toml --what sessions -o sessions.csv",
        "arena export league.db --what plays --format jsonl | gzip > plays.jsonl.gz",
        "arena export league.toml --what page 12 -o match-12.html",
        "arena export league.toml --what database -o copy.db",
    )
)
@league_argument
@click.argument("match", type=click.IntRange(1), required=False)
@season_option
@click.option(
    "--what", type=click.Choice((*_TABLES, _PAGE, _DATABASE)), default=_TABLES[0], show_default=True,
    help="The table to write, or the page of a MATCH, or all.",
)  # fmt: skip
@click.option(
    "--format", "as_format", type=click.Choice(_FORMATS), default=_FORMATS[0], show_default=True,
    help="The format of the table.",
)  # fmt: skip
@click.option("-o", "--output", metavar="FILE", type=click.Path(path_type=Path, dir_okay=False),
              help="Write to FILE instead of standard output.")  # fmt: skip
@click.option("--timing", is_flag=True, help="Add the columns that depend on clocks.")
@click.pass_context
def export(
    context: click.Context, league: LeagueName, match: int | None, number: int | None, what: str,
    as_format: str, output: Path | None, timing: bool,
) -> None:  # fmt: skip
    """Write a table of a season, by default the newest, for spreadsheets and programs.

    Rows are in the order of the schedule. The same plays give the same bytes on every machine and
    with any number of referees; --timing adds the columns that differ each time. Cards are left out
    while their boards are still being played. docs/export.md explains every column.

    With --what page, write the page of one MATCH, by its number, as a single HTML file with the card table,
    which loads nothing: to be sent to somebody. It shows what the page of the match shows, without the
    results of others.

    With --what database, copy the whole database, of a file or a server, as it is at one moment, into one
    SQLite file: a backup, or what others need to check a league with `arena verify copy.db`. It holds
    the standard error of all bots, and the secret of a phase that has not ended, from which every deal
    to come follows.
    """
    from arena.cli.league_files import opened
    from arena.export import Export, Format, What, columns_of, encoded, table_rows

    _check_match(context, match, what)
    with opened(league, number) as found:
        ours = [own for own in (league, found.files.database) if isinstance(own, Path)]
        if match is not None:
            _write(output, [_page(found, match)], ours)
            return
        if what == _DATABASE:
            _copy(found, output, ours)
            return
        at_end = found.files.report.reveal == "finished"
        wanted = Export(found.season, What(what), timing, at_end, found.ended)
        names = [column.name for column in columns_of(wanted.what, timing)]
        pieces = encoded(table_rows(found.database, wanted), names, Format(as_format))
        _write(output, pieces, ours)


def _check_match(context: click.Context, match: int | None, what: str) -> None:
    """Raise UsageError if a number of a match, or an option of tables, does not fit what is written."""
    from arena.errors import UsageError

    if what != _PAGE and match is not None:
        raise UsageError(f"{match}: only --what {_PAGE} writes one match; remove the number")
    if what == _PAGE and match is None:
        raise UsageError(f"which match? Give its number, for example --what {_PAGE} 12")
    if what in _TABLES:
        return
    for name in ("as_format", "timing", *(["number"] if what == _DATABASE else [])):
        if context.get_parameter_source(name) is not ParameterSource.DEFAULT:
            option = next(one.opts[0] for one in context.command.params if one.name == name)
            raise UsageError(f"{option} is for tables; a {what} has no such choice")


def _page(league: OpenLeague, match: int) -> bytes:
    from arena.cli.organiser.pages import report_options
    from reports import match_file

    return match_file(league.database, league.season.number, match, report_options(league.files.report))


def _copy(league: OpenLeague, output: Path | None, ours: Iterable[Path]) -> None:
    from arena.errors import UsageError
    from arena.store import read
    from arena.store.database import copy_database

    if output is None:
        raise UsageError("name the file of the copy: -o copy.db")
    _refuse_own(output, ours)
    copy_database(league.files.database, output)
    view = read.current_season(league.database)
    if view is not None and view.unfinished is not None:
        number = view.phases[-1].number
        click.echo(
            f"Keep it to yourself: it holds the secret of phase {number}, which has not ended", err=True
        )
    elif view is not None and read.chain_end(league.database, view.number):
        click.echo("Keep it to yourself: it holds the secrets of the phases to come", err=True)


def _refuse_own(path: Path, ours: Iterable[Path]) -> None:
    from arena.errors import UsageError

    if any(path.exists() and path.samefile(own) for own in ours):
        raise UsageError(f"-o {path}: that is the league itself; name another file")


def _write(output: Path | None, pieces: Iterable[bytes], ours: Iterable[Path]) -> None:
    if output is None:
        _to_terminal(pieces)
    else:
        _to_file(output, pieces, ours)


def _to_terminal(pieces: Iterable[bytes]) -> None:
    from arena.errors import UsageError

    if sys.stdout is None:  # so in Python when it was closed before the start
        raise UsageError("the standard output is closed; name a file: -o FILE")
    for piece in pieces:
        sys.stdout.buffer.write(piece)
    sys.stdout.buffer.flush()


def _to_file(path: Path, pieces: Iterable[bytes], ours: Iterable[Path]) -> None:
    """Write all of it or nothing: a file of that name stays until the table is complete.

    A pipe, a device or a link (such as /dev/stdout) is written to, never replaced.
    """
    from arena.errors import UsageError

    _refuse_own(path, ours)
    direct = path.is_symlink() or (path.exists() and not path.is_file())
    part = path if direct else path.with_name(f"{path.name}.part")
    try:
        with part.open("wb") as file:
            file.writelines(pieces)
        if not direct:
            part.replace(path)
    except OSError as error:
        raise UsageError(f"-o {path}: cannot be written: {error.strerror}") from error
    finally:
        if not direct:
            part.unlink(missing_ok=True)
