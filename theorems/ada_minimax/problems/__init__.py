"""Witnesses I1, I1h, I1n (single level), I2, I2q, I2n (minimax), B1 (bilevel), and problems on bundled data."""
