"""Decides what may not be shown yet, or at all. No other module decides that for any page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Final

from arena.store.views import FaultView, MatchView, SessionState
from reports.options import Publish, ReportOptions, Reveal


class _Why(Enum):
    """Why something is not shown."""

    NOT_PUBLISHED = 0
    SESSION_OPEN = 1
    LEAGUE_OPEN = 2
    PHASE_OPEN = 3


_CARDS: Final = {
    _Why.NOT_PUBLISHED: "Cards are not published in this league.",
    _Why.SESSION_OPEN: (
        "Cards appear when every match of its session is over. Until then the same deals are still "
        "being played."
    ),
    _Why.LEAGUE_OPEN: "Cards appear when the whole league is over.",
    _Why.PHASE_OPEN: "Cards appear when its phase has ended.",
}
_EVIDENCE: Final = {
    _Why.NOT_PUBLISHED: "Reasons and evidence are not published in this league.",
    _Why.SESSION_OPEN: (
        "Reasons and evidence appear when every match of its session is over. Until then the same "
        "deals are still being played."
    ),
    _Why.LEAGUE_OPEN: "Reasons and evidence appear when the whole league is over.",
    _Why.PHASE_OPEN: "Reasons and evidence appear when its phase has ended.",
}


@dataclass(frozen=True, slots=True)
class Secrecy:
    """The options of the league, and whether its schedule is complete (`over`).

    `ended`: in an open league, which has no end, the number of the last match before the newest
    phase; None in a closed one. `closed`: whether another season has begun. Nothing is dealt any more in
    this one then, and its secrets are shown, so that the cards of sessions that were broken off may be seen.

    What concerns one bot also belongs to its author: pages made for this author (`ReportOptions.author`)
    show it even where the pages for everybody do not. Nobody sees anything of a match before its cards may
    appear.
    """

    options: ReportOptions
    over: bool
    ended: int | None = None
    closed: bool = False

    def cards_hidden(self, match: MatchView | FaultView) -> str:
        """Return why the cards of a match are not shown, in words; empty if they are."""
        return _told(_CARDS, self._hidden(Publish.REPLAYS, match))

    def evidence_hidden(self, match: MatchView | FaultView, bot: str) -> str:
        """Return the same for reason and evidence of the faults of a bot there: both may quote a hand."""
        return _told(_EVIDENCE, self._hidden(Publish.FAULTS, match, bot))

    def shows_stderr(self, match: MatchView | FaultView, bot: str) -> bool:
        """Return whether a page may quote what a bot wrote to its standard error."""
        return self._hidden(Publish.STDERR, match, bot) is None

    def shows_failed_start(self, bot: str) -> bool:
        """Return whether a page may say why a bot did not start before anything was dealt to it."""
        return self._is_shown(Publish.FAULTS, bot)

    def shows_stderr_of_start(self, bot: str) -> bool:
        """Return whether a page may quote what it wrote to its standard error then."""
        return self._is_shown(Publish.STDERR, bot)

    def shows_messages(self, match: MatchView, bot: str) -> bool:
        """Return whether a page may show the lines sent to a bot, and its answers. They contain cards."""
        return self._hidden(Publish.MESSAGES, match, bot) is None

    def shows_command(self, bot: str) -> bool:
        """Return whether a page may show how a bot is started."""
        return self._is_shown(Publish.COMMANDS, bot)

    def of(self, match: MatchView) -> tuple[object, ...]:
        """Return all of it at once: everything in a match's pages that depends on the options."""
        bots = [seat.bot for seat in match.seats]
        return (
            self.cards_hidden(match),
            *(self.evidence_hidden(match, bot) for bot in bots),
            *(self.shows_stderr(match, bot) for bot in bots),
            *(self.shows_messages(match, bot) for bot in bots),
        )

    def _is_shown(self, kind: Publish, bot: str) -> bool:
        """Return whether it is shown at all: to everybody, or to the author of the bot."""
        return kind in self.options.publish or bool(bot and bot == self.options.author)

    def _hidden(self, kind: Publish, match: MatchView | FaultView, bot: str = "") -> _Why | None:
        if not self._is_shown(kind, bot):
            return _Why.NOT_PUBLISHED
        if self.closed:
            return None
        # The other matches of the session have the same boards.
        if match.session_state is SessionState.PLANNED:
            return _Why.SESSION_OPEN
        if self.options.reveal is Reveal.FINISHED and not self.over:
            number = match.match if isinstance(match, FaultView) else match.number
            if self.ended is None:
                return _Why.LEAGUE_OPEN
            if number > self.ended:
                return _Why.PHASE_OPEN
        return None


def _told(words: Mapping[_Why, str], why: _Why | None) -> str:
    return "" if why is None else words[why]
