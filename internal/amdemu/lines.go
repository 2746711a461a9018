package amdemu

import (
	"cmp"
	"debug/dwarf"
	"debug/elf"
	"errors"
	"io"
	"slices"
	"strings"
	"sync"
)

// A frame is a place in the source: where an instruction comes from, and where
// calls were that are inlined around it. What is not known is "" or 0.
type frame struct {
	function     string
	file         string
	line, column int
}

// A lineTable is the debug information of a program, read when it is first
// asked for: only what went wrong asks. Addresses are virtual.
type lineTable struct {
	elf   *elf.File
	once  sync.Once
	rows  []lineRow
	scope []scope
}

// A lineRow is from where on instructions come from a line.
type lineRow struct {
	addr  uint64
	frame frame // without function
	end   bool  // nothing follows
}

// A scope is a function, or a call of one that is inlined.
type scope struct {
	function string
	ranges   [][2]uint64
	depth    int
	call     frame // where it is inlined: without function
}

// where tells where in the source the instruction at an address comes from, the
// innermost function first, then the callers it is inlined into. Where the
// compiler gives no line, the last one before is taken, or the next one where
// what is before cannot lead there. Without debug information it is one frame, with the function's name at most.
func (p *program) where(pc uint64) []frame {
	p.lines.once.Do(p.lines.read)
	vaddr := pc - p.base
	inner := p.lines.row(vaddr, p.leadsTo)
	var frames []frame
	for _, s := range p.lines.around(vaddr) {
		inner.function = s.function
		frames = append(frames, inner)
		inner = s.call
	}
	if frames == nil {
		inner.function = p.function(pc)
		frames = append(frames, inner)
	}
	for i := range frames {
		if name, ok := p.Files[frames[i].file]; ok {
			frames[i].file = name
		}
	}
	return frames
}

// function is the name of the function at an address, "" if there is none.
func (p *program) function(pc uint64) string {
	i, exact := slices.BinarySearchFunc(p.functions, pc, func(e extent, pc uint64) int { return cmp.Compare(e.addr, pc) })
	if !exact {
		i--
	}
	if i < 0 || pc-p.functions[i].addr >= uint64(p.functions[i].size) {
		return ""
	}
	return p.functions[i].name
}

// leadsTo reports whether the instruction before an address may be followed by the one there.
func (p *program) leadsTo(vaddr uint64) bool {
	pc := p.base + vaddr
	for _, t := range p.texts {
		i, _ := slices.BinarySearchFunc(t.lines, pc, func(l Line, pc uint64) int { return cmp.Compare(l.Addr, pc) })
		if pc-t.base < uint64(t.size) && i > 0 {
			name, _, _ := strings.Cut(strings.TrimSpace(t.lines[i-1].Text), " ")
			return !slices.Contains([]string{"s_endpgm", "s_branch", "s_setpc_b64"}, name)
		}
	}
	return false
}

// row is the line of an address. leadsTo reports whether the instruction before an address may be followed by the one there.
func (t *lineTable) row(vaddr uint64, leadsTo func(vaddr uint64) bool) frame {
	i, exact := slices.BinarySearchFunc(t.rows, vaddr, func(r lineRow, a uint64) int { return cmp.Compare(r.addr, a) })
	if !exact {
		i--
	}
	if i < 0 || t.rows[i].end {
		return frame{}
	}
	before := i
	for before >= 0 && !t.rows[before].end && t.rows[before].frame.line == 0 && leadsTo(t.rows[before].addr) {
		before--
	}
	if before >= 0 && t.rows[before].frame.line != 0 {
		return t.rows[before].frame
	}
	for ; i < len(t.rows) && !t.rows[i].end; i++ {
		if t.rows[i].frame.line != 0 {
			return t.rows[i].frame
		}
	}
	return frame{}
}

// around is the scopes that an address is in, the innermost first.
func (t *lineTable) around(vaddr uint64) (in []scope) {
	for _, s := range t.scope {
		if slices.ContainsFunc(s.ranges, func(r [2]uint64) bool { return r[0] <= vaddr && vaddr < r[1] }) {
			in = append(in, s)
		}
	}
	slices.SortStableFunc(in, func(a, b scope) int { return b.depth - a.depth })
	return in
}

