"""scipy.signal, scipy.fft and scipy.ndimage: what is linear in its data."""

from __future__ import annotations

from tangentish.rules.laws import multilinear, structural

OTHER = {1: 1, 2: 3, 3: 2, 4: 4}
"""Type of a cosine or sine transform -> that of the transposed one, and of its inverse."""

BEFORE = {("dct", 1): "2, 2", ("dct", 2): "2, 1", ("dst", 2): "1, 2"}
AFTER = {("dct", 1): "0.5, 0.5", ("dct", 3): "0.5, 1", ("dst", 3): "1, 0.5"}
"""What the ends count before and after the transposed transform, where they don't count 1."""

# fmt: off
HOW = ", method=['auto', 'direct', 'fft']"  # which counts for how fast it is
for name in ("convolve", "fftconvolve", "oaconvolve", "convolve2d"):
    back = "scipy.signal.correlate2d" if name == "convolve2d" else "scipy.signal.correlate"
    how = HOW if name == "convolve" else ", boundary=['fill'], fillvalue=[0]" if name == "convolve2d" else ""
    multilinear(f"scipy.signal.{name}(x, w, mode=['full']{how})",   x=f"{back}(g, w, 'valid')",              w=f"{back}(g, x, 'valid')")
    multilinear(f"scipy.signal.{name}(x, w, mode=['same']{how})",   x=f"{back}(uncentred(g, w), w, 'valid')",  w=f"{back}(uncentred(g, w), x, 'valid')")
    multilinear(f"scipy.signal.{name}(x, w, mode=['valid']{how})",  x=f"{back}(uncut(g, x, w), w, 'valid')",   w=f"{back}(uncut(g, x, w), x, 'valid')")
for name, way, how, late in (("correlate", "convolve", HOW, ""), ("correlate2d", "convolve2d", ", boundary=['fill'], fillvalue=[0]", ", True")):
    for mode, whole in (("full", "g"), ("same", f"uncentred(g, w{late})"), ("valid", "uncut(g, x, w)")):
        multilinear(f"scipy.signal.{name}(x, w, mode=['{mode}']{how})",  x=f"scipy.signal.{way}({whole}, w, 'valid')",  w=f"np.flip(scipy.signal.{name}({whole}, x, 'valid'))")
for boundary, mode in (("wrap", "wrap"), ("symm", "symmetric")):
    for size in ("full", "same"):
        edges = f"edges_for(w, '{size}'), '{mode}'"
        multilinear(f"scipy.signal.convolve2d(x, w, mode=['{size}'], boundary=['{boundary}'])",
                    x=f"pad_adjoint(scipy.signal.correlate2d(g, w), x, {edges})",  w=f"np.flip(scipy.signal.correlate2d(np.pad(x, {edges}), g, 'valid'))")
for size in ("full", "same"):  # any other value around
    edges, border = f"edges_for(w, '{size}')", f"'{size}', 'fill'"
    structural(f"scipy.signal.convolve2d(x, w, mode=['{size}'], boundary=['fill'], fillvalue=fillvalue)",
               x=f"scipy.signal.correlate2d({'g' if size == 'full' else 'uncentred(g, w)'}, w, 'valid')",
               w=f"np.flip(scipy.signal.correlate2d(np.pad(x, {edges}, constant_values=fillvalue), g, 'valid'))",
               fillvalue=f"np.sum(g * scipy.signal.convolve2d(np.zeros_like(x), w, {border}, 1.0))",
               x_dot=f"scipy.signal.convolve2d(x_dot, w, '{size}')",  w_dot=f"scipy.signal.convolve2d(x, w_dot, {border}, fillvalue)",
               fillvalue_dot=f"fillvalue_dot * scipy.signal.convolve2d(np.zeros_like(x), w, {border}, 1.0)")
for name in ("fftconvolve", "oaconvolve"):  # along some axes, while the others broadcast
    f = f"scipy.signal.{name}"
    for size, whole in (("full", "g"), ("same", "uncentred(g, w, axes=axes)"), ("valid", "uncut(g, x, w, axes)")):
        multilinear(f"{f}(x, w, mode=['{size}'], axes=axes)",  x=f"unbroadcast({f}({whole}, np.flip(w, axes), 'valid', axes), x)",
                    w=f"unbroadcast({f}({whole}, np.flip(x, axes), 'valid', axes), w)")
