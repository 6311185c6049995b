"""Methods of an object as values: `odeint(self.rates, y0, t)` is given `lambda y, t: self.rates(y, t)`."""

from __future__ import annotations

import types
from typing import Any
from weakref import WeakKeyDictionary

import gast

from tangentish import ir
from tangentish.infer.function_values import FunctionValues
from tangentish.kinds import Fun, Kind, Opaque, Tup
from tangentish.language.binding import parameter_names, starred_names
from tangentish.language.nested import known_by_itself
from tangentish.text.load import load

__all__ = ["MethodValues"]

_MADE: WeakKeyDictionary[types.FunctionType, dict[tuple[str, str], types.FunctionType]]
_MADE = WeakKeyDictionary()


class MethodValues(FunctionValues):
    """The part of the walk that knows methods which are not called where they are read."""

    def object_attribute(self, node: Any, base: Kind) -> Kind:
        return self.method_value(node, base) or super().object_attribute(node, base)

    def method_value(self, node: Any, base: Kind) -> Fun | None:
        """The function that a method of a variable's object is; None of all else."""
        match node.value, base:
            case gast.Name(id=variable), Tup() | Opaque():
                method = self.method_of(base, node.attr)
            case _:
                return None
        if method is None or not method[1] or self.is_bound_again(variable):
            return None
        name = ir.base_name(variable)
        function = _bound(method[0], name, node.attr)
        if function is None:
            return None
        made = self.refreshed(Fun(function, ((name, variable),)))
        return made if isinstance(made, Fun) else None


def _bound(method: types.FunctionType, owner: str, attribute: str) -> types.FunctionType | None:
    """What calls a method of the object that a variable holds; None where it takes more than plain arguments."""
    taken = parameter_names(method)[1:]
    plain = not (method.__defaults__ or method.__kwdefaults__ or starred_names(method))
    if not plain or method.__code__.co_kwonlyargcount or {owner, attribute} & set(taken):
        return None
    known = _MADE.setdefault(method, {})
    if (owner, attribute) not in known:
        given = ", ".join(taken)
        text = f"def {attribute}({given}):\n    return {owner}.{attribute}({given})\n"
        made = load(text, attribute, method, {owner: types.CellType()})
        known[owner, attribute] = known_by_itself(made, owner)
    return known[owner, attribute]
