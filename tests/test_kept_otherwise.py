"""Values kept in a form that no derivative follows: texts, slices, keys, classes made by `type`. None is lost; they are refused."""

from __future__ import annotations

import io
import logging
import re

import numpy as np
import pytest
from every_mode import check_along, check_refused
from test_refusals import function_of

X, X_DOT = np.array([0.7, 1.3, -0.4, 2.1]), np.array([1.0, -2.0, 0.5, 0.3])

TEXT = "this reads numbers of a text that is made of differentiated values"
CLASS = "a class that type() makes of what varies is not followed"
READS = {
    "float(str(x[0]))": TEXT,
    "float(repr(float(x[0])))": TEXT,
    "float('%.17g' % x[0])": TEXT,
    "float('%.17g' % (x[0],))": TEXT,
    "float(f'{x[0]:.17g}')": TEXT,
    "float('{:.17g}'.format(x[0]))": TEXT,
    "float(format(x[0], '.17g'))": TEXT,
    "np.float64(str(x[0]))": TEXT,
    "float('' + str(x[0]))": TEXT,
    "float(str(x[0]).strip()[:9])": TEXT,
    "float(','.join([str(v) for v in x]).split(',')[0])": TEXT,
    "list(map(float, f'{x[0]},{x[1]}'.split(',')))[0]": TEXT,
    "np.array(f'{x[0]} {x[1]}'.split(), dtype=float)[0]": TEXT,
    "float({'a': str(x[0])}['a'])": TEXT,
    "float(str(x[0]) if x[0] > 0 else '1.0')": TEXT,
    "read(str(x[0]))": TEXT,
    "float(written(x[0]))": TEXT,
    "float(io.StringIO(str(x[0])).read())": TEXT,
    "np.loadtxt(io.StringIO(str(x[0])))": TEXT,
    "float(re.match('.*', str(x[0])).group(0))": TEXT,
    "sum(float(s) for s in re.findall('[0-9.]+', str(x[0])))": TEXT,
    "sum(float(k) for k in {str(v): 1.0 for v in x})": TEXT,
    "float(max(str(v) for v in x))": TEXT,
    "float(bytes(str(x[0]), 'ascii'))": TEXT,
    "float(str(x[0]).encode())": TEXT,
    "float(''.join(reversed(str(x[0]))))": TEXT,
    "int(str(x[0]).split('.')[1])": TEXT,
    "x.astype(str).astype(float)[0]": TEXT,
    "np.asarray(x.astype('U32'), dtype=float)[0]": TEXT,
    "np.array(np.array(x, dtype=str), dtype=float)[0]": TEXT,
    "slice(x[0], 2).start": "a slice keeps what varies",
    "type('C', (), {'k': x[0]}).k": CLASS,
    "type('C', (), {'k': lambda self: x[0]})().k()": CLASS,
    "list({x[0]: 1})[0]": "keys of this dict carry a derivative themselves",
    "max({x[0]: 1})": "a dict of differentiated values whose keys are computed",
    "next(iter({x[0]: 1}))": "keys of this dict carry a derivative themselves",
    "sum(k for k, v in {x[0]: 2.0}.items())": "keys of this dict carry a derivative themselves",
}


def written(v):
    return f"{v:.17g}"


def read(text):
    return float(text)


@pytest.mark.parametrize("value", READS)
def test_refused(value: str) -> None:
    f = function_of(
        f"def f(x):\n    return {value} * x[1]\n", read=read, written=written, re=re, io=io
    )
    check_refused(f, READS[value], X)


LINES = {
    "text that is bound on one way": ("t = '1.0'\nif x[0] > 0: t = str(x[0])", "float(t)"),
    "text that is added to": ("t = ''\nt += str(x[0])", "float(t)"),
    "text that is written": ("b = io.StringIO()\nb.write(str(x[0]))", "float(b.getvalue())"),
    "text of an exception": (
        "try: raise ValueError(str(x[0]))\nexcept ValueError as e: t = str(e)",
        "float(t)",
    ),
    "text that an exception holds": (
        "try: raise ValueError(str(x[0]))\nexcept ValueError as e: t = e.args[0]",
        "float(t)",
    ),
    "text that is unpacked": ("a, b = f'{x[0]},{x[1]}'.split(',')", "float(a)"),
    "text that is appended": ("t = []\nt.append(str(x[0]))", "float(t[0])"),
    "key that is stored under": ("d = {}\nd[x[0]] = 1.0", "list(d)[0]"),
    "key in a tuple": ("d = {}\nd[x[0], 1] = 1.0", "list(d)[0][0]"),
    "class of what varies later": (
        "c = 2.0\nq = type('C', (), {'k': lambda self: c})()\nc = x[0]",
        "q.k()",
    ),
}


@pytest.mark.parametrize("name", LINES)
def test_lines_refused(name: str) -> None:
    lines, value = LINES[name]
    body = "".join(f"    {line}\n" for line in lines.splitlines())
    check_refused(
        function_of(f"def f(x):\n{body}    return {value} * x[1]\n", io=io),
        "",
        X,
    )


def test_texts_that_are_shown() -> None:
    """Messages and labels may be made of what varies."""

    def function(x):
        text = f"x {x[0]} " + str(x)
        logging.getLogger("quiet").debug("at %s", text)
        lines = []
        for v in x:
            lines.append("v %g" % v)
        if x[0] > 100:
            raise ValueError(f"too large: {x[0]}")
        assert x[0] < 100, "too large: " + str(x[0])
        names = {f"w{k}": x[k] for k in range(3)}
        scales = {x[0]: 2.0, x[1]: 3.0}
        return names["w1"] * x[0] * len(lines) * scales[x[1]]

    check_along(function, X, X_DOT)


def test_buffers_and_exceptions_that_are_shown() -> None:
    def function(x):
        shown = io.StringIO()
        shown.write(", ".join(f"{v:.2f}" for v in x))
        print(shown.getvalue(), file=io.StringIO())
        try:
            if x[0] > 0:
                raise ValueError(f"too large: {x[0]}")
        except ValueError as error:
            logging.getLogger("quiet").debug("%s", error)
        return x @ x

    check_along(function, X, X_DOT)
