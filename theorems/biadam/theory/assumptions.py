"""Assumptions 1-7, and the conditions on parameters as functions of the extreme values of a chain."""

from sympy import Expr, Ge, Gt, Le, Rational, Symbol

from workbench.theory import Assumption, Condition, Definition, expansion

from . import symbols as s

CURVATURE = Assumption(
    "1",
    r"For every $x$ and every sample $\zeta$, $\mu I \preceq \nabla^2_{yy} g(x, y; \zeta) \preceq L_g I$.",
    (s.mu_g, s.L_g),
    "L17",
    (Le(s.mu_g, s.L_g),),
)
LIPSCHITZ = Assumption(
    "2",
    r"$\nabla_x f$ and $\nabla_y f$ are $L_f$-, $\nabla_y g$ is $L_g$-, $\nabla^2_{xy} g$ is $L_{gxy}$- and "
    r"$\nabla^2_{yy} g$ is $L_{gyy}$-Lipschitz, each in $x$ and in $y$ separately.",
    (s.L_f, s.L_g, s.L_gxy, s.L_gyy),
    "L17",
)
SAMPLES = Assumption(
    "3",
    r"Assumption 2 for every sample: $f(\cdot; \xi)$ and $g(\cdot; \zeta)$ in place of $f$ and $g$.",
    (s.L_f, s.L_g, s.L_gxy, s.L_gyy),
    "L17",
)
BOUNDED = Assumption(
    "4",
    r"$\|\nabla_y f(x, y)\| \le C_{fy}$ and $\|\nabla^2_{xy} g(x, y)\| \le C_{gxy}$.",
    (s.C_fy, s.C_gxy),
    "L17",
)
UNBIASED = Assumption(
    "5",
    r"All sampled first and second derivatives are unbiased with variance at most $\sigma^2$. (The theorems do not "
    r"list it; Lemma 3, by which $\|R\| \le 1/T$, needs that they are unbiased.)",
    (s.sigma_fy, s.sigma_gxy),
    "L17",
)
ESTIMATES = Assumption(
    "6",
    r"The estimate (6) has mean $\nabla f + R$ and variance at most $\sigma^2$, $\nabla_y g(\cdot; \zeta)$ is "
    r"unbiased with variance at most $\sigma^2$.",
    (s.sigma,),
    "L41",
)
MATRICES = Assumption(
    "7",
    r"$A_t \succeq \rho I$ and $B_t = b_t I$ with $b_l \le b_t \le b_u$ for all $t$.",
    (s.rho, s.b_l, s.b_u, s.b_1),
    "L41",
    (Le(s.b_l, s.b_1), Le(s.b_1, s.b_u)),
)
GRADIENTS = Assumption(
    "remark", r"Only for $A_t$ of (4): $\|\nabla_x f(x, y; \xi)\| \le G_1$.", (s.G_1,), "L93, Remarks 3 and 4"
)
ASSUMPTIONS = (CURVATURE, LIPSCHITZ, SAMPLES, BOUNDED, UNBIASED, ESTIMATES, MATRICES, GRADIENTS)

COMMON = (
    Condition(Ge(s.T, 1, evaluate=False), "T >= 1", "L29"),
    Condition(Le(s.mu_g, s.L_g, evaluate=False), "mu <= L_g", "L17"),
    Condition(Gt(s.rho, 0, evaluate=False), "rho > 0", "L41"),
    Condition(Gt(s.b_l, 0, evaluate=False), "b_l > 0", "L41"),
    Condition(Le(s.b_l, s.b_1, evaluate=False), "b_l <= b_1", "L41"),
    Condition(Le(s.b_1, s.b_u, evaluate=False), "b_1 <= b_u", "L41"),
    Condition(Gt(s.k, 0, evaluate=False), "k > 0", "L49"),
    Condition(Gt(s.lam, 0, evaluate=False), "lambda > 0", "L49"),
    Condition(Gt(s.gamma, 0, evaluate=False), "gamma > 0", "L49"),
)
ROUND_OFF = 1 + Rational(1, 10**12)  # parameters at their limits pass


def extreme(chain: tuple[Definition, ...], texts: dict[Symbol, str], source: str) -> tuple[Condition, ...]:
    """Conditions that keep the free parameters within the extreme values of a chain.

    texts: extreme value -> the condition in the paper's words.
    """
    in_parameters, definitions = expansion(chain), dict(chain)
    parameter = {
        s.c_1_least: s.c_1,
        s.c_2_least: s.c_2,
        s.m_least: s.m,
        s.lam_most: s.lam,
        s.gamma_most: s.gamma,
    }

    def condition(symbol: Symbol, limit: Expr, text: str) -> Condition:
        free = parameter[symbol]
        if symbol in (s.lam_most, s.gamma_most):
            return Condition(Le(free, limit * ROUND_OFF, evaluate=False), text, source, (free, limit))
        return Condition(Ge(free * ROUND_OFF, limit, evaluate=False), text, source, (free, limit))

    return tuple(
        condition(symbol, in_parameters(definitions[symbol]), text) for symbol, text in texts.items()
    )
