"""Convex bilevel problems: witnesses of the rates, least-norm problems with closed forms, and data sets."""
