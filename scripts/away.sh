#!/usr/bin/env bash
# Runs Go, and so tests and the fuzzer, on a machine that has neither Go nor a network.
#
#   ./scripts/away.sh pack FILE [PACKAGE]...            # here: Go and the modules for these packages' tests, 30 MB
#   ./scripts/away.sh with FILE COMMAND [ARGUMENT]...   # there, in the repository: a command that calls go
#   ./scripts/away.sh soak FILE SECONDS [FLAG]...       # there: command soak, for so many seconds
#
# The packages of pack are those of the fuzzer where none are given; soak needs them. It runs one process of command soak,
# with those flags, for each processor. Batches that have not ended when it ends do not count.
set -euo pipefail

usage() {
	sed -n '2,9s/^# \{0,1\}//p' "$0"
	exit 2
}

# pack FILE PACKAGE... writes the archive.
pack() {
	local file=$1 goroot cache p dir
	shift
	goroot=$(go env GOROOT) cache=$(go env GOMODCACHE)
	temp=$(mktemp -d) # not local: the trap runs after the function
	trap 'rm -rf "$temp"' EXIT
	mkdir -p "$temp/go/bin" "$temp/go/pkg/tool/linux_amd64" "$temp/go/src"
	cp "$goroot/bin/go" "$temp/go/bin/"
	cp -r "$goroot/VERSION" "$goroot/go.env" "$goroot/pkg/include" "$temp/go/" && mv "$temp/go/include" "$temp/go/pkg/"
	cp "$goroot"/pkg/tool/linux_amd64/{asm,compile,link,vet} "$temp/go/pkg/tool/linux_amd64/"
	CGO_ENABLED=0 go list -deps -test -f '{{if .Standard}}{{.ImportPath}}{{end}}' "$@" | sort -u >"$temp/std"
	echo runtime/cgo >>"$temp/std" # for a header of runtime
	while read -r p; do
		find "$goroot/src/$p" -maxdepth 1 -type f ! -name '*_test.go' -printf "$p/%f\n" 2>/dev/null || true # not main, unsafe's are files
	done <"$temp/std" | tar -C "$goroot/src" -cf - -T - | tar -C "$temp/go/src" -xf -
	cp "$goroot/src/go.mod" "$goroot/src/go.sum" "$temp/go/src/"
	mkdir -p "$temp/go/src/vendor" && cp "$goroot/src/vendor/modules.txt" "$temp/go/src/vendor/"
	mkdir -p "$temp/mod"
	tar -C "$cache" -cf - --exclude='*.zip' --exclude='*.lock' cache/download | tar -C "$temp/mod" -xf -
	go list -deps -test -f '{{with .Module}}{{if not .Main}}{{.Dir}}{{end}}{{end}}' "$@" | sort -u | while read -r dir; do
		[ -n "$dir" ] || continue
		mkdir -p "$temp/mod/${dir#"$cache"/}"
		cp -r "$dir/." "$temp/mod/${dir#"$cache"/}/"
	done
	chmod -R u+w "$temp"
	find "$temp/mod" \( -name testdata -o -name '*_test.go' \) -prune -exec rm -rf {} +
	tar -C "$temp" -czf "$file" go mod
}

# unpack FILE makes go of the archive the command go, and sets away to a folder that is removed at the end.
unpack() {
	away=$(mktemp -d)
	trap 'rm -rf "$away"' EXIT
	tar -C "$away" -xzf "$1"
	export GOROOT=$away/go PATH=$away/go/bin:$PATH GOMODCACHE=$away/mod GOCACHE=$away/cache
	export GOPROXY=off GOFLAGS=-mod=mod GOTOOLCHAIN=local CGO_ENABLED=0 TMPDIR=$away
}

# soak END FLAG... runs the fuzzer until SECONDS is END.
soak() {
	local end=$1 i seed
	shift
	go build -o "$away/soak" ./internal/tests/fuzz/soak
	go test -c -vet=off -o /dev/null ./internal/tests/fuzz # fills the cache once
	echo "built after $SECONDS s"
	seed=$(date +%s)
	for i in $(seq "$(nproc)"); do
		GOMAXPROCS=2 timeout $((end - SECONDS)) "$away/soak" -time 24h \
			-seed "$((seed * 100 + i * 100000))" "$@" >"$away/$i.log" 2>&1 &
	done
	wait || true
	cat "$away"/*.log | grep -A3 -e ' [1-9][0-9]* differ (' -e '^soak:' || true
	cat "$away"/*.log | awk '/^seed / {n += $3; for (i = 4; i < NF; i++) if ($(i+1) == "differ") d += $i}
		END {print n + 0, "kernels,", d + 0, "differ"}'
}

[ $# -ge 2 ] || usage
do=$1 file=$(realpath "$2")
shift 2
cd "$(dirname "$0")/.."
case "$do" in
pack)
	[ $# -gt 0 ] || set -- ./internal/tests/fuzz/...
	pack "$file" "$@"
	;;
with)
	[ $# -gt 0 ] || usage
	unpack "$file"
	"$@"
	;;
soak)
	[ $# -gt 0 ] || usage
	end=$((SECONDS + $1))
	shift
	unpack "$file"
	soak "$end" "$@"
	;;
*) usage ;;
esac
