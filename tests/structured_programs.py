"""Functions of structured arguments, as users write them, with arguments to differentiate them at."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

RNG = np.random.default_rng(5)
X = RNG.normal(size=(4, 3))
Y = RNG.normal(size=(4, 2))
W = RNG.normal(size=(3, 2))
B = RNG.normal(size=2)


class Point(NamedTuple):
    w: Any
    b: Any


@dataclass
class Model:
    w: np.ndarray
    b: np.ndarray
    rate: float = 0.1
    name: str = "model"


@dataclass(frozen=True)
class Frozen:
    a: float
    inner: Point


class Base:
    def area(self, x):
        return self.scale * np.sum(x**2)


class Shape(Base):
    def __init__(self, scale: float) -> None:
        self.scale = scale

    def area(self, x):
        return super().area(x) * self.scale


class Net:
    """A class as it stands in many a script: attributes, methods that call each other, a property."""

    gain = 0.5

    def __init__(self) -> None:
        self.w = W.copy()
        self.b = B.copy()
        self.layers = 2
        self.scale = 1.5

    def forward(self, x):
        return np.tanh(x @ self.w + self.b) * self.scale

    @property
    def penalty(self):
        return np.sum(self.w**2)

    @staticmethod
    def squares(r):
        return np.sum(r**2)

    def loss(self, x, y):
        return self.squares(self.forward(x) - y) + self.penalty * self.layers * self.gain


def dict_of_weights(p, x, y):
    return np.sum((np.tanh(x @ p["w"] + p["b"]) - y) ** 2) * p["n"]


def tuple_unpacked(p, x, y):
    w, b = p
    return np.sum((np.tanh(x @ w + b) - y) ** 2)


def layers_run_over(layers, x):
    for w, b in layers:
        x = np.tanh(x @ w + b)
    return np.sum(x**2)


def layers_by_position(p, x):
    h = np.tanh(x @ p[0][0] + p[0][1])
    return np.sum(np.tanh(h @ p[1][0] + p[1][1]) ** 2)


def named_tuple(p, x):
    return np.sum(np.sin(x @ p.w) * p[1])


def data_class(m, x):
    return np.sum(np.tanh(x @ m.w + m.b)) * m.rate


def nested_objects(f, x):
    return f.a * np.sum((x @ f.inner.w) ** 2) + np.sum(f.inner.b)


def list_of_floats(xs):
    s = 0.0
    for v in xs:
        s += v**2
    return s * xs[0]


def element_written_to(p):
    p["a"][0] = p["a"][1] * 2
    return np.sum(p["a"] ** 2) * p["c"]


def _apply(p, x):
    return np.tanh(x @ p["w"] + p["b"])


def handed_on(p, x):
    return np.sum(_apply(p, x) ** 2)


def method_of_an_object(net, x, y):
    return net.loss(x, y)


def float_updated(p):
    for _ in range(3):
        p[0] = p[0] * p[1]
    return p[0] + p[1]


def two_structures(p, q):
    return p["a"] * q[0] + np.sum(p["v"] * q[1])


def branches(p, x):
    if p["a"] > 0:
        return np.sum(x * p["v"])
    return p["a"] * x[0]


def list_that_grows(xs):
    xs.append(xs[0] * xs[1])
    return sum(xs) * xs[-1]


def unused_parts(p, x):
    return np.sum(x) * p[0]


def entry_stored_to(p):
    y = p["a"] * p["b"]
    p["a"] = 5.0
    return y * p["a"] * p["b"]


def inherited(shape, x):
    other = shape
    return other.area(x) + shape.scale


def object_in_a_dict(p, x):
    return p["shape"].area(x) * p["shape"].scale


def lists_of_an_argument_grow(record, x):
    history = record["history"]
    for v in x:
        history.append(v * history[-1])
    record["pair"][0].append(x[0] * x[1])
    return sum(record["history"]) * record["pair"][0][-1] * len(history)


def list_of_an_object_grows(track, x):
    for v in x:
        track.seen.append(v * v)
    track.seen[0] = track.seen[0] * x[1]
    return sum(track.seen) * len(track.seen)


class Track:
    def __init__(self, *seen: float) -> None:
        self.seen = list(seen)


def looked_up_by_name(p, names, x):
    for name in names:
        x = np.tanh(p[name] * x)
    return np.sum(x)


def _layer(p, name, x):
    return np.tanh(p[name] @ x)


def layers_by_name(p, names, x):
    for name in names:
        x = _layer(p, name, x)
    return np.sum(x) + 0.1 * sum(np.sum(w**2) for w in p.values())


def layers_of_named_tuples(points, x):
    for p in points:
        x = np.tanh(x @ p[0] + p[1])
    return np.sum(x**2)


def layers_of_dicts(layers, x):
    for layer in layers:
        x = np.tanh(x @ layer["w"] + layer["b"]) * layer["scale"]
    return np.sum(x**2)


def _stepped(m, x):
    return Model(m.w - m.rate * np.outer(x, m.b), m.b * m.rate)


def object_made_anew_in_a_loop(m, x):
    for k in range(3):
        m = _stepped(m, x)
        if k > 1:
            m = Model(m.w, m.b + 1.0, m.rate * 2.0)
    return np.sum(m.w) * m.rate + np.sum(m.b)


LAYERS = [(RNG.normal(size=(3, 4)), RNG.normal(size=4)), (RNG.normal(size=(4, 2)), B.copy())]
V = RNG.normal(size=3)

CASES: dict[str, tuple[Any, tuple[Any, ...], tuple[int, ...]]] = {
    # name -> function, arguments, with respect to
    f.__name__: (f, args, wrt)
    for f, args, wrt in (
        (dict_of_weights, ({"w": W, "b": B, "n": 3}, X, Y), (0,)),
        (tuple_unpacked, ((W, B), X, Y), (0, 1)),
        (layers_run_over, (LAYERS, X), (0, 1)),
        (layers_of_named_tuples, ([Point(*layer) for layer in LAYERS], X), (0, 1)),
        (layers_of_dicts, ([{"w": w, "b": b, "scale": 1.5} for w, b in LAYERS], X), (0,)),
        (layers_by_position, (LAYERS, X), (0,)),
        (named_tuple, (Point(W, B), X), (0,)),
        (data_class, (Model(W, B), X), (0, 1)),
        (nested_objects, (Frozen(2.0, Point(W, B)), X), (0,)),
        (list_of_floats, ([1.0, 2.0, 3.0],), (0,)),
        (element_written_to, ({"a": V, "c": 2.0},), (0,)),
        (handed_on, ({"w": W, "b": B}, X), (0, 1)),
        (method_of_an_object, (Net(), X, Y), (0, 1)),
        (float_updated, ([1.5, 0.5],), (0,)),
        (two_structures, ({"a": 2.0, "v": V}, (3.0, V * 2)), (0, 1)),
        (branches, ({"a": 0.5, "v": V}, V), (0, 1)),
        (list_that_grows, ([1.5, 0.5],), (0,)),
        (entry_stored_to, ({"a": 2.0, "b": 0.7},), (0,)),
        (inherited, (Shape(1.5), V), (0, 1)),
        (object_in_a_dict, ({"shape": Shape(1.5)}, V), (0,)),
        (unused_parts, ((2.0, V, None, "x"), V), (0,)),
        (looked_up_by_name, ({"a": V + 1, "b": V * 2}, ["a", "b", "a"], V), (0, 2)),
        (layers_by_name, ({"in": W.T.copy(), "out": W.copy()}, ["in", "out"], V), (0, 2)),
        (lists_of_an_argument_grow, ({"history": [1.5], "pair": ([0.5], 2.0)}, V), (1,)),
        (list_of_an_object_grows, (Track(1.5, 0.5), V), (1,)),
        (object_made_anew_in_a_loop, (Model(W, B), V), (0, 1)),
    )
}
