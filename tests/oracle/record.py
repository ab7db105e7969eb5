"""Plays the leagues of the oracle with `arena run`, and writes what happened.

    python tests/oracle/record.py [hostile ...]

It reads the database of the arena that it was written for. What it expects of the score it asks the same
adapter as the tests, and makes sure that the arena shows the same.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from arena.league import read_league
from arena.match.rebuild import rebuild
from arena.papayoo import SUITS, names_of
from arena.store.acts import voids_from
from arena.store.database import Database
from arena.store.looks import played_of, scoring_then
from arena.store.planned import departures, season_plan
from arena.store.reader import Reader
from arena.store.scoring import scored
from arena.store.stage import decision_of
from arena.store.stretch_document import stretch_document_from
from arena.store.views import Role, SeasonView, SessionState
from tests.oracle import adapter

HERE = Path(__file__).parent
HEAD = """\
[league]
name = "{id}"
id = "{id}"
rounds = 3
{league}
[schedule]
seed = "oracle {id}"
{schedule}
[time]
move_seconds = 60
[process]
jobs = 2
nice = 0
[sandbox]
mode = "off"
[report]
replays = "none"
"""
ROLES = {Role.HOUSE: "house", Role.STAND_IN: "stand-in"}


class League:
    """A league in a folder of its own. `bots`: their ids with the names of their players."""

    def __init__(
        self,
        folder: Path,
        name: str,
        league: str,
        schedule: str,
        bots: Mapping[str, str],
        *,
        house: Iterable[str] = (),
        more: str = "",
    ) -> None:
        self.name = name
        self.folder = folder / name
        self.path = self.folder / "league.toml"
        self.folder.mkdir()
        self.open = "open = true" in league
        text = HEAD.format(id=name, league=league, schedule=schedule) + more
        for bot, player in bots.items():
            self.enter(bot, player)
            if not self.open:
                role = '\nrole = "house"' if bot in house else ""
                named = f'\n[[bots]]\nname = "{bot.title()}"\nfolder = "bots/{bot}"{role}'
                text += named + '\ncommand = ["{python}", "bot.py"]\n'
        self.path.write_text(text)

    def enter(self, bot: str, player: str) -> None:
        """Put a bot, or another version of it, into its folder."""
        folder = self.folder / ("entries" if self.open else "bots") / bot
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(HERE / "players.py", folder / "bot.py")
        (folder / "player.txt").write_text(player)
        (folder / "bot.toml").write_text(f'name = "{bot.title()}"\ncommand = ["{{python}}", "bot.py"]\n')

    def leave(self, bot: str) -> None:
        """Take the folder of a bot away."""
        shutil.rmtree(self.folder / "entries" / bot)

    def change(self, old: str, new: str) -> None:
        """Change the league file."""
        text = self.path.read_text()
        assert old in text, old
        self.path.write_text(text.replace(old, new))

    def arena(self, command: str, *options: str) -> None:
        """Call the arena, which must say that all went well."""
        subprocess.run(
            [sys.executable, "-m", "arena", command, str(self.path), *options],
            check=True,
            stdout=subprocess.DEVNULL,
            cwd=HERE.parents[1],
        )


def write(league: League, plays: int, most_cycles: int = 1000) -> None:
    """Write a file for each season of a league. `plays`: of so many sessions of each phase all is kept."""
    with Database.open(read_league(league.path).database, read_only=True) as database:
        reader = Reader(database)
        seasons = reader.seasons()
        for season, after in zip(seasons, [*seasons[1:], None], strict=True):
            name = league.name if len(seasons) == 1 else f"{league.name}-{season.number}"
            lines = list(_Season(reader, league, season).lines(plays, most_cycles, after))
            text = "".join(json.dumps(_rounded(line), separators=(",", ":")) + "\n" for line in lines)
            (HERE / "leagues" / f"{name}.jsonl").write_text(text)
            print(f"{name}: {len(text):,} bytes", flush=True)


def _rounded(value: Any) -> Any:
    """Return a value with numbers that are short enough to be read, and exact enough to be compared."""
    if isinstance(value, float):
        return float(f"{value:.13g}")
    if isinstance(value, Mapping):
        return {str(key): _rounded(one) for key, one in value.items()}
    return [_rounded(one) for one in value] if isinstance(value, list | tuple) else value


class _Season:
    def __init__(self, reader: Reader, league: League, season: SeasonView) -> None:
        self.reader = reader
        self.season = season
        self.number = season.number
        self.rulings = reader.rulings(season.number)
        self.sessions = reader.sessions(season.number)
        self.cycles = 1 + max(session.cycle for session in self.sessions)
        self.results = {one.key: one for one in reader.session_results(season.number, void=True)}
        self.played = played_of(reader, season.number)
        self.names = {entry.bot: entry.name for entry in season.entries}
        self.copies = league.folder / f"{league.name}.arena" / "bots"
        self.matches = defaultdict(list)
        for match in reader.matches(season.number):
            self.matches[match.cycle, match.index].append(match)
        self.facts = self._facts()

    def lines(self, plays: int, most_cycles: int, after: SeasonView | None) -> Iterator[dict[str, Any]]:
        yield self.facts
        sessions = []
        seen: defaultdict[int, int] = defaultdict(int)
        for session in self.sessions:
            seen[session.stretch] += 1
            lines = list(self._session(session, seen[session.stretch] <= plays))
            sessions.append(lines[0])
            yield from lines
        moments = [self._moment(cycles) for cycles in range(1, self.cycles + 1)]
        for moment in moments[:most_cycles]:
            yield self._score(moment, sessions)
        shown = scored(self.reader, self.season).standings
        assert adapter._standings(shown) == self._score(moments[-1], sessions)["score"]["standings"]
        if after is not None and (decision := decision_of(after)) is not None:
            rule = {"keep": decision.rule, "at_most": decision.at_most, "cuts": decision.cuts}
            going = {"going_on": list(decision.going_on), "leaving": list(decision.leaving)}
            assert adapter.cut(self.facts, moments[-1], _known(moments[-1], sessions), rule) == going
            yield {"kind": "cut", "rule": rule, "moment": moments[-1], **going}

    def _facts(self) -> dict[str, Any]:
        season, keys = self.season, self.season.keys
        plan = season_plan(season, self.rulings)
        bots = [entry.bot for entry in season.entries]
        gone = {} if season.open else departures(season, self.rulings)
        faults = keys["faults"]
        return {
            "kind": "season",
            "number": self.number,
            "seed": keys["schedule"]["seed"].partition(", stage")[0],
            "digest": season.digest,
            "open": season.open,
            "seats": season.seats,
            "rounds": season.rounds,
            "line_ups": season.line_ups,
            "balanced_cycles": stretch_document_from(season.stretches[0].document).cycles
            if season.open
            else 0,
            "matches_per_session": season.matches_per_session,
            "sessions_in": [len(plan.cycle(cycle)) for cycle in range(self.cycles)],
            "bots": bots,
            "roles": {e.bot: ROLES[e.role] for e in season.entries if e.role in ROLES},
            "players": {
                e.bot: (self.copies / e.digest / "player.txt").read_text()
                for e in season.entries
                if e.role is not Role.STAND_IN
            },
            "names": self.names if keys["league"]["show_names"] else None,
            "terms": {
                "move_ms": round(1000 * keys["time"]["move_seconds"]),
                "bank_ms": round(1000 * keys["time"]["bank_seconds"]),
                "fault_points": faults["fault_points"],
                "max_faults": faults["max_faults"],
            },
            "disqualify_share": faults["disqualify_share"],
            "disqualify_after": faults["disqualify_after"],
            "margin": self._scoring(self.cycles)[0].margin,
            "departed": {cycle: sorted(bots[one] for one in left) for cycle, left in gone.items()},
            "phases": [self._phase(number) for number in range(len(season.stretches))],
            "rulings": [
                {
                    "bot": one.bot,
                    "out": one.out,
                    "from": one.from_cycle,
                    "by": "arena" if one.by_limits else "organiser",
                    "after": one.after,
                }
                for one in self.rulings
            ],
        }

    def _phase(self, number: int) -> dict[str, Any]:
        stretch = self.season.stretches[number]
        assert stretch.secret is not None, "every phase has ended"
        phase = {
            "secret": stretch.secret,
            "draw": stretch.public_draw,
            "first_cycle": stretch.first_cycle,
            "end": stretch.cycles_planned,
            "planned": int(stretch.blocks.split()[-1]),
        }
        if self.season.open:
            document = stretch_document_from(stretch.document)
            void = voids_from(self.reader.actions()[: document.acts], self.number)
            phase |= {"field": list(document.entries), "owed": dict(document.owed)}
            phase["void"] = sorted(map(list, void))
        return phase

    def _session(self, session: Any, whole: bool) -> Iterator[dict[str, Any]]:
        key = session.cycle, session.index
        result = self.results[key]
        records = [self.reader.record(self.number, match.number) for match in self.matches[key]]
        points = {
            bot: [cards, result.fault_points.get(bot, 0)]
            + ([result.seat_rounds[bot]] if bot in result.seat_rounds else [])
            for bot, cards in result.card_points.items()
        }
        lost = [
            [record.key.order, seat.bot, seat.hand_over.value]
            for record in records
            for seat in record.seats
            if seat.hand_over is not None
        ]
        line = {
            "kind": "session",
            "session": list(key),
            "phase": session.stretch,
            "order": list(session.line_up),
            "void": session.state is SessionState.VOIDED,
            "rounds": result.rounds,
            "points": points,
            "lost": lost,
        }
        if not whole:
            yield line
            return
        first = records[0].setup
        boards = [
            [*(" ".join(names_of(hand)) for hand in board.hands), SUITS[board.papayoo_suit]]
            for board in first.boards
        ]
        setups = [record.setup for record in records]
        deal = {"suits": [one.suits for one in setups], "seeds": [list(one.seeds) for one in setups]}
        yield {**line, "deal": {"boards": boards, **deal}}
        for record in records:
            yield {"kind": "match", **self._match(record)}

    def _match(self, record: Any) -> dict[str, Any]:
        rebuilt = rebuild(record)
        lines: list[list[Mapping[str, Any]]] = [[] for _ in record.seats]
        for line in rebuilt.lines:
            if not line.from_bot:
                lines[line.seat].append(line.message)
        key = [record.key.cycle, record.key.index, record.key.order]
        return adapter.match_data(key, [seat.bot for seat in record.seats], rebuilt.result, lines)

    def _scoring(self, cycles: int) -> tuple[Any, Sequence[Any]]:
        return scoring_then(self.season, self.reader.actions(), self.played, cycles)

    def _moment(self, cycles: int) -> dict[str, Any]:
        scoring, _ = self._scoring(cycles)
        return {
            "cycles": cycles,
            "ever": list(scoring.bots),
            "out": sorted(scoring.disqualified),
            "present": None if scoring.present is None else sorted(scoring.present),
            "void": sorted(map(list, scoring.plan.left_out)),
        }

    def _score(self, moment: dict[str, Any], sessions: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        return {
            "kind": "score",
            "moment": moment,
            "score": adapter.score(self.facts, moment, _known(moment, sessions)),
        }


def _known(moment: Mapping[str, Any], sessions: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    return [
        one
        for one in sessions
        if one["session"][0] < moment["cycles"] and list(one["session"]) not in moment["void"]
    ]


# The leagues


def closed(folder: Path) -> None:
    """Closed leagues at 3, 4 and 7 seats: every line-up and balanced, with names, until it is settled."""
    four = {"low": "low", "high": "high", "duck": "duck", "chance": "chance"}
    three = League(folder, "closed-3", "seats = 3\nshow_names = true", "cycles = 3", four)
    three.arena("run", "-q")
    write(three, 6)
    six = {**four, "middle": "middle", "upper": "upper"}
    settled = League(folder, "closed-4", "seats = 4", 'stop = "settled"\ncycles = 12\nmargin = 0.5', six)
    settled.arena("run", "-q")
    write(settled, 8)
    nine = {**six, "low-2": "low", "duck-2": "duck", "duck-3": "duck"}
    seven = League(folder, "closed-7", "seats = 7", 'cycles = 4\npublic_draw = "7 13 21 22 40 49"', nine)
    seven.arena("run", "-q")
    write(seven, 3)


def grown(folder: Path) -> None:
    """A closed league with a void session, a bot that is taken out and comes back, and more cycles twice."""
    bots = {"low": "low", "high": "high", "duck": "duck", "chance": "chance", "upper": "upper"}
    league = League(folder, "grown", "seats = 3", "cycles = 2", bots)
    league.arena("run", "-q")
    league.arena("void", "0.3", "--reason", "a test")
    league.arena("exclude", "high", "--reason", "a test")
    league.change("cycles = 2", "cycles = 4")
    league.arena("run", "-q")
    league.arena("reinstate", "high", "--reason", "a test")
    league.change("cycles = 4", "cycles = 6")
    league.arena("run", "-q")
    write(league, 1)


def duels(folder: Path) -> None:
    """A duel at 4 seats and one at 3."""
    for seats, one, other in ((4, "duck", "low"), (3, "chance", "upper")):
        duel = League(
            folder,
            f"duel-{seats}",
            f"seats = {seats}",
            'stop = "settled"\ncycles = 24',
            {one: one, other: other},
        )
        duel.arena("run", "-q")
        write(duel, 4)


def gauntlets(folder: Path) -> None:
    """Gauntlets of one, two and three candidates; one has an opponent whose seats the stand-in takes over."""
    house = {"house-a": "low", "house-b": "chance", "house-c": "middle", "house-d": "crashing"}
    for candidates in (1, 2, 3):
        bots = {f"new-{place}": player for place, player in enumerate(("duck", "low", "upper")[:candidates])}
        league = League(
            folder,
            f"gauntlet-{candidates}",
            "seats = 4" if candidates == 1 else "seats = 3",
            'line_ups = "gauntlet"\n' + ('stop = "settled"\ncycles = 5' if candidates == 1 else "cycles = 4"),
            {**bots, **dict(list(house.items())[: 3 if candidates == 1 else 4])},
            house=house,
        )
        league.arena("run", "-q")
        write(league, 1)


def hostile(folder: Path) -> None:
    """Bots that break the rules, send what is no answer, or end; nobody is excluded."""
    bots = {
        bot: bot for bot in ("careless", "revoking", "babbling", "stubborn", "crashing", "duck", "chance")
    }
    league = League(
        folder, "hostile", "seats = 4", "cycles = 1", bots, more="[faults]\ndisqualify_share = 1\n"
    )
    league.arena("run", "-q")
    write(league, 8)


def excluded(folder: Path) -> None:
    """A bot that ends in every match is excluded, one that ends in some is not; the others play on."""
    bots = {"duck": "duck", "chance": "chance", "low": "low", "crashing": "crashing", "shaky": "shaky"}
    league = League(folder, "excluded", "seats = 3", "cycles = 6", bots)
    league.arena("run", "-q")
    write(league, 2)


def stages(folder: Path) -> None:
    """Three stages: contenders, at most four of them; then the first two by rank."""
    bots = {
        "low": "low",
        "high": "high",
        "duck": "duck",
        "chance": "chance",
        "upper": "upper",
        "crashing": "crashing",
    }
    more = """\
