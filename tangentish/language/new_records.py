"""What is a new dict or object of constants, `{"s": 0.0, "n": 0}` and `Sums(0.0)`: making it does nothing else."""

from __future__ import annotations

import inspect
import types
from typing import Any

import gast

from tangentish import ir
from tangentish.language.named_members import Find
from tangentish.language.source import read_source

_OF_PYTHON = (types.MemberDescriptorType, types.GetSetDescriptorType)
_CONSTANTS = (gast.Constant, gast.UnaryOp, gast.USub, gast.Load)


def makes_record(node: Any, find: Find) -> bool:
    """Whether an expression makes a dict with texts for keys, or an object, of constants."""
    match node:
        case gast.Dict(keys=keys, values=values):
            named = all(isinstance(k, gast.Constant) and isinstance(k.value, str) for k in keys)
            return bool(keys) and named and all(map(_is_constant, values))
        case gast.Call(func=gast.Name(id=name), args=args, keywords=keywords):
            given = [*args, *(k.value for k in keywords)]
            return all(map(_is_constant, given)) and _is_quiet(find(name))
    return False


def _is_constant(node: Any) -> bool:
    return all(isinstance(part, _CONSTANTS) for part in ir.walk(node))


def _is_quiet(cls: Any) -> bool:
    """Whether making an object of a class does nothing but set its attributes."""
    if type(cls) is not type or _has_hooks(cls):
        return False
    if hasattr(cls, "__dataclass_fields__"):
        return not hasattr(cls, "__post_init__") and _is_written_by_python(cls)
    made = vars(cls).get("__init__")
    if not isinstance(made, types.FunctionType):
        return False
    body = read_source(made).tree.body
    lines = (gast.Assign, gast.AnnAssign, gast.Expr)  # the last is what the method says of itself
    return all(isinstance(line, lines) for line in body) and not any(
        isinstance(part, gast.Call) for line in body for part in gast.walk(line)
    )


def _is_written_by_python(cls: type) -> bool:
    code = getattr(vars(cls).get("__init__"), "__code__", None)
    factories = (f.default_factory for f in cls.__dataclass_fields__.values())  # type: ignore[attr-defined]
    return getattr(code, "co_filename", "") == "<string>" and not any(map(callable, factories))


def _has_hooks(cls: type) -> bool:
    """Whether making an object, or setting an attribute, may call something."""
    members = [(name, member) for c in cls.__mro__[:-1] for name, member in vars(c).items()]
    return any(
        name in ("__new__", "__setattr__")
        or (inspect.isdatadescriptor(member) and not isinstance(member, _OF_PYTHON))
        for name, member in members
    )
