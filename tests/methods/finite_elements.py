"""Linear finite elements on triangles: assembly element by element, and the compliance.

J. Alberty, C. Carstensen, S. Funken, Remarks around 50 lines of Matlab (1999).
"""

import numpy as np

from . import method


def element_stiffness(vertices):
    """Stiffness of a triangle."""
    d = np.vstack([np.ones(3), vertices.T])
    G = np.linalg.solve(d, np.vstack([np.zeros(2), np.eye(2)]))
    area = 0.5 * np.linalg.det(d)
    return area * G @ G.T


def assemble(coordinates, elements, kappa, load):
    n = len(coordinates)
    K = np.zeros((n, n))
    b = np.zeros(n)
    for e, nodes in enumerate(elements):
        vertices = coordinates[nodes]
        Ke = kappa[e] * element_stiffness(vertices)
        K[np.ix_(nodes, nodes)] += Ke
        (x1, y1), (x2, y2), (x3, y3) = vertices
        area = 0.5 * ((x2 - x1) * (y3 - y1) - (x3 - x1) * (y2 - y1))
        np.add.at(b, nodes, load * area / 3)
    return K, b


def compliance(coordinates, kappa, load, elements, dirichlet):
    """Work of the load, with the solution 0 at the Dirichlet nodes."""
    K, b = assemble(coordinates, elements, kappa, load)
    free = np.setdiff1d(np.arange(len(coordinates)), dirichlet)
    u = np.zeros(len(coordinates))
    u[free] = np.linalg.solve(K[np.ix_(free, free)], b[free])
    return b @ u


def mesh():
    coordinates = np.array([[0.0, 0.0], [1.0, 0.1], [0.9, 1.0], [0.0, 1.1], [0.45, 0.55]])
    elements = np.array([[0, 1, 4], [1, 2, 4], [2, 3, 4], [3, 0, 4]])
    return coordinates, np.array([1.0, 1.5, 0.7, 1.2]), 1.3, elements, np.array([0, 3])


method(compliance, mesh, wrt=(0, 1, 2))
