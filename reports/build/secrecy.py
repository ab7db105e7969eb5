"""What may not be shown yet, or at all: the one place that decides it, for every page."""

from __future__ import annotations

from dataclasses import dataclass

from arena.store.views import FaultView, MatchView, SessionState
from reports.options import Publish, ReportOptions, Reveal

__all__ = ["Secrecy"]

_SESSION_OPEN = "appear once every match of its session is over: the same deals are still being played."
_LEAGUE_OPEN = "appear once the whole league is over."
_NOT_PUBLISHED = "are not published in this league."


@dataclass(frozen=True, slots=True)
class Secrecy:
    """The options of the league, and whether its schedule is complete (`over`)."""

    options: ReportOptions
    over: bool

    def cards_hidden(self, match: MatchView | FaultView) -> str:
        """Why the cards of a match are not shown, in words; empty when they are."""
        return self._hidden("Cards", Publish.REPLAYS, match.session_state)

    def evidence_hidden(self, match: MatchView | FaultView) -> str:
        """The same for reason and evidence of its faults, or of this one: both may quote a hand."""
        return self._hidden("Reasons and evidence", Publish.FAULTS, match.session_state)

    def shows_stderr(self, match: MatchView) -> bool:
        """Whether a page may quote what the bots wrote to their standard error."""
        return not self._hidden("", Publish.STDERR, match.session_state)

    def shows_messages(self, match: MatchView) -> bool:
        """Whether a page may hold the lines that were sent to the bots, and their answers: cards, that is."""
        return not self._hidden("", Publish.MESSAGES, match.session_state)

    def of(self, match: MatchView) -> tuple[str, str, bool, bool]:
        """All of it at once: whatever of a match's pages depends on the options."""
        return (
            self.cards_hidden(match),
            self.evidence_hidden(match),
            self.shows_stderr(match),
            self.shows_messages(match),
        )

    def _hidden(self, what: str, kind: Publish, session: SessionState) -> str:
        if kind not in self.options.publish:
            return f"{what} {_NOT_PUBLISHED}"
        if session is SessionState.PLANNED:
            return f"{what} {_SESSION_OPEN}"
        if self.options.reveal is Reveal.FINISHED and not self.over:
            return f"{what} {_LEAGUE_OPEN}"
        return ""
