# Everything a clone needs: Go, git and make. Python is used only when it is there.
GO      ?= go
BUILD   := build
TARRY   := $(BUILD)/tarry
PYTHON  ?= python3
VENV    := $(BUILD)/venv
DEMO    ?= demo
FUZZTIME ?= 1m
TORTURE ?= 1m
TIMEOUT ?= 20m
SHARED  ?= $(or $(TARRY_SHARED),../shared)
STATICCHECK := $(GO) tool -modfile=tools/go.mod staticcheck

.PHONY: help docs docs-serve play play-check walk install openblas demo test pytest pylib pytest-beside learners learners-test wheel wheels outside reference habits defaults cost growth pollux-means validate bits bench bench-short bench-pair peers lint size fuzz torture race vuln check build clean venv fixture dictionary settings results slurm image data-files permissions quick race-changed nightly nightly-list

help: ## show this list
	@awk -F':.*## ' '/^[a-z-]+:.*## /{printf "  make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

# The commit goes into the program, and with it into its results, where git has one.
STAMP = -buildvcs=$(if $(shell git rev-parse HEAD 2>/dev/null),auto,false)

# Tests, checks and the command are compiled alike, so that each package is compiled once; docs/explain/build.md has the reasons for the tags.
export GOFLAGS := $(strip $(GOFLAGS) -trimpath -tags=$(shell cat tools/tags))

# BLAS=openblas: products of matrices by OpenBLAS; docs/explain/arithmetic.md has what changes.
comma := ,
HAS_BLAS = echo 'int main(void) { return 0; }' | $(CC) -x c -o /dev/null - -lopenblas 2>/dev/null

# Without symbols for debuggers; panics keep their lines.
SMALL = -tags=$(shell cat tools/tags)$(if $(BLAS),$(comma)$(BLAS)) -ldflags="-s -w"

build: ## build the command into build/tarry; BLAS=openblas takes that library for products of matrices
	@case "$(BLAS)" in ''|openblas) ;; *) echo "build: BLAS is $(BLAS), expected openblas or nothing" >&2; exit 2;; esac
	@if [ -n "$(BLAS)" ] && ! $(HAS_BLAS); then \
	  echo "build: BLAS=openblas needs a C compiler and the library OpenBLAS with its link (Debian: apt-get install gcc libopenblas-dev)" >&2; exit 1; fi
	$(if $(BLAS),CGO_ENABLED=1 )$(GO) build $(STAMP) $(SMALL) -o $(TARRY) ./cmd/tarry

PREFIX ?= $(HOME)/.local

install: build ## copy the command to $(PREFIX)/bin/tarry (PREFIX=~/.local unless given)
	@mkdir -p $(DESTDIR)$(PREFIX)/bin
	install -m 755 $(TARRY) $(DESTDIR)$(PREFIX)/bin/tarry

openblas: ## test the products of BLAS=openblas; skipped where the library is missing
	@if $(HAS_BLAS); then CGO_ENABLED=1 $(GO) test -tags openblas ./internal/matrix; else echo "openblas: skipped, there is no OpenBLAS"; [ -z "$(TARRY_NEED_OPENBLAS)" ]; fi

size: build ## the sizes of the command and of the C library, which must stay under the limits here; stack traces have lines
	$(GO) build $(STAMP) $(SMALL) -buildmode=c-shared -o $(BUILD)/size/libtarry.so ./cmd/libtarry
	tools/size.sh $(TARRY) 49000000 $(BUILD)/size/libtarry.so 27000000
	tools/traces.sh $(TARRY)

IMAGE ?= tarry

image: ## build the container image $(IMAGE) from the Containerfile with podman or docker, for tarry sweep --engine k8s
	@mkdir -p $(BUILD); for engine in podman docker; do \
	  if ! command -v $$engine >/dev/null; then continue; fi; \
	  if ! $$engine info >$(BUILD)/image.log 2>&1; then echo "image: $$engine is here, but does not work: $$(tail -n 1 $(BUILD)/image.log)" >&2; continue; fi; \
	  echo "$$engine build --file Containerfile --tag $(IMAGE) ."; exec $$engine build --file Containerfile --tag $(IMAGE) .; \
	done; echo "image: neither podman nor docker can build here; Containerfile has the commands" >&2; exit 1

# The jobs and the cluster of the agent, which the rule that it is compared with is tuned on.
JOBS_OF_DEMO := $(shell sed -n 's/^env: [^:]*:\(.*\),predicted=true\(.*\)/\1\2/p' examples/order.yaml)

