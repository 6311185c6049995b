"""What a lesson is: a program that is right in every mode, against numeric derivatives, or refused before it runs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from contract import check_gradients

from tangentish import NotDifferentiable

Arguments = Callable[[], tuple[Any, ...]]
Function = Callable[..., Any]


@dataclass(frozen=True)
class Lesson:
    topic: str
    function: Function
    args: Arguments
    may_refuse: bool
    written: tuple[int, ...] | None
    truth: Callable[[], dict[int, Any]] | None


class Lessons:
    """The lessons of a file; calling it registers one."""

    def __init__(self) -> None:
        self.cases: list[Any] = []

    def __call__(
        self,
        topic: str,
        *arguments: Arguments,
        may_refuse: bool = False,
        written: tuple[int, ...] | None = None,
        truth: Callable[[], dict[int, Any]] | None = None,
    ) -> Callable[[Function], Function]:
        """Register the function below as a test of a lesson, once for each set of arguments."""

        def register(function: Function) -> Function:
            for k, args in enumerate(arguments):
                one = Lesson(topic, function, args, may_refuse, written, truth)
                name = f"{topic}: {function.__name__}-{k}"
                self.cases.append(pytest.param(one, id=name))
            return function

        return register


def check_lesson(case: Lesson) -> None:
    truth = None if case.truth is None else case.truth()
    try:
        check_gradients(case.function, *case.args(), written=case.written, truth=truth)
    except NotDifferentiable:
        if not case.may_refuse:
            raise
