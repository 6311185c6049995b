"""Second derivatives of every elementwise row, and of norms, products and factors, against numeric derivatives of gradients."""

from __future__ import annotations

import ast
import importlib.util
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tangentish import grad, hvp
from tangentish.rules import RULES, Rule, load_tables
from tangentish.rules.rule import WRITTEN

POINTS = {"x": 0.63, "z": 0.41, "p": 1.7, "b": 2.3, "h": 0.8, "r": 0.9, "n": 3.4}
ELSEWHERE = {"np.arccosh": 1.7, "math.acosh": 1.7, "scipy.special.ndtri_exp": -0.63}
ELSEWHERE |= {
    f"scipy.special.{name}inv": 0.37 for name in ("gammainc", "gammaincc", "betainc", "betaincc")
}
ELSEWHERE["scipy.special.stdtrit"] = 0.83
ELSEWHERE["scipy.special.chdtri"] = 0.37
BEYOND = {f"scipy.stats.pareto.{kind}": {"x": 1.63} for kind in ("logcdf", "logsf")}
BEYOND |= {
    f"scipy.stats.{name}.{kind}": {"x": x}
    for name, x in (("loguniform", 1.63), ("reciprocal", 1.63), ("weibull_max", -0.4))
    for kind in ("pdf", "logpdf", "cdf", "sf", "logcdf", "logsf")
}
BEYOND["scipy.stats.triang.ppf"] = {"q": 0.3}
BEYOND |= {
    f"scipy.stats.{name}.{kind}": shapes
    for name, shapes in (
        ("t", {"df": 3.3}),
        ("f", {"dfn": 3.0, "dfd": 5.3}),
        ("invgamma", {"a": 3.2}),
        *((name, {"p": 0.3}) for name in ("geom", "nbinom", "bernoulli")),
    )
    for kind in ("mean", "var", "std")
}
"""Where the support begins at `loc + scale`, or lies elsewhere, and where the variance is finite."""

MODULES = ("integrate", "linalg", "signal", "spatial.distance", "special", "stats")
for name in MODULES:
    importlib.import_module(f"scipy.{name}")
load_tables()


def is_plain(rule: Rule) -> bool:
    """Whether the row's parameters are its operands, each a name, besides numbers."""
    named = [p.name for p in rule.parameters if p.written is None and not p.name.startswith("_")]
    return (
        rule.law == "elementwise"
        and tuple(named) == rule.operands
        and not any(p.variadic or p.keyword_only for p in rule.parameters)
        and ":=" not in rule.primal
    )


ROWS = [
    rule for rules in RULES.values() for rule in rules if is_plain(rule) and rule.is_for("Python")
]


SCIPY = [f"import scipy.{name}" for name in MODULES]


