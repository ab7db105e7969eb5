"""The proof of the statistics: leagues whose truth is known, and how often the arena is wrong about them.

The schedule and the score are the arena's own code; only the bots are simulated. Pure: no processes of bots,
no messages, no database. docs/statistics.md has the questions and the measured answers.
"""

from arena.proof.fields import full_studies, quick_studies
from arena.proof.figure import Figure
from arena.proof.study import Findings, Study, run_studies
from arena.proof.text import findings_data, findings_text, summary

__all__ = [
    "Figure",
    "Findings",
    "Study",
    "findings_data",
    "findings_text",
    "full_studies",
    "quick_studies",
    "run_studies",
    "summary",
]
