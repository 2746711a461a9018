package ccl_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"heddle/ccl"
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
			// NCCL connects at the first operation, so the call itself may wait for the other rank.
			err := ccl.AllReduce(p.comms[0].With(ctx), p.streams[0], ccl.Sum, b[0], b[0])
			if err == nil {
				err = p.streams[0].Sync()
			}
			is(t, err, ccl.ErrAborted, "rank 0 of 2: AllReduce of 8 float32, sum", "deadline exceeded")
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
