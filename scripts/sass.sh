#!/usr/bin/env bash
# Prints the machine code that NVIDIA's assembler makes of a kernel, on a machine without a GPU.
#
#   ./scripts/sass.sh [FLAG of heddle dump]... package.Func
#
# The architecture is sm_90 unless -arch says another. ptxas and nvdisasm are those of the PATH; where there are none, those of Debian's package
# nvidia-cuda-toolkit (11.8, section non-free, 84 MB), which is unpacked under ~/.cache/heddle-sass and not installed.
set -euo pipefail
[ $# -gt 0 ] || { sed -n '2,7s/^# \{0,1\}//p' "$0"; exit 2; }
arch=sm_90 previous=
for word in "$@"; do
	[ "$previous" != -arch ] || arch=$word
	previous=$word
done
if ! command -v ptxas >/dev/null || ! command -v nvdisasm >/dev/null; then
	home=${XDG_CACHE_HOME:-$HOME/.cache}/heddle-sass
	if [ ! -x "$home/root/usr/bin/ptxas" ]; then
		mkdir -p "$home/lists/partial"
		echo "deb http://deb.debian.org/debian bookworm non-free" >"$home/sources.list"
		apt="apt-get -qq -o Dir::Etc::SourceList=$home/sources.list -o Dir::Etc::SourceParts=/dev/null -o Dir::State::Lists=$home/lists -o APT::Sandbox::User=root"
		(cd "$home" && $apt update && $apt download nvidia-cuda-toolkit && dpkg -x nvidia-cuda-toolkit_*.deb root && rm nvidia-cuda-toolkit_*.deb) >&2
	fi
	PATH=$PATH:$home/root/usr/bin
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
go run ./cmd/heddle dump -arch "$arch" -o "$work/k.ptx" "$@"
# Debian's assembler knows no later version of PTX; a newer one takes this, too.
sed -i 's/^\.version.*/.version 7.8/' "$work/k.ptx"
ptxas -arch="$arch" -O3 -v "$work/k.ptx" -o "$work/k.cubin" 2>&1 | grep registers >&2 || true
nvdisasm -c "$work/k.cubin" | grep -vE '^\s*(//|\.[a-z])' | sed 's| */\* 0x.*||'
