"""An adjoint of the user's own, the other way round: the tangent that it stands for.

    def sigmoid_adjoint(dy, y, x):            def sigmoid_tangent(dy, y, x, x_dot):
        return dy * y * (1 - y)         ->        return x_dot * y * (1 - y)

The adjoint is linear in dy, so that its pullback with respect to dy is the transposed map, at whatever
dy (Radul et al., "You only linearize once", POPL 2023, the other way round).
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from types import FunctionType

from tangentish import ir
from tangentish.adjoint.parts import Wanted
from tangentish.adjoint.structures import structured
from tangentish.algebra.tangents import tangent_of
from tangentish.analysis.reached import Program
from tangentish.generation.both_ways import build_parts
from tangentish.generation.generate import Generator, last_parameters
from tangentish.generation.writer import Writer
from tangentish.ir.origins import NOWHERE
from tangentish.kinds import Kind, Num, Seq, Tup, inactive
from tangentish.kinds.seen_outside import canonical, kind_key
from tangentish.language.binding import parameter_names, starred_names
from tangentish.language.webs import renamed_in
from tangentish.recording.entry_copies import copies_on_entry
from tangentish.rules.own import OwnRule
from tangentish.tangent.tangents_own import TurnedRule, Unable


@dataclass
class TurningRound:
    """Generates the tangents of rules, once for each set of kinds."""

    program: Program
    writer: Writer
    texts: list[str]
    made: dict[Hashable, TurnedRule] = field(default_factory=dict)

    def named(self, rule: OwnRule, kinds: tuple[Kind, ...], moving: tuple[bool, ...]) -> TurnedRule:
        """The tangent's function: it takes dy, what the adjoint takes, and the arguments' tangents.

        moving: which of the arguments move; the rule must have a gradient for these.
        """
        dy, *others = kinds
        inner, _ = canonical((dy, *map(inactive, others)))
        key = (rule.adjoint_name, tuple(map(kind_key, inner)), moving)
        if key not in self.made:
            self.made[key] = self.generate(rule, inner, moving)
        return self.made[key]

    def generate(
        self, rule: OwnRule, kinds: tuple[Kind, ...], moving: tuple[bool, ...]
    ) -> TurnedRule:
        function = rule.adjoint_function
        assert isinstance(function, FunctionType)
        arguments = kinds[len(kinds) - len(moving) :]
        names, given = parameter_names(function), _by_parameter(function, kinds)
        structure = structured(function, names, given)
        analysis = (
            self.program.analyse(function, given)
            if structure is None
            else self.program.analyse(structure.lifted, structure.kinds)
        )
        _check(analysis.facts.result, arguments, moving, rule)
        generator = Generator(self.program, writer=self.writer)
        (name,) = self.writer.free(f"{rule.title}_tangent")
        wrt = (0,) if structure is None else structure.positions((0,))
        wanted = Wanted(wrt, defaults=False, structure=structure, parameters=(0,))
        parts = build_parts(analysis, wanted, generator.pair)
        gradient = ir.Return(tuple(parts.gradients), False, NOWHERE)
        listed = isinstance(analysis.facts.result, Seq)
        titles = (rule.title,) if listed else _titles(rule, len(moving))
        dots = {
            head: tangent_of(f"{title}.0")
            for (head, _), title in zip(parts.heads, titles, strict=True)
        }
        adjoint = renamed_in((*parts.adjoint, gradient), dots)
        copies = copies_on_entry(analysis) if structure is None else ()
        body = (*copies, *parts.forward, ir.Comment(""), *adjoint)
        heads = [(dots[head], default) for head, default in parts.heads]
        text, call = self.writer.function(name, analysis, body, heads)
        self.writer.cells[name].cell_contents = call
        self.texts += [text, *generator.texts]
        starred = starred_names(function)  # the tangents stand after `*args`
        keywords = last_parameters(call, len(heads)) if starred else ()
        return TurnedRule(name, keywords, listed)


def _by_parameter(function: FunctionType, kinds: tuple[Kind, ...]) -> tuple[Kind, ...]:
    """The kinds of the parameters: the last ones are in the tuple that `*args` is."""
    count = function.__code__.co_argcount
    starred = starred_names(function)
    return (*kinds[:count], Tup(kinds[count:])) if starred else kinds


def _titles(rule: OwnRule, count: int) -> tuple[str, ...]:
    """What the arguments are called."""
    more = (f"{rule.title}_{k}" for k in range(len(rule.names), count))
    return (*rule.names[:count], *more)


def _check(
    result: Kind | None, arguments: tuple[Kind, ...], moving: tuple[bool, ...], rule: OwnRule
) -> None:
    """What a rule gives must be what is looked for where it runs, or the tangent would be another map."""
    if isinstance(result, Seq):
        found = (result.item,) * len(arguments)
    else:
        found = result.items if isinstance(result, Tup) else (result,)
    if len(found) != len(arguments):
        raise Unable(f"it gives {len(found)} gradients for {len(arguments)} arguments")
    for name, gradient, argument, moves in zip(
        _titles(rule, len(arguments)), found, arguments, moving, strict=True
    ):
        if isinstance(result, Seq) and not (isinstance(argument, Num) and argument.is_float):
            raise Unable(f"{name} is no float, and has no gradient in a list of them")
        if not (moves and isinstance(argument, Num)):
            continue
        if not isinstance(gradient, Num):
            raise Unable(f"it gives no gradient for {name}, which moves")
        if not may_fit(gradient, argument):
            raise Unable(f"its gradient for {name} has another shape than {name}")


def may_fit(gradient: Num, argument: Num) -> bool:
    """Whether a gradient may have the shape of its argument."""
    if gradient.array is None or argument.array is None:
        return True
    have = () if gradient.is_scalar else gradient.shape
    want = () if argument.is_scalar else argument.shape
    if have is None or want is None:
        return True
    return len(have) == len(want) and not any(
        isinstance(a, int) and isinstance(b, int) and a != b for a, b in zip(have, want)
    )
