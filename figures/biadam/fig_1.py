"""Figure 1 of the paper: data hyper-cleaning at three portions of corrupted labels."""

from __future__ import annotations

from figures import facts
from figures.biadam.comparison import AXES, Comparison, Panel, Row
from figures.figure import Figure
from workbench.experiments.biadam.cleaning_runs import COMPETITION, METRIC, ORDERINGS, PORTIONS, SETTING
from workbench.experiments.biadam.compared import AVERAGE, EPSILON, M_0, PERIOD, RHO, SPAN, WEIGHT
from workbench.experiments.biadam.step_sizes import PILOT_RUNS

SHOWN = Comparison(
    tuple(Panel(f"{portion:.0%} corrupted", COMPETITION, {"portion": portion}) for portion in PORTIONS),
    tuple(Row(METRIC, "validation loss", axis, falls=True) for axis in AXES),
    ORDERINGS,
)
COMMON = (
    "Likely reasons for another order: with mu = 2C = 0.002 and L_g near 6, K = 3 terms of a Neumann sum hold a small "
    "part of the inverse Hessian, of which 50 steps, or FSLA's v that is kept between iterations, see more; and A_t, "
    "B_t and the sequences of the momenta are not printed. The loss still falls at the end; the full profile has ten "
    "times the budget. "
    "The paper draws running time (lower row, of a batch divided by its runs, recording included; machine-dependent); "
    "the upper row has gradients, Hessian- and Jacobian-vector products on minibatches of 32, of which every method "
    "gets the same number. Median and 10-90 % of the runs. As printed: C = 0.001, K = 3, "
    f"{SETTING.N} inner iterations (also taken as the steps of the linear systems, and for stocBiO), warm start. "
    "The printed steps belong to MNIST; here every method has an inner and an outer step chosen by one rule, the "
    f"least mean loss over the budget on a grid with three steps per decade, on {PILOT_RUNS} pilot runs that are not "
    "drawn (a step may be too long for a run that was no pilot). Not "
    f"printed and chosen here: fresh minibatches everywhere, theta = {SETTING.theta:g} in the Neumann sums, falling "
    f"steps from m = {M_0:g} and first weights {WEIGHT:g} of all momenta (SMB: {AVERAGE:g}), VRBO with {SETTING.S} "
    f"minibatches every {PERIOD} iterations and {SPAN} + 1 inner steps, B_t of (5), epsilon = {EPSILON:g}, A_t from "
    f"the second moment of w_t, rho = {RHO:g}. With (4) as printed A_t = rho I, since grad_x f = 0 in this problem "
    "(dotted blue curve, its rho absorbed in the outer step). Not drawn: SVRB, a method of another paper here. Rules "
    "of the competitors: "
    f"{facts.competitors('reverse', 'aid_fp', 'aid_cg', 'stocbio', 'mrbo', 'vrbo', 'sustain', 'fsla', 'smb')} "
    f"{facts.LABELS}."
)
FIGURE = Figure(
    key="biadam/fig-1",
    title="Data hyper-cleaning",
    source="Figure 1, section 5.1, L61; settings L81",
    needs=COMPETITION.keys,
    draw=SHOWN.draw,
    ordering=SHOWN.ordering,
    caption=(
        "Digits of scikit-learn, 600 training and 600 validation images (the paper: MNIST, 5000 and 5000). "
        f"{COMMON}"
    ),
    seen=SHOWN.seen,
    on_real=f"MNIST, the paper's own set, 5000 training and 5000 validation images. {COMMON}",
)
