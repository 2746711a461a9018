package conformance

import (
	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
)

// Elements of a byte and of odd sizes: bools and small structs in local arrays,
// shared memory, parameters and captured variables.

// badge is a struct of odd size that holds bools.
type badge struct {
	On  bool
	RGB [3]uint8
	Set [2]bool
}

type switches struct {
	Pad [40]int16
	Q   [5]bool
}

func (s switches) flip(k int) switches { s.Q[k%5] = !s.Q[k%5]; return s }

// trueAt sums up the numbers of the elements that are true.
func trueAt(q []bool) (s int) {
	for k := range q {
		if q[k] {
			s += k + 1
		}
	}
	return s
}

// boolArrays are arrays whose elements have a byte.
type boolArrays struct{}

type boolArrayOut struct {
	One, Negated, Sieve, Far, Odd int
	Pointed, Copied, Below        int
	Eq, Last                      bool
}

func (boolArrays) Do(i int, out *boolArrayOut) {
	var one [10]bool
	one[i%10] = true
	for k := range one {
		if one[k] {
			out.One += k + 1
		}
	}
	var many [37]bool
	for k := i; k < i+9; k++ {
		many[k*k%37] = !many[k*k%37]
	}
	out.Negated = trueAt(many[:])
	var composite [64]bool
	for p := 2; p < 64; p++ {
		if composite[p] {
			continue
		}
		out.Sieve += p
		for m := p * (p + i&1); m < 64; m += p {
			composite[m] = true
		}
	}
	far := many[3:20:30]
	far[i%17] = far[(i+5)%17]
	out.Far = trueAt(far)
	var x, y bool
	p := &x
	if i&1 == 0 {
		p = &y
	}
	*p = true
	if x {
		out.Pointed++
	}
	if y {
		out.Pointed += 2
	}
	dup := many
	dup[i%37] = !dup[i%37]
	out.Copied = copy(dup[i%5:], many[7:12])
	for k, v := range dup {
		if v != many[k] {
			out.Odd += k
		}
	}
	out.Eq, out.Last = dup == many, dup[36-i%37]
	var narrow [9]int8
	for k := range narrow {
		narrow[(k*i)%9] -= int8(k * 31)
	}
	for k := range narrow {
		if narrow[k] < 0 {
			out.Below += k
		}
	}
}

// boolParts are arrays whose elements are structs and arrays of bools.
type boolParts struct{}

type boolPartOut struct {
	Fields, Flags, Nested, Method int
	Ne                            bool
	Row                           [5]bool
	Flag                          badge
}

func (boolParts) Do(i int, out *boolPartOut) {
	var fields [10]struct{ F bool }
	fields[i%10].F = true
	for k := range fields {
		if fields[k].F {
			out.Fields += k + 1
		}
	}
	var flags [6]badge
	f := &flags[i%6]
	f.On, f.RGB[i%3], f.Set[i&1] = i%3 > 0, uint8(i), true
	flags[(i+1)%6] = *f
	flags[(i+1)%6].RGB[2]++
	for k, f := range flags {
		if f.On || f.Set[0] {
			out.Flags += k*7 + int(f.RGB[i%3]) + int(f.RGB[2])
		}
	}
	out.Flag, out.Ne = flags[(i+1)%6], flags[0] != flags[1]
	var nested [4][5]bool
	nested[i&3][i%5] = true
	row := nested[i&3]
	row[(i+1)%5] = true // of a copy
	out.Row = row
	for _, row := range nested {
		out.Nested = out.Nested*16 + trueAt(row[:])
	}
	var s switches
	t := s.flip(i).flip(i + 2).flip(i / 5)
	out.Method = trueAt(t.Q[:]) + 100*trueAt(s.Q[:])
}

// tailOps are loops that end in a condition, after which some threads go on at once.
type tailOps struct{}

type tailOut struct{ Sum, Steps, Outer, Found, Left int }

