#!/usr/bin/env bash
# nashpy 0.0.43: `Game.regret_minimization` does not minimize regret, on two counts. (1) What it calls regrets is a utility
# minus the *probability* of the action, cut off at 0, so a constant added to all payoffs, which changes no game, changes
# the answer: the prisoner's dilemma (-1, -3; 0, -2) stays at (1/2, 1/2) for both players after 1,000 iterations, and the same game
# plus 2, 3 or 4 moves. (2) The column player's utilities are B @ x, not B.T @ x: plus 2 the answer is (defect,
# cooperate), where both have defection as a dominant action; a column player whose second action pays 1 more against
# everything (B = (3, 4; 1, 2)) is told to play the first. `support_enumeration` finds the equilibrium in all of them.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check nashpy==0.0.43 numpy==2.4.6 scipy==1.17.1
cd "$folder"
"$folder/env/bin/python" - <<'PYTHON'
import nashpy
import numpy as np


def both(rows, columns):
    game = nashpy.Game(rows, columns)
    [(x, y)] = game.regret_minimization(iterations=1000)
    [equilibrium] = game.support_enumeration()
    print([x, y], "equilibrium:", [strategy.tolist() for strategy in equilibrium])
    return [x, y]


dilemma = np.array([[-1.0, -3.0], [0.0, -2.0]])
answers = {constant: both(dilemma + constant, dilemma.T + constant) for constant in (0, 2, 3, 4)}
assert answers[0] == [[0.5, 0.5], [0.5, 0.5]]
assert all(answers[constant] == [[0, 1], [1, 0]] for constant in (2, 3, 4))
assert both(np.array([[3.0, 1.0], [1.0, 3.0]]), np.array([[3.0, 4.0], [1.0, 2.0]]))[1] == [1, 0]
PYTHON
