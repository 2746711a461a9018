package ccl_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The examples of launchers are in the syntax of their languages.
func TestScripts(t *testing.T) {
	scripts, err := filepath.Glob("../docs/scale/*.sh")
	if err != nil || len(scripts) < 3 {
		t.Fatal(scripts, err)
	}
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip(err)
	}
	for _, s := range scripts {
		if out, err := exec.Command(sh, "-n", s).CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", s, err, out)
		}
	}
	text, err := os.ReadFile("../docs/scale/jobset.yaml")
	if err != nil {
		t.Fatal(err)
	}
	// Without a parser of YAML: keys and items, indented by spaces in steps, or lines of a folded text.
	line := regexp.MustCompile(`^( *)(- )?([\w./-]+:( .*)?|/bin/sh|-c|>-)$`)
	folded, depth := -1, 0
	for i, l := range strings.Split(strings.TrimSuffix(string(text), "\n"), "\n") {
		indent := len(l) - len(strings.TrimLeft(l, " "))
		switch m := line.FindStringSubmatch(l); {
		case folded >= 0 && indent > folded, strings.HasPrefix(strings.TrimSpace(l), "#"):
		case m == nil || indent%2 != 0 || indent > depth+4:
			t.Errorf("jobset.yaml:%d: %q", i+1, l)
		default:
			depth, folded = indent, -1
			if strings.HasSuffix(l, ">-") {
				folded = indent
			}
		}
	}
	program := regexp.MustCompile(`(?s)>-\n(.*?)\n +env:`).FindSubmatch(text)
	if program == nil {
		t.Fatal("jobset.yaml has no program")
	}
	if out, err := exec.Command(sh, "-n", "-c", strings.Join(strings.Fields(string(program[1])), " ")).CombinedOutput(); err != nil {
		t.Errorf("jobset.yaml: %v\n%s", err, out)
	}
}
