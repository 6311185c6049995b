"""Products of matrices, solves, and what is built on them."""

import numpy as np

from . import positives, program, values


@program(
    args=lambda: (values(1, 3, 2), values(2, 2)),
    wrt=(0, 1),
    variants=[
        lambda: (values(1, 3, 2), values(2, 2, 4)),
        lambda: (values(1, 2), values(2, 2)),
        lambda: (values(1, 2), values(2, 2, 3)),
        lambda: (values(1, 3, 2, dtype=np.float32), values(2, 2, dtype=np.float32)),
    ],
)
def matmul(a, b):
    return a @ b


@program(
    args=lambda: (values(3, 2, 3, 2), values(4, 2, 2, 3)),
    wrt=(0, 1),
    variants=[
        lambda: (values(3, 3, 2), values(4, 2, 2, 3)),
        lambda: (values(3, 1, 3, 2), values(4, 2, 2, 1)),
        lambda: (values(3, 2, 3, 2), values(4, 2)),
    ],
)
def batched_matmul(a, b):
    return np.matmul(a, b) ** 2


@program(
    args=lambda: (values(5, 3, 2), values(6, 2, 3)),
    wrt=(0, 1),
    variants=[
        lambda: (values(5, 3), values(6, 3)),
        lambda: (values(5, 2, 3), values(6, 3)),
        lambda: (0.7, values(6, 3)),
        lambda: (values(5, 3), values(6, 3, 2)),
    ],
)
def dot(a, b):
    return np.dot(a, b) * 2


@program(args=lambda: (values(7, 3, 3), values(8, 3)), wrt=(0, 1))
def quadratic_form(a, x):
    return x @ a @ x + x.T @ a.T @ x


@program(args=lambda: (values(9, 3, 3),), variants=[lambda: (values(9, 2, 2),)])
def square_of_a_matrix(a):
    return a @ a + a.T @ a - a * a


@program(args=lambda: (values(10, 3), values(11, 4)), wrt=(0, 1))
def outer_product(x, y):
    return np.outer(x, y) ** 2


@program(
    args=lambda: (values(12, 3, 3) + 3 * np.eye(3),),
    variants=[lambda: (values(12, 2, 2) + 3 * np.eye(2),)],
)
def inverse(a):
    return np.linalg.inv(a)


@program(
    args=lambda: (values(13, 3, 3) + 3 * np.eye(3), values(14, 3)),
    wrt=(0, 1),
    variants=[lambda: (values(13, 3, 3) + 3 * np.eye(3), values(14, 3, 2))],
)
def solved(a, b):
    return np.linalg.solve(a, b)


@program(args=lambda: (values(15, 2, 3), values(16, 3, 4)), wrt=(0, 1))
def einsum_product(a, b):
    return np.einsum("ij,jk->ik", a, b)


@program(args=lambda: (values(17, 3, 3), values(18, 3)), wrt=(0, 1))
def einsum_of_three(a, x):
    return np.einsum("i,ij,j->", x, a, x) + np.einsum("ii->", a) * np.einsum("i->", x)


@program(args=lambda: (values(19, 4, 3), values(20, 4), 0.3), wrt=(0, 1, 2))
def ridge_solution(x, y, penalty):
    gram = x.T @ x + penalty * np.eye(x.shape[1])
    w = np.linalg.solve(gram, x.T @ y)
    residual = y - x @ w
    return residual @ residual + penalty * np.sum(w**2)


@program(
    args=lambda: (values(21, 3, 3), values(22, 3), 3),
    wrt=(0, 1),
    variants=[lambda: (values(21, 3, 3), values(22, 3), 0)],
)
def matrix_power_applied(a, x, n):
    for i in range(n):
        x = a @ x
    return x


@program(
    args=lambda: (values(23, 2, 3), values(24, 4, 2), values(25, 4), values(26, 3)),
    wrt=(0, 1, 2, 3),
)
def two_layers(w1, w2, b, x):
    hidden = np.tanh(w1 @ x)
    return np.tanh(w2 @ hidden + b)


@program(args=lambda: (values(27, 3, 4), values(28, 3, 4)), wrt=(0, 1))
def pairwise_distances(x, y):
    d = x[:, None, :] - y[None, :, :]
    return np.sqrt(np.sum(d**2, axis=-1) + 0.1)


