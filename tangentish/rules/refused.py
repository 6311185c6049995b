"""What has no derivative rule on purpose, and what to write instead."""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable, Mapping
from typing import TypeVar

import numpy as np

from tangentish.rules.names import lookup
from tangentish.rules.registry import MADE_OF_NUMBERS, RULES
from tangentish.rules.rule import ABSENT

T = TypeVar("T")

REFUSED: dict[str, str] = {
    "write .astype(complex), or z.astype(np.complex64)": "np.complex64 np.clongdouble",
    "it calls a function for each element or slice: write the loop, or the expression for the whole array": """
        np.vectorize np.frompyfunc np.piecewise np.fromfunction
    """,
    "how many are taken is not seen here: leave `count` away, or write np.array([...])": "np.fromiter",
    "its items come one after another: run over np.ndindex(x.shape), and read x[index]": """
        np.nditer np.nested_iters np.flatiter np.ndenumerate np.broadcast
    """,
    "it writes to its argument: write `x[...] = ...`": """
        np.copyto np.put np.place np.putmask np.fill_diagonal np.put_along_axis
    """,
    "its counts are constant, but its edges follow the data: give the edges as an array to np.searchsorted and np.bincount": """
        np.histogram2d np.histogramdd
    """,
    "it gives an object that is no plain array": """
        np.asmatrix np.matrix np.bmat np.memmap np.recarray np.record np.from_dlpack np.ndarray np.object_
    """,
    "it gives an object: call np.polyval(p, x), np.polymul(p, q), np.polyder(p) with its coefficients": "np.poly1d",
    "it gives an object: call np.polynomial.polynomial.polyval(z, c), or that of its family, with its coefficients": """
        np.polynomial.Polynomial np.polynomial.Chebyshev np.polynomial.Legendre np.polynomial.Hermite np.polynomial.HermiteE
        np.polynomial.Laguerre
    """,
    "its result is not an array: write np.unique": """
        np.unique_all np.unique_inverse np.unique_counts
    """,
    "it makes text or bytes of numbers": """
        np.array2string np.array_repr np.array_str np.base_repr np.binary_repr np.format_float_positional
        np.format_float_scientific np.packbits np.unpackbits np.str_ np.bytes_ np.character np.void np.datetime_as_string
    """,
    "its items come one after another: run over it in a for loop, or over indices": """
        enumerate reversed map filter itertools.accumulate itertools.chain itertools.combinations
        itertools.combinations_with_replacement itertools.compress itertools.count itertools.cycle itertools.dropwhile
        itertools.filterfalse itertools.islice itertools.pairwise itertools.permutations
        itertools.product itertools.repeat itertools.starmap itertools.takewhile itertools.tee itertools.zip_longest
    """,
    "an iterator that is kept is not followed: write x[0] for its first item, and run over x[1:]": "iter next",
    "its items come one after another: run over it in a for loop, or over indices; for zip(*rows) write np.array(rows).T": "zip",
    "which items are together follows the data: write a loop that begins a new group where the key changes": "itertools.groupby",
    "it sets an attribute under a name that is not known: write o.name = v, or keep the values in a dict": "setattr",
    "it reads an attribute under a name that is not known: write o.name, or keep the values in a dict": "getattr",
    "what is in it, and in which order, follows the data: write a list, or np.unique(x)": "set frozenset",
    "it puts into a list where the data say: write xs.append(v) and xs.sort() on lines of their own": """
        bisect.insort bisect.insort_left
    """,
    "it draws by what varies: write loc + scale * np.random.normal(size=n)": """
        np.random.normal np.random.uniform np.random.exponential np.random.lognormal np.random.laplace np.random.gumbel
        np.random.logistic np.random.rayleigh np.random.multivariate_normal np.random.gamma np.random.beta
        np.random.poisson np.random.binomial
    """,
    "it reads bytes": "np.frombuffer",
    "it reads or writes files": """
        np.fromfile np.fromregex np.genfromtxt np.load np.loadtxt np.save np.savetxt np.savez np.savez_compressed
    """,
    "dates are no numbers": """
        np.datetime64 np.timedelta64 np.datetime_data np.busday_count np.busday_offset np.busdaycalendar np.is_busday
    """,
    "it is about types or settings, not about values": """
        np.generic np.number np.integer np.signedinteger np.unsignedinteger np.inexact np.floating np.complexfloating
        np.flexible np.complex256 np.mintypecode np.typename np.ufunc np.get_include np.get_printoptions np.getbufsize
        np.setbufsize np.geterr np.geterrcall np.seterrcall np.info np.show_config np.show_runtime np.test np.linalg.test np.fft.test
    """,
}
"""Why -> names."""

IF_VARYING: dict[str, str] = {
    "how many elements it gives follows the data: write np.unique(np.concatenate((x, z))), or x[np.isin(x, z)]": """
        np.intersect1d np.union1d np.setdiff1d np.setxor1d
    """,
    "it makes a window for one number: write np.i0(beta * np.sqrt(1 - t ** 2)) / np.i0(beta), t = np.linspace(-1, 1, n)": "np.kaiser",
    "its values follow a length that varies: pass int(n), or write the window with np.cos and np.linspace": """
        np.hanning np.hamming np.bartlett np.blackman
    """,
}
"""The same for what is constant, or a constructor, as long as no argument varies."""

