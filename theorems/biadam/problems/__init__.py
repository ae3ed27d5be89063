"""Instances for BiAdam and VR-BiAdam."""
