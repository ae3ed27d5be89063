"""Assumptions 3.1-3.4, 5.1 and 5.2."""

from sympy import Le

from workbench import Assumption
from workbench import vocabulary as v

SMOOTH = Assumption("5.1", "$f$ is $L$-smooth and bounded below.", (v.L,), "L52, L156-158")

NOISE = Assumption(
    "5.2",
    r"The gradient oracle is unbiased, and its error has norm in $[\underline{\sigma}, \bar{\sigma}]$ almost surely.",
    (v.sigma_low, v.sigma_bar),
    "L160-162",
    (Le(v.sigma_low, v.sigma_bar),),
)

MINIMAX_SMOOTH = Assumption(
    "3.1",
    r"$f$ is $L$-smooth in $(x, y)$ jointly, $f(x, \cdot)$ is $\mu$-strongly concave, $\Phi$ is bounded below.",
    (v.L, v.mu),
    "L52, L58-60",
    (Le(v.mu, v.L),),
)

MINIMAX_NOISE = Assumption(
    "3.2",
    r"The gradient oracle is unbiased; almost surely its $x$ part has error norm in $[\underline{\sigma}_x, "
    r"\bar{\sigma}_x]$ and its $y$ part at most $\sigma_y$.",
    (v.sigma_x_low, v.sigma_x_bar, v.sigma_y),
    "L62-64",
    (Le(v.sigma_x_low, v.sigma_x_bar),),
)

BILEVEL_SMOOTH = Assumption(
    "3.3",
    r"$f$ is $l_{f,1}$-smooth in $(x, y)$ with $\|\nabla_y f\| \le l_{f,0}$; $g(x, \cdot)$ is $\mu_g$-strongly "
    "convex, $g$ is $l_{g,1}$-smooth in $(x, y)$, and its second derivatives in $(x, y)$ and $(y, y)$ are "
    "$l_{g,2}$-Lipschitz. (The assumption writes $L$ for $l_{f,1}$ of Lemma E.1.)",
    (v.l_f0, v.l_f1, v.mu_g, v.l_g1, v.l_g2),
    "L70-72, L864-874",
    (Le(v.mu_g, v.l_g1),),
)

BILEVEL_NOISE = Assumption(
    "3.4",
    r"All estimators are unbiased; almost surely the partial gradients of $f$ err by at most $\sigma_f$, $\nabla_y g$ "
    r"by $\sigma_{g,1}$, the second derivatives of $g$ by $\sigma_{g,2}$; the Neumann estimate of the hypergradient "
    r"differs from its mean by at least $\underline{\sigma}_\phi$.",
    (v.sigma_f, v.sigma_g1, v.sigma_g2, v.sigma_phi_low),
    "L76-78",
)

ASSUMPTIONS = (MINIMAX_SMOOTH, MINIMAX_NOISE, BILEVEL_SMOOTH, BILEVEL_NOISE, SMOOTH, NOISE)
