"""Building blocks of a step: array functions that give the same bits on every backend.

In: arrays whose leading axis is the run and whose last axis is the coordinate, and ``xp``, the namespace of a backend
(`backends`). Out: arrays of the same kind. One step, followed through:

    xi = draw(0)                                  `random`: counter-based noise of (seed, run, iteration, stream)
    g = oracle.grad(s.x, xi)                      `noise`: the instance's law; `meter`: the call is counted, per run
    x = box.project(s.x - c.eta * unit(g, xp))    `ops`: norms, products, loops and branches; `sets`: projections

`maths` has the elementary functions that replace each library's own; `data_matrix` reads rows of a data set in place.
Nothing here depends on an algorithm, an instance or an engine.
"""
