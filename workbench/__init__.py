"""Checks convergence theorems against their own algorithms. See README.md."""

from workbench.homes import papers as _papers  # lets `workbench.theorems.<key>` be imported
