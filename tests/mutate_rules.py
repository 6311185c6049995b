"""How sharp the tests of the rules are: rules with one error each, and the share of them that is found.

python -m tests.mutate_rules            all rows
python -m tests.mutate_rules np.linalg  the rows whose primal has this in it
"""

from __future__ import annotations

import ast
import sys
import warnings
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import test_rules_numeric as tests

from tangentish.rules import Rule


class _Swap(ast.NodeTransformer):
    def __init__(self, a: str, b: str) -> None:
        self.names = {a: b, b: a}

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.Name(self.names.get(node.id, node.id))


class _Drop(ast.NodeTransformer):
    """`unbroadcast(e, x)` -> `e`"""

    def __init__(self, name: str) -> None:
        self.name = name

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        is_it = isinstance(node.func, ast.Name) and node.func.id == self.name
        return node.args[0] if is_it else node


def _one_changed(text: str) -> Iterator[str]:
    """The text with one sign within it turned, one number by one more, or one argument less."""
    for k, _ in enumerate(ast.walk(ast.parse(text, mode="eval"))):
        tree = ast.parse(text, mode="eval")
        node = list(ast.walk(tree))[k]
        match node:
            case ast.BinOp(op=ast.Add()):
                node.op = ast.Sub()
            case ast.BinOp(op=ast.Sub()):
                node.op = ast.Add()
            case ast.Constant(value=int() | float() as value) if type(value) is not bool:
                node.value = value + 1
            case ast.Call(args=[_, _, *_], keywords=[]):
                node.args.pop()
            case ast.Call(keywords=[_, *_]):
                node.keywords.pop()
            case _:
                continue
        yield ast.unparse(tree)


def _changed(text: str, operands: tuple[str, ...]) -> list[str]:
    """The text with another sign, a factor, two operands swapped, a helper left out, or one thing changed in it."""
    tree = ast.parse(text, mode="eval").body
    new = [f"-({text})", f"2 * ({text})"] if not isinstance(tree, ast.Tuple) else []
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    own = [p for p in operands if p in names]
    if len(own) > 1:
        new.append(ast.unparse(_Swap(*own[:2]).visit(ast.parse(text, mode="eval").body)))
    new += [
        ast.unparse(_Drop(name).visit(ast.parse(text, mode="eval").body))
        for name in ("unbroadcast", "along", "spread")
        if name in names
    ]
    return [changed for changed in (*new, *_one_changed(text)) if changed != text]


def mutants(rule: Rule) -> Iterator[tuple[str, Rule]]:
    """The rule with one adjoint or one tangent wrong."""
    for operand, text in rule.adjoints.items():
        if text != "0":
            for changed in _changed(text, rule.operands):
                yield changed, replace(rule, adjoints={**rule.adjoints, operand: changed})
    for operand, text in rule.tangents.items():
        for changed in _changed(text, rule.operands):
            tangents = {**rule.tangents, operand: changed}
            yield f"{operand}_dot: {changed}", replace(rule, tangents=tangents)


def is_found(mutant: Rule) -> bool:
    """Whether a test of the row fails."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # as in the tests
        try:
            tests.test_adjoint_is_the_numeric_derivative(mutant)
            tests.test_tangent_is_the_transpose_of_the_adjoint(mutant)
        except BaseException:
            return True
    return False


def main(part: str = "") -> None:
    found, left = 0, []
    for rule in tests.ROWS_OF_ALL:
        if part in rule.primal:
            for text, mutant in mutants(rule):
                tests.id_of[id(mutant)] = 0
                if is_found(mutant):
                    found += 1
                else:
                    left.append(f"{rule.primal}:  {text}")
    total = found + len(left)
    print(*left, sep="\n")
    print(f"{found} of {total} found, {100 * found / max(total, 1):.1f} %")


if __name__ == "__main__":
    main(*sys.argv[1:])
