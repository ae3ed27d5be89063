#!/usr/bin/env bash
# scipy 1.17.1: stdtr(1, t) is exactly 1/2 for small t, where Student's distribution with one degree of freedom (Cauchy) is
# 1/2 + arctan(t)/pi: at t = -1e-9 it is 0.5 in place of 0.5 - 3.18e-10, which doubles hold with six digits to spare. From
# which t on is printed. The binomial tail bdtrc(5000, 100000, 0.05), far from any edge, is wrong by 2.5e-10 of itself: a
# million times the rounding of a double. Both look harmless until a p-value is turned back into a quantile.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check scipy==1.17.1 numpy==2.3.5 mpmath==1.3.0
cd "$folder"
"$folder/env/bin/python" - <<'PYTHON'
import math

from mpmath import binomial, mp, mpf
from scipy.special import bdtrc, stdtr

small = [t for t in (10.0**-k for k in range(1, 16)) if stdtr(1, -t) == 0.5]
print("stdtr(1, -t) is 0.5 for t =", small)
assert stdtr(1, -1e-9) == 0.5 and 0.5 + math.atan(-1e-9) / math.pi < 0.5 - 3e-10

mp.dps = 40
n, p = 100_000, mpf(0.05)
term = binomial(n, 5000) * p**5000 * (1 - p) ** (n - 5000)
total = mpf(0)
for k in range(5000, 7000):  # the rest is below 1e-80
    term = term * (n - k) / (k + 1) * p / (1 - p)
    total += term
off = abs(mpf(float(bdtrc(5000, n, 0.05))) / total - 1)
print("bdtrc(5000, 100000, 0.05):", bdtrc(5000, n, 0.05), "exact", mp.nstr(total, 16), "relative error", mp.nstr(off, 3))
assert 1e-11 < off < 1e-9
PYTHON
