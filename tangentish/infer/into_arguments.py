"""Calls that write to what they are given, as functions of NumPy and SciPy do where they are told to."""

from __future__ import annotations

from typing import Any

import gast
import numpy as np

from tangentish import ir
from tangentish.errors import Refusal
from tangentish.infer.changes import changes_what_it_gets
from tangentish.infer.in_place_calls import (
    IN_PLACE,
    Handler,
    InPlaceCall,
    Unable,
    handler_of,
    into_out,
    out_of,
)
from tangentish.infer.known_functions import function_name
from tangentish.infer.unknown_calls import UnknownCalls
from tangentish.infer.written_arguments import overwritten
from tangentish.kinds import NO_BUFFERS, REFUSED, UNKNOWN, Kind, Known, Num, buffers_of, replace
from tangentish.language.changing_names import OF_ARRAYS, OF_CONTAINERS


class IntoArguments(UnknownCalls):
    """The part of the walk that follows calls that write to their arguments."""

    def in_place_call(
        self, handler: Handler, function: Any, args: list[Any], keywords: dict[str, Any], node: Any
    ) -> Kind:
        """A call that writes to one of its arguments is taken apart into stores; they are followed then."""
        assert self.statement is not None
        origin = ir.Origin(node, "")
        call = InPlaceCall(node, function, args, keywords, self.facts, origin, lambda base: base)
        try:
            handler(call)
            self.check_out(handler, function, args, keywords)
        except Unable as reason:
            if self.facts.varies(*args, *keywords.values()):
                self.refuse(f"{function_name(function)}: {reason}", node)
                return REFUSED
            self.note_change(node, args)
            if handler is not into_out and args and self.is_not_understood(args[0]):
                self.writes_into(args[0], node)
            self.note_arrays_outside(map(self.kind, args[:1]))
            self.note_overwritten(function, args, keywords, node)
            return self.unknown_call(function, (*args, *keywords.values()), node)
        self.facts.lowered[node] = handler
        self.facts.effects.add(self.statement)
        name = function_name(function)
        self.facts.late.append(
            Refusal(f"{name} writes to an array: call it on a line of its own", node)
        )
        if handler is into_out:
            return self.kind(out_of(function, args, keywords)[0])
        return Known(None)

    def check_out(
        self, handler: Handler, function: Any, args: list[Any], keywords: dict[str, Any]
    ) -> None:
        """The type of out= decides how a reduction adds up, and no store turns floats into integers."""
        if handler is not into_out:
            return
        out, rest = out_of(function, args, keywords)
        plain = {n: v for n, v in keywords.items() if n not in IN_PLACE}
        kind, result = self.kind(out), self.result_kind(function, rest, plain)
        if function is np.nan_to_num and not (isinstance(kind, Num) and kind.rank):
            raise Unable("it may give a number here, and not its argument: write x[...] = ...")
        types = [k.dtype for k in (kind, result) if isinstance(k, Num) and k.dtype is not None]
        same = len(types) == 2 and types[0] == types[1]
        floats = len(types) == 2 and all(t.kind == "f" for t in types)
        if not same and not (floats and isinstance(function, np.ufunc)):
            raise Unable("out= has another type than the result: write y[...] = ...")

    def note_overwritten(
        self, function: Any, args: list[Any], keywords: dict[str, Any], node: Any
    ) -> None:
        """What a call is told to write to, or that it may, is written to."""
        for value in overwritten(function, args, keywords):
            if self.kind(value).active:
                self.refuse(
                    f"{function_name(function)} writes to what it is given: give it a copy", node
                )
            else:
                self.note_change(node, [value])
                self.writes_into(value, node)

    def in_memory_of_overwritten(
        self, kind: Kind, function: Any, args: list[Any], keywords: dict[str, Any]
    ) -> Kind:
        """What a call gives that may have written its result to what it got."""
        written = [self.kind(value) for value in overwritten(function, args, keywords)]
        memory = NO_BUFFERS.union(*map(buffers_of, written))
        if not memory or kind.active:
            return kind
        return replace(kind, buffers=kind.buffers | memory) if isinstance(kind, Num) else UNKNOWN


def writes_to_what_it_gets(function: Any, call: Any) -> bool:
    """Whether a call of a function that is not the user's writes to its arguments: xs.pop(), np.copyto(w, 3.0)"""
    if isinstance(call.func, gast.Attribute) and call.func.attr in OF_ARRAYS | OF_CONTAINERS:
        return True
    if not callable(function) or isinstance(function, type):
        return False
    keywords = {k.arg: k.value for k in call.keywords if k.arg is not None}
    given = (function, call.args, keywords)
    written = handler_of(*given) is not None or bool(overwritten(*given))
    return written or changes_what_it_gets(function, call.func)
