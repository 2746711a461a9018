#!/usr/bin/env bash
# Times package prim beside CUB on the NVIDIA GPU of this machine (see internal/tests/primbench), and prints one table: times, rates and
# CUB's time over prim's. Where there is no nvcc or no GPU, prim alone is timed, on the best device, up to 2^20.
#
#   HEDDLE_BENCH  a ready-made primbench binary, for a machine without Go
#   MOST          the greatest power of two that is timed (default 30)
#   TURNS         how often CUB and prim are timed in turns (default 3); the least times count
#   PEAK          the memory bandwidth in GB/s, for the share of it (H200: 4800, H100: 3350)
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/prim-gpu.sh
source=internal/tests/primbench/testdata/cub.cu
for part in 0 1 2 3 4 5; do
	"$nvcc" -O3 -std=c++17 --extended-lambda -arch="sm_$cap" -DPART=$part -o "$work/cub$part" "$source" 2>"$work/log$part" &
done
wait
beside=
for part in 0 1 2 3 4 5; do
	# a part that did not compile leaves its algorithms without a ratio, and its error
	if [ -x "$work/cub$part" ]; then beside=${beside:+$beside,}$work/cub$part; else cat "$work/log$part" >&2; fi
done
"$bench" -device cuda -most "${MOST:-30}" ${beside:+-beside "$beside"} -turns "${TURNS:-3}" ${PEAK:+-peak "$PEAK"}
