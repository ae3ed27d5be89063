"""The quantities in the proofs of paper `ir_cg`, computed beside the runs of its two algorithms."""
