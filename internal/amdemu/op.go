package amdemu

import (
	"fmt"
	"maps"
	"strings"
)

// A typ is how an operand's bits are understood.
type typ uint8

const (
	none typ = iota
	b16      // in the low half of a register
	u16
	i16
	f16
	b32
	u32
	i32
	f32
	b64 // two registers
	u64
	i64
	f64
	v2b16 // two halves of a register; the row's function is of one half
	v2u16
	v2i16
	v2f16
	v2f32 // a pair of registers; the row's function is of one of them
	mask  // one bit a lane, in one scalar register or two; 0 or 1 to the row's function
	vcc   // mask, not written in the text
	dst   // the old value of what is written, not written in the text
	lane  // the lane's number, not written in the text
	scc   // the scalar condition code, not written in the text
	typs
)

// typInfo is a typ's word in signatures and its width in bits.
var typInfo = map[string]struct {
	t    typ
	bits int
}{
	"b16": {b16, 16}, "u16": {u16, 16}, "i16": {i16, 16}, "f16": {f16, 16},
	"b32": {b32, 32}, "u32": {u32, 32}, "i32": {i32, 32}, "f32": {f32, 32},
	"b64": {b64, 64}, "u64": {u64, 64}, "i64": {i64, 64}, "f64": {f64, 64},
	"v2b16": {v2b16, 32}, "v2u16": {v2u16, 32}, "v2i16": {v2i16, 32}, "v2f16": {v2f16, 32},
	"v2f32": {v2f32, 64},
	"mask":  {mask, 0}, "vcc": {vcc, 0}, "dst": {dst, 0}, "lane": {lane, 0}, "scc": {scc, 0},
}

// A row is the meaning of one mnemonic.
//
// The signature's first word is the type of the result, "" where fn does all
// itself; "u32,mask" is a result and a bit of each lane (carries). fn is one of
//
//	func(a, b, c uint32) uint32           1 to 3 sources of at most 32 bits
//	func(a, b, c uint64) uint64           1 to 4 sources of any width
//	func(a, b, c uint32) (uint32, bool)   with a mask as second result; 1 to 3
//	func(a, b, c uint64) (uint64, bool)   sources
//	func(a, b uint32) bool                a mask is the result; likewise of uint64
//	func(w *wave, in *inst)               everything else
//	binder                                the same, prepared once
//
// Values are in the low bits; higher bits of sources are 0 and of results are
// dropped. Of v_ instructions fn is called for each active lane, of s_
// instructions once; there the mask result is SCC.
type row struct {
	sig string
	fn  any
}

// A binder makes what executes an instruction from its operands and options. It
// may set in.class.
type binder func(in *inst) (func(w *wave), error)

// A table is rows by mnemonic. "v_add_u32 clamp" is what clamp makes of an
// integer instruction; floats are clamped by their type.
type table map[string]row

// ops is every row; decode looks here.
var ops = func() table {
	all := table{}
	for _, t := range tables() {
		for name, r := range t {
			if _, twice := all[name]; twice {
				panic("amdemu: two rows for " + name)
			}
			all[name] = r
		}
	}
	for name, of := range maps.All(aliases) {
		r, ok := all[of]
		if _, twice := all[name]; twice || !ok {
			panic("amdemu: alias " + name + " of " + of)
		}
		all[name] = r
	}
	return all
}()

// A signature is a row's sig, parsed.
type signature struct {
	result  typ
	carries bool // a mask is the second result
	sources []typ
}

// parseSig reads a row's signature.
func parseSig(sig string) (s signature, err error) {
	for i, word := range strings.Fields(sig) {
		if i == 0 {
			word, s.carries = strings.CutSuffix(word, ",mask")
		}
		t, ok := typInfo[word]
		switch {
		case !ok:
			return s, fmt.Errorf("no type %q in signature %q", word, sig)
		case i == 0:
			s.result = t.t
		default:
			s.sources = append(s.sources, t.t)
		}
	}
	return s, nil
}
