"""Tables of numbers in lists of lists, filled row by row: in every mode, to the second order."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from every_mode import each_right, kept_in

FUNCTIONS: list[Callable[..., Any]] = []
table = kept_in(FUNCTIONS)


@table
def softened_edit_distance(x):
    a, b = "kitten", "sitti"
    D = [[0.0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i in range(len(a) + 1):
        D[i][0] = i * x[0]
    for j in range(len(b) + 1):
        D[0][j] = j * x[1]
    for i, ca in enumerate(a, 1):
        for j, cb in enumerate(b, start=1):
            put_in = D[i - 1][j - 1] + (0.0 if ca == cb else x[2])
            costs = [D[i - 1][j] + x[0], D[i][j - 1] + x[1], put_in]
            m = min(costs)
            D[i][j] = m - x[3] * math.log(sum(math.exp(-(c - m) / x[3]) for c in costs))
    return D[-1][-1] * x[1]


@table
def numbers_of_paths(x):
    n = len(x)
    ways = [[0] * n for _ in range(n)]
    ways[0][0] = 1
    for i in range(n):
        for j in range(n):
            if i > 0:
                ways[i][j] += ways[i - 1][j] * x[j]
            if j > 0:
                ways[i][j] += ways[i][j - 1] * x[i] ** 2
    return ways[-1][-1]


@table
def three_levels(x):
    cube = [[[1.0 for _ in range(2)] for _ in range(2)] for _ in range(3)]
    for i in range(1, 3):
        for j in range(2):
            for k in range(2):
                cube[i][j][k] = cube[i - 1][k][j] * x[i] + x[j + k] ** 2
    return sum(v for plane in cube for row in plane for v in row)


@table
def rows_that_are_arrays(x):
    rows = [np.zeros(2) for _ in range(4)]
    for i in range(1, 4):
        rows[i][0] = rows[i - 1][1] * x[i] + x[0]
        rows[i][1] = x[i] * x[0] - rows[i - 1][0]
    return rows[3][0] * rows[2][1] + np.sum(rows[1])


@table
def table_and_its_copy(x):
    D = [[0.0] * 3 for _ in range(3)]
    E = [row[:] for row in D]
    for i in range(1, 3):
        for j in range(3):
            D[i][j] = D[i - 1][j] * x[i] + x[j] ** 2
            E[i][j] = D[i][j] * E[i - 1][j] + x[0]
    return E[-1][0] * D[-1][1] + E[1][2]


@table
def rows_by_how_many_there_are(x):
    layers = [x, x**2]
    last = len(layers) - 1
    alone = [np.outer(x, x)]
    return layers[last][0] * layers[last - 1][1] + np.sum(alone[len(alone) - 1] ** 2)


test_tables_in_lists = each_right(
    FUNCTIONS, np.array([0.3, 0.4, 0.5, 0.7]), np.array([0.3, -0.2, 0.5, 0.1])
)
