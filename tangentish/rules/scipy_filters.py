"""scipy.ndimage: filters, which are linear in the image, and values between its pixels.

A filter that does the same everywhere has itself for a transpose, turned around: `np.flip(f(np.flip(g)))`. Where it goes
on beyond the edges by what is inside, the gradient of what is beyond them goes there, too.
"""

from __future__ import annotations

from collections.abc import Iterable

from tangentish.rules.laws import constant, multilinear, structural

# fmt: off
BORDERS = {"reflect": "symmetric", "nearest": "edge", "mirror": "reflect", "wrap": "wrap", "constant": "constant"}
"""What scipy.ndimage calls the ways in which np.pad goes on beyond the edges."""
SAME = {"reflect": ", 'grid-mirror'", "wrap": ", 'grid-wrap'", "constant": ", 'grid-constant'"}  # of filters


def windows(primal: str, edges: str, call: str, turned: str = "np.flip({})", borders: Iterable[str] = BORDERS) -> None:
    """Rows for a filter in each way.

    edges: how far it reaches, for np.pad; call: the filter without its mode, of {}; turned: what turns it around, which
    is its sign where its window is symmetric or antisymmetric.
    """
    around = turned if turned.startswith("np.") else "{}"
    for border in borders:
        inside = border in ("wrap", "constant")
        filtered = call.format(around.format("g" if inside else f"np.pad(g, {edges})"))
        filtered = turned.format(f"{filtered[:-1]}, mode='{border if inside else 'constant'}')")
        start, zero = f"{primal[:-1]}, mode=['{border}'{SAME.get(border, '')}]", ", cval=[0]" if border == "constant" else ""
        multilinear(f"{start}{zero})",  x=filtered if inside else f"pad_adjoint({filtered}, x, {edges}, '{BORDERS[border]}')")
        if zero:
            structural(f"{start}, cval=0.0)",  x=filtered,  x_dot=f"{call.format('x_dot')[:-1]}, mode='constant')")


N = "scipy.ndimage."
for border, mode in BORDERS.items():
    how = f"mode=['{border}'{SAME.get(border, '')}]" + (", cval=[0]" if border == "constant" else "")
    beyond = {how: f"'{mode}'"} | ({how.replace("[0]", "0.0"): f"'{mode}', constant_values=cval"} if border == "constant" else {})
    for how, pad in beyond.items():
        for name, back, turned, left in (("convolve", "correlate", "np.flip({})", ""), ("correlate", "convolve", "{}", ", True")):
            for axis, line, flat in (("", "w", "{}"), (", axis", "lying(w, axis, x)", "np.ravel({})")):
                edges, f = f"window_edges({line}{left})", f"{N}{name}{'1d' * bool(axis)}"
                row = f"{f}(x, w{axis and ', axis=-1'}, {how})"
                x = f"pad_adjoint(scipy.signal.{back}(g, {line}), x, {edges}, '{mode}')"
                w = turned.format(flat.format(f"scipy.signal.correlate(np.pad(x, {edges}, {pad}), g, 'valid')"))
                if "cval=0.0" in how:
                    structural(row,  x=x,  w=w,  x_dot=f"{f}(x_dot, w{axis}, mode='constant')",  w_dot=f"{f}(x, w_dot{axis}, mode='constant', cval=cval)")
                else:
                    multilinear(row, x=x, w=w)

# Of a window that is symmetric, and an image that is reflected, the transpose is the filter itself.
for name, axis in (("gaussian_filter", ""), ("gaussian_filter1d", "axis, ")):
    along, edges = axis and "axis=-1, ", "edges_along(x, axis, {truncate} * sigma + 0.5)" if axis else "gaussian_edges(sigma, {truncate})"
    usual, own = f"{N}{name}(x, sigma, {along}order=[0]", f"{N}{name}(g, sigma, {axis}"[:-2]
    multilinear(f"{usual}, mode=['reflect', 'grid-mirror'], truncate=[4.0])",  x=f"{own})")
    multilinear(f"{usual}, mode=['reflect', 'grid-mirror'], truncate=4.0)",    x=f"{own}, truncate=truncate)")
    windows(f"{usual}, truncate=[4.0])",  edges.format(truncate="4"),  own.replace("g, ", "{}, ", 1) + ")", "{}", ("nearest", "mirror", "wrap", "constant"))
    windows(f"{N}{name}(x, sigma, {along}order=0, truncate=4.0)",  edges.format(truncate="truncate"),  f"{N}{name}({{}}, sigma, {axis}order, truncate=truncate)")
