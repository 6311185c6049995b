"""The laws that a row of a table may state: what the tables call."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import replace

from tangentish.rules.names import lookup
from tangentish.rules.registry import (
    ATTRIBUTES,
    COMPLEX_AT_REST,
    CONSTANT,
    CONSTRUCTORS,
    DRAWS,
    MADE_OF_NUMBERS,
    MAY_BE_COMPLEX,
    METHODS,
    NEVER_TRIED,
    RULES,
    SHAPED_LIKE,
    TRIED,
    WARNING,
    WITHOUT_COLUMNS,
    add,
    key_of,
    key_of_primal,
)
from tangentish.rules.rule import Rule, arguments_of, expression_of

Ranks = tuple[int | None, ...] | Mapping[str, int]
"""Of the operands in order, or by name."""


def elementwise(primal: str, numbers: str = "real", **texts: str) -> None:
    """A row for a function of the elements of its broadcast operands."""
    add(replace(_row("elementwise", primal, texts), numbers=numbers))


def reduction(
    primal: str,
    ranks: Ranks | None = None,
    linear: bool = False,
    numbers: str = "real",
    **texts: str,
) -> None:
    """A row for a function that reduces `axis`."""
    add(replace(_row("reduction", primal, texts, ranks), linear=linear, numbers=numbers))


def structural(
    primal: str,
    ranks: Ranks | None = None,
    thin: bool = False,
    numbers: str = "real",
    **texts: str,
) -> None:
    """A row whose adjoint gives the operand's own shape."""
    add(replace(_row("structural", primal, texts, ranks), thin=thin, numbers=numbers))


def multilinear(
    primal: str,
    ranks: Ranks | None = None,
    thin: bool = False,
    numbers: str = "real",
    **texts: str,
) -> None:
    """A structural row for a function that is linear in each of its operands."""
    row = _row("structural", primal, texts, ranks)
    add(replace(row, thin=thin, linear=True, numbers=numbers))


def sequence(primal: str, linear: bool = True, **texts: str) -> None:
    """A row for a function of a list of arrays, linear in all of them together."""
    add(replace(_row("sequence", primal, texts), linear=linear))


def tuple_valued(
    primal: str,
    ranks: Ranks | None = None,
    linear: bool = False,
    numbers: str = "real",
    results: int | None = None,
    **texts: str,
) -> None:
    """A row for a function that gives a tuple."""
    row = _row("tuple", primal, texts, ranks)
    add(replace(row, linear=linear, numbers=numbers, results=results))


def _row(law: str, primal: str, texts: Mapping[str, str], ranks: Ranks | None = None) -> Rule:
    """`x="..."` is the adjoint of x, `x_dot="..."` what its tangent adds to that of the result."""
    adjoints = {name: text for name, text in texts.items() if not name.endswith("_dot")}
    tangents = {
        name.removesuffix("_dot"): text for name, text in texts.items() if name.endswith("_dot")
    }
    rule = Rule(law, primal, adjoints, tangents=tangents)
    if ranks is None or isinstance(ranks, Mapping):
        return replace(rule, ranks=ranks or {})
    pairs = zip(rule.operands, ranks, strict=True)
    return replace(rule, ranks={name: rank for name, rank in pairs if rank is not None})


def alias(name: str, of: str) -> None:
    """`name` ("np.multiply") has the rows of `of`, which is a function or an operator ("Mult")."""
    key = lookup(name)
    if key in RULES:
        return
    for rule in RULES[key_of(of)]:
        call = ast.Call(expression_of(name), *arguments_of(expression_of(rule.primal)))
        add(replace(rule, primal=ast.unparse(call)))


def with_dtype(*names: str) -> None:
    """The rows of these functions once more, for calls that name the dtype of the result."""
    for name in names:
        for rule in tuple(RULES[lookup(name)]):
            if "dtype" not in rule.names:
                add(rule.with_dtype)


