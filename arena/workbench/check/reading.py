"""Steps: silence, unknown keys and messages, ids, lines in pieces and together, several tables.

Performs nothing itself: `stage` does.
"""

from __future__ import annotations

from collections.abc import Mapping

from arena.workbench.check.game import Game, Played, Rewrite, Running, ask_legal, finish, play
from arena.workbench.check.script import Evidence, Failed, Finding, Rest, Restart, Script, Step
from arena.workbench.check.talk import Asked, Talk

__all__ = [
    "IDS",
    "JOINED",
    "KEYS",
    "MESSAGES",
    "PIECES",
    "QUIET",
    "STAND_IN",
    "TABLES",
    "any_ids",
    "in_pieces",
    "keeps_quiet",
    "several_tables",
    "stand_in",
    "together",
    "unknown_keys",
    "unknown_messages",
]

QUIET = Step("quiet", "says nothing without being asked")
STAND_IN = Step("stand_in", "plays on after an answer that came too late")
KEYS = Step("unknown_keys", "ignores keys that it does not know")
MESSAGES = Step("unknown_messages", "ignores messages of a type that it does not know")
IDS = Step("ids", "repeats the id of a question, whatever it is")
PIECES = Step("pieces", "reads a line that comes in pieces")
JOINED = Step("together", "reads lines that come together")
TABLES = Step("several_tables", "plays at several tables at once")

_QUIET_SECONDS = 0.05
_MOST_TABLES = 4
_LONG_TEXT = 40_000
_SECONDS = 6.0

_ODD: list[object] = [
    *(None, True, False, 0, 127, 128, 255, 256, 65535, 65536, 2**32, 2**53 - 1),
    *(-1, -32, -33, -128, -129, -(2**15), -(2**15) - 1, -(2**31), -(2**31) - 1, 1 - 2**53),
    *("", "x" * 31, "x" * 32, "é" * 128, "x" * 5000, [], [0] * 15, [[]] * 16, {}, [[[[[1]]]]]),
    *({f"key {number}": number for number in range(size)} for size in (15, 16, 64)),
]
"""Values in every form in which a referee could write them, for keys that no bot knows."""
_ODD_IDS = (
    "q" * 32, "q" * 31, "0", "~", "false", "null", "-17", "1e5", "[]", '"quoted"', "back\\slash", "a b",
    "#$%&'()*+,",
)  # fmt: skip


def keeps_quiet(talk: Talk) -> Script[tuple[Finding, ...]]:
    """Listen after `ready` and when a match begins. Later silence is checked with every question."""
    yield from _silence("after `ready`")
    running = Running(Game(10, 3, 0))
    running.tell_news(talk)
    yield from talk.flush()
    yield from _silence("after `start`")
    yield Restart()
    return (Finding.passed("after `ready` and after `start`"),)


def _silence(when: str) -> Script[None]:
    heard = yield Rest(_QUIET_SECONDS)
    if heard.line is not None or heard.partial:
        came = heard.partial if heard.line is None else heard.line
        found = f"it said something {when}, without being asked"
        raise Failed(
            Evidence("nothing: each question gets one line, and nothing else does", found, b"", came)
        )
    if heard.ended is not None:
        raise Failed(Evidence("that it waits for more", f"{heard.ended} ({when})"))


def _whole(talk: Talk, game: Game, rewrite: Rewrite = lambda message: message) -> Script[Played]:
    """Do as `play`, and start a new process where the bot was too slow to finish the match."""
    played = yield from play(talk, game, rewrite=rewrite, seconds=_SECONDS)
    if not played.over:
        yield Restart()
    return played


def stand_in(talk: Talk) -> Script[tuple[Finding, ...]]:
    """Discard the bot's first pass and third card, as after a timeout; its events say so."""
    running = Running(Game(11, 4, 1))
    while not running.over:
        running.tell_news(talk)
        question, asked = running.next_question(talk.new_id())
        told = yield from talk.ask(asked)
        if question.number in (0, 3):
            running.too_late(question, told)
        else:
            running.answered(question, asked, told)
    yield from finish(talk, running)
    kinds = sorted(kind for kind in running.played.events if "stand-in" in kind)
    return (Finding.passed(f"told of: {', '.join(kinds)}"),)


