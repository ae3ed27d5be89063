"""Evidence: measured curves in, findings out. Nothing here simulates or knows a theorem: formulas arrive as numbers.

`values` (runs, M) holds one row per run (the statistical unit) and one column per checkpoint in `marks` (M,).
A row with a non-finite entry is a failed run: it is counted and noted, no claim about an expectation holds where there
is one, and many of them are evidence against it. Exponents are signed: a metric that falls like T^-1/4 has -0.25, a
regret that grows like T^1/2 has 0.5.

What a finite horizon can and cannot show. Upper bounds are sums of powers, so the curve of a *correct* method can
flatten (a slower term becomes dominant) but steepens only during burn-in. The checks read two adjacent windows,
[T/1000, T/31.6] and the tail [T/31.6, T] by default, and use the change of slope between them (`drift`):

* T^-a + T^-b passes from slope -a to -b with local drift (a - |s|)(|s| - b) per unit of log T, without a free
  parameter. A curve observed at slope s that is still approaching a claimed exponent must drift at least that much.
  Over the two windows (3.45 apart in log T) a quarter-power crossover drifts by 0.05, which `tight` distinguishes
  from 0.
* A burn-in (1 + (T/T0)^k)^-r/k, r = |claimed|, leaves a share p of the distance between its first slope, 0, and -r,
  and p/(1 - p) falls like T^-k; of a claim that grows the first slope is that of T. Bends down to k = 0.4 are allowed.

A decisive verdict against a claim has to reject these changes, not merely fail to detect them, and a change that is
seen in the two halves of the tail forbids it: a start-up may end within the tail. A change that has not begun
within the horizon remains invisible: a slower term with less than a tenth of the value at the horizon, or a burn-in
with T0 beyond the horizon. No statistics can fix that; `window` should start where theory says burn-in has ended.

One claim, followed through: `rate(values, marks, claimed)` (`slopes`) keeps the finite runs (`_common`), reads slopes
with jackknife errors (`rates`, `stats`) and returns a `Finding`; `budget` and `verdicts` turn the findings of a paper
into decisions.
"""

from __future__ import annotations

from workbench.evidence._common import Window
from workbench.evidence.bounded import bounded
from workbench.evidence.bounds import bound
from workbench.evidence.exact import assumptions, complexity, exponent, falsifier
from workbench.evidence.geometric import geometric
from workbench.evidence.levels import level, same
from workbench.evidence.limits import limit
from workbench.evidence.logarithms import logarithmic
from workbench.evidence.parameters import crossover, scaling
from workbench.evidence.slopes import TOL, rate, tight
from workbench.evidence.verdicts import Finding, NotEnough

__all__ = [
    "TOL",
    "Finding",
    "NotEnough",
    "Window",
    "assumptions",
    "bound",
    "bounded",
    "complexity",
    "crossover",
    "exponent",
    "falsifier",
    "geometric",
    "level",
    "limit",
    "logarithmic",
    "rate",
    "same",
    "scaling",
    "tight",
]
