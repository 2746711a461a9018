package ssa2ir

// This file implements line tables: every instruction carries the place in the
// Go source it came from, through inlining.

import (
	"go/token"
	"path/filepath"

	"github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/metadata"
	"golang.org/x/tools/go/ssa"

	"heddle/internal/target"
)

type locKey struct {
	scope     *metadata.DISubprogram
	line, col int
}

// debugInfo is the module's debug metadata.
type debugInfo struct {
	l     *lowerer
	unit  *metadata.DICompileUnit
	typ   *metadata.DISubroutineType
	files map[string]*metadata.DIFile
	progs map[*ir.Func]*metadata.DISubprogram
	locs  map[locKey]*metadata.DILocation
}

func (d *debugInfo) init(l *lowerer) {
	*d = debugInfo{l: l, files: map[string]*metadata.DIFile{}, progs: map[*ir.Func]*metadata.DISubprogram{}, locs: map[locKey]*metadata.DILocation{}}
	d.unit = &metadata.DICompileUnit{MetadataID: -1, Distinct: true, Language: enum.DwarfLangGo,
		File: d.file(l.m.LL.SourceFilename), Producer: "heddle", IsOptimized: true, EmissionKind: l.m.T.DebugKind}
	d.typ = &metadata.DISubroutineType{MetadataID: -1, Types: l.m.Tuple("", metadata.Null)}
	l.m.LL.MetadataDefs = append(l.m.LL.MetadataDefs, d.unit, d.typ)
	l.m.Flag(2, "Debug Info Version", 3)
	l.m.Flag(7, "Dwarf Version", 5)
	l.m.Named("llvm.dbg.cu", d.unit)
}

func (d *debugInfo) file(name string) *metadata.DIFile {
	f := d.files[name]
	if f == nil {
		f = &metadata.DIFile{MetadataID: -1, Filename: filepath.Base(name), Directory: filepath.Dir(name)}
		d.files[name] = f
		d.l.m.LL.MetadataDefs = append(d.l.m.LL.MetadataDefs, f)
	}
	return f
}

// subprogram describes a function to the debugger.
func (d *debugInfo) subprogram(fn *ir.Func, g *ssa.Function, name string) {
	pos := d.l.prog.plan.pos(g.Pos())
	file := d.file(pos.Filename)
	sp := &metadata.DISubprogram{MetadataID: -1, Distinct: true, Name: name, LinkageName: fn.Name(), Scope: file, File: file,
		Line: int64(pos.Line), ScopeLine: int64(pos.Line), Type: d.typ, Unit: d.unit,
		SPFlags: enum.DISPFlagDefinition | enum.DISPFlagOptimized}
	d.l.m.LL.MetadataDefs = append(d.l.m.LL.MetadataDefs, sp)
	d.progs[fn] = sp
	fn.Metadata = append(fn.Metadata, &metadata.Attachment{Name: "dbg", Node: sp})
}

// location is a place in a function; one without a position is the function's own.
func (d *debugInfo) location(fn *ir.Func, pos token.Pos) *metadata.DILocation {
	sp := d.progs[fn]
	p := d.l.prog.plan.pos(pos)
	if !pos.IsValid() {
		p.Line, p.Column = int(sp.Line), 0
	}
	key := locKey{sp, p.Line, p.Column}
	loc := d.locs[key]
	if loc == nil {
		loc = &metadata.DILocation{MetadataID: -1, Line: int64(p.Line), Column: int64(p.Column), Scope: sp}
		d.locs[key] = loc
		d.l.m.LL.MetadataDefs = append(d.l.m.LL.MetadataDefs, loc)
	}
	return loc
}

var _ target.Value
