"""Cosine and sine transforms of all types: each is, but for what the ends count, the transpose of another one.

A transform that is orthogonal has its inverse for a transpose, whatever its type is; one that is so but for its scale
(orthogonalize=True) has that of the other type.
"""

from __future__ import annotations

from collections.abc import Mapping

from tangentish.rules.laws import multilinear

OTHER = {1: 1, 2: 3, 3: 2, 4: 4}
"""Type of a transform -> that of the transposed one, and of its inverse."""

BEFORE = {("dct", 1): "2, 2", ("dct", 2): "2, 1", ("dst", 2): "1, 2"}
AFTER = {("dct", 1): "0.5, 0.5", ("dct", 3): "0.5, 1", ("dst", 3): "1, 0.5"}
"""What the ends count before and after the transposed transform, where they don't count 1."""

PAIRS = {"dct": "idct", "idct": "dct", "dst": "idst", "idst": "dst"}


# fmt: off
def cosines(module: str, shape: str, ways: Mapping[str, tuple[str, bool]]) -> None:
    """The rows of a module.

    shape: what it calls the lengths along several axes; ways: what else a transform may be told -> what its transpose
    is told then, and whether the ends count otherwise.
    """
    for name, back in PAIRS.items():
        rows(f"{module}.{name}(x, type=2, {{}}, norm=['ortho'])", shape, f"{module}.{back}(g, type, axis={{}}, norm='ortho')")
        for kind, other in OTHER.items():
            own = (name[-3:], kind if name in ("dct", "dst") else other)
            for told, (how, counts) in ways.items():
                before = f"weigh_ends(g, {BEFORE[own]}, {{0}})" if counts and own in BEFORE else "g"
                turned = f"{module}.{name}({before}, {other}, axis={{0}}{how})"
                after = f"weigh_ends({turned}, {AFTER[own]}, {{0}})" if counts and own in AFTER else turned
                rows(f"{module}.{name}(x, type=[{kind}], {{}}, {told})", shape, after)


def rows(primal: str, shape: str, turned: str) -> None:
    """Those along an axis, and along several: of data as they are, and of what is cut off, or filled up, first."""
    row(primal, "n=[None], axis=-1",  turned.format("axis"))
    row(primal, "n=n, axis=-1",       f"resized({turned.format('axis')}, x, axis)")
    primal, turned = (text.replace("dct(", "dctn(").replace("dst(", "dstn(").replace("axis=", "axes=") for text in (primal, turned))
    axes = f"transformed_axes(g, {shape}, axes)"
    row(primal, f"{shape}=[None], axes=None",   turned.format("axes"))
    row(primal, f"{shape}={shape}, axes=None",  f"resized({turned.format(axes)}, x, {axes})")


def row(primal: str, lengths: str, adjoint: str) -> None:
    multilinear(primal.format(lengths),  x=adjoint)
# fmt: on
