"""Instances: an oracle with noise, exact population quantities, and the constants of the assumptions in closed form.

An instance knows no algorithm. Its public interface:

* ``COSTS``: oracle method -> the cost of one call (an algorithm can call these methods only);
* ``constants(start)``: name in `theorems.vocabulary` -> number or (runs, 1) column;
* ``samples(start)`` and ``unsampled``: what can be sampled for each constant (`workbench.instances.declared`), or the
  reason why nothing is;
* ``metrics(state, t, xp)`` and ``RECORD``: what the engine measures, and how it is reduced over iterations;
* exact functions (``f``, ``phi``, ``grad_phi``, ``y_star`` ...) that tests compare in several ways.
"""