demo: build ## compare schedulers, train an agent with five seeds, tune a rule, measure them: tables, pictures, Parquet in demo/; half a minute
	@echo "make demo: about half a minute: compare schedulers, train an agent with five seeds, tune a rule, measure them"; date +%s >$(BUILD)/demo-began
	$(TARRY) compare --config examples/demo.yaml --force --out $(DEMO) --plot $(DEMO)/plots --timeline $(DEMO)/timeline.json
	rm -rf $(DEMO)/agent $(DEMO)/rule
	$(TARRY) train --config examples/order.yaml --seeds 1-5 --out $(DEMO)/agent --plot $(DEMO)/plots/agent
	$(TARRY) tune --policy dally:order=gittins,evict=later --param margin=0:2 --param min_run=0.01:4:log --env tarry/DelayTimer-v1:$(JOBS_OF_DEMO) \
	  --optimiser random --budget 60 --windows 16 --validation 40 --out $(DEMO)/rule
	$(TARRY) eval $(addprefix --checkpoint $(DEMO)/agent/,1 2 3 4 5) \
	  --tuned $(DEMO)/rule --baselines dally,dally-consolidated,ranked:weights=order --bounds --count 80 --force --out $(DEMO)/eval --plot $(DEMO)/plots/eval
	@# The tables of jobs of nearly a thousand windows take a quarter of a gigabyte: the means of each window stay.
	@rm -rf $(addprefix $(DEMO)/eval/,jobs intervals cluster predictions trials); gzip -nf $(DEMO)/timeline-*.json
	@echo
	@echo "It took $$(($$(date +%s) - $$(cat $(BUILD)/demo-began))) seconds."
	@echo "Tables (Parquet):  $(DEMO)/trials, jobs, intervals, cluster"
	@echo "Pictures:          $(DEMO)/plots/jct_cdf.png, means.png, relative.png (and .svg, .pdf, .csv, .parquet)"
	@echo "Timelines:         $(DEMO)/timeline-*.json.gz, to open in ui.perfetto.dev"
	@echo "The agent:         $(DEMO)/agent/1 to 5 (checkpoints, curves), plots/agent/1 to 5/learning.png; on windows that it"
	@echo "                   never saw $(DEMO)/eval/evals, plots/eval/difference.png, means.png, jct_cdf.png, profile.png"
	@echo "The rule:          $(DEMO)/rule, an order by predictions whose settings tarry tune chose"
	@echo "In pandas:         pandas.read_parquet('$(DEMO)/jobs').groupby('policy').jct_s.describe()"

# One switch makes tests longer, TARRY_LONG=1, which make nightly sets: internal/effort has the reasons.
test: venv ## run all tests; Parquet is read back with pandas, and the package of python/ is tested, when Python is there
	@GO="$(GO)" VENV=$(VENV) TIMEOUT=$(TIMEOUT) tools/test.sh

# The tests of app, experiments and all of baselines take longer than this may.
SLOW := ./(app|baselines|experiments|internal/floors)

DOCS_VENV := $(BUILD)/docs-venv
SITE = NO_MKDOCS_2_WARNING=1 $(DOCS_VENV)/bin/python tools/site/make.py

play: ## the simulator for the page to play with (WebAssembly) in build/play, under a limit of bytes
	@mkdir -p $(BUILD)/play
	GOOS=js GOARCH=wasm $(GO) build -buildvcs=false $(SMALL) -o $(BUILD)/play/tarry.wasm ./cmd/tarrywasm
	@cp "$$($(GO) env GOROOT)/lib/wasm/wasm_exec.js" $(BUILD)/play/
	tools/size.sh $(BUILD)/play/tarry.wasm 13400000
	GOOS=js GOARCH=wasm $(GO) vet ./run/play ./cmd/tarrywasm
	@if GOOS=js GOARCH=wasm $(GO) list -deps ./cmd/tarrywasm | grep -E 'apache/arrow|gorgonia'; then \
	  echo "play: the program for a browser has no room for these" >&2; exit 1; fi

play-check: ## the page to play with in a browser: it has the numbers of the command that it shows; after make docs
	$(DOCS_VENV)/bin/python tools/site/play/check.py

walk: ## a newcomer's questions in a browser, each answered by one search; pages fit 400 pixels and can be read by all; after make docs
	$(DOCS_VENV)/bin/python tools/site/walk/check.py

docs: build play ## make the site of the pages in build/site; a link that leads nowhere is an error
	@tools/site/venv.sh $(PYTHON) $(DOCS_VENV)
	$(PYTHON) tools/site/map.py
	$(SITE)

