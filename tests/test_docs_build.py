"""The documentation builds without a warning, and its reference holds every public name."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import tangentish

DOCS = Path(__file__).parent.parent / "docs"


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    pytest.importorskip("sphinx")
    pytest.importorskip("myst_parser")
    out = tmp_path_factory.mktemp("html")
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-b", "html", DOCS, out]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return out


def test_every_page_is_built(built):
    pages = [page.relative_to(DOCS) for page in DOCS.rglob("*.md") if "_build" not in page.parts]
    assert [page for page in pages if not (built / page.with_suffix(".html")).exists()] == []


def test_the_reference_has_every_public_name(built):
    reference = (built / "reference.html").read_text()
    names = [name for name in tangentish.__all__ if f'id="tangentish.{name}"' not in reference]
    assert names == []
