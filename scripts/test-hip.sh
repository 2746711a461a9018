#!/usr/bin/env bash
# Runs the HIP driver's tests and the whole conformance suite on the HIP device
# at hand, and fails where there is none. Arguments are the suite's, as in
# scripts/test-hip.sh -test.run 'TestConformance/^hip/atomic'.
#
# The device may be one that AMD's rocjitsu emulates under HIP's run time
# (github.com/ROCm/rocm-systems, folder emulation/rocjitsu):
#
#   HEDDLE_HIP_PRELOAD  the library that it preloads, librocjitsu.so
#   HEDDLE_HIP_CONFIG   the GPU: a JSON file like those of its folder configs
set -euo pipefail
cd "$(dirname "$0")/.."

say() { echo "test-hip: $1" >&2; }

command -v go >/dev/null || { say "no go command here"; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for p in driver/hip tests/conformance; do
	go test -c -o "$work/$(basename $p)" "./internal/$p"
done

device=()
if [ -n "${HEDDLE_HIP_PRELOAD:-}" ]; then
	for file in "$HEDDLE_HIP_PRELOAD" "${HEDDLE_HIP_CONFIG:-}"; do
		[ -f "$file" ] || { say "no file \"$file\": HEDDLE_HIP_PRELOAD and HEDDLE_HIP_CONFIG go together"; exit 1; }
	done
	# Only what asks for the device gets the library; it looks for its
	# configuration here. It has no copy engines, so copies are kernels' work.
	mkdir "$work/rocjitsu"
	realpath "$HEDDLE_HIP_CONFIG" >"$work/rocjitsu/config_path"
	device=(env "LD_PRELOAD=$(realpath "$HEDDLE_HIP_PRELOAD")" "ROCJITSU_RUNTIME_DIR=$work/rocjitsu" HSA_ENABLE_SDMA=0)
fi

# suite PACKAGE ARGUMENT...: runs a package's tests in its folder.
suite() {
	local package=$1
	shift
	(cd "internal/$package" && "${device[@]}" "$work/$(basename "$package")" -test.v -test.timeout 30m "$@" 2>&1) |
		tee -a "$work/log" | grep --line-buffered -v '^=== '
}

failed=0
suite driver/hip -test.timeout 5m -test.run '^Test(Device|Refused|Vendor)$' || failed=1
suite tests/conformance -require=hip -test.run '^TestConformance$/^hip' "$@" || failed=1

if grep -q 'hip is required' "$work/log"; then
	say "no HIP device here; for one that is emulated see the first lines of scripts/test-hip.sh"
fi

# Only tests of the suite's cases count, not what holds them.
count() { grep -cE "^ {8}--- $1: TestConformance/" "$work/log" || true; }
echo "conformance on HIP: $(count PASS) passed, $(count FAIL) failed, $(count SKIP) skipped"
exit $failed
