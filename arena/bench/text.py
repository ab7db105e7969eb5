"""A benchmark's report as text for people and as data for JSON. Measures nothing."""

from __future__ import annotations

from dataclasses import asdict

from arena.bench.figures import Figure, Section
from arena.bench.live import cpu_at, cpu_ratio_at, rate_at, rounds_at
from arena.bench.suite import Report
from arena.linux.installation import WORTH_COMPILING, is_compiled

__all__ = ["report_data", "report_text"]

_LABEL_WIDTH = 62
_CROWD_WIDTH = 46


def report_text(report: Report) -> str:
    """Return the report as text: the machine, every figure with its median and best sample, the ratios."""
    options = report.options
    place = "any core" if options.core is None else f"all on core {options.core}"
    lines = [
        str(report.machine),
        f"{options.seats} seats, {place}, {options.repeats} samples of each figure",
        *report.missing,
        *([] if is_compiled() else [f"{WORTH_COMPILING}."]),
        "",
        f"{'':{_LABEL_WIDTH}}{'median':>12}{'best':>12}",
    ]
    for section in report.sections:
        lines += [section.title, *map(_line, section.figures), ""]
    if report.crowds:
        lines += _crowds(report)
    for section in (*report.profiles, report.ratios):
        lines += [section.title, *map(_line, section.figures), ""]
    return "\n".join(lines[:-1])


def _crowds(report: Report) -> list[str]:
    """Return the lines of a table of medians, with a column for each number of tables."""
    numbers = report.options.tables
    head = f"Tables of {report.options.seats} bots in one referee (medians)"
    lines = [f"{head:{_CROWD_WIDTH}}{''.join(f'{number:>11}' for number in numbers)}"]
    for section in report.crowds:
        lines.append(section.title)
        figures = {
            "decisions a second": [section.figure(rate_at(n).key).median for n in numbers],
            "rounds a second": [section.figure(rounds_at(n).key).median for n in numbers],
            "referee's own CPU a decision, us": [section.figure(cpu_at(n).key).median for n in numbers],
            "  the best": [section.figure(cpu_at(n).key).best for n in numbers],
            "  / CPU of the asking end just before, x": [
                section.figure(cpu_ratio_at(n).key).median for n in numbers
            ],
        }
        for label, values in figures.items():
            cells = map(_number, values)
            lines.append(f"  {label:{_CROWD_WIDTH - 2}}{''.join(f'{cell:>11}' for cell in cells)}")
        memory = section.figures[-1]
        lines.append(f"  {memory.measure.label}: {_number(memory.median)} {memory.measure.unit}")
    return [*lines, ""]


def report_data(report: Report) -> dict[str, object]:
    """Return the report as data, every figure with all its samples."""
    return {
        "machine": asdict(report.machine),
        "options": asdict(report.options),
        "missing": list(report.missing),
        "figures": {
            section.name: _section_data(section)
            for section in (*report.sections, *report.crowds, *report.profiles)
        },
        "ratios": _section_data(report.ratios),
    }


def _line(figure: Figure) -> str:
    label = f"  {figure.measure.label}"
    unit = f" {figure.measure.unit}".rstrip()
    return f"{label:{_LABEL_WIDTH}}{_number(figure.median):>12}{_number(figure.best):>12}{unit}"


def _number(value: float) -> str:
    """Return a number with three or more significant digits, thousands separated."""
    return f"{value:,.0f}" if value >= 1000 else f"{value:.1f}" if value >= 100 else f"{value:.2f}"


def _section_data(section: Section) -> dict[str, object]:
    """Return one section as data, every figure with all its samples."""
    return {
        figure.measure.key: {
            "unit": figure.measure.unit,
            "median": figure.median,
            "best": figure.best,
            "samples": list(figure.samples),
        }
        for figure in section.figures
    }
