# make lab    opens JupyterLab on the quick start
# make app    serves the explorer as a page of its own
# make test   runs every check but the long ones
# make test-all  adds these: memory, stress, hostile input at length, whole data sets, every page in a browser
# make docs   builds the pages of docs/ into build/docs
# make fuzz   reads spoilt files and formulas for ten minutes, new ones each time
# make soak   explains for an hour's worth of calls and checks that memory stays flat
# make links  writes the account that hosts this copy into the README's Binder links (ACCOUNT=name)
# make audit  asks whether a pinned version has a known vulnerability (needs network)
# All but links and audit make .venv and install into it first; they need Python 3.11 or newer and nothing else.

NEW_ENOUGH := import sys; sys.exit(sys.version_info < (3, 11))
PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11 python; do \
	$$p -c '$(NEW_ENOUGH)' 2>/dev/null && { echo $$p; break; }; done)
BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check
TORCH := $(shell grep '^torch==' constraints.txt)
QUICK_START := notebooks/00_quick_start.ipynb
# Two workers with one thread each: more threads than cores make everything slower. Numba is told, too: aeon's
# distances set its number of threads, which is OpenMP's own and so that of torch; fits then took eight times as long.
ONE_THREAD := OMP_NUM_THREADS=1 MKL_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 NUMBA_NUM_THREADS=1
PYTEST := $(ONE_THREAD) $(BIN)/python -m pytest

.PHONY: help lab app test test-all lint docs notebooks format fuzz bench soak audit licences links chromium constraints clean
help:
	@sed -n '1,/^$$/s/^# //p' Makefile

# Torch goes first and by its exact version, so that a CPU build which is offered under that version is taken.
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

# Containers run as root, which Jupyter refuses unless told; Voilà does not ask. Both then say whose rights they use.
IS_ROOT := $(filter 0,$(shell id -u))
SAY_ROOT = @test -z "$(IS_ROOT)" || echo "Running as root: notebooks run with root's rights, so open only those you trust."

# Only this machine reaches it, and only with the token in its address. The further folder of settings keeps it from
# asking whether to fetch news. Where there is no browser to open, Jupyter prints the address.
# With exec the server is make's own child, and ends with it.
SETTINGS := $(CURDIR)/notebooks/app/jupyter
lab: .venv/.lab
	$(SAY_ROOT)
	exec env JUPYTER_CONFIG_PATH="$(SETTINGS)$${JUPYTER_CONFIG_PATH:+:$$JUPYTER_CONFIG_PATH}" \
		$(BIN)/python -m jupyterlab --ip=127.0.0.1 $(if $(IS_ROOT),--allow-root) \
		--LabApp.default_url=/lab/tree/$(QUICK_START)

# Only this machine reaches the page, and only with the token in its address. The template keeps out what Voilà
# would fetch from the network.
APP := notebooks/app
app: .venv/.app
	$(SAY_ROOT)
	exec env JUPYTER_PATH=$(APP)/jupyter \
		$(BIN)/python -m voila $(APP)/explorer.ipynb --Voila.ip=127.0.0.1 --Voila.auto_token=True --template=offline

# A file stays on one worker: the cells of a notebook share a kernel, the tests of a module its fixtures. Files are
# begun in the order of tests/conftest.py, those that take long first; xdist would begin those of few tests last.
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

# A warning is an error. The pages need no network, neither here nor in the browser.
docs: .venv/.dev
	$(BIN)/python -m sphinx -W --keep-going -q -b html -d build/docs-cache docs build/docs
	@echo "The pages are in build/docs/index.html."

# What the cells print and show is stored anew; nbval compares with it.
notebooks: .venv/.dev
	$(ONE_THREAD) $(BIN)/python notebooks/refresh.py

format: .venv/.dev
	$(BIN)/ruff check --fix-only .
	$(BIN)/ruff format .

# `make test` replays the same examples every time; this draws new ones. What it finds can be repeated by its seed.
ROUNDS ?= 1
SECONDS ?= 600
SEED ?= $(shell date +%s)
fuzz: .venv/.dev
	$(ONE_THREAD) $(BIN)/python -m tests.hardening.fuzz --seed $(SEED) --seconds $(SECONDS)
	@for round in $$(seq $(ROUNDS)); do STELLE_NB_HYPOTHESIS=fuzz $(PYTEST) -n 2 -m hypothesis tests || exit 1; done

bench: .venv/.dev
	$(ONE_THREAD) $(BIN)/python -m stelle_nb.bench speed

# Explanations for as long as somebody would ask in an hour, in flat memory; with CALLS for as many as you like.
CALLS ?= 3600
soak: .venv/.dev
	$(ONE_THREAD) $(BIN)/python -m stelle_nb.bench soak --calls $(CALLS)

# Binder builds from an account's copy, so its links contain the account; git's remote says it if nobody else does.
links:
	@$(PYTHON) binder/links.py $(ACCOUNT)

licences: .venv/.dev
	$(BIN)/python docs/licences.py

# The list of known vulnerabilities is asked for over the network. Without --strict, pip-audit would call a package
# that it could not ask about a success. It is installed apart, so that it does not audit itself.
AUDIT := build/audit
NO_ANSWER := Not every version could be asked about, so this is no clean bill. Run make audit where there is network.
audit:
	@test -x $(AUDIT)/bin/pip-audit || { $(PYTHON) -m venv $(AUDIT) && \
		$(AUDIT)/bin/python -m pip --disable-pip-version-check install --quiet pip-audit; } || \
		{ echo "pip-audit cannot be installed from here: nothing was checked."; exit 1; }
	@found=$$($(AUDIT)/bin/pip-audit --strict --no-deps --disable-pip --progress-spinner=off -r constraints.txt 2>&1); \
	code=$$?; echo "$$found"; case "$$found" in \
		*"could not be audited"*|*ConnectionError*) echo "$(NO_ANSWER)"; exit 1;; esac; exit $$code

# The browser tests want Chromium. It is a system package, so only root's own machine gets it unasked.
chromium:
	@for name in chromium chromium-browser google-chrome; do command -v $$name >/dev/null && exit 0; done; \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		export DEBIAN_FRONTEND=noninteractive; \
		apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium && exit 0; fi; \
	echo "There is no Chromium: the browser tests will be skipped. Your package manager has it."

constraints: .venv/.dev
	@{ sed -n '/^#/p' constraints.txt; $(PIP) freeze --all --exclude pip --exclude-editable | sed 's/+[a-z0-9.]*$$//'; } > constraints.tmp
	@mv constraints.tmp constraints.txt

clean:
	rm -rf .venv build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
