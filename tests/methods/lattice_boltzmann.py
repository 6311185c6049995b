"""Flow around a cylinder by the lattice Boltzmann method, D2Q9 with BGK collisions.

After J. Latt, lbmFlowAroundCylinder.py (Palabos project); S. Succi, The Lattice Boltzmann Equation.
"""

import numpy as np

from . import method

v = np.array([[1, 1], [1, 0], [1, -1], [0, 1], [0, 0], [0, -1], [-1, 1], [-1, 0], [-1, -1]])
t = np.array([1 / 36, 1 / 9, 1 / 36, 1 / 9, 4 / 9, 1 / 9, 1 / 36, 1 / 9, 1 / 36])


def macroscopic(fin):
    """Density and velocity."""
    rho = np.sum(fin, axis=0)
    u = np.zeros((2, fin.shape[1], fin.shape[2]))
    for i in range(9):
        u[0, :, :] += v[i, 0] * fin[i, :, :]
        u[1, :, :] += v[i, 1] * fin[i, :, :]
    u /= rho
    return rho, u


def equilibrium(rho, u):
    """Equilibrium distribution function."""
    usqr = 3 / 2 * (u[0] ** 2 + u[1] ** 2)
    feq = np.zeros((9, rho.shape[0], rho.shape[1]))
    for i in range(9):
        cu = 3 * (v[i, 0] * u[0, :, :] + v[i, 1] * u[1, :, :])
        feq[i, :, :] = rho * t[i] * (1 + cu + 0.5 * cu**2 - usqr)
    return feq


def simulate(fin, vel, omega, obstacle, steps):
    """Velocity after some steps; vel is the velocity of the inflow on the left."""
    col1 = [0, 1, 2]
    col2 = [3, 4, 5]
    col3 = [6, 7, 8]
    for time in range(steps):
        # Right wall: outflow condition.
        fin[col3, -1, :] = fin[col3, -2, :]

        rho, u = macroscopic(fin)

        # Left wall: inflow condition.
        u[:, 0, :] = vel[:, 0, :]
        rho[0, :] = (
            1
            / (1 - u[0, 0, :])
            * (np.sum(fin[col2, 0, :], axis=0) + 2 * np.sum(fin[col3, 0, :], axis=0))
        )
        feq = equilibrium(rho, u)
        fin[[0, 1, 2], 0, :] = feq[[0, 1, 2], 0, :] + fin[[8, 7, 6], 0, :] - feq[[8, 7, 6], 0, :]

        # Collision step.
        fout = fin - omega * (fin - feq)

        # Bounce-back condition for obstacle.
        for i in range(9):
            fout[i, obstacle] = fin[8 - i, obstacle]

        # Streaming step.
        for i in range(9):
            fin[i, :, :] = np.roll(np.roll(fout[i, :, :], v[i, 0], axis=0), v[i, 1], axis=1)
    rho, u = macroscopic(fin)
    return u


def channel():
    nx, ny = 5, 4
    y = np.arange(ny)
    vel = np.zeros((2, nx, ny))
    vel[0] = 0.04 * (1 + 1e-2 * np.sin(y / (ny - 1) * 2 * np.pi))
    vel[1] = 0.01 * np.cos(y)
    obstacle = np.zeros((nx, ny), dtype=bool)
    obstacle[2, 1] = obstacle[2, 2] = True
    fin = equilibrium(1 + 0.05 * np.cos(np.arange(nx * ny)).reshape(nx, ny), vel)
    return fin, vel, 1.3, obstacle, 2


method(simulate, channel, wrt=(0, 1, 2))
