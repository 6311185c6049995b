"""What carries no derivative: piecewise constant functions, questions, constructors, draws."""

from __future__ import annotations

import numpy as np

from tangentish.rules.laws import constant, constant_attribute, constructor, draw, method
from tangentish.rules.registry import CONSTANT

# Operators by the names of their ast classes.
_OPERATORS = """
    FloorDiv BitAnd BitOr BitXor Invert LShift RShift Not Eq NotEq Lt LtE Gt GtE Is IsNot In NotIn
"""
CONSTANT |= set(_OPERATORS.split())

_NUMPY = """
    floor ceil trunc rint fix round around sign signbit floor_divide
    argmax argmin argsort argpartition argwhere nonzero flatnonzero count_nonzero searchsorted digitize lexsort
    nanargmax nanargmin unravel_index ravel_multi_index
    any all isnan isinf isfinite isposinf isneginf isclose allclose array_equal array_equiv isin
    isreal isrealobj iscomplex iscomplexobj isscalar
    equal not_equal less less_equal greater greater_equal logical_and logical_or logical_not logical_xor
    bitwise_and bitwise_or bitwise_xor invert left_shift right_shift gcd lcm
    shape ndim size dtype issubdtype result_type common_type promote_types can_cast min_scalar_type iinfo
    shares_memory may_share_memory spacing
    intersect1d union1d setdiff1d setxor1d
    bitwise_count isnat isdtype iterable isfortran einsum_path linalg.matrix_rank
    ma.getmask ma.is_masked ma.isMaskedArray
    int8 int16 int32 int64 uint8 uint16 uint32 uint64 intp longlong ulonglong bool_
"""
constant(*(f"np.{name}" for name in _NUMPY.split() if hasattr(np, name.partition(".")[0])))
_PYTHON = """
    int bool round any all len str repr format hash id isinstance issubclass type callable hasattr print range
"""
constant(*_PYTHON.split())
constant("is_sequence", "is_mapping")
_MATH = "floor ceil trunc isnan isinf isfinite isclose gcd factorial comb"
constant(*(f"math.{name}" for name in _MATH.split()))
_OPERATOR = "lt le eq ne gt ge floordiv not_ truth is_ is_not index contains"
constant(*(f"operator.{name}" for name in _OPERATOR.split()))
constant(*(f"bisect.{name}" for name in ("bisect", "bisect_left", "bisect_right")))
constant_attribute(
    "shape",
    "ndim",
    "size",
    "dtype",
    "itemsize",
    "nbytes",
    "strides",
    "flags",
    "device",
    "__class__",
)
constant("np.ndarray.__array_namespace__")
method("np.ndarray.__array_namespace__", "__array_namespace__")

_CONSTRUCTORS = """
    zeros ones empty zeros_like ones_like empty_like eye identity arange mgrid ogrid indices ix_ tri
    triu_indices tril_indices triu_indices_from tril_indices_from diag_indices diag_indices_from mask_indices
    ndindex broadcast_shapes finfo errstate printoptions seterr set_printoptions fromstring
    hanning hamming bartlett blackman kaiser
    polynomial.chebyshev.chebgauss polynomial.hermite.hermgauss polynomial.hermite_e.hermegauss
    polynomial.laguerre.laggauss polynomial.legendre.leggauss
"""
constructor(*(f"np.{name}" for name in _CONSTRUCTORS.split()))

_RANDOM = [name for name, f in vars(np.random).items() if callable(f) and not name.startswith("_")]
draw(*(f"np.random.{name}" for name in _RANDOM))
