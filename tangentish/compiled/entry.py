"""From Python into compiled code.

A compiled function takes everything in order. What the user calls has the signature of the user's function:

    def call(x, n=3, *, k=2): return compiled(outside["g"], x, n, k, 1.0)

It is compiled at the first call, for the types of the arguments.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tangentish.analysis.reached import Analysis
from tangentish.compiled.jit import compile_for, numba_error, refusal_of
from tangentish.compiled.outside import Outer
from tangentish.compiled.results import as_given, converter
from tangentish.compiled.writer import CompiledWriter
from tangentish.kinds import Tup
from tangentish.language.binding import parameter_names, signature_text
from tangentish.text.names import unlike

CALL = """
def call({parameters}):
    try:
        return {compiled}({arguments})
    except {error} as {found}:
        raise {refused}({found}) from {found}
"""


@dataclass(eq=False)
class Entry:
    """A compiled function as Python calls it.

    outers: what is given first; heads: what is given last.
    kinds: those of the results; None for what may be anything.
    """

    writer: CompiledWriter
    analysis: Analysis
    function: Any
    outers: tuple[Outer, ...]
    heads: tuple[object, ...] = ()
    kinds: Any = None
    lock: Any = field(default_factory=threading.RLock)
    space: dict[str, Any] = field(default_factory=dict)
    compiled: str = ""  # the name that the compiled function has in that space
    error: str = ""

    def python(self) -> Callable[..., Any]:
        """The function with the signature of the user's."""
        function = self.analysis.source.function
        names = parameter_names(function)
        own = {word: unlike(word, names) for word in ("compiled", "error", "found", "refused")}
        self.compiled, self.error = own["compiled"], own["error"]
        read = []
        for k, outer in enumerate(self.outers):
            place = unlike(f"outside_{k}", names)
            self.space[place] = outer.space
            read.append(f"{place}.cell_contents" if outer.is_cell else f"{place}[{outer.name!r}]")
        given = ", ".join([*read, *names, *map(repr, self.heads)])
        self.space |= {self.compiled: self.first, self.error: (), own["refused"]: self.refused}
        exec(CALL.format(parameters=signature_text(function), arguments=given, **own), self.space)
        call = self.space["call"]
        call.__defaults__, call.__kwdefaults__ = function.__defaults__, function.__kwdefaults__
        return call  # type: ignore[no-any-return]

    def refused(self, error: Exception) -> Exception:
        return refusal_of(error, self.writer.places, self.analysis.source)

    def first(self, *args: Any) -> Any:
        """The first call: what was compiled takes this one's place."""
        with self.lock:
            if self.space[self.compiled] == self.first:
                ready = self.ready(args)
                self.space[self.error] = numba_error()
                self.space[self.compiled] = ready
        return self.space[self.compiled](*args)

    def ready(self, args: tuple[Any, ...]) -> Callable[..., Any]:
        """The function compiled for these arguments, giving what the interpreted derivative gives."""
        dispatcher = self.writer.compiled(self.function)
        found = compile_for(dispatcher, args, self.writer.places, self.analysis.source)
        convert = None if self.kinds is None else converter(self.kinds, found)
        if convert is None:
            return dispatcher  # type: ignore[no-any-return]
        return lambda *args: convert(dispatcher(*args))


@dataclass(eq=False)
class Pulled(Entry):
    """(value, pullback): compiled both, what is saved between them stays in Numba's memory."""

    adjoint: Any = None
    wrt: tuple[int, ...] = ()

    def ready(self, args: tuple[Any, ...]) -> Callable[..., Any]:
        """The forward pass, and the adjoint that it hands what it saved."""
        from tangentish.compiled.saved import adjoint_of, forward_of  # noqa: PLC0415

        places, source = self.writer.places, self.analysis.source
        forward = forward_of(self.writer.compiled(self.function), len(args))
        found = compile_for(forward, args, places, source)
        result = self.analysis.facts.result
        several = isinstance(result, Tup)
        heads = len(result.items) if isinstance(result, Tup) else 1
        adjoint = adjoint_of(self.writer.compiled(self.adjoint), heads)
        value = as_given(self.analysis.result, self.analysis.kinds)
        convert = converter([value, None], found)
        kinds = [self.analysis.kinds[k] for k in self.wrt]
        count = len(self.analysis.kinds)
        backwards: list[Callable[..., Any]] = []

        def pullback_of(saved: Any) -> Callable[..., Any]:
            def pull(dy: Any) -> tuple[Any, ...]:
                heads = dy if several else (dy,)
                if not backwards:
                    types = compile_for(adjoint, (saved, *heads), places, source)
                    backwards.append(self.finished(adjoint, kinds, types))
                out: list[Any] = [None] * count
                for position, gradient in zip(self.wrt, backwards[0](saved, *heads), strict=True):
                    out[position] = gradient
                return tuple(out)

            return pull

        def call(*args: Any) -> tuple[Any, Any]:
            value, saved = forward(*args)
            if convert is not None:
                value, _ = convert((value, saved))
            return value, pullback_of(saved)

        return call

    def finished(self, adjoint: Any, kinds: list[Any], found: Any) -> Callable[..., Any]:
        """The adjoint, giving a tuple of gradients with the types of their arguments."""
        single = len(kinds) == 1
        convert = converter(kinds[0] if single else kinds, found)

        def gradients(*args: Any) -> tuple[Any, ...]:
            given = adjoint(*args)
            given = given if convert is None else convert(given)
            return (given,) if single else given

        return gradients
