package amdemu

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"
)

// This file has the instructions of LDS's crossbar, which move data between
// lanes and touch no memory, and ds_append, which counts active lanes.

func crossLaneLDS() table {
	t := table{
		"ds_bpermute_b32": {"", pullLanes(false)},
		"ds_permute_b32":  {"", pushLanes(false)},
		"ds_swizzle_b32":  {"", binder(swizzle)},
		"ds_append":       {"", counter(func(old, n uint32) uint32 { return old + n })},
		"ds_consume":      {"", counter(func(old, n uint32) uint32 { return old - n })},
	}
	// In waves of 64, GFX10 and GFX11 permute within halves.
	for _, generation := range []string{" gfx10", " gfx11"} {
		t["ds_bpermute_b32"+generation] = row{"", pullLanes(true)}
		t["ds_permute_b32"+generation] = row{"", pushLanes(true)}
	}
	return t
}

// pullLanes: each lane reads the register of the lane whose number times four is
// its address; inactive lanes give 0.
func pullLanes(halves bool) binder {
	return crossLane(halves, func(w *wave, z, x *vector, from *[lanes]uint8, m uint64) {
		for rest := m; rest != 0; rest &= rest - 1 {
			l := bits.TrailingZeros64(rest) & 63
			f := from[l]
			z[l] = x[f&63] & -uint32(m>>(f&63)&1)
		}
	})
}

// pushLanes: each lane writes to the lane whose number times four is its address,
// the last wins; lanes that nothing is written to get 0.
func pushLanes(halves bool) binder {
	return crossLane(halves, func(w *wave, z, x *vector, to *[lanes]uint8, m uint64) {
		var got vector
		for rest := m; rest != 0; rest &= rest - 1 {
			l := bits.TrailingZeros64(rest) & 63
			got[to[l]&63] = x[l]
		}
		for rest := m; rest != 0; rest &= rest - 1 {
			l := bits.TrailingZeros64(rest) & 63
			z[l] = got[l]
		}
	})
}

// crossLane binds "v2, v0, v1 offset:4": result, addresses, data. f gets the
// lanes' numbers that the addresses say.
func crossLane(halves bool, f func(w *wave, z, x *vector, lane *[lanes]uint8, m uint64)) binder {
	return func(in *inst) (func(w *wave), error) {
		d, err := in.data(0, 1)
		if err != nil {
			return nil, err
		}
		addr, err := in.data(1, 1)
		if err != nil {
			return nil, err
		}
		data, err := in.data(2, 1)
		if err != nil {
			return nil, err
		}
		n, err := in.option("offset")
		offset := uint32(n)
		return func(w *wave) {
			var lane [lanes]uint8
			inside, keep := uint32(w.size-1), uint8(0)
			if halves && w.size == 64 {
				inside, keep = 31, 32
			}
			for l, a := range w.reg(addr.file, addr.reg) {
				lane[l] = uint8((a+offset)>>2&inside) | uint8(l)&keep
			}
			x := *w.reg(data.file, data.reg)
			f(w, w.reg(d.file, d.reg), &x, &lane, w.exec())
		}, err
	}
}

// swizzle binds "v1, v0 offset:swizzle(SWAP,16)": each lane reads another one's
// register, within 32 lanes; inactive lanes give 0.
func swizzle(in *inst) (func(w *wave), error) {
	d, err := in.data(0, 1)
	if err != nil {
		return nil, err
	}
	data, err := in.data(1, 1)
	if err != nil {
		return nil, err
	}
	pattern, err := swizzlePattern(in.options["offset"])
	if err != nil {
		return nil, fmt.Errorf("%w: %s", err, in.text)
	}
	var from [lanes]uint8
	for l := range from {
		from[l] = uint8(l&32 | swizzled32(pattern, l&31))
	}
	return func(w *wave) {
		x, z, m := *w.reg(data.file, data.reg), w.reg(d.file, d.reg), w.exec()
		for rest := m; rest != 0; rest &= rest - 1 {
			l := bits.TrailingZeros64(rest) & 63
			f := from[l] & 63
			z[l] = x[f] & -uint32(m>>f&1)
		}
	}, nil
}

