"""Divides the bots of a large league into groups, in the order of their scores.

Letters for bots that cannot be told apart (`verdicts.letters`) help up to a few dozen bots. Among hundreds a
bot has tens of letters, and nobody can read them. It must not decide anything: `verdicts` does.
"""

from __future__ import annotations

from arena.score.verdicts import Look, Verdict

LETTERS_UP_TO = 40
"""The number of ranked bots up to which letters are shown, and groups above."""


def groups(seen: Look) -> tuple[tuple[str, ...], ...]:
    """Return the ranked bots in groups, best first: within a group nobody is surely ahead of anybody.

    Bots are taken in the order of their scores. One that somebody of the group is surely ahead of begins the
    next group. So the first bot of each group is surely behind a bot of the group before, but others of both
    groups may well be equally strong.
    """
    ahead = {(pair.better, pair.worse) for pair in seen.pairs if pair.verdict is Verdict.AHEAD}
    found: list[list[str]] = []
    for bot in seen.bots:
        if found and not any((other, bot) in ahead for other in found[-1]):
            found[-1].append(bot)
        else:
            found.append([bot])
    return tuple(map(tuple, found))


def in_groups(seen: Look) -> bool:
    """Return whether there are so many ranked bots that groups are shown and not letters."""
    return len(seen.bots) > LETTERS_UP_TO
