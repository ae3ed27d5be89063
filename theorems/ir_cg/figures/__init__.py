"""Figures of paper `ir_cg`: Figures 1-3 with their tables of oracle calls, and the rates of Theorems 1, 2, 5 and 6."""
