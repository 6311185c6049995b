"""Modules of NumPy and SciPy that nothing but the function imports."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def test_a_module_that_only_the_function_imports(tmp_path: Path) -> None:
    """The gradient is generated before the function ever ran."""
    path = tmp_path / "imports_inside.py"
    path.write_text(
        "import sys\nfrom tangentish import grad\n\n\ndef f(x):\n    from scipy.stats import norm\n    return norm.cdf(x)\n\n\n"
        "assert 'scipy.stats' not in sys.modules\nprint(grad(f)(1.0))\n"
    )
    found = subprocess.run([sys.executable, str(path)], capture_output=True, text=True, check=True)
    assert abs(float(found.stdout) - 0.24197072451914337) < 1e-12
