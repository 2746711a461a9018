package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"heddle/examples/internal/everywhere"
)

func Example() {
	if err := run(os.Stdout, ""); err != nil {
		fmt.Println(err)
	}
	// Output:
	// 24 steps: mean square error 0.078
}

func TestDevices(t *testing.T) { everywhere.Sample(t, run) }

// A run that ends when a rank fails goes on from its checkpoint, to the same network.
func TestCheckpoint(t *testing.T) {
	const every = 4
	whole := Job{Samples: 60, Steps: 14}
	want, err := whole.Train("sim", 3)
	if err != nil {
		t.Fatal(err)
	}
	broken := whole
	broken.Checkpoint, broken.Every = filepath.Join(t.TempDir(), "net"), every
	dead := errors.New("dead")
	broken.Fail = func(rank, step int) error {
		if rank == 1 && step == 10 {
			return dead
		}
		return nil
	}
	if _, err := broken.Train("sim", 3); !errors.Is(err, dead) {
		t.Fatal(err)
	}
	broken.Fail = nil
	got, err := broken.Train("sim", 3)
	if err != nil {
		t.Fatal(err)
	}
	if got.Began != 8 {
		t.Errorf("it goes on from step %d, want 8", got.Began)
	}
	if !slices.Equal(got.Net, want.Net) {
		t.Error("the network is another one")
	}
	// On another number of ranks it goes on as well.
	broken.Steps = 16
	if got, err = broken.Train("sim", 2); err != nil || got.Began != 12 {
		t.Error(got.Began, err)
	}
}
