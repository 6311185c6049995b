"""A parameter that is written to, and whose name then is that of another array: that name gets a value of its own.

def step(m, z):                  def step(m, z):
    m[0] = z             ->          m_ = m
    m = m * z                        m_[0] = z
    return m                         m_ = m_ * z
                                     return m_

What the caller sees is what the parameter holds at the end: `m`, which nothing binds any more. Where the other name is
one for the same array, and where it is another, is found out as for all names (aliases.py, several_arrays.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tangentish import ir
from tangentish.ir.origins import origin_of
from tangentish.language.webs import renamed_in


def with_given_names(function: ir.Function, names: Sequence[str], number: int) -> ir.Function:
    """The function in which nothing binds these parameters."""
    own = {name: f"{ir.base_name(name)}.g{number}" for name in names}

    body = renamed_in(function.body, own)
    origin = origin_of(function.body[0])
    first = (ir.Assign(ir.name(own[name]), ir.name(name), origin) for name in names)
    return replace(function, body=(*first, *body))