func (tailOps) Do(i int, out *tailOut) {
	var q [10]uint8
	q[i%10], q[i*3%10] = 1, 2
	for k := range q {
		if q[k] != 0 {
			out.Sum += k + 1
		}
	}
outer:
	for n := i; ; out.Outer += n {
		for k := 0; ; k++ {
			if k > 9 {
				break outer
			}
			if q[k] == 2 {
				q[k]--
				n++
				continue outer
			}
			out.Steps++
		}
	}
search:
	for a := 0; ; a++ {
		for b := range q {
			switch {
			case a*b > i:
				out.Found = a*100 + b
				break search
			case int(q[b])+a == i%7:
				out.Left += b
				continue search
			}
		}
		if a > 20 {
			out.Found = -1
			return
		}
	}
	out.Left *= 3
}

// narrowShared reverses bools and odd structs of a block through shared memory.
func narrowShared(bs []bool, fs []badge) {
	i, n := dsl.GlobalIdx().X, dsl.ThreadIdx().X
	b, f := dsl.Shared[[64]bool](), dsl.Shared[[64]badge]()
	rows := dsl.Shared[[16][4]bool]()
	b[n], f[n], rows[n/4][n&3] = i%3 == 0, fs[i], bs[i]
	f[n].Set[i&1] = bs[i]
	dsl.SyncThreads()
	r := 63 - n
	fs[i], bs[i] = f[r], b[r] != rows[r/4][r&3]
}

// narrowArgs takes bools in every class of parameter.
func narrowArgs(b bool, a [5]bool, f badge, fs [3]badge, in []bool, p *bool, out []bool) {
	i := dsl.GlobalIdx().X
	if i >= len(out) {
		return
	}
	f.Set[i&1] = !f.Set[i&1]
	a[i%5] = !a[i%5]
	fs[i%3].On = !fs[i%3].On
	out[i] = a[(i+i/5)%5] != fs[i/3%3].On != (f.Set[0] && f.Set[1]) != in[i] != b
	if i == 3 {
		*p = a[4]
	}
}

// clearedOut are sums of arrays that some threads clear, in a loop that others
// do not enter.
type clearedOut struct{ A, B, C, D, E, F int }

type clearedOps struct{}

func (clearedOps) Do(i int, out *clearedOut) {
	out.A = cleared(i, uint8(i+9))
	out.B = cleared(i, int16(i-300))
	out.C = cleared(i, uint32(i*77))
	out.D = cleared(i, int64(i)<<40)
	out.E = cleared(i, float32(i)/2)
	out.F = cleared(i, float64(i)/4)
}

func cleared[T uint8 | int16 | uint32 | int64 | float32 | float64](n int, a T) int {
	v := [40]T{5: a, 27: a + 1}
	for k := range n % 5 {
		v[(n+k)%40] = a - v[29]
		v = [40]T{}
	}
	s := 0
	for k := range v {
		s = s*31 + int(v[k])
	}
	return s
}

func narrowCases() []Case {
	row := "elements of a byte and of odd sizes"
	return []Case{
		onEach("narrow/bools", row, each[boolArrays], upTo(80)), onEach("narrow/boolparts", row, each[boolParts], upTo(80)),
		onEach("narrow/cleared", row, each[clearedOps], upTo(80)),
		onEach("loop/tails", "loops", each[tailOps], upTo(80)),
		onEach("narrow/products", row, each[products], filled(200, func(i int) bytes4 {
			return bytes4{uint8(i * 37), uint8(i*i + 3), uint8(255 - i), uint8(i * 101 >> 1), int8(i * 29), int8(i*i*7 - i)}
		})),
		onEach("narrow/packed", row, each[packedBytes], filled(200, func(i int) word4 {
			return word4{int32(i*i*2654435761 - i), int32(i * 0x1f35a7b3), int16(i * 4099), int16(i*i*77 - i), int64(i)*0x7e35a7b31f03d5c7 - int64(i)}
		})),
		narrowSharedCase(row), narrowParamsCase(row), narrowCapturesCase(row),
	}
}

