# The project's habits, one word each. `make` alone lists them.

SHELL         := /bin/sh
.DEFAULT_GOAL := help

PROGRAM        := bin/poscrape
LEFTOVERS      := bin/leftovers
VERSION         = $(shell git describe --tags --always --dirty 2>/dev/null || echo devel)
GOVULNCHECK    := golang.org/x/vuln/cmd/govulncheck@v1.9.0

# What others have written that only computes: SQLite, which is C, translated, pictures,
# compression, expressions, markup and JSON. It keeps nothing that goroutines share, and took a third to
# half of the time under the race detector. Nothing may be added that guards what it shares
# with atomics, such as a sync.Map: the detector would not see them, and report a race.
COMPUTES       := modernc.org/sqlite/lib modernc.org/libc regexp/... image/... compress/... hash/... math encoding/base64 golang.org/x/net/html \
	github.com/chromedp/cdproto/... github.com/go-json-experiment/json/jsontext github.com/go-json-experiment/json/internal/jsonwire
# The race detector, but not in that.
RACE           := -race $(COMPUTES:%=-gcflags=%=-race=false)
# A program under the race detector waits a second before it ends, each package's tests too.
GORACE         := atexit_sleep_ms=50
# How long one package's tests may take before they are taken to hang.
TEST_TIMEOUT   := 20m
BENCH_TIMEOUT  := 5m
# The packages whose tests take longest. They are begun first, so that none of them is
# left to run alone in the end.
LONGEST        := ./scrape ./session ./browser ./internal/chaos ./cmd/poscrape ./internal/sampling ./report
# How many packages are tested at once: one more than processors, as some wait for browsers that hang.
AT_ONCE         = $(shell echo $$(($$(getconf _NPROCESSORS_ONLN) + 1)))
# Which packages make test tests, and how often, where what has passed before does not do:
# make test PACKAGES=./pool COUNT=10
PACKAGES       := $(LONGEST) ./...
COUNT          :=
# The packages that have a benchmark: the tests of the others are not built for bench-once.
BENCHED         = $(shell grep -rl '^func Benchmark' --include='*_test.go' . | xargs -n 1 dirname | sort -u)
# What make bench does: make bench BENCH=--quick only shows that it works.
BENCH          := --write
# How make bench-pair compares: make bench-pair BASE=HEAD~1 PAIR=--quick only shows that it works.
PAIR           :=
# How long each fuzz target is fed: make fuzz FUZZTIME=5m
FUZZTIME       := 30s
# Which of the fault suite's scenarios are run: make chaos RUN=TestKills
RUN            := .
# How often make repeat runs the tests, and how many of these beside a busy loop on each processor.
RUNS           := 10
BUSY           := 3
# The packages that are others in the fault suite.
FAULTY          = $(shell grep -rl '^//go:build .*chaos' --include='*.go' . | xargs -n 1 dirname | sort -u)
# The systems besides this one whose code is vetted.
OTHERS          = $(filter-out $(shell go env GOHOSTOS),linux windows darwin)

.PHONY: help build demo image test containers short repeat chaos belong mistakes thorough lint fmt vet cross bench bench-pair bench-go bench-once fuzz vuln clean

help: ## list these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-11s %s\n", $$1, $$2 }' Makefile

build: ## build the program: bin/poscrape
	go build -ldflags '-X main.version=$(VERSION)' -o $(PROGRAM) ./cmd/poscrape

demo: ## install a Chrome if there is none, build, and run the main job against the demo portal
	@scripts/setup demo
	@$(MAKE) --no-print-directory build
	@$(PROGRAM) demo

# make lint vets, which go test would do again. A signal that ends make reaches what it started
# only where no shell lies between.
test: ## install what the tests need, and run them all under the race detector
	@scripts/setup test
	@go build -o $(LEFTOVERS) ./internal/leftovers
	@exec env CGO_ENABLED=1 GORACE='$(GORACE)' POSCRAPE_BUILD_FLAGS='$(RACE)' $(LEFTOVERS) \
		go test -vet=off -p $(AT_ONCE) $(RACE) -timeout $(TEST_TIMEOUT) $(COUNT:%=-count=%) $(PACKAGES)

