"""Small symmetric matrices: inverses that really are."""

from __future__ import annotations

from random import Random

import pytest

from arena.standings.linalg import (
    Matrix,
    cholesky,
    contrast_inverse,
    inverse,
    product,
    times_vector,
    transpose,
    zeros,
)


def close(a: Matrix, b: Matrix, tolerance: float = 1e-9) -> bool:
    rows = zip(a, b, strict=True)
    return all(abs(x - y) < tolerance for p, q in rows for x, y in zip(p, q, strict=True))


def identity(size: int) -> Matrix:
    return [[float(i == j) for j in range(size)] for i in range(size)]


def random_definite(size: int) -> Matrix:
    rng = Random(size)
    half = [[rng.gauss(0, 1) for _ in range(size)] for _ in range(size)]
    square = product(half, transpose(half))
    return [[value + (i == j) for j, value in enumerate(row)] for i, row in enumerate(square)]


@pytest.mark.parametrize("size", [1, 2, 3, 8, 61])
def test_inverse_and_factor(size: int) -> None:
    matrix = random_definite(size)
    assert close(product(matrix, inverse(matrix)), identity(size))
    lower = cholesky(matrix)
    assert close(product(lower, transpose(lower)), matrix)
    assert inverse(matrix) == transpose(inverse(matrix))


def test_known_inverse() -> None:
    assert close(inverse([[4.0, 2.0], [2.0, 3.0]]), [[0.375, -0.25], [-0.25, 0.5]], 1e-15)


@pytest.mark.parametrize("matrix", [[[0.0]], [[1.0, 2.0], [2.0, 1.0]], [[1.0, 0.0], [0.0, -1.0]]])
def test_indefinite_matrices_are_refused(matrix: Matrix) -> None:
    with pytest.raises(ValueError, match="not positive definite"):
        inverse(matrix)


def test_contrast_inverse_is_the_pseudo_inverse() -> None:
    path = [[1.0, -1.0, 0.0], [-1.0, 3.0, -2.0], [0.0, -2.0, 2.0]]
    pseudo = contrast_inverse(path)
    assert close(product(product(path, pseudo), path), path)
    assert close(product(product(pseudo, path), pseudo), pseudo)
    assert times_vector(pseudo, [1.0, 1.0, 1.0]) == pytest.approx([0.0] * 3, abs=1e-12)


def test_zeros_has_rows_of_its_own() -> None:
    matrix = zeros(2)
    matrix[0][0] = 1.0
    assert matrix == [[1.0, 0.0], [0.0, 0.0]]
