package source

import (
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"time"

	"heddle/internal/lazy"
)

// This file says whether sources are the binary's for good: what was compiled from them may
// then be kept for the next process of the same binary, which looks at no source.

// Lasting reports whether u's program was built from sources that belong to the binary: they
// are embedded in it, or none of those on disk has changed since it was built. Of what go
// list named, all files of modules that may be edited are looked at, and their go.mod.
func (u *Func) Lasting() bool {
	shared.Lock()
	defer shared.Unlock()
	w := u.program.w
	registry.Lock()
	loose := registry.loose
	registry.Unlock()
	if loose {
		return false
	}
	for p, sp := range w.src {
		if sp.origin == "GOROOT" && bundledStd(p) == nil && !sameGo.Get() {
			return false
		}
	}
	seen := map[string]bool{}
	for _, l := range w.list {
		if !l.Standard && !l.lasting(seen) || l.Standard && !sameGo.Get() {
			return false
		}
	}
	return true
}

// lasting reports whether a listed package's files are no newer than the binary; seen has the
// go.mod files that were looked at.
func (l *listed) lasting(seen map[string]bool) bool {
	for _, name := range append(append([]string{}, l.GoFiles...), l.CgoFiles...) {
		if !olderThanBinary(l.diskName(name)) {
			return false
		}
	}
	if l.Module == nil || l.Module.GoMod == "" || seen[l.Module.GoMod] {
		return true
	}
	seen[l.Module.GoMod] = true
	if !olderThanBinary(l.Module.GoMod) {
		return false
	}
	for dir := filepath.Dir(l.Module.GoMod); ; dir = filepath.Dir(dir) {
		if work := filepath.Join(dir, "go.work"); !olderThanBinary(work) {
			if _, err := os.Stat(work); err == nil {
				return false
			}
		}
		if dir == filepath.Dir(dir) {
			return true
		}
	}
}

// olderThanBinary reports whether a file was last changed before the binary's own was.
func olderThanBinary(file string) bool {
	st, err := os.Stat(file)
	return err == nil && st.ModTime().Before(linkedAt.Get())
}

// linkedAt is when the binary's file was written, which the build cache may have done long
// ago: builtAt is what errors go by. It is the zero time if that is not known.
var linkedAt = lazy.Value[time.Time]{Make: func() time.Time {
	exe, err := os.Executable()
	if err != nil {
		return time.Time{}
	}
	st, err := os.Stat(exe)
	if err != nil {
		return time.Time{}
	}
	return st.ModTime()
}}

// inBinary reports whether a file system is an embed.FS. Others may change.
func inBinary(fsys fs.FS) bool {
	t := reflect.TypeOf(fsys)
	return t.PkgPath() == "embed" && t.Name() == "FS"
}

// sameGo reports whether the standard library on disk is of the release that the binary was
// built with.
var sameGo = lazy.Value[bool]{Make: func() bool {
	text, err := os.ReadFile(filepath.Join(goroot.Get(), "VERSION"))
	release, _, _ := strings.Cut(string(text), "\n")
	built, _, _ := strings.Cut(runtime.Version(), " ") // what follows are GOEXPERIMENTs
	return err == nil && goroot.Get() != "" && release == built
}}
