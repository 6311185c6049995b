"""The transforms of scipy.fft, which are those of np.fft."""

from __future__ import annotations

from tangentish.rules.fourier import transforms

transforms("scipy.fft")
