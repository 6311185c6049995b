"""The Python blocks of README.md and docs/ run, and give what is shown below them.

    ```python                           runs, all blocks of a page in one namespace
    ```python output, ```text output    what the block above prints, or the error it raises
    ```python statements f(1.0)         the normal form of f for these arguments; so for each of stages.STAGES
    ```python sketch                    is only read
    ```{eval-rst}                       is Sphinx's

`python tests/test_docs.py` writes what is shown anew, `git diff` then shows what changed.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import linecache
import re
import traceback
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from stages import STAGES

from tangentish.rules import RULES, on_demand
from tangentish.rules.own import DECLARED, OWN

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]

FENCE = re.compile(
    r"^```(\{?[\w-]+\}?)(?: (\w+)(?: ([^\n]*))?)?\n(.*?)^```$", re.MULTILINE | re.DOTALL
)
CODE = re.compile(r"`[^`\n]+`")
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)\s]*)?\)")
FILE = re.compile(r"`((?:\w+/)*\w+\.py|(?:\w+/)+)`")
BLOCK_NAME = re.compile(r"\w+\.md\[\d+\]")
FLOAT = re.compile(r"-?\d+\.\d*(?:e[-+]?\d+)?")


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, what it is for, the rest of its first line, and its text."""

    language: str
    purpose: str | None
    rest: str | None
    text: str
    start: int
    end: int


def blocks_of(page: str) -> list[Block]:
    return [Block(*m.group(1, 2, 3, 4), *m.span(4)) for m in FENCE.finditer(page)]


def shown(page: str, name: str) -> Iterator[tuple[Block, str]]:
    """Every block of a page that shows something, and what it should show."""
    read_tables()
    known = [(table, table.copy()) for table in (RULES, OWN, DECLARED)]
    try:
        yield from shown_by_blocks(page, name)
    finally:  # a page may add rules
        for table, before in known:
            table.clear()
            table.update(before)


def read_tables() -> None:
    """Read the tables of libraries, each of which is read once: no page is the first to use one."""
    for library in on_demand._TABLES:
        importlib.import_module(library)
    on_demand.load_tables()


def shown_by_blocks(page: str, name: str) -> Iterator[tuple[Block, str]]:
    namespace: dict[str, Any] = {"__name__": "example"}
    printed: str | None = None
    blocks = blocks_of(page)
    for k, block in enumerate(blocks):
        match block:
            case Block("python", None):
                may_raise = k + 1 < len(blocks) and blocks[k + 1].purpose == "output"
                printed = run(block.text, f"{name}[{k}]", namespace, may_raise)
            case Block(_, "output"):
                assert printed is not None, f"{name}: output of no block"
                yield block, printed
            case Block("python", purpose, str(call)) if purpose in STAGES:
                name, _, arguments = call.partition("(")
                values = eval(f"({arguments.removesuffix(')')},)", namespace)
                yield block, STAGES[purpose](namespace[name], values)


def run(text: str, filename: str, namespace: dict[str, Any], may_raise: bool) -> str:
    """What a block prints, the last line of a traceback included where it may raise."""
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        try:
            exec(compile(text, filename, "exec", dont_inherit=True), namespace)
        except Exception as error:
            if not may_raise:
                raise
            print("".join(traceback.format_exception_only(error)))
    lines = BLOCK_NAME.sub("example.py", out.getvalue()).rstrip().splitlines()
    return "".join(f"{line.rstrip()}\n" for line in lines)


def close(actual: str, expected: str) -> bool:
    """Equal texts, but for the last digits of numbers."""
    if FLOAT.sub("#", actual) != FLOAT.sub("#", expected):
        return False
    numbers = [[float(one) for one in FLOAT.findall(text)] for text in (actual, expected)]
    return np.allclose(*numbers, rtol=1e-6, atol=1e-12)


# ---- the tests


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_blocks_give_what_is_shown(page: Path) -> None:
    if page.relative_to(ROOT).as_posix() == "docs/compiled.md":
        pytest.importorskip("numba")
    for block, actual in shown(page.read_text(), page.name):
        assert actual, f"{page.name}: a block of output shows nothing, as where nothing is refused"
        if not close(actual, block.text):
            assert actual == block.text, f"{page.name}; python tests/test_docs.py writes it anew"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    text = CODE.sub("", page.read_text())
    links = [link for link in LINK.findall(text) if "://" not in link]
    assert [link for link in links if not (page.parent / link).exists()] == []


NAMED = {path.name for place in ("tangentish", "tests") for path in (ROOT / place).rglob("*.py")}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_files_that_are_named_are_there(page: Path) -> None:
    named = {name for line in page.read_text().splitlines() for name in FILE.findall(line)}
    places = {n for n in named if "/" in n and not n.startswith("shared/")}
    assert [
        n for n in places if not any((b / n).exists() for b in (ROOT, ROOT / "tangentish"))
    ] == []
    assert sorted(named - places - NAMED) == []


def test_the_index_or_the_gallery_names_every_page() -> None:
    named = "".join((ROOT / "docs" / page).read_text() for page in ("index.md", "gallery.md"))
    pages = [str(page.relative_to(ROOT / "docs")) for page in PAGES[1:] if page.name != "index.md"]
    assert [page for page in pages if f"({page})" not in named] == []


def test_every_block_is_closed_and_has_a_known_purpose() -> None:
    for page in PAGES:
        text = page.read_text()
        assert len(blocks_of(text)) * 2 == len(re.findall("^```", text, re.MULTILINE)), page
        purposes = {block.purpose for block in blocks_of(text)}
        assert purposes <= {None, "output", "sketch", *STAGES}, page


def rewrite(page: Path) -> bool:
    """Write anew what a page shows; whether anything changed."""
    old = new = page.read_text()
    for block, actual in reversed(list(shown(old, page.name))):
        if not close(actual, block.text):
            new = new[: block.start] + actual + new[block.end :]
    page.write_text(new)
    return new != old


if __name__ == "__main__":
    for one in PAGES:
        print("changed" if rewrite(one) else "as it was", one.relative_to(ROOT))
