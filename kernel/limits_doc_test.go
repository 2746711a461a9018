package kernel_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestLimits: each message in docs/limits.md is one that the tests of bad kernels have seen.
func TestLimits(t *testing.T) {
	doc, err := os.ReadFile("../docs/limits.md")
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("bad*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	var wanted []string
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range strings.Split(string(text), "\n") {
			if _, comment, ok := strings.Cut(line, "// want "); ok {
				wanted = append(wanted, strings.NewReplacer(`\\(`, "(", `\\)`, ")", `\\d+`, "131072", `\\[`, "[", `\\]`, "]").Replace(comment))
			}
		}
	}
	rows := regexp.MustCompile("(?m)^\\| [^|]* \\| `([^`]*)` \\|").FindAllStringSubmatch(string(doc), -1)
	if len(rows) < 20 {
		t.Fatalf("%d rows", len(rows))
	}
	for _, row := range rows {
		if !slices.ContainsFunc(wanted, func(w string) bool { return strings.Contains(w, row[1]) }) {
			t.Errorf("docs/limits.md: no test of a bad kernel wants %q", row[1])
		}
	}
}