structural ("scipy.signal.lfilter(b, a, x)", ranks=(1, 1, 1),  x="cast(np.flip(scipy.signal.lfilter(b, a, np.flip(g))), x)",
            b="cast(np.correlate(np.pad(g, (0, len(b) - 1)), scipy.signal.lfilter(np.ones(1), a, x), 'valid'), b)",
            a="cast(-np.correlate(np.pad(g, (0, len(a) - 1)), scipy.signal.lfilter(np.ones(1), a, y), 'valid'), a)",
            x_dot="scipy.signal.lfilter(b, a, x_dot)",  b_dot="scipy.signal.lfilter(b_dot, a, x)",  a_dot="-scipy.signal.lfilter(a_dot, a, y)")
structural ("scipy.signal.lfilter(b, a, x)", ranks=(1, 0, 1),  x="cast(np.flip(scipy.signal.lfilter(b, a, np.flip(g))), x)",
            b="cast(np.correlate(np.pad(g, (0, len(b) - 1)), x / a, 'valid'), b)",  a="-np.dot(g, y) / a",
            x_dot="scipy.signal.lfilter(b, a, x_dot)",  b_dot="scipy.signal.lfilter(b_dot, a, x)",  a_dot="-a_dot * y / a")
multilinear("scipy.signal.lfilter(b, a, x, axis=-1)",          x="np.flip(scipy.signal.lfilter(b, a, np.flip(g, axis), axis), axis)")
multilinear("scipy.signal.hilbert(x, axis=-1)", numbers="complex",  x="np.real(g) + np.imag(scipy.signal.hilbert(np.imag(g), axis=axis))")
multilinear("scipy.signal.detrend(x, axis=-1, type='linear')", x="scipy.signal.detrend(g, axis, type)")
multilinear("scipy.ndimage.gaussian_filter(x, sigma, mode=['reflect', 'wrap', 'constant'])",  x="scipy.ndimage.gaussian_filter(g, sigma, mode=mode)")
BORDERS = {"reflect": "symmetric", "nearest": "edge", "mirror": "reflect", "wrap": "wrap", "constant": "constant"}
"""What scipy.ndimage calls the ways in which np.pad goes on beyond the edges."""
for border, mode in BORDERS.items():
    how = f"mode=['{border}']" + (", cval=[0]" if border == "constant" else "")
    multilinear(f"scipy.ndimage.convolve(x, w, {how})",   x=f"pad_adjoint(scipy.signal.correlate(g, w), x, window_edges(w), '{mode}')",
                w=f"np.flip(scipy.signal.correlate(np.pad(x, window_edges(w), '{mode}'), g, 'valid'))")
    multilinear(f"scipy.ndimage.correlate(x, w, {how})",  x=f"pad_adjoint(scipy.signal.convolve(g, w), x, window_edges(w, True), '{mode}')",
                w=f"scipy.signal.correlate(np.pad(x, window_edges(w, True), '{mode}'), g, 'valid')")
for name, back in (("dct", "idct"), ("idct", "dct"), ("dst", "idst"), ("idst", "dst")):
    multilinear(f"scipy.fft.{name}(x, type=2, n=[None], axis=-1, norm=['ortho'])",  x=f"scipy.fft.{back}(g, type, axis=axis, norm='ortho')")
    multilinear(f"scipy.fft.{name}(x, type=2, n=n, axis=-1, norm=['ortho'])",       x=f"resized(scipy.fft.{back}(g, type, axis=axis, norm='ortho'), x, axis)")
    multilinear(f"scipy.fft.{name}n(x, type=2, s=[None], axes=None, norm=['ortho'])",  x=f"scipy.fft.{back}n(g, type, axes=axes, norm='ortho')")
    for kind, other in OTHER.items():  # not orthogonal
        own = (name[-3:], kind if len(name) == 3 else other)
        before = f"weigh_ends(g, {BEFORE[own]}, axis)" if own in BEFORE else "g"
        turned = f"scipy.fft.{name}({before}, {other}, axis=axis, norm=norm)"
        turned = f"weigh_ends({turned}, {AFTER[own]}, axis)" if own in AFTER else turned
        multilinear(f"scipy.fft.{name}(x, type=[{kind}], n=[None], axis=-1, norm=[None, 'backward', 'forward'])",  x=turned)
        multilinear(f"scipy.fft.{name}(x, type=[{kind}], n=n, axis=-1, norm=[None, 'backward', 'forward'])",       x=f"resized({turned}, x, axis)")

# fmt: on
