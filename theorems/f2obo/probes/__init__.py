"""The quantities in the proofs of paper `f2obo`, computed beside the runs of its three algorithms."""
