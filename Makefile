# The two commands a newcomer needs: `make run` (dashboard) and `make test`.
SHELL := /bin/bash
PYTHON ?= $(shell command -v python3.11 || command -v python3)
BIN := .venv/bin
PORT ?= 8501

# A stamp is touched only after a whole install succeeded, so an interrupted one is repeated.
RUNTIME := .venv/.runtime-installed
DEVELOPMENT := .venv/.development-installed

# Tests and dashboard start dozens of processes; without bytecode each compiles the project anew.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help setup run test tests test-slow test-network lint style types format bench test-programs \
	datasets screenshots architecture docs lock audit clean

help:  ## show this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  make \1|\2/' | column -t -s '|'

$(RUNTIME): requirements.txt pyproject.toml
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "FREM Studio needs Python 3.11 or newer; set PYTHON=/path/to/python3.11"; exit 1; }
	@test -x $(BIN)/python || "$(PYTHON)" -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --editable .
	@touch $@

$(DEVELOPMENT): requirements-dev.txt $(RUNTIME)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	@touch $@

setup: $(DEVELOPMENT)  ## build .venv; nothing happens when it is current

run: $(RUNTIME)  ## start the dashboard on 127.0.0.1 (PORT=8501)
	@echo "FREM Studio: http://127.0.0.1:$(PORT)  (Ctrl-C ends it)"
	$(BIN)/streamlit run app.py --server.port $(PORT)

lint: style types  ## style and types

style: $(DEVELOPMENT)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(DEVELOPMENT)
	$(BIN)/mypy

format: $(DEVELOPMENT)  ## apply the style
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

test-programs:
	@tools/ensure_test_programs

# Types are checked meanwhile: a browser test often waits and leaves a core free.
test: style test-programs  ## lint, types and all tests, with a real Chromium and PostgreSQL
	@$(MAKE) --no-print-directory --jobs 2 types tests
	@tools/ensure_test_programs --report

# A file's tests share its trained models, and those with a browser their servers, so one process
# runs them all; the longest come first (tests/conftest.py). More processes than cores do not help:
# those that drive a browser or an engine keep both busy, and four made the same tests dearer.
tests: $(DEVELOPMENT)
	$(BIN)/pytest -n 2 --dist loadfile --no-loadscope-reorder

test-slow: $(DEVELOPMENT)  ## the checks that take many minutes
	$(BIN)/pytest -m slow --timeout 3600

test-network: $(DEVELOPMENT)  ## the checks that download from a package index
	$(BIN)/pytest -m network

bench: $(DEVELOPMENT)  ## measure speed and memory; writes benchmarks/results/*.md
	$(BIN)/python -m benchmarks

datasets: $(DEVELOPMENT)  ## rebuild the built-in tables from their published archives
	$(BIN)/python -m tools.build_datasets

screenshots: $(DEVELOPMENT) test-programs  ## pictures of every page into docs/screenshots
	$(BIN)/python -m tools.screenshots

architecture: $(DEVELOPMENT)  ## draw docs/architecture.md's picture and tables from the code
	$(BIN)/python -m tools.architecture

docs: $(RUNTIME)  ## build the documentation site into site/, every link checked
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-docs.txt
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

lock: $(RUNTIME)  ## write requirements.lock: every package with the hash of its file
	$(BIN)/python -m tools.lock

audit: $(DEVELOPMENT)  ## list all packages (build/sbom.json) and look up which are known to be weak
	$(BIN)/python -m tools.audit

clean:  ## remove .venv and caches
	rm -rf .venv site dist .pytest_cache .mypy_cache .ruff_cache *.egg-info
