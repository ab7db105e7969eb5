"""Writes the whole review of one bot as one HTML file that loads nothing, for its author alone.

It shows cards, whatever a league publishes, so it never belongs to a league's pages. It reads no database.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from arena.deals import MatchKey
from arena.match.record import MatchRecord
from arena.review.findings import Place
from arena.review.reviewed import Reviewed
from arena.review.summary import BotReview
from reports.assets import Assets
from reports.inlining import inlined
from reports.pages.expected import RoundReview, round_reviews
from reports.pages.moments import KnownMatch, MomentRow, place_link
from reports.pages.review import ReviewPart, review_part
from reports.pages.rounds import RoundPart, round_parts
from reports.render import Page, Renderer, Site
from reports.selection import MatchLink
from reports.writing import SiteFolder

__all__ = ["ReviewSheet", "review_page", "write_review_page"]


@dataclass(frozen=True, slots=True)
class ReviewSheet:
    """What is written of a review.

    `at`: when it was made (milliseconds since 1970, UTC). `league`: what the file is headed with. `names`: of
    bots by id. `records`, `numbers`: of the matches that were read. `decisions`: what is known of the bot's
    decisions. Of one match, all rounds are shown; of several, those of the costliest decisions.
    """

    review: BotReview
    at: int
    league: str
    names: Mapping[str, str]
    records: Mapping[MatchKey, MatchRecord]
    numbers: Mapping[MatchKey, int]
    decisions: Sequence[Reviewed] = ()


@dataclass(frozen=True, slots=True)
class SheetRound:
    """A round that is shown: its match and anchor, its cards, and what was found in it."""

    match: int
    id: str
    part: RoundPart
    review: RoundReview


@dataclass(frozen=True, slots=True)
class SheetPage:
    """Everything in the file. `heading`: of the rounds."""

    part: ReviewPart
    heading: str
    rounds: tuple[SheetRound, ...]


def write_review_page(path: Path, sheet: ReviewSheet) -> None:
    """Write the file, whole or not at all; one that is there is replaced.

    Raises NotReplayableError (a ValueError) for a match that breaks the rules, and OSError.
    """
    SiteFolder(path.absolute().parent).put(path.name, review_page(sheet))


def review_page(sheet: ReviewSheet) -> bytes:
    """Return the content of the file. The same sheet gives the same bytes."""
    part = review_part(sheet.review, sheet.at, partial(_name, sheet), partial(_known, sheet), whole=True)
    rows = zip(part.costliest, sheet.review.costliest, strict=True)
    linked = tuple(_linked(sheet, row, moment.decision.place, len(moment.table)) for row, moment in rows)
    part = replace(part, costliest=linked)
    heading = "Its rounds" if len(sheet.records) == 1 else "The rounds of the costliest decisions"
    data = SheetPage(part, heading, tuple(_rounds(sheet)))
    title = f"Review of {part.name}"
    assets = Assets()
    site = Site(sheet.league, (), assets.paths["site.css"], "")
    page = Renderer(site).render(Page("review.html", "review-page.html", title, "", data))
    return inlined(page.decode(), assets.contents).encode()


def _name(sheet: ReviewSheet, bot: str) -> str:
    return sheet.names.get(bot, bot)


def _known(sheet: ReviewSheet, key: MatchKey) -> KnownMatch | None:
    """Return a match without a page."""
    record = sheet.records.get(key)
    return None if record is None else KnownMatch(MatchLink(sheet.numbers[key], None), record.setup.suits)


def _linked(sheet: ReviewSheet, row: MomentRow, place: Place, turn: int) -> MomentRow:
    """Return the row with a link to its card in the rounds below."""
    key = place[0]
    if key not in sheet.records:
        return row
    here = KnownMatch(
        MatchLink(sheet.numbers[key], f"#m{sheet.numbers[key]}"), sheet.records[key].setup.suits
    )
    return replace(row, where=place_link(lambda _: here, place, turn))


def _rounds(sheet: ReviewSheet) -> Iterator[SheetRound]:
    """Yield the rounds that are shown, in the order of the matches."""
    costliest = [moment.decision.place for moment in sheet.review.costliest]
    wanted = {(place[0], place[1]) for place in costliest}
    for key, record in sheet.records.items():
        if not any(key == match for match, _ in wanted) and len(sheet.records) > 1:
            continue
        number = sheet.numbers[key]
        parts = round_parts(record, [_name(sheet, seat.bot) for seat in record.seats])
        own = [one for one in sheet.decisions if one.match == key and one.bot == sheet.review.bot]
        named = [place for place in costliest if place[0] == key]
        found = round_reviews(parts, record.setup.suits, own, named, f"m{number}")
        for part in parts:
            if part.number in found and ((key, part.number) in wanted or len(sheet.records) == 1):
                yield SheetRound(number, f"m{number}r{part.number}", part, found[part.number])
