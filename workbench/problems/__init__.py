"""Problems: a noisy oracle, exact population quantities, and the constants of the assumptions in closed form.

A problem does not depend on any algorithm. Its public interface:

* ``COSTS``: oracle method -> the cost of one call (an algorithm can call only these methods);
* ``constants(start)``: name in `workbench.theory.vocabulary` -> number or (runs, 1) column;
* ``samples(start)`` and ``unsampled``: how to sample each constant (`workbench.problems.samples`), or why it is not
  sampled;
* ``metrics(state, t, xp)`` and ``RECORD``: the metrics that the engine records, and their reductions over iterations;
  ``checkpoint_metrics`` come at no cost per iteration;
* exact functions (``f``, ``phi``, ``grad_phi``, ``y_star`` ...), which the tests check against each other.

Those that are ready for use stand in ``__init__.pyi``: smooth, constrained, on data, saddle, bilevel and online, with
their constants in closed form. Any parameter that is an ``Array`` may be a number or a (runs, 1) column of the grid,
and any noise one of the laws of `workbench.arrays.noise`; `workbench list --instances` shows them. What is recorded at
every iteration (``RECORD``) is changed by a subclass of two lines.
"""

from workbench.homes import on_demand

__getattr__, __dir__, __all__ = on_demand.names(__name__, __file__)
