"""What the proofs of paper `ada_minimax` speak about, computed beside the runs of its three algorithms."""
