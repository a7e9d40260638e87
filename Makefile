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

# These modules compile much of others' code and seldom change: make test-long.
RARE    := deploy/node deploy/release test/corpus test/verdicts
OFTEN   := $(filter-out $(RARE),$(MODULES))

# What only has to run, not to run fast, is compiled without inlining and debug information, in half the time.
QUICK   := '-gcflags=all=-l -dwarf=false'
export GO HELM RARE OFTEN QUICK

# Tests that need a control plane have one of these build tags.
TAGS := e2e,controlplane

# Go packages of a nested module that checks look at. The control plane's main
# is left out: it links all of Kubernetes, and build-local compiles it.
PACKAGES = $$($(GO) list -e ./... | grep -v /cmd/controlplane)

# The programs of a release and of the demo.
PROGRAMS := ./server/cmd/setplan-server ./adapters/kube/cmd/setplan-adapter ./clients/cmd/setplan ./deploy/cmd/setplan-demo

.DEFAULT_GOAL := help

.PHONY: help
help: ## List the targets.
	@sed -nE 's/^([a-z0-9-]+):.*## (.*)/\1\t\2/p' $(firstword $(MAKEFILE_LIST)) | expand -t 20

# Build and run

.PHONY: build
build: ## Build our programs into bin/.
	@echo "--> go build"
	@mkdir -p bin && $(GO) build -o bin/ $(PROGRAMS) && ln -sf setplan bin/kubectl-setplan

# Its host counts bytes more than milliseconds: protobuf's code is not inlined.
.PHONY: bin/setplan.wasm
bin/setplan.wasm: # the planner as a module for programs in any language: docs/wasm.md
	@echo "--> setplan.wasm"
	@mkdir -p bin && GOOS=wasip1 GOARCH=wasm $(GO) build -buildmode=c-shared -trimpath -gcflags='google.golang.org/protobuf/...=-l' -gcflags='go.yaml.in/...=-l' -ldflags='-s -w' -o $@ ./server/cmd/setplan-wasm

.PHONY: build-local
build-local: ## Build the local control plane into bin/ (minutes, the first time). K8S=1.36.3 builds that of an earlier Kubernetes into bin/1.36.3.
	@echo "--> setplan-local build $(K8S)"
	@$(if $(and $(ALONE),$(if $(K8S),,full)),,export GOFLAGS="$$($(GO) env GOFLAGS) $$QUICK";) \
	$(GO) build -C deploy/local -o "$(CURDIR)/bin/" ./cmd/setplan-local && bin/setplan-local build $(ALONE) $(NODES) $(K8S:%=--kubernetes %)
	@$(if $(K8S),ln -sf ../setplan ../kubectl-setplan ../setplan-server ../setplan-adapter ../setplan-local ../helm ../images bin/$(K8S)/)

# The same at full speed, with the StatefulSet controller as a program of its own: what is measured runs it.
.PHONY: build-alone
build-alone:
	@$(MAKE) build-local ALONE=--alone

# With what real nodes need.
.PHONY: build-nodes
build-nodes:
	@$(MAKE) build-local NODES=--nodes

# All test vectors; the repository holds some of them.
.PHONY: build-vectors
build-vectors:
	@echo "--> setplan-vectors"
	@$(GO) run ./test/cmd/setplan-vectors -out bin/vectors

# The version is that of the last tag unless it is given.
VERSION ?= $(shell git describe --tags --match 'v[0-9]*' 2>/dev/null || echo v0.0.0-$$(git rev-parse --short=12 HEAD))

.PHONY: build-helm
build-helm:
	@echo "--> helm"
	@$(GO) build -C deploy/release -o "$(CURDIR)/bin/" helm.sh/helm/v4/cmd/helm

# What makes a release, and Helm.
.PHONY: build-release
build-release: build-helm
	@echo "--> setplan-release"
	@$(GO) build -C deploy/release -o "$(CURDIR)/bin/setplan-release" .

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
demo: ## Show a set's life on a real control plane. WHAT=day2 and others show more; KEEP=1 leaves it running.
	@bash .ci/demo '$(WHAT)'

# Test

.PHONY: test
test: ## Test what answers in minutes: lint, generated code, all packages, and what needs a real API server.
	@bash .ci/stages make lint verify-generated test-go test-modules e2e

.PHONY: test-long
test-long: ## Test everything else (90 minutes). WHAT='oracle fuzz' picks parts, WHAT=mutants is only made so; PART=2/8 is an eighth; K8S=1.36.3 runs what has a control plane with an earlier one.
	@bash .ci/long '$(WHAT)'

.PHONY: test-clients
test-clients: test-python test-typescript test-java test-rust ## Test the clients in other languages than Go: test-python, test-typescript, test-java, test-rust.

# Each client's tests ask a real planner.
.PHONY: test-python test-typescript test-java test-rust
test-python test-typescript test-java test-rust: test-%: build bin/setplan.wasm build-vectors
	@SETPLAN_VECTORS="$(CURDIR)/bin/vectors" bash clients/$*/check.sh

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
	@$(MAKE) lint-modules
	@echo "--> imports"
	@bash .ci/imports

