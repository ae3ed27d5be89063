#!/usr/bin/env bash
# matplotlib 3.11.2: a figure with constrained layout is another picture when it is drawn a second time. Three panels in a
# row, 6.75 x 4 inches, each with a legend of 25 letters below it ("upper center" at (0.5, -0.2)). Seen: the first drawing
# gives panels 87 pixels wide at 100 dpi, the second 21, both without a warning; from the third on nothing changes, and
# "constrained_layout not applied because axes sizes collapsed to zero" is said. With 20 letters they are 158, then 160;
# with 10 letters 182 each time. So savefig to PDF and then to PNG writes two different figures in silence, unless the
# layout is switched off in between (set_layout_engine("none")).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check matplotlib==3.11.2 numpy==2.4.6
cd "$folder"
"$folder/env/bin/python" - <<'PYTHON'
import warnings

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure


def drawings(letters, fixed=False):
    figure = Figure(figsize=(6.75, 4), layout="constrained")
    FigureCanvasAgg(figure)
    panels = figure.subplots(1, 3)
    for panel in panels:
        panel.plot([1, 2], [1, 2], label="x" * letters)
        panel.legend(loc="upper center", bbox_to_anchor=(0.5, -0.2))
    rows = []
    for _ in range(3):
        with warnings.catch_warnings(record=True) as heard:
            warnings.simplefilter("always")
            figure.draw_without_rendering()
        rows.append((round(panels[0].get_position().width * 675), any("collapsed" in str(w.message) for w in heard)))
        if fixed:
            figure.set_layout_engine("none")
    return rows


for letters in (10, 20, 25):
    print(letters, drawings(letters))
first, second, third = drawings(25)
assert (first[1], second[1], third[1]) == (False, False, True) and third[0] == second[0]
assert second[0] < first[0] / 2
assert abs(drawings(20)[1][0] - drawings(20)[0][0]) <= 4
assert len({width for width, _ in drawings(25, fixed=True)}) == 1
PYTHON
