"""Imports inside a function that begin where it stands: `from .helpers import f`, as packages write them."""

from __future__ import annotations

import importlib
import textwrap

import pytest
from numeric import assert_close

from tangentish import grad, hvp

HELPERS = "def scaled(a, k):\n    return a**2 * k\n"
FUNCTIONS = """
    def by_name(a, k):
        from .helpers import scaled
        return scaled(a, k)

    def by_another_name(a, k):
        from .helpers import scaled as f
        return f(a, k)

    def by_module(a, k):
        from . import helpers
        return helpers.scaled(a, k)

    def in_a_nested_function(a, k):
        def inner(b):
            from .helpers import scaled
            return scaled(b, k)
        return inner(a)
"""
OUTER = """
    def from_above(a, k):
        from ..helpers import scaled
        return scaled(a, k)
"""
NAMES = ("by_name", "by_another_name", "by_module", "in_a_nested_function")


@pytest.fixture
def package(tmp_path, monkeypatch):
    root = tmp_path / "package_of_imports"
    (root / "inner").mkdir(parents=True)
    for place, text in (
        ("__init__.py", ""),
        ("helpers.py", HELPERS),
        ("main.py", FUNCTIONS),
        ("inner/__init__.py", ""),
        ("inner/main.py", OUTER),
    ):
        (root / place).write_text(textwrap.dedent(text), encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    importlib.import_module("package_of_imports.helpers")
    return importlib.import_module


def test_what_they_find_is_followed(package):
    main = package("package_of_imports.main")
    functions = [getattr(main, name) for name in NAMES]
    for f in (*functions, package("package_of_imports.inner.main").from_above):
        assert_close(grad(f)(2.0, 3.0), 12.0, f.__name__)
        assert_close(hvp(f)(2.0, 1.0, 3.0), 6.0, f.__name__)
