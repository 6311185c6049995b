"""Lists of objects and dicts as arguments that are indexed by what is computed: meshes, trusses, graphs, molecules.

The first line makes the lists of their entries: nodes_x, nodes_y = [nodes[0].x, nodes[1].x], [nodes[0].y, nodes[1].y].
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from every_mode import kept_in, named
from numeric import assert_close, numeric_gradient

from tangentish import NotDifferentiable, grad, hvp, jvp


@dataclass
class Node:
    x: float
    y: float
    held: bool = False
    load: float | None = None
    near: tuple[int, ...] = ()

    def squared(self):
        return 0.0 if self.held else self.x**2

    def away(self, other):
        return np.hypot(self.x - other.x, self.y - other.y)


@dataclass
class Bar:
    i: int
    j: int
    stiffness: float

    def energy(self, nodes):
        a, b = nodes[self.i], nodes[self.j]
        return a.away(b) * self.stiffness


class Truss:
    def __init__(self, nodes, bars):
        self.nodes, self.bars = nodes, bars

    def energy(self):
        return sum(b.energy(self.nodes) for b in self.bars)


FUNCTIONS: list[Callable[..., Any]] = []
BARS = [Bar(0, 1, 1.0), Bar(1, 2, 2.0), Bar(0, 2, 1.5)]


def nodes_at(x):
    """Three nodes of six numbers."""
    return [
        Node(x[0], x[1], near=(1,)),
        Node(x[2], x[3], True, 3.0, (0, 2)),
        Node(x[4], x[5], False, 5.0, (1,)),
    ]


@kept_in(FUNCTIONS)
def along_a_range(nodes):
    s = 0.0
    for i in range(len(nodes) - 1):
        p, q = nodes[i], nodes[i + 1]
        s += np.hypot(p.x - q.x, p.y - q.y)
    return s


@kept_in(FUNCTIONS)
def by_connectivity(nodes):
    s = 0.0
    for b in BARS:
        s += b.stiffness * np.hypot(nodes[b.i].x - nodes[b.j].x, nodes[b.i].y - nodes[b.j].y)
    return s


@kept_in(FUNCTIONS)
def beside_a_loop_over_them(nodes):
    s = 0.0
    for n in nodes:
        for j in n.near:
            s += (n.x - nodes[j].y) ** 2
    return s * sum(nodes[j].x for j in nodes[1].near)


@kept_in(FUNCTIONS)
def methods_of_elements(nodes):
    s = 0.0
    for i in range(len(nodes)):
        s += nodes[i].squared() * nodes[i - 1].away(nodes[i])
    return s


@kept_in(FUNCTIONS)
def entries_that_may_be_none(nodes):
    s = 0.0
    for i in range(len(nodes)):
        if nodes[i].load is not None:
            s += nodes[i].load * nodes[i].x
    return s


@kept_in(FUNCTIONS)
def stored_to(nodes):
    for i in range(len(nodes) - 1):
        nodes[i + 1].x = nodes[i].x * nodes[i + 1].y
    return sum(n.x for n in nodes) * nodes[-1].y


@kept_in(FUNCTIONS)
def that_grows(nodes):
    for i in range(2):
        nodes.append(Node(nodes[i].x * nodes[-1].y, 1.0))
    return sum(n.x for n in nodes)


@kept_in(FUNCTIONS)
def the_greatest(nodes):
    best = max(nodes, key=lambda n: n.x)
    k = nodes[1].near[0]
    return best.y * nodes[k].x


@kept_in(FUNCTIONS)
def no_trips(nodes):
    s = nodes[0].x
    for i in range(len(nodes) - 3):
        s += nodes[i].y
    return s


@pytest.mark.parametrize("function", FUNCTIONS, ids=named)
def test_lists_of_objects(function: Callable[..., Any]) -> None:
    x = np.array([0.7, 0.4, 0.9, 1.55, 0.3, 1.2])
    v = np.array([0.3, -1.0, 0.5, 0.2, 0.7, -0.4])

    def at(z: np.ndarray) -> Any:
        return function(nodes_at(z))

    def gradient(z: np.ndarray) -> np.ndarray:
        return numbers_of(grad(function)(nodes_at(z)))

    numeric = numeric_gradient(at, (x,), 0, 1.0)
    given = nodes_at(x)
    assert_close(numbers_of(grad(function)(given)), numeric, function.__name__)
    assert given == nodes_at(x)  # they stay as they were
    slope = jvp(function, (nodes_at(x),), (moving(v),))[1]
    assert_close(slope, numeric @ v, function.__name__)
    curved = numeric_gradient(lambda z: gradient(z) @ v, (x,), 0, 1.0)
    assert_close(numbers_of(hvp(function)(nodes_at(x), moving(v))), curved, function.__name__)


def numbers_of(nodes: list[Any]) -> np.ndarray:
    return np.array([float(value) for n in nodes for value in (n.x, n.y)])


def moving(v: np.ndarray) -> list[Any]:
    """A direction: only the places move."""
    return [
        Node(v[k], v[k + 1], None, None, None)  # type: ignore[arg-type]
        for k in (0, 2, 4)
    ]


def energy(truss):
    return truss.energy()


def test_inside_of_an_object() -> None:
    x = np.array([0.7, 0.4, 0.9, 1.55, 0.3, 1.2])
    numeric = numeric_gradient(lambda z: energy(Truss(nodes_at(z), BARS)), (x,), 0, 1.0)
    found = grad(energy)(Truss(nodes_at(x), BARS))
    assert_close(numbers_of(found.nodes), numeric, "energy")
    assert found.bars[1].stiffness == pytest.approx(np.hypot(0.6, 0.35))


def energy_of(nodes, bars):
    return sum(b.energy(nodes) for b in bars)


def test_the_text() -> None:
    text = grad(energy_of).source(nodes_at(np.arange(6.0)), BARS)
    assert "nodes_x, nodes_y" in text and "[nodes[0].x, nodes[1].x, nodes[2].x]" in text
    assert "nodes_x[k]" in text


def doubled(nodes, others, k):
    nodes[k].x = nodes[k].y * 2
    return others[0].x * nodes[k].x


def product(nodes, others, k):
    return others[0].x * nodes[k].x


def test_objects_that_two_arguments_hold() -> None:
    """What is stored to is made of copies, so that nobody else may hold it."""
    nodes = nodes_at(np.arange(6.0))
    with pytest.raises(ValueError, match="share"):
        grad(doubled)(nodes, [nodes[1]], 1)
    assert grad(product)(nodes, [nodes[1]], 1)[1].x == 2.0


def mixed(items, k):
    return items[k].x


def test_elements_of_several_forms() -> None:
    with pytest.raises(NotDifferentiable, match="by literals only here: index np.array"):
        grad(mixed)([Node(1.0, 2.0), Bar(0, 1, 1.0)], 0)


def weights(items, k):
    return np.sum(items[k]["w"]) * items[0]["b"]


@pytest.mark.parametrize(
    ("one", "other"), [(0.2, [0.3, 0.4]), ([[0.3]], [0.3]), ((0.1, [0.2]), (0.3, 0.4))]
)
def test_entries_of_several_forms(one, other) -> None:
    """The lists of entries are made on a line of nobody's, and the refusal is where they are needed."""
    with pytest.raises(NotDifferentiable, match="under one key or name") as caught:
        grad(weights)([{"w": one, "b": 0.7}, {"w": other, "b": 0.9}], 1)
    assert "np.sum(items[k]" in str(caught.value.text)
