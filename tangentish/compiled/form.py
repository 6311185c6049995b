"""Statements as Numba takes them: what NumPy writes one way, and compiled code another.

    np.add.at(x, i, v)                  add_at(x, i, v)
    reversed(range(n))                  range(n - 1, -1, -1)
    np.sum(x, axis=1, keepdims=True)    sum_over(x, 1, True)
    np.full_like(x, g)                  full(g, x), where g may be an array
    np.pad(x, 1)                        padded(x, 1)
    np.roll(x, 1, None)                 np.roll(x, 1)
    y[:, 2:][...]                       y[:, 2:]
    range(n, 0, -2)[:trips]             first(range(n, 0, -2), trips)
    drows[k] = 0                        set_zero(drows, k), where it is a list
    2 ** k                              power(2, k), where both may be integers
    np.array(xs), np.reshape(xs, s)     array_of(xs), np.reshape(array_of(xs), s), where it is a list
    tape.pop()                          pop(tape)
    xs.pop(k)                           pop_at(xs, k)
    max(xs), min(xs)                    largest(xs), smallest(xs), which raise a ValueError where there are none
    xs.sort(key=size)                   xs[:] = sorted(xs, key=size)
    sorted(range(len(xs)), key=lambda k: xs[k])     order_of(xs), since Numba takes no lambdas that read a variable

The functions on the right are those of functions.py, or helpers of runtime.
"""

from __future__ import annotations

from typing import Any

import gast

from tangentish import ir
from tangentish.adjoint.gradients import gradient_of
from tangentish.algebra.expressions import index_value
from tangentish.generation.shown_closures import is_lambda, lambda_of
from tangentish.infer import Facts
from tangentish.ir.quote import constant, quote
from tangentish.kinds import Known, Num, Seq
from tangentish.language.nested import Closure
from tangentish.language.webs import map_statement
from tangentish.recording.slots import is_tape


def in_compiled_form(block: ir.Block, facts: Facts) -> ir.Block:
    """The block, written with what Numba has."""
    return tuple(_statement(s, facts) for s in block)


def _statement(statement: ir.Statement, facts: Facts) -> ir.Statement:
    def expression(e: Any) -> Any:
        return _expression(e, facts)

    new = map_statement(statement, expression, lambda inner: in_compiled_form(inner, facts))
    match new:
        case ir.Update(target, op, value, origin) if isinstance(op, (ir.AddAt, ir.SubAt)):
            value = value if isinstance(op, ir.AddAt) else quote("-{v}", v=value)
            call = gast.Call(
                ir.name("$add_at"), [target.value, index_value(target.slice), value], []
            )
            return ir.Do(gast.Expr(call), origin)
        case ir.Assign(
            gast.Subscript(value=gast.Name(id=name), slice=k), gast.Constant(value=0), origin
        ) if _is_gradient_of_list(name, facts):
            call = gast.Call(ir.name("$set_zero"), [ir.name(name), k], [])
            return ir.Do(gast.Expr(call), origin)
        case ir.Do(
            gast.Expr(
                value=gast.Call(
                    func=gast.Attribute(value=gast.Name() as xs, attr="sort"), keywords=keywords
                )
            ),
            origin,
        ) if any(k.arg == "key" for k in keywords):
            every = gast.Subscript(xs, gast.Slice(None, None, None), gast.Store())
            return ir.Assign(every, gast.Call(ir.name("sorted"), [xs], keywords), origin)
    return new


def _is_gradient_of_list(name: str, facts: Facts) -> bool:
    lists = (v for v, kind in facts.web_kinds.items() if isinstance(kind, Seq))
    return name in map(gradient_of, lists)


def _is_list(name: str, facts: Facts) -> bool:
    kind = facts.web_kinds.get(name)
    return isinstance(kind, Seq) and not kind.keyed


def _expression(e: Any, facts: Facts) -> Any:
    return ir.copy_expression(e, lambda node: _changed(node, facts))


def _changed(node: Any, facts: Facts) -> Any:
    """What stands for a node that is written otherwise, its parts being changed, too."""
    new = _written_otherwise(node, facts)
    if new is None:
        return None
    changed = ir.copy_expression(new, lambda part: None if part is new else _changed(part, facts))
    return gast.copy_location(changed, node)