func someBools(n int) []bool { return filled(n, func(i int) bool { return i*i%7 < 3 }) }

func someBadges(n int) []badge {
	return filled(n, func(i int) badge {
		return badge{i%3 == 1, [3]uint8{uint8(i), 2, uint8(i * 7)}, [2]bool{i%4 == 0, i%5 < 2}}
	})
}

func narrowSharedCase(row string) Case {
	k := kernel.New(narrowShared)
	return Case{"narrow/shared", row, []*kernel.Kernel{k}, func(t *T) {
		bs, fs := someBools(128), someBadges(128)
		db, df := upload(t, bs), upload(t, fs)
		t.run(k, launch.Linear(128, 64), db, df)
		wantB, wantF := make([]bool, 128), make([]badge, 128)
		for i := range wantB {
			r := i/64*64 + 63 - i%64
			wantF[i] = fs[r]
			wantF[i].Set[r&1] = bs[r]
			wantB[i] = (r%3 == 0) != bs[r]
		}
		same(t, download(t, db), wantB)
		same(t, download(t, df), wantF)
	}}
}

func narrowParamsCase(row string) Case {
	k := kernel.New(narrowArgs)
	return Case{"narrow/params", row, []*kernel.Kernel{k}, func(t *T) {
		in, arr, three := someBools(90), [5]bool{true, false, true}, [3]badge(someBadges(3))
		out, p := alloc[bool](t, 90), alloc[bool](t, 1)
		f := badge{true, [3]uint8{9, 8, 7}, [2]bool{false, true}}
		t.run(k, launch.Linear(90, 64), true, arr, f, three, upload(t, in), p, out)
		want := make([]bool, 90)
		for i := range want {
			f, arr, three := f, arr, three
			f.Set[i&1] = !f.Set[i&1]
			arr[i%5] = !arr[i%5]
			three[i%3].On = !three[i%3].On
			want[i] = arr[(i+i/5)%5] != three[i/3%3].On != (f.Set[0] && f.Set[1]) == in[i]
		}
		same(t, download(t, out), want)
		same(t, download(t, p), []bool{false})
	}}
}

func narrowCapturesCase(row string) Case {
	var a [10]bool
	f := badge{RGB: [3]uint8{1, 2, 3}}
	fs := [3]badge{}
	captured := kernel.New(func(out []int) {
		i := dsl.GlobalIdx().X
		if i >= len(out) {
			return
		}
		q := a
		q[i%10] = !q[i%10]
		g := fs[i%3]
		if g.Set[i&1] != f.On {
			out[i] = 100
		}
		for k := range q {
			if q[k] != a[i%10] {
				out[i] += k
			}
		}
		out[i] += int(f.RGB[i%3]) + int(g.RGB[2])
	})
	return Case{"narrow/captures", row, []*kernel.Kernel{captured}, func(t *T) {
		for round := range 2 {
			a[round*3], a[7], f.On = true, true, round > 0
			fs = [3]badge(someBadges(3 + round)[round:])
			out := alloc[int](t, 70)
			t.run(captured, launch.Linear(70, 64), out)
			want := make([]int, 70)
			for i := range want {
				q := a
				q[i%10] = !q[i%10]
				if fs[i%3].Set[i&1] != f.On {
					want[i] = 100
				}
				for k := range q {
					if q[k] != a[i%10] {
						want[i] += k
					}
				}
				want[i] += int(f.RGB[i%3]) + int(fs[i%3].RGB[2])
			}
			same(t, download(t, out), want)
		}
	}}
}

// products are sums of which products of bytes are a part, below other operations: some
// GPUs have instructions for sums of four products of bytes.
type products struct{}

type bytes4 struct {
	A, B, C, D uint8
	E, F       int8
}