windows(f"{N}uniform_filter(x, size=3)",           "np.asarray(size)[..., None] // 2",  f"{N}uniform_filter({{}}, size)")
windows(f"{N}uniform_filter1d(x, size, axis=-1)",  "edges_along(x, axis, size // 2)",   f"{N}uniform_filter1d({{}}, size, axis)")
windows(f"{N}sobel(x, axis=-1)",                   "1",  f"{N}sobel({{}}, axis)",    "-{}")
windows(f"{N}prewitt(x, axis=-1)",                 "1",  f"{N}prewitt({{}}, axis)",  "-{}")
windows(f"{N}laplace(x)",                          "1",  f"{N}laplace({{}})",        "{}")
windows(f"{N}gaussian_laplace(x, sigma)",          "gaussian_edges(sigma)",  f"{N}gaussian_laplace({{}}, sigma)",  "{}")

# Values between pixels: their places move them by the slope along each axis.
MODES = "mode=['constant', 'nearest', 'mirror', 'reflect', 'wrap', 'grid-wrap']"
ZEROS, CONSTANT = "mode=['grid-constant'], cval=[0]", "mode=['grid-constant'], cval=0"
ANY_ORDER = (", (), order, prefilter", "()", ", order, prefilter")
FORMS = (  # the first order is the default here; pixels beyond the edge, which bells reach, are 0 once it is taken from all
    (f"{N}map_coordinates(x, places, output=[None], order=[1], {MODES}, cval=0, prefilter=True)", "x", "", "()", ""),
    (f"{N}map_coordinates(x, places, output=[None], order=3, {MODES}, cval=0, prefilter=True)", "x", *ANY_ORDER),
    (f"{N}map_coordinates(x, places, output=[None], order=[1], {ZEROS}, prefilter=True)", "x", "", "()", ""),
    (f"{N}map_coordinates(x, places, output=[None], order=3, {ZEROS}, prefilter=True)", "x", *ANY_ORDER),
    (f"{N}map_coordinates(x, places, output=[None], order=3, {CONSTANT}, prefilter=True)", "x - cval", *ANY_ORDER),
    ("image_slope(x, places, mode='constant', nu=(), order=1, prefilter=True)", "x", ", nu, order, prefilter", "nu", ", order, prefilter"),
)
for primal, image, how, nu, rest in FORMS:
    along = f"image_slope({image}, places, mode, raised({nu}, j, places){rest})"
    structural(primal,  x=f"cast(image_adjoint(g, x, places, mode{how}), x)",  places=f"cast(image_places_adjoint(g, {image}, places, mode{how}), places)",
               x_dot=f"image_slope(x_dot, places, mode{how})",                 places_dot=f"sum([places_dot[j] * {along} for j in range(len(places))])")
HOW = "nu, order, prefilter"
structural("image_adjoint(h, x, places, mode='constant', nu=(), order=1, prefilter=True)",  x="0",  h=f"image_slope(g, places, mode, {HOW})",
           places=f"image_places_adjoint(h, g, places, mode, {HOW})",  h_dot=f"image_adjoint(h_dot, x, places, mode, {HOW})",
           places_dot="sum([image_adjoint(h * places_dot[j], x, places, mode, raised(nu, j, places), order, prefilter) for j in range(len(places))])")
# fmt: on
_OF_TRUTHS = "closing dilation erosion fill_holes hit_or_miss opening propagation"
constant(*(f"scipy.ndimage.binary_{name}" for name in _OF_TRUTHS.split()), tried=True)
