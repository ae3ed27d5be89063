"""Which theorem of paper `ada_minimax` is tried on which instance, with which falsifiers and expected verdicts."""
