"""Shows what `arena status --integrity` says of twins and favours, as text and as JSON. It judges nothing."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from arena.cli.layout import fitted_apart, names_of, prose, table
from arena.errors import StoreError
from arena.integrity import KINDS, LEVEL, Favour, Integrity, Likeness, look_into
from arena.store import read

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from arena.cli.league_files import OpenLeague
    from arena.match.record import MatchRecord
    from arena.store.views import SeasonView

_SHOWN = 5
"""The pairs that are shown though they are not named."""

_NAME = 20


def integrity(league: OpenLeague) -> tuple[dict[str, object], str]:
    """Return what is seen in the matches that count, as data and as text; StoreError if they are damaged."""
    season, database = league.season, league.database
    numbers = [match.number for match in read.matches(database, season.number) if match.counts]
    found = look_into(
        _records(league, numbers),
        {entry.bot: entry.known_author for entry in season.entries},
    )
    return _document(season, len(numbers), found), _text(season, len(numbers), found)


def _records(league: OpenLeague, numbers: Sequence[int]) -> Iterator[MatchRecord]:
    for stored in read.records(league.database, league.season.number, numbers):
        try:
            yield stored.record()
        except ValueError as error:
            raise StoreError(f"The record of match {stored.number} cannot be read: {error}") from error


def _document(season: SeasonView, matches: int, found: Integrity) -> dict[str, object]:
    """Return all pairs with full precision; null where there is no number."""
    shares = [
        {kind: {**asdict(own), "rate": own.rate} for kind, own in pair.shared.items()} for pair in found.twins
    ]
    return {
        "season": season.number,
        "matches": matches,
        "level": LEVEL,
        "usual": dict(found.usual),
        "twins": [{**asdict(pair), "shared": own} for pair, own in zip(found.twins, shares, strict=True)],
        "favours": [asdict(pair) for pair in found.favours],
    }


def _text(season: SeasonView, matches: int, found: Integrity) -> str:
    names = names_of(season)
    fitted = fitted_apart(names.values(), _NAME)
    shown = {bot: fitted[name] for bot, name in names.items()}
    head = (
        f"Twins and favours in the {matches:,} matches that count, in season {season.number}. This is for "
        "the organiser alone: a pair that is named is worth a look, and nothing is proven. What this can "
        "show and what not: docs/contest.md."
    )
    return "\n".join([prose(head), "", *_twins(shown, found), "", *_favours(shown, found)])


def _twins(names: Mapping[str, str], found: Integrity) -> list[str]:
    named = sum(pair.named for pair in found.twins)
    shown = found.twins[: max(named, _SHOWN)]
    if not shown:
        return ["No two bots can be compared yet."]
    rows = [
        (
            *(names[bot] for bot in pair.bots),
            *(_percent(pair.shared[kind].rate) for kind in KINDS),
            _mark(pair),
        )
        for pair in shown
    ]
    rows.append(("usual", "", *(_percent(found.usual[kind]) for kind in KINDS), ""))
    said = (
        "The same choice from the same hand and table, in percent: exact where the letters of the suits were "
        "the same too, passes and plays up to these letters. Usual is the median of all pairs."
    )
    head = ["twins", "", "exact", "passes", "plays", ""]
    return [*table(head, rows, frozenset({0, 1})), prose(f"{said} {_named(named)}")]


def _favours(names: Mapping[str, str], found: Integrity) -> list[str]:
    named = sum(pair.named for pair in found.favours)
    shown = found.favours[: max(named, _SHOWN)]
    if not shown:
        return ["No favours can be judged yet."]
    rows = [
        (
            names[pair.giver], names[pair.taker], _percent(pair.to_taker), _percent(pair.to_others),
            _mark(pair),
        )
        for pair in shown
    ]  # fmt: skip
    said = (
        "What a bot gave of the points that it could give, in percent, with tricks that the other held and "
        "that the rest of the table held."
    )
    head = ["giver", "taker", "gave", "others", ""]
    return [*table(head, rows, frozenset({0, 1})), prose(f"{said} {_named(named)}")]


def _named(pairs: int) -> str:
    return "Nobody is named." if not pairs else f"Named: {'1 pair' if pairs == 1 else f'{pairs:,} pairs'}."


def _mark(pair: Likeness | Favour) -> str:
    return "named" if pair.named else ""


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{100 * share:.0f}"
