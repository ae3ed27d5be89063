"""What several proofs rest on: Bernoulli's inequality and sums of powers, and the concentration inequality quoted."""

from sympy import log, symbols

from workbench.theory.lemma import POSITIVE, REAL, Inequality, opened, positive

from .chain import link

a, b, s, y = symbols("a b s y", positive=True)
v = symbols("v", real=True)

BERNOULLI = link(
    "own-bernoulli",
    "Bernoulli's inequality",
    "this project, for L570-596, L1176-1187",
    r"$(1 + s)^p \le 1 + p s$ for $0 < p < 1$ and $s > -1$.",
    (),
    Inequality(
        "log y <= y - 1", log(y), y - 1, {y: POSITIVE}, note="Used at (1 + s)/(1 + p s) and 1/(1 + p s)."
    )
    .own()
    .states(),
    Inequality(
        "weighted mean of the two logarithms",
        a * (s / y - 1) + (1 - a) * (1 / y - 1),
        0,
        {a: opened(0, 1), **positive(s, y)},
        given=(y >= a * s + 1 - a,),
        note="a = p, s stands for 1 + s, y = 1 + p s: p log(1 + s) - log(1 + p s) is a times the first logarithm plus "
        "1 - a times the second.",
    )
    .own()
    .states(),
)

POWER_SUM = link(
    "own-power-sum",
    "Sums of powers, any exponent",
    "this project, for L1024-1027, L1035, L1185",
    r"For $0 < \omega < 1$, $\sum_{1 \le i \le n} i^{-\omega}$ is at most $n^{1-\omega}/(1 - \omega)$, and "
    r"$(t+1)^\omega \le t^\omega + 1$.",
    ("own-bernoulli",),
    Inequality(
        "one more term of the sum",
        b * s,
        1 - v,
        {b: opened(0, 1), s: opened(0, 1), v: REAL},
        given=(v <= 1 - b * s,),
        note="b = 1 - omega, s = 1/(n+1), v = (1 - s)^b, bounded by Bernoulli's inequality: (n+1)^-omega is at most "
        "((n+1)^b - n^b)/b, divided by (n+1)^b/b. The base n = 1 is 1 <= 1/b.",
    )
    .own()
    .states(),
    Inequality(
        "u^(1-omega) <= 1",
        (1 - s) ** b,
        1,
        {b: opened(0, 1), s: opened(0, 1)},
        note="u = 1 - s is t/(t+1) or 1/(t+1), whose sum is 1, and u <= u^omega: 1 <= (t^omega + 1)/(t+1)^omega.",
    )
    .own()
    .states(),
)

TAIL = link(
    "ref-41",
    "Concentration of a vector martingale",
    "[41, Theorem 3.5] as used in L654-656 and L1092-1094",
    r"$P(\|\mathrm{error}\,\mathrm{at}\,t\| \ge \lambda) \le 4 \exp(-\lambda^2/(4 V))$, "
    r"$V = \sum_{s_t < s \le t} 4 L^2 D^2 \alpha_{s-1}^2/S$.",
    note="Pinelis' inequality gives 2 exp(-lambda^2/(2 V)), which this project's forms use.",
    quoted=True,
)

LEMMAS = (BERNOULLI, POWER_SUM, TAIL)
