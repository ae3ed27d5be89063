# `make figures` and `make test` work on a fresh clone; each sets up .venv with the pinned versions first.

PYTHON ?= python3
PROFILE ?= default
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
TESTING := $(VENV)/.testing

.PHONY: figures paper test test-long test-gpu check lint verify listing calibrate bench bench-gpu clean

# Verifies the theorems, redraws every plot, and writes all of it as pages for a browser. This is done even where a
# verdict is a surprise.
figures: $(READY)
	@mkdir -p figures/out
	@$(BIN)/workbench verify --profile $(PROFILE) --json figures/out/verdicts.json; verdict=$$?; \
	 if [ $$verdict -gt 1 ]; then exit $$verdict; fi; \
	 $(BIN)/workbench figures --profile $(PROFILE) && \
	 $(BIN)/workbench report --profile $(PROFILE) --out figures/out/report && exit $$verdict

# The project's own report: paper/generated from the store, then paper/main.pdf where TeX is installed.
paper: $(READY)
	@mkdir -p figures/out
	@$(BIN)/workbench verify --profile $(PROFILE) --json figures/out/verdicts.json; verdict=$$?; \
	 if [ $$verdict -gt 1 ]; then exit $$verdict; fi; \
	 $(BIN)/workbench calibrate --kept && \
	 $(BIN)/workbench figures --profile $(PROFILE) && \
	 $(BIN)/workbench report --profile $(PROFILE) --paper paper --pdf && exit $$verdict

# PAPER=<key> runs the tests of one paper.
PAPER ?=

test: $(TESTING)
	$(BIN)/pytest -n auto --dist worksteal $(addprefix tests/,$(PAPER))

# The cases that `make test` leaves out to be short: more simulations, statements and places to fail.
test-long: $(TESTING)
	$(BIN)/pytest -n auto --dist worksteal -m 'long and not gpu' $(addprefix tests/,$(PAPER))

# The same tests on CuPy; needs a CUDA device and one of the extras cuda12, cuda13. What came of them is kept in
# benchmarks/results, under the device's name.
test-gpu: $(TESTING)
	$(BIN)/python -m tests.on_gpu -n 8 --dist worksteal

# Exactly what CI runs.
check: lint test

lint: $(TESTING)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

verify: $(READY)
	$(BIN)/workbench verify --profile $(PROFILE)

# What `workbench list` says of the shipped papers, without importing them as long as they are as they were here.
listing: $(READY)
	$(BIN)/python -m workbench.cli.entry_cache

# Tests the checker itself on planted curves; what came of it is shipped for the dossiers of a fresh clone.
calibrate: $(READY)
	$(BIN)/workbench calibrate && cp .workbench/calibration.json benchmarks/results/

# Speed against what a user would pick instead; prints a table and keeps it in benchmarks/results.
bench: $(READY)
	$(PIP) -c constraints.txt -e '.[bench]'
	$(BIN)/python -m benchmarks

# The same races on a CUDA device alone, in short turns, for eight minutes at most.
bench-gpu: $(READY)
	$(PIP) -c constraints.txt -e '.[bench]'
	$(BIN)/python -m benchmarks --device gpu --quick --minutes 8

# Every downloaded file must have a checksum of a lock file; the project itself is then built without a download. Compiling
# the packages in parallel, without their tests, is faster than pip, and keeps what it compiled in every environment.
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
COMPILED := $(BIN)/python -m compileall -q -j 0 -x '[/\\]tests?[/\\]' $(VENV)/lib >/dev/null 2>&1 || true

$(READY): pyproject.toml constraints.txt requirements.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed; set PYTHON=...")'
	$(PYTHON) -m venv $(VENV)
	$(PIP) --no-compile --require-hashes -r requirements.lock
	@$(COMPILED)
	$(PIP) --no-deps --no-build-isolation -e .
	@touch $(READY)

# What the tests and the linters need besides.
$(TESTING): $(READY) requirements-test.lock
	$(PIP) --no-compile --require-hashes -r requirements-test.lock
	@$(COMPILED)
	@touch $(TESTING)

clean:
	rm -rf $(VENV) figures/out .pytest_cache .mypy_cache .ruff_cache .hypothesis *.egg-info
