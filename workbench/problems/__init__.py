"""Instances: a noisy oracle, exact population quantities, and the constants of the assumptions in closed form.

An instance does not depend on any algorithm. Its public interface:

* ``COSTS``: oracle method -> the cost of one call (an algorithm can call only these methods);
* ``constants(start)``: name in `workbench.theory.vocabulary` -> number or (runs, 1) column;
* ``samples(start)`` and ``unsampled``: how to sample each constant (`workbench.problems.samples`), or why it is not
  sampled;
* ``metrics(state, t, xp)`` and ``RECORD``: the metrics that the engine records, and their reductions over iterations;
* exact functions (``f``, ``phi``, ``grad_phi``, ``y_star`` ...), which the tests check against each other.
"""
