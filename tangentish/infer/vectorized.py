"""Functions of `np.vectorize`, which call a function of the user's for each element, as the loops that they are.

np.vectorize(f)(x)            ->  vectorized(f, x), which is written in Python (runtime/calling.py)
g = np.vectorize(f); g(x, z)  ->  vectorized_2(g.pyfunc, x, z), where g stands outside of the function
"""

from __future__ import annotations

import types
from collections.abc import Iterable
from typing import Any, NamedTuple

import gast
import numpy as np

from tangentish import ir
from tangentish.errors import NotDifferentiable
from tangentish.infer.callee_arguments import bind_arguments
from tangentish.infer.defaults import kinds_of_defaults
from tangentish.infer.other_forms import OtherForms
from tangentish.infer.spreading import has_stars
from tangentish.infer.without_effects import only_computes
from tangentish.ir.quote import constant
from tangentish.kinds import REFUSED, Fun, Kind, Known, Num, Seq, Tup, replace
from tangentish.language.binding import starred_names
from tangentish.runtime import calling


class _Forms(NamedTuple):
    """What calls a function for each element: one that only computes, one that has effects, in Fortran order."""

    plain: Any
    with_effects: Any
    turned: Any


_OF_FEW = {
    1: _Forms(calling.vectorized, calling.asked_and_vectorized, calling.asked_and_turned),
    2: _Forms(calling.vectorized_2, calling.asked_and_vectorized_2, calling.asked_and_turned_2),
}
"""How many arguments the function has -> what calls it."""
_OF_MANY = _Forms(
    calling.vectorized_of_many,
    calling.asked_and_vectorized_of_many,
    calling.asked_and_turned_of_many,
)

_FLOAT = Num(np.dtype(float), (), False, weak=True)
_PRECISION = (
    "np.vectorize gives numbers of the type of its first result, which is not known of arguments that are no doubles: "
    "write np.vectorize(f, otypes=[float])"
)
_SEQUENCE = (
    "the function of np.vectorize gives a tuple or a list here, of which NumPy makes no number: it raises a "
    "ValueError; let it give the number itself"
)