docs-serve: build play ## the site at a local address, anew whenever a page changes
	@tools/site/venv.sh $(PYTHON) $(DOCS_VENV)
	$(SITE) --serve

quick: ## what takes a minute: build all, short tests of the packages that differ from the commit BASE, golden files, layers and lengths
	$(GO) build ./...
	@set -e; changed=$$(tools/changed.sh packages $(BASE)); soon=$$(echo "$$changed" | grep -vxE '$(SLOW)' || true); \
	echo "quick: differs:" $$changed; if [ -n "$$changed" ]; then $(GO) vet $$changed; fi; if [ -n "$$soon" ]; then $(GO) test -vet=off -short $$soon; fi
	$(GO) test -vet=off -short ./baselines -run '^Test(Golden|Transcripts)$$'
	$(GO) test -vet=off -short ./internal/floors

EPISODES := $(abspath $(BUILD))/python/episodes.json
ACTOR_ROWS := $(abspath $(BUILD))/python/actor-rows
FROZEN := $(abspath $(BUILD))/python/frozen

pytest: pylib ## test the Python package: the library is built, Go plays the episodes that Python repeats bit for bit
	$(MAKE) --no-print-directory pytest-beside
	TARRY_LIBRARY_BUILT=1 $(GO) test -vet=off ./app -run '^Test(ActorsFromTheCommand|PolicyInPython.*)$$' -count 1

# The library of the Python package, beside its sources.
pylib: venv
	@mkdir -p $(BUILD)/python
	GO="$(GO)" $(VENV)/bin/python python/backend/gobuild.py python/src/tarry

# The tests of python/ once pylib is there; one go test writes all that they repeat.
pytest-beside:
	$(VENV)/bin/python -m mypy --cache-dir $(BUILD)/mypy --config-file python/pyproject.toml python/src/tarry
	rm -rf $(ACTOR_ROWS) $(FROZEN)
	TARRY_EPISODES=$(EPISODES) TARRY_EPISODES_EACH=$(or $(EACH),$(if $(filter 1,$(TARRY_LONG)),40,4)) TARRY_ACTOR_ROWS=$(ACTOR_ROWS) TARRY_FROZEN=$(FROZEN) \
	  $(GO) test -vet=off ./run/abi ./run/evaluate -run '^Test(Episodes|Frozen|ActorRows)$$' -count 1
	PYTHONPATH=python/src TARRY_EPISODES=$(EPISODES) TARRY_ACTOR_ROWS=$(ACTOR_ROWS) TARRY_FROZEN=$(FROZEN) GO="$(GO)" $(VENV)/bin/python -m pytest -q -p no:cacheprovider python/tests

LEARNERS_VENV := $(BUILD)/learners

learners: venv ## test the Python package with Stable-Baselines3 and others in build/learners, over Debian's torch; skipped where that is not installed
	@if tools/learners.sh $(LEARNERS_VENV) $(VENV); then $(MAKE) --no-print-directory learners-test; \
	elif [ -n "$(TARRY_NEED_LEARNERS)" ]; then exit 1; else echo "learners: skipped"; fi

# The tests of python/tests run there as well: it has another Gymnasium and another numpy.
learners-test:
	GO="$(GO)" $(VENV)/bin/python python/backend/gobuild.py python/src/tarry
	rm -rf $(FROZEN); TARRY_FROZEN=$(FROZEN) $(GO) test ./run/abi -run '^TestFrozen$$' -count 1
	PYTHONPATH=python/src TARRY_FROZEN=$(FROZEN) $(LEARNERS_VENV)/bin/python -m pytest -q -p no:cacheprovider python/tests/test_weights.py
	PYTHONPATH=python/src $(LEARNERS_VENV)/bin/python -m pytest -q -p no:cacheprovider -k "not is_sync_vector_env" --disable-warnings python/tests/test_env.py python/tests/test_vector.py python/tests/test_fork.py
	PYTHONPATH=python/src $(LEARNERS_VENV)/bin/python -m pytest -q -p no:cacheprovider --disable-warnings python/learners

# The wheel of the other processor needs a cross compiler (Debian: gcc-aarch64-linux-gnu).
wheel: venv ## make a wheel in build/wheels that installs without Go, with the tag that auditwheel gives it, and try it
	GO="$(GO)" tools/wheels.sh $(VENV) own

