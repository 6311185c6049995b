"""The cache: (function, wrt, mode, kinds of the arguments) -> generated function, found again in a
fraction of a microsecond.

A call looks its arguments up twice at most. First by what costs nothing to ask (`exact_key`: type,
shape and dtype of each), then by their kinds (`signature_of`), which many shapes share; if both
fail, a derivative is generated. What was looked up in globals and closures when it was (the guards)
is compared at every call.
"""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, replace
from types import CodeType, FunctionType
from typing import Any, Generic, ParamSpec, TypeVar
from weakref import WeakValueDictionary

from numpy import ndarray

from tangentish.analysis.guards import LENGTHS, AnyGuard
from tangentish.asking.asked import Asked, Mode
from tangentish.asking.into import Filling
from tangentish.asking.sharing import may_share, refusing_shared
from tangentish.asking.wrt import Wrt, check_active, float_positions, local_names, resolve
from tangentish.calling.families import Families
from tangentish.calling.filler import Filler
from tangentish.calling.made_again import derived_again
from tangentish.calling.outputs import Pullback, check_output
from tangentish.calling.reference import reference
from tangentish.derive import Derived, analyses, derive
from tangentish.errors import NotDifferentiable
from tangentish.kinds.exact_keys import exact_key
from tangentish.kinds.kinds_of_values import flags_of, signature_of
from tangentish.kinds.standins import missing_kinds, stand_ins
from tangentish.language.binding import binder, parameter_names

P = ParamSpec("P")
R = TypeVar("R")
Caller = Callable[..., Any]

# what the user's function has to be, its code and its defaults, and the function that is generated for it
_Guarded = tuple[CodeType | None, tuple[Any, ...] | None, Caller]
# the same for two arrays, after the shape and dtype of each
_OfTwo = tuple[Any, Any, Any, Any, CodeType | None, tuple[Any, ...] | None, Caller]
_NONE: _OfTwo = (None, None, None, None, None, None, len)

_MOST_KEYS = 256  # exact keys a derivative remembers; when there are more, it starts again
_MOST_KINDS = 64  # signatures a derivative keeps code for; the oldest goes first
_FAMILIES, _MEMBERS = 128, 4  # derivatives that are kept alive though nobody holds them


@dataclass(frozen=True, eq=False, slots=True)
class Entry:
    """One generated function: `call` as the user calls it, `guarded` with the look at its guards
    before.
    """

    derived: Derived
    call: Caller
    guarded: Caller
    guarded_at_two: _Guarded | None = None
    flags: bool = False  # whether it is for the very flags and strings that were given
    lengths: Hashable = (
        None  # the kinds of arguments with the lengths that are 2, where it depends on these
    )

    def serves(self, values: tuple[object, ...]) -> bool:
        """Whether it is for arguments like these, which have the signature of those it was made for."""
        return self.for_lengths_of(values) and self.holds()

    def for_lengths_of(self, values: tuple[object, ...]) -> bool:
        return self.lengths is None or self.lengths == signature_of(values, two=True)

    def holds(self) -> bool:
        return all(guard.holds() for guard in self.derived.guards)


