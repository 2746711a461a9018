#!/usr/bin/env bash
# Measures the collectives of package ccl beside the same calls of NCCL in C++, by the method of nccl-tests, on the NVIDIA GPUs
# of this machine, from 8 bytes to 4 GiB, and prints one table: microseconds, bus bandwidth, and their ratio.
#
#   HEDDLE_CCL_TEST  a ready-made test binary of ./ccl, for a machine without Go
#   RANKS            GPUs to use (default 2)
#   THREADS=1        with one goroutine, and one thread, for each GPU, instead of one for all
#   MOST             the most bytes (default 4294967296)
#   REGISTERED=1     with memory that NCCL has allocated and registered
set -euo pipefail
cd "$(dirname "$0")/.."

need() {
	echo "bench-ccl: $1" >&2
	exit 0 # nothing to compare with is no failure
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
test=${HEDDLE_CCL_TEST:-}
if [ -z "$test" ]; then
	command -v go >/dev/null || need "no go command here, and HEDDLE_CCL_TEST names no binary"
	test=$work/ccl.test
	CGO_ENABLED=0 go test -c -o "$test" ./ccl
fi
nvcc=$(command -v nvcc || ls /usr/local/cuda*/bin/nvcc 2>/dev/null | head -1 || true)
[ -n "$nvcc" ] || need "no nvcc here: install the CUDA toolkit to compare with it"
"$nvcc" -O3 -std=c++17 -o "$work/bandwidth" ccl/testdata/bandwidth.cpp -lnccl || need "no NCCL to compile with: install libnccl-dev"
export NCCL_NVLS_ENABLE=${NCCL_NVLS_ENABLE:-0} # containers may have no right to NVLink multicast
"$test" -test.run '^TestBandwidth$' -bandwidth cuda -beside "$work/bandwidth" -ranks "${RANKS:-2}" ${MOST:+-most "$MOST"} ${THREADS:+-threads} ${REGISTERED:+-registered}
