"""f.trace: the values and gradients of one call, right and readable."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from corpus import PROGRAMS
from numeric import numeric_gradient

from tangentish import NotDifferentiable, differentiate, value_and_grad


@differentiate
def neuron(w, x):
    z = w[0] * x[0] + w[1] * x[1] + w[2]
    return 1 / (1 + np.exp(-z))


W, X = np.array([2.0, -3.0, -3.0]), np.array([-1.0, -2.0])


def test_the_table_of_a_neuron() -> None:
    table = neuron.trace(W, X)
    first = neuron.__wrapped__.__code__.co_firstlineno
    assert str(table).splitlines() == [
        "line  name    value            gradient",
        "----  ------  ---------------  --------------------------",
        "      w       [ 2., -3., -3.]  [-0.1966, -0.3932, 0.1966]",
        "      x       [-1., -2.]       [ 0.3932, -0.5898]",
        f"{first + 2:<4}  z       1                0.196612",
        "      return  0.731059         1",
    ]


def test_the_rows_hold_the_values_themselves() -> None:
    table = neuron.trace(W, X)
    z = table.rows[2]
    assert (z.name, z.text) == ("z", "z = w[0] * x[0] + w[1] * x[1] + w[2]")
    assert z.value == 1.0
    assert z.gradient == pytest.approx(0.19661193324148185)
    np.testing.assert_allclose(table.rows[0].gradient, neuron.grad(W, X))


@differentiate
def recurrence(a, y):
    total = 0.0
    for i in range(1, len(y)):
        y[i] = a * y[i - 1] + np.sin(y[i])
        total += y[i] ** 2
    return total


def test_every_trip_has_its_own_rows() -> None:
    table = recurrence.trace(0.5, np.array([1.0, -2.0, 3.0]))
    stored = [row for row in table.rows if row.name == "y[i]"]
    totals = [row for row in table.rows if row.name == "total"]
    assert len(stored) == 2 and len(totals) == 3
    first, second = (row.value for row in stored)
    assert stored[1].gradient == pytest.approx(2 * second)
    assert stored[0].gradient == pytest.approx(2 * first + 0.5 * 2 * second)
    np.testing.assert_array_equal(table.rows[1].value, [1.0, -2.0, 3.0])  # as it was given


@differentiate
def root_of_a_difference(x):
    y = x - 2
    z = np.sqrt(y)
    return np.sum(z * 3)


def test_where_nan_starts() -> None:
    with np.errstate(invalid="ignore"):
        table = root_of_a_difference.trace(np.array([1.0, 3.0]))
    assert table.first_nan_value is not None and table.first_nan_value.name == "z"
    assert table.first_nan_gradient is not None and table.first_nan_gradient.name == "y"
    *_, value, gradient, before = str(table).splitlines()
    assert before.startswith("the gradient before it, that of z at line "), before
    assert before.endswith(": z = np.sqrt(y), has no nan")
    assert value.startswith("nan first in the value of z at line ") and "z = np.sqrt(y)" in value
    assert gradient.startswith("nan first in the gradient of y at line ")


def test_in_a_notebook() -> None:
    page = neuron.trace(W, X)._repr_html_()
    assert page.startswith("<table>") and page.count("<tr>") == 5
    assert "<td>z</td><td>1</td><td>0.196612</td>" in page


@differentiate
def long_loop(x):
    for _ in range(200):
        x = x * 0.99
    return x


def test_long_tables_are_shortened() -> None:
    table = long_loop.trace(1.0)
    assert len(table.rows) == 202
    lines = str(table).splitlines()
    assert len(lines) == 103 and "102 rows left out" in lines[52]
    assert table.rows[1].gradient == pytest.approx(0.99**199)


class Model:
    def __init__(self) -> None:
        self.rate = 3.0

    @differentiate
    def loss(self, w):
        r = w * self.rate
        return np.sum(r**2)


def test_methods() -> None:
    table = Model().loss.trace(np.ones(2))
    assert [row.name for row in table.rows] == ["w", "r", "return"]
    np.testing.assert_array_equal(table.rows[1].gradient, [6.0, 6.0])


def test_refusals_are_those_of_the_gradient() -> None:
    @differentiate
    def refused(x):
        return eval("x")

    with pytest.raises(NotDifferentiable):
        refused.trace(1.0)
    with pytest.raises(TypeError, match="missing 1 required positional argument"):
        neuron.trace(W)


# Whatever is noted, nothing else changes.


def dump(value: Any) -> Any:
    return value.tolist() if isinstance(value, np.ndarray) else value


SAMPLE = sorted(PROGRAMS)[::4]


@pytest.mark.parametrize("name", SAMPLE)
def test_values_and_gradients_are_those_without_notes(name: str) -> None:
    program = PROGRAMS[name]
    if 0 in program.refused or program.written is not None:
        return
    result = program.function(*program.args())
    if isinstance(result, (tuple, list)) or result is None:
        return
    table = differentiate(program.function).trace(*program.args())
    value, gradients = value_and_grad(program.function, wrt=program.wrt)(*program.args())
    np.testing.assert_equal(dump(table.rows[-1].value), dump(value))
    for position, gradient in zip(program.wrt, gradients, strict=True):
        row = table.rows[position]
        if row.gradient is not None:
            np.testing.assert_allclose(row.gradient, gradient, rtol=1e-6, atol=1e-9)


def chain(x):
    u = np.sin(x) * 2
    v = u * x + np.exp(u)
    return np.sum(v**2)


def test_gradients_of_lines_are_those_of_what_follows() -> None:
    """Truth from numeric differences of the rest of the function, by the value of the line."""
    x = np.array([0.3, -0.7])
    table = differentiate(chain).trace(x)
    u = next(row for row in table.rows if row.name == "u")
    truth = numeric_gradient(lambda u: np.sum((u * x + np.exp(u)) ** 2), (u.value,), 0, 1.0)
    np.testing.assert_allclose(u.gradient, truth, rtol=1e-6)


@differentiate
def in_containers(x):
    y = {"a": x * 2, "b": np.sin(x)}
    y["c"] = y["a"] * 3
    t = (y["b"], y["c"])
    part = Part(2.0)
    part.offset += x
    return np.sum(t[0] * t[1]) * part.offset[0]


class Part:
    def __init__(self, offset):
        self.offset = offset


def test_parts_have_the_names_that_the_user_gave_them() -> None:
    table = in_containers.trace(np.array([0.5, 1.0]))
    shown = ['y["a"]', 'y["b"]', 'y["c"]', "t[0]", "t[1]", "part.offset"]
    assert [row.name for row in table.rows if row.name in shown] == shown
    assert not any(isinstance(row.value, type) for row in table.rows)


@differentiate
def of_a_dict(p):
    return p["scale"] * p["rest"][0]


def test_containers_are_shown_by_what_is_in_them() -> None:
    table = of_a_dict.trace({"scale": 2.0, "rest": [np.array([1.5])[0], 0.25]})
    shown = str(table).splitlines()[2].split("  ")
    assert [cell.strip() for cell in shown if cell.strip()][1:] == [
        "{'scale': 2, 'rest': [1.5, 0.25]}",
        "{'scale': 1.5, 'rest': [2, 0]}",
    ]