wheels: venv ## the same for Linux on amd64 and arm64; qemu, where it is installed, tries the wheel of the other processor
	GO="$(GO)" tools/wheels.sh $(VENV) all

outside: ## build the module in examples/outside, which adds parts of its own, and run every sub-command that uses them; half a minute
	tools/outside.sh

reference: ## compare with the results of other simulators in $TARRY_REFERENCE (default ../shared/reference), a line per folder
	@TARRY_SHARED=$(SHARED) $(GO) run ./cmd/reference
	@TARRY_SHARED=$(abspath $(SHARED)) $(if $(TARRY_REFERENCE),TARRY_REFERENCE=$(abspath $(TARRY_REFERENCE))) \
		$(GO) test -run 'Reference|Phases|MaxMin' ./baselines/gadget ./baselines/sjfbco ./baselines/crux \
		./baselines/vclos ./sim/network/phased

SEEDS = 10
ONLY =
pollux-means: ## means of Pollux over SEEDS runs beside the published ones; ONLY="load1.0 pollux-2m" names settings
	@TARRY_SHARED=$(SHARED) $(GO) run ./cmd/reference pollux $(SEEDS) $(ONLY)

habits: ## the effect of each habit of the simulator of Dally's authors on mean completion time: the table of docs/explain/fidelity.md
	@TARRY_SHARED=$(SHARED) $(GO) run ./cmd/reference habits

defaults: ## the effect of each default of ours: docs/defaults.csv and the tables of docs/reference/defaults.md; ONLY="philly allox" measures these again; about ten minutes
	@TARRY_SHARED=$(SHARED) $(GO) run ./cmd/reference defaults $(ONLY)
	$(GO) test ./run/defaults -run '^TestPage$$' -update

LIMIT = 30
cost: ## processor seconds of every scheduler on Philly, at most LIMIT each: docs/cost.csv and the table of docs/reference/cost.md; ONLY=a,b measures these
	@TARRY_SHARED=$(SHARED) $(GO) run ./cmd/reference cost $(LIMIT) $(ONLY)
	$(GO) test ./run/cost -run '^TestPage$$' -update

growth: ## the same of queue orders on 512 to 80 000 GPUs: docs/cost-growth.csv and its table; ONLY=a,b measures these
	@TARRY_SHARED=$(SHARED) $(GO) run ./cmd/reference growth $(LIMIT) $(ONLY)
	$(GO) test ./run/cost -run '^TestPage$$' -update

results: build ## fill the tables of the pages of all questions with stored rows, and draw their pictures into runs/
	$(TARRY) reproduce --stored

fixture: ## the smallest sweep of every question by the command, in build/fixture, to write notebooks with (TARRY_RUNS); anew when the code changed
	@$(GO) build -buildvcs=false -o $(BUILD)/unstamped ./cmd/tarry; \
	if ! cmp -s $(BUILD)/unstamped $(BUILD)/fixture/ready; then \
	  rm -rf $(BUILD)/fixture; mkdir -p $(BUILD)/fixture; \
	  for q in $$($(BUILD)/unstamped list questions --format json | sed 's/^{"name":"\([a-z]*\)".*/\1/'); do \
	    echo "fixture: $$q"; $(BUILD)/unstamped sweep --question $$q --scale tiny --out $(BUILD)/fixture/$$q >$(BUILD)/fixture/$$q.log 2>&1 || { cat $(BUILD)/fixture/$$q.log; exit 1; }; \
	  done; cp $(BUILD)/unstamped $(BUILD)/fixture/ready; \
	fi

venv: ## pandas, pyarrow and TensorBoard in build/venv, to read from the outside what we write
	@tools/venv.sh $(PYTHON) $(VENV)

dictionary: ## write docs/reference/tables.md, the data dictionary, from the schema of the tables
	$(GO) test ./output/dictionary -run '^TestDictionary$$' -update

settings: ## write docs/reference/settings.md and Python's keyword arguments from the tables of settings
	$(GO) test ./run/listing -run '^TestGenerated$$' -update
	$(GO) test ./app -run '^TestPythonKeywords$$' -update

permissions: ## write the table of docs/explain/knows.md from the catalogue
	$(GO) test ./baselines -run '^TestKnowsPage$$' -update

data-files: ## take docs/reference/data-files.md and docs/read.csv, what is read of each file, from the data folder ($TARRY_SHARED, default ../shared)
	$(GO) test ./internal/floors -run '^TestDataFiles$$' -count 1 -args -update
	$(GO) test ./catalogue/traces -run '^TestRead$$' -count 1 -args -update

