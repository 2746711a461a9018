#!/usr/bin/env bash
# Vets and tests the modules of interop, which have dependencies that the library has not. Where
# these cannot be downloaded, it says so and fails nothing.
set -uo pipefail
cd "$(dirname "$0")/.."
go=${GO:-go}

for mod in interop/*/go.mod; do
	dir=${mod%/go.mod}
	if ! why=$(cd "$dir" && "$go" mod download 2>&1); then
		echo "interop: $dir: skipped: $(tail -1 <<<"$why")" >&2
		continue
	fi
	(cd "$dir" && "$go" vet ./... && "$go" test -timeout 10m ./...) || exit 1
done
