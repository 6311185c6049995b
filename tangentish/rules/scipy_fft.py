"""The transforms of scipy.fft: those of np.fft, and cosine and sine transforms."""

from __future__ import annotations

from tangentish.rules.cosines import cosines
from tangentish.rules.fourier import transforms

WAYS = {
    "norm=[None, 'backward', 'forward']": (", norm=norm", True),
    "norm=None, orthogonalize=[False]": (", norm=norm, orthogonalize=False", True),
    "norm=None, orthogonalize=[True]": (", norm=norm, orthogonalize=True", False),
}

transforms("scipy.fft")
cosines("scipy.fft", "s", WAYS)
