"""Assumption 1, Conditions 1-4, and the ranges of the decay p."""

from sympy import Integer, Rational

from workbench import Assumption
from workbench import vocabulary as v

from . import constants as k

SET = Assumption("1(a)", "$X$ is convex and compact with diameter $D$.", (k.D,), "L131-133")
CONVEX = Assumption(
    "1(b)", "$F$ and $G$ are convex on $X$ and continuously differentiable near $X$.", (), "L135-137"
)
SMOOTH_F = Assumption("1(c)", r"Every $f(\cdot, \theta)$ is $L_f$-smooth near $X$.", (k.L_f,), "L139-145")
SMOOTH_G = Assumption("1(d)", r"Every $g(\cdot, \xi)$ is $L_g$-smooth near $X$.", (k.L_g,), "L147-149")
NOISE = Assumption(
    "1(e)",
    r"The gradient noises are sub-Gaussian: $\mathbb{E} \exp(\|\mathrm{noise}\|^2/\sigma^2) \le e$ with $\sigma_f$, "
    r"$\sigma_g$. An almost sure bound on the norm of the noise is admissible, and is what the forms of this project "
    "use.",
    (v.sigma_f, k.sigma_g),
    "L151-156",
)
INNER_CONVEX = Assumption(
    "1(b'), non-convex F", "As 1(b), but only $G$ needs to be convex; $F$ may be non-convex.", (), "L962"
)
FINITE_SUM = Assumption(
    "finite sum",
    "Both expectations are means over $n$ components; $S = q$ indices are drawn.",
    (k.q,),
    "L167",
)

DECREASING = Assumption("Condition 1", r"$\sigma_t > 0$ is non-increasing and tends to $0$.", (), "L476")
REGULAR = Assumption("Condition 2", r"$t (\sigma_t/\sigma_{t+1} - 1)$ has a limit $L$.", (), "L480-482")
SLOW = Assumption(
    "Condition 3",
    r"$(t+1) \sigma_{t+1}^2 > t \sigma_t^2$ for all $t \ge 0$, and $\log t = o(t \sigma_t^2)$.",
    (),
    "L485",
)
HELD = Assumption(
    "Condition 4",
    r"$\sigma_t = \sigma_0$ for $t \le q$; $(t+1) \sigma_{t+1} > t \sigma_t$ for all $t \ge 0$; "
    r"$\log t = o(t \sigma_t)$.",
    (),
    "L696",
)

HALF_RANGE, UNIT_RANGE = (
    Assumption(
        f"0 < p < {high}",
        f"The regularization decays like $t^{{-p}}$ with $p$ below ${high}$.",
        (k.p,),
        source,
        ranges={k.p: (Integer(0), high)},
    )
    for high, source in ((Rational(1, 2), "L162"), (Integer(1), "L167"))
)

SMOOTH_SET = (SET, SMOOTH_F, SMOOTH_G)
ASSUMPTIONS = (
    *SMOOTH_SET, CONVEX, NOISE, INNER_CONVEX, FINITE_SUM, DECREASING, REGULAR, SLOW, HELD, HALF_RANGE, UNIT_RANGE,
)  # fmt: skip