[[stages]]
name = "Heats"
keep = "contenders 2"
at_most = 4
cycles = 4
[[stages]]
name = "Second"
keep = 2
cycles = 2
[[stages]]
name = "Final"
cycles = 8
rounds = 4
"""
    league = League(folder, "stages", "seats = 3", "cycles = 4", bots, more=more)
    league.arena("run", "-q")
    write(league, 1)


def open_league(folder: Path) -> None:
    """An open league: bots come, leave and come back, with new versions; one ends in every match."""
    first = {"low": "low", "high": "high", "duck": "duck", "chance": "chance"}
    league = League(folder, "open", "seats = 3\nopen = true\nentries = 'entries/*'", OPEN, first)
    league.arena("run", "-q")
    league.enter("upper", "upper")
    league.enter("middle", "middle")
    league.enter("high", "duck")
    league.arena("run", "-q")
    league.leave("low")
    league.enter("crashing", "crashing")
    league.arena("run", "-q")
    league.arena("void", "1.2", "--reason", "a test")
    league.enter("low", "low")
    league.enter("crashing", "shaky")
    league.arena("run", "-q")
    league.arena("run", "-q")
    write(league, 2)


OPEN = "cycles = 4\nversion_hours = 0"


def main(names: Sequence[str]) -> None:
    """Record all leagues, or those that are named."""
    makers: dict[str, Callable[[Path], None]] = {
        maker.__name__: maker
        for maker in (closed, grown, duels, gauntlets, hostile, excluded, stages, open_league)
    }
    with tempfile.TemporaryDirectory() as folder:
        for name in names or makers:
            makers[name](Path(folder))


if __name__ == "__main__":
    main(sys.argv[1:])
