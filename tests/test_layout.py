"""The packages import one way: each only from those above it in the table of docs/design/layout.md."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "tangentish"
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


def test_the_table_names_every_place() -> None:
    places = {p.stem for p in PACKAGE.glob("*.py")}
    places |= {p.name for p in PACKAGE.iterdir() if (p / "__init__.py").exists()}
    assert places == set(LEVELS)


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
