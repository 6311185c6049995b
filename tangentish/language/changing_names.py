"""The names of methods and functions that change what they are given, where nothing but their names is known."""

from __future__ import annotations

GROWING = frozenset({"add", "append", "appendleft", "extend", "insert", "setdefault"})
"""Methods that put one thing, or several, into a list, a dict, a set or a deque."""

OF_CONTAINERS = GROWING | {
    "clear", "discard", "extendleft", "pop", "popitem", "popleft", "remove", "reverse", "rotate", "update",
}  # fmt: skip
"""Methods that lists, dicts, sets and deques have, and arrays have not."""

OF_ARRAYS = frozenset(
    {"byteswap", "fill", "partition", "put", "resize", "setfield", "setflags", "sort"}
)
"""Methods of arrays."""

FUNCTIONS = frozenset({"copyto", "fill_diagonal", "place", "put", "put_along_axis", "putmask"})
"""Functions of NumPy that write into their first argument."""

DRAWING = frozenset({
    "betavariate", "binomial", "chisquare", "choice", "choices", "dirichlet", "expovariate",
    "exponential", "gammavariate", "gauss", "geometric", "getrandbits", "gumbel", "hypergeometric", "integers",
    "laplace", "logistic", "lognormal", "lognormvariate", "multinomial", "multivariate_normal", "normal",
    "normalvariate", "pareto", "paretovariate", "permutation", "permuted", "poisson", "rand", "randint",
    "randn", "random", "random_sample", "randrange", "ranf", "rayleigh", "rvs", "sample", "standard_cauchy",
    "standard_exponential", "standard_gamma", "standard_normal", "standard_t", "triangular", "uniform",
    "vonmisesvariate", "wald", "weibull", "weibullvariate", "zipf",
})  # fmt: skip
"""Methods of generators of random numbers, but those that are names of other functions as well (`gamma`)."""

READING_ON = frozenset({"read", "readline", "readlines"})
"""Methods of files, which go on where the last one stopped."""
