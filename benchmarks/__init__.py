"""Speed of the workbench against what a user would pick instead: NumPy, JAX and, on a GPU, CuPy.

``python -m benchmarks`` races the competitors case by case and writes a JSON file and a Markdown table. A case is one
file in `benchmarks.cases`; nothing lists them.
"""
