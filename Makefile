# make play   sets up what playing and serving need, and starts the game
# make test   sets everything up and runs the tests, all but a few that take long
# make dist   builds a source distribution and a wheel in dist, and checks them
# make check  is what continuous integration runs: all tests with coverage, and every check of the code
#
# Each step of the setting up leaves a file in .venv when it has succeeded, and is not done again
# until something that it was made from has changed.

PYTHON ?= python3
BIN = .venv/bin
VENV = .venv/.made
PACKAGES = .venv/.packages
CORE = .venv/.core
TOOLS = .venv/.tools
SERVICES = .venv/.services
TYPES = .venv/.types

TSC = node_modules/.bin/tsc
PIP = $(BIN)/python -m pip -qq --disable-pip-version-check install --no-compile --constraint constraints.txt
# Installed without its core: that is compiled once, by a step of its own.
INSTALL = GRIDLOCK_INTERPRETED=1 $(PIP) --no-build-isolation --editable

# Processes that tests start need not compile again what others have compiled.
CACHED = PYTHONDONTWRITEBYTECODE= PYTHONPYCACHEPREFIX=$(CURDIR)/.venv/.bytecode

.PHONY: play test check bench dist clean

play: $(PACKAGES) $(CORE)
	@$(BIN)/gridlock

test: $(CORE) $(TOOLS) $(SERVICES)
	$(CACHED) $(BIN)/python -m pytest

check: $(CORE) $(TOOLS) $(SERVICES) $(TYPES)
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports
	@if [ -x $(TSC) ]; then echo $(TSC); $(TSC); else echo "The types of the page are not checked: TypeScript is not installed."; fi
	$(CACHED) $(BIN)/coverage run -m pytest -m "" --hypothesis-profile thorough
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report

bench: $(CORE) $(TOOLS) $(SERVICES)
	$(PIP) easyAI open_spiel
	$(BIN)/python benchmarks/startup.py
	$(BIN)/python benchmarks/solver.py --stretch
	$(BIN)/python benchmarks/abi.py
	PYTHONPATH=. $(BIN)/python benchmarks/compare.py
	PYTHONPATH=. $(BIN)/python benchmarks/environments.py
	PYTHONPATH=. $(BIN)/python benchmarks/load.py
	PYTHONPATH=. $(BIN)/python benchmarks/club.py
	PYTHONPATH=. $(BIN)/python benchmarks/fairness.py
	$(BIN)/python benchmarks/lag.py
	$(BIN)/python benchmarks/tournament.py

dist: $(PACKAGES)
	$(PIP) abi3audit build
	rm -rf build dist
	GRIDLOCK_REQUIRE_COMPILED=1 $(BIN)/python -m build --no-isolation
	$(BIN)/python tools/check_wheel.py dist

clean:
	rm -rf .venv node_modules build dist src/gridlock/search/kernel/*.so src/gridlock/search/kernel/wide/*.so src/gridlock/search/kernel/not-compiled.txt .coverage* .mypy_cache .pytest_cache .ruff_cache .hypothesis src/*.egg-info

# A Python that was asked for by name, and is not the one that .venv was made with, makes it anew.
ifneq ($(origin PYTHON),file)
WHICH = -c 'import sys; print(sys.base_prefix, sys.hexversion)'
ifneq ($(shell $(PYTHON) $(WHICH)),$(shell $(BIN)/python $(WHICH) 2>/dev/null))
.PHONY: $(VENV)
endif
endif

$(VENV):
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "GridLock needs Python 3.11 or newer: make PYTHON=/path/to/python $(MAKECMDGOALS)"; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null \
	  || { apt-get update -qq; apt-get install -qq -y python3-venv; } \
	  || { echo "GridLock needs Python's venv module: on Debian, apt-get install python3-venv"; exit 1; }
	@echo "Setting up GridLock in .venv, once: this takes a minute or two."
	@$(PYTHON) -m venv --clear .venv
	@touch $@

$(PACKAGES): $(VENV) pyproject.toml constraints.txt
	@$(PIP) setuptools cython
	@$(INSTALL) '.[web]'
	@touch $@

$(CORE): $(VENV) setup.py $(wildcard src/gridlock/search/kernel/*.p*) | $(PACKAGES)
	@{ command -v cc >/dev/null && test -e "$$($(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("include"))')/Python.h"; } \
	  || { apt-get update -qq && apt-get install -qq -y gcc libc6-dev python3-dev; } \
	  || echo "There is no C compiler."
	@echo "Compiling the core: about half a minute."
	@if GRIDLOCK_REQUIRE_COMPILED=1 $(BIN)/python setup.py --quiet build_ext --inplace; then touch $@; \
	  else echo "It cannot be compiled: GridLock runs all the same, but its searches are slow."; fi

$(TOOLS): $(PACKAGES)
	@echo "Installing the tools of the tests: about a minute."
	@$(INSTALL) '.[dev]'
	@touch $@

# What tests of the web app run beside it. Without apt-get, or without leave to use it, they do without.
$(SERVICES): $(VENV)
	@missing() { \
	  command -v chromium-headless-shell >/dev/null || command -v chromium >/dev/null || echo chromium-headless-shell; \
	  command -v node >/dev/null || echo nodejs; \
	  command -v initdb >/dev/null || ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || echo postgresql; \
	  for package in redis-server nginx caddy; do command -v $$package >/dev/null || echo $$package; done; \
	}; \
	if [ "$$(missing)" ] && [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	  echo "Installing $$(echo $$(missing)) for the tests: a few minutes."; \
	  apt-get update -qq; \
	  for package in $$(missing); do DEBIAN_FRONTEND=noninteractive apt-get install -qq -y $$package >/dev/null; done; \
	fi; \
	for package in $$(missing); do echo "$$package is not installed: the tests that need it are skipped."; done
	@touch $@

# What checks the types of the page, as package.json names it. Without npm, and without leave to install it, that is left out.
$(TYPES): $(VENV) package.json
	@command -v npm >/dev/null || { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null \
	  && echo "Installing npm for the check of the page: a minute or two." \
	  && apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends npm >/dev/null; } \
	  || echo "npm is not installed."
	@if command -v npm >/dev/null && npm install --silent --no-package-lock --no-audit --no-fund; then touch $@; \
	  else echo "TypeScript cannot be installed: the types of the page are not checked."; fi
