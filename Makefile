# Every target sets up what it needs. The environment lives in .venv.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/pip --disable-pip-version-check --quiet --quiet

.PHONY: all demo browser test check reproduce bench soak docs lock torch clean
all: $(VENV)/ready

$(VENV)/ready: pyproject.toml requirements.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Rimshot needs Python 3.11 or newer: make PYTHON=/path/to/python3.11")'
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(PIP) install --no-deps -r requirements.lock
	@$(PIP) install --no-deps --no-build-isolation -e .
	@$(BIN)/python -m rimshot.prepare
	@touch $@

$(VENV)/ready-dev: $(VENV)/ready requirements-dev.lock
	@$(PIP) install --no-deps -r requirements-dev.lock
	@touch $@

demo: $(VENV)/ready
	$(BIN)/rimshot search "music" -k 4

test: $(VENV)/ready-dev browser
	$(BIN)/python -m pytest

browser:
	@command -v chromium >/dev/null || { [ "$$(id -u)" = 0 ] && apt-get update -qq && apt-get install -y -qq chromium >/dev/null; } \
		|| echo "no chromium and no right to install it: the tests of the page will be skipped"

check: $(VENV)/ready-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m pytest tests/docs

reproduce: $(VENV)/ready-dev
	$(BIN)/python -m rimshot.evaluate.reproduce

bench: $(VENV)/ready-dev
	$(BIN)/python -m benchmarks

soak: $(VENV)/ready-dev
	$(BIN)/python -m benchmarks.crash --kills 200

torch: $(VENV)/ready-dev
	@$(PIP) install torch==2.13.0
	@$(PIP) install -r requirements-train.txt

docs: $(VENV)/ready-dev
	$(BIN)/python -m tools.reference

lock: $(VENV)/ready-dev
	$(BIN)/python -m tools.lock

clean:
	rm -rf $(VENV) build .pytest_cache .mypy_cache .ruff_cache .hypothesis
