package llvm

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"

	"heddle/internal/env"
	"heddle/internal/lazy"
)

// EnvLLVM chooses the library: a path, or a major version number.
const EnvLLVM = env.LLVM

// A Candidate is one libLLVM file found on this machine.
type Candidate struct {
	Path  string // with symbolic links resolved
	Major int    // from the file's name; 0 if the name has none
	Git   bool   // a vendor's development build, as ROCm ships: taken after a release of the same major
}

var libName = lazy.Regexp{Expr: `^libLLVM(?:-(\d+)(?:\.\d+)*\.so(?:\.\d+)*|\.so\.(\d+)(?:\.\d+)*(git|-rocm|rocm)?\S*)$`}

// windowsName is LLVM's C API on Windows: a name without a release.
const windowsName = "LLVM-C.dll"

// libDirs are the directories searched, best first.
func libDirs() []string {
	if runtime.GOOS == "windows" {
		return plainDirs()
	}
	return append(plainDirs(), versionedDirs.Get()...)
}

// plainDirs are those of them that need no look at what is there.
func plainDirs() []string {
	var dirs []string
	if runtime.GOOS == "windows" { // where LLVM's installer puts it
		return append(dirs, filepath.Join(env.Path("ProgramFiles"), "LLVM", "bin"))
	}
	dirs = append(dirs, filepath.SplitList(env.Path("LD_LIBRARY_PATH"))...)
	arch := map[string]string{"amd64": "x86_64", "arm64": "aarch64"}[runtime.GOARCH]
	if arch != "" {
		dirs = append(dirs, "/usr/lib/"+arch+"-linux-gnu")
	}
	return append(dirs, "/usr/lib64", "/usr/lib", "/usr/local/lib64", "/usr/local/lib")
}

// versioned are patterns of the directories with a release in their names.
var versioned = []string{"/usr/lib/llvm-*/lib", "/usr/lib/llvm*/lib64", "/usr/lib/llvm/*/lib64", "/opt/rocm*/llvm/lib", "/opt/rocm*/lib/llvm/lib"}

// Named reports whether HEDDLE_LLVM or HEDDLE_COMGR names a file: it may be a link to anywhere.
func Named() bool {
	want := env.Get(EnvLLVM)
	return want != "" && !isNumber(want) || env.Get(EnvComgr) != ""
}

// SearchPatterns are patterns of all directories in which Find and ComgrCandidates look.
func SearchPatterns() []string {
	dirs := append(plainDirs(), versioned...)
	if root := env.Path("ROCM_PATH"); root != "" {
		dirs = append(dirs, filepath.Join(root, "lib"))
	}
	return append(dirs, rocmLibs)
}

// versionedDirs are the directories with a release in their names. It looks
// once per process.
var versionedDirs = lazy.Value[[]string]{Make: func() (dirs []string) {
	for _, pattern := range versioned {
		found, _ := filepath.Glob(pattern)
		slices.Reverse(found) // newest release first
		dirs = append(dirs, found...)
	}
	return dirs
}}

// Candidates lists the usable libLLVM files in the order Open tries them: releases
// that Releases accepts, those for GPUs of both vendors first, the newest first. It
// reads directories, once per process, and opens no library. With HEDDLE_LLVM set
// it lists what that names, accepted or not, and nothing else.
func Candidates() []Candidate {
	want := env.Get(EnvLLVM)
	if want != "" && !isNumber(want) {
		return []Candidate{describe(want)}
	}
	found.Lock()
	defer found.Unlock()
	dirs := libDirs()
	if key := want + strings.Join(dirs, ":"); found.list == nil || found.key != key {
		found.key = key
		found.list, found.refused = scan(dirs, want)
	}
	return slices.Clone(found.list)
}

// found is what the last scan found.
var found struct {
	sync.Mutex
	key  string
	list []Candidate
	// refused are those of releases that are not accepted.
	refused []Candidate
}

