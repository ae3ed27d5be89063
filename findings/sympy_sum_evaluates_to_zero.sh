#!/usr/bin/env bash
# SymPy 1.14.0: a finite sum of positive terms evaluates to exactly 0 if its first terms are tiny.
# Seen: the sum of 2^(k - r)/sqrt(k) over k = 1..r is 0.2858 for r = 50, as it should be; for r = 100 evalf gives 0 (true
# 0.2010) while evalf(50) gives 50 right digits; for r = 300 both give 0 (true 0.1157). The result is an exact zero, not a
# number with lost digits, so that a sign that is taken from it is taken to be known.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check sympy==1.14.0
cd "$folder"
"$folder/env/bin/python" - <<'PYTHON'
from sympy import Rational, S, Sum, sqrt, symbols

k = symbols("k", integer=True, positive=True)


def geometric(r):
    return Sum(Rational(1, 2) ** (r - k) / sqrt(k), (k, 1, r))


for r in (50, 100, 300):
    truth = sum(0.5 ** (r - i) / i**0.5 for i in range(1, r + 1))
    print(r, "evalf()", geometric(r).evalf(), "evalf(50)", geometric(r).evalf(50), "true", truth)
assert abs(geometric(50).evalf() - 0.28580868) < 1e-7
assert geometric(100).evalf() == S.Zero and abs(geometric(100).evalf(50) - 0.20102336) < 1e-7
assert geometric(300).evalf() == S.Zero == geometric(300).evalf(50)
PYTHON
