"""The walks are put together of many classes: a method that one of them has is not hidden by that of another.

What adds to a method of another class calls `super()`.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from functools import cached_property

import pytest

from tangentish.adjoint.reverse import Reverse
from tangentish.analysis.extract import _Extract
from tangentish.infer import Inference
from tangentish.tangent.forward import Forward


def _function(member: object) -> object:
    match member:
        case property(fget=function):
            return function
        case cached_property(func=function):
            return function
    return member


def _is_whole(function: object) -> bool:
    """Whether a method does all by itself."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(function)))  # type: ignore[arg-type]
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    return names.isdisjoint({"super", "NotImplementedError"})


@pytest.mark.parametrize("walk", [Inference, Reverse, Forward, _Extract])
def test_no_method_hides_another(walk: type) -> None:
    owners: dict[str, list[str]] = {}
    for cls in walk.__mro__[:-1]:
        for name, member in vars(cls).items():
            function = _function(member)
            if inspect.isfunction(function) and not name.startswith("__") and _is_whole(function):
                owners.setdefault(name, []).append(cls.__name__)
    assert {name: found for name, found in owners.items() if len(found) > 1} == {}
