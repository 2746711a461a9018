package ccl

import (
	"reflect"
	"unsafe"

	"heddle/vector"
)

// A reduction joins n numbers of each src, in their order, and stores the results to each dst.
type reduction struct {
	kind     opKind
	n        int
	src, dst []unsafe.Pointer
	factors  []any // of opScaled: of each src
}

// reducers are what joins numbers of a type.
var reducers = [...]func(*reduction){
	typeInt8:     plain[int8],
	typeUint8:    plain[uint8],
	typeInt32:    plain[int32],
	typeUint32:   plain[uint32],
	typeInt64:    plain[int64],
	typeUint64:   plain[uint64],
	typeFloat16:  small[vector.Half],
	typeFloat32:  plain[float32],
	typeFloat64:  plain[float64],
	typeBFloat16: small[vector.BFloat16],
}

type basic interface {
	int8 | uint8 | int32 | uint32 | int64 | uint64 | float32 | float64
}

// chunk is how many numbers are joined at once: they stay in the cache.
const chunk = 2048

func plain[T basic](r *reduction) {
	acc := make([]T, min(r.n, chunk))
	for at := 0; at < r.n; at += chunk {
		acc = acc[:min(chunk, r.n-at)]
		for i := range r.src {
			join(r.kind, acc, values[T](r.src[i], at, len(acc)), i == 0, func() T { return factor[T](r.factors[i]) })
		}
		finish(r.kind, acc, len(r.src))
		for _, d := range r.dst {
			copy(values[T](d, at, len(acc)), acc)
		}
	}
}

// smallFloat is a number of 16 bits.
type smallFloat[T any] interface {
	Float32() float32
	Of(float32) T
}

func small[T smallFloat[T]](r *reduction) {
	acc, wide := make([]float32, min(r.n, chunk)), make([]float32, min(r.n, chunk))
	for at := 0; at < r.n; at += chunk {
		acc, wide = acc[:min(chunk, r.n-at)], wide[:min(chunk, r.n-at)]
		for i := range r.src {
			for j, v := range values[T](r.src[i], at, len(acc)) {
				wide[j] = v.Float32()
			}
			join(r.kind, acc, wide, i == 0, func() float32 { return r.factors[i].(T).Float32() })
		}
		finish(r.kind, acc, len(r.src))
		for _, d := range r.dst {
			for j, v := range values[T](d, at, len(acc)) {
				values[T](d, at, len(acc))[j] = v.Of(acc[j])
			}
		}
	}
}

// values are n numbers of the memory at p, from number at on.
func values[T any](p unsafe.Pointer, at, n int) []T {
	return unsafe.Slice((*T)(p), at+n)[at:]
}

// factor is a factor of a type whose underlying one is T, or int for int64 and the like.
func factor[T basic](f any) T {
	return reflect.ValueOf(f).Convert(reflect.TypeFor[T]()).Interface().(T)
}

// join joins src to acc.
func join[T basic](kind opKind, acc, src []T, first bool, factor func() T) {
	src = src[:len(acc)]
	if kind == opScaled {
		f := factor()
		if first {
			clear(acc)
		}
		for i, v := range src {
			acc[i] += T(f * v)
		}
		return
	}
	if first {
		copy(acc, src)
		return
	}
	switch kind {
	case opSum, opAvg:
		for i, v := range src {
			acc[i] += v
		}
	case opProd:
		for i, v := range src {
			acc[i] *= v
		}
	case opMax:
		for i, v := range src {
			acc[i] = max(acc[i], v)
		}
	case opMin:
		for i, v := range src {
			acc[i] = min(acc[i], v)
		}
	}
}

// finish divides the sums of an average.
func finish[T basic](kind opKind, acc []T, ranks int) {
	if kind != opAvg {
		return
	}
	for i := range acc {
		if int(T(ranks)) == ranks {
			acc[i] /= T(ranks)
		} else { // more ranks than an int8 counts
			acc[i] = T(int64(acc[i]) / int64(ranks))
		}
	}
}
