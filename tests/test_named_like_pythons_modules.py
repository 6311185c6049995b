"""Modules of the user's that have the name of one of Python's: what they define is the user's all the same."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import numpy as np
import pytest
from numeric import assert_close, numeric_gradient

from tangentish import grad

TEXT = """
import numpy as np

SPEED = 0.5


class Medium:
    def __init__(self, c):
        self.c = c

    def step(self, u):
        u[1:-1] += self.c * SPEED * np.diff(u, 2)
        return u


MEDIUM = Medium(0.8)


def energy(u):
    return np.sum(MEDIUM.step(Medium(u[0]).step(u.copy())) ** 2)
"""


def test_it_is_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "wave.py").write_text(TEXT)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "wave", raising=False)
    energy = importlib.import_module("wave").energy
    u = np.array([0.3, 1.2, -0.4, 0.9, 0.1])
    assert_close(grad(energy)(u), numeric_gradient(energy, (u,), 0, 1.0), "energy")
    monkeypatch.delitem(sys.modules, "wave")
