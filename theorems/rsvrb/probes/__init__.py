"""Probes for the lines of this paper's proofs."""
