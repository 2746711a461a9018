package source

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// sortsProgram compares package slices's sorts with those of a stack of their own.
const sortsProgram = `package main

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"os"
	std "slices"

	"own/slices"
)

type item struct{ key, place int }

func main() {
	r := rand.New(rand.NewPCG(1, 2))
	by := func(a, b item) int { return cmp.Compare(b.key, a.key) }
	for round := range 3000 {
		n := r.IntN(1 << r.IntN(13))
		xs := make([]item, n)
		keys := make([]float64, n)
		many := 1 + r.IntN(1<<r.IntN(20))
		for i := range xs {
			switch round % 4 {
			case 0:
				xs[i].key = i / (1 + many%50)
			case 1:
				xs[i].key = min(i, n-i)
			default:
				xs[i].key = r.IntN(many)
			}
			xs[i].place = i
			keys[i] = float64(xs[i].key)
		}
		if round%4 == 3 {
			bad(xs)
		}
		a, b := std.Clone(xs), std.Clone(xs)
		std.SortFunc(a, by)
		slices.SortFunc(b, by)
		same := std.Equal(a, b)
		if !SAME && !std.IsSortedFunc(b, by) || SAME && !same {
			fmt.Println("SortFunc", round, n)
			os.Exit(1)
		}
		a, b = std.Clone(xs), std.Clone(xs)
		std.SortStableFunc(a, by)
		slices.SortStableFunc(b, by)
		slices.Sort(keys)
		if !std.Equal(a, b) || !std.IsSorted(keys) {
			fmt.Println("SortStableFunc or Sort", round, n)
			os.Exit(1)
		}
	}
}

// bad makes an order that partitions badly.
func bad(xs []item) {
	for i := range xs {
		xs[i].key = i
	}
	for i := 1; i < len(xs); i++ {
		xs[i], xs[i/2] = xs[i/2], xs[i]
	}
}
`

// Sorts with a stack of their own do what package slices's do; with a stack that is too small, too,
// but for the order of equal elements.
func TestSorts(t *testing.T) {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Skip("no go command here: ", err)
	}
	from := filepath.Join(strings.TrimSpace(string(root)), "src", "slices")
	defer func(room int) { pdqsort.room = room }(pdqsort.room)
	for _, c := range []struct {
		room int
		same string
	}{{pdqsort.room, "true"}, {3, "false"}} {
		pdqsort.room = c.room
		dir := t.TempDir()
		write := func(name string, text []byte) {
			if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, name), text, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		write("go.mod", []byte("module own\n\ngo 1.24\n"))
		write("main.go", []byte(strings.ReplaceAll(sortsProgram, "SAME", c.same)))
		for _, name := range []string{"sort.go", "zsortordered.go", "zsortanyfunc.go", "slices.go", "iter.go"} {
			text, err := os.ReadFile(filepath.Join(from, name))
			if err != nil {
				t.Fatal(err)
			}
			own := withStack(filepath.Join(from, name), text)
			if sortsOf[name] != nil && bytes.Equal(own, text) {
				t.Errorf("%s is not what sorts.go expects", name)
			}
			if bytes.Count(own, []byte("\n")) != bytes.Count(text, []byte("\n")) {
				t.Errorf("%s has other lines", name)
			}
			for fn := range sortsOf[name] {
				if n := bytes.Count(own, []byte("\t"+fn+"(")) - bytes.Count(text, []byte("\t"+fn+"(")); n > -2 {
					t.Errorf("%s still calls itself", fn)
				}
			}
			write("slices/"+name, own)
		}
		cmd := exec.Command("go", "run", ".")
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("room for %d: %v\n%s", c.room, err, out)
		}
	}
}

// Only package slices's own files change.
func TestSortsOfOthers(t *testing.T) {
	text := []byte("package slices\n\nfunc pdqsortOrdered(data []int, a, b, limit int) {\n\tpdqsortOrdered(data, a, b, limit)\n}\n")
	for name, changes := range map[string]bool{"/go/src/slices/zsortordered.go": true, "slices/zsortordered.go": true, "/x/myslices/zsortordered.go": false, "/go/src/slices/sort.go": false} {
		if got := !bytes.Equal(withStack(name, text), text); got != changes {
			t.Errorf("%s changes: %v", name, got)
		}
	}
	for _, other := range []string{"func pdqsortOrdered(a, b int) { pdqsortOrdered(a, b) }", "func pdqsortOrdered(data []int, a, b, limit int) {}", "func pdqsortOrdered(data []int, a, b, limit int) int { return pdqsortOrdered(data, a, b, limit) }", "func"} {
		other = "package slices\n" + other
		if string(withStack("slices/zsortordered.go", []byte(other))) != other {
			t.Errorf("%s changes", other)
		}
	}
}
