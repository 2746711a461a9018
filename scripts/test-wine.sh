#!/usr/bin/env bash
# Builds the simulator's tests for Windows and runs them under Wine: what runs on
# Windows without a GPU. Skips, and says so, where there is no Wine.
#
# Wine before release 9 lacks bcryptprimitives.dll, which Go's run time loads: it
# is replaced by one with a single function, made by clang and lld.
set -euo pipefail
cd "$(dirname "$0")/.."

if ! command -v wine >/dev/null; then
	echo "test-wine: skipped: no wine here (apt-get install wine64 wine)" >&2
	exit 0
fi
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
export WINEPREFIX=$dir/prefix WINEDEBUG=-all CGO_ENABLED=0 GOOS=windows GOARCH=amd64 HEDDLE_DEVICE=sim
wine cmd /c ver >/dev/null 2>&1 || true # makes the prefix
if ! find /usr/lib /opt/wine* -path '*x86_64-windows/bcryptprimitives.dll' 2>/dev/null | grep -q .; then
	clang=$(ls /usr/bin/clang-[0-9]* /usr/lib/llvm-*/bin/clang 2>/dev/null | tail -1 || true)
	lld=$(ls /usr/lib/llvm-*/bin/lld-link 2>/dev/null | tail -1 || true)
	if [ -z "$clang" ] || [ -z "$lld" ]; then
		echo "test-wine: skipped: this wine lacks bcryptprimitives.dll, and there is no clang and lld to make one" >&2
		exit 0
	fi
	cat >"$dir/prng.c" <<-'EOF'
		__declspec(dllexport) int ProcessPrng(unsigned char *p, unsigned long long n) {
			static unsigned long long x = 88172645463325252ull; /* not for secrets */
			for (unsigned long long i = 0; i < n; i++) {
				x ^= __builtin_ia32_rdtsc();
				x ^= x << 13, x ^= x >> 7, x ^= x << 17;
				p[i] = (unsigned char)(x >> 24);
			}
			return 1;
		}
	EOF
	"$clang" --target=x86_64-pc-windows-msvc -O1 -c "$dir/prng.c" -o "$dir/prng.obj"
	"$lld" /dll /noentry /machine:x64 "$dir/prng.obj" "/out:$WINEPREFIX/drive_c/windows/system32/bcryptprimitives.dll"
fi
go test -exec wine ./dsl ./launch ./vector ./internal/simt ./internal/driver/sim ./examples/...
out=$(go test -exec wine -v -run 'TestConformance/^sim' ./internal/tests/conformance 2>&1) || { echo "$out"; exit 1; }
echo "$out" | tail -1
if ! grep -q -- '--- PASS: TestConformance/sim/' <<<"$out"; then
	echo 'test-wine: no conformance case ran' >&2
	exit 1
fi
