"""Fictitious play on rock-paper-scissors: the gap of the averages falls like T^-1/2, and not like 1/T.

Sources: Robinson 1951 (it converges); the rate T^-1/2 on such games is Karlin's conjecture with ties broken by a fixed
rule (Abernethy, Lai, Wibisono 2021); from memory. False version: 1/T, as that of the averages of descent-ascent.
"""

import workbench as wb

A = ((0, -1, 1), (1, 0, -1), (-1, 1, 0))
STUDY = wb.Study(__name__, "Fictitious play")


def gap(T):
    rows, columns = (
        [0, 0, 0],
        [0, 0, 0],
    )  # what each action would have earned, and cost, against all plays so far
    i = j = 0
    for t in range(1, T + 1):
        rows = [rows[a] + A[a][j] for a in range(3)]
        columns = [columns[b] + A[i][b] for b in range(3)]
        i, j = rows.index(max(rows)), columns.index(min(columns))
        yield (max(rows) - min(columns)) / t


CURVE = STUDY.reading("rate", STUDY.exact_curve(gap, horizon=100_000, metric="gap"), claimed=-1 / 2)
CLAIMS = (
    CURVE.tight(),
    CURVE.rate(claimed=-1, refutes="false version: the gap is O(1/T)"),
    CURVE.caught(claimed=-0.6),
)
