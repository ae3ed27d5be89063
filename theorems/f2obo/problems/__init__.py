"""Drifting instances of paper `f2obo`. The first argument of every oracle method is the round t of f_t and g_t."""
