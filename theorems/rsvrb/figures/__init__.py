"""Figures of paper `rsvrb`: one figure per theorem."""
