package main

import (
	"path/filepath"
	"strings"
	"testing"

	"heddle/launch"
)

// answers runs commands and returns the answers of a part.
func answers(t *testing.T, part string, commands ...string) []string {
	t.Helper()
	var out strings.Builder
	if err := serve(part, "sim", strings.NewReader(strings.Join(commands, "\n")), &out); err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSpace(out.String()), "\n")
}

// TestPlain compares plain Go with the kernels on the simulator.
func TestPlain(t *testing.T) {
	dev, err := launch.Open("sim")
	if err != nil {
		t.Fatal(err)
	}
	defer dev.Close()
	for _, b := range benches {
		t.Run(b.name, func(t *testing.T) {
			var results [2][]float64
			for i, lang := range []language{heddle{dev: dev}, plainGo{}} {
				s := &server{lang: lang}
				file := filepath.Join(t.TempDir(), "results")
				if err := s.open(b.name, b.small); err != nil {
					t.Fatal(err)
				}
				if err := s.save(file); err != nil {
					t.Fatal(err)
				}
				if results[i], err = b.read(file); err != nil {
					t.Fatal(err)
				}
				if err := s.close(); err != nil {
					t.Error(err)
				}
			}
			if _, err := b.check(results[0], results[1]); err != nil {
				t.Error(err)
			}
			if b.n%1024 != 0 && b.n != 256 {
				t.Errorf("size %d does not fit the kernels' blocks", b.n)
			}
			if rates[b.unit] == nil {
				t.Errorf("unit %q is not in rates", b.unit)
			}
		})
	}
}

func TestServe(t *testing.T) {
	got := answers(t, "go", "time 1 1", "open nothing 5", "open saxpy 4096", "time 0 3", "close", "save x")
	for i, want := range []string{"ok go", "error ", "error ", "ok", "ok ", "ok", "error "} {
		if !strings.HasPrefix(got[i], want) {
			t.Errorf("answer %d is %q, want %q...", i, got[i], want)
		}
	}
}

func TestCheckFlags(t *testing.T) {
	good := options{parts: "heddle,go", turns: 1, reps: 1}
	if err := good.check(); err != nil {
		t.Error(err)
	}
	for _, change := range []func(*options){
		func(o *options) { o.only = "saxpy,nothing" },
		func(o *options) { o.parts = "fortran" },
		func(o *options) { o.warp = "16" },
		func(o *options) { o.reps = 0 },
	} {
		o := good
		change(&o)
		if o.check() == nil {
			t.Errorf("%+v is accepted", o)
		}
	}
}

// TestTable has a kernel of which one part could not be timed.
func TestTable(t *testing.T) {
	b := benches[0]
	table := newTable([]*part{{name: "heddle"}, {name: "go"}, {name: "c"}}, false)
	table.add(b, b.n, map[string]*timing{"heddle": {best: 2e6}, "c": {best: 1e6}})
	var out strings.Builder
	table.print(&out)
	if !strings.Contains(out.String(), "0.50") || !strings.Contains(out.String(), "c 0.9") {
		t.Error(out.String())
	}
}
