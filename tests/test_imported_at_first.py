"""Modules of NumPy and SciPy, and of its own package, that nothing but the function imports."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest


def test_a_module_that_only_the_function_imports(tmp_path: Path) -> None:
    """The gradient is generated before the function ever ran."""
    path = tmp_path / "imports_inside.py"
    path.write_text(
        "import sys\nfrom tangentish import grad\n\n\ndef f(x):\n    from scipy.stats import norm\n    return norm.cdf(x)\n\n\n"
        "assert 'scipy.stats' not in sys.modules\nprint(grad(f)(1.0))\n"
    )
    found = subprocess.run([sys.executable, str(path)], capture_output=True, text=True, check=True)
    assert abs(float(found.stdout) - 0.24197072451914337) < 1e-12


LINE = """
from . import geodesic

class Line:
    def __init__(self, x):
        self.x = x

    def at(self, s):
        return geodesic.SCALE * self.x * s
"""
GEODESIC = """
SCALE = 1.5

def direct(x, s):
    {}
    return {}(x).at(s)

def refused(x, s):
    if s > 100:
        from .broken import scaled
        return scaled(x)
    return x * s
"""


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("from earth.line import Line", "Line"),
        ("from .line import Line as Way", "Way"),
        ("from . import line", "line.Line"),
        ("import earth.line", "earth.line.Line"),
    ],
)
def test_a_module_of_its_package(tmp_path: Path, line: str, found: str) -> None:
    package = tmp_path / "earth"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "line.py").write_text(LINE)
    (package / "geodesic.py").write_text(GEODESIC.format(line, found))
    (package / "broken.py").write_text("raise ValueError")
    path = tmp_path / "main.py"
    path.write_text(
        "import sys\nfrom tangentish import grad, NotDifferentiable\nfrom earth import geodesic\n\n"
        "assert 'earth.line' not in sys.modules\nprint(grad(geodesic.direct)(1.0, 2.0))\n"
        "try:\n    grad(geodesic.refused)(1.0, 2.0)\nexcept NotDifferentiable as error:\n    print('scaled' in str(error))\n"
    )
    run = subprocess.run([sys.executable, str(path)], capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["3.0", "True"]
