"""Experiments of paper `biadam`: both algorithms on TRIG, BENT and COUPLED.

Facts behind the design:

* The conditions make m at least (c_1 k)^2 or (c_1 k)^3 with c_1 >= 20.8 L_0^2/mu^2: with f scaled down so that
  L_0^2/mu^2 <= 0.216, transients are affordable. Under all conditions ("compliant") the bound is compared; slopes are
  still transient there, so the rates are read with the schedules alone ("tuned", A_t = rho I, b_t = b).
* With eta_t = k (m+t)^-1/2 and momentum of order eta every part of calG_t, and grad F, is of exact order t^-1/4 near a
  nondegenerate stationary point; with the schedule of Theorem 2 the error of w is of exact order t^-1/3. On linear
  problems with additive noise the mean squares have closed forms (`levels`).
* calG_t of VR-BiAdam comes from steeper slopes: |x~ - x| falls like t^-1/2. Its grad F has the relative correction
  c_2 eta_t/(F'' gamma/rho), which falls like t^-1/3 only.
* Where the box is active the gradient mapping falls faster than any power, while calG_t keeps the noise of w.
"""
