#!/usr/bin/env bash
# Times package prim on the device cpu beside plain Go, and C++'s parallel algorithms of libstdc++ with TBB (see
# internal/tests/primbench), and prints one table. Where C++ cannot be built it is left out, and said.
#
#   CXX   the C++ compiler (default: g++)
#   MOST  the greatest power of two that is timed (default and at most 26)
set -euo pipefail
cd "$(dirname "$0")/.."

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
go build -o "$work/primbench" ./internal/tests/primbench
touch "$work/std.txt"
if "${CXX:-g++}" -O3 -march=native -std=c++17 -o "$work/std" internal/tests/primbench/testdata/std.cpp -ltbb 2>"$work/log"; then
	"$work/std" "${MOST:-26}" >"$work/std.txt"
else
	head -5 "$work/log" >&2
	echo "bench-prim-cpu: cannot build the C++ part: apt-get install g++ libtbb-dev" >&2
fi
"$work/primbench" -host -std "$work/std.txt" -most "${MOST:-26}" "$@"
