package kernel_test

import (
	"strings"
	"testing"

	"heddle/dsl"
	"heddle/internal/llvm"
	"heddle/kernel"
	"heddle/launch"
)

func printTwo(n int) {
	dsl.Printf("%s %d\n", "first", n)
	dsl.Printf("%[2]s %[1]d\n", n+1, "second")
}

// What a kernel prints is known, too, where its code comes from the disk.
func TestPrintFromDisk(t *testing.T) {
	if _, err := llvm.Open(); err != nil {
		t.Skip(err)
	}
	t.Setenv("HEDDLE_CACHE", t.TempDir())
	for range 2 { // compiled, and from the disk
		kernel.Forget()
		dev, err := launch.Open("cpu")
		if err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		dev.SetOutput(&out)
		if err := kernel.New(printTwo).Launch(dev.Stream(), launch.Linear(1, 1), 7); err != nil {
			t.Error(err)
		}
		if err := dev.Close(); err != nil {
			t.Error(err)
		}
		if out.String() != "first 7\nsecond 8\n" {
			t.Errorf("printed %q", out.String())
		}
	}
}
