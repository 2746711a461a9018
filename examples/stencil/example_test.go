package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"heddle/examples/internal/everywhere"
)

func Example() {
	if err := run(os.Stdout, ""); err != nil {
		fmt.Println(err)
	}
	// Output:
	// 6 steps of [20 12 10] cells: a sum of 847.5
}

func TestDevices(t *testing.T) { everywhere.Sample(t, run) }

// A run that ends when a rank fails goes on from its checkpoint, to the same cells.
func TestCheckpoint(t *testing.T) {
	const every = 4
	whole := Job{Cells: [3]int{9, 8, 7}, Steps: 14}
	want, err := whole.Solve("sim", 3)
	if err != nil {
		t.Fatal(err)
	}
	broken := whole
	broken.Checkpoint, broken.Every = filepath.Join(t.TempDir(), "heat"), every
	dead := errors.New("dead")
	broken.Fail = func(rank, step int) error {
		if rank == 1 && step == 10 {
			return dead
		}
		return nil
	}
	if _, err := broken.Solve("sim", 3); !errors.Is(err, dead) {
		t.Fatal(err)
	}
	broken.Fail = nil
	got, err := broken.Solve("sim", 3)
	if err != nil {
		t.Fatal(err)
	}
	if got.Began != 8 || got.Hash != want.Hash {
		t.Errorf("it goes on from step %d, want 8, to a sum of %v, want %v", got.Began, got.Sum, want.Sum)
	}
	broken.Cells[0]++
	if _, err = broken.Solve("sim", 3); err == nil {
		t.Error("it takes a checkpoint of other cells")
	}
}
