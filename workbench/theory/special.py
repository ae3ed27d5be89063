"""Two functions that bounds need and NumPy lacks: sums of powers, and the gamma function.

Both print as plain arithmetic, so that compiled bounds broadcast over arrays of horizons and exponents.
"""

from __future__ import annotations

from typing import Any

from flint import arb
from sympy import Expr, Function, Integer, S, bernoulli, factorial, gamma, log, pi, zeta

from workbench.theory.numbers import sign, to_float

SHIFT = 8  # number of terms summed directly; the expansions are used beyond
TERMS = 8  # of the asymptotic expansions; relative errors stay below 1e-12 for |p| <= 10


class PowerSum(Function):
    """PowerSum(n, p) = sum of t^-p over t = 1, ..., n, for n >= 0 and real p."""

    nargs = 2
    is_nonnegative = True
    is_finite = True

    @classmethod
    def eval(cls, n: Expr, p: Expr) -> Expr | None:
        if sign(n) == 0:
            return S.Zero
        if sign(p) == 0:
            return n
        if n.is_Integer and n <= SHIFT:
            return sum((Integer(t) ** -p for t in range(1, int(n) + 1)), S.Zero)
        return None

    def growth_rule(self, rules: Any) -> Any:
        """Used by `workbench.theory.asymptotics`: p < 1: n^(1-p)/(1-p); p = 1: log n; p > 1: zeta(p)."""
        n, p = self.args
        if p.has(rules.x):
            return None
        side = sign(1 - p)
        if side is None:
            return None
        return rules.of({1: n ** (1 - p) / (1 - p), 0: log(n), -1: zeta(p)}[side])

    def ball_rule(self, n: Any, p: Any) -> Any:
        """Used by `workbench.theory.numbers`: by the Hurwitz zeta function, or by psi at p = 1."""
        return (n + 1).digamma() + arb.const_euler() if p == 1 else p.zeta() - p.zeta(n + 1)

    _eval_evalf = to_float

    def _mpmathcode(self, printer: Any) -> str:
        n, p = (printer._print(a) for a in self.args)
        # zeta(1) and zeta(1, n) are infinite; shifted off the pole by sqrt(eps), their difference has an error of that
        # order.
        q = f"(({p}) + sqrt(eps)*(({p}) == 1))"
        return f"(zeta({q}) - zeta({q}, ({n}) + 1))"

    def _numpycode(self, printer: Any) -> str:
        """Euler-Maclaurin from SHIFT to n + SHIFT, minus the SHIFT extra terms; exact at n = 0."""
        n, p = (f"({printer._print(a)})" for a in self.args)
        q = f"((1.0 - {p}) + 1e-200*({p} == 1.0))"  # (a^q - b^q)/q is log(a/b) at q = 0
        end = f"({n} + {SHIFT}.0)"
        first = " + ".join(f"{t}.0**(-{p})" for t in range(1, SHIFT))
        extra = "".join(f" - ({n} + {t}.0)**(-{p})" for t in range(1, SHIFT))
        parts = [
            f"{SHIFT}.0**{q}*expm1({q}*log({end}/{SHIFT}.0))/{q}",
            f"({first}{extra})",
            f"({SHIFT}.0**(-{p}) - {end}**(-{p}))/2",
        ]
        rising = p
        for k in range(1, TERMS + 1):
            order = f"(-{p} - {2 * k - 1}.0)"
            number = float(bernoulli(2 * k) / factorial(2 * k))
            parts.append(f"{number!r}*{rising}*({SHIFT}.0**{order} - {end}**{order})")
            rising += f"*({p} + {2 * k - 1}.0)*({p} + {2 * k}.0)"
        return f"({' + '.join(parts)})"

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        n, p = (printer._print(a) for a in self.args)
        text = rf"\sum_{{t=1}}^{{{n}}} t^{{-{p}}}"
        return text if exp is None else rf"\left({text}\right)^{{{exp}}}"


class Gamma(Function):
    """The gamma function of a positive argument."""

    nargs = 1
    is_positive = True
    is_finite = True

    @classmethod
    def eval(cls, z: Expr) -> Expr | None:
        return gamma(z) if z.is_Rational else None

    def ball_rule(self, z: Any) -> Any:
        """Used by `workbench.theory.numbers`."""
        return z.gamma()

    _eval_evalf = to_float

    def _mpmathcode(self, printer: Any) -> str:
        return f"gamma({printer._print(self.args[0])})"

    def _numpycode(self, printer: Any) -> str:
        """Stirling's series at z + SHIFT, divided by z (z + 1) ... (z + SHIFT - 1)."""
        z = f"({printer._print(self.args[0])})"
        far = f"({z} + {SHIFT}.0)"
        series = [f"({far} - 0.5)*log({far}) - {far} + {float(log(2 * pi) / 2)!r}"]
        for k in range(1, TERMS + 1):
            number = float(bernoulli(2 * k) / (2 * k * (2 * k - 1)))
            series.append(f"{number!r}*{far}**{1 - 2 * k}.0")
        below = "*".join(f"({z} + {t}.0)" for t in range(SHIFT))
        return f"(exp({' + '.join(series)})/({below}))"

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        text = rf"\Gamma\left({printer._print(self.args[0])}\right)"
        return text if exp is None else rf"{text}^{{{exp}}}"
