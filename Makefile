# make play   sets everything up and starts the game
# make test   sets everything up and runs all tests
# make check  is what continuous integration runs: the tests with coverage, and every check of the code

PYTHON ?= python3
BIN = .venv/bin
READY = .venv/ready
CORE = .venv/core
SERVICES = .venv/services

.PHONY: play test check bench clean

play: $(CORE)
	@$(BIN)/gridlock

test: $(CORE) $(SERVICES)
	$(BIN)/python -m pytest

check: $(CORE) $(SERVICES)
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/coverage run -m pytest
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report

bench: $(CORE) $(SERVICES)
	$(BIN)/python -m pip install --quiet --constraint constraints.txt easyAI open_spiel
	$(BIN)/python benchmarks/startup.py
	$(BIN)/python benchmarks/solver.py --stretch
	PYTHONPATH=. $(BIN)/python benchmarks/compare.py
	$(BIN)/python benchmarks/load.py
	PYTHONPATH=. $(BIN)/python benchmarks/fairness.py

clean:
	rm -rf .venv build dist src/gridlock/search/kernel/*.so .coverage* .mypy_cache .pytest_cache .ruff_cache .hypothesis src/*.egg-info

$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "GridLock needs Python 3.11 or newer: make PYTHON=/path/to/python $(MAKECMDGOALS)"; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null \
	  || { apt-get update -qq; apt-get install -qq -y python3-venv; } \
	  || { echo "GridLock needs Python's venv module: on Debian, apt-get install python3-venv"; exit 1; }
	@{ command -v cc >/dev/null && test -e "$$($(PYTHON) -c 'import sysconfig; print(sysconfig.get_path("include"))')/Python.h"; } \
	  || { apt-get update -qq && apt-get install -qq -y gcc libc6-dev python3-dev; } \
	  || echo "There is no C compiler: GridLock will run, but its searches will be slow."
	$(PYTHON) -m venv --clear .venv
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[dev]'
	@touch $(READY) $(CORE)  # to install is to compile as well

$(CORE): $(READY) setup.py $(wildcard src/gridlock/search/kernel/*.p*)
	@$(BIN)/python setup.py --quiet build_ext --inplace
	@touch $(CORE)

# What tests of the web app run beside it. Without apt-get, or without leave to use it, they do without.
$(SERVICES): $(READY)
	@missing() { \
	  command -v chromium >/dev/null || echo chromium; \
	  command -v initdb >/dev/null || ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || echo postgresql; \
	  command -v redis-server >/dev/null || echo redis-server; \
	}; \
	if [ "$$(missing)" ] && [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	  apt-get update -qq; \
	  for package in $$(missing); do DEBIAN_FRONTEND=noninteractive apt-get install -qq -y $$package; done; \
	fi; \
	for package in $$(missing); do echo "$$package is not installed: the tests that need it are skipped."; done
	@touch $(SERVICES)
