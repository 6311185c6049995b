"""What a line may write to, of what carries no derivative: `q += 1`, `np.asarray(o.g)[0] = 3.0`, `o.g.sort()`."""

from __future__ import annotations

import builtins
from collections.abc import Hashable
from typing import Any

import gast

from tangentish import ir
from tangentish.infer import Facts
from tangentish.infer.draws import is_generator
from tangentish.infer.known_functions import HARMLESS, REPORTING
from tangentish.kinds import Kind, Known, Num, is_number, is_unknown
from tangentish.language.changing_names import GROWING
from tangentish.runtime import plain


def written_by(statement: ir.Statement, facts: Facts) -> tuple[Any, ...]:
    """What a line may write into, of what has no derivative: all that functions get which write to something."""
    calls = (n for n in ir.nodes_in(statement) if type(n) is gast.Call)
    given = (a for call in calls if _is_loud(call, facts) for a in call.args)
    held = (a for a in given if not (is_generator(facts.kind(a)) or is_number(facts.kind(a))))
    return (*_written_by_itself(statement, facts), *held)


def _is_loud(call: Any, facts: Facts) -> bool:
    """Whether a function of the user's is called that may write to other arrays than its own."""
    user = facts.user_of(call)
    return user is not None and (not user.quiet or call in facts.changes)


def _written_by_itself(statement: ir.Statement, facts: Facts) -> tuple[Any, ...]:
    """The same of what stands in the line; of a call on a line of its own all that it gets."""
    match statement:
        case ir.Update(gast.Name() as target):
            return (target,) if may_be_array(facts.kind(target)) else ()
        case ir.Assign(gast.Subscript(value=base)) | ir.Update(gast.Subscript(value=base)):
            return () if facts.kind(base).active else (base,)
        case ir.Do(gast.Expr(value=gast.Call() as call)) if not _is_harmless(call, facts):
            receiver = [call.func.value] if isinstance(call.func, gast.Attribute) else []
            return (*receiver, *call.args, *(k.value for k in call.keywords))
    return ()


def _is_harmless(call: Any, facts: Facts) -> bool:
    """Whether a call on a line of its own writes to nothing, or to what is known of a function of the user's."""
    function = function_called(call, facts)
    if isinstance(call.func, gast.Attribute) and call.func.attr in GROWING:
        return True  # of a container; the arrays that it holds stay what they are
    return facts.user_of(call) is not None or (
        isinstance(function, Hashable) and (function in HARMLESS or function in REPORTING)
    )


def may_be_array(kind: Kind) -> bool:
    """Whether this may be an array without a derivative; that it has memory of its own is not said of views."""
    number = isinstance(kind, Num) and kind.array is not False and not kind.active
    return is_unknown(kind) or number


def function_called(call: gast.Call, facts: Facts) -> Any:
    """The function; of a call that stands for others that were written, by its name, which is the built-in one."""
    if isinstance(call.func, gast.Name) and call.func.id.startswith("$"):
        return getattr(builtins, call.func.id[1:], plain if call.func.id == "$plain" else None)
    callee = facts.callees.get(call)
    if callee is not None:
        return callee.function
    kind = facts.kind(call.func)
    return kind.value if isinstance(kind, Known) else None
