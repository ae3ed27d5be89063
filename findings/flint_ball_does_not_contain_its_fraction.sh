#!/usr/bin/env bash
# python-flint 0.9.0: arb('0.1').contains(fmpq(1, 10)) is False, although the ball was made to enclose 1/10.
# A fraction is converted to a ball first, and that ball (radius 2.23e-17) is wider than the one of the decimal string
# (1.12e-17), which does enclose 1/10: the difference with 1/10 contains 0. So False says nothing, and the answer depends
# on how the ball was made: arb(fmpq(1, 10)).contains(fmpq(1, 10)) and (arb(1)/3).contains(fmpq(1, 3)) are True.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check python-flint==0.9.0
cd "$folder"
"$folder/env/bin/python" - <<'PYTHON'
from flint import arb, fmpq

tenth, third = fmpq(1, 10), fmpq(1, 3)
print("from a string:", arb("0.1"), arb("0.1").contains(tenth), "from the fraction:", arb(tenth), arb(tenth).contains(tenth))
print("1/3 by division:", (arb(1) / 3).contains(third), "and the difference contains 0:", (arb(1) / 3 - third).contains(0))
assert not arb("0.1").contains(tenth) and (arb("0.1") - tenth).contains(0)
assert arb(tenth).contains(tenth) and (arb(1) / 3).contains(third)
PYTHON
