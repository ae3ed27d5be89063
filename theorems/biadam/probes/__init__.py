"""The quantities in the proofs of paper `biadam`, computed beside the runs of its first algorithm."""
