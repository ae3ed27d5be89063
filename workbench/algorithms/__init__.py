"""Algorithms, one module each: ``State``, ``Steps``, ``init`` and a ``step`` that reads beside the paper's listing.

An algorithm knows no constants, no instance and no array library: step sizes arrive in ``Steps``, gradients through
``oracle``, noise through ``draw`` and the namespace as ``xp``. A row is one run: a vector of the paper is (runs, d), a
scalar of the paper (runs, 1) or a number.
"""
