package simt_test

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"heddle/dsl"
	"heddle/internal/simt"
)

func TestConfig(t *testing.T) {
	one := simt.Dim{X: 1, Y: 1, Z: 1}
	for _, c := range []struct {
		cfg  simt.Config
		want string
	}{
		{simt.Config{Grid: one, WarpSize: 32}, "block (0, 0, 0): every axis must be at least 1"},
		{simt.Config{Grid: simt.Dim{X: 1, Y: -1, Z: 1}, Block: one, WarpSize: 32}, "grid (1, -1, 1)"},
		{simt.Config{Grid: one, Block: one, WarpSize: 16}, "warp size 16: want 32 or 64"},
		{simt.Config{Grid: one, Block: one, WarpSize: 64, Shared: -1}, "-1 bytes of dynamic shared memory"},
	} {
		if err := simt.Run(c.cfg, func() { t.Error("ran") }); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v lacks %q", err, c.want)
		}
	}
}

// A kernel that never waits runs on one coroutine; one that does leaves none behind.
func TestCoroutines(t *testing.T) {
	before := runtime.NumGoroutine()
	most := 0
	count := func() { most = max(most, runtime.NumGoroutine()) }
	if err := simt.Run(grid, count); err != nil {
		t.Fatal(err)
	}
	if most > before+2 { // that, and the scheduler
		t.Errorf("%d goroutines, %d before", most, before)
	}
	kernels := map[string]func(){
		"barrier": func() { dsl.SyncThreads(); count() },
		"stuck": func() {
			if dsl.ThreadIdx().X != 77 {
				dsl.SyncThreads()
			}
		},
		"recovers": func() { // also from being stopped
			defer func() { _ = recover() }()
			if dsl.ThreadIdx().X == 100 {
				runtime.Goexit()
			}
			dsl.SyncThreads()
		},
		"goexits": func() { // when stopped
			defer runtime.Goexit()
			if dsl.ThreadIdx().X != 77 {
				dsl.SyncThreads()
			}
		},
	}
	// A goroutine that is locked to its thread, as a callback from C is, cannot run
	// coroutines that others made.
	locked := func(kernel func()) (err error) {
		done := make(chan struct{})
		go func() {
			defer close(done)
			runtime.LockOSThread()
			err = errors.New("the launch ended its goroutine")
			err = simt.Run(grid, kernel)
		}()
		<-done
		return err
	}
	for name, kernel := range kernels {
		if err := locked(kernel); (err == nil) != (name == "barrier") {
			t.Error(name, "in a locked thread:", err)
		}
		if err := simt.Run(grid, kernel); (err == nil) != (name == "barrier") {
			t.Error(name, err)
		}
		for runtime.NumGoroutine() > before { // one that stays keeps the test from ending
			time.Sleep(time.Millisecond)
		}
	}
	if most < 256 {
		t.Errorf("at most %d goroutines at a barrier", most)
	}
}

// Errors tell the failing thread apart in a large grid, and unwrap.
func TestPanicDetails(t *testing.T) {
	cause := errors.New("cause")
	cfg := simt.Config{Grid: simt.Dim{X: 3, Y: 2, Z: 2}, Block: simt.Dim{X: 4, Y: 4, Z: 2}, WarpSize: 32}
	at, who := dsl.Dim3{X: 2, Y: 1, Z: 1}, dsl.Dim3{X: 3, Y: 2, Z: 1}
	err := simt.Run(cfg, func() {
		if dsl.BlockIdx() == at && dsl.ThreadIdx() == who {
			panic(fmt.Errorf("wrapped: %w", cause))
		}
	})
	var p *simt.Panic
	if !errors.As(err, &p) || !errors.Is(err, cause) {
		t.Fatal(err)
	}
	if p.Block != simt.Dim(at) || p.Thread != simt.Dim(who) {
		t.Error(p)
	}
}

// Launches of many goroutines take turns.
func TestConcurrentRuns(t *testing.T) {
	var all sync.WaitGroup
	for g := range 8 {
		all.Go(func() {
			sum := 0
			err := simt.Run(grid, func() {
				dsl.SyncThreads()
				sum += dsl.Shfl(g, 3)
			})
			if err != nil || sum != 64*256*g {
				t.Error(g, err, sum)
			}
		})
	}
	all.Wait()
}
