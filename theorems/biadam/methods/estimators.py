"""The hypergradient estimates of the paper: the truncated Neumann sums (3), L21, and, of random length, (6), L29.

Of (6): grad_x f - grad^2_xy g(zeta^0) [K theta prod_(i=1..k) (I - theta grad^2_yy g(zeta^i))] grad_y f, where theta is
1/L_g, or a tuned number in (0, 1/L_g]. (3) has K = Q + 1 terms; its mean is that of (6) at theta = 1/L_g.
"""

from ...baselines.estimators.truncated import Estimate, random_length
from ...baselines.estimators.truncated import hia as neumann
from ...baselines.estimators.truncated import hia_at_both as neumann_at_both
from ...baselines.estimators.truncated import shia as neumann_sum

__all__ = ["Estimate", "neumann", "neumann_at_both", "neumann_sum", "random_length"]
