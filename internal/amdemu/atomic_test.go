package amdemu

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"unsafe"
)

// wantAtomic is what an operation makes of memory, computed by big integers and
// by cases, apart from the table.
func wantAtomic(op string, n int, m, d, c uint64) uint64 {
	all := uint64(1)<<(n-1)<<1 - 1
	signed := func(x uint64) *big.Int {
		v := new(big.Int).SetUint64(x)
		if x>>(n-1) != 0 {
			v.Sub(v, new(big.Int).Lsh(big.NewInt(1), uint(n)))
		}
		return v
	}
	sum := func(x, y uint64, sign int64) uint64 {
		v := new(big.Int).SetUint64(y)
		v.Mul(v, big.NewInt(sign))
		v.Add(v, new(big.Int).SetUint64(x))
		return v.And(v, new(big.Int).SetUint64(all)).Uint64()
	}
	smaller := signed(m).Cmp(signed(d)) < 0
	switch op {
	case "swap":
		return d
	case "cmpswap":
		if m == c {
			return d
		}
		return m
	case "add":
		return sum(m, d, 1)
	case "sub":
		return sum(m, d, -1)
	case "rsub":
		return sum(d, m, -1)
	case "smin", "smax":
		if smaller == (op == "smin") {
			return m
		}
		return d
	case "umin":
		return min(m, d)
	case "umax":
		return max(m, d)
	case "and":
		return m & d
	case "or":
		return m | d
	case "xor":
		return m ^ d
	case "inc":
		if m >= d {
			return 0
		}
		return sum(m, 1, 1)
	case "dec":
		if m == 0 || m > d {
			return d
		}
		return m - 1
	case "csub":
		if m < d {
			return 0
		}
		return m - d
	case "condsub":
		if m < d {
			return m
		}
		return m - d
	case "mskor":
		return m&^c | d
	}
	panic(op)
}

// values are data of atomics: edges and random ones.
func values(n int) uint64 {
	edges := []uint64{0, 1, 2, 5, 1<<(n-1) - 1, 1 << (n - 1), 1<<(n-1) + 1, 1<<(n-1)<<1 - 1}
	if rand.IntN(3) == 0 {
		return rand.Uint64() & (1<<(n-1)<<1 - 1)
	}
	return edges[rand.IntN(len(edges))]
}

// An atomicForm is one spelling of an operation: text with NAME for the rest of
// the mnemonic, DATA and RESULT for registers, and whether the compared value
// comes first (LDS), last, or behind the data in the same operand.
type atomicForm struct {
	text    string
	op      string
	bits    int
	compare string // "", "first", "last", "behind"
}

