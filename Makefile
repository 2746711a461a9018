# README.md explains these; "make" alone lists them.

GO ?= go
STATICCHECK = honnef.co/go/tools/cmd/staticcheck@v0.8.2

.PHONY: help cross module demo test interop test-all test-hip bench bench-cuda bench-prim bench-prim-cpu bench-rand tune-prim bench-amd bench-cpu fuzz lint generate generate-check setup

help:
	@echo 'make demo            run a closure as a GPU kernel and show its result and its code'
	@echo 'make test            install what the tests can use, and run them'
	@echo 'make test-all        make test, and all machines, modes and systems of which that has one of each family'
	@echo 'make interop         test the modules for gonum, Apache Arrow and DLPack'
	@echo 'make test-hip        run the conformance suite on a HIP device, real or emulated'
	@echo 'make cross           check for arm64, Windows and macOS'
	@echo 'make module          give the module another path: MODULE=github.com/you/heddle'
	@echo 'make bench           run the benchmarks'
	@echo 'make bench-cuda      time the generated code beside nvcc'"'"'s, on an NVIDIA GPU'
	@echo 'make bench-prim      time package prim beside CUB, on an NVIDIA GPU'
	@echo 'make bench-prim-cpu  time package prim on cpu beside plain Go and C++'
	@echo 'make bench-rand      time package prim/rand beside cuRAND, on an NVIDIA GPU'
	@echo 'make tune-prim       look for the fastest tuning of package prim on DEVICE, into tuning.json'
	@echo 'make bench-amd       count instructions beside clang'"'"'s HIP code, on emulated AMD GPUs'
	@echo 'make bench-cpu       time the cpu device beside plain Go, PoCL and OpenMP'
	@echo 'make fuzz            run fresh random kernels on every device for FUZZTIME (10m)'
	@echo 'make lint            gofmt, go vet, staticcheck, govulncheck'
	@echo 'make generate        write the generated files anew'
	@echo 'make generate-check  fail if they were out of date'

# Installs libLLVM if it is missing and can be; without it the demo runs on
# the simulator.
demo:
	@./scripts/setup.sh demo
	@$(GO) run ./examples/quickstart

test: setup interop
	$(GO) test -timeout 45m $(TESTFLAGS) ./...

# The modules of their own: gonum, Apache Arrow, DLPack.
interop:
	@GO="$(GO)" ./scripts/interop.sh

# What takes longer than make test; a failure prints the flags that replay it.
test-all: test
	$(GO) test -timeout 2h ./internal/tests/conformance ./internal/tests/matrix -full
	$(GO) test -timeout 1h ./internal/source -run TestBuildModes -full
	@GO="$(GO)" ./scripts/cross.sh all
	$(GO) test -timeout 1h ./internal/tests/fuzz/soak -kernels 160 -devices all
	$(GO) test -timeout 1h ./internal/tests/fuzz/closures/gen -run FuzzClosures -programs 10
	$(GO) test -timeout 2h ./internal/spmd -run 'TestClaims|TestRuns' -claims 1000000 -runs 3000
	$(GO) test -timeout 1h ./internal/tests/fuzz/wrong -kernels 300 -for 10m
	$(GO) test -timeout 1h -tags primfuzz ./prim -run 'TestRandom|TestLarge' -full
	$(GO) test -timeout 1h ./internal/module -touched
	$(GO) test -race ./kernel -run 'TestCloseWhileUsed|TestContextCalls'
	@./scripts/test-wine.sh
	@./scripts/test-delve.sh

# Gives the module its published path: make module MODULE=github.com/you/heddle
module:
	@$(GO) run ./internal/module/rename "$(MODULE)"

# Every system and processor that heddle builds for, but this one; scripts/cross.sh all
# links each, too.
cross:
	@GO="$(GO)" ./scripts/cross.sh

# Fails where there is no device; says how to emulate one.
test-hip:
	@./scripts/test-hip.sh

setup:
	@./scripts/setup.sh test

bench:
	$(GO) test -run '^$$' -bench . -benchmem ./...

# Compares with nvcc where it and an NVIDIA GPU are; says what is missing elsewhere.
bench-cuda:
	@$(GO) build -o /dev/null ./internal/tests/bench
	@./scripts/bench-cuda.sh

# Times prim alone where there is no nvcc or no NVIDIA GPU.
bench-prim:
	@./scripts/bench-prim.sh

bench-prim-cpu:
	@./scripts/bench-prim-cpu.sh

bench-rand:
	@./scripts/bench-rand.sh

# TUNEFLAGS are prim/tune's: -only scan -size 26 -time 10m.
tune-prim:
	$(GO) run ./prim/tune -device "$(DEVICE)" -o tuning.json $(TUNEFLAGS)

# Needs no GPU: clang and AMD's device libraries, and says if they are missing.
bench-amd:
	@./scripts/bench-amd.sh

# Leaves out what cannot be had here, and says so.
bench-cpu:
	@./scripts/bench-cpu.sh

# Prints a line for each batch, and for each difference what to replay.
# FUZZFLAGS are soak's: -devices cpu,emu:gfx942, -emus 0, -features index,narrow.
FUZZTIME ?= 10m
fuzz:
	@$(GO) build -o /dev/null ./internal/tests/fuzz/soak
	@$(GO) run ./internal/tests/fuzz/soak -time $(FUZZTIME) $(FUZZFLAGS)
	$(GO) test -timeout 2h ./internal/tests/fuzz/wrong -kernels 300 -for $(FUZZTIME)

lint:
	@bad=$$(gofmt -l .); if [ -n "$$bad" ]; then echo "run gofmt -w on:"; echo "$$bad"; exit 1; fi
	$(GO) vet ./...
	$(GO) run $(STATICCHECK) ./...
	@GO="$(GO)" ./scripts/vulncheck.sh

generate:
	$(GO) generate ./...

generate-check: generate
	git diff --exit-code