// scan looks for libraries of the wanted major version, or of any accepted one.
func scan(dirs []string, want string) (list, refused []Candidate) {
	seen := map[string]bool{}
	for _, dir := range dirs {
		d, err := os.Open(dir)
		if err != nil {
			continue
		}
		names, _ := d.Readdirnames(-1)
		d.Close()
		for _, name := range names {
			if name != windowsName && (!strings.HasPrefix(name, "libLLVM") || !libName.Get().MatchString(name)) {
				continue
			}
			c := describe(filepath.Join(dir, name))
			if seen[c.Path] || c.Major < MinMajor && name != windowsName || want != "" && strconv.Itoa(c.Major) != want {
				continue
			}
			seen[c.Path] = true
			if want == "" && name != windowsName && Refusal(c.Major, "") != "" {
				refused = append(refused, c)
				continue
			}
			list = append(list, c)
		}
	}
	sort.SliceStable(list, func(i, j int) bool {
		a, b := list[i], list[j]
		return cmp.Or(cmp.Compare(rank(b.Major), rank(a.Major)), cmp.Compare(b.Major, a.Major), cmp.Compare(btoi(a.Git), btoi(b.Git))) < 0
	})
	return list, refused
}

func isNumber(s string) bool { _, err := strconv.Atoi(s); return err == nil }

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// describe reads a candidate's version from its name, or from that of the file it links to.
func describe(path string) Candidate {
	c := Candidate{Path: path}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		c.Path = real
	}
	for _, p := range []string{c.Path, path} {
		if m := libName.Get().FindStringSubmatch(filepath.Base(p)); m != nil {
			c.Major, _ = strconv.Atoi(m[1] + m[2])
			c.Git = m[3] != ""
			break
		}
	}
	return c
}

// Find returns the libLLVM that Open tries first, without opening it. The
// major version is 0 if only opening the library can tell. The error says what
// was looked for and the one command that fixes it.
func Find() (path string, major int, err error) {
	list := Candidates()
	if len(list) == 0 {
		return "", 0, notFound(nil)
	}
	c := list[0]
	if _, err := os.Stat(c.Path); err != nil {
		return "", 0, notFound([]error{err})
	}
	return c.Path, c.Major, nil
}

// refusedHere are the libraries here whose releases are not accepted.
func refusedHere() []Candidate {
	Candidates()
	found.Lock()
	defer found.Unlock()
	return slices.Clone(found.refused)
}

func notFound(tried []error) error {
	var b strings.Builder
	switch want := env.Get(EnvLLVM); {
	case isNumber(want):
		fmt.Fprintf(&b, "llvm: no working libLLVM %s, which %s asks for", want, EnvLLVM)
	case want != "":
		fmt.Fprintf(&b, "llvm: %s=%s does not work", EnvLLVM, want)
	default:
		fmt.Fprintf(&b, "llvm: no working libLLVM (release %s)", Accepted(""))
	}
	if len(tried) == 0 {
		fmt.Fprintf(&b, " in %s", strings.Join(libDirs(), ", "))
	}
	for _, err := range tried {
		fmt.Fprintf(&b, "\n\t%v", err)
	}
	if env.Get(EnvLLVM) == "" {
		for _, c := range refusedHere() {
			fmt.Fprintf(&b, "\n\t%s: release %d is not used: %s; %s=%d uses it all the same", c.Path, c.Major, Refusal(c.Major, ""), EnvLLVM, c.Major)
		}
	}
	fmt.Fprintf(&b, "\n\tto fix it: %s; or set %s to the library's path", Fix(), EnvLLVM)
	return errors.New(b.String())
}

// Fix is the command that installs libLLVM on this system.
func Fix() string {
	release, _ := os.ReadFile("/etc/os-release")
	for _, d := range []struct{ id, command string }{
		{"debian", "apt-get install libllvm19"},
		{"fedora", "dnf install llvm-libs"},
		{"rhel", "dnf install llvm-libs"},
		{"suse", "zypper install libLLVM19"},
		{"arch", "pacman -S llvm-libs"},
	} {
		for line := range strings.Lines(string(release)) {
			if (strings.HasPrefix(line, "ID=") || strings.HasPrefix(line, "ID_LIKE=")) && strings.Contains(line, d.id) {
				return d.command
			}
		}
	}
	return "apt-get install libllvm19"
}
