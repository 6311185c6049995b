"""Second derivatives of random programs: the Hessian times a vector against differences of the gradient."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from typing import Any

import numpy as np

from tangentish import NotDifferentiable, grad, hvp
from tests.random_numeric import copied
from tests.random_programs import Outcome, RandomProgram, load, time_limit

__all__ = ["check_second_order"]


def check_second_order(program: RandomProgram, limit: float = 20.0) -> Outcome:
    """The outcome for the first argument, an array of float64; refusals of second derivatives are allowed anywhere."""
    args = program.make_args()
    if not isinstance(args[0], np.ndarray) or args[0].dtype != np.float64:
        return Outcome("skip", "the first argument is no array of float64")
    along = np.random.default_rng(program.seed).uniform(-1, 1, args[0].shape)
    function = load(program)
    try:
        with np.errstate(all="ignore"), time_limit(limit):
            slopes = [_slope(grad(function), args, along, step) for step in (1e-4, 1e-5)]
            product = np.asarray(hvp(function)(*copied(args)[:1], along, *args[1:]))
    except NotDifferentiable as error:
        return Outcome("refused", str(error))
    except Exception:
        return Outcome("crash", traceback.format_exc())
    size = 1.0 + float(np.max(np.abs(slopes[0]), initial=0.0))
    if not np.allclose(slopes[0], slopes[1], rtol=1e-4, atol=1e-4 * size):
        return Outcome("skip", "the numeric estimates disagree")
    if not np.allclose(product, slopes[0], rtol=1e-3, atol=1e-3 * size):
        return Outcome("wrong", f"hvp: {product} is not {slopes[0]}")
    return Outcome("ok")


def _slope(
    gradient: Callable[..., Any], args: tuple[Any, ...], along: np.ndarray, step: float
) -> np.ndarray:
    first, *others = copied(args)
    ends = [np.asarray(gradient(first + s * along, *others)) for s in (step, -step)]
    slope: np.ndarray = (ends[0] - ends[1]) / (2 * step)
    return slope
