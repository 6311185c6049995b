"""scipy.signal: what is linear in its data."""

from __future__ import annotations

from tangentish.rules.laws import constant, multilinear, structural, tuple_valued
from tangentish.rules.scipy_designs import signals

# fmt: off
HOW = ", method=['auto', 'direct', 'fft']"  # which counts for how fast it is
FILL = ", boundary=['fill'], fillvalue=[0]"
WHOLE = ("full", "g"), ("same", "uncentred(g, w)"), ("valid", "uncut(g, x, w)")
for name, way, how in (("convolve", "correlate", HOW), ("fftconvolve", "correlate", ""), ("oaconvolve", "correlate", ""), ("convolve2d", "correlate2d", FILL)):
    for mode, whole in WHOLE:
        back = f"scipy.signal.{way}({whole}, {{}}, 'valid')"
        multilinear(f"scipy.signal.{name}(x, w, mode=['{mode}']{how})",  x=back.format("w"),           w=back.format("x"))
        multilinear(f"scipy.signal.{name}(x, w, mode=['{mode}']{how})",  x=back.format("np.conj(w)"),  w=back.format("np.conj(x)"),  numbers="complex")
for name, way, how, late in (("correlate", "convolve", HOW, ""), ("correlate2d", "convolve2d", FILL, ", True")):
    for mode, whole in WHOLE:
        whole = whole.replace("w)", f"w{late})") if mode == "same" else whole
        back, turned = f"scipy.signal.{way}({whole}, {{}}, 'valid')", f"np.flip(scipy.signal.{name}({whole}, {{}}, 'valid'))"
        multilinear(f"scipy.signal.{name}(x, w, mode=['{mode}']{how})",  x=back.format("w"),           w=turned.format("x"))
        multilinear(f"scipy.signal.{name}(x, w, mode=['{mode}']{how})",  x=back.format("np.conj(w)"),  w=f"np.conj({turned.format('np.conj(x)')})",  numbers="complex")
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
FILTERED = "scipy.signal.lfilter({}, axis)"
structural ("scipy.signal.lfilter(b, a, x, axis=-1, zi=[None])",  x=f"np.flip({FILTERED.format('b, a, np.flip(g, axis)')}, axis)",
            b=f"cast(lagged_products(g, {FILTERED.format('np.ones(1), a, x')}, b, axis), b)",
            a=f"cast(-lagged_products(g, {FILTERED.format('np.ones(1), a, y')}, a, axis), a)",
            x_dot=FILTERED.format("b, a, x_dot"),  b_dot=FILTERED.format("b_dot, a, x"),  a_dot=f"-{FILTERED.format('a_dot, a, y')}")
REST = ", ".join(f"scipy.signal.lfilter(b, a, {{0}}, axis, {{1}})[{k}]" for k in (0, 1))  # with what it keeps at its beginning and at its end
tuple_valued("scipy.signal.lfilter(b, a, x, axis=-1, zi=zi)", results=2,  x="lfilter_from_adjoint(g, b, a, x, x, zi, axis)",  zi="lfilter_from_adjoint(g, np.ravel(a)[:1], a, zi, x, zi, axis)",
             x_dot=REST.format("x_dot", "np.zeros_like(zi)"),  zi_dot=REST.format("np.zeros_like(x)", "zi_dot"))
multilinear("scipy.signal.hilbert(x, axis=-1)", numbers="complex",  x="np.real(g) + np.imag(scipy.signal.hilbert(np.imag(g), axis=axis))")
multilinear("scipy.signal.detrend(x, axis=-1, type='linear', bp=0)",  x="scipy.signal.detrend(g, axis, type, bp)")
multilinear("scipy.signal.sosfilt(sos, x, axis=-1)",           x="np.flip(scipy.signal.sosfilt(sos, np.flip(g, axis), axis), axis)")
HOW = "axis, padtype, padlen"  # as if it had been at rest before the first element, and after the last
multilinear("scipy.signal.filtfilt(b, a, x, axis=-1, padtype='odd', padlen=None)",    x=f"cast(filtfilt_adjoint(g, b, a, {HOW}), x)")
multilinear("scipy.signal.sosfiltfilt(sos, x, axis=-1, padtype='odd', padlen=None)",  x=f"cast(sosfiltfilt_adjoint(g, sos, {HOW}), x)")
FITTED = "window_length, polyorder, deriv, delta, axis"
WINDOW = "x, window_length, polyorder, deriv=0, delta=1.0, axis=-1"
EDGES = "edges_along(x, axis, window_length // 2)"
TURNED = f"np.flip(scipy.signal.savgol_filter(np.flip({{}}, axis), {FITTED}, {{}}), axis)"
multilinear(f"scipy.signal.savgol_filter({WINDOW}, mode=['interp'])",              x=f"savgol_adjoint(g, {FITTED})")
multilinear(f"scipy.signal.savgol_filter({WINDOW}, mode=['constant'], cval=[0])",  x=TURNED.format("g", "'constant'"))
multilinear(f"scipy.signal.savgol_filter({WINDOW}, mode=['wrap'])",                x=TURNED.format("g", "'wrap'"))
for border, mode in (("nearest", "edge"), ("mirror", "reflect")):
    whole = TURNED.format(f"np.pad(g, {EDGES})", "'constant'")
    multilinear(f"scipy.signal.savgol_filter({WINDOW}, mode=['{border}'])",        x=f"pad_adjoint({whole}, x, {EDGES}, '{mode}')")
# fmt: on

signals()
constant("scipy.signal.check_COLA", "scipy.signal.check_NOLA", "scipy.signal.choose_conv_method")
