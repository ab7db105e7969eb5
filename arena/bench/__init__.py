"""The benchmark: how fast the arena is on this machine, beside the best that the machine can do.

`suite` explains the method.
"""

from arena.bench.figures import Figure, Measure, Section
from arena.bench.machine import highest_core
from arena.bench.suite import Options, Report, run
from arena.bench.text import report_data, report_text

__all__ = [
    "Figure",
    "Measure",
    "Options",
    "Report",
    "Section",
    "highest_core",
    "report_data",
    "report_text",
    "run",
]
