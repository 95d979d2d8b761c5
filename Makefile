# make lab       opens JupyterLab on the quick start
# make app       serves the explorer as a standalone page
# make test      runs all checks except the long ones
# make test-all  adds the long ones: memory, stress, hostile input, whole data sets, every page in a browser
# make docs      builds the pages of docs/ into build/docs
# make fuzz      reads malformed files and formulas for ten minutes, new ones each time
# make soak      makes as many explanations as a user might in an hour and checks that memory stays flat
# make links     writes the account that hosts this copy into the README's Binder links (ACCOUNT=name)
# make audit     checks whether a pinned version has a known vulnerability (needs network)
# All but links and audit first create .venv and install into it; they only need Python 3.11 or newer.

NEW_ENOUGH := import sys; sys.exit(sys.version_info < (3, 11))
PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11 python; do \
	$$p -c '$(NEW_ENOUGH)' 2>/dev/null && { echo $$p; break; }; done)
BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check
TORCH := $(shell grep '^torch==' constraints.txt)
QUICK_START := notebooks/00_quick_start.ipynb
# Two workers with one thread each: more threads than cores make everything slower. This includes Numba: aeon's
# distances set its number of threads, which it shares with OpenMP and thus with torch; fits took eight times as long.
ONE_THREAD := OMP_NUM_THREADS=1 MKL_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 NUMBA_NUM_THREADS=1
PYTEST := $(ONE_THREAD) $(BIN)/python -m pytest

.PHONY: help lab app test test-all lint docs notebooks format fuzz bench soak audit licences links chromium constraints clean
help:
	@sed -n '1,/^$$/s/^# //p' Makefile

# Torch is installed first, at its exact version, so that a CPU build available under that version is used.
.venv/.python:
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer is needed. Name it: make PYTHON=/path/to/python3 lab"; exit 1; }
	$(PYTHON) -m venv .venv
	$(PIP) install --quiet -c constraints.txt $(TORCH)
	@touch $@

.venv/.lab: .venv/.python pyproject.toml constraints.txt
	$(PIP) install --quiet -c constraints.txt -e ".[bench]"
	@touch $@

.venv/.app: .venv/.python pyproject.toml constraints.txt
	$(PIP) install --quiet -c constraints.txt -e ".[app]"
	@touch $@ .venv/.lab

.venv/.dev: .venv/.python pyproject.toml constraints.txt
	$(PIP) install --quiet -c constraints.txt -e ".[dev]"
	@touch $@ .venv/.lab .venv/.app

# Most containers run as root. Jupyter refuses that unless told otherwise, Voilà does not; both print a notice here.
IS_ROOT := $(filter 0,$(shell id -u))
SAY_ROOT = @test -z "$(IS_ROOT)" || echo "Running as root: notebooks run with root's rights, so open only those you trust."

# Only this machine can reach it, and only with the token in its address. The additional settings folder keeps it from
# asking whether to fetch news. Where there is no browser to open, Jupyter prints the address.
# With exec, the server is a direct child of make and ends with it.
SETTINGS := $(CURDIR)/notebooks/app/jupyter
lab: .venv/.lab
	$(SAY_ROOT)
	exec env JUPYTER_CONFIG_PATH="$(SETTINGS)$${JUPYTER_CONFIG_PATH:+:$$JUPYTER_CONFIG_PATH}" \
		$(BIN)/python -m jupyterlab --ip=127.0.0.1 $(if $(IS_ROOT),--allow-root) \
		--LabApp.default_url=/lab/tree/$(QUICK_START)

# Only this machine can reach the page, and only with the token in its address. The template leaves out what Voilà
# would fetch from the network.
APP := notebooks/app
app: .venv/.app
	$(SAY_ROOT)
	exec env JUPYTER_PATH=$(APP)/jupyter \
		$(BIN)/python -m voila $(APP)/explorer.ipynb --Voila.ip=127.0.0.1 --Voila.auto_token=True --template=offline

