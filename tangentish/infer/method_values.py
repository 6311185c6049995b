"""Methods of an object as values: `odeint(self.rates, y0, t)` is given `lambda y, t: self.rates(y, t)`."""

from __future__ import annotations

import types
from typing import Any
from weakref import WeakKeyDictionary

import gast

from tangentish import ir
from tangentish.infer.function_values import FunctionValues
from tangentish.infer.objects import method_of
from tangentish.kinds import Fun, Kind, Opaque, Tup
from tangentish.language.binding import parameter_names, starred_names
from tangentish.language.nested import known_by_itself
from tangentish.text.load import load

_MADE: WeakKeyDictionary[types.FunctionType, dict[tuple[str, str], types.FunctionType]]
_MADE = WeakKeyDictionary()
_LITERALS = (type(None), bool, int, float, str)


class MethodValues(FunctionValues):
    """The part of the walk that knows methods which are not called where they are read."""

    def object_attribute(self, node: Any, base: Kind) -> Kind:
        found = self.method_value(node, base)
        if found is None and isinstance(base, (Tup, Opaque)):
            self.note_method(node, base)
        return found or super().object_attribute(node, base)

    def note_method(self, node: Any, base: Tup | Opaque) -> None:
        """A method that is read as a value: a function may stand in its place (analysis/bound_methods.py)."""
        method = method_of(base, node.attr)
        place = getattr(node, "lineno", None), getattr(node, "col_offset", None)
        if method is not None and method[1] and None not in place:
            self.facts.methods_read[*place, node.attr] = method[0]

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
        function = function_of_method(method[0], name, node.attr)
        if function is None:
            return None
        made = self.refreshed(Fun(function, ((name, variable),)))
        return made if isinstance(made, Fun) else None


def function_of_method(
    method: types.FunctionType, owner: str, attribute: str
) -> types.FunctionType | None:
    """What calls a method of the object that a variable holds; None where it takes more than plain arguments."""
    taken = parameter_names(method)[1:]
    defaults = dict(zip(reversed(taken), reversed(method.__defaults__ or ()), strict=False))
    plain = not (
        method.__kwdefaults__ or method.__code__.co_kwonlyargcount or starred_names(method)
    )
    literal = all(type(value) in _LITERALS for value in defaults.values())
    if not (plain and literal) or {owner, attribute} & set(taken):
        return None
    known = _MADE.setdefault(method, {})
    if (owner, attribute) not in known:
        given = (f"{name}={defaults[name]!r}" if name in defaults else name for name in taken)
        text = f"def {attribute}({', '.join(given)}):\n    return {owner}.{attribute}({', '.join(taken)})\n"
        made = load(text, attribute, method, {owner: types.CellType()})
        constants = {name: gast.Constant(value, None) for name, value in defaults.items()}
        known[owner, attribute] = known_by_itself(made, owner, defaults=constants)
    return known[owner, attribute]
