#!/usr/bin/env bash
# Times heddle's generated code beside nvcc's, kernel by kernel, on the NVIDIA
# GPU of this machine (see internal/tests/bench), and prints one table: rates, and
# heddle's share of nvcc's. Where something is missing it says what.
#
#   HEDDLE_BENCH  a ready-made bench binary, for a machine without Go
#   REPETITIONS   how often each kernel is timed (default 101)
set -euo pipefail
cd "$(dirname "$0")/.."

need() {
	echo "bench-cuda: $1" >&2
	exit "${2:-0}" # nothing to compare with is no failure
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bench=${HEDDLE_BENCH:-}
if [ -z "$bench" ]; then
	command -v go >/dev/null || need "no go command here, and HEDDLE_BENCH names no binary"
	bench=$work/bench
	go build -o "$bench" ./internal/tests/bench
fi
nvcc=$(command -v nvcc || ls /usr/local/cuda*/bin/nvcc 2>/dev/null | head -1 || true)
[ -n "$nvcc" ] || need "no nvcc here: install the CUDA toolkit to compare with it"
cap=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | head -1 | tr -d .) || true
[ -n "$cap" ] || need "no NVIDIA GPU here (nvidia-smi reports none)"

driver=internal/tests/bench/testdata/driver.cu
mkdir "$work/nvcc" "$work/nvcc-fast"
"$nvcc" -O3 -std=c++17 -arch="sm_$cap" -o "$work/nvcc/driver" $driver &
"$nvcc" -O3 -std=c++17 -arch="sm_$cap" --use_fast_math -o "$work/nvcc-fast/driver" $driver
wait $!
for build in nvcc nvcc-fast; do
	"$work/$build/driver" "$work/$build" "${REPETITIONS:-101}" >"$work/$build/times"
done
"$bench" -run "$work" -n "${REPETITIONS:-101}"
