"""Huang, Li, Gao: BiAdam and VR-BiAdam, adaptive single-loop bilevel optimization."""
