"""The transforms of scipy.fft: those of np.fft, and cosine and sine transforms."""

from __future__ import annotations

from tangentish.rules.cosines import cosines
from tangentish.rules.fourier import frequencies, transforms
from tangentish.rules.laws import made_of_numbers, multilinear

WAYS = {
    "norm=[None, 'backward', 'forward']": (", norm=norm", True),
    "norm=None, orthogonalize=[False]": (", norm=norm, orthogonalize=False", True),
    "norm=None, orthogonalize=[True]": (", norm=norm, orthogonalize=True", False),
}

transforms("scipy.fft")
frequencies("scipy.fft")
# By lengths alone the last axes are transformed, as many as there are lengths; np.fft is about to drop that.
# fmt: off
AXES = "transformed_axes(g, s, axes)"
for name in ("fftn", "ifftn"):
    multilinear(f"scipy.fft.{name}(x, s, axes=[None], norm=None)",  x=f"resized(scipy.fft.{name}(g, axes={AXES}, norm=norm), x, {AXES})",  numbers="complex")
multilinear("scipy.fft.rfftn(x, s, axes=[None], norm=None)",        x=f"resized(rfftn_adjoint(g, x, {AXES}, norm, s), x, {AXES})",          numbers="complex")
multilinear("scipy.fft.irfftn(x, s, axes=[None], norm=None)",       x=f"irfftn_adjoint(g, x, {AXES}, norm)",                                numbers="complex")
multilinear("scipy.fft.irfftn(x, s, axes=[None], norm=None)",       x=f"np.real(irfftn_adjoint(g, x, {AXES}, norm))")
# As irfftn and rfftn turn around, the other way about.
for norms, other in (("None, 'backward'", "forward"), ("'forward'", "backward"), ("'ortho'", "ortho")):
    for form in ("hfft2(x, s=None, axes=(-2, -1)", "hfftn(x, s := None, axes=None", "hfftn(x, s, axes"):
        turned = f"irfftn_adjoint(g, x, axes, '{other}')"
        multilinear(f"scipy.fft.{form}, norm=[{norms}])",   x=f"np.conj({turned})",  numbers="complex")
        multilinear(f"scipy.fft.{form}, norm=[{norms}])",   x=f"np.real({turned})")
        of_lengths = f"rfftn_adjoint(np.conj(g), x, axes, '{other}', s)"
        multilinear(f"scipy.fft.i{form}, norm=[{norms}])",  x=of_lengths if ":=" in form else f"resized({of_lengths}, x, axes)",  numbers="complex")
# fmt: on
cosines("scipy.fft", "s", WAYS)
made_of_numbers("scipy.fft.next_fast_len", "scipy.fft.prev_fast_len")
