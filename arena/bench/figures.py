"""Measures, and how samples become figures: the probes are sampled in turn, again and again.

A busy moment of the machine then hits all probes alike, so that figures of one run can be compared, and
their ratios within one turn even more so. Nothing here knows what a probe does.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

__all__ = ["Figure", "Measure", "Probe", "Sample", "Section", "ratio", "sections"]

Sample: TypeAlias = Mapping[str, float]
"""One sample of a probe: a number for each of its measures, by the measure's key."""


@dataclass(frozen=True, slots=True)
class Measure:
    """A quantity that is measured. `key` names it in JSON, `label` in the text.

    `more_is_better` decides which sample is the best. A value of 0 means that it could not be read.
    """

    key: str
    label: str
    unit: str
    more_is_better: bool = False


@dataclass(frozen=True, slots=True)
class Figure:
    """A measure with its samples in the order in which they were taken; there is at least one."""

    measure: Measure
    samples: tuple[float, ...]

    @property
    def median(self) -> float:
        """Return the median of the samples, which one disturbed sample hardly moves."""
        return statistics.median(self.samples)

    @property
    def best(self) -> float:
        """Return the sample least disturbed by the rest of the machine."""
        return max(self.samples) if self.measure.more_is_better else min(self.samples)


@dataclass(frozen=True, slots=True)
class Section:
    """The figures of one probe. `name` is the key in JSON, `title` the heading in the text."""

    name: str
    title: str
    figures: tuple[Figure, ...]

    def figure(self, key: str) -> Figure:
        """Return the figure of a measure. Raises KeyError when the probe does not have it."""
        for figure in self.figures:
            if figure.measure.key == key:
                return figure
        raise KeyError(key)


class Probe(Protocol):
    """Something that can be sampled. It is ready once created, and its first sample counts."""

    @property
    def name(self) -> str:
        """See `Section`."""

    @property
    def title(self) -> str:
        """See `Section`."""

    @property
    def measures(self) -> tuple[Measure, ...]:
        """Return the measures of a sample."""

    def sample(self) -> Sample:
        """Measure once and return the sample."""


def sections(probes: Sequence[Probe], repeats: int, turn_over: Callable[[int], None]) -> tuple[Section, ...]:
    """Sample all probes in turn, `repeats` times; `turn_over` receives the number of each finished turn."""
    samples: dict[str, list[Sample]] = {probe.name: [] for probe in probes}
    for turn in range(repeats):
        for probe in probes:
            samples[probe.name].append(probe.sample())
        turn_over(turn)
    return tuple(_section(probe, samples[probe.name]) for probe in probes)


def ratio(measure: Measure, above: Figure, below: Figure) -> Figure:
    """Return the ratio of two figures, turn by turn."""
    pairs = zip(above.samples, below.samples, strict=True)
    return Figure(measure, tuple(a / b for a, b in pairs))


def _section(probe: Probe, samples: Sequence[Sample]) -> Section:
    figures = (Figure(measure, tuple(s[measure.key] for s in samples)) for measure in probe.measures)
    return Section(probe.name, probe.title, tuple(figures))
