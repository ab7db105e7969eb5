"""What each command does, in a line of `arena --help`: there so that the list need not import them all."""

from __future__ import annotations

__all__ = ["SUMMARIES"]

SUMMARIES = {
    "run": "Play a league, or what is left of it.",
    "resume": "Go on with a league that was begun.",
    "status": "Show how far a league is.",
    "standings": "Show the leaderboard, and how sure it is.",
    "report": "Write the pages of a league.",
    "serve": "Show the pages of a league at an address of this machine.",
    "replay": "Show a finished match: hands, passes, tricks, faults.",
    "export": "Write results and plays for spreadsheets and programs.",
    "verify": "Check a whole database, and its pages, against the rules.",
    "archive": "Bundle a league into one file.",
    "merge": "Join the parts of a league that several machines have played.",
    "void": "Take a session out of the score, for good.",
    "reinstate": "Let a bot play again after it was disqualified.",
    "gauntlet": "Is my new version better? Play candidates until that is settled.",
    "new": "Make a folder with a bot to start from.",
    "play": "Play one match between bots, and show how it came out.",
    "check": "Check that a bot keeps to the protocol, step by step.",
    "decode": "Turn lines of the protocol into text, and text into lines.",
    "bench": "Measure the arena on this machine, or one bot.",
    "proof": "Prove the statistics on simulated leagues.",
    "doctor": "Look at this machine: what a league can use here.",
    "schema": "Print what a league file, commands and messages can hold.",
    "version": "Show the versions of the arena, of Python and of SQLite.",
    "referee": "",
}
"""By the name of the command; empty for what the arena starts itself. One that is missing is asked."""
