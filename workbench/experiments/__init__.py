"""Experiments, one package per paper: ``SIMULATIONS`` and ``CLAIMS``, gathered from its modules by the catalog."""
