"""The packages import one way: each only from those above it in the table of docs/design/layout.md."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "tangentish"
TOP = {
    "tangentish",
    "tests",
    "examples",
    "docs",
    "pyproject.toml",
    "README.md",
    "LICENSE",
    "CHANGELOG.md",
}
ROWS = [
    re.findall(r"`([\w.]+)/?`", line.split("|")[1])
    for line in (ROOT / "docs/design/layout.md").read_text().splitlines()
    if line.startswith("| `")
]
LEVELS = {name.removesuffix(".py"): level for level, row in enumerate(ROWS) for name in row}


def imports(tree: ast.AST) -> Iterator[str]:
    """What a module imports of the package itself, as "kinds" or "api"; imports for type checkers aside."""
    for node in ast.iter_child_nodes(tree):
        match node:
            case ast.If(test=ast.Name(id="TYPE_CHECKING")):
                continue
            case ast.Import(names=names):
                found = [n.name for n in names]
            case ast.ImportFrom(module="tangentish", names=names):
                found = [f"tangentish.{n.name}" for n in names]
            case ast.ImportFrom(module=str(module), level=0):
                found = [module]
            case ast.ImportFrom(level=level):
                assert not level, f"relative import: {ast.unparse(node)}"
                continue
            case _:
                yield from imports(node)
                continue
        yield from (name.split(".")[1] for name in found if name.startswith("tangentish."))


def test_nothing_else_stands_at_the_top() -> None:
    """What a run leaves behind, and what is tried out, is not part of the project."""
    git = shutil.which("git")
    if git is None or not (ROOT / ".git").exists():
        pytest.skip("no checkout")
    listed = subprocess.run([git, "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True)
    top = {name.partition("/")[0] for name in listed.stdout.splitlines()}
    assert {name for name in top if not name.startswith(".")} == TOP


def test_the_table_names_every_place() -> None:
    places = {p.stem for p in PACKAGE.glob("*.py")}
    places |= {p.name for p in PACKAGE.iterdir() if (p / "__init__.py").exists()}
    assert places == set(LEVELS)


@pytest.mark.parametrize("package", ["infer", "analysis", "language"])
def test_the_map_names_every_file(package: str) -> None:
    """docs/where_changes_go.md: a new file gets its name in the row of its idea."""
    page = (ROOT / "docs/where_changes_go.md").read_text()
    (part,) = (p for p in page.split("\n## The files of ") if f"\n\n`{package}/` " in p)
    rows = [line.split("|")[2] for line in part.splitlines() if line.startswith("| ")]
    named = re.findall(r"`(\w+)`", "".join(rows))
    files = [path.stem for path in (PACKAGE / package).glob("*.py") if path.stem != "__init__"]
    assert sorted(named) == sorted(files)


@pytest.mark.parametrize("path", sorted(PACKAGE.rglob("*.py")), ids=lambda p: str(p.name))
def test_imports_go_one_way(path: Path) -> None:
    own = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
    above = {name for name, level in LEVELS.items() if level <= LEVELS[own]}
    found = set(imports(ast.parse(path.read_text(encoding="utf-8"))))
    assert found & set(LEVELS) <= above
    assert found - set(LEVELS) <= {"__version__"}


@pytest.mark.parametrize("path", sorted(PACKAGE.rglob("*.py")), ids=lambda p: str(p.name))
def test_files_hold_one_idea(path: Path) -> None:
    """What grows longer than this holds more than one, and is taken apart."""
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 500


TREES = {
    path: ast.parse(path.read_text(encoding="utf-8")) for path in sorted(PACKAGE.rglob("*.py"))
}


def defined(tree: ast.Module) -> Iterator[tuple[str, ast.stmt]]:
    """What a file defines; a decorator may register what nobody calls by its name."""
    for node in tree.body:
        match node:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name) if not node.decorator_list:
                yield name, node
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
                yield name, node


def read_in(node: ast.AST) -> Counter[str]:
    names = (n for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load))
    return Counter(n.id for n in names)


def words_elsewhere() -> tuple[set[tuple[str | None, str]], Counter[str]]:
    """What files import from which, and the words of attributes and of texts, those that describe aside."""
    imported, words = set[tuple[str | None, str]](), Counter[str]()
    for tree in TREES.values():
        for node in ast.walk(tree):
            match node:
                case ast.ImportFrom(module=module, names=names):
                    imported |= {(module, n.name) for n in names}
                case ast.Attribute(attr=name):
                    words[name] += 1
                case ast.Expr(value=ast.Constant(value=str(text))):
                    words.subtract(re.findall(r"\w+", text))
                case ast.Constant(value=str(text)):
                    words.update(re.findall(r"\w+", text))
    return imported, words


def test_what_is_defined_is_used() -> None:
    """By its own file or by another, or by texts that are written into functions."""
    imported, words = words_elsewhere()
    unused = []
    for path, tree in TREES.items():
        module = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        nodes, read = dict(defined(tree)), read_in(tree)
        for name, node in nodes.items():
            offered = "__all__" in nodes and name in ast.unparse(nodes["__all__"])
            if not (
                name.startswith("__")
                or read[name] > read_in(node)[name]
                or (module, name) in imported
                or words[name] > offered
            ):
                unused.append(f"{module}.{name}")
    assert not unused
