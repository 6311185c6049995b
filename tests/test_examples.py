"""Every example runs, its own assertions hold, and the gallery has the picture that it draws."""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

ROOT = Path(__file__).parent.parent
GALLERY = ROOT / "docs" / "gallery"
EXAMPLES = sorted(page.stem for page in (ROOT / "examples").glob("*.py"))
DRAWN = [name for name in EXAMPLES if name not in ("digits", "picture")]

PIXELS = re.compile('<g class="pixels">.*</g>')
NUMBER = re.compile(r"-?\d+\.\d+")
SLACK = 1.0  # pixels: what is fitted differs in the last digits from machine to machine


@pytest.fixture
def examples(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Examples import each other by name; other modules of these names are left alone."""
    monkeypatch.syspath_prepend(str(ROOT / "examples"))
    for name in EXAMPLES:
        monkeypatch.delitem(sys.modules, name, raising=False)
    yield
    for name in EXAMPLES:
        sys.modules.pop(name, None)


def imported(name: str) -> ModuleType:
    if name in ("digits", "foxes", "kalman", "registration", "volatility"):
        pytest.importorskip("scipy")
    return importlib.import_module(name)


@pytest.mark.parametrize("name", DRAWN)
def test_an_example_runs_and_draws_its_picture(name: str, examples: None) -> None:
    svg = imported(name).main().svg()
    shown = (GALLERY / f"{name}.svg").read_text()
    assert without_numbers(svg) == without_numbers(shown), (
        f"python examples/{name}.py draws it anew"
    )
    assert np.allclose(numbers(svg), numbers(shown), atol=SLACK)


def without_numbers(svg: str) -> str:
    return NUMBER.sub("#", PIXELS.sub("", svg))


def numbers(svg: str) -> list[float]:
    return [float(one) for one in NUMBER.findall(PIXELS.sub("", svg))]


def test_the_digits_are_learnt(examples: None, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("sklearn")
    imported("digits").main()
    shares = re.findall(r"([\d.]+)%", capsys.readouterr().out)
    assert len(shares) == 2 and all(float(share) > 95 for share in shares)


def test_a_picture_is_saved_under_the_name_of_its_example(
    examples: None,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    picture = imported("picture")
    monkeypatch.setattr(picture, "GALLERY", tmp_path / "docs" / "gallery")
    (tmp_path / "docs" / "gallery").mkdir(parents=True)
    drawing = picture.Picture()
    drawing.panel("line", "x").line([0.0, 1.0], [2.0, 2.0], "constant & more").points([0.5], [2.0])
    drawing.panel("grey").image(np.eye(3))
    drawing.save("examples/line.py")
    assert capsys.readouterr().out == "the picture is in docs/gallery/line.svg\n"
    svg = (tmp_path / "docs" / "gallery" / "line.svg").read_text()
    assert "constant &amp; more" in svg and svg.count("<rect") == 6


def test_the_gallery_shows_every_example() -> None:
    for name in DRAWN:
        page = (GALLERY / f"{name}.md").read_text()
        assert f"({name}.svg)" in page and f"examples/{name}.py" in page
