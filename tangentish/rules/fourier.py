"""Fourier transforms. The matrix of a transform is symmetric, so that its adjoint is the transform itself."""

from __future__ import annotations

from tangentish.rules.laws import constructor, multilinear, structural


# fmt: off
def transforms(module: str) -> None:
    """The rows of the transforms of np.fft, or of scipy.fft."""
    for name in ("fft", "ifft"):
        f = f"{module}.{name}"
        multilinear(f"{f}(x)",                                  x=f"{f}(g)",  numbers="complex")
        multilinear(f"{f}(x, n := None, axis=-1, norm=None)",   x=f"{f}(g, axis=axis, norm=norm)",  numbers="complex")
        multilinear(f"{f}(x, n, axis=-1, norm=None)",           x=f"resized({f}(g, axis=axis, norm=norm), x, axis)",  numbers="complex")
    for name in ("fft2", "ifft2", "fftn", "ifftn"):
        multilinear(f"{module}.{name}(x)",                      x=f"{module}.{name}(g)",  numbers="complex")
    for name in ("fft2", "ifft2"):
        f = f"{module}.{name}"
        multilinear(f"{f}(x, s := None, axes=(-2, -1), norm=None)",  x=f"{f}(g, axes=axes, norm=norm)",  numbers="complex")
    for name in ("fftn", "ifftn"):
        f = f"{module}.{name}"
        multilinear(f"{f}(x, s := None, axes=None, norm=None)",      x=f"{f}(g, axes=axes, norm=norm)",  numbers="complex")

        multilinear(f"{f}(x, s, axes, norm=None)",                   x=f"resized({f}(g, axes=axes, norm=norm), x, axes)",  numbers="complex")
    for name in ("fft2", "ifft2"):
        f = f"{module}.{name}"
        multilinear(f"{f}(x, s, axes=(-2, -1), norm=None)",          x=f"resized({f}(g, axes=axes, norm=norm), x, axes)",  numbers="complex")

    # Of a real x only half the transform is given, or taken: the other half mirrors it.
    multilinear(f"{module}.rfft(x)",  x=f"np.real({module}.fft(g, x.shape[-1]))",  numbers="complex")
    multilinear(f"{module}.irfft(x, n=None)",  x="irfft_adjoint(g, x)",  numbers="complex")
    multilinear(f"{module}.rfft(x, n := None, axis=-1, norm=None)",  numbers="complex",
                x=f"np.real({module}.fft(g, x.shape[axis], axis, norm))")
    multilinear(f"{module}.rfft(x, n, axis=-1, norm=None)",          numbers="complex",
                x=f"resized(np.real({module}.fft(g, n, axis, norm)), x, axis)")
    multilinear(f"{module}.irfft(x, n=None, axis=-1, norm=None)",    numbers="complex",
                x="irfft_adjoint(g, x, axis, norm)")
    multilinear(f"{module}.irfft(x, n=None, axis=-1, norm=None)",    x="np.real(irfft_adjoint(g, x, axis, norm))")
    for norms, other in (("None, 'backward'", "forward"), ("'forward'", "backward"), ("'ortho'", "ortho")):
        multilinear(f"{module}.hfft(x, n=None, axis=-1, norm=[{norms}])",      numbers="complex",
                    x=f"np.conj(irfft_adjoint(g, x, axis, '{other}'))")
        multilinear(f"{module}.hfft(x, n=None, axis=-1, norm=[{norms}])",      x=f"np.real(irfft_adjoint(g, x, axis, '{other}'))")
        multilinear(f"{module}.ihfft(x, n := None, axis=-1, norm=[{norms}])",  numbers="complex",
                    x=f"np.real({module}.fft(np.conj(g), x.shape[axis], axis, '{other}'))")
        multilinear(f"{module}.ihfft(x, n, axis=-1, norm=[{norms}])",          numbers="complex",
                    x=f"resized(np.real({module}.fft(np.conj(g), n, axis, '{other}')), x, axis)")
    for name, axes in (("rfft2", "(-2, -1)"), ("rfftn", "None")):
        multilinear(f"{module}.{name}(x, s := None, axes={axes}, norm=None)",   numbers="complex",
                    x="rfftn_adjoint(g, x, axes, norm)")
    multilinear(f"{module}.rfft2(x, s, axes=(-2, -1), norm=None)",              numbers="complex",
                x="resized(rfftn_adjoint(g, x, axes, norm, s), x, axes)")
    multilinear(f"{module}.rfftn(x, s, axes, norm=None)",                       numbers="complex",
                x="resized(rfftn_adjoint(g, x, axes, norm, s), x, axes)")
    for form in ("irfft2(x, s=None, axes=(-2, -1), norm=None)", "irfftn(x, s := None, axes=None, norm=None)", "irfftn(x, s, axes, norm=None)"):
        multilinear(f"{module}.{form}",  x="irfftn_adjoint(g, x, axes, norm)",  numbers="complex")
        multilinear(f"{module}.{form}",  x="np.real(irfftn_adjoint(g, x, axes, norm))")


def frequencies(module: str) -> None:
    """The rows of what tells the frequencies of a transform, and of what puts them in order."""
    for name, back in (("fftshift", "ifftshift"), ("ifftshift", "fftshift")):
        multilinear(f"{module}.{name}(x, axes=None)",  x=f"{module}.{back}(g, axes)",  numbers="any")
    for name in ("fftfreq", "rfftfreq"):
        constructor(f"{module}.{name}")
        structural(f"{module}.{name}(n, d=1.0)", ranks={"d": 0},  d="-np.dot(g, y) / d",           d_dot="-y * d_dot / d")
        structural(f"{module}.{name}(n, d=1.0)",                  d="unbroadcast(-g * y / d, d)",  d_dot="-y * d_dot / d")


transforms("np.fft")
frequencies("np.fft")

multilinear("resized(h, x, axis=-1)",                    h="resized(g, h, axis)",  x="0",  numbers="any")
multilinear("irfft_adjoint(h, x, axis=-1, norm=None)",   h="np.fft.irfft(g, h.shape[axis], axis, norm)",   x="0",  numbers="complex")
multilinear("rfftn_adjoint(h, x, axes=None, norm=None, s=None)", h="np.fft.rfftn(g, axes=axes, norm=norm)",        x="0",  numbers="complex")
multilinear("weigh_ends(h, first, last, axis=-1)",       h="weigh_ends(g, first, last, axis)",  numbers="any")
multilinear("irfftn_adjoint(h, x, axes, norm=None)",     h="np.fft.irfftn(g, [h.shape[a] for a in axes], axes, norm)",  x="0",  numbers="complex")
# fmt: on
