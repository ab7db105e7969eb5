"""Holds the choices of what the pages show, and the result of writing them. It decides nothing itself."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path


class Publish(StrEnum):
    """What may be shown of other people's work, key `publish` of the section [report]."""

    REPLAYS = "replays"
    """The cards of a match. Without it match pages hold scores only."""
    FAULTS = "faults"
    """Reason and evidence of each fault. Without it they are only counted."""
    STDERR = "stderr"
    """What a bot wrote to its standard error."""
    MESSAGES = "messages"
    """Every line sent to a bot, and its answers, decoded: with all cards, even without "replays"."""
    COMMANDS = "commands"
    """The commands that bots are started with."""


class Reveal(StrEnum):
    """When the cards of a match may appear, key `reveal` of the section [report]."""

    SESSION = "session"
    """As soon as every match of its session is stored."""
    FINISHED = "finished"
    """When every match of the schedule is stored."""


@dataclass(frozen=True, slots=True)
class ReportOptions:
    """The choices of the section [report] that decide what the pages show.

    `author`: the id of the bot for whose author they are made, who sees everything of this bot; empty for
    the pages for everybody.
    """

    publish: frozenset[Publish] = frozenset({Publish.REPLAYS, Publish.FAULTS})
    reveal: Reveal = Reveal.SESSION
    author: str = ""


@dataclass(frozen=True, slots=True)
class SiteResult:
    """The result of `write_site`: numbers of files, and the page to open first.

    `removed`: pages and style sheets of ours that no longer belong to the site.
    """

    written: int
    unchanged: int
    removed: int
    index: Path
