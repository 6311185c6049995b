"""Gravitating bodies, by the leapfrog method (kick, drift, kick).

After P. Mocz, Create Your Own N-body Simulation (With Python), 2020.
"""

import numpy as np

from . import method


def getAcc(pos, mass, G, softening):
    """
    Calculate the acceleration on each particle due to Newton's Law
     pos       is an N x 3 matrix of positions
     mass      is an N x 1 vector of masses
     G         is Newton's Gravitational constant
     softening is the softening length
     a         is N x 3 matrix of accelerations
    """
    # positions r = [x,y,z] for all particles
    x = pos[:, 0:1]
    y = pos[:, 1:2]
    z = pos[:, 2:3]

    # matrix that stores all pairwise particle separations: r_j - r_i
    dx = x.T - x
    dy = y.T - y
    dz = z.T - z

    # matrix that stores 1/r^3 for all particle pairwise particle separations
    inv_r3 = dx**2 + dy**2 + dz**2 + softening**2
    inv_r3[inv_r3 > 0] = inv_r3[inv_r3 > 0] ** (-1.5)

    ax = G * (dx * inv_r3) @ mass
    ay = G * (dy * inv_r3) @ mass
    az = G * (dz * inv_r3) @ mass

    # pack together the acceleration components
    a = np.hstack((ax, ay, az))

    return a


def getEnergy(pos, vel, mass, G):
    """Kinetic and potential energy."""
    KE = 0.5 * np.sum(np.sum(mass * vel**2))

    x = pos[:, 0:1]
    y = pos[:, 1:2]
    z = pos[:, 2:3]

    dx = x.T - x
    dy = y.T - y
    dz = z.T - z

    # matrix that stores 1/r for all particle pairwise particle separations
    inv_r = np.sqrt(dx**2 + dy**2 + dz**2)
    inv_r[inv_r > 0] = 1.0 / inv_r[inv_r > 0]

    # sum over upper triangle, to count each interaction only once
    PE = G * np.sum(np.sum(np.triu(-(mass * mass.T) * inv_r, 1)))

    return KE, PE


def simulate(pos, vel, mass, G, softening, tEnd, dt):
    """Energies at the end."""
    # Convert to Center-of-Mass frame
    vel -= np.mean(mass * vel, 0) / np.mean(mass)

    acc = getAcc(pos, mass, G, softening)
    t = 0
    Nt = int(np.ceil(tEnd / dt))

    for i in range(Nt):
        # (1/2) kick
        vel += acc * dt / 2.0
        # drift
        pos += vel * dt
        # update accelerations
        acc = getAcc(pos, mass, G, softening)
        # (1/2) kick
        vel += acc * dt / 2.0
        # update time
        t += dt

    KE, PE = getEnergy(pos, vel, mass, G)
    return KE + PE, pos


def bodies():
    pos = np.array([[0.0, 0.1, 0.2], [1.0, -0.3, 0.4], [-0.7, 0.8, -0.5], [0.4, 1.1, 0.9]])
    vel = np.array([[0.1, -0.2, 0.0], [0.0, 0.3, -0.1], [0.2, 0.1, 0.1], [-0.3, 0.0, 0.2]])
    mass = np.array([[1.0], [0.5], [0.8], [0.3]])
    return pos, vel, mass, 1.0, 0.1, 0.15, 0.05


method(simulate, bodies, wrt=(0, 1, 2, 3, 4))
