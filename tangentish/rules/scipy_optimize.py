"""scipy.optimize: Rosenbrock's function, and assignments, which jump."""

from __future__ import annotations

from tangentish.rules.laws import constant, structural

# fmt: off
structural ("scipy.optimize.rosen(x)", ranks=(1,), thin=True,  x="g * cast(scipy.optimize.rosen_der(x), x)",
            x_dot="np.dot(scipy.optimize.rosen_der(x), x_dot)")
structural ("scipy.optimize.rosen_der(x)", ranks=(1,),         x="cast(scipy.optimize.rosen_hess_prod(x, g), x)",
            x_dot="scipy.optimize.rosen_hess_prod(x, x_dot)")
# Quadratic in x, so that its differences are exact, and symmetric in p and what x moves along.
BENT = "(scipy.optimize.rosen_hess_prod(x + {0}, p) - scipy.optimize.rosen_hess_prod(x - {0}, p)) / 2"
structural ("scipy.optimize.rosen_hess_prod(x, p)", ranks=(1, 1),  x=f"cast({BENT.format('g')}, x)",  p="cast(scipy.optimize.rosen_hess_prod(x, g), p)",
            x_dot=BENT.format("x_dot"),  p_dot="scipy.optimize.rosen_hess_prod(x, p_dot)")
# fmt: on
constant("scipy.optimize.linear_sum_assignment", tried=True)