// atomicForms are all integer atomics by their full names.
func atomicForms() (all []atomicForm) {
	plain := map[string]string{
		"swap": "swap swap_b32", "cmpswap": "cmpswap cmpswap_b32", "add": "add add_u32", "sub": "sub sub_u32",
		"smin": "smin min_i32", "umin": "umin min_u32", "smax": "smax max_i32", "umax": "umax max_u32", "and": "and and_b32",
		"or": "or or_b32", "xor": "xor xor_b32", "inc": "inc inc_u32", "dec": "dec dec_u32",
		"csub": "csub csub_u32 sub_clamp_u32", "condsub": "cond_sub_u32",
	}
	for op, names := range plain {
		compare := ""
		if op == "cmpswap" {
			compare = "behind"
		}
		for name := range strings.FieldsSeq(names) {
			wide := name + "_x2"
			if strings.HasSuffix(name, "32") {
				wide = strings.Replace(name, "32", "64", 1)
			}
			for _, text := range []string{
				"global_atomic_NAME RESULT, v[4:5], DATA, off sc0", "global_atomic_NAME v[4:5], DATA, off",
				"global_atomic_NAME RESULT, v6, DATA, s[4:5] offset:8 glc", "global_atomic_NAME v6, DATA, s[4:5] offset:8",
				"flat_atomic_NAME RESULT, v[4:5], DATA th:TH_ATOMIC_RETURN", "flat_atomic_NAME v[4:5], DATA",
				"buffer_atomic_NAME DATA, v6, s[8:11], 0 offen offset:8", "buffer_atomic_NAME DATA, v6, s[8:11], 0 offen offset:8 glc",
			} {
				all = append(all, atomicForm{strings.ReplaceAll(text, "NAME", name), op, 32, compare},
					atomicForm{strings.ReplaceAll(text, "NAME", wide), op, 64, compare})
			}
		}
	}
	lds := map[string]string{
		"add": "add_u", "sub": "sub_u", "rsub": "rsub_u", "inc": "inc_u", "dec": "dec_u", "smin": "min_i", "smax": "max_i",
		"umin": "min_u", "umax": "max_u", "and": "and_b", "or": "or_b", "xor": "xor_b", "csub": "sub_clamp_u",
		"condsub": "cond_sub_u", "mskor": "mskor_b",
	}
	for _, n := range []int{32, 64} {
		for op, name := range lds {
			data, compare := "DATA", ""
			if op == "mskor" {
				data, compare = "COMPARE, DATA", "first"
			}
			kind := name[strings.LastIndex(name, "_"):]
			all = append(all, atomicForm{fmt.Sprintf("ds_%s%d v6, %s offset:8", name, n, data), op, n, compare},
				atomicForm{fmt.Sprintf("ds_%s_rtn%s%d RESULT, v6, %s offset:8", strings.TrimSuffix(name, kind), kind, n, data), op, n, compare})
		}
		for _, text := range []string{
			"ds_wrxchg_rtn_b%d RESULT, v6, DATA offset:8", "ds_storexchg_rtn_b%d RESULT, v6, DATA offset:8",
		} {
			all = append(all, atomicForm{fmt.Sprintf(text, n), "swap", n, ""})
		}
		for _, text := range []string{"ds_cmpst_b%d v6, COMPARE, DATA offset:8", "ds_cmpst_rtn_b%d RESULT, v6, COMPARE, DATA offset:8"} {
			all = append(all, atomicForm{fmt.Sprintf(text, n), "cmpswap", n, "first"})
		}
		for _, text := range []string{"ds_cmpstore_b%d v6, DATA, COMPARE offset:8", "ds_cmpstore_rtn_b%d RESULT, v6, DATA, COMPARE offset:8"} {
			all = append(all, atomicForm{fmt.Sprintf(text, n), "cmpswap", n, "last"})
		}
	}
	return all
}

func TestAtomics(t *testing.T) {
	for _, f := range atomicForms() {
		n := f.bits / 32
		b := newBench(t, 64, Options{})
		b.w.setAddress(4, func(l int) uint64 { return b.address(8 + 8*(l%3)) })
		base := b.address(0)
		b.w.s[4], b.w.s[5] = uint32(base), uint32(base>>32)
		b.w.s[8], b.w.s[9], b.w.s[10] = uint32(base), uint32(base>>32), 4096
		place := func(l int) []byte { return b.buf[8+8*(l%3):] }
		if strings.HasPrefix(f.text, "ds_") {
			place = func(l int) []byte { return b.w.group.lds.bytes[8+8*(l%3):] }
		}
		var data, compare [lanes]uint64
		for l := range lanes {
			b.w.v[6][l] = uint32(8 * (l % 3))
			data[l], compare[l] = values(f.bits), values(f.bits)
			b.w.v[10][l], b.w.v[10+n][l] = uint32(data[l]), uint32(compare[l])
			b.w.v[16][l] = uint32(compare[l])
			if n == 2 {
				b.w.v[11][l], b.w.v[13][l] = uint32(data[l]>>32), uint32(compare[l]>>32)
				b.w.v[17][l] = uint32(compare[l] >> 32)
			}
		}
		get := func(p []byte) uint64 {
			if n == 2 {
				return binary.LittleEndian.Uint64(p)
			}
			return uint64(binary.LittleEndian.Uint32(p))
		}
		for l := range 3 {
			binary.LittleEndian.PutUint64(place(l), values(f.bits))
		}
		exec := rand.Uint64() | 1<<40
		b.w.setMask(regExec, exec)
		// What happens lane by lane.
		mem := [3]uint64{get(place(0)), get(place(1)), get(place(2))}
		var old [lanes]uint64
		for l := range lanes {
			if exec>>l&1 != 0 {
				old[l] = mem[l%3]
				mem[l%3] = wantAtomic(f.op, f.bits, mem[l%3], data[l], compare[l])
			}
		}
		width := n
		if f.compare == "behind" {
			width *= 2
		}
		text := strings.NewReplacer("RESULT", registersText("v", 20, n), "DATA", registersText("v", 10, width),
			"COMPARE", registersText("v", 16, n)).Replace(f.text)
		result, returns := 20, strings.Contains(f.text, "RESULT")
		if strings.HasPrefix(f.text, "buffer") {
			result, returns = 10, strings.Contains(f.text, "glc")
		}
		before := b.w.v[20]
		b.run(text)
		for i := range 3 {
			if got := get(place(i)); got != mem[i] {
				t.Errorf("%s: memory %d is %#x, want %#x", text, i, got, mem[i])
			}
		}
		for l := range lanes {
			got := uint64(b.w.v[result][l])
			if n == 2 {
				got |= uint64(b.w.v[result+1][l]) << 32
			}
			if returns && exec>>l&1 != 0 && got != old[l] {
				t.Fatalf("%s: lane %d got %#x, want %#x", text, l, got, old[l])
			}
			if !(returns && exec>>l&1 != 0) && b.w.v[20][l] != before[l] {
				t.Fatalf("%s: lane %d has a result", text, l)
			}
		}
	}
}

