#!/usr/bin/env bash
# Builds and vets the module, its tests included, for the systems and processors
# that heddle builds for, and links two programs for each: what only the linker
# finds is found too. It needs no C compiler.
set -euo pipefail
cd "$(dirname "$0")/.."

out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
for target in linux/arm64 windows/amd64 windows/arm64 darwin/amd64 darwin/arm64; do
	echo "cross: $target" >&2
	export CGO_ENABLED=0 GOOS=${target%/*} GOARCH=${target#*/}
	go vet ./...
	go build -o "$out/" ./cmd/heddle ./examples/saxpy
done
