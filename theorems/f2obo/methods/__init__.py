"""Jia, Chen: "Fully First-Order Algorithms for Online Non-Convex Bilevel Optimization"."""
