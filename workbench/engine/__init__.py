"""Engines that run a step: the eager loop now; a compiled one is to stand behind the same ``simulate``."""
