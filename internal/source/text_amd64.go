package source

import (
	"bytes"
	"encoding/binary"

	"golang.org/x/arch/x86/x86asm"
)

// scanAddresses reports every LEAQ disp(RIP), reg in [lo, hi): the address it
// takes and its own. It looks for the opcode byte: a false match inside another
// instruction does no harm, for it is only trusted next to an allocation, or on
// a line that names what it should.
func scanAddresses(lo, hi uintptr, report func(target, at uintptr)) {
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

// scanCalls reports every CALL rel32 in [lo, hi): the address it calls and its
// own, false matches included.
func scanCalls(lo, hi uintptr, report func(target, at uintptr)) {
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

// allocatedType decodes the function at entry up to the reference at ref and
// returns the address of the type that the last allocation before it made, 0
// if there is none. With strict, no other call may stand between the two.
func allocatedType(entry, ref uintptr, strict bool) (typ uintptr) {
	var lea, leaAt uintptr // last address loaded into AX, and where
	table := false         // it is one of the global offset table, as in plugins
	for p := entry; p < ref; {
		in, err := x86asm.Decode(codeAt(p, p+16), 64)
		if err != nil || in.Len == 0 {
			p++
			continue
		}
		next := p + uintptr(in.Len)
		switch in.Op {
		case x86asm.LEA:
			if m, ok := in.Args[1].(x86asm.Mem); ok && m.Base == x86asm.RIP && in.Args[0] == x86asm.RAX {
				lea, leaAt, table = next+uintptr(m.Disp), p, false
			}
		case x86asm.MOV:
			if m, ok := in.Args[1].(x86asm.Mem); ok && m.Base == x86asm.RIP && in.Args[0] == x86asm.RAX {
				lea, leaAt, table = next+uintptr(m.Disp), p, true
			}
		case x86asm.CALL:
			if strict {
				typ = 0
			}
			if rel, ok := in.Args[0].(x86asm.Rel); ok && p-leaAt < 16 && isAllocator(next+uintptr(int64(rel))) {
				typ = lea
				if table { // nothing else is loaded that way for an allocator
					typ = *(*uintptr)(pointer(lea))
				}
			}
		}
		p = next
	}
	return typ
}
