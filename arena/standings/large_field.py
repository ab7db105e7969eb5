"""Corrects the fit of a closed field that is too large for lists: what `design` and `form` say of it.

It must not fit anything: `field_sums` does. In so large a field neither all line-ups are played nor effects
of pairs can be told from chance, so the design effect is that of whole cycles.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from arena.standings.arrays import added
from arena.standings.design import DesignEffect, designed_by_cycles
from arena.standings.field_sums import FieldSums
from arena.standings.form import Form, form_of
from arena.standings.linalg import Matrix, Vector, among, contrasts, effective_rank


def corrections(sums: FieldSums, covariance: Matrix, present: Sequence[int]) -> tuple[DesignEffect, Form]:
    """Return the design effect and the variance between the cycles, as `DesignEffectSums` does.

    `covariance`: of the scores; `present`: the numbers of the bots of the present field.
    """
    moved: list[Vector] = sums.moved_by_cycles().tolist()
    sessions = np.bincount(sums.played.cycles).tolist()
    seats = added(
        [sums.played.cycles[:, None], sums.played.members],
        np.ones(sums.played.members.shape),
        (len(sessions), sums.size),
    )
    whole = [cycle for cycle, sat in enumerate(seats) if sat.min() == sat.max()]
    differences = among(covariance, present)
    effect = designed_by_cycles(
        [[moved[cycle][i] for i in present] for cycle in whole],
        [sessions[cycle] for cycle in whole],
        sum(sessions),
        contrasts(differences),
        effective_rank(differences),
    )
    return effect, form_of(dict(enumerate(moved)), dict(enumerate(sessions)), covariance, present)
