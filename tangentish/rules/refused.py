"""What has no derivative rule on purpose, and what to write instead."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

import numpy as np

from tangentish.rules.names import lookup
from tangentish.rules.registry import MADE_OF_NUMBERS
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
        named = _name_of(function)
        by_name = _BY_NAME.get(named) or _BY_PACKAGE.get(named.rpartition(".")[0])
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
    return f"{package}.{getattr(function, '__name__', '')}"


_OF_NUMBERS = "what it makes is known for numbers that carry no derivative only: write its formula"
_OBJECT = "its nodes and values carry no derivative, only what it is called with: write scipy.interpolate.CubicSpline, whose values do"
_SERIES = "no closed form of it is known, but for those of scipy.special.kv and kve"
_BY_PARAMETER = {
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
_TURNS = "write the matrix scipy.linalg.expm(np.cross(np.eye(3), v)) of a rotation vector v, and its products with points and other matrices"
_CALLS = "it calls a function of yours: differentiate that function, and write the method's own loop in Python"
_INTEGRATES = "it calls a function of yours: write scipy.integrate.quad of a function that gives the inner scipy.integrate.quad"
_BETWEEN = "it calls a function of yours: write scipy.optimize.brentq(f, low, high)"
_FORMS = ("bsr", "coo", "csc", "csr", "dia", "dok", "lil")
_SPARSE = "a sparse matrix carries no derivative: write "
_DIAGONALS = (
    f"{_SPARSE}scipy.linalg.solve_banded((1, 1), rows, b), the rows being the diagonals, or np.diag"
)
_ENTRIES = (
    f"{_SPARSE}its product, np.bincount(rows, values * x[columns], minlength=n), or a plain array"
)
_SPECTRUM = "write np.abs(np.fft.rfft(x * w)) ** 2 for each piece of x, with a window w"
_SLOPES = "its slopes follow the data by cases: write scipy.interpolate.CubicSpline, or np.interp"
_RESAMPLED = (
    "write np.fft.irfft(np.fft.rfft(x)[: min(len(x), m) // 2 + 1], m) * m / len(x), "
    "which is the same where the smaller of both lengths is odd"
)
_WINDOWS = (
    "write np.median(np.lib.stride_tricks.sliding_window_view(np.pad(x, k // 2), k), axis=-1)"
)
_NEIGHBOURHOODS = (
    "write np.{}(np.lib.stride_tricks.sliding_window_view(np.pad(x, k // 2, 'symmetric'), (k, k)), "
    "axis=(-2, -1)), of an odd k"
)
_LABELLED = "write np.bincount(labels.ravel(), x.ravel()), which sums x over each label"
_DRAWN = "it draws by what varies: write m + s * random.gauss(0.0, 1.0)"
_SOLVED = "write scipy.sparse.linalg.spsolve(A, b)"
_BY_PACKAGE = {
    "numpy.ma": "masked arrays carry no derivative: keep the mask, and write np.sum(x[~mask]) or np.where(mask, 0.0, x)",
}
_BY_NAME = {
    **{f"random.{name}": _DRAWN for name in ("gauss", "normalvariate", "uniform", "expovariate")},
    "random.choice": "write xs[random.randrange(len(xs))]",
    "cmath.polar": "write abs(z), cmath.phase(z)",
    "cmath.rect": "write r * cmath.exp(1j * phi)",
    **{
        f"scipy.sparse.{name}": _SOLVED
        for name in ("cg", "gmres", "bicgstab", "minres", "lsqr", "splu", "spilu", "factorized")
    },
    "builtins.solve": _SOLVED,  # of what scipy.sparse.linalg.splu makes
    "numpy.reduceat": "write the reduction of each slice, and np.array of them",
    "numpy.accumulate": "write the loop, y[i] = f(y[i - 1], x[i])",
    "collections.OrderedDict": "write a dict, which keeps its order: {...} or dict(...)",
    "array.array": "write a list or np.array(x)",
    "decimal.Decimal": "it rounds as it is told: write a float",
    "fractions.Fraction": "it is no float: write p / q",
    "statistics.mean": "write np.mean(x)",
    "statistics.fmean": "write np.mean(x)",
    "statistics.median": "write np.median(x)",
    "statistics.stdev": "write np.std(x, ddof=1)",
    "statistics.variance": "write np.var(x, ddof=1)",
    "statistics.pstdev": "write np.std(x)",
    "statistics.pvariance": "write np.var(x)",
    "statistics.geometric_mean": "write np.exp(np.mean(np.log(x)))",
    "statistics.harmonic_mean": "write 1 / np.mean(1 / x)",
    "scipy.stats.pearsonr": "write np.corrcoef(x, z)[0, 1]",
    "scipy.stats.spearmanr": "what it gives is constant but for jumps, where ranks change",
    "scipy.stats.linregress": "write slope, intercept = np.polyfit(x, z, 1)",
    "scipy.stats.gaussian_kde": "write its sum: np.mean(scipy.stats.norm.pdf(x[:, None], data, width), axis=1)",
    "scipy.stats.ttest_1samp": "write (np.mean(x) - m) / scipy.stats.sem(x)",
    "scipy.stats.ttest_ind": "write its quotient of np.mean and np.var(..., ddof=1)",
    "scipy.stats.iqr": "write np.subtract(*np.percentile(x, [75, 25]))",
    "scipy.stats.median_abs_deviation": "write np.median(np.abs(x - np.median(x)))",
    "scipy.stats.gstd": "write np.exp(np.std(np.log(x), ddof=1))",
    "scipy.stats.trim_mean": "write np.mean(np.sort(x)[k:-k]), with k = int(share * len(x))",
    "scipy.stats.circmean": "write np.arctan2(np.mean(np.sin(x)), np.mean(np.cos(x))) % (2 * np.pi)",
    "scipy.stats.circvar": "write 1 - np.hypot(np.mean(np.sin(x)), np.mean(np.cos(x)))",
    "scipy.stats.circstd": "write np.sqrt(-2 * np.log(np.hypot(np.mean(np.sin(x)), np.mean(np.cos(x)))))",
    "scipy.stats.wasserstein_distance": "write np.mean(np.abs(np.sort(x) - np.sort(z))), where both are of one length",
    "scipy.stats.boxcox": "write scipy.special.boxcox(x, p)",
    "scipy.stats.boxcox_llf": "write (p - 1) * np.sum(np.log(x)) - len(x) / 2 * np.log(np.var(scipy.special.boxcox(x, p)))",
    "scipy.stats.yeojohnson": "write np.where(x < 0, -scipy.special.boxcox1p(-np.minimum(x, 0), 2 - p), scipy.special.boxcox1p(np.maximum(x, 0), p))",
    "scipy.special.diric": "write np.sin(n * x / 2) / (n * np.sin(x / 2))",
    "scipy.special.agm": "write np.pi / 4 * (a + b) / scipy.special.ellipk(((a - b) / (a + b)) ** 2)",
    "scipy.optimize.fixed_point": "write scipy.optimize.brentq or fsolve of f(x) - x",
    "scipy.optimize.minimize_scalar": "write scipy.optimize.brentq or newton of the function's derivative",
    "scipy.optimize.least_squares": _CALLS,
    "scipy.optimize.leastsq": _CALLS,
    "scipy.optimize.curve_fit": _CALLS,
    "scipy.signal.periodogram": _SPECTRUM,
    "scipy.signal.welch": _SPECTRUM,
    "scipy.signal.csd": _SPECTRUM,
    "scipy.signal.coherence": _SPECTRUM,
    "scipy.signal.spectrogram": _SPECTRUM,
    "scipy.signal.stft": _SPECTRUM,
    "scipy.signal.envelope": "write np.abs(scipy.signal.hilbert(x - np.mean(x)))",
    "scipy.signal.decimate": "write scipy.signal.filtfilt(b, a, x)[::q], with b, a = scipy.signal.cheby1(8, 0.05, 0.8 / q)",
    "scipy.signal.resample": _RESAMPLED,
    "scipy.signal.upfirdn": "write scipy.signal.convolve(z, h)[::down] of z = np.zeros(up * (len(x) - 1) + 1), z[::up] = x",
    "scipy.signal.resample_poly": "write scipy.signal.convolve(z, h)[len(h) // 2 :: down][: -(-len(x) * up // down)], with its filter h, of z = np.zeros(up * len(x)), z[::up] = x",
    "scipy.signal.freqz": "write np.polyval(b[::-1], z) / np.polyval(a[::-1], z), with z = np.exp(-1j * w)",
    "scipy.signal.czt": "write x @ z ** -np.arange(len(x))[:, None], with z = a * w ** -np.arange(m)",
    "scipy.signal.medfilt": _WINDOWS,
    **{
        f"scipy.signal.{name}": f"write np.asarray({name}(stop_gradient(x))[0]), the places, and read x there"
        for name in ("find_peaks", "argrelmax", "argrelmin")
    },
    "scipy.spatial.ConvexHull": "write np.asarray(ConvexHull(stop_gradient(x)).vertices), the places, and read x there",
    **dict.fromkeys(
        ("scipy.spatial.cKDTree", "scipy.spatial.KDTree"),
        "write np.argsort(scipy.spatial.distance.cdist(x, z), axis=1)[:, :k], and read z there",
    ),
    "scipy.interpolate.PchipInterpolator": _SLOPES,
    "scipy.interpolate.Akima1DInterpolator": _SLOPES,
    "scipy.interpolate.UnivariateSpline": _OBJECT,
    "scipy.interpolate.griddata": "which triangle a point lies in, and the triangles themselves, follow the data: there is no rule for that",
    "scipy.linalg.fractional_matrix_power": "it may be complex: write it with scipy.linalg.eigh where the matrix is symmetric",
    **{
        f"scipy.spatial.from_{what}": _TURNS
        for what in ("rotvec", "euler", "quat", "matrix", "mrp", "davenport")
    },
    "scipy.spatial.apply": "write x @ R.as_matrix().T",
    **{f"scipy.sparse.{name}": _DIAGONALS for name in ("diags", "diags_array", "spdiags")},
    **{f"scipy.sparse.{form}_{kind}": _ENTRIES for form in _FORMS for kind in ("matrix", "array")},
    **{
        f"scipy.sparse.{name}": _ENTRIES
        for name in ("kron", "kronsum", "bmat", "block_array", "block_diag")
    },
    **{
        f"scipy.ndimage.{name}": _NEIGHBOURHOODS.format(taken)
        for name, taken in (
            ("maximum_filter", "max"),
            ("grey_dilation", "max"),
            ("minimum_filter", "min"),
            ("grey_erosion", "min"),
            ("median_filter", "median"),
        )
    },
    **{f"scipy.ndimage.{of_labels}": _LABELLED for of_labels in ("sum_labels", "mean", "variance")},
    "scipy.integrate.dblquad": _INTEGRATES,
    "scipy.integrate.tplquad": _INTEGRATES,
    "scipy.integrate.nquad": _INTEGRATES,
    "scipy.optimize.toms748": _BETWEEN,
    "scipy.optimize.minimize": _CALLS,
}