@program(args=lambda: (values(29, 3), positives(30, 3)), wrt=(0, 1))
def scaled_rotation(x, s):
    c, n = np.cos(x[0]), np.sin(x[0])
    r = np.array([[c, -n], [n, c]])
    return r @ np.diag(s[:2]) @ r.T


@program(args=lambda: (values(31, 2, 3), values(32, 3, 3)), wrt=(0, 1))
def matmul_with_a_column(a, b):
    c = a @ b[:, 1]
    d = a[0] @ b
    return np.outer(c, d)


def _triangle(x):
    return np.linalg.qr(x)[1]


@program(
    args=lambda: (values(61, 2, 4) + 2 * np.eye(2, 4),),
    variants=[lambda: (values(61, 3, 3) + 2 * np.eye(3),)],
)
def triangle_of_a_wide_matrix(x):
    q, r = np.linalg.qr(x)
    return (
        np.sum(_triangle(x) ** 2 * np.arange(x.shape[1]))
        + np.sum(np.abs(r) @ x.T)
        + q[0, 0] * q[1, 0]
    )


@program(args=lambda: (values(1, 3), 0.4, 1), wrt=(0, 1), variants=[lambda: (values(1, 4), 0.4, 0)])
def product_with_a_difference_of_a_number(x, s, n):
    x = np.ones(len(x))
    x[n] = x @ (s - x)
    return np.outer(s + x, np.cumsum(s - x[1:]))


def energy_of_values(factors):
    u, s, vt = factors
    return np.sum(s**3) + np.sum((u[:, : len(s)] * s) @ vt)


@program(args=lambda: (values(1, 3, 2),))
def factors_given_to_a_callee(x):
    return energy_of_values(np.linalg.svd(x)) + energy_of_values(np.linalg.svd(x[:2]))


@program(
    args=lambda: (values(1, 3, 3) + 3 * np.eye(3),),
    variants=[lambda: (values(2, 2, 3, 3) + 3 * np.eye(3),), lambda: (np.array([[2.0]]),)],
)
def named_results(x):
    spectrum = np.linalg.eigh(x)
    total = np.sum(spectrum.eigenvalues**3) + np.sum(spectrum.eigenvectors**4)
    total += np.sum(np.linalg.svd(x).S ** 2) + np.sum(np.linalg.qr(x).R ** 3)
    return total + np.sum(np.linalg.slogdet(x).logabsdet ** 2)


@program(args=lambda: (positives(1, 3, 3) + 3 * np.eye(3),))
def named_results_on_branches(x):
    r = np.linalg.eigh(x)
    if r.eigenvalues[0] > 1:
        r = np.linalg.eigh(x * x)
    found = [np.linalg.slogdet(k * x) for k in (1, 2)]
    for f in found:
        if f.sign > 0:
            r = (r[0] * f.logabsdet, r[1])
    return np.sum(r[0] ** 2)


@program(
    args=lambda: (values(71, 3, 3) + 3 * np.eye(3),),
    variants=[lambda: (values(72, 2, 2) + 3 * np.eye(2),)],
)
def results_of_one_call_changed_apart(a):
    """Each of several results has memory of its own."""
    w, v = np.linalg.eigh(a)
    w[0] *= 3.0
    v[-1] *= 2.0
    u, s, vh = np.linalg.svd(a)
    s[-1] *= -1.0
    u[0] *= s[0]
    vh[0] += s[-1]
    return np.sum(w * s) + np.sum(v**4) + np.sum(u**4 * vh**2)


@program(
    args=lambda: (values(73, 4, 3), values(74, 4, 3)),
    wrt=(0, 1),
    variants=[lambda: (values(75, 3), values(76, 4, 3)), lambda: (values(75, 3), values(76, 3))],
)
def torque(arms, forces):
    return np.sum(np.cross(arms, forces) ** 3)


@program(
    args=lambda: (values(81, 3, 3), values(82, 3)), wrt=(0, 1),
    variants=[lambda: (values(83, 2, 2), values(84, 2))],
)  # fmt: skip
def solved_by_two_triangles(a, y):
    L = np.linalg.cholesky(a @ a.T + np.eye(len(y)))
    alpha = np.linalg.solve(L.T, np.linalg.solve(L, y))
    return 0.5 * y @ alpha + np.sum(np.log(np.diag(L)))
