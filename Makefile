# Every target works on a fresh machine with Python 3.11 or newer, git, make and a network to install from.

PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11; do \
  if "$$p" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then echo "$$p"; break; fi; done)
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
INSTALLED_FROM := pyproject.toml constraints.txt

.PHONY: help demo test lint bench golden clean
.DEFAULT_GOAL := help

help: ## show this list
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## (.*)/  make \1\t\2/' | expand -t 16

demo: $(VENV)/.installed ## generate the default site into a new folder under demo/ and validate it
	@n=1; while [ -e "demo/$$n" ]; do n=$$((n + 1)); done; \
	$(BIN)/anycastle new --no-input -o "demo/$$n" && \
	$(BIN)/anycastle validate "demo/$$n/home" && \
	printf '\nThe repository is in demo/%s/home: begin with its README.md and docs/topology.svg.\n' "$$n" && \
	printf 'To answer the questions yourself: %s/anycastle new\n' "$(BIN)"

test: $(VENV)/.installed-test ## run the whole suite; what was skipped, and why, is listed at its end
	$(BIN)/python -m pytest $(PYTEST_ARGS)

lint: $(VENV)/.installed-test ## ruff, mypy and shellcheck
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/shellcheck .ci/run

bench: $(VENV)/.installed-test ## measure against the tools of the trade that are installed
	$(BIN)/python benchmarks/bench.py

golden: $(VENV)/.installed-test ## write every expected output anew; read the diff before you commit it
	$(BIN)/python -m pytest --update-golden -k golden

clean: ## remove what the other targets made, the generated demos included
	rm -rf $(VENV) demo .pytest_cache .mypy_cache .ruff_cache .hypothesis

$(BIN)/python:
	@if [ -z "$(PYTHON)" ]; then echo "Python 3.11 or newer was not found; install it, or run: make PYTHON=/path/to/python3" >&2; exit 1; fi
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); echo "On Debian and Ubuntu: apt-get install python3-venv" >&2; exit 1; }

$(VENV)/.installed: $(INSTALLED_FROM) | $(BIN)/python
	@echo "Installing anycastle into $(VENV) ..."
	@$(PIP) install --constraint constraints.txt --editable .
	@touch $@

$(VENV)/.installed-test: $(INSTALLED_FROM) | $(BIN)/python
	@echo "Installing anycastle and its test tools into $(VENV) ..."
	@$(PIP) install --constraint constraints.txt --editable '.[test]'
	@touch $@ $(VENV)/.installed
