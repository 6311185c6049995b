"""A call of one of several functions becomes a branch for each.

y = acts[k](w @ x)    ->    function = acts[k]
                            t = w @ x
                            if function is np.tanh:
                                y = np.tanh(t)
                            else:
                                y = relu(t)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import gast

from tangentish import ir
from tangentish.infer import Choice


def one_by_one(
    choice: Choice, target: Any, fresh: Callable[[str], str], origin: ir.Origin
) -> Iterator[ir.Statement]:
    """The statements that a call stands for, its value under the name `target`, if any."""
    call = choice.call
    new: dict[Any, Any] = {}
    parts = [(call.func, "function"), *((argument, "t") for argument in call.args)]
    parts += [(keyword.value, keyword.arg) for keyword in call.keywords]
    for part, stem in parts:
        new[part] = part
        if not isinstance(part, (gast.Name, gast.Constant)):
            new[part] = gast.copy_location(ir.name(fresh(stem)), part)
            yield ir.Assign(ir.name(new[part].id), part, origin)

    def way(function: Any) -> ir.Block:
        keywords = [gast.keyword(k.arg, new[k.value]) for k in call.keywords]
        made = gast.Call(function, [new[a] for a in call.args], keywords)
        gast.copy_location(made, call)
        if target is None:
            return (ir.Do(gast.copy_location(gast.Expr(made), call), origin),)
        return (ir.Assign(ir.name(target.id), made, origin),)

    yield from branches(choice, new[call.func], way, origin)


def branches(
    choice: Choice, held: Any, way: Callable[[Any], ir.Block], origin: ir.Origin
) -> ir.Block:
    functions = [function for function, _ in choice.ways]
    known = choice.sure and choice.all_fit
    block = way(functions.pop()) if known else (_raising(choice, origin),)
    for function in reversed(functions):
        test = gast.Compare(ir.name(held.id), [gast.Is()], [function])
        block = (ir.If(gast.copy_location(test, choice.call), way(function), block, origin),)
    return block


def _raising(choice: Choice, origin: ir.Origin) -> ir.Statement:
    """What happens where a list of a module holds a function that it did not hold before, or one that does not fit."""
    changed = "the functions to choose from have changed"
    message = (
        changed if choice.all_fit else "the function that is chosen can't take these arguments"
    )
    error = gast.Call(
        ir.name("$RuntimeError" if choice.all_fit else "$TypeError"),
        [gast.Constant(message, None)],
        [],
    )
    return ir.Do(gast.copy_location(gast.Raise(error, None), choice.call), origin)
