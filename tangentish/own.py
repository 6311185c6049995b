"""Rules of one's own: `adjoint` gives a function a derivative, `constant` says that it has none.

A rule is looked at when it is registered: one that never reads the gradient of the result, or that
returns another number of gradients than the function has arguments, is refused then.
"""

from __future__ import annotations

import dis
import inspect
from collections.abc import Callable, Iterator
from types import CodeType, FunctionType, MethodType
from typing import Any, Generic, ParamSpec, TypeVar

import gast

from tangentish.calling.dispatch import forget_generated
from tangentish.errors import NotDifferentiable, Refusal, refuse
from tangentish.language.codes import codes_within
from tangentish.language.leaving import returns_in
from tangentish.language.reaching import reaches_result, reads_values
from tangentish.language.source import Source, read_source
from tangentish.rules.own import OwnRule, declare_constant, described, register

__all__ = ["adjoint", "constant"]

P = ParamSpec("P")
Q = ParamSpec("Q")
R = TypeVar("R")
S = TypeVar("S")

BY_POSITION = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


class _Registration(Generic[P, R]):
    """What `@adjoint(f)` is: it registers the function under it and gives it back."""

    def __init__(self, function: Callable[P, R], forward: Any, tangent: Any) -> None:
        self._function = _plain(function)
        self._forward = None if forward is None else _plain(forward)
        self._tangent = None if tangent is None else _plain(tangent)

    def __call__(self, rule: Callable[Q, S]) -> Callable[Q, S]:
        found = _described(self._function, rule, self._forward, self._tangent)
        _check_rule(found)
        register(found)
        forget_generated()
        return rule


def adjoint(
    f: Callable[P, R],
    *,
    forward: Callable[P, tuple[R, Any]] | None = None,
    tangent: Callable[..., Any] | None = None,
) -> _Registration[P, R]:
    """Register the function under this decorator as the derivative of `f`; `f` stays as it is.

        @adjoint(sigmoid)
        def sigmoid_adjoint(dy, y, x):
            return dy * y * (1 - y)

    The rule gets dy, the gradient of the result, of the result's shape and dtype; y, the result; and
    the arguments of `f` in their order, with its defaults. It returns one gradient for each argument,
    of that argument's shape (its dtype is made that of the argument): None for an argument that
    carries no derivative, and for a function of one argument the gradient alone. It is linear in dy,
    reads what it is given and changes none of it. A result that is a tuple has a tuple of gradients.

    f: a function or method of yours, a function of another package, a ufunc. It writes to none of its
        arguments. From now on it is called, and not followed, wherever it meets what is
        differentiated, whatever source or rule it has.
    forward: a twin of `f` that returns (y, residuals); it is called in place of `f` where a derivative
        is taken, and the rule gets the residuals after y.
    tangent: `tangent(dx, y, x)`, or `tangent((dw, dx), y, w, x)` for several arguments, gives the
        tangent of the result: zeros stand for an argument that does not move, None for one that can't.
        Without it, forward mode and second derivatives turn the rule's own source round.

    NotDifferentiable where the rule never reads dy, or returns another number of gradients than `f`
    has arguments; TypeError where `f` or the rule is no function. When it runs, a gradient of another
    shape raises ValueError, None in place of one TypeError. See check_adjoint for the rest.

    (The form is that of JAX's custom_vjp and of ChainRules' rrule, which keep what the rule reads.)
    """
    return _Registration(f, forward, tangent)


def constant(f: Callable[P, R]) -> Callable[P, R]:
    """Declare that `f` has no derivative: what it returns counts as constant. Returns `f`.

    It can be used as a decorator. `f` writes to none of its arguments. TypeError where it is no
    function.
    """
    declare_constant(_plain(f))
    forget_generated()
    return f


# ------------------------------------------------------------------------------ what is registered


def _plain(f: Any) -> Any:
    """The function that a name, a method or a decorated function stands for."""
    f = getattr(f, "__tangentish__", f)
    if isinstance(f, MethodType):
        f = f.__func__
    if not callable(f) or isinstance(f, type):
        raise TypeError(f"a rule is for a function, not for {f!r}")
    try:
        hash(f)
    except TypeError:
        raise TypeError(f"a rule is for a function, and {f!r} has no hash to find it by") from None
    return f