_OPTIONS: dict[str, tuple[tuple[object, ...], str]] = {
    "order": (
        ("K", "A"),
        "order='{}' follows how the array lies in memory, not its values: write order='C' or order='F'",
    ),
    "copy": ((False,), "with copy={} it raises where it would copy: leave the option away"),
    "output": (
        (ABSENT,),
        "with output= it writes to an array, or gives another type: write y[...] = f(x), or f(x).astype(t)",
    ),
}
"""Option of functions that have rows without it -> the values that none is for, ABSENT for what is no literal, and why."""

_REASONS = {name: why for why, names in REFUSED.items() for name in names.split()}
_IF_VARYING = {lookup(name): why for why, names in IF_VARYING.items() for name in names.split()}
_BY_FUNCTION: dict[object, str] = {}


def reason_against(function: object) -> str | None:
    """Why there is no rule for a function, if that is known."""
    if not _BY_FUNCTION:
        for name, why in _REASONS.items():
            try:
                _BY_FUNCTION[lookup(name)] = why
            except (AttributeError, TypeError):  # another version of NumPy
                continue
    try:
        if function in RULES:
            return None
        named = _name_of(function)
        by_name = (
            _BY_NAME.get(named)
            or _of_scipy().get(named)
            or _BY_PACKAGE.get(named.rpartition(".")[0])
        )
        return _BY_FUNCTION.get(function) or by_name
    except TypeError:
        return None


def reason_against_option(given: Mapping[str, T], literal: Callable[[T], object]) -> str | None:
    """Why there is no row for a function that is given one of these arguments, if that is known."""
    for name in _OPTIONS.keys() & given.keys():
        (values, why), value = _OPTIONS[name], literal(given[name])
        if value in values:
            return why.format(value)
    return None


def reason_if_varying(function: object) -> str | None:
    """Why a function that is constant as long as its arguments are has no rule where one varies."""
    return _IF_VARYING.get(function) or (_OF_NUMBERS if function in MADE_OF_NUMBERS else None)


def reason_against_parameter(function: object, name: str) -> str:
    """That there is no derivative with respect to a parameter of a function, and why, if that is known."""
    why = _BY_PARAMETER.get((_name_of(function), name))
    return f"there is no derivative with respect to '{name}' here{f': {why}' if why else ''}"


@functools.cache
def _of_scipy() -> Mapping[str, str]:
    """Read where something is refused only, which a program may never meet."""
    return dict(importlib.import_module("tangentish.rules.refused_of_scipy").reasons())


def _home_of(function: object) -> str:
    """The module of a function, or of the class whose method it is; empty where neither is known."""
    module = getattr(function, "__module__", None)
    owner = getattr(function, "__self__", None)
    cls = getattr(function, "__objclass__", None) if owner is None else type(owner)
    return str(module or getattr(cls, "__module__", ""))


def _name_of(function: object) -> str:
    of_ufuncs = "scipy.special" if isinstance(function, np.ufunc) else ""
    module = _home_of(function) or of_ufuncs
    package = ".".join(module.split(".")[:2])
    if package == "scipy.stats" and "." in getattr(function, "__qualname__", ""):
        package += ".distribution"
    return f"{package}.{getattr(function, '__name__', '')}"


_OF_NUMBERS = "what it makes is known for numbers that carry no derivative only: write its formula"
_SERIES = "no closed form of it is known, but for those of scipy.special.kv and kve"
_BY_PARAMETER = {
    ("numpy.pad", "constant_values"): "write np.concatenate((np.full(n, a), x, np.full(m, b)))",
    ("numpy.pad", "end_values"): "write np.concatenate, with np.linspace at the ends",
    ("scipy.interpolate.splev", "tck"): "write scipy.interpolate.BSpline(t, c, k)(x)",
    **{
        (f"scipy.special.{name}", "v"): _SERIES
        for name in ("jv", "jve", "yv", "yve", "iv", "ive", "struve", "modstruve", "hyp0f1")
    },
    **{
        (f"scipy.special.{name}", parameter): "no closed form of it is known"
        for name in ("hyp1f1", "hyp2f1")
        for parameter in "abc"
    },
}
"""Function and parameter -> why there is no derivative with respect to it."""
_DRAWN = "it draws by what varies: write m + s * random.gauss(0.0, 1.0)"
_BY_PACKAGE = {
    "numpy.ma": "masked arrays carry no derivative: keep the mask, and write np.sum(x[~mask]) or np.where(mask, 0.0, x)",
}
_BY_NAME = {
    **{f"random.{name}": _DRAWN for name in ("gauss", "normalvariate", "uniform", "expovariate")},
    "random.choice": "write xs[random.randrange(len(xs))]",
    "cmath.polar": "write abs(z), cmath.phase(z)",
    "cmath.rect": "write r * cmath.exp(1j * phi)",
    "numpy.reduceat": "write the reduction of each slice, and np.array of them",
    "numpy.reduce": "write the loop, y = f(y, x[i])",
    "numpy.accumulate": "write the loop, y[i] = f(y[i - 1], x[i])",
    "collections.OrderedDict": "write a dict, which keeps its order: {...} or dict(...)",
    "array.array": "write a list or np.array(x)",
    "decimal.Decimal": "it rounds as it is told: write a float",
    "fractions.Fraction": "it is no float: write p / q",
    "statistics.median": "write np.median(x)",
    "statistics.geometric_mean": "write np.exp(np.mean(np.log(x)))",
    "statistics.harmonic_mean": "write 1 / np.mean(1 / x)",
}