# Of a square matrix x, but for those that say of what: functions of a whole array, to second order.
WHOLE = [
    *(
        f"np.linalg.norm(x, {order})"
        for order in ("1", "-1", "2", "-2", "np.inf", "-np.inf", "'nuc'", "'fro'")
    ),
    *(
        f"np.linalg.norm(x[0], {order})"
        for order in ("1", "-1", "3", "-1.5", "0.5", "np.inf", "-np.inf")
    ),
    *(f"np.linalg.norm(x, {order}, axis=1)" for order in ("1", "3", "np.inf", "-1")),
    *(f"np.linalg.matrix_norm(x[:, :2], ord={order})" for order in ("'nuc'", "2", "-2", "np.inf")),
    "np.linalg.vector_norm(x, ord=3, axis=0)",
    "np.cumprod(x)",
    "np.cumprod(x - x[0, 1], axis=1)",
    "np.cumulative_prod(x, axis=0)",
    "np.prod(x - x[0, 1], axis=1)",
    "scipy.linalg.expm(x / 2)",
    "scipy.linalg.sqrtm(x @ x.T + np.eye(3))",
    "np.linalg.lstsq(x[:, :2], x[:, 2], rcond=None)[0]",
    "np.linalg.lstsq(x[:, :2], x[:, 2], rcond=None)[1]",
    "np.linalg.svd(x, compute_uv=False)",
    "np.linalg.svdvals(x[:2])",
    "np.linalg.svd(x[:, :2])[1]",
    "np.linalg.svd(x[:2], full_matrices=False)[0]",
    "np.linalg.svd(x[:2])[2][:2]",
    "np.linalg.qr(x)[0]",
    "np.linalg.cholesky(x @ x.T + np.eye(3))",
    "np.linalg.eigh(x + x.T)[1]",
    "np.linalg.eigvalsh(x + x.T)",
    "np.linalg.pinv(x[:, :2])",
    "np.linalg.pinv(x + x.T, hermitian=True)",
    "np.linalg.pinv(x @ x.T, 0.2, hermitian=True)",
    "scipy.linalg.pinvh(x + x.T)",
    "scipy.linalg.eigh(x + x.T, x @ x.T + np.eye(3))[1]",
    "scipy.linalg.eigh(x + x.T, x @ x.T + np.eye(3), eigvals_only=True)",
    "scipy.linalg.eigh(x + x.T, subset_by_index=[1, 2])[1]",
    "scipy.linalg.eigvalsh(x + x.T, subset_by_index=[0, 1])",
    "np.hstack(x) * np.ravel(np.column_stack(x))",
    "scipy.signal.convolve2d(x, x.T, 'same', 'symm')",
    "scipy.signal.fftconvolve(x, x.T, 'same', axes=1)",
    "np.linalg.det(x)",
    "np.linalg.slogdet(x)[1]",
    "np.linalg.inv(x)",
    "np.linalg.matrix_power(x, 3)",
    "np.linalg.cond(x)",
    "np.cov(x, rowvar=False, bias=True)",
    "np.corrcoef(x[0], x[1])",
    "np.var(x, axis=0)",
    "np.std(x)",
    "np.max(x, axis=1)",
    "np.median(x, axis=0)",
    "np.sort(x, axis=0)",
    "np.einsum('ij,jk,ki->i', x, x, x)",
    "np.interp(x, [0.0, 1.0, 2.0, 3.0], x[0, 0] * np.array([0.0, 1.0, 4.0, 9.0]))",
    "np.gradient(x**2, 0.3, axis=0)",
    "np.trapezoid(x[1], np.cumsum(x[0] ** 2 + 1))",
    "np.trapezoid(x, np.cumsum(x, axis=0), axis=0)",
    "np.trapezoid(x, np.cumsum(x[0]))",
    "scipy.integrate.cumulative_trapezoid(x, np.cumsum(x[0]), axis=1)",
    "np.polyfit(x[0] - x[1], x[2], 1)",
    "np.polyval(x, x[0])",
    "np.var(x, axis=0, mean=x[:1])",
    "np.std(x, mean=np.mean(x))",
    "np.pad(x**2, (1, 2), mode='linear_ramp', end_values=0.3)",
    "np.pad(x**2, ((1, 2), (0, 1)), mode='mean')",
    "np.unique(x**2, axis=0)",
    "np.gradient(x**2, 0.3, axis=(1, 0))[0]",
    "np.triu(x[0] ** 2)",
    "math.prod([x, x * x, np.sin(x)])",
    "np.prod(x[0, 0] ** 2, axis=0)",
    "np.polyval(x[0], x[1])",
    "np.abs(np.polyval(x[0] + 1j * x[2], x[1])) ** 2",
    "np.abs(np.polyval(x[0], x[1] + 1j * x[2])) ** 2",
    "np.convolve(x[0], x[1])",
    "np.real(scipy.special.wofz(x + 1j))",
    "np.real(scipy.special.lambertw(x**2))",
    "np.abs(scipy.special.hankel1(1, x + 2)) ** 2",
    "np.imag(scipy.special.hankel2(0.5, x + 2))",
    "scipy.special.eval_legendre(3, x)",
    "scipy.special.eval_hermite(3, x)",
    "scipy.special.eval_genlaguerre(3, 0.4, x)",
    "scipy.special.spherical_jn(2, x)",
    "scipy.special.spherical_in(1, x)",
    "scipy.special.gammaincinv(1.3, x**2 / (1 + x**2))",
    "scipy.special.ellipkinc(x, 0.4)",
    *(f"scipy.spatial.distance.pdist(x, {m!r})" for m in ("euclidean", "chebyshev", "minkowski")),
    *(
        f"scipy.spatial.distance.cdist(x, 2 * x.T, {m!r})"
        for m in ("euclidean", "sqeuclidean", "cosine", "cityblock", "minkowski")
    ),
    "scipy.spatial.distance.squareform(x[0])",
    *(
        f"scipy.spatial.distance.{name}(x[0], x[1])"
        for name in ("euclidean", "minkowski", "cosine", "correlation", "braycurtis", "canberra")
    ),
    "scipy.spatial.distance.mahalanobis(x[0], x[1], x @ x.T)",
    "np.meshgrid(x[0], x[1] ** 2)[0] * np.meshgrid(x[0], x[1] ** 2)[1]",
    "np.poly(x[0])",
    "np.interp([0.1, 0.7, 1.3], np.cumsum(np.abs(x[0])), x[1])",
    "scipy.linalg.block_diag(x, x[0], x[0, 0])",
    "scipy.linalg.cho_solve((np.linalg.cholesky(x @ x.T + np.eye(3)), True), x)",
    "scipy.linalg.lu_solve(scipy.linalg.lu_factor(x), x)",
    "scipy.linalg.lu_solve(scipy.linalg.lu_factor(x), x[0], trans=1)",
    "scipy.linalg.solve_toeplitz((x[0] + 1, x[1]), x[2])",
    "scipy.signal.lfilter(x[0], x[1], x[2])",
    "scipy.signal.fftconvolve(x, 2 * x, 'same', axes=1)",
    "np.select([x > 1, x < 0], [x**2, x], np.sum(x))",
    "np.select([x > 1, x < 0], [x**2, x])",
    "scipy.stats.truncnorm.logpdf(x, -4.0 - x[0, 0], 5.0, 0.1, 2.0)",
]
MATRIX = np.random.default_rng(4).uniform(-1, 1, (3, 3)) + np.diag([1.2, 2.1, 1.7])


