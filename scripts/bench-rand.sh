#!/usr/bin/env bash
# Times the fills of package prim/rand beside cuRAND's on the NVIDIA GPU of this machine (see internal/tests/primbench), and prints
# one table. Where there is no nvcc or no GPU, the fills alone are timed, on the best device, up to 2^20.
#
#   HEDDLE_BENCH  a ready-made primbench binary, for a machine without Go
#   MOST          the greatest power of two that is timed (default and at most 28)
set -euo pipefail
cd "$(dirname "$0")/.."

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bench=${HEDDLE_BENCH:-}
if [ -z "$bench" ]; then
	command -v go >/dev/null || { echo "bench-rand: no go command here, and HEDDLE_BENCH names no binary" >&2; exit 0; }
	bench=$work/primbench
	go build -o "$bench" ./internal/tests/primbench
fi
nvcc=$(command -v nvcc || ls /usr/local/cuda*/bin/nvcc 2>/dev/null | head -1 || true)
cap=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | head -1 | tr -d .) || true
if [ -z "$nvcc" ] || [ -z "$cap" ]; then
	echo "bench-rand: no nvcc or no NVIDIA GPU here to compare with" >&2
	exec "$bench" -rand -most "${MOST:-20}"
fi
touch "$work/curand.txt"
# a part that does not compile or run leaves the table without ratios, and its error
"$nvcc" -O3 -std=c++17 -arch="sm_$cap" -o "$work/curand" internal/tests/primbench/testdata/curand.cu -lcurand &&
	"$work/curand" "${MOST:-28}" >"$work/curand.txt" ||
	echo "bench-rand: cuRAND's part failed" >&2
"$bench" -rand -device cuda -most "${MOST:-28}" -curand "$work/curand.txt"
