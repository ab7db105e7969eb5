"""Builds what the leaderboard says of a stage: who went on to it, who is out, who goes on from it.

Decides nothing and writes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from arena.score.cut import Keep
from arena.store.stage import StageView, rule_of, season_folder, words_of
from arena.wording import counted
from reports.facts import LeagueFacts
from reports.pages.words import bot_path


@dataclass(frozen=True, slots=True)
class NamedBot:
    """A bot and the path of its page, from the leaderboard."""

    name: str
    path: str


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Some sentences, and below them bots under a word or two; `bots` may be empty."""

    text: str
    what: str = ""
    bots: tuple[NamedBot, ...] = ()


@dataclass(frozen=True, slots=True)
class StagePart:
    """The part on a stage: "Stage 2 of 3" and its paragraphs."""

    heading: str
    parts: tuple[Paragraph, ...]


def stage_part(facts: LeagueFacts) -> StagePart | None:
    """Return the part on the stage that the season is; None in a league without stages."""
    if (seen := facts.stage) is None:
        return None
    heading = f"Stage {seen.stage.number} of {seen.stage.of}"
    return StagePart(heading, tuple(_parts(facts, seen)))


def _parts(facts: LeagueFacts, seen: StageView) -> Iterator[Paragraph]:
    if (came := seen.came) is not None:
        # The pages of an ended season are in a folder beside those of the one before.
        up = "../" if facts.ended else ""
        left = _bots(came.leaving, seen.names, f"{up}{season_folder(came.season)}/")
        yield Paragraph(" ".join(words_of(facts.season)[1:]), "Out after the stage before", left)
    if (went := seen.went) is not None:
        names = {entry.bot: entry.name for entry in facts.season.entries}
        everybody = len(went.going_on) + len(went.leaving)
        rule = rule_of(went)
        text = f"{len(went.going_on)} of {counted(everybody, 'bot')} went on to the next stage: {rule}."
        yield Paragraph(text, "They are", _bots(went.going_on, names, ""))
    elif seen.stage.number < seen.stage.of:
        yield Paragraph(_then(facts, seen))


def _then(facts: LeagueFacts, seen: StageView) -> str:
    """Return who will go on, as it was announced."""
    rules = facts.season.keys["stages"]
    rule = rules[seen.stage.number - 1]
    keep = Keep(rule["keep"], sum(isinstance(one["keep"], str) for one in rules))
    if facts.season.open:
        return f"When it is closed, {keep.words}."
    return f"After its last match, {keep.words}."


def _bots(bots: Iterable[str], names: Mapping[str, str], folder: str) -> tuple[NamedBot, ...]:
    return tuple(NamedBot(names.get(bot, bot), f"{folder}{bot_path(bot)}") for bot in bots)