class Derivative(Generic[P, R]):
    """A derivative of one function: called like it; its code is generated at the first call of each
    kind.
    """

    def __init__(self, function: FunctionType, asked: Asked, skipped: int) -> None:
        self._function = function
        self.asked = asked
        self._skipped = skipped
        # what it shares with the derivatives of functions that the same `def` or `lambda` made
        self.family: Hashable = (id(function.__code__), asked, skipped)
        self._lock = threading.RLock()
        self._callers: dict[Hashable, Caller] = {}
        self._plain: dict[Hashable, _OfTwo] = {}
        self._last = _NONE  # of these, the one that was called last
        self._entries: dict[Hashable, list[Entry]] = {}
        self._found: dict[Hashable, Entry] = {}
        self._age = 0  # how often all of it was forgotten
        self.__wrapped__ = function
        self.__module__ = function.__module__
        self.__name__ = f"{function.__name__}.{asked.title}"
        self.__qualname__ = f"{function.__qualname__}.{asked.title}"
        self.__doc__ = f"The {_DESCRIPTIONS[asked.mode]} of {function.__qualname__}()."

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        if not kwargs:
            if len(args) == 2:
                a, b = args
                if type(a) is ndarray and type(b) is ndarray:
                    # The commonest call, of functions to which the layout of arrays is the same.
                    shape, dtype, shape_b, dtype_b, code, defaults, call = self._last
                    if (
                        a.dtype is not dtype
                        or b.dtype is not dtype_b
                        or a.shape != shape
                        or b.shape != shape_b
                    ):
                        code, defaults, call = self._not_as_last(a, b)
                    function = self._function
                    if function.__code__ is code and function.__defaults__ is defaults:
                        return call(a, b)  # type: ignore[no-any-return]
            caller = self._callers.get(exact_key(args))
            if caller is not None:
                return caller(*args)  # type: ignore[no-any-return]
        else:
            caller = self._callers.get(_keyword_key(args, kwargs))
            if caller is not None:
                return caller(*args, **kwargs)  # type: ignore[no-any-return]
        return self._call_anew(args, kwargs)  # type: ignore[no-any-return]

    def source(self, *args: Any, **kwargs: Any) -> str:
        """The generated source for these arguments; without any, for those of annotations and
        defaults. With `compiled=True`, the source that is compiled.
        """
        own = "compiled" in parameter_names(self._function)
        compiled = not own and kwargs.pop("compiled", False)
        asked = replace(self.asked, compile="numba" if compiled else None)
        same = self if asked == self.asked else derivative(self._function, asked, self._skipped)
        return same.derived(*args, **kwargs).text

    def derived(self, *args: Any, **kwargs: Any) -> Derived:
        """What is generated for these arguments; without any, for those of annotations and
        defaults.
        """
        return self._entry(self.values(*args, **kwargs)).derived

    def values(self, *args: Any, **kwargs: Any) -> tuple[object, ...]:
        """What the parameters are bound to; without arguments, what annotations and defaults say."""
        return self._bind(*args, **kwargs) if args or kwargs else self._declared()

    def along(
        self, args: tuple[Any, ...], tangents: tuple[Any, ...], kwargs: Mapping[str, Any]
    ) -> Any:
        """What is asked for along tangents that are given, as with mode jvp, or in arrays that are."""
        key = None if kwargs else exact_key(args)
        entry = self._found.get(key)
        if entry is None or not entry.holds():
            age = self._age
            entry = self._entry(self._bind(*args, **kwargs))
            with self._lock:
                if key is not None and age == self._age and not self._tells(entry):
                    if len(self._found) >= _MOST_KEYS:
                        self._found.clear()
                    self._found[key] = entry
        return entry.call(args, tangents, kwargs)

    def into(self, buffers: Any) -> Filler[P]:
        """The gradient, written into arrays of the caller's: `f.grad.into(dw)(w, x)` returns dw.

        buffers: of the structure of the gradient: an array for each array and float, of the shape and dtype of
        the argument (shape () for a float), that shares no memory with an argument. Nothing is allocated for them.
        """
        return Filler(self._filling("into"), buffers)

    def add_to(self, buffers: Any) -> Filler[P]:
        """The gradient, added to what arrays of the caller's hold: `f.grad.add_to(dw)(w, x)` returns dw."""
        return Filler(self._filling("add_to"), buffers)

    def _filling(self, filling: Filling) -> Derivative[..., Any]:
        if self.asked.mode != "grad" or self.asked.has_aux:
            raise TypeError(f"only gradients without aux go into given arrays, not {self!r}")
        if max(self.asked.wrt) >= len(self.names):
            raise TypeError("gradients of local variables do not go into given arrays")
        return derivative(self._function, replace(self.asked, filling=filling), self._skipped)

    @property
    def names(self) -> tuple[str, ...]:
        """The parameters of the function."""
        return parameter_names(self._function)

    def __repr__(self) -> str:
        names = (*parameter_names(self._function), *local_names(self._function))
        wrt = ", ".join(names[k] for k in self.asked.wrt)
        return f"<{self.__qualname__} with respect to {wrt}>" if wrt else f"<{self.__qualname__}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (reference(self._function), self.asked, self._skipped)

    def _bind(self, *args: Any, **kwargs: Any) -> tuple[object, ...]:
        function = self._function
        if (
            self._binder[0] is not function.__defaults__
            or self._binder[1] is not function.__kwdefaults__
        ):
            self._binder = function.__defaults__, function.__kwdefaults__, binder(function)
        return self._binder[2](*args, **kwargs)  # type: ignore[no-any-return]

    _binder: tuple[Any, Any, Any] = (..., ..., None)

    def _declared(self) -> tuple[object, ...]:
        values = stand_ins(self._function)
        missing = missing_kinds(values)
        if missing:
            raise TypeError(
                f"{self.__qualname__}.source() without arguments needs the kinds of all "
                "parameters of "
                f"{self._function.__qualname__}(); annotations and defaults do not tell those of: "
                f"{', '.join(missing)}. Give example arguments: source({', '.join(values)})"
            )
        return tuple(values.values())

    # ------------------------------------------------------------------ when the fast look-up fails

    def _call_anew(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Find the entry by kinds, remember it under the exact key, call it."""
        age = self._age
        entry = self._entry(self._bind(*args, **kwargs))
        key = _keyword_key(args, kwargs) if kwargs else exact_key(args)
        with self._lock:
            if key is not None and age == self._age and not self._tells(entry):
                if len(self._callers) >= _MOST_KEYS:
                    self._callers.clear()
                self._callers[key] = entry.guarded
                self._remember_plain(entry, args, kwargs)
        return entry.call(*args, **kwargs)

    def _remember_plain(self, entry: Entry, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        """Two arrays whose layout does not matter are found by shapes and dtypes alone."""
        arrays = len(args) == 2 and not kwargs and all(type(a) is ndarray for a in args)
        if arrays and entry.guarded_at_two is not None and not entry.derived.layout:
            if len(self._plain) >= _MOST_KEYS:
                self._plain.clear()
            a, b = args
            key = a.shape, a.dtype, b.shape, b.dtype
            self._plain[key] = self._last = (*key, *entry.guarded_at_two)

    def _not_as_last(self, a: ndarray[Any, Any], b: ndarray[Any, Any]) -> _Guarded:
        """What is for two arrays of other shapes or dtypes than those that came last."""
        key = a.shape, a.dtype, b.shape, b.dtype
        found = self._plain.get(key)
        if found is None:
            return _NONE[4:]
        with self._lock:  # it may have been forgotten meanwhile
            self._last = found if key in self._plain else _NONE
        return found[4:]

    def _entry(self, values: tuple[object, ...]) -> Entry:
        """The generated function for these values of the parameters."""
        signature, flags = signature_of(values), flags_of(values)
        own: Hashable = (signature, flags)
        keys = (signature, own) if flags else (signature,)
        with self._lock:
            for key in keys:
                for entry in self._entries.get(key, ()):
                    if entry.serves(values):
                        return entry
            for key in keys:
                again = self._made_again(key, values)
                if again is not None:
                    return self._noted(key, again)
            try:
                return self._noted(signature, self._generate(values))
            except NotDifferentiable:
                known = self._generated_for_flags(values) if flags else None
                if known is None:
                    raise
                return self._noted(own, known)

    def _made_again(self, key: Hashable, values: tuple[object, ...]) -> Entry | None:
        """The generated function of another that the same `def` made, which serves this one, too."""
        with _alive_lock:
            family = [each for each in _kept.of(self.family) if each is not self]
        for other in family:
            for entry in [*other._entries.get(key, ())]:
                if entry.for_lengths_of(values):
                    derived = derived_again(entry.derived, other._function, self._function)
                    if derived is not None:
                        return self._entered(derived, values, entry.flags)
        return None

    def _noted(self, signature: Hashable, entry: Entry) -> Entry:
        self._entries.setdefault(signature, [])[:0] = [entry]
        self._trim(signature)
        return entry

    def _tells(self, entry: Entry) -> bool:
        """Whether a key does not tell all of what an entry is for: flags or strings are defaults of keywords.

        These may change in the dict that holds them.
        """
        return entry.flags and bool(self._function.__kwdefaults__)

    def _trim(self, signature: Hashable) -> None:
        del self._entries[signature][_MOST_KINDS:]
        if not self._entries[signature]:
            del self._entries[signature]
        elif len(self._entries) > _MOST_KINDS:
            del self._entries[next(iter(self._entries))]
            self._callers.clear()
            self._plain.clear()
            self._last = _NONE
            self._found.clear()

    def _generated_for_flags(self, values: tuple[object, ...]) -> Entry | None:
        """The generated function for the very flags and strings among these values; None if refused, too."""
        try:
            return self._generate(values, flags=True)
        except NotDifferentiable:
            return None

    def _generate(self, values: tuple[object, ...], *, flags: bool = False) -> Entry:
        asked = replace(self.asked, wrt=self._active(values))
        return self._entered(derive(self._function, values, asked, flags=flags), values, flags)

    def _entered(self, derived: Derived, values: tuple[object, ...], flags: bool) -> Entry:
        call = self._checked(derived, values)
        at_two = self._guarded_at_two(call, derived)
        lengths = signature_of(values, two=True) if LENGTHS in derived.guards else None
        return Entry(derived, call, self._guarded(derived, call), at_two, flags, lengths)

    def forget(self) -> None:
        """What was generated is generated anew: a rule was registered."""
        with self._lock:
            self._age += 1
            for kept in (self._callers, self._plain, self._entries, self._found):
                kept.clear()
            self._last = _NONE

    def _active(self, values: tuple[object, ...]) -> tuple[int, ...]:
        if self.asked.mode == "vjp" and not self.asked.wrt:
            return float_positions(self._function, values)
        names = parameter_names(self._function)
        positions = (*self.asked.wrt, *itertools.chain(*self.asked.along))
        for position in (k for k in positions if k < len(names)):  # the others are local
            check_active(self._function, names[position], values[position])
        return self.asked.wrt

    # ------------------------------------------------------- what a call does around generated code

    def _checked(self, derived: Derived, values: tuple[object, ...]) -> Caller:
        """The generated function with the check of shared memory before it and of the output after
        it.
        """
        if self.asked.mode == "jvp" or self.asked.given or self.asked.filling:
            return self._along_checked(derived, values)
        inner = self._finished(derived.call)
        if not (derived.writes and may_share(values)):
            return inner
        return refusing_shared(inner, self._function, values, derived.writes, derived.only_bound)

    def _along_checked(self, derived: Derived, values: tuple[object, ...]) -> Caller:
        call, names = derived.call, derived.tangents

        def along(
            args: tuple[Any, ...], tangents: tuple[Any, ...], kwargs: Mapping[str, Any]
        ) -> Any:
            check(*args, **kwargs)
            return call(*args, **kwargs, **dict(zip(names, tangents, strict=False)))

        def nothing(*args: Any, **kwargs: Any) -> None:
            pass

        check: Caller = nothing
        if derived.writes and may_share(values):
            changed = derived.writes, derived.only_bound
            check = refusing_shared(nothing, self._function, values, *changed)
        return along

    def _finished(self, call: Caller) -> Caller:
        if self.asked.mode == "grad":
            return call
        name, has_aux, skipped = self._function.__qualname__, self.asked.has_aux, self._skipped

        def check_value(*args: Any, **kwargs: Any) -> Any:
            result = call(*args, **kwargs)
            value = result[0][0] if has_aux else result[0]
            if type(value) is not float:
                check_output(name, value)
            return result

        def wrap_pullback(*args: Any, **kwargs: Any) -> Any:
            value, pull = call(*args, **kwargs)
            return value, Pullback(name, value, pull, skipped)

        return check_value if self.asked.mode == "value_and_grad" else wrap_pullback

    def _guarded(self, derived: Derived, call: Caller) -> Caller:
        """The call, found anew where a global or a closure is no longer of the kind it was."""
        function = self._function
        code, defaults, named = function.__code__, function.__defaults__, function.__kwdefaults__
        guards = _to_be_looked_at(function, derived)

        def look_first(*args: Any, **kwargs: Any) -> Any:
            # The function's own guard, looked at in place: it is there in every call.
            if (
                function.__code__ is not code
                or function.__defaults__ is not defaults
                or function.__kwdefaults__ is not named
            ):
                return self._call_anew(args, kwargs)
            for guard in guards:
                if not guard.holds():
                    return self._call_anew(args, kwargs)
            return call(*args, **kwargs)

        return look_first

    def _guarded_at_two(self, entry_call: Caller, derived: Derived) -> _Guarded | None:
        """`_guarded` for two positional arguments, to be looked at without a call, where there is no other guard."""
        function = self._function
        if _to_be_looked_at(function, derived) or function.__kwdefaults__:
            return None
        return function.__code__, function.__defaults__, entry_call


def _to_be_looked_at(function: FunctionType, derived: Derived) -> tuple[AnyGuard, ...]:
    """The guards that may fail at a call for which the entry was found, but for that of the function itself."""
    others = (g for g in derived.guards if getattr(g, "function", None) is not function)
    return tuple(guard for guard in others if guard is not LENGTHS)


_DESCRIPTIONS: dict[Mode, str] = {
    "grad": "gradient",
    "value_and_grad": "value and gradient",
    "vjp": "value and pullback",
    "jvp": "value and tangent",
}


def _keyword_key(args: tuple[object, ...], kwargs: dict[str, Any]) -> Hashable:
    key = exact_key((*args, *kwargs.values()))
    return None if key is None else (*kwargs, key)


# ------------------------------------------------------------- the same object for the same request

_alive: WeakValueDictionary[Hashable, Derivative[..., Any]] = WeakValueDictionary()
_alive_lock = threading.RLock()  # what dies while it is held may ask for a derivative
_kept: Families[Derivative[..., Any]] = Families(_FAMILIES, _MEMBERS)


def request(
    function: FunctionType, wrt: Wrt, mode: Mode, has_aux: bool, skipped: int = 0,
    training: bool = True, compile: str | None = None,  # noqa: A002
) -> Derivative[..., Any]:  # fmt: skip
    """The derivative for this request: the same object as long as anyone holds it.

    skipped: how many leading parameters (self, cls) the indices of `wrt` do not count.
    """
    positions, single = (
        ((), False) if mode == "vjp" else resolve(function, wrt, skipped, local=True)
    )
    asked = Asked(mode, positions, single, has_aux, training=training, compile=compile)
    return derivative(function, asked, skipped)


def derivative(function: FunctionType, asked: Asked, skipped: int = 0) -> Derivative[..., Any]:
    """The derivative that is asked for: the same object as long as anyone holds it."""
    key = (id(function), asked, skipped)
    with _alive_lock:
        found = _alive.get(key)
        if found is None:
            found = Derivative(function, asked, skipped)
            _alive[key] = found
        _kept.note(found.family, found)
        return found


def forget_generated() -> None:
    """Rules have changed: all that was generated, or is being generated, is generated anew."""
    analyses.forget()
    with _alive_lock:
        alive = list(_alive.values())
    for each in alive:
        each.forget()


def _restore(function: Any, *wanted: Any) -> Derivative[..., Any]:
    """Unpickle; `function` may come as what now bears its name: the decorated function."""
    return derivative(getattr(function, "__wrapped__", function), *wanted)
