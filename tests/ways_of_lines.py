"""Ways of writing a function anew: its lines as others that do the same, its loops over other items."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable

from ways_of_writing import (
    Moved,
    Unfit,
    Way,
    body_of,
    bound,
    expression,
    lines,
    of_comprehensions,
    walk_own,
)

__all__ = ["LINES"]

NewLines = Callable[[ast.stmt, int], list[ast.stmt] | None]


def by_lines(new: NewLines, before: str = "") -> Way:
    """Lines become others, anywhere in a function but not in those inside."""

    def written(function: ast.FunctionDef) -> str:
        count = 0

        def block(body: list[ast.stmt]) -> list[ast.stmt]:
            nonlocal count
            done: list[ast.stmt] = []
            for line in body:
                if isinstance(line, (ast.FunctionDef, ast.ClassDef)):
                    done.append(line)
                    continue
                for part in [line, *getattr(line, "handlers", [])]:
                    for field in ("body", "orelse", "finalbody"):
                        if inner := getattr(part, field, None):
                            setattr(part, field, block(inner))
                found = new(line, count)
                count += found is not None
                done += [line] if found is None else found
            return done

        function.body = block(body_of(function))
        if not count:
            raise Unfit
        return before

    return written


def in_both(function: ast.FunctionDef) -> str:
    """Each line on both ways of a branch."""
    function.body = [
        line if isinstance(line, (ast.FunctionDef, ast.ClassDef, ast.Return, ast.Import, ast.ImportFrom))
        else ast.If(expression("FLAGS[0]"), [line], [copy.deepcopy(line)])
        for line in body_of(function)
    ]  # fmt: skip
    return "FLAGS = np.array([True])\n"


def updated(line: ast.stmt, k: int) -> list[ast.stmt] | None:
    """`x += e` for `x = x + e`."""
    match line:
        case ast.Assign(
            targets=[ast.Name(id=name)], value=ast.BinOp(left=ast.Name(id=left), op=op, right=right)
        ) if name == left:
            return [ast.AugAssign(ast.Name(name, ast.Store()), op, right)]
    return None


def assigned_anew(line: ast.stmt, k: int) -> list[ast.stmt] | None:
    """`x = x + e` for `x += e`."""
    match line:
        case ast.AugAssign(
            target=ast.Name() | ast.Subscript() | ast.Attribute() as target, op=op, value=value
        ):
            old = copy.deepcopy(target)
            old.ctx = ast.Load()
            return [ast.Assign([target], ast.BinOp(old, op, value))]
    return None


def by_second_name(line: ast.stmt, k: int) -> list[ast.stmt] | None:
    """`t = x; t += e; x = t` for `x += e`, `t = x; t[i] = e` for `x[i] = e`."""
    match line:
        case ast.AugAssign(target=ast.Name(id=name)):
            line.target = ast.Name(f"t_{k}", ast.Store())  # type: ignore[attr-defined]
            return [*lines(f"t_{k} = {name}"), line, *lines(f"{name} = t_{k}")]
        case (
            ast.Assign(targets=[ast.Subscript(value=ast.Name(id=name)) as target])
            | ast.AugAssign(target=ast.Subscript(value=ast.Name(id=name)) as target)
        ):
            target.value = ast.Name(f"t_{k}", ast.Load())
            return [*lines(f"t_{k} = {name}"), line]
    return None


def by_view(line: ast.stmt, k: int) -> list[ast.stmt] | None:
    """`v = x[i]; v[...] = e` for `x[i] = e`."""
    match line:
        case ast.Assign(targets=[ast.Subscript(value=value, slice=index)], value=new):
            view = ast.Subscript(value, index, ast.Load())
            first = ast.Assign([ast.Name(f"v_{k}", ast.Store())], view)
            second = lines(f"v_{k}[...] = 0")[0]
            second.value = new  # type: ignore[attr-defined]
            return [first, second]
        case ast.AugAssign(target=ast.Subscript(value=value, slice=index), op=op, value=new):
            view = ast.Subscript(value, index, ast.Load())
            first = ast.Assign([ast.Name(f"v_{k}", ast.Store())], view)
            return [first, ast.AugAssign(ast.Name(f"v_{k}", ast.Store()), op, new)]
    return None


def by_index_name(line: ast.stmt, k: int) -> list[ast.stmt] | None:
    """`k = i; x[k] = e` for `x[i] = e`."""
    match line:
        case (
            ast.Assign(targets=[ast.Subscript(slice=index) as target])
            | ast.AugAssign(target=ast.Subscript(slice=index) as target)
        ):
            target.slice = ast.Name(f"at_{k}", ast.Load())
            return [ast.Assign([ast.Name(f"at_{k}", ast.Store())], sliced(index)), line]
    return None


def sliced(index: ast.expr) -> ast.expr:
    match index:
        case ast.Slice(lower=a, upper=b, step=c):
            none = ast.Constant(None)
            return ast.Call(ast.Name("slice", ast.Load()), [a or none, b or none, c or none], [])
        case ast.Tuple(elts=parts):
            return ast.Tuple([sliced(p) for p in parts], ast.Load())
    return index


def also_named(line: ast.stmt, k: int) -> list[ast.stmt] | None:
    """`x = also = e` for `x = e`, and what is read next is the other one."""
    match line:
        case ast.Assign(targets=[ast.Name(id=name)]):
            line.targets = [ast.Name(f"also_{k}", ast.Store()), ast.Name(name, ast.Store())]
            return [line, *lines(f"{name} = also_{k}")]
    return None


def annotated(line: ast.stmt, k: int) -> list[ast.stmt] | None:
    match line:
        case ast.Assign(targets=[ast.Name() as target], value=value):
            return [ast.AnnAssign(target, expression("'object'"), value, 1)]
    return None


def tested(line: ast.stmt, k: int) -> list[ast.stmt] | None:
    """`if (x := e) is not None: pass`."""
    match line:
        case ast.Assign(targets=[ast.Name() as target], value=value):
            test = ast.Compare(ast.NamedExpr(target, value), [ast.IsNot()], [ast.Constant(None)])
            return [ast.If(test, [ast.Pass()], [])]
    return None


def by_branch(line: ast.stmt, k: int) -> list[ast.stmt] | None:
    """`if t: y = a else: y = b` for `y = a if t else b`."""
    match line:
        case ast.Assign(targets=targets, value=ast.IfExp(test=test, body=a, orelse=b)):
            return [ast.If(test, [ast.Assign(targets, a)], [ast.Assign(copy.deepcopy(targets), b)])]
        case ast.Return(value=ast.IfExp(test=test, body=a, orelse=b)):
            return [ast.If(test, [ast.Return(a)], []), ast.Return(b)]
    return None


def by_choice(line: ast.stmt, k: int) -> list[ast.stmt] | None:
    """`y = a if t else y` for `if t: y = a`."""
    match line:
        case ast.If(
            test=test,
            body=[ast.Assign(targets=[ast.Name(id=n)], value=a)],
            orelse=[ast.Assign(targets=[ast.Name(id=m)], value=b)],
        ) if n == m:
            return [ast.Assign([ast.Name(n, ast.Store())], ast.IfExp(test, a, b))]
        case ast.If(test=test, body=[ast.Assign(targets=[ast.Name(id=n)], value=a)], orelse=[]):
            return [
                ast.Assign([ast.Name(n, ast.Store())], ast.IfExp(test, a, ast.Name(n, ast.Load())))
            ]
    return None


def by_match(line: ast.stmt, k: int) -> list[ast.stmt] | None:
    match line:
        case ast.If(test=test, body=body, orelse=orelse):
            cases = [ast.match_case(ast.MatchSingleton(True), None, body)]
            cases.append(ast.match_case(ast.MatchAs(), None, orelse or [ast.Pass()]))
            return [ast.Match(ast.Call(ast.Name("bool", ast.Load()), [test], []), cases)]
    return None


def turned_branch(line: ast.stmt, k: int) -> list[ast.stmt] | None:
    """`if not t: b else: a`."""
    match line:
        case ast.If(test=test, body=body, orelse=orelse):
            return [ast.If(ast.UnaryOp(ast.Not(), test), orelse or [ast.Pass()], body)]
    return None


# -- loops


def loop(new: Callable[[ast.For, int], list[ast.stmt] | None]) -> NewLines:
    def written(line: ast.stmt, k: int) -> list[ast.stmt] | None:
        return new(line, k) if isinstance(line, ast.For) and not line.orelse else None

    return written


def over(items: str) -> NewLines:
    """`for i in <of ITEMS>`."""

    def written(line: ast.For, k: int) -> list[ast.stmt]:
        line.iter = expression(
            items.replace("ITEMS", f"({ast.unparse(ast.fix_missing_locations(line.iter))})")
        )
        return [line]

    return loop(written)


def with_target(items: str, target: str) -> NewLines:
    def written(line: ast.For, k: int) -> list[ast.stmt]:
        line.iter = expression(
            items.replace("ITEMS", f"({ast.unparse(ast.fix_missing_locations(line.iter))})")
        )
        shown = ast.unparse(line.target)
        shown = f"({shown})" if isinstance(line.target, ast.Tuple) else shown
        (one,) = lines(f"for {target.replace('TARGET', shown)} in ():\n    pass")
        line.target = one.target  # type: ignore[attr-defined]
        return [line]

    return loop(written)


def by_next(line: ast.For, k: int) -> list[ast.stmt]:
    text = f"it_{k} = iter({ast.unparse(ast.fix_missing_locations(line.iter))})\nwhile True:\n    try:\n        {ast.unparse(line.target)} = next(it_{k})\n    except StopIteration:\n        break"
    first, whole = lines(text)
    assert isinstance(whole, ast.While)
    whole.body += line.body
    return [first, whole]


def by_default_next(line: ast.For, k: int) -> list[ast.stmt]:
    text = f"it_{k} = iter({ast.unparse(ast.fix_missing_locations(line.iter))})\nend_{k} = object()\nwhile (here_{k} := next(it_{k}, end_{k})) is not end_{k}:\n    {ast.unparse(line.target)} = here_{k}"
    first, end, whole = lines(text)
    assert isinstance(whole, ast.While)
    whole.body += line.body
    return [first, end, whole]


def by_recursion(line: ast.For, k: int) -> list[ast.stmt] | None:
    """The trips of a loop over a range are calls of a function inside."""
    if any(
        isinstance(n, (ast.Return, ast.Break, ast.Continue)) for s in line.body for n in walk_own(s)
    ):
        return None
    match line:
        case ast.For(
            target=ast.Name(id=name), iter=ast.Call(func=ast.Name(id="range"), args=[end])
        ):
            pass
        case _:
            return None
    stored = [n for s in line.body for n in bound(s) if n not in of_comprehensions(s)]
    shown = ast.unparse(ast.fix_missing_locations(end))
    declared = f"nonlocal {', '.join(dict.fromkeys(stored))}" if stored else "pass"
    (step,) = lines(
        f"def trip_{k}({name}):\n    {declared}\n    if {name} < {shown}:\n        pass\n        trip_{k}({name} + 1)"
    )
    assert isinstance(step, ast.FunctionDef)
    (_, test) = step.body
    test.body[:1] = line.body  # type: ignore[attr-defined]
    return [step, *lines(f"trip_{k}(0)")]


def counted_down(line: ast.For, k: int) -> list[ast.stmt] | None:
    """`for down in range(n - 1, -1, -1): i = n - 1 - down`."""
    match line:
        case ast.For(
            target=ast.Name(id=name), iter=ast.Call(func=ast.Name(id="range"), args=[end])
        ):
            n = ast.unparse(ast.fix_missing_locations(end))
            first, whole = lines(
                f"n_{k} = {n}\nfor down_{k} in range(n_{k} - 1, -1, -1):\n    {name} = n_{k} - 1 - down_{k}"
            )
            assert isinstance(whole, ast.For)
            whole.body += line.body
            return [first, whole]
    return None


def left_by_break(line: ast.For, k: int) -> list[ast.stmt] | None:
    """`for i in itertools.count(): if i >= n: break`."""
    match line:
        case ast.For(
            target=ast.Name(id=name), iter=ast.Call(func=ast.Name(id="range"), args=[end])
        ):
            n = ast.unparse(ast.fix_missing_locations(end))
            (whole,) = lines(
                f"for {name} in itertools.count():\n    if {name} >= {n}:\n        break"
            )
            assert isinstance(whole, ast.For)
            whole.body += line.body
            return [whole]
    return None


def collected(line: ast.stmt, k: int) -> list[ast.stmt] | None:
    """`for v in it: y.append(e)` for `y = [e for v in it]`."""
    match line:
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.ListComp(elt=e, generators=[one])):
            own = {n: f"{n}_{k}" for n in bound(one.target)}
            rename = Moved(own, lambda n, ctx: ast.Name(own[n], ctx))
            (first, whole) = lines(f"made_{k} = []\nfor v in ():\n    pass")
            assert isinstance(whole, ast.For)
            put = lines(f"made_{k}.append(0)")[0]
            put.value.args = [rename.visit(e)]  # type: ignore[attr-defined]
            whole.target, whole.iter = rename.visit(one.target), one.iter
            whole.body = [put]
            for test in reversed(one.ifs):
                whole.body = [ast.If(rename.visit(test), whole.body, [])]
            return [first, whole, *lines(f"{name} = made_{k}")]
    return None


def comprehended(line: ast.stmt, k: int) -> list[ast.stmt] | None:
    """`y.extend([e for v in it])` for `for v in it: y.append(e)`."""
    match line:
        case ast.For(
            target=target,
            iter=items,
            body=[
                ast.Expr(
                    ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="append"), args=[e])
                )
            ],
            orelse=[],
        ):
            (new,) = lines(f"{name} += []")
            new.value = ast.ListComp(e, [ast.comprehension(target, items, [], 0)])  # type: ignore[attr-defined]
            return [new]
    return None


LINES: dict[str, Way] = {
    "in_both": in_both,
    "updated": by_lines(updated),
    "assigned_anew": by_lines(assigned_anew),
    "by_second_name": by_lines(by_second_name),
    "by_view": by_lines(by_view),
    "by_index_name": by_lines(by_index_name),
    "also_named": by_lines(also_named),
    "annotated": by_lines(annotated),
    "tested": by_lines(tested),
    "by_branch": by_lines(by_branch),
    "by_choice": by_lines(by_choice),
    "by_match": by_lines(by_match),
    "turned_branch": by_lines(turned_branch),
    "listed_items": by_lines(over("list(ITEMS)")),
    "items_of_generator": by_lines(over("(once for once in ITEMS)")),
    "items_of_function": by_lines(
        over("given_out(ITEMS)"),
        "def given_out(items):\n    for item in items:\n        yield item\n",
    ),
    "chained_items": by_lines(over("itertools.chain((), ITEMS)"), "import itertools\n"),
    "turned_items": by_lines(over("reversed(list(reversed(list(ITEMS))))")),
    "numbered": by_lines(with_target("enumerate(ITEMS)", "number, TARGET")),
    "zipped_items": by_lines(
        with_target("zip(ITEMS, itertools.count())", "TARGET, number"), "import itertools\n"
    ),
    "keyed_items": by_lines(with_target("dict(enumerate(ITEMS)).items()", "number, TARGET")),
    "by_next": by_lines(loop(by_next)),
    "by_default_next": by_lines(loop(by_default_next)),
    "by_recursion": by_lines(loop(by_recursion)),
    "counted_down": by_lines(loop(counted_down)),
    "left_by_break": by_lines(loop(left_by_break), "import itertools\n"),
    "collected": by_lines(collected),
    "comprehended": by_lines(comprehended),
}
