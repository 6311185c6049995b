"""Training mode: what `is_training()` says, and where it is said."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from typing import ParamSpec, TypeVar, overload

P = ParamSpec("P")
R = TypeVar("R")

_training: ContextVar[bool] = ContextVar("training", default=False)


@overload
def is_training() -> bool: ...
@overload
def is_training(mode: bool, /) -> AbstractContextManager[None]: ...
def is_training(mode: bool | None = None, /) -> bool | AbstractContextManager[None]:
    """Whether a derivative is taken: True then, False in a plain call; so dropout can tell.

        def dropout(x, mask, rate):
            return x * mask / (1 - rate) if is_training() else x

    A derivative is asked for in the other mode by `training=False`, an option of `differentiate`,
    `grad` and the other operators. Where the call stands in code that is generated, the answer is
    known then, and the source shows the branch that was taken; everything else that is called
    meanwhile gets the same answer.

    mode: `with is_training(True): ...` makes it True, or False, for plain calls inside. (The modes
    are those of MXNet's autograd.)
    """
    return _training.get() if mode is None else _mode(mode)


@contextmanager
def _mode(mode: bool) -> Iterator[None]:
    token = _training.set(bool(mode))
    try:
        yield
    finally:
        _training.reset(token)


def in_mode(call: Callable[P, R], mode: bool) -> Callable[P, R]:
    """The same call, in that mode."""

    def run(*args: P.args, **kwargs: P.kwargs) -> R:
        token = _training.set(mode)
        try:
            return call(*args, **kwargs)
        finally:
            _training.reset(token)

    return run
