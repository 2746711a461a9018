package kernel_test

import (
	"strings"
	"testing"

	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
)

func greedy(a []int32) {
	s := dsl.Shared[[1 << 20]int64]()
	s[a[0]] = 1
	dsl.SyncThreads()
	a[0] = int32(s[a[1]])
}

// Too much static shared memory is reported with the limit, in heddle's own words, on
// every device, also of a kernel that is on record: then its source is not read.
func TestStaticSharedLimit(t *testing.T) {
	for _, name := range []string{"cpu", "emu:gfx90a", "emu:gfx1100"} {
		t.Run(name, func(t *testing.T) {
			dev, err := launch.Open(name)
			if err != nil {
				t.Skip(err)
			}
			defer dev.Close()
			for range 2 {
				kernel.Forget()
				err = kernel.New(greedy).Compile(dev)
				at := "test.greedy has 8388608 bytes of static shared memory; the limit of "
				if err == nil || !strings.Contains(err.Error(), at) || !strings.Contains(err.Error(), "shared_limit_test.go:13:33: kernel ") || strings.Contains(err.Error(), "llvm") {
					t.Errorf("%v", err)
				}
			}
		})
	}
}
