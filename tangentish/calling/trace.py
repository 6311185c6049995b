"""What happens in one call: every value that a line binds beside its gradient, as a table."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import FunctionType
from typing import Any

import numpy as np

from tangentish.asking.asked import Asked
from tangentish.asking.wrt import carries_derivative, float_positions
from tangentish.calling.dispatch import Derivative
from tangentish.errors import NotDifferentiable
from tangentish.kinds.plain_containers import DICTS
from tangentish.language.binding import parameter_names
from tangentish.text.noting import Noting

MOST_ROWS = 100  # that are shown; `rows` has all
WIDTH = 36  # of a value
HEADINGS = ("line", "name", "value", "gradient")


@dataclass(frozen=True)
class Row:
    """One value: the line that bound it (None for an argument), its name, itself, and its gradient, if any."""

    line: int | None
    name: str
    value: Any
    gradient: Any
    text: str = ""


@dataclass(frozen=True)
class Trace:
    """The values and gradients of one call, in the order in which they were bound.

    Printed it is a table, in a notebook, too. Below it stands where nan first came up on the way there, and on the
    way back. `rows` holds the values themselves, as they were when they were bound.
    """

    name: str
    rows: tuple[Row, ...]

    @property
    def first_nan_value(self) -> Row | None:
        """The first value that holds nan."""
        return next((row for row in self.rows if _has_nan(row.value)), None)

    @property
    def first_nan_gradient(self) -> Row | None:
        """The first gradient, on the way back, that holds nan."""
        return next((row for row in reversed(self.rows) if _has_nan(row.gradient)), None)

    def __str__(self) -> str:
        cells = [HEADINGS, *map(_cells, self._shown())]
        widths = [max(len(row[k]) for row in cells) for k in range(len(HEADINGS))]
        lines = ["  ".join(map(str.ljust, row, widths)).rstrip() for row in cells]
        lines.insert(1, "  ".join("-" * width for width in widths))
        if len(self.rows) > MOST_ROWS:
            lines.insert(2 + MOST_ROWS // 2, f"... {len(self.rows) - MOST_ROWS} rows left out ...")
        return "\n".join([*lines, *self._remarks()])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        def line(tag: str, cells: Sequence[str]) -> str:
            inside = "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in cells)
            return f"<tr>{inside}</tr>"

        body = "".join(line("td", _cells(row)) for row in self._shown())
        remarks = "".join(f"<p>{html.escape(remark)}</p>" for remark in self._remarks())
        return f"<table><thead>{line('th', HEADINGS)}</thead><tbody>{body}</tbody></table>{remarks}"

    def _shown(self) -> Sequence[Row]:
        if len(self.rows) <= MOST_ROWS:
            return self.rows
        return (*self.rows[: MOST_ROWS // 2], *self.rows[-(MOST_ROWS - MOST_ROWS // 2) :])

    def _remarks(self) -> list[str]:
        found = (("value", self.first_nan_value), ("gradient", self.first_nan_gradient))
        remarks = [
            f"nan first in the {what} of {_place(row)}" for what, row in found if row is not None
        ]
        last = self.last_gradient_without_nan
        return (
            remarks
            if last is None
            else [*remarks, f"the gradient before it, that of {_place(last)}, has no nan"]
        )

    @property
    def last_gradient_without_nan(self) -> Row | None:
        """The gradient before the first that holds nan, on the way back: nan comes up after that."""
        before: Row | None = None
        for row in reversed(self.rows):
            if _has_nan(row.gradient):
                return before
            before = row if row.gradient is not None else before
        return None


@dataclass(frozen=True)
class Tracer:
    """`f.trace`: called like the function, it gives a `Trace`."""

    function: FunctionType
    asked: Asked
    skipped: int = 0

    def __call__(self, *args: Any, **kwargs: Any) -> Trace:
        """The table of one call, with the gradients of all arguments of floats.

        Raises what the gradient raises: NotDifferentiable, TypeError for several outputs, what the function raises.
        """
        values = Derivative(self.function, self.asked, self.skipped).values(*args, **kwargs)
        wrt = float_positions(self.function, values)
        plain = tuple(k for k in wrt if carries_derivative(values[k]))
        try:
            return self.along(wrt, values, args, kwargs)
        except NotDifferentiable:
            if plain in (wrt, ()):
                raise
            return self.along(plain, values, args, kwargs)  # structures that are options

    def along(
        self, wrt: tuple[int, ...], values: tuple[Any, ...], args: Any, kwargs: Mapping[str, Any]
    ) -> Trace:
        """The table with gradients of some of the arguments."""
        noting = Noting()
        asked = Asked("value_and_grad", wrt, noting=noting, training=self.asked.training)
        gradient: Derivative[..., Any] = Derivative(self.function, asked, self.skipped)
        result, gradients = gradient(*args, **kwargs)
        names = parameter_names(self.function)
        given = dict(zip(wrt, gradients, strict=True))
        rows = [
            Row(None, name, value, given.get(k))
            for k, (name, value) in enumerate(zip(names, values))
        ]
        rows += [
            Row(n.place.line, n.place.name, n.value, n.gradient, n.place.text)
            for n in noting.notes
            if not isinstance(
                n.value, type
            )  # what stands for an object, whose attributes have rows
        ]
        head = np.ones_like(result)[()] if np.ndim(result) == 0 else np.ones_like(result)
        rows.append(Row(None, "return", result, head))
        return Trace(self.function.__qualname__, tuple(rows[self.skipped :]))


def _place(row: Row) -> str:
    where = "" if row.line is None else f" at line {row.line}: {row.text}"
    return f"{row.name}{where}"


def _cells(row: Row) -> tuple[str, str, str, str]:
    line = "" if row.line is None else str(row.line)
    return line, row.name, _short(row.value), "" if row.gradient is None else _short(row.gradient)


def _short(value: Any) -> str:
    if isinstance(value, np.ndarray):
        text = np.array2string(value, precision=4, threshold=6, edgeitems=2, separator=", ")
        text = " ".join(text.split())
        return text if len(text) <= WIDTH else f"{value.dtype} array of shape {value.shape}"
    text = _on_one_line(value)
    return text if len(text) <= WIDTH else text[: WIDTH - 3] + "..."


def _on_one_line(value: Any) -> str:
    """A number by its digits, a container by what is in it, anything else by its repr."""
    if isinstance(value, (float, np.floating)):
        return f"{value:.6g}"
    if isinstance(value, np.ndarray):
        return _short(value)
    if type(value) in DICTS:
        return "{" + ", ".join(f"{key!r}: {_on_one_line(v)}" for key, v in value.items()) + "}"
    if type(value) in (list, tuple):
        inside = ", ".join(map(_on_one_line, value))
        single = "," if type(value) is tuple and len(value) == 1 else ""
        return f"[{inside}]" if type(value) is list else f"({inside}{single})"
    return " ".join(repr(value).split())


def _has_nan(value: Any) -> bool:
    if isinstance(value, (list, tuple)):
        return any(map(_has_nan, value))
    is_float = isinstance(value, (float, np.floating)) or (
        isinstance(value, np.ndarray) and value.dtype.kind in "fc"
    )
    return is_float and bool(np.isnan(value).any())
