"""One file per kind of method; each has a tuple ``CASES`` and the method written directly in JAX."""
