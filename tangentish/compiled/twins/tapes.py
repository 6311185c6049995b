"""Tapes are taken back without giving memory back: a list of Numba's is cleared and shrunk as it is emptied."""

from __future__ import annotations

from typing import Any

from numba.core import cgutils, types
from numba.core.imputils import impl_ret_new_ref
from numba.cpython.listobj import ListInstance
from numba.extending import intrinsic

from tangentish.compiled import functions
from tangentish.compiled.twins.registry import twin


def _taken(typing: Any, tape: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        items = ListInstance(context, builder, signature.args[0], args[0])
        size = items.size
        cgutils.guard_zero(context, builder, size, (IndexError, "pop from empty list"))
        last = builder.sub(size, size.type(1))
        item = items.getitem(last)
        if context.data_model_manager[tape.dtype].contains_nrt_meminfo():
            items.incref_value(item)
            items.clear_value(last)
        items.size = last
        return impl_ret_new_ref(context, builder, signature.return_type, item)

    return tape.dtype(tape), generate


_taken.__annotations__ = {}
taken = intrinsic(_taken)


@twin(functions.pop)
def _pop(tape: Any) -> Any:
    return (lambda tape: taken(tape)) if isinstance(tape, types.List) else None
