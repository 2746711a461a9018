#!/usr/bin/env bash
# Installs the Debian packages that heddle can use, where it may: as root, or
# with a sudo that asks nothing. Elsewhere it says which command would. It
# never fails: what is missing only means that less is shown or tested.
#
#   setup.sh demo   libLLVM, the compiler
#   setup.sh test   and what the tests compare with: clang, lld, llvm-mc and so on,
#                   AMD's device math libraries, HIP's run time, which says
#                   without a GPU that there is none, what runs code for
#                   arm64 on amd64, and two MPIs
set -u

want=${1:-demo}

# The releases of LLVM that are used for GPUs, newest first, those for NVIDIA's alone
# last (a test holds this to internal/llvm's table), and the first for every one.
releases="19 18 17"
complete=19

# have_release N: this release of libLLVM is here.
have_release() {
	{ ldconfig -p 2>/dev/null || /sbin/ldconfig -p; } 2>/dev/null |
		grep -qE "libLLVM(-$1[.]|\.so\.$1[.])"
}

# have_llvm N: the libLLVM that the user chose is here, or one that knows every
# processor, or one as new as N, the newest that can be had.
have_llvm() {
	local n
	[ -n "${HEDDLE_LLVM:-}" ] && return 0
	for n in $releases; do
		if [ "$n" -ge "$complete" ] || [ "$n" -ge "$1" ]; then
			have_release "$n" && return 0
		fi
	done
	return 1
}

# have_hip: some HIP run time is here.
have_hip() {
	compgen -G '/opt/rocm*/lib/libamdhip64.so*' >/dev/null && return 0
	{ ldconfig -p 2>/dev/null || /sbin/ldconfig -p; } 2>/dev/null | grep -q libamdhip64
}

installed() { dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null | grep -qx installed; }

# available: the package can be installed.
available() { apt-cache show "$1" >/dev/null 2>&1; }

# llvm_release: the newest LLVM release packaged here, of those that are tested.
llvm_release() {
	local n
	for n in $releases; do
		available "libllvm$n" && echo "$n" && return
	done
}

# missing: the packages to install, one a line.
missing() {
	local n p
	n=$(llvm_release)
	n=${n:-19}
	have_llvm "$n" || echo "libllvm$n"
	if [ "$want" = test ]; then
		for p in "libllvm$n" "clang-$n" "lld-$n" "llvm-$n" rocm-device-libs openmpi-bin mpich; do
			installed "$p" || echo "$p"
		done
		have_hip || echo libamdhip64-5
		if [ "$(dpkg --print-architecture)" = amd64 ]; then
			for p in qemu-user-static libc6-arm64-cross; do
				installed "$p" || echo "$p"
			done
		fi
	fi
}

if ! command -v apt-get >/dev/null 2>&1; then
	have_llvm 17 || echo "setup: no libLLVM here of a release that heddle is tested with ($releases), and no apt-get to install it; see \"heddle doctor\"" >&2
	exit 0
fi

[ -z "$(missing)" ] && exit 0

if [ "$(id -u)" = 0 ]; then
	root=()
elif sudo -n true 2>/dev/null; then
	root=(sudo -n)
else
	echo "setup: to have all that heddle can use here: sudo apt-get install $(missing | sort -u | tr '\n' ' ')" >&2
	exit 0
fi

apt() { "${root[@]}" env DEBIAN_FRONTEND=noninteractive DEBCONF_NOWARNINGS=yes apt-get -qq -o DPkg::Lock::Timeout=120 "$@" </dev/null; }

# A fresh machine has no package lists yet.
for p in $(missing); do
	if ! available "$p"; then
		echo "setup: apt-get update" >&2
		apt update >&2 || true
		break
	fi
done

for p in $(missing | sort -u); do
	if ! available "$p"; then
		echo "setup: this system has no package $p" >&2
		continue
	fi
	echo "setup: apt-get install $p" >&2
	apt install --no-install-recommends "$p" >/dev/null || echo "setup: could not install $p; going on without it" >&2
done
exit 0
