"""The derivatives of the logarithm of the gamma function, of numbers of Python."""

from __future__ import annotations

import math

BERNOULLI = (1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6, -3617 / 510)
FAR = 20.0
"""From here on the series gives all digits."""


def polygamma(n: int, x: float) -> float:
    """The derivative n + 1 of `math.lgamma(x)`: by steps up to where the series in 1 / x ** 2 holds."""
    if n == 0 and x < -FAR:
        return polygamma(0, 1 - x) - math.pi / math.tan(math.pi * x)
    sign, steps = (-1.0) ** n, []
    while x < FAR:
        if x == 0 or (x < 0 and x == math.floor(x)):
            return math.nan  # a pole
        steps.append(sign * math.factorial(n) / x ** (n + 1))
        x = x + 1
    start = -math.log(x) if n == 0 else math.factorial(n - 1) / x**n
    terms = [
        b * math.factorial(2 * k + n - 1) / math.factorial(2 * k) / x ** (2 * k + n)
        for k, b in enumerate(BERNOULLI, 1)
    ]
    far = start + math.factorial(n) / (2 * x ** (n + 1)) + math.fsum(terms)
    return -sign * far - math.fsum(steps)
