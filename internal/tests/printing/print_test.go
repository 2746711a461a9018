package printing

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"heddle/dsl"
	"heddle/internal/module"
	"heddle/internal/tests/attached"
	"heddle/kernel"
	"heddle/launch"
	_ "heddle/launch/emu"
)

// printDevices are devices of all kinds that are here.
func printDevices(t *testing.T, test func(t *testing.T, dev *launch.Device, out *output)) {
	for _, name := range []string{"sim", "cpu", "cpu:64", "emu:gfx90a", "emu:gfx1100", "cuda:0", "hip:0"} {
		t.Run(name, func(t *testing.T) {
			if why := attached.Missing(name); why != "" {
				t.Skip(why)
			}
			dev, err := launch.Open(name)
			if err != nil {
				t.Fatal(err)
			}
			defer func() {
				if err := dev.Close(); err != nil {
					t.Error(err)
				}
			}()
			out := &output{}
			dev.SetOutput(out)
			test(t, dev, out)
		})
	}
}

// An output keeps what is written, and complains of a Write that is not of whole lines.
type output struct {
	mu   sync.Mutex
	text bytes.Buffer
	torn string
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !bytes.HasSuffix(p, []byte("\n")) {
		o.torn = string(p)
	}
	return o.text.Write(p)
}

func (o *output) lines() []string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return strings.Split(strings.TrimSuffix(o.text.String(), "\n"), "\n")
}

var printRounds = kernel.New(func(rounds int) {
	i := dsl.GlobalIdx().X
	for r := range rounds {
		if (i+r)%3 != 0 {
			dsl.Printf("thread %d round %d of %d\n", i, r, rounds)
		} else {
			dsl.Printf("thread %d round %d of %d\n", i, r, rounds)
		}
	}
})

// Lines come whole, each once, and those of a thread in order.
func TestPrintOrder(t *testing.T) {
	printDevices(t, func(t *testing.T, dev *launch.Device, out *output) {
		const threads, rounds = 300, 7
		for range 2 {
			if err := printRounds.Launch(dev.Stream(), launch.Linear(threads, 64), rounds); err != nil {
				t.Fatal(err)
			}
		}
		if err := dev.Stream().Sync(); err != nil {
			t.Fatal(err)
		}
		next := map[int]int{}
		for _, line := range out.lines() {
			var i, r int
			if n, _ := fmt.Sscanf(line, "thread %d round %d of 7", &i, &r); n != 2 || r != next[i]%rounds {
				t.Fatalf("%q, want round %d", line, next[i]%rounds)
			}
			next[i]++
		}
		for i := range 320 { // whole blocks
			if next[i] != 2*rounds {
				t.Errorf("thread %d has printed %d lines, want %d", i, next[i], 2*rounds)
			}
		}
		if out.torn != "" {
			t.Errorf("a write does not end in a line: %q", out.torn)
		}
	})
}

var printMany = kernel.New(func(rounds int) {
	for r := range rounds {
		dsl.Printf("%d\n", dsl.GlobalIdx().X*rounds+r)
	}
})

// All that a launch prints arrives or is counted: no line is lost, torn or there twice.
func TestPrintMillion(t *testing.T) {
	printDevices(t, func(t *testing.T, dev *launch.Device, out *output) {
		blocks, rounds := 125, 125 // of 64 threads
		if strings.HasPrefix(dev.Name(), "emu") {
			blocks, rounds = 25, 300
		}
		if err := printMany.Launch(dev.Stream(), launch.Linear(blocks*64, 64), rounds); err != nil {
			t.Fatal(err)
		}
		if err := dev.Stream().Sync(); err != nil {
			t.Fatal(err)
		}
		total := blocks * 64 * rounds
		seen := make([]bool, total)
		arrived, dropped := countPrints(t, out, seen)
		t.Logf("%d of %d arrived", arrived, total)
		if arrived+dropped != total || dev.Name() == "sim" && dropped > 0 {
			t.Errorf("%d arrived and %d were dropped, of %d", arrived, dropped, total)
		}
	})
}

// countPrints counts the lines of out: numbers, each once, and how many were dropped.
func countPrints(t *testing.T, out *output, seen []bool) (arrived, dropped int) {
	for _, line := range out.lines() {
		if rest, ok := strings.CutPrefix(line, "heddle: "); ok {
			count, _, _ := strings.Cut(rest, " calls of dsl.Printf dropped on ")
			n, err := strconv.Atoi(count)
			if err != nil {
				t.Fatal(line)
			}
			dropped += n
			continue
		}
		n, err := strconv.Atoi(line)
		if err != nil || n < 0 || n >= len(seen) || seen[n] {
			t.Fatalf("line %q is no number below %d, or there twice", line, len(seen))
		}
		seen[n] = true
		arrived++
	}
	return arrived, dropped
}

