"""The functions that an exported module is for: they look at the arguments, and call what is generated."""

from __future__ import annotations

import ast
import inspect
import linecache
import re
import textwrap
from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from typing import Any

from tangentish.asking.asked import Mode
from tangentish.derive import Derived
from tangentish.export import guards
from tangentish.export.definitions import PUBLIC
from tangentish.export.edits import signature
from tangentish.export.finding import (
    WAY_OUT,
    Finding,
    Unexportable,
    constant_name,
    default_text,
    is_constant,
)
from tangentish.export.hints import gradient_hint, hint
from tangentish.kinds import UNKNOWN, Kind, Num, Tup
from tangentish.text.names import unlike

LONG = 60  # characters of a hint that gets a name

TITLES: dict[Mode, str] = {"grad": "The gradient", "value_and_grad": "The value and the gradient"}


@dataclass
class Public:
    """A gradient of a function, with or without the value.

    stem: what the function is called.
    kinds: of the arguments, by name; specs: what the guards compare them with.
    wrt: the names of some of them, or of local variables; single: one gradient, not a tuple of one.
    has_aux: `function` returns (output, aux), and only the output has a gradient.
    """

    stem: str
    derived: Derived
    mode: Mode
    kinds: dict[str, Kind]
    specs: dict[str, Any]
    wrt: tuple[str, ...]
    single: bool
    has_aux: bool = False

    @property
    def output(self) -> Kind:
        """The kind of what has the gradient."""
        result = self.derived.result or UNKNOWN
        return result.items[0] if self.has_aux and isinstance(result, Tup) else result

    @property
    def name(self) -> str:
        return f"{self.stem}_{self.mode}"

    @property
    def generated(self) -> Any:
        """The generated function that takes the arguments."""
        return self.derived.generated

    @property
    def head(self) -> inspect.Parameter:
        """The parameter that brings the head gradient."""
        parameters = inspect.signature(self.generated).parameters.values()
        return next(p for p in parameters if p.name not in self.kinds)

    def define(self, finding: Finding, common: dict[str, Hashable | None]) -> Hashable:
        """Add the function, with all that it needs, to what is found."""
        links: dict[str, Hashable | None] = {
            **common,
            "generated": finding.function(self.generated, f"_{self.name}"),
            **{name: finding.own(guards.__name__, name) for name in guards.__all__},
        }
        return self.linked(finding, links, {*self.kinds, self.head.name})

    def linked(
        self, finding: Finding, links: dict[str, Hashable | None], taken: set[str]
    ) -> Hashable:
        """The function, whose text finds these names outside, and its defaults."""
        names = {name: unlike(name, taken) for name in links}
        bound = {names[name]: key for name, key in links.items()}
        for parameter, (name, key) in self.default_constants(finding).items():
            names[f"{parameter}="] = unlike(name, taken | bound.keys())
            bound[names[f"{parameter}="]] = key
        return finding.text(self.name, self.text(names), bound, PUBLIC)

    # -- its text

    def text(self, names: dict[str, str]) -> str:
        """The definition; what it needs goes by the names given."""
        result = self.hinted(self.result_hint(), names)
        lines = [
            *self.docstring(),
            call_text(names["check_kinds"], [f'"{self.name}"', names["KINDS"], *self.kinds]),
            *self.look_at_memory(names),
            *_called(f"result: {result} = {names['generated']}", self.passed_on(names)),
            *self.look_at_value(names),
            "return result",
        ]
        body = textwrap.indent("\n".join(lines), "    ")
        return f"{self.signature(result, names)}\n{body}\n"

    def signature(self, result: str, names: dict[str, str]) -> str:
        def hint_of(name: str) -> str:
            if name not in self.kinds:
                return self.hinted(self.head_hint(), names)
            found = hint(self.kinds[name])
            if name in _starred(self.arguments) or len(found) > LONG:
                return names["Any"]
            return self.hinted(found, names)

        parameters = inspect.signature(self.generated).parameters

        def default_of(name: str) -> str | None:
            value = parameters[name].default
            if value is inspect.Parameter.empty:
                return None
            return names.get(f"{name}=", self.default(name, value))

        return signature(self.name, self.arguments, hint_of, result, default_of)

    def default(self, name: str, value: object) -> str:
        text = default_text(value)
        if text is None:
            raise Unexportable(
                f"the default of the parameter {name!r} of {self.stem}() can't be written out: {WAY_OUT}"
            )
        return text

    def default_constants(self, finding: Finding) -> dict[str, tuple[str, Hashable]]:
        """The defaults that are constants of the module: parameter -> name and key."""
        parameters = inspect.signature(self.generated).parameters.values()
        given = [p for p in parameters if p.default is not inspect.Parameter.empty]
        texts = {p.name: self.default(p.name, p.default) for p in given}
        names = {name: constant_name(name) for name, text in texts.items() if is_constant(text)}
        return {p: (name, finding.constant(name, texts[p])) for p, name in names.items()}

    @property
    def arguments(self) -> ast.arguments:
        """The parameters of the generated function."""
        code = self.generated.__code__
        node = ast.parse("".join(linecache.getlines(code.co_filename))).body[0]
        assert isinstance(node, ast.FunctionDef)
        return node.args

    def passed_on(self, names: dict[str, str]) -> list[str]:
        """The arguments with which the generated function is called."""
        arguments = self.arguments
        passed = [a.arg for a in (*arguments.posonlyargs, *arguments.args)]
        passed += [f"*{arguments.vararg.arg}"] if arguments.vararg else []
        passed += [f"{a.arg}={a.arg}" for a in arguments.kwonlyargs]
        passed += [f"**{arguments.kwarg.arg}"] if arguments.kwarg else []
        if not self.has_scalar_head:
            return passed
        head = self.head.name
        looked_at = f"{names['scalar_head']}({head})"
        return [
            {head: looked_at, f"{head}={head}": f"{head}={looked_at}"}.get(p, p) for p in passed
        ]

    @property
    def has_scalar_head(self) -> bool:
        return self.head.default is not None

    def docstring(self) -> Iterator[str]:
        several = " and ".join(filter(None, [", ".join(self.wrt[:-1]), self.wrt[-1]]))
        yield f'"""{TITLES[self.mode]} of {self.stem} with respect to {several}.'
        yield ""
        yield from self.kinds_in_words()
        yield f"{self.head.name}: the gradient with respect to the result; " + (
            "1.0 by default" if self.has_scalar_head else "ones by default"
        )
        if self.has_aux:
            yield (
                f"{self.stem} returns (output, aux); what is returned here: "
                + {
                    "grad": "(gradient, aux)",
                    "value_and_grad": "((output, aux), gradient)",
                }[self.mode]
            )
        yield ""
        yield "TypeError for arguments of other kinds. The arguments are not changed."
        yield '"""'

    def kinds_in_words(self) -> Iterator[str]:
        for name, spec in self.specs.items():
            yield from textwrap.wrap(
                f"{name}: {guards.shown(spec)}",
                92,
                subsequent_indent="    ",
                break_long_words=False,
            )

    def look_at_memory(self, names: dict[str, str]) -> Iterator[str]:
        if self.derived.shared and self.derived.writes:
            values = ", ".join(f'"{name}": {name}' for name in self.kinds)
            written = [f'"{list(self.kinds)[k]}"' for k in self.derived.writes]
            items = f"({', '.join(written)}{',' * (len(written) == 1)})"
            yield call_text(names["refuse_shared"], [f'"{self.stem}"', f"{{{values}}}", items])

    def look_at_value(self, names: dict[str, str]) -> Iterator[str]:
        sure = isinstance(self.output, Num) and self.output.dtype is not None
        if self.mode == "value_and_grad" and not sure:
            value = "result[0][0]" if self.has_aux else "result[0]"
            yield call_text(names["check_value"], [f'"{self.stem}"', value])

    # -- hints

    def result_hint(self) -> str:
        gradient = self.gradient_hint()
        gradient = gradient if len(gradient) < LONG else "Gradient"
        if self.mode == "grad":
            return f"tuple[{gradient}, Any]" if self.has_aux else gradient
        value = self.value_hint()
        return f"tuple[{f'tuple[{value}, Any]' if self.has_aux else value}, {gradient}]"

    def gradient_hint(self) -> str:
        gradients = [
            gradient_hint(self.kinds[name]) if name in self.kinds else "Any" for name in self.wrt
        ]
        return gradients[0] if self.single else f"tuple[{', '.join(gradients)}]"

    def value_hint(self) -> str:
        found = hint(self.output)
        return found if len(found) < LONG else "Any"

    def head_hint(self) -> str:
        if self.has_scalar_head:
            return "float"
        given = self.value_hint()
        return given if given == "Any" else f"{given} | None"

    def hinted(self, text: str, names: dict[str, str]) -> str:
        return re.sub(r"\b(np|NDArray|Any|Gradient)\b", lambda found: names[found[0]], text)


def _starred(arguments: ast.arguments) -> set[str]:
    return {a.arg for a in (arguments.vararg, arguments.kwarg) if a is not None}


def call_text(function: str, arguments: list[str]) -> str:
    """A call, one argument a line where it is long."""
    return "\n".join(_called(function, arguments))


def _called(start: str, arguments: list[str]) -> Iterator[str]:
    line = f"{start}({', '.join(arguments)})"
    if len(line) <= 96:
        yield line
    else:
        yield f"{start}("
        inside = ", ".join(arguments)
        yield from (
            [f"    {inside}"]
            if len(inside) <= 92
            else [f"    {argument}," for argument in arguments]
        )
        yield ")"
