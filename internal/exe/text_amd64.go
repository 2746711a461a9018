package exe

import (
	"bytes"
	"cmp"
	"encoding/binary"
)

// ScanAddresses reports every LEAQ disp(RIP), reg in [lo, hi): the address it
// takes and its own. It looks for the opcode byte: a false match inside another
// instruction does no harm, for it is only trusted next to an allocation, or on
// a line that names what it should.
func ScanAddresses(lo, hi uintptr, report func(target, at uintptr)) {
	text := codeAt(lo, hi)
	for i := 1; i+6 <= len(text); i++ {
		k := bytes.IndexByte(text[i:len(text)-5], 0x8d)
		if k < 0 {
			break
		}
		i += k
		if text[i+1]&0xc7 != 0x05 || text[i-1] != 0x48 && text[i-1] != 0x4c {
			continue
		}
		next := lo + uintptr(i) + 6
		report(next+uintptr(int(int32(binary.LittleEndian.Uint32(text[i+2:])))), lo+uintptr(i)-1)
	}
}

// ScanCalls reports every CALL rel32 in [lo, hi): the address it calls and its
// own, false matches included.
func ScanCalls(lo, hi uintptr, report func(target, at uintptr)) {
	text := codeAt(lo, hi)
	for i := 0; i+5 <= len(text); i++ {
		k := bytes.IndexByte(text[i:len(text)-4], 0xe8)
		if k < 0 {
			break
		}
		i += k
		next := lo + uintptr(i) + 5
		report(next+uintptr(int(int32(binary.LittleEndian.Uint32(text[i+1:])))), lo+uintptr(i))
	}
}

// Instructions that make an address in AX, seven bytes long, and the near call, five; and the call of
// what a register points to.
const (
	leaAX  = "\x48\x8d\x05" // LEAQ disp(RIP), AX
	loadAX = "\x48\x8b\x05" // MOVQ disp(RIP), AX: of an entry of the global offset table, as in plugins
	callOp = 0xe8           // CALL rel32

	groupOp, callRegister = 0xff, 0xd0 // CALL reg: what is called by a pointer
)

// typeBefore is how many bytes before an allocator's call the instruction that
// makes the address of its type begins, at most.
const typeBefore = 15

// allocatedType reads the function at entry up to the reference at ref and
// returns the address of the type that the last allocation before it made, 0
// if there is none. With strict, no other call may stand between the two.
//
// It looks for the instructions' bytes, as ScanAddresses does. A call's bytes
// inside another instruction do not lead to a function's first instruction, or
// almost never; were they taken for a call, strict would find less.
func allocatedType(entry, ref uintptr, strict bool) (typ uintptr) {
	text := codeAt(entry, ref)
	for i := 0; i+5 <= len(text); i++ {
		switch {
		case text[i] == callOp:
			callee := relative(text[i:], entry+uintptr(i), 5)
			if strict && isEntry(callee) {
				typ = 0
			}
			if isAllocator(callee) {
				typ = cmp.Or(addressInAX(text[:i], entry), typ)
			}
		case strict && text[i] == groupOp && text[i+1]&0xf8 == callRegister:
			typ = 0
		}
	}
	return typ
}

// addressInAX is the last address that code at entry made in AX in the bytes
// before its end, 0 if that is too long ago.
func addressInAX(code []byte, entry uintptr) uintptr {
	for i := len(code) - 7; i >= max(0, len(code)-typeBefore); i-- {
		switch string(code[i : i+3]) {
		case leaAX:
			return relative(code[i:], entry+uintptr(i), 7)
		case loadAX: // nothing else is loaded that way for an allocator
			return *(*uintptr)(pointer(relative(code[i:], entry+uintptr(i), 7)))
		}
	}
	return 0
}

// relative is the address that the last four of an instruction's n bytes mean,
// counted from its end; at is the instruction's own.
func relative(code []byte, at uintptr, n int) uintptr {
	return at + uintptr(n) + uintptr(int(int32(binary.LittleEndian.Uint32(code[n-4:n]))))
}
