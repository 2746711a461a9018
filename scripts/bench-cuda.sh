#!/usr/bin/env bash
# Times heddle's generated code beside nvcc's, kernel by kernel, on the NVIDIA
# GPU of this machine (see internal/tests/bench), and prints one table: rates and
# heddle's time over nvcc's, with and without checks; then the geometric means, and the
# five worst of each. Where something is missing it says what.
#
#   HEDDLE_BENCH  a ready-made bench binary, for a machine without Go
#   REPETITIONS   how often each kernel is timed (default 101)
#   KERNEL        these kernels alone, with commas between them
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

# twin FOLDER CLASS FLAGS: compiles a class of kernels.
twin() {
	"$nvcc" -O3 -std=c++17 -cubin -arch="sm_$cap" $3 -o "$work/$1/$2.cubin" "internal/tests/bench/testdata/$2.cu"
}

mkdir "$work/nvcc" "$work/nvcc-fast"
for source in internal/tests/bench/testdata/*.cu; do
	class=$(basename "$source" .cu)
	twin nvcc "$class" "" &
	twin nvcc-fast "$class" --use_fast_math &
	while [ "$(jobs -pr | wc -l)" -ge "$(nproc)" ]; do wait -n || true; done
done
wait # a class that did not compile leaves its kernels without a twin, and its error
"$bench" -run "$work" -n "${REPETITIONS:-101}" ${KERNEL:+-kernel "$KERNEL"}
