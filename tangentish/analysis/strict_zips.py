"""What `zip(x, t, strict=True)` raises where one is shorter or longer than those before it: a loop over indices stops.

for v, k in zip(x, t, strict=True):   ->   if len(t) < len(x):
    s += v * k                                 raise ValueError("zip() argument 2 is shorter than argument 1")
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import gast

from tangentish import ir
from tangentish.ir.quote import constant, quote
from tangentish.kinds.lengths import Length, same_length


def raised_where_unequal(
    strict: Any, lengths: Sequence[tuple[Any, Length]], origin: ir.Origin
) -> Iterator[ir.If]:
    """The lines before the loop, or after it; lengths: of each argument as it is written and as far as it is known."""
    if isinstance(strict, gast.Constant) and not strict.value:
        return
    first, known = lengths[0]
    for k, (length, other) in enumerate(lengths[1:], start=2):
        if same_length(known, other):
            continue
        before = "argument 1" if k == 2 else f"arguments 1-{k - 1}"
        for op, word in ((gast.Lt(), "shorter"), (gast.Gt(), "longer")):
            text = constant(f"zip() argument {k} is {word} than {before}")
            test: Any = gast.Compare(ir.duplicate(length), [op], [ir.duplicate(first)])
            if not isinstance(strict, gast.Constant):
                test = gast.BoolOp(gast.And(), [ir.duplicate(strict), test])
            line = gast.Raise(quote("ValueError({message})", message=text), None)
            yield ir.If(test, (ir.Do(line, origin),), (), origin)
