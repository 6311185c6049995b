"""Options that are compared with texts: the way back compares them again, whatever changes in between."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tangentish import grad, hvp, jvp, vjp
from tests.numeric import assert_close, numeric_gradient

X = np.array([0.7, 1.3, 0.4])
D = np.array([0.3, -1.1, 0.8])


def found(mode: str, modes: tuple[str, ...]) -> str:
    for known in modes:
        if known.lower() == mode.lower():
            return known.lower()
    raise ValueError(mode)


def note(*args: Any, **kwargs: Any) -> None:
    kwargs["category"] = UserWarning
    noted(*args, **kwargs)


def noted(*args: Any, **kwargs: Any) -> None:
    kwargs["stacklevel"] = kwargs.get("stacklevel", 2)
    warnings.warn(*args, **kwargs)


def divided(a, b, how):
    """An option that another function looks up, and a warning on one of the ways."""
    how = found(how, ("Plain", "Small", "Zero"))
    if how == "plain":
        c = a / b
    elif how == "zero":
        c = np.nan_to_num(a / b)
    elif how == "small":
        if np.any(b < 0.5):
            note("small divisors")
        b = np.where(b < 0.5, 0.5, b)
        c = a / b
    return c


def by_option(x, how):
    return np.sum(divided(np.sin(x), x**2, how))


def activated(x, kind="relu"):
    if kind in ("relu", "rectifier"):
        return np.maximum(x, 0)
    elif kind == "tanh":
        return np.tanh(x)
    if kind == "selu" or kind is None:
        return x * 1.05
    raise ValueError(kind)


def layers(x, kinds):
    for k, kind in enumerate(kinds):
        x = activated(x * (k + 1), kind) * x
    return np.sum(x)


def rebound(x, how):
    """What the option is after it was asked is no longer what it was."""
    y = x * 1.0
    for _ in range(3):
        if how == "square":
            y = y * x
            how = "sine"
        elif how == "sine":
            y = np.sin(y)
            how = "square"
    return np.sum(y)


CASES: tuple[tuple[Callable[..., Any], Any], ...] = (
    *((by_option, how) for how in ("plain", "SMALL", "Zero")),
    *((layers, kinds) for kinds in (["tanh", "relu"], ("selu", None, "rectifier"), [])),
    *((rebound, how) for how in ("square", "sine", "none")),
)


@pytest.mark.filterwarnings("ignore:small divisors")
@pytest.mark.parametrize(("f", "option"), CASES)
def test_every_mode(f: Any, option: Any) -> None:
    def of_x(x: Any) -> Any:
        return f(x, option)

    expected = numeric_gradient(of_x, [X], 0, 1.0)
    assert_close(grad(f)(X, option), expected, "gradient")
    np.testing.assert_allclose(jvp(of_x, (X,), (D,))[1], expected @ D, 1e-6, 1e-9)
    ahead, behind = (numeric_gradient(of_x, [X + h * D], 0, 1.0) for h in (1e-4, -1e-4))
    np.testing.assert_allclose(hvp(f)(X, D, option), (ahead - behind) / 2e-4, 1e-3, 1e-4)


def test_the_option_is_asked_again() -> None:
    text = grad(layers).source(X, ["tanh"])
    assert text.count('kind == "tanh"') == 2
    assert "test" not in text


def test_no_option_that_is_known_raises_as_in_the_function() -> None:
    def chosen(x, how):
        if how == "square":
            y = x * x
        elif how == "sine":
            y = np.sin(x) * x
        return y

    def total(x, how):
        return np.sum(chosen(x, how))

    for action in (grad(total), lambda *a: vjp(chosen, *a), grad(chosen)):
        with pytest.raises(UnboundLocalError, match="'y'"):
            action(X, "cube")
    assert "\n    y\n" not in grad(total).source(X, "sine")
