"""Student's t against printed tables, against its density, and against itself."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.score.quantiles import t_cdf, t_quantile

TABLE = {
    (0.975, 1): 12.706204736174698,
    (0.975, 2): 4.302652729911275,
    (0.975, 5): 2.570581835636314,
    (0.975, 10): 2.2281388519649385,
    (0.975, 1000): 1.9623390808264078,
    (0.995, 10): 3.169272672616951,
}


def test_table_values() -> None:
    for (p, dof), expected in TABLE.items():
        assert t_quantile(p, dof) == pytest.approx(expected, rel=1e-10)
        assert t_quantile(1 - p, dof) == pytest.approx(-expected, rel=1e-10)
    for p, dof in [(0.0, 5), (1.0, 5), (0.9, 0), (float("nan"), 5)]:
        with pytest.raises(ValueError, match="a quantile needs"):
            t_quantile(p, dof)


@given(st.floats(1e-4, 1 - 1e-4), st.integers(1, 400))
def test_quantile_inverts_the_distribution(p: float, dof: int) -> None:
    assert t_cdf(t_quantile(p, dof), dof) == pytest.approx(p, abs=1e-12)
