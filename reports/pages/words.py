"""What several pages say and link to alike: a bot's role and its page, the state of a session.

Numbers and foreign text are in `reports.text`.
"""

from __future__ import annotations

from arena.store.views import Role, SessionState

__all__ = ["ROLE_WORDS", "STATE_WORDS", "bot_path"]

ROLE_WORDS = {Role.ENTRANT: "", Role.HOUSE: "house bot", Role.STAND_IN: "stand-in"}
STATE_WORDS = {
    SessionState.PLANNED: "session not complete",
    SessionState.COMPLETE: "",
    SessionState.VOIDED: "void",
    SessionState.LEFT_OUT: "left out",
}


def bot_path(bot: str) -> str:
    """Return the path of a bot's page, from the folder of the site."""
    return f"bots/{bot}.html"
