"""Figures of paper `biadam`: Figures 1 and 2 and what its theorems claim."""
