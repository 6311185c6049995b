"""Values that stand in for arguments nobody gave: from annotations, defaults, and texts like
`float64[3,4]`.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Callable, Mapping
from types import FunctionType
from typing import Any

import numpy as np

from tangentish.kinds import Num


class _Missing:
    def __repr__(self) -> str:
        return "MISSING"


MISSING = _Missing()

# The kinds that an annotation can tell: an ndarray's rank and dtype it cannot.
_ANNOTATED: dict[object, type] = {
    float: float, int: int, bool: bool, str: str,
    "float": float, "int": int, "bool": bool, "str": str,
    np.float64: np.float64, np.float32: np.float32,
    "np.float64": np.float64, "np.float32": np.float32,
    "numpy.float64": np.float64, "numpy.float32": np.float32,
}  # fmt: skip

_SHAPED = re.compile(r"\s*(?P<dtype>\w+)\s*\[(?P<shape>[\s\d,]*|\s*\.\.\.\s*)\]\s*")


def stand_ins(function: FunctionType, rng: np.random.Generator | None = None) -> dict[str, object]:
    """A value for every parameter, MISSING where neither default nor annotation tells its kind."""
    signature = inspect.signature(function, follow_wrapped=False)
    return {name: _stand_in(parameter, rng) for name, parameter in signature.parameters.items()}


def missing_kinds(values: dict[str, object]) -> list[str]:
    """The names of the parameters whose value is MISSING."""
    return [name for name, value in values.items() if value is MISSING]


def parse_kind(text: str, rng: np.random.Generator | None, space: Mapping[str, Any]) -> Any:
    """`float64[3,4]` -> an array, `float` or `float32` -> a number, `None`, `True`, `5`, `0.1` ->
    that value; tuples, lists and dicts of those; `float64[...]` -> what stands for an array of any
    rank; `Model(float64[3], n=2)` and `DEFAULTS` -> what a call, or a name, of `space` gives.

    Numbers and arrays are ones, or drawn from `rng`. ValueError for a text that names no kind.
    """
    shaped = _SHAPED.fullmatch(text)
    if shaped:
        return _shaped(_dtype(shaped["dtype"]), shaped["shape"], rng)
    name = text.strip()
    if name in ("float", "int", "bool", "str"):
        return _number(_ANNOTATED[name], rng)
    try:
        return ast.literal_eval(name)
    except (ValueError, SyntaxError):
        parts = _parts(name) or _of_space(name, space)
    if parts is None:
        return _number(_dtype(name).type, rng)
    build, texts = parts
    return build([parse_kind(part, rng, space) for part in texts])


def _shaped(dtype: np.dtype[Any], shape: str, rng: np.random.Generator | None) -> Any:
    if shape.strip() != "...":
        return _array(dtype, tuple(map(int, shape.replace(",", " ").split())), rng)
    if rng is not None:
        raise ValueError("an array of any rank can't be drawn: give lengths, as in float64[3,4]")
    return Num(dtype, None, True)


def _parts(text: str) -> tuple[Callable[[list[Any]], Any], list[str]] | None:
    """A container of kinds: what puts it together again, and the texts of its elements."""
    try:
        node = ast.parse(text, mode="eval").body
    except SyntaxError:
        return None
    match node:
        case ast.Tuple(elts=elements):
            return tuple, list(map(ast.unparse, elements))
        case ast.List(elts=elements):
            return list, list(map(ast.unparse, elements))
        case ast.Dict(keys=keys, values=values) if all(isinstance(k, ast.Constant) for k in keys):
            names = [k.value for k in keys if isinstance(k, ast.Constant)]
            return lambda items: dict(zip(names, items, strict=True)), list(
                map(ast.unparse, values)
            )
    return None


def _of_space(
    text: str, space: Mapping[str, Any]
) -> tuple[Callable[[list[Any]], Any], list[str]] | None:
    """A call of something in `space`: how it is made, and the texts of its arguments; or a name there."""
    try:
        node = ast.parse(text, mode="eval").body
    except SyntaxError:
        return None
    match node:
        case ast.Call(func=func, args=args, keywords=keywords) if all(k.arg for k in keywords):
            made, names = _found(func, space), [str(k.arg) for k in keywords]
            texts = list(map(ast.unparse, [*args, *(k.value for k in keywords)]))
            return lambda items: _called(made, items[: len(args)], names, items[len(args) :]), texts
        case ast.Name() | ast.Attribute() if _root(node) in space:
            return lambda _: _found(node, space), []
    return None


def _called(made: Any, args: list[Any], names: list[str], values: list[Any]) -> Any:
    try:
        return made(*args, **dict(zip(names, values, strict=True)))
    except Exception as error:
        raise ValueError(f"the call fails: {type(error).__name__}: {error}") from error


def _root(node: ast.expr) -> str | None:
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None


def _found(node: ast.expr, space: Mapping[str, Any]) -> Any:
    """What a dotted name leads to."""
    match node:
        case ast.Name(id=name) if name in space:
            return space[name]
        case ast.Attribute(value=value, attr=attr):
            owner = _found(value, space)
            if hasattr(owner, attr):
                return getattr(owner, attr)
    raise ValueError(f"the module has no {ast.unparse(node)!r}")


def example_of_class(kind: type) -> str:
    """A call that makes an object of a class, with kinds for arguments."""
    try:
        parameters = inspect.signature(kind).parameters.values()
    except (TypeError, ValueError):
        return f"{kind.__name__}()"
    needed = [
        p.name
        for p in parameters
        if p.default is p.empty and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)
    ]
    return f"{kind.__name__}({', '.join(f'{name}=float64[3]' for name in needed)})"


def _stand_in(parameter: inspect.Parameter, rng: np.random.Generator | None) -> object:
    if parameter.kind is inspect.Parameter.VAR_POSITIONAL:
        return ()
    if parameter.kind is inspect.Parameter.VAR_KEYWORD:
        return {}
    if parameter.default is not inspect.Parameter.empty:
        return parameter.default
    try:
        kind = _ANNOTATED.get(parameter.annotation)
    except TypeError:  # an annotation that can't be hashed
        kind = None
    return MISSING if kind is None else _number(kind, rng)


def _dtype(name: str) -> np.dtype[Any]:
    try:
        dtype = np.dtype(name)
    except TypeError:
        dtype = np.dtype(object)
    if dtype.kind not in "biufc":
        raise ValueError(
            f"{name!r} names no kind of number: write float64[3,4], float32[10], int or float"
        )
    return dtype


def _number(kind: Any, rng: np.random.Generator | None) -> Any:
    if kind is str:
        return ""
    if kind is bool:
        return True
    if issubclass(kind, (int, np.integer)):
        return kind(3)
    return kind(1.0 if rng is None else rng.standard_normal())


def _array(dtype: np.dtype[Any], shape: tuple[int, ...], rng: np.random.Generator | None) -> Any:
    if rng is None:
        return np.ones(shape, dtype)
    if dtype.kind in "iub":
        return np.asarray(rng.integers(0, 2 if dtype.kind == "b" else 3, shape)).astype(dtype)
    return np.asarray(rng.standard_normal(shape)).astype(dtype)
