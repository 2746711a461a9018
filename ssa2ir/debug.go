package ssa2ir

// This file implements line tables: every instruction carries the place in the
// Go source it came from, through inlining.

import (
	"go/token"
	"path"
	"path/filepath"

	"github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/metadata"
	"golang.org/x/tools/go/ssa"
)

type locKey struct {
	scope     *metadata.DISubprogram
	at        *metadata.DILocation
	line, col int
}

// debugInfo is the module's debug metadata.
type debugInfo struct {
	l      *lowerer
	unit   *metadata.DICompileUnit
	real   map[string]string // the name of a file in the module -> on the machine that built the program
	typ    *metadata.DISubroutineType
	files  map[string]*metadata.DIFile
	locs   map[locKey]*metadata.DILocation
	scopes map[*ssa.Function]*metadata.DISubprogram
}

func (d *debugInfo) init(l *lowerer) {
	*d = debugInfo{l: l, real: map[string]string{}, files: map[string]*metadata.DIFile{}, locs: map[locKey]*metadata.DILocation{}, scopes: map[*ssa.Function]*metadata.DISubprogram{}}
	d.unit = &metadata.DICompileUnit{MetadataID: -1, Distinct: true, Language: enum.DwarfLangGo,
		File: d.file(l.prog.Kernel.Fn, l.prog.plan.pos(l.prog.Kernel.Fn.Pos()).Filename), Producer: "heddle", IsOptimized: true, EmissionKind: l.m.T.DebugKind}
	d.typ = &metadata.DISubroutineType{MetadataID: -1, Types: l.m.Tuple("", metadata.Null)}
	l.m.LL.MetadataDefs = append(l.m.LL.MetadataDefs, d.unit, d.typ)
	l.m.Flag(2, "Debug Info Version", 3)
	l.m.Flag(7, "Dwarf Version", 5)
	l.m.Named("llvm.dbg.cu", d.unit)
}

// file is the file that holds the function g. In the module it has the name that
// a build with -trimpath gives it, without the module's version: what is compiled
// must not depend on where the source lies, or objects made ahead of time would
// not be found again.
func (d *debugInfo) file(g *ssa.Function, name string) *metadata.DIFile {
	f := d.files[name]
	if f == nil {
		portable := sourceName(g, name)
		d.real[portable] = name
		f = &metadata.DIFile{MetadataID: -1, Filename: portable}
		d.files[name] = f
		d.l.m.LL.MetadataDefs = append(d.l.m.LL.MetadataDefs, f)
	}
	return f
}

// sourceName is the name of a file of g's package: the import path and the
// file's own name.
func sourceName(g *ssa.Function, name string) string {
	base := filepath.Base(name)
	for g.Parent() != nil {
		g = g.Parent()
	}
	if o := g.Origin(); o != nil {
		g = o
	}
	switch o := g.Object(); {
	case g.Pkg != nil:
		return path.Join(g.Pkg.Pkg.Path(), base)
	case o != nil && o.Pkg() != nil:
		return path.Join(o.Pkg().Path(), base)
	}
	return base
}

// subprogram describes a function to the debugger.
func (d *debugInfo) subprogram(fn *ir.Func, g *ssa.Function, name string) *metadata.DISubprogram {
	sp := d.newScope(g, name)
	sp.LinkageName = fn.Name()
	fn.Metadata = append(fn.Metadata, &metadata.Attachment{Name: "dbg", Node: sp})
	return sp
}

// inlinedScope is the scope of a function that has no code of its own.
func (d *debugInfo) inlinedScope(fn *ssa.Function) *metadata.DISubprogram {
	sp := d.scopes[fn]
	if sp == nil {
		sp = d.newScope(fn, readable(fn))
		d.scopes[fn] = sp
	}
	return sp
}

func (d *debugInfo) newScope(g *ssa.Function, name string) *metadata.DISubprogram {
	pos := d.l.prog.plan.pos(g.Pos())
	file := d.file(g, pos.Filename)
	sp := &metadata.DISubprogram{MetadataID: -1, Distinct: true, Name: name, Scope: file, File: file,
		Line: int64(pos.Line), ScopeLine: int64(pos.Line), Type: d.typ, Unit: d.unit,
		SPFlags: enum.DISPFlagDefinition | enum.DISPFlagOptimized}
	d.l.m.LL.MetadataDefs = append(d.l.m.LL.MetadataDefs, sp)
	return sp
}

// location is a place in the function; one without a position is the function's own.
func (f *function) location(pos token.Pos) *metadata.DILocation {
	p := f.prog.plan.pos(pos)
	if !pos.IsValid() {
		p.Line, p.Column = int(f.scope.Line), 0
	}
	key := locKey{scope: f.scope, line: p.Line, col: p.Column, at: f.calledAt}
	if f.caller != nil {
		key.at = f.caller.at
	}
	loc := f.locs[key]
	if loc == nil {
		loc = &metadata.DILocation{MetadataID: -1, Line: int64(p.Line), Column: int64(p.Column), Scope: f.scope}
		if key.at != nil {
			loc.InlinedAt = key.at
		}
		f.locs[key] = loc
		f.m.LL.MetadataDefs = append(f.m.LL.MetadataDefs, loc)
	}
	return loc
}