def _described(function: Any, rule: Any, forward: Any, tangent: Any) -> OwnRule:
    if not isinstance(rule, FunctionType):
        raise TypeError(f"the rule of {_title(function)} is a function written in Python, not {rule!r}")  # fmt: skip
    names, open_ended = _parameters(function, rule, saves=forward is not None)
    return described(
        _title(function), names, function=function, adjoint_function=rule, forward=forward,
        tangent_function=tangent, open_ended=open_ended,
    )  # fmt: skip


def _title(function: Any) -> str:
    name = str(getattr(function, "__name__", type(function).__name__))
    return name if name.isidentifier() else "function"


def _parameters(function: Any, rule: FunctionType, saves: bool) -> tuple[tuple[str, ...], bool]:
    """The names of the arguments, and whether more may follow: from the function, else from the rule."""
    own = list(inspect.signature(rule).parameters.values())
    after = own[2 + saves :]
    try:
        given = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        given = after
    starred = any(p.kind is p.VAR_POSITIONAL for p in given)
    if starred and not isinstance(function, FunctionType):  # it hides what it takes
        given = after
    if isinstance(getattr(function, "nin", None), int):  # a ufunc: its options are no arguments
        given = given[: function.nin] if len(given) >= function.nin else after
    by_name = any(p.kind in (p.KEYWORD_ONLY, p.VAR_KEYWORD) for p in given)
    if by_name and isinstance(function, FunctionType):
        raise TypeError(
            f"{_title(function)} has arguments that are given by keyword only: a rule takes "
            "arguments by position"
        )
    names = tuple(p.name for p in given if p.kind in BY_POSITION)
    return names, any(p.kind is p.VAR_POSITIONAL for p in given)


# ------------------------------------------------------------------------------ what is looked at


def _check_rule(rule: OwnRule) -> None:
    function = rule.adjoint_function
    assert isinstance(function, FunctionType)
    code, names = function.__code__, rule.names
    first = 3 if rule.forward is not None else 2
    count = None if rule.open_ended else len(names)
    refusals = [*_unread(code, rule), *_wrong_parameters(function, rule, first, count)]
    refusals += _gives_no_value(function, rule)
    source = _source(function)
    if source is not None:
        refusals += _overwritten(source, rule)
        if count is not None:
            refusals += _wrong_returns(source, rule, count)
        refusals = refusals or list(_unreached(source, rule))
    if not refusals:
        return
    if source is None:
        raise NotDifferentiable(refusals[0][0])
    found = [Refusal(message, node or source.tree) for message, node in refusals]
    raise refuse(found, source.filename, source.lines)


def _source(function: FunctionType) -> Source | None:
    try:
        return read_source(function)
    except NotDifferentiable:
        return None


def _unread(code: CodeType, rule: OwnRule) -> Iterator[tuple[str, Any]]:
    """The bug of a rule that forgets the chain rule: right only as long as dy is one."""
    if not code.co_argcount:
        return
    head = code.co_varnames[0]
    if not any(head in _names(one.argval) for one in _instructions(code) if "LOAD" in one.opname):
        message = (
            f"the rule of {rule.title} never reads '{head}', the gradient of the result: multiply "
            f"by it, as in {head} * ..."
        )
        yield message, None


def _overwritten(source: Source, rule: OwnRule) -> Iterator[tuple[str, Any]]:
    """A rule that reads something else by the name of dy."""
    arguments = source.tree.args.args
    if not arguments:
        return
    head = arguments[0].id
    for statement in source.tree.body:
        names = [n for n in gast.walk(statement) if isinstance(n, gast.Name) and n.id == head]
        if not names:
            continue
        if isinstance(statement, gast.Assign) and all(isinstance(n.ctx, gast.Store) for n in names):
            message = (
                f"the rule of {rule.title} assigns to '{head}', the gradient of the result, before it "
                f"reads it: multiply by it, as in {head} * ..."
            )
            yield message, statement
        return


def _unreached(source: Source, rule: OwnRule) -> Iterator[tuple[str, Any]]:
    """A rule whose gradients are the same whatever dy is."""
    tree = source.tree
    if not tree.args.args or reaches_result(tree, head := tree.args.args[0].id):
        return
    returns = list(returns_in(getattr(tree, "body", [])))
    if reads_values(tree, head):
        said = f"what the rule of {rule.title} returns does not depend on '{head}'"
    else:
        said = f"the rule of {rule.title} reads only the shape of '{head}'"
        returns = []
    message = f"{said}, the gradient of the result: multiply by it, as in {head} * ..."
    yield message, returns[0] if returns else None


