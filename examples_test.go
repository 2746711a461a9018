package heddle

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// samples are the folders of examples that are programs.
func samples(t *testing.T) (names []string) {
	entries, err := os.ReadDir("examples")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.IsDir() && e.Name() != "internal" {
			names = append(names, e.Name())
		}
	}
	return names
}

// examples/README.md lists each program once, and none that is not there.
func TestGallery(t *testing.T) {
	text, err := os.ReadFile("examples/README.md")
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]int{}
	for _, m := range regexp.MustCompile(`(?m)^\| \[(\w+)\]\((\w+)\) \| \S`).FindAllStringSubmatch(string(text), -1) {
		listed[m[1]]++
		if m[1] != m[2] {
			t.Errorf("%s links to %s", m[1], m[2])
		}
	}
	for _, name := range samples(t) {
		if listed[name] != 1 {
			t.Errorf("examples/README.md lists %s %d times", name, listed[name])
		}
		delete(listed, name)
	}
	for name := range listed {
		t.Errorf("examples/README.md lists %s, which is not there", name)
	}
}

// Where a sample has a README and a test with an output, both show the same; its pictures are
// there and small.
func TestSampleReadmes(t *testing.T) {
	const maxPicture = 60_000 // bytes
	output := regexp.MustCompile(`(?m)// Output:\n((?:^\t//.*\n)+)`)
	readmes := 0
	for _, name := range samples(t) {
		dir := filepath.Join("examples", name)
		readme, err := os.ReadFile(filepath.Join(dir, "README.md"))
		if err != nil {
			continue
		}
		readmes++
		if !strings.HasPrefix(string(readme), "# "+name+"\n") {
			t.Errorf("%s/README.md does not begin with its name", dir)
		}
		test, err := os.ReadFile(filepath.Join(dir, "example_test.go"))
		if err != nil {
			t.Error(err)
			continue
		}
		if m := output.FindSubmatch(test); m != nil {
			want := regexp.MustCompile(`(?m)^\t// ?`).ReplaceAllString(string(m[1]), "")
			if !strings.Contains(string(readme), want) {
				t.Errorf("%s/README.md lacks what the program prints:\n%s", dir, want)
			}
		}
		pictures, err := filepath.Glob(filepath.Join(dir, "*.[gp][in][fg]"))
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range pictures {
			if st, err := os.Stat(p); err != nil || st.Size() > maxPicture {
				t.Errorf("%s: %v, more than %d bytes", p, err, maxPicture)
			}
			if !strings.Contains(string(readme), "]("+filepath.Base(p)+")") {
				t.Errorf("%s/README.md does not show %s", dir, p)
			}
		}
	}
	if readmes < 20 {
		t.Errorf("only %d samples have a README", readmes)
	}
}
