"""Guo, Hu, Zhang, Yang: variance-reduced bilevel optimization with one and with many lower-level problems."""
