"""Every public function of NumPy and of the modules of SciPy that rules know is a rule, constant, or refused with a reason."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
from typing import Any

import numpy as np
import pytest

from tangentish import NotDifferentiable, grad, rules
from tangentish.infer.known_functions import function_name
from tangentish.infer.solutions import SOLUTIONS
from tangentish.infer.written_in_python import WRITTEN_OUT
from tangentish.rules.calling_back import AS_TUPLES, CALLERS
from tangentish.rules.objects import OBJECTS
from tangentish.rules.refused import REFUSED

MODULES = """
    special linalg stats signal signal.windows integrate fft fftpack ndimage spatial spatial.distance optimize
    interpolate sparse sparse.linalg
""".split()
for module in MODULES:
    importlib.import_module(f"scipy.{module}")
rules.load_tables()


def public(module: Any, prefix: str) -> list[str]:
    names = [n for n in dir(module) if not n.startswith("_")]
    return [f"{prefix}.{n}" for n in names if is_function(getattr(module, n))]


def is_function(value: Any) -> bool:
    is_error = isinstance(value, type) and issubclass(value, BaseException)
    return callable(value) and not inspect.ismodule(value) and not is_error


def is_known(function: Any) -> bool:
    tables = (rules.RULES, rules.DRAWS, WRITTEN_OUT)
    name = function_name(function)
    called_back = any(name in t for t in (AS_TUPLES, CALLERS, SOLUTIONS, OBJECTS))
    return called_back or any(function in t for t in tables) or rules.is_constant(function)


NUMPY = [*public(np, "np"), *public(np.linalg, "np.linalg"), *public(np.fft, "np.fft")]


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("name", [n for n in NUMPY if n != "np.row_stack"])
def test_names_of_numpy(name: str) -> None:
    function = rules.lookup(name)
    assert is_known(function) != (rules.reason_against(function) is not None)


def of_scipy(module: str) -> list[str]:
    """The names that a module of SciPy shows, and for one of a distribution its methods."""
    shown = importlib.import_module(f"scipy.{module}")
    public = [(f"{module}.{n}", getattr(shown, n)) for n in shown.__all__]
    names = [name for name, value in public if is_function(value) and not is_distribution(value)]
    distributions = [(name, value) for name, value in public if is_distribution(value)]
    methods = [(f"{d}.{n}", getattr(v, n)) for d, v in distributions for n in dir(v) if n in ASKED]
    return names + [name for name, value in methods if is_function(value)]


def is_distribution(value: Any) -> bool:
    return type(value).__module__.startswith("scipy.stats") and not inspect.isroutine(value)


ASKED = """
    pdf logpdf pmf logpmf cdf logcdf sf logsf ppf isf rvs fit expect mean median std var moment stats entropy interval
