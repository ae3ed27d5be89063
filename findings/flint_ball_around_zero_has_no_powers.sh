#!/usr/bin/env bash
# python-flint 0.9.0: a ball whose midpoint is exactly 0 has no powers, a ball that merely contains 0 has.
# Seen: arb(0, 1) ** n is nan for n = 1, 2 and 3, even for n = 1, where the result is the ball itself; arb(0, 1) * arb(0, 1)
# is a ball around 0, and so are the powers of arb(0.5, 1), which contains 0 as well. Symmetric intervals such as [-1, 1]
# are what a proof over a box starts from, and a nan looks there like a power of a negative number.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check python-flint==0.9.0
cd "$folder"
"$folder/env/bin/python" - <<'PYTHON'
from flint import arb

centred, beside = arb(0, 1), arb(0.5, 1)
for n in (1, 2, 3):
    print(n, "centred at 0:", centred**n, " beside 0:", beside**n)
    assert (centred**n).is_nan() and not (beside**n).is_nan()
assert beside.contains(0) and centred**0 == 1
assert not (centred * centred).is_nan() and arb(0) ** 2 == 0
PYTHON
