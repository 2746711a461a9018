package kernel_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"heddle/internal/codegen"
	"heddle/internal/env"
)

// recorded is a program with a kernel of each form that a record has to tell apart. Its
// arguments are which func the last kernel captures, and a captured string.
var recorded = map[string]string{"main.go": `package main

import (
	"fmt"
	"os"

	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
)

type scale struct{ by int32 }

func (s scale) Times(v []int32) { v[dsl.GlobalIdx().X] = s.by * 2 }

type small interface{ ~int32 | ~uint8 }

func fill[T small](v []int32) { v[dsl.GlobalIdx().X] = int32(T(dsl.GlobalIdx().X + 255)) }

func closure[T small](by T) func(v []int32) {
	return func(v []int32) { v[dsl.GlobalIdx().X] += int32(by) }
}

func plusOne(x int32) int32  { return x + 1 }
func plusFive(x int32) int32 { return x + 5 }

var count = dsl.NewGlobal([2]int32{3, 4})

func must(err error) {
	if err != nil {
		fmt.Println("error:", err)
	}
}

func main() {
	dev, err := launch.Open(os.Args[1])
	if err != nil {
		panic(err)
	}
	buf, err := launch.Alloc[int32](dev, 4)
	must(err)
	run := func(name string, k *kernel.Kernel) {
		must(k.Launch(dev.Stream(), launch.Linear(4, 4), buf))
		got := make([]int32, 4)
		must(buf.Download(got))
		fmt.Println(name, got)
	}
	n, word := int32(1), os.Args[3]
	byReference := kernel.New(func(v []int32) { v[dsl.GlobalIdx().X] = n })
	run("reference", byReference)
	n = 7
	run("reference", byReference)
	s := scale{by: 20}
	run("receiver", kernel.New(s.Times))
	s.by = 21
	run("receiver", kernel.New(s.Times))
	run("int32", kernel.New(fill[int32]))
	run("uint8", kernel.New(fill[uint8]))
	run("closure int32", kernel.New(closure[int32](300)))
	run("closure uint8", kernel.New(closure[uint8](200)))
	length := func(v []int32) { v[dsl.GlobalIdx().X] = int32(len(word)) }
	run("string", kernel.New(length))
	run("string again", kernel.New(length)) // shares what is loaded
	size := 3
	run("specialised", kernel.NewWith(func(v []int32) {
		for i := range size {
			v[i] = int32(i * size)
		}
	}, kernel.Options{Specialize: []string{"size"}}))
	f := plusOne
	if os.Args[2] == "five" {
		f = plusFive
	}
	k := kernel.New(func(v []int32) { v[dsl.GlobalIdx().X] = f(10) })
	run("func", k)
	f = plusFive
	run("func", k)
	run("variable", kernel.New(func(v []int32) {
		i := dsl.GlobalIdx().X
		if i < 2 {
			v[i] = count.Ptr()[i]
			count.Ptr()[i]++
		}
	}))
	var c [2]int32
	must(launch.CopyFromSymbol(dev, &c, count))
	fmt.Println("variable", c)
	run("printing", kernel.New(func(v []int32) {
		if dsl.GlobalIdx().X == 2 {
			dsl.Printf("lane %d of %s\n", dsl.GlobalIdx().X, word)
		}
	}))
	run("panic", kernel.New(func(v []int32) { v[dsl.GlobalIdx().X+1] = 1 }))
}
`}

// results splits what a run printed from its log, and says where its kernels came from.
func results(out string) (printed string, from map[string]int) {
	from = map[string]int{}
	for line := range strings.Lines(out) {
		if _, rest, ok := strings.Cut(line, " INFO compiled "); ok {
			_, rest, _ = strings.Cut(rest, " from=")
			where, _, _ := strings.Cut(rest, " ")
			from[where]++
		} else {
			printed += line
		}
	}
	return printed, from
}

