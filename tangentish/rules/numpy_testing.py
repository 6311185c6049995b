"""numpy.testing: assertions read values, and no derivative flows through them."""

from __future__ import annotations

import numpy as np

from tangentish.rules.laws import constant

constant(*(f"np.testing.{name}" for name in vars(np.testing) if name.startswith("assert_")))