// swizzled32 is the lane of 32 that lane l reads, by the encoded pattern. Source:
// AMD's ISA documents, ds_swizzle_b32.
func swizzled32(pattern, l int) int {
	switch {
	case pattern&0x8000 == 0: // and, or, xor masks
		return (l&pattern|pattern>>5)&31 ^ pattern>>10&31
	case pattern >= 0xe000: // FFT
		return fft(pattern&31, l)
	case pattern >= 0xc000: // rotate: a mask of the bits that stay, a distance
		keep, n := pattern&31, pattern>>5&31
		if pattern&0x400 != 0 {
			n = -n
		}
		return l&keep | (l+n)&31&^keep
	}
	return l&^3 | pattern>>(2*(l&3))&3 // quads
}

// fft is the lane whose number has the bits of l in reverse order, but those of
// keep where they are.
func fft(keep, l int) int {
	return int(bits.Reverse8(uint8(l))>>3)>>bits.OnesCount(uint(keep)) | l&keep
}

// swizzlePattern encodes what the assembler writes: a number, or
// swizzle(MODE,...). Source: LLVM's "Syntax of AMDGPU Instruction Modifiers".
func swizzlePattern(text string) (int, error) {
	inner, ok := enclosed(text, "swizzle(", ")")
	if !ok {
		if text == "" {
			text = "0"
		}
		n, err := strconv.ParseUint(text, 0, 16)
		return int(n), err
	}
	words := strings.Split(inner, ",")
	var n [4]int
	for i, word := range words[1:] {
		if word[0] == '"' || i >= len(n) {
			continue
		}
		v, err := strconv.ParseUint(strings.TrimSpace(word), 0, 16)
		if err != nil {
			return 0, err
		}
		n[i] = int(v)
	}
	switch words[0] {
	case "QUAD_PERM":
		return 0x8000 | n[0]&3 | n[1]&3<<2 | n[2]&3<<4 | n[3]&3<<6, nil
	case "BITMASK_PERM":
		return bitmask(strings.Trim(strings.Join(words[1:], ""), `"`))
	case "BROADCAST": // group size, lane
		return 32 - n[0]&63 | n[1]&31<<5, nil
	case "SWAP":
		return 0x1f | n[0]&31<<10, nil
	case "REVERSE":
		return 0x1f | (n[0]-1)&31<<10, nil
	case "FFT":
		return 0xe000 | n[0]&31, nil
	case "ROTATE": // direction, distance
		return 0xc000 | n[0]&1<<10 | n[1]&31<<5, nil
	}
	return 0, fmt.Errorf("swizzle %s is not known", words[0])
}

// bitmask encodes five letters, highest bit first: 0 and 1 are constants, p
// keeps the lane number's bit, i inverts it.
func bitmask(letters string) (int, error) {
	if len(letters) != 5 {
		return 0, fmt.Errorf("a mask of %d letters", len(letters))
	}
	n := 0
	for i, c := range letters {
		bit := 1 << (4 - i)
		switch c {
		case '0':
		case '1':
			n |= bit << 5
		case 'p':
			n |= bit
		case 'i':
			n |= bit | bit<<10
		default:
			return 0, fmt.Errorf("letter %c in a mask", c)
		}
	}
	return n, nil
}

// counter binds ds_append and ds_consume: "v0 offset:4", at M0. The number of
// active lanes is added to a dword, once; every lane gets the old value.
func counter(f func(old, n uint32) uint32) binder {
	return func(in *inst) (func(w *wave), error) {
		d, err := in.data(0, 1)
		if err != nil {
			return nil, err
		}
		offset, err := in.option("offset")
		a := &access{in: in, size: 4, effect: effectRead | effectWrite | effectOrdered}
		a.move = func(w *wave, at *arena, m uint64) {
			active := w.exec()
			op := atomicOp{4, func(old, n, _ uint64) uint64 { return uint64(f(uint32(old), uint32(n))) }, false}
			old := at.update(w.mem.addr[bits.TrailingZeros64(m)], op, uint64(bits.OnesCount64(active)), 0)
			z := w.reg(d.file, d.reg)
			for rest := active; rest != 0; rest &= rest - 1 {
				z[bits.TrailingZeros64(rest)&63] = uint32(old)
			}
		}
		return func(w *wave) {
			m := w.exec()
			if m == 0 {
				return
			}
			first := m & -m
			w.mem.addr[bits.TrailingZeros64(m)] = uint64(w.s[regM0] + uint32(offset))
			a.local(w, first)
		}, err
	}
}