var printCounted = kernel.New(func(rounds int, ended []int32) {
	for r := range rounds {
		dsl.Printf("%d\n", dsl.GlobalIdx().X*rounds+r)
	}
	dsl.AtomicAdd(&ended[0], 1)
})

// While a writer does not come to an end, the device drops what the ring has no room for,
// and goes on; how much is told.
func TestPrintDropped(t *testing.T) {
	if why := attached.Missing("cpu"); why != "" {
		t.Skip(why)
	}
	dev, err := launch.Open("cpu")
	if err != nil {
		t.Fatal(err)
	}
	defer dev.Close()
	ended, err := launch.Alloc[int32](dev, 1)
	if err != nil {
		t.Fatal(err)
	}
	const threads, rounds = 64 * 32, 400
	out := &output{}
	dev.SetOutput(io.MultiWriter(writerFunc(func([]byte) {
		for atomic.LoadInt32(&ended.Device()[0]) < threads { // the device's memory is the host's
			time.Sleep(time.Millisecond)
		}
	}), out))
	for round := range 2 { // the ring goes on where it was
		if err := printCounted.Launch(dev.Stream(), launch.Linear(threads, 64), rounds, ended); err != nil {
			t.Fatal(err)
		}
		if err := dev.Sync(); err != nil {
			t.Fatal(err)
		}
		arrived, dropped := countPrints(t, out, make([]bool, threads*rounds))
		if arrived+dropped != threads*rounds || round == 0 && dropped == 0 || arrived < 1<<18 {
			t.Errorf("%d arrived and %d were dropped, of %d", arrived, dropped, threads*rounds)
		}
		out.text.Reset()
	}
}

func printAndWait(never []int32) {
	dsl.Printf("waiting\n")
	for never[0] == 0 {
		dsl.ThreadFence()
	}
}

var printsAndWaits = kernel.New(printAndWait)

// A line is written while its kernel runs.
func TestPrintWhileRunning(t *testing.T) {
	printDevices(t, func(t *testing.T, dev *launch.Device, out *output) {
		if kind, _, _ := strings.Cut(dev.Name(), ":"); kind == "cuda" || kind == "hip" {
			t.Skip("a GPU cannot be told to stop")
		}
		never, err := launch.Alloc[int32](dev, 1)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		dev.SetOutput(io.MultiWriter(out, writerFunc(func([]byte) { cancel() }))) // it ends once it is heard
		if err := printsAndWaits.Launch(dev.Stream(), launch.Linear(1, 1), never); err != nil {
			t.Fatal(err)
		}
		var stopped *launch.Stopped
		if err := dev.Stream().SyncContext(ctx); !errors.As(err, &stopped) {
			t.Error(err)
		}
		if got := out.lines(); len(got) != 1 || got[0] != "waiting" {
			t.Errorf("printed %q", got)
		}
	})
}

func printForEver(n int) {
	for i := 0; ; i++ {
		dsl.Printf("endless %d\n", n)
	}
}

var printEndless = kernel.New(printForEver)

// A kernel that is stopped while it prints leaves nothing behind that later lines would
// wait for, nor a piece of a line.
func TestPrintStopped(t *testing.T) {
	printDevices(t, func(t *testing.T, dev *launch.Device, out *output) {
		if kind, _, _ := strings.Cut(dev.Name(), ":"); kind == "cuda" || kind == "hip" {
			t.Skip("a GPU cannot be told to stop")
		}
		for range 5 {
			if err := printEndless.Launch(dev.Stream(), launch.Linear(256, 64), 7); err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
			var stopped *launch.Stopped
			if err := dev.Stream().SyncContext(ctx); !errors.As(err, &stopped) {
				t.Fatal(err)
			}
			cancel()
			dev.SetOutput(out) // all is written
			for _, line := range out.lines() {
				if line != "endless 7" && !strings.HasPrefix(line, "heddle: ") && line != "" {
					t.Fatalf("printed %q", line)
				}
			}
			out.text.Reset()
			if err := printRounds.Launch(dev.Stream(), launch.Linear(64, 64), 1); err != nil {
				t.Fatal(err)
			}
			if err := dev.Sync(); err != nil {
				t.Fatal(err)
			}
			if got := out.lines(); len(got) != 64 || !strings.HasPrefix(got[0], "thread ") {
				t.Errorf("%d lines after it: %q", len(got), got)
			}
			out.text.Reset()
		}
	})
}

