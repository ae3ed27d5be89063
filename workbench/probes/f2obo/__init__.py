"""What the proofs of paper `f2obo` speak about, computed beside the runs of its three algorithms."""