.PHONY: lint-modules
lint-modules:
	@for module in $(or $(M),$(OFTEN)); do \
		echo "--> go vet, staticcheck: $$module"; \
		( cd $$module && $(GO) vet -tags $(TAGS) $(PACKAGES) && \
		  $(GO) tool -modfile="$(CURDIR)/proto/tools/go.mod" staticcheck -tags $(TAGS) $(PACKAGES) ); \
	done

.PHONY: lint-proto
lint-proto:
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
	@bash proto/tools/generate.sh verify
	@echo "--> manifests"
	@bash deploy/manifests/generate.sh verify
	@$(MAKE) verify-tidy M='. $(OFTEN)'

.PHONY: verify-tidy
verify-tidy:
	@for module in $(M); do \
		echo "--> go.mod of $$module"; \
		for file in $$module/go.mod $$(ls $$module/kubernetes-*.mod 2>/dev/null); do \
			$(GO) mod -C $$module tidy -modfile=$$(basename $$file) -diff || { echo "$$file is not tidy: run 'make tidy'."; exit 1; }; \
		done; \
	done

# The race detector runs where our product starts goroutines; make test-long runs
# it in more packages.
RACED = $$(git grep -lE --untracked '^[[:space:]]*(go (func|[a-zA-Z.]+)\(|[a-zA-Z.]+\.Go\()' -- 'adapters/*.go' 'server/*.go' 'clients/*.go' 'deploy/*.go' \
	':!clients/go' ':!deploy/local' ':!deploy/node' | xargs -n 1 dirname | sort -u | sed 's,^,./,')

# How much of its seeds a test takes: -short is for make test, and make test-long takes all.
SHORT := -short

.PHONY: test-go
test-go: ## Test the main module, with the race detector where goroutines of ours are.
	@raced=$(RACED); $(GO) test $(SHORT) -race -timeout 20m $$raced && \
	$(GO) test $(SHORT) -timeout 20m $$($(GO) list ./... | grep -vxF "$$($(GO) list $$raced)")

.PHONY: test-modules
test-modules: ## Test the nested modules.
	@for module in $(or $(M),$(OFTEN)); do \
		echo "--> $$module"; \
		case $$module in clients/go) race=-race ;; *) race= ;; esac; \
		( cd $$module && $(GO) test $(SHORT) $$race -timeout 20m $(PACKAGES) ); \
	done

.PHONY: e2e
e2e: build build-local ## Test on a real control plane what needs one. RUN=TestName picks among all, PART=1/4 too; KIND=own is for sets of our own kind.
	@bash .ci/e2e

# Make files that are committed

.PHONY: generate
generate: ## Generate Go, Python, TypeScript and Rust from the .proto files. Needs python3 and PyPI, node and npm with its registry, Rust and crates.io.
	@echo "--> buf generate"
	@bash proto/tools/generate.sh
	@echo "--> protoc for Python"
	@bash clients/python/generate.sh
	@echo "--> buf generate for TypeScript"
	@bash clients/typescript/generate.sh
	@echo "--> prost for Rust"
	@bash clients/rust/generate.sh

.PHONY: rewrite
rewrite: ## Rewrite committed files from what makes them, as WHAT=stories; read the diff before committing.
	@bash .ci/rewrite '$(WHAT)'

.PHONY: tidy
tidy: ## Tidy every go.mod.
	@for file in go.mod $(MODULES:%=%/go.mod) $(wildcard */*/kubernetes-*.mod); do $(GO) mod -C $$(dirname $$file) tidy -modfile=$$(basename $$file); done

# Search and measure

.PHONY: search
search: ## Search for failures that no test has found yet, as WHAT=oracle, for as long as you let it.
	@bash .ci/search '$(WHAT)'

.PHONY: measure
measure: ## Measure what something costs, as WHAT=bench.
	@bash .ci/measure '$(WHAT)'

# Release

.PHONY: release
release: build-release ## Make a release in bin/release: programs, images, chart, licenses, bills of materials, checksums (minutes). VERSION=v0.2.0.
	@bin/setplan-release -version $(VERSION) -out bin/release/$(VERSION)
	@cat bin/release/$(VERSION)/SHA256SUMS

.PHONY: freeze-release
freeze-release: ## Freeze the contract: once per release, just before its tag.
	@$(TOOL) buf lint
	@$(TOOL) buf breaking --against $(FROZEN)
	@mkdir -p $(dir $(FROZEN))
	@$(TOOL) buf build --exclude-source-info -o $(FROZEN)
	@echo "$(FROZEN) now holds the contract as it is. Commit it with the release, and only then:"
	@echo "what is in it can never be removed or changed again."

.PHONY: clean
clean: ## Stop every local control plane; remove bin/ and .local/.
	@if [ -d .local ]; then \
		$(GO) build -C deploy/local -o "$(CURDIR)/bin/" ./cmd/setplan-local; \
		bin/setplan-local down --all; \
	fi
	@rm -rf bin .local