// Streams that print at once share the device's output, and each waits for its own lines.
func TestPrintStreams(t *testing.T) {
	printDevices(t, func(t *testing.T, dev *launch.Device, out *output) {
		var all sync.WaitGroup
		for n := range 4 {
			all.Go(func() {
				s, err := dev.NewStream(launch.StreamOptions{NonBlocking: true})
				if err != nil {
					t.Error(err)
					return
				}
				for round := range 10 {
					k := printBlock
					if err := errors.Join(k.Launch(s, launch.Linear(64, 64), n, round), s.Sync()); err != nil {
						t.Error(err)
						return
					}
					want := fmt.Sprintf("stream %d round %d", n, round)
					count := 0
					for _, line := range out.lines() {
						if line == want {
							count++
						}
					}
					if count != 64 {
						t.Errorf("%s: %d lines after Sync, want 64", want, count)
						return
					}
				}
			})
		}
		all.Wait()
	})
}

func printStream(n, round int) { dsl.Printf("stream %d round %d\n", n, round) }

var printBlock = kernel.New(printStream)

type writerFunc func(p []byte)

func (f writerFunc) Write(p []byte) (int, error) {
	f(p)
	return len(p), nil
}

var printPanics = kernel.New(func(n int) {
	dsl.Printf("before\n")
	dsl.Assert(n < 10, "n is below 10: 100%")
	dsl.Printf("after\n")
})

// What was printed before a panic is written; an assertion that fails says where.
func TestPrintAssert(t *testing.T) {
	printDevices(t, func(t *testing.T, dev *launch.Device, out *output) {
		for n, want := range map[int]string{3: "before\nafter", 10: "before"} {
			out.text.Reset()
			if err := printPanics.Launch(dev.Stream(), launch.Linear(1, 1), n); err != nil {
				t.Fatal(err)
			}
			err := dev.Stream().Sync()
			if got := strings.Join(out.lines(), "\n"); got != want {
				t.Errorf("n is %d: printed %q, want %q", n, got, want)
			}
			if p, ok := err.(*launch.KernelPanic); n == 3 && err != nil || n == 10 &&
				(!ok || p.Value != "assertion failed: n is below 10: 100%" || filepath.Base(p.Pos.Filename) != "print_test.go" || p.Runtime) {
				t.Errorf("n is %d: %v", n, err)
			}
		}
	})
}

// An assertion is a check: without checks there is none.
func TestAssertNoBounds(t *testing.T) {
	k := kernel.NewWith(func(out []int32) {
		dsl.Assert(out[0] == 1, "never")
		out[0] = 7
	}, kernel.Options{NoBounds: true})
	if why := attached.Missing("cpu"); why != "" {
		t.Skip(why)
	}
	dev, err := launch.Open("cpu")
	if err != nil {
		t.Fatal(err)
	}
	defer dev.Close()
	out, err := launch.Alloc[int32](dev, 1)
	if err != nil {
		t.Fatal(err)
	}
	host := make([]int32, 1)
	if err := k.Launch(dev.Stream(), launch.Linear(1, 1), out); err != nil {
		t.Fatal(err)
	} else if err := out.Download(host); err != nil || host[0] != 7 {
		t.Error(host, err)
	}
}

// go vet knows Printf for what it is.
func TestPrintfVet(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("no go command, whose vet this is about")
	}
	const src = `package p

import "` + module.DSL + `"

func K(x float32, n int) {
	dsl.Printf("%d %g\n", n, x)
	dsl.Printf("%d\n", x)
	dsl.Printf("%d\n")
}
`
	dir, err := os.MkdirTemp(".", "vetprintf")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	if err := os.WriteFile(filepath.Join(dir, "k.go"), []byte(src), 0o666); err != nil {
		t.Fatal(err)
	}
	text, err := exec.Command("go", "vet", "-printf", "./"+dir).CombinedOutput()
	for _, want := range []string{"k.go:7:14: ", "Printf format %d has arg x of wrong type float32", "k.go:8:14: ", "Printf format %d reads arg #1, but call has 0 args"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("go vet does not say %q: %v\n%s", want, err, text)
		}
	}
	if strings.Contains(string(text), "k.go:6:") {
		t.Errorf("go vet: %s", text)
	}
}
