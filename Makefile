# One command builds the book, one runs the tests; each sets up everything it needs first.
#
#   make book   make test   make help (the others)
#
# PYTHON=python3.12 chooses the interpreter the environment is made from (3.11 or newer),
# VENV=path where it lives, ARGS="..." is passed on to pytest.

PYTHON ?= python3
VENV ?= .venv
ARGS ?=

ifeq ($(OS),Windows_NT)
BIN := $(VENV)/Scripts
else
BIN := $(VENV)/bin
endif
PY := $(BIN)/python
STAMP := $(VENV)/.ordbook-installed

# Packages of the user's own folder must not stand in for pinned ones; one thread per process makes
# timings honest. MPLBACKEND is removed because any value hides the figures of the notebooks, and
# JUPYTER_PATH because it can bring another kernel of the same name to the front.
export PYTHONNOUSERSITE := 1
export OMP_NUM_THREADS := 1
export PIP_DISABLE_PIP_VERSION_CHECK := 1
unexport JUPYTER_PATH
unexport MPLBACKEND
unexport PYTHONPATH
unexport PYTHONHOME

.DEFAULT_GOAL := book
.PHONY: help book chapter test test-all lint format scores draws course requirements lowest alone wheel clean

help: ## show this list
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 15

book: $(STAMP) ## build the book into _build/html (the default)
	@echo "book: running every chapter and writing the pages to _build/html"
	@# From nothing: pages of removed chapters must not stay, and an incremental build keeps old
	@# numbers after a change of ordbook/ or data/ (--all, for those who call it without make).
	@rm -rf _build/html _build/.doctrees
	@$(BIN)/jupyter-book build . --all -n -W --keep-going --quiet
	@echo "book: done, open _build/html/index.html"

chapter: $(STAMP) ## run and build one page: make chapter NAME=acl21; with ARGS=--all-errors only run it, and list all that fails
	@test -f "book/$(NAME).ipynb" -o -f "book/$(NAME).md" || \
	  { echo "error: name a page of book/ without its ending, such as NAME=acl21" >&2; exit 1; }
ifeq ($(ARGS),--all-errors)
	@echo "chapter: running $(NAME) to its end"
	@$(PY) -m ordbook.reports.failing "book/$(NAME).ipynb"
else
	@echo "chapter: running $(NAME) alone; its links to other pages lead nowhere"
	@mkdir -p _build/chapter && printf 'format: jb-book\nroot: book/%s\n' "$(NAME)" > _build/chapter/_toc.yml
	@$(BIN)/jupyter-book build . --toc _build/chapter/_toc.yml --path-output _build/chapter --all -q \
	  > _build/chapter/log.txt 2> _build/chapter/warnings.txt; code=$$?; \
	  grep -vE 'undefined label|unknown document|could not find bibtex key' _build/chapter/warnings.txt >&2; exit $$code
	@echo "chapter: done, open _build/chapter/_build/html/book/$(NAME).html"
endif

test: $(STAMP) ## run the tests that a person waits for (two to five minutes)
	@echo "test: running the quick tests on every processor"
	@$(PY) -m pytest -m "not slow" $(ARGS)

test-all: $(STAMP) ## run all tests: browsers, trainings, seeds, clusters too (half an hour)
	@echo "test-all: running all tests on every processor"
	@$(PY) -m pytest $(ARGS)

scores: $(STAMP) ## recompute data/scores from the raw files (after a measure was changed on purpose)
	@echo "scores: recomputing data/scores"
	@$(PY) data/scores/make.py
	@$(PY) -m ordbook.papers.sigir18

draws: $(STAMP) ## repeat the papers' random procedures and rewrite data/draws (after scores were changed on purpose)
	@echo "draws: repeating with many seeds, about half an hour"
	@$(PY) data/draws/make.py

course: wheel ## write the course's worksheets and slides into _build/course
	@$(BIN)/ordbook course --overwrite --out _build/course $(ARGS)

lint: $(STAMP) ## check formatting, style and types
	@echo "lint: formatting, style, types"
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/mypy

format: $(STAMP) ## format the code and mend what can be mended
	@$(BIN)/ruff format .
	@$(BIN)/ruff check --fix .

# --no-config and the --no-emit options keep addresses of package indexes out of the file.
requirements: $(STAMP) ## recompile requirements.txt from pyproject.toml (UPGRADE=1 takes newest versions)
	@echo "requirements: resolving pyproject.toml for all systems and Python 3.11 or newer"
	@$(BIN)/uv pip compile pyproject.toml --all-extras --universal --python-version 3.11 \
	  --no-config --no-header --no-annotate --no-emit-index-url --no-emit-find-links \
	  $(if $(UPGRADE),--upgrade) --quiet --output-file requirements.txt
	@echo "-e ." >> requirements.txt
	@sed -i.old "s/ruff==[0-9.]*/$$(grep '^ruff==' requirements.txt)/" .pre-commit-config.yaml
	@rm .pre-commit-config.yaml.old

lowest: $(STAMP) ## run all tests with the lowest versions that pyproject.toml allows
	@echo "lowest: installing the lowest versions into _build/lowest"
	@rm -rf _build/lowest && mkdir -p _build
	@$(BIN)/uv pip compile pyproject.toml --all-extras --resolution lowest-direct --quiet --output-file _build/lowest.txt
	@$(BIN)/uv venv --quiet --python $(PY) _build/lowest
	@$(BIN)/uv pip install --quiet --python _build/lowest -r _build/lowest.txt -e .
	@_build/lowest/bin/python -m pytest $(ARGS)

alone: ## test the measures with nothing but the lowest numpy, as `pip install .` promises
	@echo "alone: installing ordbook and the lowest numpy into _build/alone"
	@rm -rf _build/alone && $(PYTHON) -m venv _build/alone
	@_build/alone/bin/pip install --quiet . "numpy==1.26.*" pytest
	@PYTHONPATH=tests _build/alone/bin/python -m pytest -q -c /dev/null --rootdir . --noconftest -p no:cacheprovider tests/measures/test_exact.py tests/measures/test_values.py

wheel: $(STAMP) ## build the wheel into dist/
	@echo "wheel: building into dist/"
	@$(PY) -m build --wheel --no-isolation

clean: ## remove everything that was built, the environment too
	rm -rf _build dist .pytest_cache .mypy_cache .ruff_cache $(VENV)

# The stamp is written last, so that a half-failed installation is done again.
$(STAMP): requirements.txt pyproject.toml
	@rm -f $@
	@command -v $(PYTHON) >/dev/null 2>&1 || \
	  { echo "error: $(PYTHON) not found; install Python 3.11 or newer, or say make PYTHON=/path/to/python" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "error: ordbook needs Python 3.11 or newer, and $(PYTHON) is $$($(PYTHON) -V 2>&1); say make PYTHON=python3.12" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || \
	  { echo "error: $(PYTHON) has no venv module; on Debian and Ubuntu: apt install python3-venv" >&2; exit 1; }
	@if ! $(PY) -m pip --version >/dev/null 2>&1; then \
	  echo "setup: creating the virtual environment $(VENV)"; $(PYTHON) -m venv --clear $(VENV); fi
	@echo "setup: installing the pinned packages (some minutes the first time)"
	@$(PY) -m pip install --quiet -r requirements.txt
	@# The kernel warns at every start that it talks over TCP; on one machine that is how it is meant.
	@mkdir -p $(VENV)/etc/ipython
	@echo "c = get_config(); c.IPKernelApp.log_level = 40" > $(VENV)/etc/ipython/ipython_kernel_config.py
	@touch $@