image: ## make the image in which Chrome runs in containers, with Podman or Docker (ENGINE=...)
	@scripts/setup image
	@scripts/image $(IMAGE)

containers: image ## run the tests of sessions with all browsers in containers: some four minutes
	POSCRAPE_IN_CONTAINERS=1 go test -timeout 30m -count 1 ./session
	go test -timeout 30m -count 1 ./internal/container
	go test -timeout 30m -count 1 -run Contain ./internal/chaos

short: ## run the tests that need no Chrome and no time: the whole tree in less than a minute
	go test -short -count=1 ./...

repeat: ## run the tests ten times, three of them on busy processors; goes on where it stopped
	scripts/repeat $(RUNS) $(BUSY)

chaos: ## inject every fault as often as docs/chaos.md says, and write that: some hours (RUN=TestKills: a part)
	@scripts/setup test
	go test -run '$(RUN)' -timeout 3h -v ./internal/chaos -chaos

belong: ## read 200 orders whose downloads are late, doubled or remembered, in all modes, with 1, 4 and 8 workers
	@scripts/setup test
	POSCRAPE_BELONG_ORDERS=200 go test -run TestDocumentsBelongToTheirOrders -count=1 -timeout 2h -v ./session

mistakes: ## make every mistake in every selector of three recipes: some eight minutes
	@scripts/setup test
	POSCRAPE_ALL_MISTAKES=1 go test -run TestMistakesInRecipes -timeout 30m -count 1 -v ./scrape

thorough: cross ## read every test page with every recipe in real time as well, 300 orders, and learn portals: some 20 minutes
	@scripts/setup test
	POSCRAPE_THOROUGH=1 go test -timeout 60m -count 1 ./scrape ./browser ./session ./session/drift ./internal/sampling ./report ./monitor
	CGO_ENABLED=1 POSCRAPE_RANDOM_SESSIONS=2000 go test -vet=off $(RACE) -timeout 40m -count 1 -run TestRandomSessions ./session

lint: fmt vet ## check format, vet for three systems, and run golangci-lint and Biome
	scripts/golangci-lint run ./...
	scripts/biome lint --error-on-warnings

fmt: ## check that gofmt has nothing to say of Go, nor Biome of JavaScript
	@scripts/setup lint
	scripts/gofmt-check
	scripts/biome format

# In the workspace of .ci/vet, SQLite need not be compiled for systems that nothing runs on here;
# and without the paths of this clone in it, what is compiled for them serves the next one as well.
vet: ## go vet for Linux, Windows and macOS, and for the fault suite
	go vet ./...
	go vet -tags chaos $(FAULTY)
	$(foreach system,$(OTHERS),GOOS=$(system) GOWORK='$(CURDIR)/.ci/vet/go.work' go vet -trimpath ./... &&) :

cross: ## build for Linux, Windows and macOS, and vet that: for before a release
	$(foreach system,$(OTHERS),GOOS=$(system) go build -trimpath ./... && GOOS=$(system) go vet -trimpath ./... &&) :

bench: build ## measure against other tools, for hours, into docs/performance.md
	@scripts/setup bench
	cd bench/node && PUPPETEER_SKIP_DOWNLOAD=1 PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1 \
		npm ci --no-audit --no-fund --ignore-scripts
	go run ./bench $(BENCH)

bench-pair: ## compare the CPU time of the working tree with BASE=<commit>, both at once: ten minutes
	@scripts/setup demo
	go run ./bench pair --base '$(BASE)' $(PAIR)

bench-go: ## run all Go benchmarks (POSCRAPE_BENCH_LARGE=1: with 100,000 orders too)
	@scripts/setup test
	go test -tags chaos -run '^$$' -bench . -benchmem -timeout 30m ./...

bench-once: ## run each benchmark once, to see that none is broken
	@scripts/setup test
	go test -vet=off -run '^$$' -bench . -benchtime 1x -timeout $(BENCH_TIMEOUT) $(BENCHED)

fuzz: ## feed each fuzz target for FUZZTIME (30s)
	scripts/fuzz $(FUZZTIME)

vuln: ## look for known vulnerabilities in the dependencies (needs the internet)
	go run $(GOVULNCHECK) ./...

clean: ## remove what was built
	rm -rf bin
