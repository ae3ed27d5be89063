"""Table 2: the bound of SOGD with which the text compares SF2OBO. L45, L64, L297.

Delta_T is of order 1 + V_T, and Psi_T contains the squared motion of the inner solutions. At V_T = H_2,T = T^(2/3) the
bound is of order T^(4/3), where that of SF2OBO is of order T^(2/3). L64 says that SOGD "suffers at least" as much.
That is said of its bound: |G_X|^2 is at most sup |grad F_t|^2 in every round, so no method has a regret beyond T.
"""

from sympy import Expr, Integer, Rational, Symbol

from . import symbols as s

Delta_T, Psi_T = (Symbol(name, nonnegative=True) for name in ("Delta_T", "Psi_T"))
SOGD: Expr = s.T ** Rational(1, 3) * (s.sigma**2 + Delta_T) + s.T ** Rational(2, 3) * Psi_T
CLAIMED = Rational(4, 3)  # L64


def sogd_at(drift: Expr) -> Expr:
    """SOGD's bound at sigma = 1 where V_T and H_2,T are this drift, and nothing else drifts."""
    return SOGD.xreplace({s.sigma: Integer(1), Delta_T: 1 + drift, Psi_T: drift})
