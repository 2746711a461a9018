package ccl_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"heddle/ccl"
	"heddle/launch"
)

// A rank of a GPU that waits for one that never comes has an error by its deadline, and its stream
// works afterwards.
func TestDeadlineOfGPU(t *testing.T) {
	for _, kind := range []string{"cuda", "hip"} {
		t.Run(kind, func(t *testing.T) {
			p := newParty(t, kind, 2)
			b := numbersOn(t, p, 8)
			ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
			defer cancel()
			if err := ccl.AllReduce(p.comms[0].With(ctx), p.streams[0], ccl.Sum, b[0], b[0]); err != nil {
				t.Fatal(err)
			}
			is(t, p.streams[0].Sync(), ccl.ErrAborted, "rank 0 of 2: AllReduce of 8 float32, sum", "deadline exceeded")
			if err := p.comms[0].Err(); !errors.Is(err, ccl.ErrAborted) {
				t.Error(err)
			}
			if err := errors.Join(b[0].Clear(p.streams[0]), b[0].Download(make([]float32, 8))); err != nil {
				t.Error("afterwards: ", err)
			}
			p.comms[1].Abort()
		})
	}
}

// BenchmarkAllReduce has the method of nccl-tests: one goroutine drives two GPUs, and calls go on
// without waiting. testdata/allreduce.cpp is the same in C++. Neither has been run yet.
func BenchmarkAllReduce(b *testing.B) {
	const ranks = 2
	for size := 8; size <= 1<<30; size *= 8 {
		b.Run(fmt.Sprintf("cuda/%d", size), func(b *testing.B) {
			p := newParty(b, "cuda", ranks)
			var bufs []*launch.Buffer[float32]
			for _, d := range p.devs {
				buf, err := launch.Alloc[float32](d, size/4)
				if err != nil {
					b.Fatal(err)
				}
				bufs = append(bufs, buf)
			}
			all := func(n int) {
				for range n {
					err := ccl.Group(func(g *ccl.Batch) (err error) {
						for i, c := range p.comms {
							err = errors.Join(err, ccl.AllReduce(c.In(g), p.streams[i], ccl.Sum, bufs[i], bufs[i]))
						}
						return err
					})
					if err != nil {
						b.Fatal(err)
					}
				}
				for _, s := range p.streams {
					if err := s.Sync(); err != nil {
						b.Fatal(err)
					}
				}
			}
			all(5)
			for b.Loop() {
				all(20)
			}
			seconds := b.Elapsed().Seconds() / float64(b.N) / 20
			b.ReportMetric(seconds*1e6, "us/call")
			b.ReportMetric(float64(size)*2*(ranks-1)/ranks/seconds/1e9, "GB/s")
			for _, buf := range bufs {
				buf.Close()
			}
		})
	}
}
