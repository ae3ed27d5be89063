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

`emit` walks the nests; `llvm_text` and `cuda_text` generate the code in two languages (what they must say: `language`).
On the left 16 runs in two vectors of 8, of which one is shown, on the right one thread is one run::

    loop 0, 1 ... of t                             for (long long t = first; t <= last; ++t) {
      store <8 x double> -0.0, b3                      b3 = -0.0;
      loop j = 0, 1                                    for (int j = 0; j < 2; ++j) {
        v2 = load <8 x double>, b1 + j                     const double v2 = b1[j];
        v6 = fmul <8 x double> v3, v2                      const double v6 = v3 * v2;
        store <8 x double> v6, b2 + j                      b2[j] = v6;
        v8 = fmul <8 x double> v6, v6                      const double v8 = v6 * v6;
        v9 = load <8 x double>, b3
        store <8 x double> (fadd v9, v8), b3               b3 = b3 + v8;
        ...                                                ...

`llvm_writer` writes each operation once, as far outside of the loops as it can, and `llvm_products` products with
matrices. `machine_code` has LLVM compile a text; `kernels` keeps what is compiled on disk. `cpu` and `gpu` launch it on
pools with one column per run, and `fused` schedules the launches: up to the next mark, half a second each. `nvrtc`
compiles CUDA code on machines without a GPU. Shared by both engines: `start` makes x_1, `oracle` counts calls, `marks`
defines the iterations to record, `recorder` collects the records, `rows` splits and joins batches.
"""
