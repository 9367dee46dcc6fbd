# make play   sets everything up and starts the game
# make test   sets everything up and runs all tests
# make check  is what continuous integration runs: the tests with coverage, and every check of the code

PYTHON ?= python3
BIN = .venv/bin
READY = .venv/ready

.PHONY: play test check bench clean

play: $(READY)
	@$(BIN)/gridlock

test: $(READY)
	$(BIN)/python -m pytest

check: $(READY)
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/coverage run -m pytest
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report

bench: $(READY)
	$(BIN)/python benchmarks/startup.py

clean:
	rm -rf .venv build dist .coverage* .mypy_cache .pytest_cache .ruff_cache .hypothesis src/*.egg-info

$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "GridLock needs Python 3.11 or newer: make PYTHON=/path/to/python $(MAKECMDGOALS)"; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null \
	  || { apt-get update -qq; apt-get install -qq -y python3-venv; } \
	  || { echo "GridLock needs Python's venv module: on Debian, apt-get install python3-venv"; exit 1; }
	$(PYTHON) -m venv --clear .venv
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[dev]'
	@touch $(READY)
