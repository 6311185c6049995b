"""The tables of libraries: they are read when the library is in use, which makes none of them a dependency."""

from __future__ import annotations

import importlib
import sys

_TABLES = {
    "scipy.special": "scipy_special",
    "scipy.linalg": "scipy_linalg",
    "scipy.stats": "scipy_distributions",
    "scipy.signal": "scipy_signal",
    "scipy.integrate": "scipy_integrate",
    "scipy.optimize": "scipy_optimize",
    "scipy.fft": "scipy_fft",
    "scipy.ndimage": "scipy_filters",
    "scipy.spatial": "scipy_distances",
    "scipy.interpolate": "scipy_interpolate",
    "scipy.sparse": "scipy_sparse",
    "scipy.sparse.linalg": "scipy_sparse_linalg",
    "scipy.fftpack": "scipy_fftpack",
    "cmath": "cmath_functions",
    "numpy.testing": "numpy_testing",
}
"""Module -> the table of its functions."""

_waiting = dict(_TABLES)


def load_tables() -> bool:
    """Read the tables of the modules that were imported in the meantime; whether there were any."""
    found = [module for module in _waiting if module in sys.modules]
    for module in found:
        importlib.import_module(f"tangentish.rules.{_waiting.pop(module)}")
    return bool(found)