func (products) Do(in bytes4, out *[14]int64) {
	a, b, c, d := uint32(in.A), uint32(in.B), uint32(in.C), uint32(in.D)
	out[0] = int64(a*b + c*d>>3)
	out[1] = int64(a*b + c*d<<3)
	out[2] = int64(a*b + c*d&0xf0)
	out[3] = int64(a*b + (c*d | 9))
	out[4] = int64(a*b + (c*d ^ 77))
	out[5] = int64(a*b + c*d/10)
	out[6] = int64(a*b + c*d + a*c + b*d)
	out[7] = int64(a*b + c*d + (a*c+b*d)>>1)
	out[8] = int64(in.E * in.F % 2)
	out[9] = int64(in.E * in.F / 4)
	out[10] = int64(in.A*in.B + in.C*in.D>>2)
	e, f := int32(in.E), int32(in.F)
	out[11] = int64(e*f + e*int32(in.A)>>2)
	out[12] = int64(e*f + f*f&0x3c + e*e)
	out[13] = int64(a)*int64(b) + int64(c)*int64(d) + int64(a)<<40
}

// packedBytes are numbers put together of bytes and halves of signed ones, whose signs
// count: GPUs have instructions that take bytes of two registers.
type packedBytes struct{}

type word4 struct {
	A, B int32
	C, D int16
	E    int64
}

func (packedBytes) Do(in word4, out *[46]int64) {
	a, b, c, d, e := in.A, in.B, in.C, in.D, in.E
	out[0] = int64(a<<16 | a>>16)
	out[1] = int64(a<<8 | a>>24)
	out[2] = int64(b<<24 | b>>8)
	out[3] = int64(b/256 | a<<24)
	out[4] = int64(a/65536 | b<<16)
	out[5] = int64(b / (1 << 24) & 0xff00ff)
	out[6] = int64(c<<8 | c>>8)
	out[7] = int64(d/256 | c<<8)
	out[8] = int64(int32(c>>8) | b<<16)
	out[9] = int64(uint32(c>>8) | uint32(d)<<16)
	out[10] = int64(a&0xff00 | a>>16)
	out[11] = int64(uint16(a>>24)) | int64(uint16(b>>24))<<16
	out[12] = (int64(a)<<40 | int64(b)) >> 24
	out[13] = int64(uint32(a>>16)|uint32(b)<<16) ^ int64(d>>8)
	out[14] = e<<32 + e>>32
	out[15] = e<<32 | e>>32
	out[16] = e<<32 ^ e>>32
	out[17] = e<<32 - e>>32
	out[18] = e>>32 - e<<32
	out[19] = e<<24 + e>>40
	out[20] = e<<40 + e>>24
	out[21] = e<<16 + e>>48
	out[22] = e<<16 | e>>48
	out[23] = e<<32 + int64(a>>1)
	out[24] = e<<32 + int64(int32(e>>32)) + 5
	out[25] = int64(uint32(b))<<32 + int64(a)
	out[26] = int64(b)<<32 | int64(a)
	out[27] = e/(1<<32) + e<<32
	out[28] = int64(a<<16 + a>>16)
	out[29] = int64(a<<8 + a>>24)
	out[30] = int64(a<<16 ^ a>>16)
	out[31] = int64(b<<16 - b>>16)
	u := uint64(e)
	out[32] = int64(u<<32 - u>>32)
	out[33] = int64(u>>8 - u<<56)
	out[34] = int64(u<<8 + u>>56)
	out[35] = int64(u<<1 - u>>63)
	out[36] = e<<63 + e>>1
	out[37] = e<<1 + e>>63
	out[38] = e*256 + e>>56
	out[39] = e<<33 - e>>31
	out[40] = int64(u>>63 - u<<1)
	out[42] = int64(u>>40 - u<<24 - u*u)
	out[43] = int64(c) - e>>32 - e<<32
	out[44] = e>>32 + e*-(1<<32)
	out[45] = e*6 - e>>63
	out[41] = (e<<48 + int64(c)) + e>>16
}
