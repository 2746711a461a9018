package main

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"heddle/launch"
	"heddle/prim"
)

// TestRun tunes entries of which one is planted as bad, one as what cannot run, and loads the table that is written.
func TestRun(t *testing.T) {
	for _, test := range []struct {
		device, planted, only string
		size                  int
		time                  time.Duration
		better                func(t prim.Tuning) bool
	}{
		// a block has 65536 bytes of shared memory, this one would have 1024*23*8
		{"sim", `{"sim": {"scan/8": {"threads": 1024, "items": 23}}}`, "scan/8", 10, time.Second, func(t prim.Tuning) bool { return t.Threads*t.Items*8 <= 65536 }},
		{"sim", `{"sim": {"transform": {"threads": 1024}}}`, "transform", 11, time.Second, func(t prim.Tuning) bool { return true }},
		{"cpu", `{"cpu": {"scan/4": {"threads": 1024, "items": 23, "serial": 1}}}`, "scan/4", 12, time.Second, func(t prim.Tuning) bool { return t.Serial == 1 }},
		// a tile of 8 elements costs many times its elements; what is to be found takes the time it takes
		{"cpu", `{"cpu": {"scan/4": {"serial": 8}}}`, "scan/4", 14, time.Hour, func(t prim.Tuning) bool { return t.Serial > 8 }},
	} {
		t.Run(test.device+"/"+test.only, func(t *testing.T) {
			if !slices.ContainsFunc(launch.Devices(), func(d launch.DeviceInfo) bool { return d.Name == test.device }) {
				t.Skip("no such device here")
			}
			dir := t.TempDir()
			from, out := filepath.Join(dir, "from.json"), filepath.Join(dir, "tuning.json")
			if err := os.WriteFile(from, []byte(test.planted), 0o600); err != nil {
				t.Fatal(err)
			}
			var log bytes.Buffer
			err := run(test.device, from, options{out: out, only: test.only, size: test.size, time: test.time, gain: 0.02}, &log)
			t.Logf("%s", &log)
			if err != nil {
				t.Fatal(err)
			}
			f, err := os.Open(out)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			if err := prim.LoadTuning(f); err != nil {
				t.Fatal(err)
			}
			dev, err := launch.Open(test.device)
			if err != nil {
				t.Fatal(err)
			}
			defer dev.Close()
			name, bytes, _ := strings.Cut(test.only, "/")
			size, _ := strconv.Atoi(bytes)
			if family, got := prim.TuningOf(dev, name, size); family != test.device || !test.better(got) {
				t.Errorf("the tuning of family %s is %+v", family, got)
			}
		})
	}
}

// TestWrong has what is refused.
func TestWrong(t *testing.T) {
	if err := run("sim", "", options{only: "nothing"}, &bytes.Buffer{}); err == nil || !strings.Contains(err.Error(), "nothing") {
		t.Errorf("an entry that is none: %v", err)
	}
	if err := run("sim", filepath.Join(t.TempDir(), "missing"), options{}, &bytes.Buffer{}); err == nil {
		t.Error("no error of a missing table")
	}
}

// TestEntries compares the entries with those of prim/tuning.json, and the numbers of items with those that prim's sources have kernels for.
func TestEntries(t *testing.T) {
	dev, err := launch.Open("sim")
	if err != nil {
		t.Fatal(err)
	}
	defer dev.Close()
	table, err := os.ReadFile("../tuning.json")
	if err != nil {
		t.Fatal(err)
	}
	var have []string
	for _, e := range entries(dev, "") {
		have = append(have, e.name)
		if e.present.Threads == 0 {
			t.Errorf("%s: no tuning", e.name)
		}
		if name, _, _ := strings.Cut(e.name, "/"); len(algorithms[name].items) == 0 != (name == "transform" || name == "reduce" || name == "histogram") {
			t.Errorf("%s: items %v", e.name, algorithms[name].items)
		}
	}
	for _, m := range regexp.MustCompile(`"([a-z]+[/0-9]*)": \{"threads`).FindAllSubmatch(table, -1) {
		if name, _, _ := strings.Cut(string(m[1]), "/"); !slices.Contains(have, string(m[1])) && !slices.Contains(have, name) {
			t.Errorf("no case stands for %s", m[1])
		}
	}
	for name, file := range map[string]string{"scan": "scan", "select": "select", "runs": "runs", "radix": "radix", "pairs": "radix", "merge": "mergesort"} {
		source, err := os.ReadFile("../" + file + ".go")
		if err != nil {
			t.Fatal(err)
		}
		items := []int{algorithms[name].items[0]} // the least has no condition
		for _, m := range regexp.MustCompile(`case (?:tune\.Items|most) >= ([0-9]+)`).FindAllSubmatch(source, -1) {
			n, _ := strconv.Atoi(string(m[1]))
			items = append(items, n)
		}
		slices.Sort(items)
		if !slices.Equal(items, algorithms[name].items) {
			t.Errorf("%s has kernels for %v items, and is tuned with %v", name, items, algorithms[name].items)
		}
	}
}

// TestNear has the neighbours in a list.
func TestNear(t *testing.T) {
	list := []int{3, 7, 11}
	for v, want := range map[int][]int{1: {3, 7}, 3: {7, 11}, 7: {11, 3}, 8: {11, 7, 3}, 11: {7, 3}, 20: {11, 7}} {
		if got := near(list, v, 2); !slices.Equal(got, want) {
			t.Errorf("near %d: %v, want %v", v, got, want)
		}
	}
	s := &trial{entry: entry{algorithm: algorithms["scan"]}, seen: map[prim.Tuning]float64{{Threads: 64, Items: 7}: 1, {Threads: 128, Items: 3}: math.Inf(1)}}
	for _, n := range s.neighbours(prim.Tuning{Threads: 64, Items: 3}) {
		if n.Threads == 64 && n.Items == 7 || n.Threads == 128 && n.Items == 3 || n.Threads < 64 || n.Blocks != 0 {
			t.Errorf("%+v was tried before, or is none", n)
		}
	}
}
