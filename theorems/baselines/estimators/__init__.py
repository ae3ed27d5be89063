"""Gradient estimators that several methods share. No module here has a ``step``: what it offers is part of one."""
