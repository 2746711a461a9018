package exe

import "encoding/binary"

// On arm64 an address is made by two instructions,
//
//	ADRP page, Rn
//	ADD  $low, Rn, Rd
//
// and a call is BL.

const (
	adrpMask, adrpBits = 0x9f000000, 0x90000000
	addMask, addBits   = 0xffc00000, 0x91000000 // ADD immediate, 64 bit
	blMask, blBits     = 0xfc000000, 0x94000000
)

// adrp is the page that an ADRP at address at makes.
func adrp(w uint32, at uintptr) uintptr {
	imm := int64(w>>29&3 | w>>5&0x7ffff<<2)
	imm = imm << 43 >> 43 // 21 bits, signed
	return uintptr(int64(at&^0xfff) + imm<<12)
}

// ScanAddresses reports every ADRP+ADD pair in [lo, hi): the address it makes
// and that of the ADD.
func ScanAddresses(lo, hi uintptr, report func(target, at uintptr)) {
	text := codeAt(lo, hi)
	var page [32]uintptr
	for i := 0; i+4 <= len(text); i += 4 {
		w, at := binary.LittleEndian.Uint32(text[i:]), lo+uintptr(i)
		switch {
		case w&adrpMask == adrpBits:
			page[w&31] = adrp(w, at)
		case w&addMask == addBits:
			rn, rd := w>>5&31, w&31
			target := page[rn] + uintptr(w>>10&0xfff)
			page[rd] = 0
			if rn == rd {
				report(target, at)
			}
		}
	}
}

// ScanCalls reports every BL in [lo, hi): the address it calls and its own.
func ScanCalls(lo, hi uintptr, report func(target, at uintptr)) {
	text := codeAt(lo, hi)
	for i := 0; i+4 <= len(text); i += 4 {
		if w, at := binary.LittleEndian.Uint32(text[i:]), lo+uintptr(i); w&blMask == blBits {
			report(branchTarget(w, at), at)
		}
	}
}

// branchTarget is where a BL at address at leads.
func branchTarget(w uint32, at uintptr) uintptr {
	imm := int64(w&0x3ffffff) << 38 >> 38
	return uintptr(int64(at) + imm*4)
}

// allocatedType reads the function at entry up to the reference at ref and
// returns the address of the type that the last allocation before it made, 0
// if there is none. With strict, no other call may stand between the two.
func allocatedType(entry, ref uintptr, strict bool) (typ uintptr) {
	text := codeAt(entry, ref)
	var page [32]uintptr
	var addr uintptr // last address made in R0
	addrAt := -64
	for i := 0; i+4 <= len(text); i += 4 {
		w, at := binary.LittleEndian.Uint32(text[i:]), entry+uintptr(i)
		switch {
		case w&adrpMask == adrpBits:
			page[w&31] = adrp(w, at)
		case w&addMask == addBits:
			if rd := w & 31; rd == 0 {
				addr, addrAt = page[w>>5&31]+uintptr(w>>10&0xfff), i
			}
		case w&blMask == blBits:
			if strict {
				typ = 0
			}
			if i-addrAt <= 16 && isAllocator(branchTarget(w, at)) {
				typ = addr
			}
		}
	}
	return typ
}
