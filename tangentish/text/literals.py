"""The texts of numbers and strings, as Python reads them back."""

from __future__ import annotations

import math

__all__ = ["number_text", "quoted"]


def number_text(value: complex) -> str:
    """The shortest text that Python reads as this number."""
    if isinstance(value, int):
        try:
            return int.__repr__(value)
        except ValueError:  # longer than Python is willing to write in decimals
            return hex(value)
    if isinstance(value, float):
        return _float_text(value)
    return _complex_text(value)


def _complex_text(value: complex) -> str:
    # Python adds the parts up, and a literal's real part is 0.0: -1j is complex(-0.0, -1.0).
    negative = math.copysign(1, value.imag) < 0
    if value.real == 0 and (math.copysign(1, value.real) < 0) == negative:
        return _float_text(value.imag, "j")
    if value.real == 0 and not negative:
        return f"-({_complex_text(-value)[1:-1]})"
    size = _float_text(abs(value.imag), "j")
    return f"({_float_text(value.real)}{'-' if negative else '+'}{size})"


def _float_text(value: float, unit: str = "") -> str:
    if math.isnan(value):
        return f"(1e309{unit} - 1e309{unit})"
    # float.__repr__, for a NumPy scalar writes np.float64(...)
    text = float.__repr__(value).replace("inf", "1e309")
    return text.removesuffix(".0") + unit if unit else text


def quoted(value: str | bytes) -> str:
    """The text of a string or bytes, in double quotes where that costs no backslash."""
    text = repr(value)
    start = text.index(text[-1])
    if text[-1] == "'" and '"' not in text:
        return f'{text[:start]}"{text[start + 1 : -1]}"'
    return text
