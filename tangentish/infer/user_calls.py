"""Calls of the user's own functions, and of functions of which nothing is known."""

from __future__ import annotations

import types
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import gast

from tangentish import ir
from tangentish.errors import NotDifferentiable, Refusal
from tangentish.infer.callee_arguments import bind_arguments, defaults_of, parameter_names
from tangentish.infer.facts import Callee, UserCall
from tangentish.infer.views import path_into_arguments
from tangentish.infer.writes import Writes
from tangentish.kinds import REFUSED, UNKNOWN, Buffer, Kind, Num, Tup, buffers_of, kind_of
from tangentish.rules.names import is_helper

__all__ = ["UserCalls"]


class UserCalls(Writes):
    """The part of the walk that follows calls of functions without rules."""

    def user_call(
        self, function: types.FunctionType, args: list[Any], keywords: dict[str, Any], node: Any
    ) -> Kind:
        arguments = bind_arguments(function, args, keywords)
        if isinstance(arguments, str):
            self.refuse(arguments, node)
            return UNKNOWN
        defaults, names = defaults_of(function), parameter_names(function)
        kinds = tuple(
            self.kind(a) if a is not None else kind_of(defaults[n])
            for a, n in zip(arguments, names, strict=True)
        )
        if any(kind is REFUSED for kind in kinds):
            return REFUSED
        try:
            found, written, pure, paths = self.analyse(function, kinds, node)
        except NotDifferentiable as error:
            self.refuse_callee(function, error, node)
            return REFUSED
        if found is None:  # a recursion that has not come back yet
            self.env.dead = True
            return UNKNOWN
        result = self.callee_result(found, kinds, node)
        self.check_shared(kinds, written, node)
        views = tuple(
            None if path is None else path_into_arguments(path, names, arguments) for path in paths
        )
        user = UserCall(function, arguments, kinds, result, written, pure, views)
        self.facts.callees[node] = Callee(function, tuple(args), keywords, user=user)
        self.callee_writes(user, names, node)
        return result

    def refuse_callee(
        self, function: types.FunctionType, error: NotDifferentiable, node: Any
    ) -> None:
        """The call is refused with the first reason, and the others are listed where they stand."""
        if is_helper(function):
            self.refuse(
                f"{function.__name__} is a derivative that has no derivative itself yet", node
            )
            return
        first, *others = error.refusals or (Refusal(error.msg, None),)
        if function is self.source.function:
            others = [first, *others]
        else:
            place = f"{error.filename}:{error.lineno}"
            message = f"{function.__name__} can't be differentiated: {first.message} ({place})"
            self.refuse(message, node)
        for other in others:
            self.facts.refusals.setdefault(other.node, other)

    def callee_writes(self, user: UserCall, names: Sequence[str], node: Any) -> None:
        for k in user.written:
            if user.arguments[k] is None:
                self.refuse(f"{user.function.__name__} writes to the default of '{names[k]}'", node)
            self.callee_wrote(
                user.arguments[k], user.kinds[k], any(kind.active for kind in user.kinds), node
            )

    def callee_wrote(self, argument: Any, kind: Kind, active: bool, node: Any) -> None:
        if argument is None:
            return
        root = ir.root_of(argument)
        named = isinstance(root, gast.Name) and ir.is_value(root.id)
        if named and not self.passes_copy(argument):
            buffers = buffers_of(kind)
            if buffers:
                self.wrote(root.id, buffers, active and isinstance(kind, Num) and kind.is_float)
        elif kind.active or active:
            self.refuse("this function writes to its argument: give the array a name first", node)

    def check_shared(self, kinds: Sequence[Kind], written: Sequence[int], node: Any) -> None:
        for k in written:
            for other, kind in enumerate(kinds):
                if (
                    other != k
                    and buffers_of(kind) & buffers_of(kinds[k])
                    and any(x.active for x in kinds)
                ):
                    self.refuse(
                        "two arguments share memory and the function writes to one: pass a copy",
                        node,
                    )

    def callee_result(self, kind: Kind, kinds: Sequence[Kind], node: Any) -> Kind:
        """The callee's result, its buffers those of this function."""
        match kind:
            case Num(buffers=buffers):
                out = frozenset[Buffer]().union(
                    *(self.callee_buffer(b, kinds, node) for b in buffers)
                )
                return replace(kind, buffers=out, value=None, part=None)
            case Tup(items=items, is_list=is_list):
                return Tup(tuple(self.callee_result(item, kinds, node) for item in items), is_list)
        return kind

    def callee_buffer(self, buffer: Buffer, kinds: Sequence[Kind], node: Any) -> frozenset[Buffer]:
        match buffer.site:
            case ("argument", int(position), *_):
                return buffers_of(kinds[position])
            case ("outside", *_):
                return frozenset({buffer})
        return self.fresh(node)
