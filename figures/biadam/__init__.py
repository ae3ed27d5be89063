"""Figures of paper `biadam`: the paper's own, one per theorem, and both methods on one problem."""