""".split()
SCIPY = [name for module in MODULES for name in of_scipy(module)]


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_names_of_scipy() -> None:
    functions = {name: rules.lookup(f"scipy.{name}") for name in SCIPY}
    told = {n: (is_known(f), rules.reason_against(f) is not None) for n, f in functions.items()}
    assert [name for name, (known, refused) in told.items() if known == refused] == []


def test_reasons_name_functions_that_exist() -> None:
    for names in REFUSED.values():
        for name in names.split():
            assert name.startswith("np.complex256") or callable(rules.lookup(name))


def test_a_refusal_says_why() -> None:
    def called(x):
        return np.poly1d(x)(2.0)

    def histogram(x):
        return np.sum(np.histogram2d(x, x)[1])

    with pytest.raises(NotDifferentiable, match="np.polyval"):
        grad(called)(np.ones(3))
    with pytest.raises(NotDifferentiable, match="its edges follow the data"):
        grad(histogram)(np.ones(3))


# What takes no derivative on purpose, what is not initialised, and a helper of integers.
STILL = ("stop_gradient", "number", "empty_like", "rolled_to", "opposite")
A, B = np.array([0.31, 1.27, 2.63, 0.88]), np.array([1.71, 0.42, 0.93, 3.3])
GIVEN: list[tuple[Any, ...]] = [
    (A,), (A, B), (A, B, 2 * B), (0.7,), (0.7, 1.3), (3, 0.7), (0.3, 1.7, 0.4), (np.outer(A, B) + np.eye(4),), ([A, B],),
    (A, 2), (A, B, 3), (2, A), (3, A, B),
]  # fmt: skip
SILENT = ("print", "input", "errstate", "seterr", "printoptions", "set_printoptions", "id", "hash")


def numbers_of(result: Any) -> Any:
    """The floats in a result, one after the other; no array where it holds something else."""
    if isinstance(result, (tuple, list)):
        return np.concatenate([np.zeros(0), *map(numbers_of, result)])
    array = np.asarray(result)
    return array.ravel() if array.dtype.kind in "fc" else np.zeros(0)


def moves(function: Any, args: tuple[Any, ...]) -> bool:
    """Whether the floats in the result change a little where those in the arguments do."""
    closer = [a if isinstance(a, int) else np.multiply(a, 1 + 1e-7) for a in args]
    try:
        before, after = numbers_of(function(*args)), numbers_of(function(*closer))
    except (
        AssertionError,
        TypeError,
        ValueError,
        IndexError,
        AttributeError,
        OverflowError,
        RuntimeError,
        np.exceptions.AxisError,
    ):
        return False  # it takes other arguments
    return (
        before.shape == after.shape and np.any(before != after) and np.allclose(before, after, 1e-4)
    )


def names_of(function: Any) -> tuple[str, str]:
    """Its name, and that of its module: np.hamming is not the hamming of scipy.signal.windows."""
    name = getattr(function, "__name__", str(function))
    return name, str(getattr(function, "__module__", ""))


DECLARED = [f for f in rules.CONSTANT | rules.CONSTRUCTORS if callable(f)]
NAMED = [(names_of(f), f) for f in DECLARED]
NAMED.sort(key=lambda named: named[0])


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "function",
    [pytest.param(f, id=f"{m}.{n}") for (n, m), f in NAMED if n not in (*STILL, *SILENT)],
)
def test_what_is_constant_does_not_move(function: Any) -> None:
    if any(moves(function, args) for args in GIVEN):
        assert function in rules.RULES or rules.reason_if_varying(function)


def test_a_constructor_whose_argument_varies() -> None:
    def grid(x):
        return np.sum(np.arange(0.0, 1.0, x / 4) ** 2) + np.sum(np.fft.fftfreq(4, x) ** 2)

    def window(x):
        return np.sum(np.kaiser(4, x))

    x, h = 0.9, 1e-6
    assert grad(grid)(x) == pytest.approx((grid(x + h) - grid(x - h)) / (2 * h), rel=1e-6)
    with pytest.raises(NotDifferentiable, match="write np.i0"):
        grad(window)(x)


@pytest.mark.parametrize(
    "make", ["np.array([x, x * x], dtype=object)", "(x * np.ones(2)).astype(object)", "stored(x)"]
)
def test_arrays_of_objects_hide_no_derivative(make: str, tmp_path: Any) -> None:
    text = "import numpy as np\n\ndef stored(x):\n    a = np.zeros(2, dtype=object)\n    a[0] = x\n    return a\n\n"
    path = tmp_path / "objects_in_arrays.py"
    path.write_text(text + f"def f(x):\n    return float(np.sum({make})) * x\n", encoding="utf-8")
    spec = importlib.util.spec_from_file_location("objects_in_arrays", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    with pytest.raises(NotDifferentiable, match="an array of objects holds a differentiated value"):
        grad(module.f)(1.5)


# Positional and by keyword, as NumPy calls its own parameters.
FORMS = [
    ("np.sum", ["x"], {"axis": 0}),
    ("np.sum", [], {"a": "x", "axis": 0, "keepdims": True}),
    ("np.mean", ["x", 0], {}),
    ("np.std", ["x", 0], {"ddof": 1}),
    ("np.transpose", [], {"a": "x", "axes": (1, 0)}),
    ("np.clip", [], {"a": "x", "a_min": 0, "a_max": 1}),
    ("np.clip", ["x"], {"min": 0}),
    ("np.take", [], {"a": "x", "indices": [0], "axis": 1}),
    ("np.interp", [], {"x": "x", "xp": "xp", "fp": "fp"}),
    ("np.linalg.norm", ["x"], {"ord": 3, "axis": 1}),
    ("np.pad", ["x", 1], {"mode": "edge"}),
    ("np.pad", ["x", 1], {}),
    ("np.concatenate", [["x", "x"], 1], {}),
    ("np.repeat", [], {"a": "x", "repeats": 2}),
    ("np.quantile", ["x", 0.5], {"method": "lower"}),
    ("np.full", [], {"shape": 3, "fill_value": "x"}),
    ("np.maximum.reduce", ["x"], {}),
    ("scipy.stats.norm.logpdf", ["x", 0.1, 2.0], {}),
    ("scipy.stats.norm.logpdf", ["x"], {"scale": 2.0}),
    ("np.astype", ["x", float], {"copy": False}),
    ("np.std", ["x", 0, None, None], {}),
    ("np.add", ["x", "x"], {"order": "F", "casting": "safe", "subok": False}),
    ("np.sort", ["x"], {"stable": True}),
    ("np.full", [(2, 2), "x"], {"order": "F", "device": "cpu", "like": None}),
]


@pytest.mark.parametrize(("name", "args", "keywords"), FORMS)
def test_forms_of_arguments(name: str, args: list[Any], keywords: dict[str, Any]) -> None:
    found = rules.select(
        rules.lookup(name), args, keywords, lambda a: rules.ABSENT if a == "x" else a, lambda _: 2
    )
    assert found is not None


REFUSED_FORMS = [
    ("np.std", ["x", 0, None, "y"], {}),  # out
    ("np.add", ["x", "x"], {"casting": "whatever"}),
    ("np.pad", ["x", 1], {"mode": "empty"}),
    ("np.reshape", ["x", 3], {"order": "A"}),
    ("np.nan_to_num", ["x"], {"copy": False}),
]


@pytest.mark.parametrize(("name", "args", "keywords"), REFUSED_FORMS)
def test_forms_without_a_rule(name: str, args: list[Any], keywords: dict[str, Any]) -> None:
    found = rules.select(
        rules.lookup(name), args, keywords, lambda a: rules.ABSENT if a == "x" else a, lambda _: 2
    )
    assert found is None
