"""The quantities in the proofs of paper `ada_minimax`, computed beside the runs of its three algorithms."""