def _written_otherwise(node: Any, facts: Facts) -> Any:
    match node:
        case gast.Subscript(
            value=gast.Call(func=gast.Name(id="$range" | "range")) as numbers,
            slice=gast.Slice(lower=None, upper=count, step=None),
        ) if count is not None:
            return gast.Call(ir.name("$first"), [numbers, count], [])
        case gast.Subscript(value=gast.Subscript() as part, slice=gast.Constant(value=value)) if (
            value is ...
        ):
            if isinstance(node.ctx, gast.Load):
                return part
            every = gast.Slice(None, None, None)
            return gast.Subscript(part, every, node.ctx)
        case gast.Call(func=gast.Attribute(value=gast.Name(id=tape), attr="pop"), args=[]) if (
            is_tape(tape)
        ):
            return gast.Call(ir.name("$pop"), [ir.name(tape)], [])
        case gast.Call(
            func=gast.Attribute(value=gast.Name(id=xs) as items, attr="pop"), args=[k]
        ) if _is_list(xs, facts):
            return gast.Call(ir.name("$pop_at"), [items, k], [])
        case gast.Call(func=gast.Attribute()):
            return _method(node, facts)
        case gast.Call(func=gast.Name()):
            return _of_python(node, facts)
        case gast.BinOp(left=left, op=gast.Pow(), right=right) if _may_be_integers(
            left, right, facts
        ):
            return gast.Call(ir.name("$power"), [left, right], [])
    return None


def _of_python(call: Any, facts: Facts) -> Any:
    """Functions of Python's."""
    match call:
        case gast.Call(func=gast.Name(id="$reversed" | "reversed"), args=[inner]):
            return _backwards(inner)
        case gast.Call(
            func=gast.Name(id="$sorted" | "sorted"),
            args=[gast.Call(func=gast.Name(id="$range" | "range"), args=[n])],
            keywords=[gast.keyword(arg="key", value=Closure() as key), *rest],
        ) if is_lambda(key) and _is_the_builtin(call.func, sorted, facts):
            return gast.Call(ir.name("$order_of"), [_each(key, n)], rest)
        case gast.Call(func=gast.Name(id="max" | "min") as func, args=[items], keywords=[]):
            for builtin, name in EXTREMES.items():
                if _is_the_builtin(func, builtin, facts):
                    return gast.Call(ir.name(name), [items], [])
    return None


def _method(call: Any, facts: Facts) -> Any:
    name, args = _dotted(call.func), call.args
    if _is_array_of_list(name, args, call.keywords, facts):
        return gast.Call(ir.name("$array_of"), args, [])
    if name == "np.reshape" and _is_list_of_gradients(args[0], facts):
        args = [gast.Call(ir.name("$array_of"), args[:1], []), *args[1:]]
        return gast.Call(call.func, args, call.keywords)
    return _call(name, args, {k.arg: k.value for k in call.keywords})


def _is_list_of_gradients(e: Any, facts: Facts) -> bool:
    return isinstance(e, gast.Name) and _is_gradient_of_list(e.id, facts)


def _is_array_of_list(name: str, args: list[Any], keywords: list[Any], facts: Facts) -> bool:
    match args:
        case [gast.Name(id=given)] if name == "np.array" and not keywords:
            return not isinstance(facts.web_kinds.get(given), Num)
    return False


def _call(name: str, args: list[Any], keywords: dict[Any, Any]) -> Any:
    if name in ("np.add.at", "np.subtract.at") and len(args) == 3:
        x, i, v = args
        v = v if name == "np.add.at" else quote("-{v}", v=v)
        return gast.Call(ir.name("$add_at"), [x, i, v], [])
    if name == "np.linspace" and not keywords and _are_true(args[3:]):
        return gast.Call(quote("np.linspace"), args[:3], [])
    if name in DEFAULTS and _ends_with(args, *DEFAULTS[name]):
        return gast.Call(quote(name), args[:-1], [])
    if name == "np.pad" and len(args) == 2 and not keywords:
        return gast.Call(ir.name("$padded"), args, [])
    if name == "np.full_like" and len(args) == 2 and not keywords and _may_be_array(args[1]):
        return gast.Call(ir.name("$full"), [args[1], args[0]], [])
    if name in OVER_AXES and set(keywords) <= {"axis", "keepdims"} and keywords.get("keepdims"):
        axis = keywords.get("axis", constant(None))
        return gast.Call(ir.name(f"${OVER_AXES[name]}"), [*args, axis, keywords["keepdims"]], [])
    return None


