package exe

import (
	"bytes"
	"encoding/binary"
	"os"
	"reflect"
	"runtime"
	"unsafe"

	"heddle/internal/lazy"
)

// This file names functions by what stays the same in every process of one binary: its
// build ID, and places relative to its own code. The program headers that the kernel has
// mapped tell both, on Linux; nothing is read from the file, which may be another by now.

// A Lasting is an ID as it is in every process of one binary.
type Lasting struct {
	Build          string // the go command's build ID, which has a hash of the whole binary
	PC, Type, Dict int64  // relative to Base; Dict is 0 where the ID has none
}

// Lasting is the ID in a form that lasts, if all that it names lies in a main program that
// the go command has given a build ID: not in a plugin or a library, nor a type that
// package reflect has made.
func (id ID) Lasting() (l Lasting, ok bool) {
	im := image.Get()
	typ := uintptr((*eface)(unsafe.Pointer(&id.Type)).data) // an interface's second word
	if im.build == "" || !im.holds(id.PC) || !im.holds(typ) || id.Dict != 0 && !im.holds(id.Dict) {
		return l, false
	}
	l = Lasting{Build: im.build, PC: Relative(id.PC), Type: Relative(typ)}
	if id.Dict != 0 {
		l.Dict = Relative(id.Dict)
	}
	return l, true
}

// Relative is an address of the binary relative to its code, and Absolute the reverse.
func Relative(p uintptr) int64 { return int64(p - base()) }

// Absolute is where a relative address is in this process.
func Absolute(r int64) uintptr { return base() + uintptr(r) }

func base() uintptr { return reflect.ValueOf(canaryFunc).Pointer() }

// InImage reports whether an address lies in the main program's image.
func InImage(p uintptr) bool { return image.Get().holds(p) }

// DictionaryAt is the offset of the dictionary word in closures with code pc, 0 for none.
func DictionaryAt(pc uintptr) uintptr {
	cf, err := factsOf(pc)
	if err != nil {
		return 0
	}
	return cf.dictOff
}

// An imageInfo is what the main program's headers say.
type imageInfo struct {
	lo, hi uintptr // what is mapped of its file
	build  string  // its Go build ID, "" if it has none, or if it is not this code's
}

func (im *imageInfo) holds(p uintptr) bool { return im.lo <= p && p < im.hi }

// What the ELF format and the auxiliary vector call these.
const (
	auxPhdr, auxPhent, auxPhnum = 3, 4, 5
	segLoad, segNote, segPhdr   = 1, 4, 6
	noteGoBuildID               = 4
	pageSize                    = 4096
)

// A segment is an entry of the program header table, of 64 bits.
type segment struct {
	typ, flags                                   uint32
	offset, vaddr, paddr, filesz, memsz, alignTo uint64
}

var image = lazy.Value[*imageInfo]{Make: func() *imageInfo {
	none := new(imageInfo)
	if runtime.GOOS != "linux" || unsafe.Sizeof(uintptr(0)) != 8 {
		return none
	}
	aux, err := os.ReadFile("/proc/self/auxv")
	if err != nil {
		return none
	}
	at := map[uint64]uintptr{}
	for ; len(aux) >= 16; aux = aux[16:] {
		at[binary.NativeEndian.Uint64(aux)] = uintptr(binary.NativeEndian.Uint64(aux[8:]))
	}
	if at[auxPhdr] == 0 || at[auxPhent] != unsafe.Sizeof(segment{}) {
		return none
	}
	return imageOf(unsafe.Slice((*segment)(pointer(at[auxPhdr])), at[auxPhnum]), at[auxPhdr])
}}

// imageOf reads the program headers, which lie at an address.
func imageOf(segments []segment, at uintptr) *imageInfo {
	im, slide, known := new(imageInfo), uintptr(0), false
	for _, s := range segments {
		if s.typ == segPhdr {
			slide, known = at-uintptr(s.vaddr), true
		}
	}
	if !known {
		return im
	}
	build := ""
	for _, s := range segments {
		from, to := slide+uintptr(s.vaddr), slide+uintptr(s.vaddr+s.memsz)
		switch s.typ {
		case segLoad:
			if im.hi == 0 {
				im.lo = from / pageSize * pageSize
			}
			im.lo, im.hi = min(im.lo, from), max(im.hi, to)
		case segNote:
			if b := goBuildID(unsafe.Slice((*byte)(pointer(from)), s.filesz)); b != "" {
				build = b
			}
		}
	}
	if im.holds(base()) {
		im.build = build
	}
	return im
}

// goBuildID finds the build ID among notes: lengths of name and text, type, name, text, each
// padded to 4 bytes.
func goBuildID(notes []byte) string {
	for len(notes) >= 12 {
		name, text, typ := int(binary.NativeEndian.Uint32(notes)), int(binary.NativeEndian.Uint32(notes[4:])), binary.NativeEndian.Uint32(notes[8:])
		notes = notes[12:]
		begin := (name + 3) / 4 * 4
		end := begin + (text+3)/4*4
		if name < 0 || text < 0 || begin+text > len(notes) {
			return ""
		}
		if typ == noteGoBuildID && bytes.HasPrefix(notes, []byte("Go\x00\x00")) {
			return string(notes[begin : begin+text])
		}
		notes = notes[min(end, len(notes)):]
	}
	return ""
}