class Vectorized(OtherForms):
    """The part of the walk that follows functions of `np.vectorize`."""

    def vectorized_call(self, node: Any) -> Kind | None:
        """The kind of such a call; None for any other."""
        if not node.args or node.keywords or has_stars(node):
            return None
        found = self.vectorized_function(node.func)
        if found is None:
            return None
        function = found[0]
        given = self.given_for_one(function, node)
        several = isinstance(given, Tup) and given.keys is None and not given.is_list
        makes_no_number = isinstance(given, Seq) or (isinstance(given, Tup) and given.is_list)
        gives = None if several and not found[1] else found[1]
        to_float = self.made_once((node, "float", gives), lambda: constant(gives), node)
        for argument in (function, to_float, *node.args):
            self.expression(argument)
        if not self.facts.varies(*node.args):
            return None
        if not gives and any(_is_of_another_precision(self.kind(e)) for e in node.args):
            self.refuse(_PRECISION, node)
            return REFUSED
        if makes_no_number or (several and (found[1] or len(given.items) == 1)):  # type: ignore[union-attr]
            self.refuse(_SEQUENCE, node)
            return REFUSED
        kind = self.kind(function)
        called = kind.value if isinstance(kind, Known) else getattr(kind, "function", None)
        forms = _OF_FEW.get(len(node.args), _OF_MANY)
        written = forms.plain if only_computes(called) else forms.with_effects
        if not _is_in_order([self.kind(argument) for argument in node.args]):
            written = forms.turned
        return self.apply(written, [function, to_float, *node.args], {}, node)

    def given_for_one(self, function: Any, node: Any) -> Kind | None:
        """What the function gives for one element, where that is known."""
        kind = self.expression(function)
        called = kind.value if isinstance(kind, Known) else getattr(kind, "function", None)
        if not isinstance(called, types.FunctionType) or starred_names(called):
            return None
        at = bind_arguments(called, [self.number_like(e, node) for e in node.args], {})
        if isinstance(at, str):
            return None
        cells = dict(kind.cells) if isinstance(kind, Fun) else {}
        lifting, defaulted = self.lifting(called, at, cells, node)
        kinds = lifting.kinds
        kinds += kinds_of_defaults(called, defaulted, self.rebound)
        try:
            return self.analysed(lifting.lifted(called, defaulted), tuple(kinds), node).result
        except NotDifferentiable:
            return None

    def number_like(self, argument: Any, node: Any) -> Any:
        """Some element of an argument."""
        made = self.made_once((node, argument), lambda: constant(0.5), node)
        self.facts.kinds[made] = replace(_FLOAT, active=self.expression(argument).active)
        return made

    def vectorized_function(self, func: Any) -> tuple[Any, bool] | None:
        """The function of one element, and whether its results become floats; None for all other functions."""
        if isinstance(func, gast.Call):
            return self.vectorized_here(func) if self.outside(func.func) is np.vectorize else None
        found = self.outside(func) if self.may_be_vectorized(func) else None
        if not isinstance(found, np.vectorize) or found.signature is not None:
            return None
        if found.otypes not in (None, "d") or found.cache:
            return None
        function = self.made_once(
            (func, "pyfunc"), lambda: gast.Attribute(func, "pyfunc", gast.Load()), func
        )
        return function, found.otypes == "d"

    def may_be_vectorized(self, func: Any) -> bool:
        """Whether this may be one, at a glance: most of what is called is none."""
        name = func.value if isinstance(func, gast.Attribute) else func
        if not isinstance(name, gast.Name) or name.id.startswith("$"):
            return False
        if ir.is_value(name.id) or name.id in self.scope:
            return True
        try:
            found = self.source.lookup(name.id)
        except NameError:
            return False
        if name is not func:
            found = getattr(found, func.attr, None) if type(found) is types.ModuleType else None
        return isinstance(found, np.vectorize)

    def vectorized_here(self, call: Any) -> tuple[Any, bool] | None:
        """Of `np.vectorize(f)` and `np.vectorize(f, otypes=[float])`."""
        match call:
            case gast.Call(args=[function], keywords=[]):
                return function, False
            case gast.Call(
                args=[function],
                keywords=[gast.keyword(arg="otypes", value=gast.List(elts=[type_]))],
            ) if self.outside(type_) in (float, np.float64):
                return function, True
        return None

    def outside(self, func: Any) -> object:
        """What a name stands for, or an attribute of a module; None for anything else."""
        known = isinstance(func, gast.Name) or (
            isinstance(func, gast.Attribute)
            and isinstance(func.value, gast.Name)
            and isinstance(getattr(self.expression(func.value), "value", None), types.ModuleType)
        )
        kind = self.expression(func) if known else None
        return kind.value if isinstance(kind, Known) else None


def _is_in_order(kinds: Iterable[Kind]) -> bool:
    """Whether the result is in C order for sure, as NumPy has it where one argument of its shape is."""
    arrays = [k for k in kinds if isinstance(k, Num) and k.rank not in (0, 1)]
    if all(array.contiguous for array in arrays):
        return True
    shapes = [array.shape for array in arrays if array.rank is not None and array.shape]
    longest = max(map(len, shapes), default=0)
    whole = (a.shape for a in arrays if a.contiguous and a.rank == longest)
    known = len(shapes) == len(arrays)
    return known and any(shape and not {1, None} & {*shape} for shape in whole)


def _is_of_another_precision(kind: Kind) -> bool:
    """Whether these are floats, but no doubles: elements are doubles in Python, but for the first."""
    if not isinstance(kind, Num) or kind.dtype is None:
        return False
    return kind.is_float and not kind.is_double
