package kernel_test

import (
	"errors"
	"strings"
	"testing"

	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
)

func splitFill(first int, out []int32) {
	if i := dsl.GlobalIdx().X; i < len(out) {
		out[i] = int32(first + i)
	}
}

var splitFillKernel = kernel.New(splitFill)

func TestSplit(t *testing.T) {
	devs, err := launch.OpenAll("sim,sim,sim,cpu")
	if err != nil {
		t.Skip(err)
	}
	var streams []*launch.Stream
	for _, d := range devs {
		defer d.Close()
		streams = append(streams, d.Stream())
	}
	for _, n := range []int{0, 3, 4, 103} {
		parts := kernel.Parts(n, streams...)
		bufs := make([]*launch.Buffer[int32], len(parts))
		for i, p := range parts {
			if bufs[i], err = launch.Alloc[int32](devs[i], p.Len()); err != nil {
				t.Fatal(err)
			}
		}
		err := splitFillKernel.Split(n, streams, func(p kernel.Part) (launch.Config, []any) {
			return launch.Linear(p.Len(), 32), []any{p.From, bufs[p.Index]}
		})
		if err != nil {
			t.Fatal(err)
		}
		next := int32(0)
		for _, b := range bufs {
			got := make([]int32, b.Len())
			if err := b.Download(got); err != nil {
				t.Fatal(err)
			}
			for _, v := range got {
				if v != next {
					t.Fatalf("n = %d: element %d is %d", n, next, v)
				}
				next++
			}
		}
		if int(next) != n {
			t.Errorf("n = %d: %d elements", n, next)
		}
	}
	err = splitFillKernel.Split(8, streams, func(p kernel.Part) (launch.Config, []any) {
		return launch.Linear(p.Len(), 32), []any{p.From}
	})
	if err == nil || strings.Count(err.Error(), "kernel: Split: part ") != len(streams) {
		t.Error(err)
	}
	for _, err := range []error{
		splitFillKernel.Split(8, nil, func(kernel.Part) (launch.Config, []any) { return launch.Config{}, nil }),
		splitFillKernel.Split(-1, streams, func(kernel.Part) (launch.Config, []any) { return launch.Config{}, nil }),
		splitFillKernel.Split(8, streams, nil),
		splitFillKernel.Split(8, []*launch.Stream{nil}, func(p kernel.Part) (launch.Config, []any) { return launch.Linear(8, 8), nil }),
	} {
		if err == nil {
			t.Error(errors.New("no error"))
		}
	}
}
