"""What the proofs of paper `ir_cg` speak about, computed beside the runs of its two algorithms."""
