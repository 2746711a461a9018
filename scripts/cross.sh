#!/usr/bin/env bash
# Checks the module, its tests included, for the systems and processors that heddle
# builds for (internal/cross), and links two programs: what only the compiler's back end
# and the linker find is found too. It needs no C compiler.
#
#   cross.sh       links for each system and each processor once
#   cross.sh all   links for each pair of them, and runs go vet whole
set -euo pipefail
cd "$(dirname "$0")/.."

all="linux/arm64 windows/amd64 windows/arm64 darwin/amd64 darwin/arm64"
linked="linux/arm64 windows/amd64 darwin/arm64"
[ "${1:-}" = all ] && linked=$all

"${GO:-go}" run ./internal/cross $all

out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
for target in $linked; do
	echo "cross: $target: linking" >&2
	export CGO_ENABLED=0 GOOS=${target%/*} GOARCH=${target#*/}
	# Without what is for debuggers; linux/arm64 is compiled as its tests are, which
	# TestArm64 builds and runs.
	flags=(-gcflags=all=-dwarf=false -ldflags=-w)
	[ "$target" = linux/arm64 ] && flags=(-ldflags=-w)
	"${GO:-go}" build "${flags[@]}" -o "$out/" ./cmd/heddle ./examples/saxpy
	[ "${1:-}" != all ] || "${GO:-go}" vet ./...
done
