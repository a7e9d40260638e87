# Everything runs with Go, git, make, bash and a C compiler (for the race
# detector). Other tools are Go programs that proto/tools pins; the go command
# builds them when first used, which takes about two minutes once.

SHELL       := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
MAKEFLAGS   += --no-print-directory
GO          ?= go
TOOL        := $(GO) tool -modfile=proto/tools/go.mod
HELM        := $(GO) tool -modfile=deploy/release/go.mod helm
FROZEN      := proto/testdata/release/setplan.v1.binpb

# Nested modules with code of ours: the contract and the client, which other
# people's programs import, and what would bring half of Kubernetes. They are
# found, so that a new one is tested from its first day.
MODULES := $(sort $(patsubst %/go.mod,%,$(wildcard */*/go.mod)))

# Tests that need a control plane have one of these build tags.
TAGS := e2e,controlplane

# Go packages of a nested module that checks look at. The control plane's main
# is left out: it links all of Kubernetes, and build-local compiles it.
PACKAGES = $$($(GO) list -e ./... | grep -v /cmd/controlplane)

.DEFAULT_GOAL := help

.PHONY: help
help: ## List the targets.
	@sed -nE 's/^([a-z0-9-]+):.*## (.*)/\1\t\2/p' $(firstword $(MAKEFILE_LIST)) | expand -t 20

# Build and run

.PHONY: build
build: ## Build our programs into bin/.
	@echo "--> go build"
	@mkdir -p bin && $(GO) build -o bin/ ./... && ln -sf setplan bin/kubectl-setplan

.PHONY: build-local
build-local: ## Build the local control plane into bin/ (minutes, the first time).
	@echo "--> setplan-local build"
	@$(GO) build -C deploy/local -o "$(CURDIR)/bin/" ./cmd/setplan-local
	@bin/setplan-local build

# What a release is made by, and Helm. The version is that of the last tag unless it is given.
VERSION ?= $(shell git describe --tags --match 'v[0-9]*' 2>/dev/null || echo v0.0.0-$$(git rev-parse --short=12 HEAD))

.PHONY: build-release
build-release:
	@echo "--> setplan-release, helm"
	@$(GO) build -C deploy/release -o "$(CURDIR)/bin/setplan-release" .
	@$(GO) build -C deploy/release -o "$(CURDIR)/bin/" helm.sh/helm/v4/cmd/helm

.PHONY: release
release: build-release ## Make a release in bin/release: programs, images, chart, licenses, bills of materials, checksums (minutes). VERSION=v0.2.0.
	@bin/setplan-release -version $(VERSION) -out bin/release/$(VERSION)
	@cat bin/release/$(VERSION)/SHA256SUMS

.PHONY: release-twice
release-twice: build-release ## Make a release twice, with other paths and an empty cache the second time; the bytes must be the same (many minutes).
	@bash .ci/release-twice "$(CURDIR)/bin/setplan-release"

# Images for this machine under two versions, and their charts: what is installed, upgraded and downgraded.
.PHONY: build-images
build-images: build-release
	@echo "--> images of two versions"
	@rm -rf bin/images
	@for version in v0.2.0 v0.3.0; do \
		bin/setplan-release -version $$version -only linux_$$($(GO) env GOARCH) -out bin/release/$$version && \
		bin/setplan-release -unpack bin/release/$$version -out bin/images; \
	done

.PHONY: demo
demo: build build-local ## Show a set's life on a real control plane. KEEP=1 leaves it running.
	@bin/setplan-demo

.PHONY: demo-repair
demo-repair: build build-local ## Show a bad template and its correction, beside the built-in controller.
	@bin/setplan-demo repair

.PHONY: demo-drain
demo-drain: build build-local ## Show a scale-down that loses no data on a real control plane.
	@bin/setplan-demo drain

.PHONY: demo-day2
demo-day2: build build-local ## Show bigger disks, more memory, a forecast and a leader that is updated last, on a real control plane.
	@bin/setplan-demo day2

.PHONY: demo-managed
demo-managed: build build-local ## Show a set that moves to our own kind beside the built-in controller, and back (minutes).
	@bin/setplan-demo managed

.PHONY: demo-install
demo-install: build build-local build-images ## Install, upgrade, downgrade and uninstall the chart during a rollout; the images' programs run as processes. Needs Linux and root.
	@bin/setplan-demo install

.PHONY: demo-central
demo-central: build build-local ## Show one planner for three clusters: servers killed, a certificate rotated, a flood, a caller removed (minutes). Needs Linux.
	@bin/setplan-demo central

.PHONY: demo-sim
demo-sim: ## Show the same on the simulated cluster, in seconds.
	@$(GO) run ./test/cmd/setplan-sim demo

.PHONY: compare
compare: build build-local ## Measure the cost on a real control plane against the built-in controller. RUNS=3, ONLY=expression.
	@bin/setplan-compare -runs $(or $(RUNS),3) -only '$(ONLY)'

.PHONY: scale
scale: build build-local ## Measure many sets on a real control plane against the built-in controller (40 minutes). SETS=20000, REST=5m, RUNS=1, ONLY=expression.
	@bin/setplan-scale -sets $(or $(SETS),20000) -rest $(or $(REST),5m) -runs $(or $(RUNS),1) -only '$(ONLY)'

.PHONY: scale-server
scale-server: build ## Measure servers that plan for fifty clusters; fails where one that floods slows down the quiet, or servers share unevenly. ONLY=expression.
	@bin/setplan-scale-server -server bin/setplan-server -only '$(ONLY)'

.PHONY: hostile
hostile: build build-local ## Measure a healthy set beside hostile ones; fails where it takes twice as long. RUNS=5, ONLY=expression.
	@bin/setplan-hostile -runs $(or $(RUNS),5) -only '$(ONLY)'

# Test

.PHONY: test
test: ## Run everything: lint, generated code, all tests, end to end.
	+@MAKE="$(MAKE)" bash .ci/stages lint verify-generated test-go test-modules test-local e2e

.PHONY: lint
lint: lint-go lint-proto lint-chart ## Check style, and that the contract only grows.

.PHONY: lint-go
lint-go:
	@echo "--> gofmt"
	@bad=$$(git ls-files -z --cached --others --exclude-standard '*.go' | xargs -0 ls -d 2>/dev/null | xargs gofmt -l); \
	if [ -n "$$bad" ]; then echo "not formatted (gofmt -w):"; echo "$$bad"; exit 1; fi
	@echo "--> go vet, staticcheck"
	@$(GO) vet -tags $(TAGS) ./...
	@$(TOOL) staticcheck -tags $(TAGS) ./...
	@for module in $(MODULES); do \
		echo "--> go vet, staticcheck: $$module"; \
		( cd $$module && $(GO) vet -tags $(TAGS) $(PACKAGES) && \
		  $(GO) tool -modfile="$(CURDIR)/proto/tools/go.mod" staticcheck -tags $(TAGS) $(PACKAGES) ); \
	done
	@echo "--> imports"
	@bash .ci/imports

.PHONY: lint-proto
lint-proto: ## Check the .proto files' style, and against the frozen release.
	@echo "--> buf lint, buf breaking"
	@$(TOOL) buf lint
	@$(TOOL) buf breaking --against $(FROZEN) || \
		{ echo "The contract is additive only: see 'The contract' in CONTRIBUTING.md."; exit 1; }

.PHONY: lint-chart
lint-chart:
	@echo "--> helm lint"
	@$(HELM) lint --quiet deploy/chart

.PHONY: verify-generated
verify-generated: ## Fail where generated files or go.mod files are stale.
	@echo "--> generated Go"
	@GO="$(GO)" bash proto/tools/generate.sh verify
	@echo "--> manifests"
	@HELM="$(HELM)" bash deploy/manifests/generate.sh verify
	@for module in . $(MODULES); do \
		echo "--> go.mod of $$module"; \
		( cd $$module && $(GO) mod tidy -diff ) || { echo "$$module/go.mod is not tidy: run 'make tidy'."; exit 1; }; \
	done

# Searches, lives and stories with one goroutine each: the race detector finds
# nothing in them, and takes ten minutes for it.
ALONE := ./test/explore ./test/faults ./test/forecast ./test/story ./test/vectors

.PHONY: test-go
test-go: ## Test the main module, with the race detector where there is more than one goroutine.
	@$(GO) test -race -timeout 20m $$($(GO) list ./... | grep -vE '/test/(explore|faults|forecast|story|vectors)$$')
	@$(GO) test -timeout 20m $(ALONE)

# The nested modules whose tests have more than one goroutine of ours.
RACED := clients/go

.PHONY: test-modules
test-modules: ## Test the nested modules.
	@for module in $(MODULES); do \
		echo "--> $$module"; \
		case " $(RACED) " in *" $$module "*) race=-race ;; *) race= ;; esac; \
		( cd $$module && $(GO) test $$race -timeout 20m $(PACKAGES) ); \
	done

.PHONY: test-local
test-local: build-local ## Test the local control plane itself.
	@$(GO) test -C deploy/local -tags controlplane -count=1 -timeout 15m ./test

.PHONY: e2e
e2e: build build-local build-images ## Test on a real control plane. RUN=TestName picks; KIND=own is for sets of our own kind.
	@echo "--> go test ./test/e2e"
	@bash .ci/e2e "$(GO)" '$(KIND)' $(if $(RUN),-run '$(RUN)')

.PHONY: forecast-truth
forecast-truth: ## Forecast random edits, make them on a real control plane, and compare. N=200, SEED=first seed; KIND=own.
	@$(MAKE) e2e RUN='^TestForecastTruth$$' KIND='$(or $(KIND),apps/v1)' FORECASTS=$(or $(N),200) FORECAST_SEED=$(or $(SEED),0)

.PHONY: test-clients
test-clients: test-python test-typescript test-java test-rust ## Test the clients in other languages than Go: the four targets below.

# Each client's tests ask a real planner.
.PHONY: test-python test-typescript test-java test-rust
test-python: build ## Test the client in Python. Needs python3, 3.11 or later, and PyPI.
test-typescript: build ## The same in TypeScript. Needs node, 20.12 or later, npm with its registry, and openssl.
test-java: build ## The same in Java. Needs java, 17 or later, and mvn with Maven Central.
test-rust: build ## The same in Rust. Needs Rust, 1.89 or later, and crates.io.
test-python test-typescript test-java test-rust: test-%:
	@GO="$(GO)" bash clients/$*/check.sh

# Make files that are committed

.PHONY: generate
generate: ## Generate Go, Python, TypeScript and Rust from the .proto files. Needs python3 and PyPI, node and npm with its registry, Rust and crates.io.
	@echo "--> buf generate"
	@GO="$(GO)" bash proto/tools/generate.sh
	@echo "--> protoc for Python"
	@bash clients/python/generate.sh
	@echo "--> buf generate for TypeScript"
	@GO="$(GO)" bash clients/typescript/generate.sh
	@echo "--> prost for Rust"
	@bash clients/rust/generate.sh

.PHONY: crd
crd: ## Rewrite deploy/crd, the definition of our own kind, from the API server's OpenAPI of apps/v1.
	@$(GO) run -C deploy/local ./cmd/setplan-crd > .crd.yaml || { rm -f .crd.yaml; exit 1; }
	@mv .crd.yaml deploy/crd/statefulset.yaml

.PHONY: manifests
manifests: ## Rewrite deploy/manifests, what the chart gives for apps/v1 with the planner beside the adapter.
	@HELM="$(HELM)" bash deploy/manifests/generate.sh

.PHONY: tidy
tidy: ## Tidy every go.mod.
	@for module in . $(MODULES); do ( cd $$module && $(GO) mod tidy ); done

.PHONY: fixtures
fixtures: ## Write wire fixtures for what none has yet; never changes one. RELEASE=v0.2.0, the coming release.
	@if [ -z "$(RELEASE)" ]; then echo "say which release comes: make fixtures RELEASE=v0.2.0"; exit 2; fi
	@$(GO) test ./test/wiretest -run '^TestFixtures$$' -count=1 -args -release $(RELEASE)

.PHONY: vectors
vectors: ## Write the test vectors of the contract anew; read the diff before committing.
	@$(GO) run ./test/cmd/setplan-vectors
	@$(GO) test ./server -run '^TestStatusVectors$$' -count=1 -args -rewrite-vectors

.PHONY: conformance
conformance: ## Decide beside upstream's own code and compare. N=worlds, LIVES=lives, SEED=seed.
	@cd test/oracle && $(GO) run ./cmd/oracle -n $(or $(N),100000) -lives $(or $(LIVES),2048) -seed $(or $(SEED),1) -save testdata/divergences

.PHONY: mutants
mutants: ## Break one line at a time, everywhere; the tests must find each. ONLY=adapters, as part/name.
	@$(GO) run ./test/cmd/setplan-mutants -only '$(if $(ONLY),^($(ONLY)))'

.PHONY: bench
bench: build ## Measure decision, remote call and server against upstream. ARGS='-only remote-steady -turns 11'
	@cd test/oracle && $(GO) run ./bench -server "$(CURDIR)/bin/setplan-server" $(ARGS)

.PHONY: cost
cost: ## Measure the requests that cost most, each in a process of its own; fail above 1 s of CPU, 200 MB or 10 ms until cancelled. ONLY=expression.
	@$(GO) run ./test/cmd/setplan-cost -only '$(ONLY)'

.PHONY: flood
flood: build ## Flood a server that has the shipped memory limit; fails where a small caller notices. ONLY=expression.
	@bin/setplan-flood -server bin/setplan-server -only '$(ONLY)'

.PHONY: doubling
doubling: ## Double every pair of fields of the contract: twice the bytes may take twice the work (minutes).
	@$(GO) test ./test/hostile -run '^TestDoubling' -count=1 -timeout 60m -v -args -pairs .

.PHONY: corpus
corpus: ## Rewrite the take-over corpus with every k8s.io/api since 0.24.
	@GO="$(GO)" bash test/corpus/generate.sh

.PHONY: random
random: ## Search for new failures: random worlds and snapshots with new seeds. N=runs.
	@seed=$$RANDOM$$RANDOM; echo "--> rapid.seed=$$seed"; for package in ./engine ./server/codec ./test/story; do \
		$(GO) test -count=1 -timeout 60m -run 'Properties|Random|NeverPanics' $$package -args -rapid.seed=$$seed -rapid.checks=$(or $(N),2000); \
	done

.PHONY: fuzz
fuzz: ## Run every fuzz target in turn, each for T=30s.
	@GO="$(GO)" bash .ci/fuzz "$(or $(T),30s)"

.PHONY: explore
explore: ## Visit every state of a small set and check every step (minutes). ONLY=expression.
	@$(GO) run ./test/cmd/setplan-explore -only '$(ONLY)'

.PHONY: explore-deep
explore-deep: ## The same with larger bounds (an hour, and 16 GB of memory). ONLY=expression.
	@$(GO) run ./test/cmd/setplan-explore -deep -only '$(ONLY)'

.PHONY: world
world: ## Long random lives under faults. N=lives, STEPS=commands, SETS=sets, SEED=first seed.
	@$(GO) run ./test/cmd/setplan-world -sieve -n $(or $(N),20) -steps $(or $(STEPS),3000) -sets $(or $(SETS),4) -seed $(or $(SEED),1)

.PHONY: forecast-lives
forecast-lives: ## Forecast random edits, and compare with what happens then on the simulated cluster. N=lives, SEED=first seed.
	@$(GO) test ./test/forecast -run '^(TestForecastsComeTrue|TestRealityIsNeverWorse)$$' -count=1 -timeout 60m -v -args -lives=$(or $(N),2000) -seed=$(or $(SEED),1)

.PHONY: stories
stories: ## Rewrite what the stories expect; read the diff before committing.
	@$(GO) test ./test/story -run '^TestStories$$' -count=1 -args -rewrite

.PHONY: rules
rules: ## Rewrite docs/rules.md from what both sides do.
	@cd test/oracle && $(GO) test ./differences -run '^TestPage$$' -count=1 -args -rewrite

.PHONY: verdicts
verdicts: ## Rewrite the tables of what other tools say of our sets, in docs/conditions.md; read the diff before committing.
	@cd test/verdicts && $(GO) test . -run '^TestPage$$' -count=1 -args -rewrite

.PHONY: freeze-release
freeze-release: ## Freeze the contract: once per release, just before its tag.
	@$(TOOL) buf lint
	@$(TOOL) buf breaking --against $(FROZEN)
	@mkdir -p $(dir $(FROZEN))
	@$(TOOL) buf build --exclude-source-info -o $(FROZEN)
	@echo "$(FROZEN) now holds the contract as it is. Commit it with the release, and only then:"
	@echo "what is in it can never be removed or changed again."

.PHONY: measure-wire
measure-wire: ## Print how many bytes a pod costs on the wire.
	@$(GO) test ./test/wiretest -run '^TestBytesPerPod$$' -count=1 -v | sed -n 's/^ *[a-z_]*\.go:[0-9]*: //p'

.PHONY: measure-instructions
measure-instructions: ## Count the instructions of a steady decision, with valgrind: the noise of a machine does not reach them.
	@command -v valgrind >/dev/null || { echo "valgrind is not installed"; exit 1; }
	@mkdir -p bin
	@$(GO) test -c -o bin/engine.test ./engine
	@for pods in 3 100 1000; do \
		few=$$((6000 / pods)) many=$$((36000 / pods)); \
		for n in $$few $$many; do \
			GOMAXPROCS=1 GOGC=off GODEBUG=asyncpreemptoff=1 valgrind --tool=callgrind --callgrind-out-file=/dev/null bin/engine.test \
				-test.run '^$$' -test.bench "^BenchmarkSteady$$/^$$pods\$$" -test.benchtime "$${n}x" 2>&1 | sed -n 's/,//g; s/.* refs: *//p'; \
		done | paste -sd ' ' | { read first last; echo "$$pods pods: $$(((last - first) / (many - few))) instructions"; }; \
	done

.PHONY: measure-memory
measure-memory: ## Measure what sets and pods cost in our caches and in the built-in controller's. SETS=5000 has ten times as many pods.
	@$(GO) test ./adapters/kube -run '^TestMemory$$' -count=1 -timeout 60m -v -args -memory-sets $(or $(SETS),5000) | sed -n 's/^ *[a-z_]*\.go:[0-9]*: //p'

.PHONY: measure-cli
measure-cli: ## Measure the command line's first answer from a file, from a cold start.
	@$(GO) test ./clients/cmd/setplan -run '^$$' -bench ColdStart -benchtime 40x | grep -E 'cpu:|Benchmark'

.PHONY: clean
clean: ## Stop every local control plane; remove bin/ and .local/.
	@if [ -d .local ]; then \
		$(GO) build -C deploy/local -o "$(CURDIR)/bin/" ./cmd/setplan-local; \
		bin/setplan-local down --all; \
	fi
	@rm -rf bin .local
