"""scipy.signal, scipy.integrate, scipy.fft, scipy.ndimage and scipy.spatial: what is linear in its data, and distances."""

from __future__ import annotations

from tangentish.rules.laws import multilinear, structural

# fmt: off
for name in ("convolve", "fftconvolve", "convolve2d"):
    back = "scipy.signal.correlate2d" if name == "convolve2d" else "scipy.signal.correlate"
    multilinear(f"scipy.signal.{name}(x, w, mode=['full'])",   x=f"{back}(g, w, 'valid')",              w=f"{back}(g, x, 'valid')")
    multilinear(f"scipy.signal.{name}(x, w, mode=['same'])",   x=f"{back}(uncentred(g, w), w, 'valid')",  w=f"{back}(uncentred(g, w), x, 'valid')")
    multilinear(f"scipy.signal.{name}(x, w, mode=['valid'])",  x=f"{back}(uncut(g, x, w), w, 'valid')",   w=f"{back}(uncut(g, x, w), x, 'valid')")
for name, way in (("correlate", "convolve"), ("correlate2d", "convolve2d")):
    multilinear(f"scipy.signal.{name}(x, w, mode=['full'])",   x=f"scipy.signal.{way}(g, w, 'valid')",               w=f"np.flip(scipy.signal.{name}(g, x, 'valid'))")
    multilinear(f"scipy.signal.{name}(x, w, mode=['valid'])",  x=f"scipy.signal.{way}(uncut(g, x, w), w, 'valid')",  w=f"np.flip(scipy.signal.{name}(uncut(g, x, w), x, 'valid'))")
multilinear("scipy.signal.lfilter(b, a, x, axis=-1)",          x="np.flip(scipy.signal.lfilter(b, a, np.flip(g, axis), axis), axis)")
multilinear("scipy.signal.detrend(x, axis=-1, type='linear')", x="scipy.signal.detrend(g, axis, type)")
multilinear("scipy.ndimage.gaussian_filter(x, sigma, mode=['reflect', 'wrap', 'constant'])",  x="scipy.ndimage.gaussian_filter(g, sigma, mode=mode)")
for name, back in (("dct", "idct"), ("idct", "dct"), ("dst", "idst"), ("idst", "dst")):
    multilinear(f"scipy.fft.{name}(x, type=2, axis=-1, norm=['ortho'])",  x=f"scipy.fft.{back}(g, type, axis=axis, norm='ortho')")

multilinear("scipy.integrate.trapezoid(v, x=[None], dx=1.0, axis=-1)",  v="np.expand_dims(g, axis) * dx * trapezoid_weights(v, axis)")
structural ("scipy.integrate.trapezoid(v, x)", ranks=(1, 1),            v="g * cast(trapezoid_widths(x), v)",  x="-g * np.diff(np.pad((v[1:] + v[:-1]) / 2, 1))",
            v_dot="np.trapezoid(v_dot, x)",  x_dot="np.sum((v[1:] + v[:-1]) / 2 * np.diff(x_dot))", thin=True)
multilinear("scipy.integrate.trapezoid(v, x, axis=-1)",                 v="np.expand_dims(g, axis) * along(cast(trapezoid_widths(x), v), v, axis)")
multilinear("scipy.integrate.simpson(v, x=[None], dx=1.0, axis=-1)",    v="np.expand_dims(g, axis) * along(cast(scipy.integrate.simpson(np.eye(v.shape[axis]), dx=dx), v), v, axis)")
multilinear("scipy.integrate.simpson(v, x, axis=-1)",                   v="np.expand_dims(g, axis) * along(cast(scipy.integrate.simpson(np.eye(len(x)), x=x), v), v, axis)")
multilinear("scipy.integrate.cumulative_trapezoid(v, x=[None], dx=1.0, axis=-1)",
            v="neighbours_adjoint(cumsum_adjoint(g, g, axis) * dx / 2, axis)")
multilinear("scipy.integrate.cumulative_trapezoid(v, x, dx=1.0, axis=-1)",
            v="neighbours_adjoint(cumsum_adjoint(g, g, axis) * along(np.diff(x), v, axis) / 2, axis)")

structural ("scipy.spatial.distance.cdist(x, w, metric=['euclidean'])",    x="distances_left(ratio(g, y), x, w)",     w="distances_left(ratio(g, y).T, w, x)",
            x_dot="ratio(np.sum(x * x_dot, axis=1)[:, None] - x_dot @ w.T, y)",  w_dot="ratio(np.sum(w * w_dot, axis=1) - x @ w_dot.T, y)")
structural ("scipy.spatial.distance.cdist(x, w, metric=['sqeuclidean'])",  x="distances_left(2 * g, x, w)",           w="distances_left(2 * g.T, w, x)",
            x_dot="2 * (np.sum(x * x_dot, axis=1)[:, None] - x_dot @ w.T)",      w_dot="2 * (np.sum(w * w_dot, axis=1) - x @ w_dot.T)")
# fmt: on
