#!/usr/bin/env bash
# SymPy 1.14.0 with NumPy 2.4.6: Ctrl-C during the first lambdify ends a program by SIGINT although the program handles
# KeyboardInterrupt. lambdify runs the text "from numpy import *" by exec, which imports for 0.1 s; CPython notes an
# interrupt that leaves an executed text, and forgets it only when the next text is executed. A program started by
# "python -m" that returns status 5 after an interrupt there is seen by its shell as killed (130, from signal 2). Seen
# too: exec("") before the end, or the same interrupt in a plain import, gives status 5.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check sympy==1.14.0 numpy==2.4.6
cd "$folder"
cat > program.py <<'PYTHON'
import signal
import sys

import numpy  # noqa: F401
import sympy

signal.signal(signal.SIGINT, signal.default_int_handler)


class PressCtrlC:
    """Looks for no module; Ctrl-C comes while NumPy's f2py is looked for."""

    def find_spec(self, name, path=None, target=None):
        if name == "numpy.f2py":
            sys.meta_path.remove(self)
            signal.raise_signal(signal.SIGINT)
        return None


sys.meta_path.insert(0, PressCtrlC())
x = sympy.Symbol("x")
try:
    if sys.argv[1] == "import":
        import numpy.f2py  # noqa: F401
    else:
        sympy.lambdify(x, x, "numpy")
    sys.exit("there was no interrupt")
except KeyboardInterrupt:
    if sys.argv[1] == "forget":
        exec("")
sys.exit(5)
PYTHON
for how in lambdify forget import; do
  status=0
  "$folder/env/bin/python" -m program "$how" || status=$?
  echo "$how: status $status"
  [ "$how" = lambdify ] && expected=130 || expected=5
  [ "$status" = "$expected" ]
done
