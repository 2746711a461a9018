package amdemu

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"sync/atomic"
	"unsafe"
)

// An atomicFn is the new value of a place in memory: of the old one, the data
// and, of compare-and-swap, what to compare with. All are of the low bits.
type atomicFn func(old, data, with uint64) uint64

// atomicOps are the operations on integers, by names common to all families
// where there are such; bits is 32 or 64.
func atomicOps(n int) map[string]atomicFn {
	// signed extends the sign of a value of n bits.
	signed := func(x uint64) int64 { return int64(x<<(64-n)) >> (64 - n) }
	return map[string]atomicFn{
		"swap":    func(_, d, _ uint64) uint64 { return d },
		"cmpswap": func(m, d, c uint64) uint64 { return pick(m == c, d, m) },
		"add":     func(m, d, _ uint64) uint64 { return m + d },
		"sub":     func(m, d, _ uint64) uint64 { return m - d },
		"rsub":    func(m, d, _ uint64) uint64 { return d - m },
		"smin":    func(m, d, _ uint64) uint64 { return pick(signed(d) < signed(m), d, m) },
		"umin":    func(m, d, _ uint64) uint64 { return min(m, d) },
		"smax":    func(m, d, _ uint64) uint64 { return pick(signed(d) > signed(m), d, m) },
		"umax":    func(m, d, _ uint64) uint64 { return max(m, d) },
		"and":     func(m, d, _ uint64) uint64 { return m & d },
		"or":      func(m, d, _ uint64) uint64 { return m | d },
		"xor":     func(m, d, _ uint64) uint64 { return m ^ d },
		"inc":     func(m, d, _ uint64) uint64 { return pick(m >= d, 0, m+1) },
		"dec":     func(m, d, _ uint64) uint64 { return pick(m == 0 || m > d, d, m-1) },
		"csub":    func(m, d, _ uint64) uint64 { return pick(m < d, 0, m-d) },
		"condsub": func(m, d, _ uint64) uint64 { return pick(m < d, m, m-d) },
		"mskor":   func(m, d, k uint64) uint64 { return m&^k | d },
		"wrap":    func(m, d, k uint64) uint64 { return pick(m >= d, m-d, m+k) },
	}
}

// atomicFloats32 and atomicFloats64 are the operations on floats. They keep
// denormals, whatever the MODE register says: hardware differs by memory and
// generation.
var (
	atomicFloats32 = map[string]atomicFn{
		"fadd":     func(m, d, _ uint64) uint64 { return uint64(math.Float32bits(single(m) + single(d))) },
		"fmin":     func(m, d, _ uint64) uint64 { return pick(less(float64(single(d)), float64(single(m))), d, m) },
		"fmax":     func(m, d, _ uint64) uint64 { return pick(more(float64(single(d)), float64(single(m))), d, m) },
		"fcmpswap": func(m, d, c uint64) uint64 { return pick(single(m) == single(c), d, m) },
		"pk_add_f16": func(m, d, _ uint64) uint64 {
			return halves(m, d, func(a, b uint16) uint16 { return half(unhalf(a) + unhalf(b)) })
		},
		"pk_add_bf16": func(m, d, _ uint64) uint64 {
			return halves(m, d, func(a, b uint16) uint16 { return bfloat(unbfloat(a) + unbfloat(b)) })
		},
	}
	atomicFloats64 = map[string]atomicFn{
		"fadd":     func(m, d, _ uint64) uint64 { return math.Float64bits(double(m) + double(d)) },
		"fmin":     func(m, d, _ uint64) uint64 { return pick(less(double(d), double(m)), d, m) },
		"fmax":     func(m, d, _ uint64) uint64 { return pick(more(double(d), double(m)), d, m) },
		"fcmpswap": func(m, d, c uint64) uint64 { return pick(double(m) == double(c), d, m) },
	}
)

func single(x uint64) float32 { return math.Float32frombits(uint32(x)) }
func double(x uint64) float64 { return math.Float64frombits(x) }

// pick is a if c, else b.
func pick(c bool, a, b uint64) uint64 {
	if c {
		return a
	}
	return b
}

