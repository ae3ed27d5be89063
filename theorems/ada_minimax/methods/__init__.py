"""Gong, Hao, Liu: "Adaptive Algorithms with Sharp Convergence Rates for Stochastic Hierarchical Optimization"."""
