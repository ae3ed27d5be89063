"""Figures of paper `f2obo`: figure 1, tables 1 to 3, one figure per theorem."""
