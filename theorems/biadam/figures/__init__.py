"""Figures of BiAdam and VR-BiAdam: the paper's two, one per theorem, and the crossover of the two methods."""
