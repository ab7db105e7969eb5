"""`arena merge`: joins the parts of a league, played with `arena run --shard`, into one database."""

from __future__ import annotations

from pathlib import Path

import click

from arena.cli.options import examples, league_file_argument

__all__ = ["merge"]


@click.command(
    epilog=examples(
        "arena merge league.toml",
        "arena merge league.toml /mnt/other/spring.shard-2-of-3.db",
        "arena merge spring.db spring.shard-*.db",
    )
)
@league_file_argument
@click.argument("databases", nargs=-1, type=click.Path(path_type=Path))
def merge(league: Path, databases: tuple[Path, ...]) -> None:
    """Join DATABASES, the parts of a league, into the database of LEAGUE.

    Without DATABASES, the parts beside it are joined. The database is made if there is none. Every part is
    verified first, as by `arena verify`. A database in which a difference is found is refused, and so is one
    of another league, season, version of a bot or secret. What was joined before is skipped, so
    parts can be joined while they are being played, and again. Afterwards `arena run` plays what is still
    missing, ends the stretch and writes the pages. LEAGUE must not be run meanwhile; its parts may be.
    """
    from arena.cli.league_files import is_database
    from arena.errors import UsageError
    from arena.league import read_league
    from arena.season.shards import file_of, part_of
    from arena.season.shards import merge as merge_parts

    if is_database(league):
        target = league
        locks: tuple[Path, ...] = (league.resolve().with_suffix(".lock"),)
    else:
        loaded = read_league(league)
        target = file_of(loaded)
        locks = tuple(lock for lock in loaded.locks if isinstance(lock, Path))
    beside = target.parent.glob(f"{target.stem}.shard-*{target.suffix}")
    parts = databases or tuple(sorted(path for path in beside if part_of(path.stem)))
    if not parts:
        raise UsageError(f"{target}: no parts of it are beside it; name their databases")
    for part in parts:
        _verify(part)
    merged = merge_parts(target, locks, parts)
    for part, joined in zip(parts, merged.joined, strict=True):
        new = f"{joined.matches:,} new matches in {joined.sessions:,} sessions"
        click.echo(f"{part}: {new if joined.sessions else 'nothing new'}")
    progress = merged.progress
    click.echo(f"{target}: {progress.matches_finished:,} of {progress.matches_planned:,} matches")
    click.echo("To play what is missing, end the league and write its pages: arena run LEAGUE", err=True)


def _verify(part: Path) -> None:
    """Verify one part. Raises UsageError with the first difference; StoreError."""
    from arena.cli.layout import plain
    from arena.cli.organiser.checking import played_again
    from arena.errors import UsageError
    from arena.store.database import Database
    from arena.store.reader import Reader

    with Database.open(part, read_only=True) as database:
        found = played_again(Reader(database)).difference
    if found is not None:
        raise UsageError(
            f"{part} is not joined, for arena verify finds a difference in it: {plain(str(found))}"
        )