def _are_true(args: list[Any]) -> bool:
    """Whether the end of a linspace is given as one of its points."""
    return len(args) == 1 and isinstance(args[0], gast.Constant) and args[0].value is True


def _may_be_array(e: Any) -> bool:
    return not isinstance(e, gast.Constant)


# Functions that Numba takes without their last argument: how many they have with it, and what it is then.
DEFAULTS = {
    "np.roll": (3, None),
    "np.delete": (3, None),
    "np.insert": (4, None),
    "np.linalg.eigh": (2, "L"),
}


def _ends_with(args: list[Any], count: int, value: object) -> bool:
    last = args[-1] if len(args) == count else None
    return isinstance(last, gast.Constant) and last.value == value


EXTREMES = {max: "$largest", min: "$smallest"}
OVER_AXES = {"np.sum": "sum_over", "np.mean": "mean_over"}


def _dotted(node: Any) -> str:
    match node:
        case gast.Attribute(value=value, attr=attr):
            return f"{_dotted(value)}.{attr}"
        case gast.Name(id="$np" | "np" | "numpy"):
            return "np"
    return "?"


def _each(function: Any, n: Any) -> Any:
    """What a lambda gives for each number below n: `xs` where it gives `xs[k]` and n is `len(xs)`."""
    shown = lambda_of(function, lambda name: name)
    (parameter,) = shown.args.args
    match shown.body, n:
        case (
            gast.Subscript(value=gast.Name(id=xs), slice=gast.Name(id=k)),
            gast.Call(func=gast.Name(id="$len" | "len"), args=[gast.Name(id=counted)]),
        ) if k == parameter.id and xs == counted:
            return ir.name(xs)
    k = ir.name(f"{parameter.id}.~each")

    def renamed(part: Any) -> Any:
        return k if type(part) is gast.Name and part.id == parameter.id else None

    numbers = gast.comprehension(
        ir.name(k.id, gast.Store()), gast.Call(ir.name("$range"), [n], []), [], 0
    )
    return gast.ListComp(ir.copy_expression(shown.body, renamed), [numbers])


def _is_the_builtin(name: Any, function: Any, facts: Facts) -> bool:
    kind = facts.kinds.get(name)
    return isinstance(kind, Known) and kind.value is function


def _backwards(inner: Any) -> Any:
    match inner:
        case gast.Call(func=gast.Name(id="$range" | "range"), args=[n]):
            return quote("range({n} - 1, -1, -1)", n=n)
    return gast.Call(ir.name("$backwards"), [inner], [])


# ------------------------------------------------------------------------------------- powers


def _may_be_integers(base: Any, exponent: Any, facts: Facts) -> bool:
    """Whether a power may be one of integers with an exponent that may be negative: a float in Python."""
    match exponent:
        case gast.Constant():
            return False
        case gast.UnaryOp(op=gast.USub(), operand=gast.Constant(value=int())):
            return _may_be_integer(base, facts)
    return _may_be_integer(base, facts) and _may_be_integer(exponent, facts)


def _may_be_integer(e: Any, facts: Facts) -> bool:
    match e:
        case gast.Constant(value=value):
            return isinstance(value, int)
        case gast.BinOp(op=gast.Div()):
            return False
        case gast.BinOp(left=left, right=right):
            return _may_be_integer(left, facts) and _may_be_integer(right, facts)
        case gast.UnaryOp(operand=operand):
            return _may_be_integer(operand, facts)
    kind = facts.kinds.get(e)
    if kind is None and isinstance(e, gast.Name):
        kind = facts.web_kinds.get(e.id)
    return not (isinstance(kind, Num) and kind.dtype is not None and kind.dtype.kind == "f")