def unknown_keys(talk: Talk) -> Script[tuple[Finding, ...]]:
    """Add unknown keys of all kinds to every message, before and after the others; then send long lines."""

    def with_odd_keys(message: Mapping[str, object]) -> Mapping[str, object]:
        return {"future": _ODD, **message, "more": _ODD}

    def with_a_long_text(message: Mapping[str, object]) -> Mapping[str, object]:
        return {**message, "text": "x" * _LONG_TEXT}

    yield from _whole(talk, Game(12, 5, 2), with_odd_keys)
    yield from _whole(talk, Game(13, 8, 7), with_a_long_text)
    return (Finding.passed("in every message, before and behind the others, and lines of 53 KB"),)


def unknown_messages(talk: Talk) -> Script[tuple[Finding, ...]]:
    """Send two unknown messages before every question, one with an id like that of a question."""
    game = Game(14, 4, 0)
    running = Running(game)
    count = 0
    while not running.over:
        running.tell_news(talk)
        talk.tell({"type": "weather", "table": game.table, "future": _ODD})
        talk.tell({"type": "play_fast", "id": talk.new_id(), "table": game.table, "hand": []})
        count += 2
        yield from ask_legal(talk, running)
    yield from finish(talk, running)
    yield from _silence("after the match")
    return (Finding.passed(f"{count} of them between the questions"),)


def any_ids(talk: Talk) -> Script[tuple[Finding, ...]]:
    """Ask with ids of every length, of all kinds of printable characters.

    The longest id comes first, with a pass, where it shows whether a bot's base64 breaks its lines after 76
    characters.
    """
    running = Running(Game(15, 3, 1))
    ids = iter(_ODD_IDS)
    while not running.over:
        running.tell_news(talk)
        question, asked = running.next_question(next(ids, None) or talk.new_id())
        told = yield from talk.ask(asked)
        running.answered(question, asked, told)
    yield from finish(talk, running)
    return (Finding.passed(f"{len(_ODD_IDS)} unusual ones, of 1 to 32 characters"),)


def in_pieces(talk: Talk) -> Script[tuple[Finding, ...]]:
    """Play a match whose first questions come in two, three and four pieces."""
    running = Running(Game(16, 8, 3))
    cuts = iter([(1,), (77,), (3, 1), (100, 100, 2), (1, 1, 1)])
    while not running.over:
        yield from ask_legal(talk, running, next(cuts, ()))
    yield from finish(talk, running)
    return (Finding.passed("in up to four, 10 ms apart"),)


def together(talk: Talk) -> Script[tuple[Finding, ...]]:
    """Send the end of a match, the beginning of the next and a question in one write."""
    first, second = Running(Game(17, 8, 0)), Running(Game(18, 3, 2))
    for running in (first, second):
        while not running.over:
            yield from ask_legal(talk, running)
        yield from finish(talk, running)
    return (Finding.passed("round_over, match_over, start and pass in one write"),)


def several_tables(talk: Talk) -> Script[tuple[Finding, ...]]:
    """Play at as many tables as the bot offers, at most four; the questions of all tables come together."""
    if talk.tables < 2:
        return (Finding.skipped("it plays at one table at a time, as its `ready` says"),)
    count = min(talk.tables, _MOST_TABLES)
    games = [Running(Game(20 + table, 3 + table, table, table=table)) for table in range(count)]
    while open_ := [running for running in games if not running.over]:
        asked: list[Asked] = []
        questions = []
        for running in open_:
            running.tell_news(talk)
            question, message = running.next_question(talk.new_id())
            questions.append(question)
            asked.append(message)
        answers = yield from talk.ask_all(asked)
        for running, question, message, told in zip(open_, questions, asked, answers, strict=True):
            decision = running.answered(question, message, told)
            if decision.illegal is not None and not talk.lenient:
                raise Failed(decision.illegal)
        for running in open_:
            yield from finish(talk, running)
    said = f"{count} at once" if count == talk.tables else f"{count} at once, of the {talk.tables} it offers"
    return (Finding.passed(f"{said}, their questions together"),)
