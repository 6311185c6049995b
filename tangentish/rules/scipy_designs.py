"""What SciPy makes of a few numbers, before anything varies: windows, filters, matrices that have a name."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from tangentish.rules.laws import made_of_numbers
from tangentish.rules.names import lookup

_WINDOWS = """
    boxcar triang parzen bohman blackman nuttall blackmanharris flattop bartlett barthann hamming kaiser gaussian
    general_gaussian general_cosine general_hamming chebwin cosine hann exponential tukey taylor lanczos
"""
_WAVEFORMS = "get_window firwin savgol_coeffs chirp sawtooth square unit_impulse"
_FILTERS = "butter cheby1 cheby2 ellip bessel iirfilter"
_NOTCHES = "iirnotch iirpeak"
_QUADRATURES = """
    roots_legendre roots_chebyt roots_chebyu roots_hermite roots_hermitenorm roots_laguerre roots_jacobi
    roots_genlaguerre roots_gegenbauer roots_chebyc roots_chebys roots_sh_legendre roots_sh_chebyt roots_sh_chebyu
    roots_sh_jacobi
"""


def signals() -> None:
    """Those of scipy.signal."""
    made_of_numbers(*(f"scipy.signal.windows.{name}" for name in _WINDOWS.split()))
    made_of_numbers(*(f"scipy.signal.{name}" for name in _WAVEFORMS.split()))
    for name in _FILTERS.split():
        made_of_numbers(f"scipy.signal.{name}", like=_filter(f"scipy.signal.{name}"))
    for name in _NOTCHES.split():
        made_of_numbers(f"scipy.signal.{name}", like=lambda *_, **__: _polynomials(2))


def matrices() -> None:
    """Those of scipy.linalg."""
    made_of_numbers("scipy.linalg.hilbert", like=lambda n: np.zeros((n, n)))
    made_of_numbers("scipy.linalg.hadamard", like=lambda n, dtype=int: np.zeros((n, n), dtype))
    made_of_numbers("scipy.linalg.dft", like=lambda n, *_, **__: np.zeros((n, n), complex))


def quadratures() -> None:
    """Nodes and weights of scipy.special, which are eigenvalues of a matrix."""
    for name in _QUADRATURES.split():
        made_of_numbers(f"scipy.special.{name}", like=_nodes)


def _nodes(n: int, *_: float, mu: bool = False) -> tuple[Any, ...]:
    return (np.zeros(n), np.zeros(n), 0.0) if mu else (np.zeros(n), np.zeros(n))


def _polynomials(degree: int) -> tuple[Any, Any]:
    return np.zeros(degree + 1), np.zeros(degree + 1)


def _sections(order: int) -> Any:
    return np.zeros(((order + 1) // 2, 6))


def _filter(name: str) -> Callable[..., Any]:
    """A filter of the same order, by its polynomials or sections: of bands it is twice what is asked for."""
    signature = inspect.signature(lookup(name))  # type: ignore[arg-type]

    def like(*args: Any, **keywords: Any) -> Any:
        asked = signature.bind(*args, **keywords)
        asked.apply_defaults()
        if asked.arguments["output"] == "zpk":
            raise ValueError(
                "how many zeros there are, and whether they are complex, follows the numbers"
            )
        order = asked.arguments["N"] * (2 if asked.arguments["btype"].startswith("b") else 1)
        return _polynomials(order) if asked.arguments["output"] == "ba" else _sections(order)

    return like
