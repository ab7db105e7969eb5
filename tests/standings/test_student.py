"""Student's t against printed tables, against its density, and against itself."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.standings.quantiles import t_cdf, t_quantile

TABLE = [
    (0.975, 1, 12.706204736174698),
    (0.975, 2, 4.302652729911275),
    (0.975, 3, 3.182446305284263),
    (0.975, 4, 2.776445105197793),
    (0.975, 5, 2.570581835636314),
    (0.975, 10, 2.2281388519649385),
    (0.975, 20, 2.0859634472658364),
    (0.975, 30, 2.0422724563012373),
    (0.975, 100, 1.9839715184496334),
    (0.975, 1000, 1.9623390808264078),
    (0.95, 1, 6.313751514675041),
    (0.95, 10, 1.8124611228107335),
    (0.995, 1, 63.65674116287399),
    (0.995, 2, 9.92484320091807),
    (0.995, 10, 3.169272672616951),
]


@pytest.mark.parametrize(("p", "dof", "expected"), TABLE)
def test_table_values(p: float, dof: int, expected: float) -> None:
    assert t_quantile(p, dof) == pytest.approx(expected, rel=1e-10)
    assert t_quantile(1 - p, dof) == pytest.approx(-expected, rel=1e-10)


@given(st.floats(1e-4, 1 - 1e-4), st.integers(1, 400))
def test_quantile_inverts_the_distribution(p: float, dof: int) -> None:
    assert t_cdf(t_quantile(p, dof), dof) == pytest.approx(p, abs=1e-12)


@pytest.mark.parametrize(("p", "dof"), [(0.0, 5), (1.0, 5), (0.9, 0), (float("nan"), 5)])
def test_impossible_arguments(p: float, dof: int) -> None:
    with pytest.raises(ValueError, match="a quantile needs"):
        t_quantile(p, dof)