def reduces(way: str, of: str) -> None:
    """`np.add.reduce`, which is along the first axis unless told, has the rows of `np.sum`."""
    for rule in RULES[lookup(of)]:
        primal = rule.primal.replace(f"{of}(", f"{way}(").replace("axis=None", "axis=0")
        add(replace(rule, primal=primal))


def mirror(name: str, of: str | None = None, has_poles: bool = False) -> None:
    """`math.name` has the rows of `np.of` with `math` for `np`: Python floats stay Python floats.

    has_poles: its slope is infinite where it is defined; NumPy divides by zero, which Python does not.
    """
    for rule in RULES[lookup(f"np.{of or name}")]:
        primal = rule.primal.replace(f"np.{of or name}(", f"math.{name}(")
        adjoints = {
            operand: text if has_poles else text.replace("np.", "math.")
            for operand, text in rule.adjoints.items()
        }
        add(replace(rule, primal=primal, adjoints=adjoints))


def holds_for_complex(*names: str) -> None:
    """The rows of these functions, or the rows of just these primals, hold for complex numbers as they stand."""
    for name in names:
        is_primal = "(" in name or " " in name
        rows = RULES[key_of_primal(expression_of(name)) if is_primal else key_of(name)]
        found = [k for k, rule in enumerate(rows) if not is_primal or rule.primal == name]
        assert found, f"no row for {name}"
        for k in found:
            rows[k] = replace(rows[k], numbers="any")


def method(function: str, *names: str) -> None:
    """`x.name(...)` is `function(x, ...)`."""
    for name in names:
        METHODS[name] = lookup(function)


def attribute(function: str, *names: str) -> None:
    """`x.name` is `function(x)`."""
    for name in names:
        METHODS[name] = lookup(function)
        ATTRIBUTES[name] = True


def constant_attribute(*names: str) -> None:
    """`x.name` carries no derivative."""
    ATTRIBUTES.update(dict.fromkeys(names, False))


def constant(*names: str, tried: bool = False) -> None:
    """No derivative flows through these functions.

    tried: a call on stand-ins tells what they give.
    """
    functions = list(map(lookup, names))
    CONSTANT.update(functions)
    TRIED.update(functions if tried else ())


def constructor(*names: str) -> None:
    """The values of these functions carry no derivative."""
    CONSTRUCTORS.update(map(lookup, names))


def made_of_numbers(*names: str, like: Callable[..., object] | None = None) -> None:
    """What these functions make carries no derivative, and where an argument varies no rule says how it moves.

    like: what has the same shapes and costs less, or takes any arguments.
    """
    constructor(*names)
    MADE_OF_NUMBERS.update({f: like or f for f in map(lookup, names)})  # type: ignore[misc]


def warning(*names: str) -> None:
    """On a line of its own such a function only warns of a tangent."""
    WARNING.update(map(lookup, names))


def never_tried(*names: str) -> None:
    """These functions crash where their arguments do not fit together."""
    NEVER_TRIED.update(map(lookup, names))


def may_be_complex(*names: str) -> None:
    """What these functions give of real numbers counts as complex, which it may be."""
    MAY_BE_COMPLEX.update(map(lookup, names))


def complex_at_rest(*names: str) -> None:
    """What these functions give of real numbers without a derivative may be complex: it is asked where it is used."""
    COMPLEX_AT_REST.update(map(lookup, names))


def shaped_like(argument: int, *names: str, columns: bool = True) -> None:
    """What these functions give is an array like that argument; they raise where the numbers do not suit them.

    columns: a matrix of one column stays one; else it becomes a vector.
    """
    functions = list(map(lookup, names))
    SHAPED_LIKE.update(dict.fromkeys(functions, argument))
    WITHOUT_COLUMNS.update([] if columns else functions)


def draw(*names: str) -> None:
    """These functions draw from the global random state."""
    DRAWS.update(map(lookup, names))
