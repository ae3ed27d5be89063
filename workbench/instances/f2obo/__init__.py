"""Drifting instances of paper `f2obo`. Every oracle method takes the round t first: it belongs to f_t or g_t."""
