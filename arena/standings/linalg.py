"""Does the linear algebra of the score on small dense symmetric matrices, as lists of rows.

It must not decide anything about a league: whether bots are comparable depends on line-ups (`connection`),
never on a pivot. Sizes go up to about 61 x 61. The score uses the standard library only, hence no numpy.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum, sqrt
from operator import mul

Vector = list[float]
Matrix = list[list[float]]

ALMOST_DEPENDENT = 1e-9
"""The share of a row's square that rounding may leave of it where it depends on others."""


def zeros(size: int) -> Matrix:
    """Return the size x size matrix of zeros."""
    return [[0.0] * size for _ in range(size)]


def transpose(matrix: Matrix) -> Matrix:
    """Return the rows of `matrix` as columns."""
    return [list(column) for column in zip(*matrix, strict=True)]


def dot(a: Sequence[float], b: Sequence[float]) -> float:
    """Return the scalar product of two vectors of equal length."""
    total: float = sum(map(mul, a, b))
    return total


def times_vector(matrix: Matrix, vector: Sequence[float]) -> Vector:
    """Return matrix · vector."""
    return [dot(row, vector) for row in matrix]


def product(a: Matrix, b: Matrix) -> Matrix:
    """Return a · b."""
    columns = transpose(b)
    return [[dot(row, column) for column in columns] for row in a]


def cholesky(matrix: Matrix) -> Matrix:
    """Return the lower triangular L with L L' = matrix; ValueError unless it is positive definite."""
    size = len(matrix)
    lower = zeros(size)
    for i, row in enumerate(matrix):
        for j in range(i + 1):
            rest = row[j] - dot(lower[i][:j], lower[j][:j])
            if i != j:
                lower[i][j] = rest / lower[j][j]
            elif rest > 0.0:
                lower[i][i] = sqrt(rest)
            else:
                raise ValueError(f"the matrix is not positive definite (row {i})")
    return lower


def inverse(matrix: Matrix) -> Matrix:
    """Return the inverse of a symmetric positive definite matrix; ValueError if it is not one.

    With L L' = matrix, forward substitution gives the rows of L^-1. The inverse is L^-1' L^-1, symmetric to
    the last bit.
    """
    size = len(matrix)
    lower = cholesky(matrix)
    columns = zeros(size)  # columns[j] = column j of L^-1
    for j in range(size):
        column = columns[j]
        column[j] = 1.0 / lower[j][j]
        for i in range(j + 1, size):
            column[i] = -dot(lower[i][j:i], column[j:i]) / lower[i][i]
    return [[dot(a, b) for b in columns] for a in columns]


def contrast_inverse(matrix: Matrix) -> Matrix:
    """Return the pseudo-inverse of a connected Laplacian: (matrix + J/N)^-1 - J/N, J all ones.

    `matrix` is symmetric, its rows sum to 0 and its only null vector is the constant one. For such a matrix
    this is exact; a pseudo-inverse with a tolerance would have to guess its null vectors.
    """
    size = len(matrix)
    share = 1.0 / size
    lifted = inverse([[value + share for value in row] for row in matrix])
    return [[value - share for value in row] for row in lifted]


def among(matrix: Matrix, numbers: Sequence[int]) -> Matrix:
    """Return the rows and columns of a matrix that have these numbers."""
    return [[matrix[i][j] for j in numbers] for i in numbers]


def contrasts(covariance: Matrix) -> float:
    """Return the sum of the variances of the differences over all pairs."""
    diagonal = fsum(row[i] for i, row in enumerate(covariance))
    return len(covariance) * diagonal - fsum(map(fsum, covariance))


def centred(covariance: Matrix) -> Matrix:
    """Return the covariance of what is left when each number loses the mean of all."""
    size = len(covariance)
    means = [fsum(row) / size for row in covariance]
    mean = fsum(means) / size
    return [
        [value - means[i] - means[j] + mean for j, value in enumerate(row)]
        for i, row in enumerate(covariance)
    ]


def effective_rank(covariance: Matrix) -> float:
    """Return tr(S)^2 / tr(S^2), S centred: the number of independent differences of equal variance."""
    rows = centred(covariance)
    squares = fsum(value * value for row in rows for value in row)
    trace = fsum(row[i] for i, row in enumerate(rows))
    return trace * trace / squares if squares > 0.0 else 0.0


def dependent_factor(matrix: Matrix) -> Matrix:
    """Return the lower triangular L with L L' = matrix, which may be singular.

    The last element of a row that depends on those before it is 0.
    """
    lower: Matrix = []
    for i, row in enumerate(matrix):
        own = forward(lower, row)
        pivot = row[i] - dot(own, own)
        lower.append([*own, sqrt(pivot) if pivot > ALMOST_DEPENDENT * row[i] else 0.0])
    return lower


def forward(lower: Matrix, right: Sequence[float]) -> Vector:
    """Return x of L x = b, with 0 where L has a 0 in its diagonal; `right` may be longer than L."""
    solved: Vector = []
    for row, value in zip(lower, right, strict=False):
        solved.append((value - dot(row[:-1], solved)) / row[-1] if row[-1] else 0.0)
    return solved


def backward(lower: Matrix, right: Vector) -> Vector:
    """Return x of L' x = b, with 0 where L has a 0 in its diagonal."""
    solved = right[:]
    for i in reversed(range(len(lower))):
        solved[i] = solved[i] / lower[i][i] if lower[i][i] else 0.0
        for j in range(i):
            solved[j] -= lower[i][j] * solved[i]
    return solved
