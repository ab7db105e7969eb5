"""What several pages say and link to alike: a bot's role and its page, the state of a session.

Numbers and foreign text are in `reports.text`.
"""

from __future__ import annotations

from itertools import pairwise

from arena.score.entry_ids import bot_of
from arena.score.table import Standing
from arena.store.views import Entry, Role
from arena.wording import counted
from reports.facts import LeagueFacts
from reports.text import clauses, listed

ROLE_WORDS = {Role.ENTRANT: "", Role.HOUSE: "house bot", Role.STAND_IN: "stand-in"}


def note_on(facts: LeagueFacts, row: Standing | None, entry: Entry) -> str:
    """Return a word or two on a bot beside its name: why it is not ranked, or what it waits for."""
    ruling = facts.ruling_on(entry.bot)
    if ruling is not None:
        return ruling.word
    if row in facts.standings.retired:
        replaced = any(bot_of(other.bot) == bot_of(entry.bot) for other in facts.standings.rows)
        return "replaced" if replaced else "left"
    if facts.stage is not None and facts.stage.went is not None:
        if entry.bot in facts.stage.went.leaving:
            return "out"
    elif entry.bot in facts.newcomers:
        return "newcomer" if facts.ended else "catching up"
    return ROLE_WORDS[entry.role]


def stands_for(facts: LeagueFacts, entry: Entry) -> str:
    """Return for whom a stand-in plays, in words; empty for any other entry.

    "plays for Duck and Low", "played for Duck" where that is over.
    """
    if entry.role is not Role.STAND_IN:
        return ""
    ever = dict.fromkeys(ruling.bot for ruling in facts.rulings if ruling.out)
    now = [] if facts.over else [facts.name_of(bot) for bot in ever if bot in facts.out]
    before = [facts.name_of(bot) for bot in ever if facts.over or bot not in facts.out]
    parts = [f"plays for {listed(now)}"] if now else []
    parts += [f"played for {listed(before)}"] if before else []
    return clauses(parts)


def bot_path(bot: str) -> str:
    """Return the path of a bot's page, from the folder of the site."""
    return f"bots/{bot}.html"


def sessions_a_cycle(facts: LeagueFacts) -> str:
    """Return the number of sessions of a cycle, with each change after bots left the field or came back."""
    cycles = facts.progress.cycles
    first = cycles[0].sessions if cycles else facts.season.sessions_per_cycle
    parts = [counted(first, "session")]
    parts += [
        f"from session {after.cycle}.0 on {after.sessions}"
        for before, after in pairwise(cycles)
        if before.sessions != after.sessions
    ]
    return ", ".join(parts)