# A file stays on one worker: the cells of a notebook share a kernel, the tests of a module its fixtures. Files start
# in the order of tests/conftest.py, the slowest first; xdist would start files with few tests last.
CHECK := $(PYTEST) -n 2 --dist loadfile --no-loadscope-reorder --nbval-lax --durations=40
test: lint chromium
	$(CHECK) -m "not long" stelle_nb tests notebooks

test-all: lint chromium
	$(CHECK) stelle_nb tests notebooks

lint: .venv/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

# Warnings are errors. The pages need no network, neither to build nor in the browser.
docs: .venv/.dev
	$(BIN)/python -m sphinx -W --keep-going -q -b html -d build/docs-cache docs build/docs
	@echo "The pages are in build/docs/index.html."

# Runs the notebooks and stores what the cells print and show; nbval compares with that.
notebooks: .venv/.dev
	$(ONE_THREAD) $(BIN)/python notebooks/refresh.py

format: .venv/.dev
	$(BIN)/ruff check --fix-only .
	$(BIN)/ruff format .

# `make test` replays the same examples every time; this draws new ones. A finding can be reproduced from its seed.
ROUNDS ?= 1
SECONDS ?= 600
SEED ?= $(shell date +%s)
fuzz: .venv/.dev
	$(ONE_THREAD) $(BIN)/python -m tests.hardening.fuzz --seed $(SEED) --seconds $(SECONDS)
	@for round in $$(seq $(ROUNDS)); do STELLE_NB_HYPOTHESIS=fuzz $(PYTEST) -n 2 -m hypothesis tests || exit 1; done

bench: .venv/.dev
	$(ONE_THREAD) $(BIN)/python -m stelle_nb.bench speed

# As many explanations as a user might request in an hour, with flat memory; CALLS sets another number.
CALLS ?= 3600
soak: .venv/.dev
	$(ONE_THREAD) $(BIN)/python -m stelle_nb.bench soak --calls $(CALLS)

# Binder builds from an account's copy, so its links contain the account, by default that of git's remote.
links:
	@$(PYTHON) binder/links.py $(ACCOUNT)

licences: .venv/.dev
	$(BIN)/python docs/licences.py

# The list of known vulnerabilities is fetched over the network. Without --strict, pip-audit would report success for
# a package that it could not check. It is installed separately, so that it does not audit itself.
AUDIT := build/audit
NO_ANSWER := Not every version could be checked, so the audit is incomplete. Run make audit where there is network access.
audit:
	@test -x $(AUDIT)/bin/pip-audit || { $(PYTHON) -m venv $(AUDIT) && \
		$(AUDIT)/bin/python -m pip --disable-pip-version-check install --quiet pip-audit; } || \
		{ echo "pip-audit could not be installed: nothing was checked."; exit 1; }
	@found=$$($(AUDIT)/bin/pip-audit --strict --no-deps --disable-pip --progress-spinner=off -r constraints.txt 2>&1); \
	code=$$?; echo "$$found"; case "$$found" in \
		*"could not be audited"*|*ConnectionError*) echo "$(NO_ANSWER)"; exit 1;; esac; exit $$code

# The browser tests need Chromium. It is a system package, so it is installed automatically only if root runs make.
chromium:
	@for name in chromium chromium-browser google-chrome; do command -v $$name >/dev/null && exit 0; done; \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		export DEBIAN_FRONTEND=noninteractive; \
		apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium && exit 0; fi; \
	echo "Chromium was not found: the browser tests will be skipped. Install it with your package manager."

constraints: .venv/.dev
	@{ sed -n '/^#/p' constraints.txt; $(PIP) freeze --all --exclude pip --exclude-editable | sed 's/+[a-z0-9.]*$$//'; } > constraints.tmp
	@mv constraints.tmp constraints.txt

clean:
	rm -rf .venv build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
