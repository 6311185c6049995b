"""scipy.fftpack: the older transforms of Fourier, cosine and sine transforms."""

from __future__ import annotations

from tangentish.rules.cosines import cosines
from tangentish.rules.laws import multilinear

# fmt: off
for name in ("fft", "ifft"):
    f = f"scipy.fftpack.{name}"
    multilinear(f"{f}(x)",                      x=f"{f}(g)",  numbers="complex")
    multilinear(f"{f}(x, n := None, axis=-1)",  x=f"{f}(g, axis=axis)",  numbers="complex")
    multilinear(f"{f}(x, n, axis=-1)",          x=f"resized({f}(g, axis=axis), x, axis)",  numbers="complex")
for name in ("fft2", "ifft2", "fftn", "ifftn"):
    multilinear(f"scipy.fftpack.{name}(x)",     x=f"scipy.fftpack.{name}(g)",  numbers="complex")
# fmt: on
cosines("scipy.fftpack", "shape", {"norm=[None]": ("", True)})