func TestFloatAtomics(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		op         string
		m, d, want float64
	}{
		{"add", 1.5, 2.25, 3.75}, {"add", 1, inf, inf}, {"add", inf, -inf, nan}, {"add", 1e-40, 1e-40, 2e-40},
		{"min", 1, 2, 1}, {"min", 2, -1, -1}, {"min", nan, 3, 3}, {"min", 3, nan, 3}, {"min", 0, math.Copysign(0, -1), math.Copysign(0, -1)},
		{"min", math.Copysign(0, -1), 0, math.Copysign(0, -1)}, {"max", 1, 2, 2}, {"max", 2, -1, 2}, {"max", nan, 3, 3},
		{"max", 3, nan, 3}, {"max", math.Copysign(0, -1), 0, 0}, {"max", 0, math.Copysign(0, -1), 0}, {"max", -inf, -1, -1},
	} {
		for text, n := range map[string]int{
			"global_atomic_OP_f32 v[4:5], v10, off": 32, "ds_OP_f32 v6, v10": 32, "ds_OP_rtn_f32 v20, v6, v10": 32,
			"global_atomic_OP_f64 v[4:5], v[10:11], off": 64, "ds_OP_f64 v6, v[10:11]": 64, "ds_OP_rtn_f64 v[20:21], v6, v[10:11]": 64,
			"global_atomic_fOP v[4:5], v10, off": 32, "flat_atomic_fOP_x2 v[4:5], v[10:11]": 64,
			"global_atomic_OP_num_f32 v[4:5], v10, off": 32, "ds_OP_num_rtn_f32 v20, v6, v10": 32,
		} {
			if c.op == "add" && (strings.Contains(text, "num") || strings.Contains(text, "_fOP")) {
				continue
			}
			text = strings.Replace(text, "OP", c.op, 1)
			b := newBench(t, 64, Options{})
			b.w.setMask(regExec, 2)
			b.w.setAddress(4, func(int) uint64 { return b.address(8) })
			b.w.v[6][1] = 8
			p := b.buf[8:]
			if strings.HasPrefix(text, "ds_") {
				p = b.w.group.lds.bytes[8:]
			}
			var got, want float64
			if n == 32 {
				binary.LittleEndian.PutUint32(p, math.Float32bits(float32(c.m)))
				b.w.v[10][1] = math.Float32bits(float32(c.d))
				want = float64(float32(c.want))
				if c.m == 1e-40 {
					want = float64(2 * float32(1e-40))
				}
				b.run(text)
				got = float64(math.Float32frombits(binary.LittleEndian.Uint32(p)))
			} else {
				binary.LittleEndian.PutUint64(p, math.Float64bits(c.m))
				d := math.Float64bits(c.d)
				b.w.v[10][1], b.w.v[11][1] = uint32(d), uint32(d>>32)
				want = c.want
				b.run(text)
				got = math.Float64frombits(binary.LittleEndian.Uint64(p))
			}
			if math.Float64bits(got) != math.Float64bits(want) && !(got != got && want != want) {
				t.Errorf("%s of %v and %v: %v, want %v", text, c.m, c.d, got, want)
			}
		}
	}
}

