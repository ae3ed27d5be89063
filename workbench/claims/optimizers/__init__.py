"""Optimizers of libraries as methods of a study: `wb.method(optax.adam(1e-3))`, `wb.method(torch.optim.Adam, lr=1e-3)`.

In: an optimizer as it is. Out: a `Method`, which has `State`, `Steps`, `init` and `step` like a module with a method.
`method` decides by which protocol an optimizer is called; `jax_rule`, `torch_rule`, `sklearn_rule` and `single_rule`
call it, on all runs at once where that gives the same bits as on one run alone, else run by run. `trees` turns what it
keeps between two iterations into one row of numbers per run, `identity` what it is made of into plain data, on which
the key of a stored result depends. `libraries` imports the libraries.
"""
