# What bench-prim.sh and bench-rand.sh have in common; they source it, in the repository's root. It sets
#
#   work   a folder for what is built, which is removed at the end
#   bench  primbench, built here or HEDDLE_BENCH
#   nvcc   CUDA's compiler
#   cap    the GPU's compute capability: 90
#
# Arguments are primbench's own. Where there is no Go it ends the script; where there is no nvcc or no NVIDIA GPU it runs primbench alone, with
# these arguments, up to 2^20.
name=$(basename "$0" .sh)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bench=${HEDDLE_BENCH:-}
if [ -z "$bench" ]; then
	command -v go >/dev/null || { echo "$name: no go command here, and HEDDLE_BENCH names no binary" >&2; exit 0; }
	bench=$work/primbench
	go build -o "$bench" ./internal/tests/primbench
fi
nvcc=$(command -v nvcc || ls /usr/local/cuda*/bin/nvcc 2>/dev/null | head -1 || true)
cap=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | head -1 | tr -d .) || true
if [ -z "$nvcc" ] || [ -z "$cap" ]; then
	echo "$name: no nvcc or no NVIDIA GPU here to compare with" >&2
	"$bench" "$@" -most "${MOST:-20}"
	exit
fi
