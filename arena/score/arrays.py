"""Does the linear algebra of the score with numpy, without BLAS.

Every step is an elementwise operation of numpy, which rounds alike on every processor. A product by BLAS
depends on its version, on the processor and on the number of threads, and its threads would take cores
from bots. It must not know bots or sessions.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int64]
Values = NDArray[np.float64]


def inverse(matrix: Values) -> Values:
    """Return the inverse of a symmetric positive definite matrix, symmetric to the last bit.

    Gauss and Jordan's elimination needs no exchange of rows for such a matrix.
    """
    left = matrix.copy()
    for k in range(len(left)):
        pivot = left[k, k]
        if not pivot > 0.0:
            raise ValueError(f"the matrix is not positive definite (row {k})")
        row, column = left[k] / pivot, left[:, k].copy()
        left -= column[:, None] * row
        left[k], left[:, k], left[k, k] = row, -column / pivot, 1.0 / pivot
    both: Values = (left + left.T) / 2.0
    return both


def contrast_inverse(matrix: Values) -> Values:
    """Return the pseudo-inverse of a connected Laplacian: (matrix + J/N)^-1 - J/N, J all ones.

    Its rows sum to 0 and its only null vector is the constant one. For such a matrix this is exact; a
    pseudo-inverse with a tolerance would have to guess its null vectors.
    """
    share = 1.0 / len(matrix)
    return inverse(matrix + share) - share


def product(a: Values, b: Values) -> Values:
    """Return a · b."""
    total = np.zeros((len(a), b.shape[1]))
    for k in range(len(b)):
        total += a[:, k, None] * b[k]
    return total


def solutions(matrices: Values, right: Values) -> Values:
    """Return the solutions x of M x = b for many small symmetric positive definite M at once."""
    left, solved = matrices.copy(), right.copy()
    size = left.shape[1]
    for k in range(size):
        for i in range(k + 1, size):
            share = left[:, i, k] / left[:, k, k]
            left[:, i] -= share[:, None] * left[:, k]
            solved[:, i] -= share * solved[:, k]
    for k in reversed(range(size)):
        for j in range(k + 1, size):
            solved[:, k] -= left[:, k, j] * solved[:, j]
        solved[:, k] /= left[:, k, k]
    return solved


def added(places: Sequence[Numbers], values: Values, shape: tuple[int, ...]) -> Values:
    """Return an array of this shape with each value added at its place, in the order of the values.

    `places`: the numbers of each axis. They and the values may be arrays of any shapes that fit one another.
    """
    flat = np.ravel_multi_index(np.broadcast_arrays(*places), shape).ravel()
    weights = np.broadcast_to(values, np.broadcast_shapes(*(axis.shape for axis in places))).ravel()
    found = np.bincount(flat, weights, int(np.prod(shape)))
    return found.astype(np.float64).reshape(shape)
