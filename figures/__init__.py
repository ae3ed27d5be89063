"""Figures, one package per paper. They read the store and draw; they never simulate."""
