package linktest

import (
	"bytes"
	"debug/elf"
	"errors"
	"fmt"
	"slices"
)

// An image is a code object as a loader would have it in memory.
type image struct {
	f                *elf.File
	mem              []byte
	symbols, dynamic []elf.Symbol
}

// load does what a loader does, and checks what a loader relies on.
func load(code []byte) (*image, error) {
	f, err := elf.NewFile(bytes.NewReader(code))
	if err != nil {
		return nil, err
	}
	im := &image{f: f}
	last := uint64(0)
	for _, p := range f.Progs {
		if p.Type != elf.PT_LOAD {
			continue
		}
		if p.Vaddr < last || p.Off%pageSize != p.Vaddr%pageSize || p.Off+p.Filesz > uint64(len(code)) {
			return nil, fmt.Errorf("segment %+v after address %#x", p.ProgHeader, last)
		}
		last = p.Vaddr + p.Memsz
		im.mem = append(im.mem, make([]byte, last-uint64(len(im.mem)))...)
		copy(im.mem[p.Vaddr:], code[p.Off:p.Off+p.Filesz])
	}
	if err := im.checkSections(); err != nil {
		return nil, err
	}
	if end := le.Uint64(code[40:]) + uint64(le.Uint16(code[58:]))*uint64(le.Uint16(code[60:])); end != uint64(len(code)) {
		return nil, fmt.Errorf("the section header table ends at %d of %d", end, len(code))
	}
	if im.symbols, err = f.Symbols(); err != nil {
		return nil, err
	}
	if im.dynamic, err = f.DynamicSymbols(); err != nil && !errors.Is(err, elf.ErrNoSymbols) {
		return nil, err
	}
	for _, s := range f.Sections {
		if s.Type != elf.SHT_RELA {
			continue
		}
		for d := contents(f, s.Name); len(d) > 0; d = d[relaSize:] {
			off, info, v := le.Uint64(d), le.Uint64(d[8:]), le.Uint64(d[16:])+loadBase
			if uint32(info) == relocABS64 {
				v += im.dynamic[info>>32-1].Value
			}
			le.PutUint64(im.mem[off:], v)
		}
	}
	return im, nil
}

// checkSections checks that sections are aligned, disjoint and within segments.
func (im *image) checkSections() error {
	end := uint64(0)
	for _, s := range im.f.Sections {
		if s.Flags&elf.SHF_ALLOC == 0 {
			continue
		}
		inside := slices.ContainsFunc(im.f.Progs, func(p *elf.Prog) bool {
			writable := p.Flags&elf.PF_W != 0 || s.Flags&elf.SHF_WRITE == 0
			executable := p.Flags&elf.PF_X != 0 || s.Flags&elf.SHF_EXECINSTR == 0
			return p.Type == elf.PT_LOAD && p.Vaddr <= s.Addr && s.Addr+s.Size <= p.Vaddr+p.Memsz && writable && executable
		})
		if !inside || s.Addr%max(s.Addralign, 1) != 0 || s.Addr < end {
			return fmt.Errorf("section %+v after %#x, in a segment: %v", s.SectionHeader, end, inside)
		}
		end = s.Addr + s.Size
	}
	return nil
}

// name says what an address is, by symbol or contents.
func (im *image) name(addr uint64) string {
	addr -= loadBase
	for _, s := range im.symbols {
		if s.Value <= addr && addr < s.Value+max(s.Size, 1) && s.Section != elf.SHN_ABS && elf.ST_TYPE(s.Info) != elf.STT_SECTION {
			return fmt.Sprintf("%s+%d", s.Name, addr-s.Value)
		}
	}
	if addr+8 > uint64(len(im.mem)) {
		return fmt.Sprintf("outside: %#x", addr)
	}
	return fmt.Sprintf("[%x]", im.mem[addr:addr+8])
}

// base is the address of a section of the input: by a symbol in it, since
// linkers may join sections, else by its name.
func (im *image) base(in *elf.File, section int) uint64 {
	symbols, _ := in.Symbols() // none: by name
	for _, s := range symbols {
		if int(s.Section) != section || s.Name == "" {
			continue
		}
		for _, out := range im.symbols {
			if out.Name == s.Name && out.Size == s.Size {
				return out.Value - s.Value
			}
		}
	}
	if out := im.f.Section(in.Sections[section].Name); out != nil {
		return out.Addr
	}
	return 0
}

// unrelocated is the code with zeros where relocations were applied.
func (im *image) unrelocated(in *elf.File) (code []byte) {
	for i, s := range in.Sections {
		if s.Flags&elf.SHF_EXECINSTR == 0 {
			continue
		}
		text := slices.Clone(im.mem[im.base(in, i):][:s.Size])
		for d := contents(in, ".rela"+s.Name); len(d) > 0; d = d[relaSize:] {
			clear(text[le.Uint64(d):][:4])
		}
		code = append(code, text...)
	}
	return code
}

// The relocations of AMDGPU that resolve follows, by type.
const (
	rel64     = 5
	gotPCLow  = 8
	gotPCHigh = 9
	rel32Low  = 10
	rel32High = 11
)

// resolve follows every relocation of the loaded sections of the input.
func (im *image) resolve(in *elf.File) (list []string) {
	for _, s := range in.Sections {
		if s.Type != elf.SHT_RELA || in.Sections[s.Info].Flags&elf.SHF_ALLOC == 0 {
			continue
		}
		target := in.Sections[s.Info]
		base := im.base(in, int(s.Info))
		data := contents(in, s.Name)
		// The high half that a low one at place belongs to comes next, for the same symbol.
		high := func(place uint64, sym uint32) uint64 {
			best := uint64(0)
			for d := data; len(d) > 0; d = d[relaSize:] {
				at, typ := base+le.Uint64(d), le.Uint32(d[8:])
				if (typ == gotPCHigh || typ == rel32High) && le.Uint32(d[12:]) == sym && at > place && (best == 0 || at < best) {
					best = at
				}
			}
			return best
		}
		for d := data; len(d) > 0; d = d[relaSize:] {
			place, typ, sym := base+le.Uint64(d), le.Uint32(d[8:]), le.Uint32(d[12:])
			addend := le.Uint64(d[16:])
			var at string
			switch typ {
			case gotPCLow, rel32Low: // take the high half from its pair
				v := uint64(le.Uint32(im.mem[place:])) | uint64(le.Uint32(im.mem[high(place, sym):]))<<32
				addr := loadBase + place + v - addend
				if typ == gotPCLow {
					addr = le.Uint64(im.mem[addr-loadBase:])
				}
				at = im.name(addr)
			case relocABS64:
				at = im.name(le.Uint64(im.mem[place:]))
			case rel64:
				at = im.name(loadBase + place + le.Uint64(im.mem[place:]) - addend)
			case gotPCHigh, rel32High:
				continue
			default:
				at = fmt.Sprintf("%x", im.mem[place:place+4])
			}
			list = append(list, fmt.Sprintf("%s+%#x type %d -> %s", target.Name, le.Uint64(d), typ, at))
		}
	}
	return list
}
