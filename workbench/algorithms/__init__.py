"""Algorithms, one module each: ``State``, ``Steps``, ``init`` and a ``step`` that follows the paper's listing.

An algorithm knows no constants, no instance and no array library: step sizes arrive in ``Steps``, gradients through
``oracle``, noise through ``draw`` and the array namespace as ``xp``. Each row is one run: a vector of the paper has
shape (runs, d), a scalar is (runs, 1) or a number.
"""
