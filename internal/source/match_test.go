package source

import (
	"go/build"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// contexts are builds of many kinds.
func contexts() (all []build.Context) {
	for _, system := range []string{"linux/amd64", "linux/arm64", "linux/mips64le", "windows/amd64", "darwin/arm64", "android/arm64", "ios/arm64", "illumos/amd64", "js/wasm", "freebsd/386", "plan9/arm"} {
		for _, cgo := range []bool{false, true} {
			ctx := build.Default
			ctx.GOOS, ctx.GOARCH, _ = strings.Cut(system, "/")
			ctx.CgoEnabled = cgo
			if cgo {
				ctx.BuildTags = []string{"purego", "race"}
			}
			all = append(all, ctx)
		}
	}
	return all
}

// sameMatch holds the choice of a file against go/build's.
func sameMatch(t *testing.T, ctx build.Context, name, text string) {
	t.Helper()
	got := nameMatches(&ctx, name) && textMatches(&ctx, text)
	ctx.OpenFile = func(string) (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(text)), nil }
	if want, err := ctx.MatchFile(".", name); got != (want && err == nil) {
		t.Errorf("%s/%s, cgo %v, tags %v: %s is chosen: %v, go/build says %v (%v)\n%.200s", ctx.GOOS, ctx.GOARCH, ctx.CgoEnabled, ctx.BuildTags, name, got, want, err, text)
	}
}

// The files of the standard library that each build has are those that go/build chooses.
func TestMatchStandard(t *testing.T) {
	files := 0
	err := filepath.WalkDir(filepath.Join(goroot.Get(), "src"), func(name string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(name, ".go") {
			return err
		}
		dir := filepath.Base(filepath.Dir(name))
		if testing.Short() && dir != "syscall" && dir != "os" && dir != "math" && dir != "cgo" && dir != "cpu" {
			return nil
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		for _, ctx := range contexts() {
			sameMatch(t, ctx, filepath.Base(name), string(text))
		}
		files++
		return nil
	})
	if err != nil || files < 500 {
		t.Errorf("%d files, %v", files, err)
	}
}

func TestMatch(t *testing.T) {
	names := []string{"a.go", "linux.go", "a_linux.go", "a_amd64.go", "a_linux_amd64.go", "a_amd64_linux.go", "a_linux_test.go", "a_windows_arm64_test.go",
		"_a.go", ".a.go", "a_test.go", "test.go", "_linux.go", "a_unix.go", "a_linux.x_windows.go", "a_foo_arm64.go", "a_darwin_foo.go", "_.go", "a__linux.go"}
	for _, header := range []string{
		"", "//go:build linux\n\n", "//go:build linux\n", "//go:build !linux && (amd64 || cgo)\n\n", "//go:build unix\n\n",
		"//go:build go1.18\n\n", "//go:build go1.999\n\n", "//go:build gc && !gccgo\n\n", "//go:build boringcrypto\n\n", "//go:build purego\n\n",
		"// +build linux\n\n", "// +build linux\n", "// +build linux,cgo windows\n// +build amd64\n\n", "// +build linux\n\n// +build arm64\n",
		"//go:build windows\n// +build linux\n\n", "//go:build linux\n//go:build windows\n\n", "//go:build linux &&\n\n", "//go:buildlinux\n\n", "//go:build\n\n",
		"/* a */ //go:build windows\n\n", "/*\n//go:build windows\n*/\n\n", "/*\n*/ /* b\n\n*/\n//go:build windows\n\n", "/*\n\n// +build windows\n\n*/\n",
		"\ufeff//go:build windows\n\n", "// a\n\n//go:build windows\n// b\n\n", "  //go:build windows  \r\n\r\n", "// +build ignore\r\n\r\n", "//go:build ignore\n\n",
	} {
		for _, body := range []string{"package p\n", "package p\n//go:build windows\n\nfunc f() {}\n", "package p; import \"fmt\"\n"} {
			for _, ctx := range contexts() {
				for _, name := range names {
					sameMatch(t, ctx, name, header+body)
				}
			}
		}
	}
}

func FuzzMatch(f *testing.F) {
	f.Add("a_linux.go", "//go:build amd64 && !cgo\n\n")
	f.Add("a_arm64_test.go", "// +build linux,go1.5\n\n/* a\n*/")
	all := contexts()
	f.Fuzz(func(t *testing.T, name, header string) {
		if strings.ContainsAny(name, "/\\\x00") || strings.Contains(header, "\x00") {
			return
		}
		for _, ctx := range all {
			sameMatch(t, ctx, name+".go", header+"\npackage p\n")
		}
	})
}
