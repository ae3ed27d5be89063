"""Engines that run a step: the eager loop, and one compiled kernel per (algorithm, instance), behind one ``simulate``.

In: a `Problem` and a `Run`; out: a `Result` (all three in `records`). `choice` picks: `eager` calls ``step`` once per
iteration on whole arrays; `fused` calls it once in all, with arrays that only record, and compiles what was recorded.
Both give the same bits. The rooms of `fused`, in the order in which a step passes them, with one small step on its way
(two coordinates; L one number, a one per run)::

    def step(s, t, c, oracle, draw, xp):        # x <- x - a g/|g|
        g = oracle.slope(s.x)                   # the instance's L x
        return State(s.x - c.a * g / ops.norm(g, xp))

`tracer` and `draws` stand where ``xp`` and ``draw`` do (array functions: `namespace`, the arrays: `traced`, what is
refused: `refusal`); `graph` keeps what they record, each operation once; `program` collects state, parameters, recorded
sums and calls of one iteration, and says where they lie in memory. A shape is (tasks, coordinates) of one run::

    %2  x       (1, 2)    state               %8  = %6 * %6   (1, 2)
    %3  L       (1, 1)    once, for all       %9  = sum %8    (1, 1)
    %4  a       (1, 1)    once, per run       %10 = sqrt %9   (1, 1)
    %6  = %3 * %2   (1, 2)   the slope        %11 = %7 / %10  (1, 2)
    %7  = %4 * %6   (1, 2)                    %12 = %2 - %11  (1, 2)   the next x

`schedule` cuts it into nests, where a value must be complete (a sum) or has another shape; %7 waits for its user::

    level 0 over (1, 2):   %6 %8 %9     %6 leaves its nest: buffer b2;  %9 is a sum: b3
    level 1 over (1, 1):   %10          buffer b4
    level 2 over (1, 2):   %7 %11 %12   nobody reads the old x any more: %12 is written over it, in b1

`emit` walks over the nests; `numba_text` and `cuda_text` say the same in two languages (whose words `language` lists)::

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

`kernels` compiles a text or finds it on disk (its vector primitives: `lanes`), `cpu` and `gpu` launch it on pools with
one column per run, and `fused` makes the launches: up to each mark, half a second at a time. `nvrtc` compiles CUDA
texts where there is no GPU. For both engines: `start` makes x_1, `oracle` counts calls, `marks` says when to record,
`recorded` holds what was, `rows` cuts and joins batches, `known` is what a problem says of itself.
"""
