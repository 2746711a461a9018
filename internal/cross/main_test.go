package main

import (
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What is wrong on one system only is found for it, in tests too, and not for others.
func TestCross(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":           "module example.com/m\n\ngo 1.26\n",
		"all.go":           "package m\n\nimport \"os\"\n\nfunc F() string { return os.Getenv(\"HOME\") }\n",
		"a_windows.go":     "package m\n\nimport \"os\"\n\nvar x int = os.PathSeparator + missing\n",
		"a_test.go":        "package m\n\nimport \"testing\"\n\nfunc TestF(t *testing.T) { _ = F() }\n",
		"b_darwin_test.go": "package m\n\nimport \"testing\"\n\nfunc TestG(t *testing.T) { F(1) }\n",
		"c_arm64.go":       "package m\n\nfunc asm(x int64) int64\n",
		"c_arm64.s":        "TEXT ·asm(SB), 0, $0-8\n\tMOVD x+0(FP), R0\n\tMOVD R0, ret+8(FP)\n\tRET\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("GOFLAGS", "")
	t.Setenv("GOWORK", "off")
	c := &cross{dir: dir, fset: token.NewFileSet(), files: map[string]*file{}}
	for target, want := range map[string]string{
		"linux/amd64":   "",
		"windows/amd64": "undefined: missing",
		"darwin/amd64":  "too many arguments",
		"linux/arm64":   "wrong argument size 8; expected $...-16",
	} {
		found, n, err := c.check(target, "example.com/m", "./...")
		if text := strings.Join(found, "\n"); err != nil || n == 0 || (text == "") != (want == "") || !strings.Contains(text, want) {
			t.Errorf("%s: %d packages, %v, found %q, want %q", target, n, err, text, want)
		}
	}
	if _, _, err := c.check("windows", "example.com/m", "./..."); err == nil {
		t.Error("no processor, and no error")
	}
}