slurm: ## fetch Debian's Slurm into build/slurm, unpacked and not installed: the tests run sweeps on it
	tools/slurm/slurm.sh fetch $(BUILD)/slurm

validate: ## train for as long as published results did and compare (three quarters of an hour on one free core); docs/explain/fidelity.md has the table
	TARRY_VALIDATE=1 $(GO) test ./agents/... -run '^TestValidate$$' -v -timeout 6h

bits: build ## compute the same with FMA and AVX switched off, with GOAMD64=v3 and in plain Go, and compare every byte: two minutes
	GOAMD64=v3 $(GO) build -gcflags='tarry/...=-S' -o $(BUILD)/tarry-v3 ./cmd/tarry 2>$(BUILD)/tarry-v3.s
	tools/bits/fused.sh $(BUILD)/tarry-v3.s
	$(GO) build -tags purego -o $(BUILD)/tarry-plain ./cmd/tarry
	tools/bits/bits.sh $(TARRY) $(BUILD)/tarry-plain $$(if $(BUILD)/tarry-v3 version >/dev/null 2>&1; then echo $(BUILD)/tarry-v3; else echo "bits: this processor cannot run GOAMD64=v3" >&2; fi)

bench: ## run the benchmarks COUNT times (BENCH=regexp PKG=./... TIME=1s), write build/bench/new.txt, compare it with the run before
	GO="$(GO)" tools/bench.sh run

peers: build ## time the work that other simulators were timed with: the table of docs/results/speed-peers.md
	tools/peers.sh

bench-short: ## run every benchmark once with short lists; an error names which of tools/benchmarks.txt is missing
	GO="$(GO)" tools/bench.sh short

bench-pair: ## compare the commit BASE with this tree, COUNT runs of each in turn (BENCH, PKG and TIME as for bench)
	GO="$(GO)" tools/bench.sh pair $(BASE)

lint: ## gofmt, vet, staticcheck, go mod tidy, words, subjects of commits
	@files=$$(gofmt -l $$(git ls-files -co --exclude-standard '*.go')); \
	if [ -n "$$files" ]; then echo "gofmt would change:"; echo "$$files"; exit 1; fi
	$(GO) vet ./...
	git grep -lE '^//go:build race' -- '*.go' | xargs -n 1 $(GO) vet # named, as no tag but -race builds them
	$(STATICCHECK) ./...
	tools/tidy.sh
	tools/words.sh
	tools/subjects.sh

race: ## the race detector over every package in which goroutines meet; tools/race.sh list prints them
	tools/race.sh run

race-changed: ## the race detector over its packages that differ from the commit BASE, and what uses them
	tools/race.sh changed $(BASE)

nightly: ## all that .ci/run leaves out, after .ci/run: long forms of tests, the fuzzer, races everywhere, random cases, benchmarks
	tools/nightly.sh run

nightly-list: ## what that is, from the code
	tools/nightly.sh list

vuln: ## known vulnerabilities in what the program calls, where their data base can be reached
	tools/vuln.sh

fuzz: ## run every fuzz target for FUZZTIME (default 1m) but of the folders in FUZZSKIP
	tools/fuzz.sh $(FUZZTIME) $(FUZZSKIP)

# The parts are the tests whose names begin with TestTorture; sim/simtest/torture.go reads the environment.
torture: ## fresh random cases for every scheduler for TORTURE (default 1m) in all; TORTURE_SEED=N repeats one, TORTURE_ONLY=TestName runs one part
	@set -e; parts=$$(git grep -hoE '^func $(or $(TORTURE_ONLY),TestTorture[A-Za-z0-9_]*)\(t ' -- '*_test.go' | wc -l); \
	test $$parts -gt 0 || { echo "torture: no test is called $(TORTURE_ONLY)"; exit 2; }; \
	for pkg in $$(git grep -lE '^func $(or $(TORTURE_ONLY),TestTorture[A-Za-z0-9_]*)\(t ' -- '*_test.go' | xargs -n 1 dirname | sort -u); do \
	  echo "torture $$pkg"; TARRY_TORTURE=$(TORTURE) TARRY_TORTURE_PARTS=$$parts TARRY_TORTURE_SEED=$(TORTURE_SEED) \
	    $(GO) test ./$$pkg -run '^$(or $(TORTURE_ONLY),TestTorture.*)$$' -count 1 -v -timeout 0; \
	done

check: lint test ## what a change must pass before it is proposed

clean: ## remove what make made
	rm -rf $(BUILD) $(DEMO)
