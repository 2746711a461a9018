#!/usr/bin/env bash
# test-delve.sh: compares the Delve session of docs/debugging.md with a real one. It
# installs Delve into a temporary directory where there is none.
set -euo pipefail
cd "$(dirname "$0")/.."
GO=${GO:-go}
if ! command -v dlv >/dev/null; then
  bin=$(mktemp -d)
  trap 'rm -rf "$bin"' EXIT
  if ! GOBIN=$bin GOFLAGS= $GO install github.com/go-delve/delve/cmd/dlv@latest; then
    echo 'skipped: Delve cannot be installed: the session of docs/debugging.md is not compared' >&2
    exit 0
  fi
  export PATH=$PATH:$bin
fi
out=$($GO test -v -run 'TestDebugging/.*dlv' . 2>&1) || { echo "$out"; exit 1; }
echo "$out" | grep -v '^=== '
if ! grep -q -- '--- PASS: TestDebugging/.*dlv' <<<"$out"; then
  echo 'test-delve: no test ran' >&2
  exit 1
fi
