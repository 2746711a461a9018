package ssa2ir

import (
	"math"
	"math/rand"
	"testing"
)

// TestFloatBound tries what prover.addInt relies on: a float that is not negative and below float(n) has a whole part below n, however float(n) is rounded.
func TestFloatBound(t *testing.T) {
	try := func(n int64) {
		for _, x := range []float32{math.Nextafter32(float32(n), 0), math.Nextafter32(float32(n), 0) - 0.5, float32(n) - 1, float32(n) / 2} {
			if x >= 0 && x < float32(n) && int64(x) >= n {
				t.Fatalf("int(%v) is not below %d", x, n)
			}
		}
		for _, x := range []float64{math.Nextafter(float64(n), 0), math.Nextafter(float64(n), 0) - 0.5, float64(n) - 1, float64(n) / 2} {
			if x >= 0 && x < float64(n) && int64(x) >= n {
				t.Fatalf("int(%v) is not below %d", x, n)
			}
		}
	}
	r := rand.New(rand.NewSource(1))
	for bits := range 63 {
		for k := int64(-70); k <= 70; k++ {
			try(1<<bits + k)
			try(3<<bits>>1 + k)
		}
		for range 200 {
			try(r.Int63() >> bits)
		}
	}
	for k := range int64(1000) {
		try(math.MaxInt64 - k)
	}
}
