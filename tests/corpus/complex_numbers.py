"""Complex numbers on the way from real arguments to real results."""

import numpy as np

from . import positives, program, values


@program(args=lambda: (values(1, 6),), variants=[lambda: (values(1, 5, dtype=np.float32),)])
def power_spectrum(x):
    return np.sum(np.abs(np.fft.fft(x)) ** 2 * np.arange(len(x)))


@program(args=lambda: (values(2, 3, 5),), variants=[lambda: (values(2, 4, 3),)])
def half_spectrum(x):
    z = np.fft.rfft(x, axis=0, norm="ortho")
    return (z * np.conj(z)).real


@program(args=lambda: (values(3, 6), 0.3), wrt=(0, 1), variants=[lambda: (values(3, 5), 0.3)])
def shifted_signal(x, by):
    k = np.fft.rfftfreq(len(x))
    return np.fft.irfft(np.fft.rfft(x) * np.exp(-2j * np.pi * k * by), len(x))


@program(args=lambda: (values(4, 7), values(5, 3)), wrt=(0, 1))
def convolved_by_fft(x, w):
    n = len(x) + len(w) - 1
    return np.fft.irfft(np.fft.rfft(x, n) * np.fft.rfft(w, n), n)


@program(args=lambda: (values(6, 3, 4),))
def image_spectrum(x):
    z = np.fft.fft2(x)
    low = np.fft.ifft2(z * (np.abs(np.fft.fftfreq(4)) < 0.3))
    return np.angle(z[1:, 1:3]) + low.real[1:, 1:3]


@program(args=lambda: (values(7, 5),), variants=[lambda: (values(7, 1),), lambda: (values(7, 0),)])
def waves(x):
    z = np.exp(1j * x) + np.sqrt(x + 2j)
    return z.imag * np.abs(z) - np.cos(z).real


@program(args=lambda: (values(8, 4), values(9, 4)), wrt=(0, 1))
def parts_put_together(a, b):
    z = a + 1j * b
    return (z**2 * z.conj() / (z - 3j)).real


@program(args=lambda: (values(10, 4),), variants=[lambda: (values(10, 4, dtype=np.float32),)])
def stored_to_complex(x):
    z = np.zeros(len(x), dtype=complex)
    for k in range(len(x)):
        z[k] = x[k] * 1j
    z[1:] += x[:-1]
    z[0] = x[1]
    z *= x
    return np.abs(z + 1) ** 2


@program(args=lambda: (values(11, 5),))
def summed_from_zero(x):
    total = 0.0
    for k in range(len(x)):
        total = total + x[k] * np.exp(-1j * k * x[0])
    return abs(total) * total.real


@program(args=lambda: (values(12, 4), True), variants=[lambda: (values(12, 4), False)])
def complex_on_one_way(x, turn):
    z = x * 2
    if turn:
        z = z * np.exp(1j * x)
    return np.abs(z * x + 1j)


@program(args=lambda: (values(13, 3), values(14, 3, 3)), wrt=(0, 1))
def impedance(r, c):
    a = np.diag(r + 3) + 1j * c
    i = np.linalg.solve(a, r)
    return np.abs(i) ** 2 @ r + np.linalg.norm(np.linalg.inv(a))


def _intensity(z):
    return (z * z.conj()).real


@program(args=lambda: (values(15, 3, 2),))
def handed_on(x):
    field = np.stack([x[:, 0] + 1j * x[:, 1], np.exp(2j * x[:, 0])])
    return _intensity(field @ np.array([1.0, 1j, 2.0]))


@program(args=lambda: (values(16, 4),))
def list_of_waves(x):
    found = []
    for k in range(3):
        found.append(np.exp(1j * k * x))
    return np.abs(sum(found) - np.prod(np.stack(found), axis=0))


@program(args=lambda: (values(17, 4),))
def chosen_and_joined(x):
    z = np.where(x > 0, 1j * x, x)
    w = np.concatenate((z, z[::-1] * x))
    return np.abs(np.cumsum(w) + 0.3) + np.roll(w, 1).imag


@program(args=lambda: (positives(18, 4),))
def typed(x):
    z = x.astype(complex)
    return np.log(z * 1j).imag * x + np.linalg.norm(z) + np.vdot(z, z * 1j).imag


@program(args=lambda: (0.7, -0.4), wrt=(0, 1))
def of_scalars(a, b):
    z = complex(a, b)
    return abs(z) * (z**3).imag + (1 / z).real


@program(args=lambda: (values(19, 3), values(20, 3, 3)), wrt=(0, 1))
def expectation(angles, h):
    state = np.exp(1j * angles) / np.sqrt(3.0)
    return np.vdot(state, h @ state).real + np.einsum("i,ij,j->", state, h, state).imag


def _turn_all_but_first(z, x):
    z[1:] = z[1:] * x[0] + 1j * x[1:]


@program(args=lambda: (values(21, 4),))
def written_by_a_helper(x):
    z = x + 0j
    _turn_all_but_first(z, x)
    return np.abs(z) * np.sign(z).real


@program(args=lambda: (values(22, 5),))
def transform_by_hand(x):
    n = len(x)
    found = np.empty(n, dtype=np.complex128)
    for k in range(n):
        found[k] = sum(x[j] * np.exp(-2j * np.pi * k * j / n) for j in range(n))
    return np.abs(found) ** 2


@program(args=lambda: (np.array([[0.3, -1.2, 0.1], [1.1, 0.2, 0.3], [0.2, 0.1, 0.7]]),))
def largest_modulus(a):
    return np.max(np.abs(np.linalg.eigvals(a)))


@program(args=lambda: (np.array([[0.3, -1.2, 0.1], [1.1, 0.2, 0.3], [0.2, 0.1, 0.7]]),))
def modes(a):
    w, v = np.linalg.eig(a)
    return np.sum(np.real(w) ** 2) + np.sum(np.abs(v) ** 4) + np.sum(np.imag(np.exp(w))) ** 2


@program(args=lambda: (np.array([1.0, -0.4, 2.1, 0.3]),))
def distances_of_roots(p):
    return np.sum(np.abs(np.roots(p)) ** 2)


@program(args=lambda: (values(3, 3, 3), values(4, 3, 3)), wrt=(0, 1))
def hermitian(a, b):
    z = a + 1j * b
    h = z @ np.conj(z.T) + 3 * np.eye(3)
    w, v = np.linalg.eigh(h)
    root = (v * np.sqrt(w)) @ np.conj(v.T)
    chol = np.linalg.cholesky(h)
    return (
        np.sum(np.abs(root))
        + np.sum(np.real(chol * 1j**0.5))
        + np.real(np.linalg.det(z))
        + np.sum(np.linalg.svd(z, compute_uv=False) ** 3)
    )


@program(args=lambda: (values(91, 4), values(92, 3), 0.4), wrt=(0, 1, 2))
def transfer(p, frequencies, damping):
    """A polynomial with real coefficients off the real axis."""
    s = damping + 1j * frequencies
    return np.sum(np.abs(np.polyval(p, s)) ** 2) + np.abs(np.polyval(p * (1 + 1j), damping))