// less says whether the minimum of a and b, of IEEE's minimumNumber, is a and
// not b: numbers are less than NaNs, and -0 than +0.
func less(a, b float64) bool {
	switch {
	case a != a || b != b:
		return a == a
	case a == 0 && b == 0:
		return math.Signbit(a) && !math.Signbit(b)
	}
	return a < b
}

// more says the same of the maximum, maximumNumber.
func more(a, b float64) bool {
	switch {
	case a != a || b != b:
		return a == a
	case a == 0 && b == 0:
		return !math.Signbit(a) && math.Signbit(b)
	}
	return a > b
}

// halves applies f to the two halves of 32 bits.
func halves(m, d uint64, f func(a, b uint16) uint16) uint64 {
	return uint64(f(uint16(m), uint16(d))) | uint64(f(uint16(m>>16), uint16(d>>16)))<<16
}

// unbfloat is the value of a bfloat16, and bfloat x rounded to one, to nearest even.
func unbfloat(h uint16) float32 { return math.Float32frombits(uint32(h) << 16) }

func bfloat(x float32) uint16 {
	b := math.Float32bits(x)
	if x != x {
		return uint16(b>>16) | 0x40
	}
	return uint16((b + 0x7fff + b>>16&1) >> 16)
}

// An atomicOp is an operation on memory of 4 or 8 bytes.
type atomicOp struct {
	size     int
	fn       atomicFn
	compares bool // fn uses with
}

// access makes the access: d is where the old value goes, nil if nowhere, data
// and with are the registers of the operands, with nil where fn has no use of it.
func (t atomicOp) access(in *inst, d, data, with *operand) *access {
	a := &access{in: in, size: uint64(t.size), effect: effectRead | effectWrite | effectOrdered}
	a.move = func(w *wave, at *arena, m uint64) {
		for rest := m; rest != 0; rest &= rest - 1 {
			l := bits.TrailingZeros64(rest) & 63
			off := w.mem.addr[l] - at.base
			if w.mem.addr[l]&uint64(t.size-1) != 0 {
				w.fail(l, fmt.Sprintf("atomic operation at %#x, which is not a multiple of %d", w.mem.addr[l], t.size))
			}
			x, y := w.lane64(data, l, t.size), uint64(0)
			if with != nil {
				y = w.lane64(with, l, t.size)
			}
			old := at.update(off, t, x, y)
			if !w.mem.wrote && t.changes(old, x, y) {
				w.mem.wrote = true
			}
			if d != nil {
				w.reg(d.file, d.reg)[l] = uint32(old)
				if t.size == 8 {
					w.reg(d.file, d.reg+1)[l] = uint32(old >> 32)
				}
			}
		}
	}
	return a
}

// changes reports whether the operation on old stores anything else.
func (t atomicOp) changes(old, x, y uint64) bool {
	now := t.fn(old, x, y)
	if t.size == 4 {
		return uint32(now) != uint32(old)
	}
	return now != old
}

// lane64 is a lane's value of a vector register, or of a pair if size is 8.
func (w *wave) lane64(o *operand, l, size int) uint64 {
	v := uint64(w.reg(o.file, o.reg)[l])
	if size == 8 {
		v |= uint64(w.reg(o.file, o.reg+1)[l]) << 32
	}
	return v
}

// update does the operation at an offset and returns the old value. Global
// memory is that of other goroutines too.
func (a *arena) update(off uint64, t atomicOp, x, y uint64) uint64 {
	b := a.bytes[off:][:t.size]
	switch {
	case a.kind != global && t.size == 4:
		old := uint64(binary.LittleEndian.Uint32(b))
		binary.LittleEndian.PutUint32(b, uint32(t.fn(old, x, y)))
		return old
	case a.kind != global:
		old := binary.LittleEndian.Uint64(b)
		binary.LittleEndian.PutUint64(b, t.fn(old, x, y))
		return old
	case t.size == 4:
		p := (*uint32)(unsafe.Pointer(&b[0]))
		for {
			old := atomic.LoadUint32(p)
			if atomic.CompareAndSwapUint32(p, old, uint32(t.fn(uint64(old), x, y))) {
				return uint64(old)
			}
		}
	}
	p := (*uint64)(unsafe.Pointer(&b[0]))
	for {
		old := atomic.LoadUint64(p)
		if atomic.CompareAndSwapUint64(p, old, t.fn(old, x, y)) {
			return old
		}
	}
}
