#!/usr/bin/env bash
# mpmath 1.3.0 (and with it SymPy 1.14.0): Ctrl-C while it is imported can be lost. mpmath looks for gmpy below a bare
# "except: pass", which catches KeyboardInterrupt too. Seen: a program that is interrupted while that import looks for
# its file prints "not interrupted" and goes on; one that is interrupted a little later (the import of mpmath.calculus)
# stops. A program that must not lose Ctrl-C has to notice that its exception was collected, and send the signal again.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check mpmath==1.3.0 sympy==1.14.0
cd "$folder"
cat > interrupted.py <<'PYTHON'
import signal
import sys

signal.signal(signal.SIGINT, signal.default_int_handler)


class PressCtrlC:
    """Looks for no module; Ctrl-C comes while one of this name is looked for."""

    def find_spec(self, name, path=None, target=None):
        if name == sys.argv[1]:
            sys.meta_path.remove(self)
            signal.raise_signal(signal.SIGINT)
        return None


sys.meta_path.insert(0, PressCtrlC())
try:
    import sympy  # noqa: F401
except KeyboardInterrupt:
    print("interrupted")
else:
    print("not interrupted")
PYTHON
for module in gmpy2 gmpy mpmath.calculus; do
  said=$("$folder/env/bin/python" interrupted.py "$module")
  echo "Ctrl-C while $module is looked for: $said"
  [ "$module" = mpmath.calculus ] && expected=interrupted || expected="not interrupted"
  [ "$said" = "$expected" ]
done
