#!/usr/bin/env bash
# SymPy 1.14.0 with NumPy 2.4.6: lambdify(x, x, "numpy") loads NumPy's Fortran wrapper generator and test framework.
# lambdify runs "from numpy import *" for its namespace, and NumPy's __all__ names submodules that are otherwise loaded
# on first use. Seen: over a hundred modules, with numpy.f2py, numpy.testing, numpy.ma, numpy.random and unittest, for
# the identity; in 0.1 to 0.2 s. With modules=[{}], where no function of NumPy is needed, it is three modules, and neither
# f2py nor unittest.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check sympy==1.14.0 numpy==2.4.6
cd "$folder"
cat > load.py <<'PYTHON'
import sys
import time

import numpy  # noqa: F401
import sympy

x = sympy.Symbol("x")
modules = [{}] if sys.argv[1] == "none" else "numpy"
before, begin = set(sys.modules), time.process_time()
assert sympy.lambdify(x, x, modules)(3.0) == 3.0
seconds, new = time.process_time() - begin, set(sys.modules) - before
print(f"{sys.argv[1]}: {len(new)} modules in {seconds:.3f} s; unittest: {'unittest' in new}, f2py: {'numpy.f2py' in new}")
heavy = {"numpy.f2py", "numpy.testing", "numpy.ma", "numpy.random", "unittest"}
assert heavy <= new and len(new) > 100 if modules == "numpy" else not heavy & new and len(new) < 13
PYTHON
"$folder/env/bin/python" load.py numpy
"$folder/env/bin/python" load.py none
