#!/usr/bin/env bash
# mpmath 1.3.0: nsum of k^-p is wrong in the first digits for p near 1, without a warning.
# Seen: sum of k^-1.5 is given as 2.58451 (2.61238), of k^-1.1 as 4.53 (10.58), of k^-1.01 as 9.07 (100.58). The divergent
# sums of 1/k and 1/(k log k) get the finite values 9.46 and 2.96, the product of 1 - 1/(2k), which is 0, gets 0.0077, and
# the limit of log n gets 8.83. Richardson's and Shanks' extrapolations, which nsum tries, suit tails in powers of 1/n with
# whole exponents and geometric ones; step sizes k^-p have neither.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check mpmath==1.3.0
cd "$folder"
"$folder/env/bin/python" - <<'PYTHON'
from mpmath import inf, limit, log, mpf, nprod, nsum, zeta

for p, seen in ((1.5, 2.58451), (1.1, 4.52761), (1.01, 9.07044)):
    value, truth = nsum(lambda k: k ** -mpf(p), [1, inf]), zeta(p)
    print(f"sum of k^-{p}: {float(value):.6g}, true {float(truth):.6g}")
    assert abs(value - seen) < 1e-4 < 0.01 * truth < truth - value
harmonic, slower = nsum(lambda k: 1 / k, [1, inf]), nsum(lambda k: 1 / (k * log(k)), [2, inf])
product, unbounded = nprod(lambda k: 1 - 1 / (2 * k), [1, inf]), limit(log, inf)
print("divergent:", float(harmonic), float(slower), "product:", float(product), "limit:", float(unbounded))
assert abs(harmonic - 9.46338) < 1e-4 and abs(slower - 2.95929) < 1e-4
assert abs(product - 0.007714) < 1e-5 and abs(unbounded - 8.83208) < 1e-4
PYTHON