@pytest.fixture(scope="module")
def functions(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Callable[..., Any]]:
    """A function for every row, written to a file, so that its source is found."""
    lines = [
        "import math",
        "import operator",
        "import numpy as np",
        "from tangentish import grad",
        "from tangentish.runtime import *",
        *SCIPY,
        "",
    ]
    for number, rule in enumerate(ROWS):
        parameters = ", ".join(rule.operands)
        lines += [f"def row_{number}({parameters}):", f"    return {with_number(rule)}", ""]
    for number, text in enumerate(WHOLE):
        lines += [
            f"def whole_{number}(x):",
            f"    y = {text}",
            "    return np.sum(np.sin(y) * y)",
            "",
            f"def inside_{number}(x, along):",
            f"    return np.sum(along * grad(whole_{number})(x))",
            "",
        ]
    path: Path = tmp_path_factory.mktemp("rows") / "rows_of_the_tables.py"
    path.write_text("\n".join(lines), encoding="utf-8")
    spec = importlib.util.spec_from_file_location("rows_of_the_tables", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    rows = {rule.primal: getattr(module, f"row_{k}") for k, rule in enumerate(ROWS)}
    for k, text in enumerate(WHOLE):
        rows[text] = getattr(module, f"whole_{k}")
        rows[f"inside {text}"] = getattr(module, f"inside_{k}")
    return rows


def with_number(rule: Rule) -> str:
    tree = ast.parse(rule.primal, mode="eval")
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id in WRITTEN:
            node.id = next(n for n in ("3", "1.5", "0.3") if WRITTEN[node.id](float(n)))
    return ast.unparse(tree)


@pytest.mark.parametrize("rule", [pytest.param(rule, id=rule.primal) for rule in ROWS])
def test_second_order(
    rule: Rule, functions: dict[str, Callable[..., Any]], request: pytest.FixtureRequest
) -> None:
    """How the derivative by an operand changes with every operand; of which one, is drawn for each row.

    What else there is stands in the text of another row: with `--whole`, of every operand.
    """
    f = functions[rule.primal]
    name = rule.primal.partition("(")[0]
    points = POINTS | BEYOND.get(name, {})
    args = [ELSEWHERE.get(name, points.get(p, 0.57)) for p in rule.operands]
    every = tuple(range(len(args)))
    drawn = zlib.crc32(rule.primal.encode()) % len(every)
    for first in every if request.config.getoption("--whole") else (drawn,):
        gradient = grad(f, wrt=first)
        for second, found in zip(every, grad(gradient, wrt=every)(*args), strict=True):
            assert found == pytest.approx(numeric(gradient, args, second), rel=1e-6, abs=1e-7)


def numeric(gradient: Callable[..., Any], args: list[float], k: int) -> float:
    def at(step: float) -> float:
        moved = [a + step * (i == k) for i, a in enumerate(args)]
        return float(np.asarray(gradient(*moved)))

    wide, narrow = ((at(h) - at(-h)) / (2 * h) for h in (1e-3, 5e-4))
    return (4 * narrow - wide) / 3


@pytest.mark.parametrize("text", WHOLE)
def test_second_order_of_whole_arrays(text: str, functions: dict[str, Callable[..., Any]]) -> None:
    f = functions[text]
    gradient, along = grad(f), np.random.default_rng(1).uniform(0.5, 1, MATRIX.shape)

    def at(step: float) -> Any:
        return gradient(MATRIX + step * along)

    wide, narrow = ((at(h) - at(-h)) / (2 * h) for h in (1e-4, 5e-5))
    wanted = (4 * narrow - wide) / 3
    np.testing.assert_allclose(hvp(f)(MATRIX, along), wanted, 1e-5, 1e-6)
    inside = grad(functions[f"inside {text}"])(MATRIX, along)  # reverse over reverse
    np.testing.assert_allclose(inside, wanted, 1e-5, 1e-6)
