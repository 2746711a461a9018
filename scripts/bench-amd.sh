#!/usr/bin/env bash
# Compares heddle's code for AMD's GPUs with clang's for HIP, kernel by kernel, without a GPU
# (see internal/tests/bench): instructions of the code and those that waves execute of it on
# the emulator, registers, shared memory and occupancy. Where something is missing it says
# what.
#
#   HEDDLE_BENCH  a ready-made bench binary, for a machine without Go
#   ARCHS         processors (default gfx90a gfx942 gfx1100 gfx1201)
#   KERNEL        this kernel alone
#   TWINS         compile clang's code into this folder, and do no more
set -euo pipefail
TWINS=${TWINS:-}
cd "$(dirname "$0")/.."

need() {
	echo "bench-amd: $1" >&2
	exit "${2:-0}" # nothing to compare with is no failure
}

work=$TWINS
if [ -z "$work" ]; then
	work=$(mktemp -d)
	trap 'rm -rf "$work"' EXIT
fi
bench=${HEDDLE_BENCH:-}
if [ -z "$bench$TWINS" ]; then
	command -v go >/dev/null || need "no go command here, and HEDDLE_BENCH names no binary"
	bench=$work/bench
	go build -o "$bench" ./internal/tests/bench
fi

clang=
for n in 19 20 21 22; do # an older one does not know gfx1201
	[ -n "$clang" ] || clang=$(command -v "clang-$n" || true)
done
[ -n "$clang" ] || need "no clang of LLVM 19 or later here: apt-get install clang-19 lld-19"
ocml=$(ls /opt/rocm*/amdgcn/bitcode/ocml.bc /usr/lib/*/amdgcn/bitcode/ocml.bc 2>/dev/null | head -1 || true)
[ -n "$ocml" ] || need "no ROCm device libraries here: apt-get install rocm-device-libs"

# isa ARCH: gfx90a as the device libraries number it, 9010.
isa() {
	local n=${1#gfx}
	echo $((${n:0:-2} * 1000 + 16#${n: -2:1} * 100 + 16#${n: -1}))
}

source=internal/tests/bench/testdata

# twin ARCH CLASS: compiles a class of kernels.
twin() {
	local to=$work/$1/$2
	"$clang" -x hip --offload-arch="$1" --offload-device-only -nogpuinc -nogpulib -O3 -std=c++17 -Xclang -mlink-builtin-bitcode -Xclang "$ocml" \
		-Xclang -mlink-builtin-bitcode -Xclang "$work/$1/controls.bc" -S -o "$to.s" "$source/$2.cu"
	"$clang" -target amdgcn-amd-amdhsa -mcpu="$1" "$to.s" -o "$to.hsaco"
}

archs=${ARCHS:-gfx90a gfx942 gfx1100 gfx1201}
for arch in $archs; do
	mkdir -p "$work/$arch"
	"$clang" -target amdgcn-amd-amdhsa -mcpu="$arch" -nogpulib -DISA_VERSION="$(isa "$arch")" -emit-llvm -c $source/controls.c -o "$work/$arch/controls.bc"
	for class in "$source"/*.cu; do
		twin "$arch" "$(basename "$class" .cu)" &
		while [ "$(jobs -pr | wc -l)" -ge "$(nproc)" ]; do wait -n || true; done
	done
done
wait # a class that did not compile leaves its kernels without a twin, and its error
[ -n "$TWINS" ] || "$bench" -amd "$work" -arch "${archs// /,}" ${KERNEL:+-kernel "$KERNEL"}