// read fills the table. Debug information that cannot be read is as none.
func (t *lineTable) read() {
	data, err := t.elf.DWARF()
	if err != nil {
		return
	}
	r := data.Reader()
	var files []*dwarf.LineFile
	for depth := 0; ; {
		entry, err := r.Next()
		// More ends than beginnings are damage, and package dwarf sees ends without
		// end where a number is cut off.
		if err != nil || entry == nil || depth < 0 {
			break
		}
		switch entry.Tag {
		case 0: // the end of a list of children
			depth--
		case dwarf.TagCompileUnit:
			depth, files = 0, t.readRows(data, entry)
		case dwarf.TagSubprogram, dwarf.TagInlinedSubroutine:
			t.addScope(data, entry, depth, files)
		}
		if entry.Children {
			depth++
		}
	}
	t.sortRows()
}

// sortRows puts the rows in the order of addresses.
func (t *lineTable) sortRows() {
	// Where a sequence ends another may begin: the end is sorted ahead.
	slices.SortStableFunc(t.rows, func(a, b lineRow) int {
		if c := cmp.Compare(a.addr, b.addr); c != 0 || a.end == b.end {
			return c
		}
		if a.end {
			return -1
		}
		return 1
	})
	// Of several rows of an address the last counts.
	kept := t.rows[:0]
	for _, row := range t.rows {
		if n := len(kept); n > 0 && kept[n-1].addr == row.addr {
			kept[n-1] = row
		} else {
			kept = append(kept, row)
		}
	}
	t.rows = kept
}

// readRows reads a compilation unit's lines, and returns its files by number.
func (t *lineTable) readRows(data *dwarf.Data, unit *dwarf.Entry) []*dwarf.LineFile {
	lines, err := data.LineReader(unit)
	if err != nil || lines == nil {
		return nil
	}
	var e dwarf.LineEntry
	for {
		if err := lines.Next(&e); err != nil {
			if !errors.Is(err, io.EOF) {
				t.rows = append(t.rows, lineRow{addr: e.Address, end: true})
			}
			return lines.Files()
		}
		row := lineRow{addr: e.Address, end: e.EndSequence, frame: frame{line: e.Line, column: e.Column}}
		if e.File != nil {
			row.frame.file = e.File.Name
		}
		t.rows = append(t.rows, row)
	}
}

// addScope adds a function or an inlined call of one, if it has code.
func (t *lineTable) addScope(data *dwarf.Data, entry *dwarf.Entry, depth int, files []*dwarf.LineFile) {
	ranges, err := data.Ranges(entry)
	if err != nil || len(ranges) == 0 {
		return
	}
	s := scope{ranges: ranges, depth: depth, function: functionName(data, entry)}
	number := func(a dwarf.Attr) int {
		v, _ := entry.Val(a).(int64)
		return int(v)
	}
	s.call.line, s.call.column = number(dwarf.AttrCallLine), number(dwarf.AttrCallColumn)
	if i := number(dwarf.AttrCallFile); entry.Val(dwarf.AttrCallFile) != nil && i >= 0 && i < len(files) && files[i] != nil {
		s.call.file = files[i].Name
	}
	t.scope = append(t.scope, s)
}

// functionName is the name of a function, which an inlined call or a definition
// may leave to the entry it comes from.
func functionName(data *dwarf.Data, entry *dwarf.Entry) string {
	for range 4 { // at most: a call of a specification of a declaration
		for _, a := range []dwarf.Attr{dwarf.AttrName, dwarf.AttrLinkageName} {
			if name, ok := entry.Val(a).(string); ok {
				return name
			}
		}
		origin, ok := entry.Val(dwarf.AttrAbstractOrigin).(dwarf.Offset)
		if !ok {
			if origin, ok = entry.Val(dwarf.AttrSpecification).(dwarf.Offset); !ok {
				return ""
			}
		}
		r := data.Reader()
		r.Seek(origin)
		next, err := r.Next()
		if err != nil || next == nil {
			return ""
		}
		entry = next
	}
	return ""
}
