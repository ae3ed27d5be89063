"""Figures of paper `ada_minimax`: the paper's own, and the workbench's view of its theorems."""
