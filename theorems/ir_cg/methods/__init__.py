"""Giang-Tran, Shafiee, Ho-Nguyen: projection-free stochastic bilevel optimization by iterative regularization."""