func TestPackedAtomics(t *testing.T) {
	for _, c := range []struct {
		text       string
		m, d, want uint32
	}{
		{"global_atomic_pk_add_f16 v[4:5], v10, off", 0x3c00_4000, 0x3c00_c000, 0x4000_0000}, // 1+1, 2-2
		{"ds_pk_add_f16 v6, v10", 0x7bff_0001, 0x7bff_0001, 0x7c00_0002},                     // overflow; denormals
		{"ds_pk_add_rtn_f16 v20, v6, v10", 0x3c00_3c00, 0x1000_1001, 0x3c00_3c01},            // half of the last place: to even; above
		{"global_atomic_pk_add_bf16 v[4:5], v10, off", 0x3f80_4000, 0x3f80_c000, 0x4000_0000},
		{"ds_pk_add_bf16 v6, v10", 0x3f80_3f81, 0x3b80_3b80, 0x3f80_3f82}, // ties to even, down and up
		{"ds_pk_add_rtn_bf16 v20, v6, v10", 0x7f80_0000, 0xff80_0001, 0x7fc0_0001},
	} {
		b := newBench(t, 32, Options{})
		b.w.setMask(regExec, 1)
		b.w.setAddress(4, func(int) uint64 { return b.address(8) })
		b.w.v[6][0], b.w.v[10][0] = 8, c.d
		p := b.buf[8:]
		if strings.HasPrefix(c.text, "ds_") {
			p = b.w.group.lds.bytes[8:]
		}
		binary.LittleEndian.PutUint32(p, c.m)
		b.run(c.text)
		if got := binary.LittleEndian.Uint32(p); got&^0x80000000 != c.want&^0x80000000 {
			t.Errorf("%s of %#x and %#x: %#x, want %#x", c.text, c.m, c.d, got, c.want)
		}
	}
}

// Two places at once: the halves of the result are the old values.
func TestExchangeTwo(t *testing.T) {
	for text, second := range map[string]int{
		"ds_wrxchg2_rtn_b32 v[20:21], v6, v10, v12 offset0:1 offset1:3":                  12,
		"ds_storexchg_2addr_rtn_b32 v[20:21], v6, v10, v12 offset0:1 offset1:3":          12,
		"ds_wrxchg2st64_rtn_b32 v[20:21], v6, v10, v12 offset1:2":                        512,
		"ds_storexchg_2addr_stride64_rtn_b32 v[20:21], v6, v10, v12 offset0:0 offset1:2": 512,
	} {
		b := newBench(t, 64, Options{})
		b.w.setMask(regExec, 1<<9)
		first := 4
		if second == 512 {
			first = 0
		}
		b.w.v[6][9] = 16
		mem := b.w.group.lds.bytes[16:]
		binary.LittleEndian.PutUint32(mem[first:], 111)
		binary.LittleEndian.PutUint32(mem[second:], 222)
		b.run(text)
		if b.w.v[20][9] != 111 || b.w.v[21][9] != 222 {
			t.Errorf("%s: %d, %d", text, b.w.v[20][9], b.w.v[21][9])
		}
		if binary.LittleEndian.Uint32(mem[first:]) != b.w.v[10][9] || binary.LittleEndian.Uint32(mem[second:]) != b.w.v[12][9] {
			t.Errorf("%s: memory", text)
		}
	}
}

// Atomics of waves on several goroutines lose nothing.
func TestAtomicsInParallel(t *testing.T) {
	const workers, rounds = 4, 500
	b := newBench(t, 64, Options{Uninitialised: true, Races: true, Counters: true})
	b.m.MarkWritten(unsafe.Pointer(&b.buf[0]), 64)
	var wg sync.WaitGroup
	for i := range workers {
		w := newBench(t, 64, Options{}).w
		w.startMemory(b.m, 4*i, testPlaces{})
		w.setAddress(4, func(l int) uint64 { return b.address(8 * (l & 1)) })
		w.v[9] = vector{}
		for l := range lanes {
			w.v[9][l] = uint32(l)
		}
		f := bindMemory(t, "global_atomic_add v[4:5], v9, off", 9)
		wg.Go(func() {
			for range rounds {
				f(w)
			}
		})
	}
	wg.Wait()
	even, odd := binary.LittleEndian.Uint32(b.buf), binary.LittleEndian.Uint32(b.buf[8:])
	if even != workers*rounds*(31*32) || odd != workers*rounds*(32*32) {
		t.Errorf("sums %d, %d", even, odd)
	}
}
