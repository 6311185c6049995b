"""Whether a module is one of Python's own: the user's may have the name of one, as `wave.py` beside a script has."""

from __future__ import annotations

import os
import sys
from pathlib import Path

_LIBRARY = str(Path(os.__file__).parent) + os.sep


def is_of_python(home: str) -> bool:
    """Whether this is the name of a module of Python's own, or of what is in one."""
    outer = home.partition(".")[0]
    if outer not in sys.stdlib_module_names:
        return False
    file = getattr(sys.modules.get(home) or sys.modules.get(outer), "__file__", None) or ""
    return not file.endswith(".py") or file.startswith(_LIBRARY)