// A second run of a binary takes its kernels from the first one's records, without their
// sources, and does the same; captured values are those of the run.
func TestRecords(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: builds a program")
	}
	openDevice(t, "cpu") // which the program opens
	t.Setenv(env.Log, "compile")
	dir, run := outside(t, recorded)
	run("go", "build", "-mod=mod", "-o", "app", ".")
	t.Setenv(codegen.EnvCache, "off")
	want, from := results(run("./app", "cpu", "one", "three"))
	for _, line := range []string{"reference [7 7 7 7]", "receiver [42 42 42 42]", "int32 [255 256 257 258]", "uint8 [255 0 1 2]", "closure uint8 [755", "string [5 5 5 5]",
		"func [11 11 11 11]\nfunc [15 15 15 15]", "variable [4 5]", "lane 2 of three\n", "index out of range [4] with length 4"} {
		if !strings.Contains(want, line) {
			t.Errorf("%q is not in:\n%s", line, want)
		}
	}
	if from["index"] > 0 {
		t.Errorf("without a cache kernels came from %v", from)
	}
	all := from["compiler"]
	t.Setenv(codegen.EnvCache, filepath.Join(t.TempDir(), "cache"))
	cache := os.Getenv(codegen.EnvCache)
	check := func(what, func_, word string, fromIndex int) {
		t.Helper()
		plain, _ := results(runWith(t, run, codegen.EnvCache, "off", "./app", "cpu", func_, word))
		got, from := results(run("./app", "cpu", func_, word))
		if got != plain {
			t.Errorf("%s: got\n%s\nwant\n%s", what, got, plain)
		}
		if from["index"] != fromIndex {
			t.Errorf("%s: kernels came from %v, want %d from the index", what, from, fromIndex)
		}
	}
	check("first run", "one", "three", 0)
	check("second run", "one", "three", all)
	check("another string", "one", "seventeen", all-2) // its length, and what prints it
	check("that string again", "one", "seventeen", all)
	check("another func", "five", "three", all-1) // one compile less: both launches have one func
	for _, file := range glob(t, filepath.Join(cache, "*.hob")) {
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
	}
	check("the code is gone", "one", "three", 0)
	check("and is there again", "one", "three", all)
	for _, file := range glob(t, filepath.Join(cache, "*.hix")) {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		data[len(data)-9] ^= 4
		if err := os.WriteFile(file, data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	check("damaged records", "one", "three", 0)
	check("and whole again", "one", "three", all)
	// The records are the binary's: its sources may be gone.
	if err := os.Remove(filepath.Join(dir, "main.go")); err != nil {
		t.Fatal(err)
	}
	if got, from := results(run("./app", "cpu", "one", "three")); got != want || from["index"] != all {
		t.Errorf("without sources: kernels came from %v, got\n%s", from, got)
	}
}

// Nothing is on record of a program whose sources have changed since it was built, nor of one
// whose module has.
func TestNoRecords(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: builds a program")
	}
	openDevice(t, "cpu")
	t.Setenv(env.Log, "compile")
	t.Setenv(codegen.EnvCache, filepath.Join(t.TempDir(), "cache"))
	dir, run := outside(t, spread)
	run("go", "build", "-mod=mod", "-o", "app", ".")
	for _, name := range []string{"other.go", "go.mod"} {
		file, now := filepath.Join(dir, name), time.Now()
		if err := os.Chtimes(file, now, now.Add(time.Hour)); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if out := run("./app"); !strings.Contains(out, "<nil>") || strings.Contains(out, "from=index") {
				t.Errorf("%s has changed: got %s", name, out)
			}
		}
		if err := os.Chtimes(file, now, now.Add(-time.Hour)); err != nil {
			t.Fatal(err)
		}
	}
	run("./app")
	if out := run("./app"); !strings.Contains(out, "from=index") {
		t.Errorf("nothing has changed: got %s", out)
	}
}

func glob(t *testing.T, pattern string) []string {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("no files %s (%v)", pattern, err)
	}
	return files
}

// runWith is run with an environment variable set.
func runWith(t *testing.T, run func(string, ...string) string, name, value string, args ...string) string {
	t.Helper()
	old := os.Getenv(name)
	os.Setenv(name, value)
	defer os.Setenv(name, old)
	return run(args[0], args[1:]...)
}
