package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
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

// killed is what makes the test's binary a rank of a process of its own: where its checkpoints are, and the step at
// which rank 1 is killed.
const killed = "STENCIL_TEST_KILLED"

// A rank's process is killed; the next run of the job goes on from the checkpoint.
func TestKilled(t *testing.T) {
	mpirun, err := exec.LookPath("mpirun.openmpi")
	if err != nil {
		t.Skip("Open MPI is not here (scripts/setup.sh test installs it)")
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	job := Job{Cells: [3]int{9, 8, 7}, Steps: 14}
	want, err := job.Solve("sim", 2)
	if err != nil {
		t.Fatal(err)
	}
	files := filepath.Join(t.TempDir(), "heat")
	start := func(step int) (string, error) {
		cmd := exec.CommandContext(t.Context(), mpirun, "--oversubscribe", "--allow-run-as-root", "-np", "2", exe, "-test.run=^TestKilledRank$", "-test.v")
		cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%s %d", killed, files, step), "OMPI_MCA_btl_vader_single_copy_mechanism=none")
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	if out, err := start(10); err == nil {
		t.Fatalf("nobody was killed:\n%s", out)
	}
	out, err := start(-1)
	if text := fmt.Sprintf("from step 8 to %x", want.Hash); err != nil || !strings.Contains(out, text) {
		t.Errorf("%v, want %q:\n%s", err, text, out)
	}
}

// TestKilledRank is a rank of TestKilled.
func TestKilledRank(t *testing.T) {
	job := Job{Cells: [3]int{9, 8, 7}, Steps: 14, Every: 4}
	step := -1
	if _, err := fmt.Sscan(os.Getenv(killed), &job.Checkpoint, &step); err != nil {
		t.Skip("it is for TestKilled")
	}
	job.Fail = func(rank, now int) error {
		if rank != 1 || now != step {
			return nil
		}
		self, err := os.FindProcess(os.Getpid())
		if err != nil {
			return err
		}
		return self.Kill()
	}
	r, err := job.Solve("sim", 2)
	if err != nil {
		t.Fatal(err)
	}
	if r.Hash != 0 { // rank 0
		fmt.Printf("from step %d to %x\n", r.Began, r.Hash)
	}
}
