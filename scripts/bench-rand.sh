#!/usr/bin/env bash
# Times the fills of package prim/rand beside cuRAND's on the NVIDIA GPU of this machine (see internal/tests/primbench), and prints
# one table. Where there is no nvcc or no GPU, the fills alone are timed, on the best device, up to 2^20.
#
#   HEDDLE_BENCH  a ready-made primbench binary, for a machine without Go
#   MOST          the greatest power of two that is timed (default and at most 28)
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/prim-gpu.sh -rand
touch "$work/curand.txt"
# a part that does not compile or run leaves the table without ratios, and its error
"$nvcc" -O3 -std=c++17 -arch="sm_$cap" -o "$work/curand" internal/tests/primbench/testdata/curand.cu -lcurand &&
	"$work/curand" "${MOST:-28}" >"$work/curand.txt" ||
	echo "bench-rand: cuRAND's part failed" >&2
"$bench" -rand -device cuda -most "${MOST:-28}" -curand "$work/curand.txt"
