#!/usr/bin/env bash
# Runs a command with a release of LLVM that this system has no package of, in a
# Debian root of another suite, in which this machine's files are mounted:
#
#   scripts/with-llvm.sh 17 go test ./internal/codegen ./internal/tests/fuzz
#
# 17 and 18 come from Debian 13 (trixie), 21 and later ones from sid. It needs
# root, apt-get and some 500 MB; the root is kept in $HEDDLE_ROOTS, by default
# heddle-roots in the user's cache directory.
set -euo pipefail

release=${1:?usage: with-llvm.sh RELEASE COMMAND...}
shift
suite=sid package=libllvm$release
case $release in
17) suite=trixie package=libllvm17t64 ;;
18) suite=trixie ;;
esac
base=${HEDDLE_ROOTS:-${XDG_CACHE_HOME:-$HOME/.cache}/heddle-roots}/$suite
root=$base/root
[ "$(id -u)" = 0 ] || { echo "with-llvm: only root can mount" >&2; exit 1; }

# fetch: unpacks the package and all that it needs, with git and a shell.
fetch() {
	mkdir -p "$base"/{lists,cache/archives}/partial "$root"/usr/{bin,lib,lib64}
	ln -sfn usr/bin "$root/bin"
	ln -sfn usr/lib "$root/lib"
	ln -sfn usr/lib64 "$root/lib64"
	echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian $suite main" >"$base/sources.list"
	cat >"$base/apt.conf" <<-END
		Dir::State::Lists "$base/lists";
		Dir::State::status "/dev/null";
		Dir::Cache "$base/cache";
		Dir::Etc::SourceList "$base/sources.list";
		Dir::Etc::SourceParts "/dev/null";
		Acquire::Languages "none";
	END
	export APT_CONFIG=$base/apt.conf
	apt-get -qq update
	apt-get -qq install -y --download-only --no-install-recommends "$package" bash coreutils git ca-certificates >&2
	for deb in "$base"/cache/archives/*.deb; do
		dpkg -x "$deb" "$root"
		rm "$deb"
	done
	ln -sfn bash "$root/usr/bin/sh"
}

compgen -G "$root/usr/lib/x86_64-linux-gnu/libLLVM*$release*" >/dev/null || fetch

export HEDDLE_LLVM=$release
exec unshare -m bash -c '
	root=$1 dir=$2
	shift 2
	for d in dev proc tmp "$HOME" "$(go env GOROOT)" "$dir" ${HEDDLE_MOUNTS:-}; do
		d=${d#/}
		mkdir -p "$root/$d"
		mount --rbind "/$d" "$root/$d"
	done
	mkdir -p "$root/etc"
	cp /etc/resolv.conf /etc/passwd /etc/group "$root/etc/"
	exec chroot "$root" /usr/bin/env -C "$dir" "$@"' with-llvm "$root" "$PWD" "$@"
