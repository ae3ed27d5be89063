"""Speed of the workbench compared with the alternatives: NumPy, JAX and, on a GPU, CuPy.

``python -m benchmarks`` races the competitors case by case and writes a JSON file and a Markdown table. A case is one
file in `benchmarks.cases`, found by walking the package.
"""