def _instructions(code: CodeType) -> Iterator[dis.Instruction]:
    return (step for each in codes_within(code) for step in dis.get_instructions(each))


def _names(argument: Any) -> tuple[Any, ...]:
    return argument if isinstance(argument, tuple) else (argument,)


def _wrong_parameters(
    function: FunctionType, rule: OwnRule, first: int, count: int | None
) -> Iterator[tuple[str, Any]]:
    """A rule that can't be called with dy, y and the arguments."""
    if count is None:
        return
    try:
        inspect.signature(function).bind(*range(first + count))
    except TypeError as error:
        what = "dy, y, residuals" if first == 3 else "dy, y"
        yield (
            f"the rule of {rule.title} is called with ({', '.join([what, *rule.names])}): {error}",
            None,
        )


def _gives_no_value(function: FunctionType, rule: OwnRule) -> Iterator[tuple[str, Any]]:
    """A rule that runs only when somebody asks for what it gives."""
    if inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):
        yield f"the rule of {rule.title} is a generator: return the gradients", None
    if inspect.iscoroutinefunction(function):
        yield f"the rule of {rule.title} is a coroutine: return the gradients", None


def _wrong_returns(source: Source, rule: OwnRule, count: int) -> Iterator[tuple[str, Any]]:
    """What is no gradient, a display of another length than there are arguments, or nothing at all."""
    returns = list(returns_in(source.tree.body))
    plain = isinstance(source.tree, gast.FunctionDef) and not inspect.isgeneratorfunction(
        source.function
    )
    if not returns and plain and not _raises(source.tree):
        yield f"the rule of {rule.title} returns nothing: one gradient for each argument", None
    head = source.tree.args.args[0].id if source.tree.args.args else ""
    for node in returns:
        value = _bound_once(source.tree, node.value)
        if type(value) in NO_GRADIENT:
            what = NO_GRADIENT[type(value)]
            yield f"the rule of {rule.title} returns {what}: one gradient for each argument", node
            continue
        found = _returned_count(value, count, head)
        if found not in (None, count):
            message = (
                f"{rule.title} has {_counted(count, 'argument')} ({', '.join(rule.names)}), and its rule returns "
                f"{_counted(found, 'gradient')}: one for each argument, None for one that carries no derivative"
            )
            yield message, node


NO_GRADIENT: dict[type, str] = {
    gast.GeneratorExp: "a generator", gast.Lambda: "a function", gast.Dict: "a dict", gast.Set: "a set",
    gast.DictComp: "a dict", gast.SetComp: "a set", gast.JoinedStr: "a string", gast.Compare: "a comparison",
}  # fmt: skip


def _bound_once(tree: Any, value: Any) -> Any:
    """What a name stands for that the function binds in one place, and reads nowhere else: a list may be filled."""
    if not isinstance(value, gast.Name):
        return value
    mentions = [n for n in gast.walk(tree) if isinstance(n, gast.Name) and n.id == value.id]
    stores = [n for n in mentions if not isinstance(n.ctx, gast.Load)]
    if len(stores) != 1 or len(mentions) != 2:
        return value
    bound = (
        node.value
        for node in gast.walk(tree)
        if isinstance(node, gast.Assign) and any(target is stores[0] for target in node.targets)
    )
    return next(bound, value)


def _returned_count(value: Any, count: int, head: str) -> int | None:
    """How many gradients an expression is, where its form tells."""
    match value:
        case None | gast.Constant(value=None):
            return 0
        case gast.Tuple(elts=elements) if not any(isinstance(e, gast.Starred) for e in elements):
            return len(elements)
        case gast.List(elts=elements) if count > 1 and not any(
            isinstance(e, gast.Starred) for e in elements
        ):
            return len(elements)
        case gast.Constant():
            return 1
        case gast.BinOp() if _is_multiple(value, head):
            return 1
    return None


def _counted(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def _raises(tree: Any) -> bool:
    return any(isinstance(node, gast.Raise) for node in gast.walk(tree))


def _is_multiple(e: Any, head: str) -> bool:
    """Whether an expression is dy times or divided by something, and so no tuple."""
    match e:
        case gast.BinOp(left=left, right=right, op=gast.Mult() | gast.Div()):
            names = (left, right)
            return any(
                (isinstance(n, gast.Name) and n.id == head) or _is_multiple(n, head) for n in names
            )
    return False
