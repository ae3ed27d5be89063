"""Engines that run a step: the eager loop, and one compiled kernel per (algorithm, instance), behind one ``simulate``.

In: a `Problem` and a `Run` (`records`). Out: a `Result`. `choice` selects the engine: `eager` calls ``step`` once per
iteration on whole arrays; `fused` traces ``step`` once, with arrays that record operations, and compiles the recording.
Both give the same bits. The modules of `fused`, in pipeline order, with one small step followed through (two
coordinates; L is one number, a is one number per run)::

    def step(s, t, c, oracle, draw, xp):        # x <- x - a g/|g|
        g = oracle.slope(s.x)                   # the instance's L x
        return State(s.x - c.a * g / ops.norm(g, xp))

`tracer` and `draws` replace ``xp`` and ``draw`` (`namespace`: array functions; `traced`: the arrays; `refusal`: errors
for unsupported operations). `graph` stores the recording, each operation once. `program` collects state, parameters,
recorded sums and oracle calls of one iteration, and lays them out in memory. A shape is (tasks, coordinates) of one
run::

    %2  x       (1, 2)    state               %8  = %6 * %6   (1, 2)
    %3  L       (1, 1)    once, for all       %9  = sum %8    (1, 1)
    %4  a       (1, 1)    once, per run       %10 = sqrt %9   (1, 1)
    %6  = %3 * %2   (1, 2)   the slope        %11 = %7 / %10  (1, 2)
    %7  = %4 * %6   (1, 2)                    %12 = %2 - %11  (1, 2)   the next x

`schedule` partitions it into loop nests. A new nest starts where a value must be complete (a sum) or the shape changes;
%7 is delayed to the nest of its user::

    level 0 over (1, 2):   %6 %8 %9     %6 is used outside its nest: buffer b2;  %9 is a sum: b3
    level 1 over (1, 1):   %10          buffer b4
    level 2 over (1, 2):   %7 %11 %12   the old x is dead: %12 overwrites it in b1

`emit` walks the nests; `numba_text` and `cuda_text` generate the code in two languages (keywords: `language`)::

    for t in range(first, last + 1):               for (long long t = first; t <= last; ++t) {
        for l in range(16):                            b3 = -0.0;
            b3[l] = -0.0
        for j in range(2):                             for (int j = 0; j < 2; ++j) {
            for l in range(16):  # 16 runs                 // one thread is one run
                v2 = b1[j * 16 + l]                        const double v2 = b1[j];
                v6 = v3 * v2                               const double v6 = v3 * v2;
                b2[j * 16 + l] = v6                        b2[j] = v6;
                v8 = v6 * v6                               const double v8 = v6 * v6;
                b3[l] = b3[l] + v8                         b3 = b3 + v8;
        ...                                            ...

`kernels` compiles a kernel or loads it from the disk cache (its vector primitives: `lanes`). `cpu` and `gpu` launch it
on pools with one column per run, and `fused` schedules the launches: up to the next mark, half a second each. `nvrtc`
compiles CUDA code on machines without a GPU. Shared by both engines: `start` makes x_1, `oracle` counts calls, `marks`
defines the iterations to record, `recorded` collects the records, `rows` splits and joins batches.
"""
