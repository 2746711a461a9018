#!/usr/bin/env bash
# Times heddle's kernels on the CPU beside the same work in plain Go, in OpenCL
# C on PoCL and in C with OpenMP (see internal/tests/cpubench), and prints one table.
# What cannot be built here is left out, and said. Arguments are cpubench's:
# scripts/bench-cpu.sh -only sgemm -part heddle,c
#
#   CLANG   the C compiler (default: clang-19, or the newest that is here)
#   CFLAGS  its flags for the part c
set -euo pipefail
cd "$(dirname "$0")/.."

say() { echo "bench-cpu: $1" >&2; }

command -v go >/dev/null || { say "no go command here"; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
go build -o "$work/cpubench" ./internal/tests/cpubench

clang=${CLANG:-}
for c in clang-19 clang clang-{20,18,17,16,15}; do
	[ -n "$clang" ] || clang=$(command -v "$c" || true)
done
src=internal/tests/cpubench
programs=()

# openmp NAME FLAGS: builds the C part.
openmp() {
	if "$clang" $2 "-DFLAGS=\"$2\"" $src/worker/worker.c $src/omp/kernels.c -o "$work/$1" -lm 2>"$work/log"; then
		programs+=("-$1" "$work/$1")
	else
		head -5 "$work/log" >&2
		say "$clang cannot build the part $1 (OpenMP needs libomp-19-dev)"
	fi
}

if [ -n "$clang" ]; then
	flags=${CFLAGS:--O3 -march=native -fopenmp -fno-math-errno}
	# glibc has vector functions on x86-64; clang uses them 8 wide at most.
	[ -n "${CFLAGS:-}" ] || [ "$(uname -m)" != x86_64 ] || flags="$flags -fveclib=libmvec"
	openmp c "$flags"
	# By itself clang uses half of AVX-512's width.
	if grep -qsw avx512f /proc/cpuinfo; then
		openmp c512 "$flags -mprefer-vector-width=512"
	fi
else
	say "no clang here: apt-get install clang-19 libomp-19-dev"
fi

cc=${clang:-$(command -v gcc || true)}
if [ -n "$cc" ] && "$cc" -O2 "-DSOURCE=\"$PWD/$src/pocl/kernels.cl\"" '-DOPTIONS=""' \
	$src/worker/worker.c $src/pocl/host.c -o "$work/pocl" -lOpenCL 2>"$work/log"; then
	programs+=(-pocl "$work/pocl")
else
	say "cannot build the part pocl: apt-get install ocl-icd-opencl-dev pocl-opencl-icd"
fi

POCL_CACHE_DIR=$work/cache "$work/cpubench" "${programs[@]}" "$@"
