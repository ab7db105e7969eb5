"""The league as data: frozen, strict pydantic models, one for each section of league.toml.

Every value is in force as it stands here: defaults that follow from something else (an id from a name) are
filled in before (`arena.league.defaults`). This module must not know TOML, lines or files, and opens nothing.

Units are those of the file: seconds, MiB, points. The `..._ms` properties are what clocks and the wire use.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Annotated, Self

from pydantic import BeforeValidator, Field, model_validator
from pydantic_core import PydanticCustomError

from arena.league import fieldtypes as ft
from arena.league.fieldtypes import Section, free, grows, season
from arena.league.texts import HOUSE_ID, folded, slug
from arena.match.record import MOST_TABLES
from arena.match.stand_in import STAND_IN
from arena.papayoo import hand_size
from arena.schedule.plan import AUTO_ALL_UP_TO

_RESERVED = f'"{STAND_IN}" is what plays in the seats of excluded bots; choose another id'

NO_BOTS = (
    'missing; add entries = "bots/*" to [league], or a section [[bots]] for each bot, with name and command'
)
"""What is said of a league without bots."""
MOST_BOTS = 500
"""The most bots that may play in a league."""
MOST_STAGES = 20
"""The most stages that a league may have."""
ALLOWANCE_MS = 1000
"""Processor time that belongs to no question: for reading news, for tidying up, for one burst off turn."""


class LeagueSection(Section):
    """The section `[league]`: what is played."""

    name: Annotated[ft.Title, free("the title of the pages")]
    seats: Annotated[int, Field(ge=3, le=8), season("players at a table")]
    rounds: Annotated[
        int, Field(ge=3, le=1000), season("rounds in a match; the seats deal in turn", default="as seats")
    ]
    open: Annotated[bool, season("whether bots may come, change and leave while the season goes on")] = False
    entries: Annotated[
        ft.FolderPattern | None,
        free('folders of bots, each with its bot.toml, such as "bots/*"', default="none"),
    ] = None


class TimeSection(Section):
    """The section `[time]`: the clocks of the bots, in seconds."""

    start_seconds: Annotated[
        float, Field(ge=0.1, le=3600), season("from a process's start to its `ready`")
    ] = 10.0
    move_seconds: Annotated[float, Field(ge=0.001, le=3600), season("for one pass or one play")] = 1.0
    bank_seconds: Annotated[
        float, Field(ge=0, le=86400), season("extra time for a match, used when a move takes longer")
    ] = 0.0

    @property
    def start_ms(self) -> int:
        """Return the value of `start_seconds` in whole milliseconds."""
        return milliseconds(self.start_seconds)

    @property
    def move_ms(self) -> int:
        """Return the value of `move_seconds` in whole milliseconds."""
        return milliseconds(self.move_seconds)

    @property
    def bank_ms(self) -> int:
        """Return the value of `bank_seconds` in whole milliseconds."""
        return milliseconds(self.bank_seconds)


class FaultsSection(Section):
    """The section `[faults]`: what a fault costs."""

    fault_points: Annotated[
        int, Field(ge=0, le=10000), season("points for one fault, on top of the card points")
    ] = 40
    max_faults: Annotated[int, Field(ge=1, le=10000), season("number of faults that ends a bot's match")] = 3
    disqualify_share: Annotated[
        float,
        Field(ge=0, le=1),
        season("the share of matches beyond which being replaced counts as evidence to exclude a bot"),
    ] = 0.10


class ScheduleSection(Section):
    """The section `[schedule]`: who meets whom, how often, with which deals."""

    line_ups: Annotated[
        ft.LineUps,
        season(
            f"which line-ups a cycle plays; auto = all when there are at most {AUTO_ALL_UP_TO}; "
            "gauntlet = entrants take turns against house bots"
        ),
    ] = "auto"
    stop: Annotated[ft.Stop, free("what ends the league")] = "cycles"
    cycles: Annotated[
        ft.Auto | Annotated[int, Field(ge=1, le=100_000)],
        grows(
            "how often the whole schedule is played; auto = enough for verdicts and a bit more, at least 8; "
            "in an open league of each phase, free to change, auto = 1"
        ),
    ] = "auto"
    version_hours: Annotated[
        float, Field(ge=0, le=100_000), free("hours between two new versions of a bot in an open league")
    ] = 24.0
    margin: Annotated[
        float,
        Field(ge=0, le=250),
        free("points within which two bots are level; in a gauntlet, how much better a candidate should be"),
    ] = 2.0
    seed: Annotated[
        ft.DealText | None,
        season(
            "makes the deals predictable, for tests and papers; each season has others",
            default="a drawn secret, committed",
        ),
    ] = None
    public_draw: Annotated[
        ft.DealText | None,
        season("a value nobody could choose, announced beforehand, mixed into the deals", default="none"),
    ] = None


class ProcessSection(Section):
    """The section `[process]`: how bots are run."""

    tables: Annotated[int, Field(ge=1, le=MOST_TABLES), free("tables of one referee at the same time")] = 1


class SandboxSection(Section):
    """The section `[sandbox]`: what a bot may see and use."""

    mode: Annotated[ft.SandboxMode, season("auto = where it works, require = else do not play")] = "auto"
    memory_mib: Annotated[int, Field(ge=16, le=1 << 22), season("memory of a bot")] = 512
    processes: Annotated[int, Field(ge=1, le=1 << 16), season("processes and threads of a bot")] = 64
    read_only: Annotated[ft.AbsolutePaths, season('further paths to read, for example "/opt/jdk"')] = ()


class ClusterSection(Section):
    """The section `[cluster]`: the cluster that `arena run --on ADDRESS` plays on."""

    tls: Annotated[
        ft.RelativePath | None,
        free("folder of the certificate for an address that begins with tls://", default="none"),
    ] = None


class StoreSection(Section):
    """The section `[store]`: where results are kept."""

    url: Annotated[
        ft.DatabaseAddress | None,
        free(
            "the database: a SQLite file, relative to the league file, or one on a PostgreSQL server",
            default='"sqlite:///league.db", named as this file',
        ),
    ] = None


class ReportSection(Section):
    """The section `[report]`: the pages."""

    publish: Annotated[ft.Publications, free("what everybody may see of other people's bots")] = (
        "replays",
        "faults",
    )
    reveal: Annotated[
        ft.Reveal, free("when the cards of a match are shown: once its session, or the league, is over")
    ] = "session"


class StageSection(Section):
    """A section `[[stages]]`: one stage. Without a key of its own it has that of the whole league."""

    name: Annotated[ft.Name | None, free("shown on the pages", default="Stage 1, Stage 2, ...")] = None
    keep: Annotated[
        Annotated[int, Field(ge=2, le=500)] | ft.Contenders | None,
        season(
            'who goes on to the next stage: the first so many, or "contenders 3": all but those who have 3 '
            "surely better ones before them",
            default="none in the last stage",
        ),
    ] = None
    cycles: Annotated[
        ft.Auto | Annotated[int, Field(ge=1, le=100_000)] | None,
        grows("cycles of this stage", default="as in [schedule]"),
    ] = None
    stop: Annotated[ft.Stop | None, free("what ends this stage", default="as in [schedule]")] = None


class BotSection(Section):
    """A section `[[bots]]`: one bot."""

    name: Annotated[ft.Name, season("shown on the pages; unique, whether in upper or lower case")]
    id: Annotated[
        ft.Identifier,
        season(
            "names the bot in paths and commands; unique",
            default="from name",
            missing='no id can be made from this name; give one, for example id = "duck"',
        ),
    ]
    folder: Annotated[
        ft.RelativePath,
        season(
            "the bot's files: what is copied, and what its digest covers",
            default="the folder of the one file named in command",
            missing="command does not name exactly one existing file; give the folder, "
            'for example folder = "bots/duck"',
        ),
    ]
    command: Annotated[
        ft.Command, season("run in the folder, without a shell; {python} = the arena's interpreter")
    ]
    build: Annotated[ft.OptionalCommand, season("run once for each copy of the folder")] = ()
    author: Annotated[ft.Remark, free("shown on the pages")] = ""
    role: Annotated[ft.Role, season("a house bot plays but is not ranked")] = "entrant"
    threads: Annotated[
        int, Field(ge=1, le=1024), season("threads the bot uses; more than 1: never pinned")
    ] = 1


class League(Section):
    """A whole league file. Bots are numbered from 0 in the order of the file."""

    league: LeagueSection
    time: TimeSection = TimeSection()
    faults: FaultsSection = FaultsSection()
    schedule: ScheduleSection = ScheduleSection()
    process: ProcessSection = ProcessSection()
    sandbox: SandboxSection = SandboxSection()
    cluster: ClusterSection = ClusterSection()
    store: StoreSection = StoreSection()
    report: ReportSection = ReportSection()
    stages: Annotated[
        tuple[StageSection, ...], BeforeValidator(ft.to_tuple), Field(max_length=MOST_STAGES)
    ] = ()
    bots: Annotated[tuple[BotSection, ...], BeforeValidator(ft.to_tuple), Field(max_length=MOST_BOTS)] = ()

    @model_validator(mode="after")
    def _has_what_it_needs(self) -> Self:
        wrong: dict[tuple[str | int, ...], str] = dict(
            self._not_for_open() if self.league.open else self._not_for_closed()
        )
        gauntlet = self.schedule.line_ups == "gauntlet"
        wrong.update(_stages_that_do_not_fit(self.stages, self.league.open, gauntlet))
        if wrong:
            raise PydanticCustomError("does_not_fit", "keys that do not fit together", {"wrong": wrong})
        return self

    def _not_for_open(self) -> Iterator[tuple[tuple[str | int, ...], str]]:
        if self.schedule.line_ups not in ("auto", "balanced"):
            only = 'an open league plays balanced cycles; write "balanced", or leave the key out'
            yield ("schedule", "line_ups"), only
        if self.schedule.stop != "cycles":
            never = "an open league is never settled, for bots may still come; remove the key"
            yield ("schedule", "stop"), never
        ours = "house-1, house-2, ... are the arena's own bots; give it another id"
        for number, bot in enumerate(self.bots):
            if HOUSE_ID.fullmatch(bot.id):
                yield ("bots", number, "id"), ours

    def _not_for_closed(self) -> Iterator[tuple[tuple[str | int, ...], str]]:
        if not self.bots and self.league.entries is None:
            yield ("bots",), NO_BOTS

    @model_validator(mode="after")
    def _bots_can_be_told_apart(self) -> Self:
        names = _repeated("name", [folded(bot.name) for bot in self.bots], self.bots)
        alike = {number for number, _, _ in names}
        clashes = [
            *names,
            # An id that follows from the name is no mistake of its own.
            *(
                clash
                for clash in _repeated("id", [bot.id for bot in self.bots], self.bots)
                if clash[0] not in alike or self.bots[clash[0]].id != slug(self.bots[clash[0]].name)
            ),
            *((number, "id", _RESERVED) for number, bot in enumerate(self.bots) if bot.id == STAND_IN),
        ]
        if clashes:
            raise PydanticCustomError("bots_alike", "two bots are alike", {"clashes": clashes})
        return self

    def match_cpu_ms(self, bot: BotSection) -> int:
        """Return the processor time of a bot for one match in milliseconds.

        It is what the clocks allow on as many cores as the bot has threads: (questions of a match *
        `move_ms` + `bank_ms`) * `threads` + `ALLOWANCE_MS`.
        """
        # In each round a bot is asked for its pass once, and for a card in each trick.
        questions = self.league.rounds * (1 + hand_size(self.league.seats))
        return (questions * self.time.move_ms + self.time.bank_ms) * bot.threads + ALLOWANCE_MS


def milliseconds(seconds: float) -> int:
    """Return the seconds in milliseconds, rounded to the nearest whole number."""
    return round(seconds * 1000)


def _repeated(key: str, values: list[str], bots: tuple[BotSection, ...]) -> list[tuple[int, str, str]]:
    """Return (bot number, key, text) for each value that an earlier bot has too."""
    counts = Counter(values)
    return [
        (number, key, f'the same {key} as that of "{bots[values.index(value)].name}"; each bot needs its own')
        for number, value in enumerate(values)
        if counts[value] > 1 and values.index(value) != number
    ]


def _stages_that_do_not_fit(
    stages: Sequence[StageSection], is_open: bool, gauntlet: bool
) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Yield the place of each key that does not fit, and why."""
    if not stages:
        return
    if len(stages) == 1:
        yield ("stages", 0), "one stage is the league itself; add a second [[stages]], or remove this one"
    if gauntlet:
        yield ("stages", 0), "a gauntlet compares candidates and has no stages; remove [[stages]]"
    *before, last = enumerate(stages)
    for number, stage in before:
        if stage.keep is None:
            missing = 'missing; say who goes on, for example keep = 12 or keep = "contenders 3"'
            yield ("stages", number, "keep"), missing
    if last[1].keep is not None:
        nobody = "nobody goes on from the last stage; remove the key, or add a stage"
        yield ("stages", last[0], "keep"), nobody
    if is_open and stages[0].stop == "settled":
        never = "the first stage is open and never settled, for bots may still come; remove the key"
        yield ("stages", 0, "stop"), never
