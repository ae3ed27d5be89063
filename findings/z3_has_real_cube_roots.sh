#!/usr/bin/env bash
# Cube roots of -8: z3 5.4.1 proves that (-8)^(1/3) = -2, python-flint 0.9.0 says nan, SymPy 1.14.0 says 1 + i sqrt 3.
# z3 takes x^(1/3) as the real root for negative x as well (and x^(1/2) as the root that is not negative). SymPy's principal
# branch is complex, Arb's real power is undefined. An inequality with a fractional power that was proved by one is not the
# same statement in another unless its base is known to be >= 0.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check z3-solver==5.4.1.0 python-flint==0.9.0 sympy==1.14.0
cd "$folder"
"$folder/env/bin/python" - <<'PYTHON'
import sympy
import z3
from flint import arb, fmpq

x = z3.Real("x")


def verdict(*statements):
    solver = z3.Solver()
    solver.set("timeout", 20000)
    solver.add(*statements)
    return solver.check()


print("z3: x = -8 and x^(1/3) != -2:", verdict(x == -8, x ** z3.Q(1, 3) != -2))
print("flint:", arb(-8) ** fmpq(1, 3), arb(-8).root(3), "SymPy:", sympy.expand_complex(sympy.Integer(-8) ** sympy.Rational(1, 3)))
assert verdict(x == -8, x ** z3.Q(1, 3) != -2) == z3.unsat
assert verdict(x == 4, x ** z3.Q(1, 2) == -2) == z3.unsat
assert (arb(-8) ** fmpq(1, 3)).is_nan() and arb(-8).root(3).is_nan()
assert sympy.expand_complex(sympy.Integer(-8) ** sympy.Rational(1, 3)) == 1 + sympy.sqrt(3) * sympy.I
PYTHON
