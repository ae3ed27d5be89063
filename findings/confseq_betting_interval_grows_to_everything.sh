#!/usr/bin/env bash
# confseq 0.0.11: `betting_cs` returns [0, 1] once there is enough data. It tests the candidate means of a grid, and where no
# candidate is left it reports the whole of [0, 1], not the gap of the grid in which the confidence set has shrunk. The
# docstring calls `breaks` the number of breaks in the grid and promises a confidence sequence. The set of Waudby-Smith and
# Ramdas (2024, Theorem 3) is the interval of all m with capital below 1/alpha, so it is at most two gaps wide from then on.
# Seen: coin of probability 0.55, breaks=10: [0.4, 0.6] at 5,557 tosses, [0, 1] at 5,558 and after nearly all later ones;
# uniform on [0.195, 0.295], breaks=100: [0.24, 0.26] at 1,331, [0, 1] from 1,332 on. With the default of 1,000
# breaks a uniform on [0.2435, 0.2475] gets there after some 11,000. The error is on the safe side for coverage, so that a test of
# coverage passes; widths, and stopping rules on them, are wrong. `hedged_cs`, which intersects by default, keeps the old interval.
# The C++ part of confseq, which needs Boost, is not used here: the Python sources are run from the unpacked archive.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check numpy==1.26.4 scipy==1.13.1 matplotlib==3.9.4 \
  multiprocess==0.70.17
cd "$folder"
"$folder/env/bin/pip" download --quiet --disable-pip-version-check --no-deps --no-binary confseq confseq==0.0.11
tar xzf confseq-0.0.11.tar.gz
PYTHONPATH=confseq-0.0.11/src "$folder/env/bin/python" - <<'PYTHON'
import warnings

import numpy as np

warnings.simplefilter("ignore")
from confseq.betting import betting_cs, hedged_cs

coin = (np.random.default_rng(0).random(20000) < 0.55).astype(float)
uniform = 0.195 + 0.1 * np.random.default_rng(0).random(20000)
for name, data, breaks in (("coin", coin, 10), ("uniform", uniform[:6000], 100)):
    lower, upper = betting_cs(data, breaks=breaks)
    whole = (lower == 0) & (upper == 1)
    first = np.nonzero(whole & (np.arange(len(data)) >= 100))[0][0]
    share = whole[first:].mean()
    print(f"{name}: at n = {first} [{lower[first - 1]:.2f}, {upper[first - 1]:.2f}], at {first + 1}", end=" ")
    print(f"[{lower[first]:.2f}, {upper[first]:.2f}]; [0, 1] in {share:.2%} of the times from then on")
    assert not whole[100:first].any() and upper[first - 1] - lower[first - 1] < 2.1 / breaks
    assert share > 0.99 and whole[-1]
lower, upper = hedged_cs(coin, breaks=10)
print(f"hedged_cs, coin: [{lower[-1]:.2f}, {upper[-1]:.2f}]")
assert lower[-1] > 0.3 and upper[-1] < 0.8
PYTHON
