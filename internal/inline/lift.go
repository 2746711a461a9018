package inline

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// This file makes values of the numbers in local variables that are structures, as go/ssa does of variables that are numbers, and of numbers whose
// address closures had that are part of the function now. Where control comes from several places there is a phi.
//
//	var sum Vec
//	for ... {
//		sum.X += x      ->      sum.X is a phi in the loop
//	}
//
//	at := func(i int) float32 { return planes[k][i] }
//	k = 1 - k           ->      k is a phi where it is read

const (
	maxLifted = 24  // numbers of a variable that are made values
	maxFields = 255 // the last field of a structure that key tells from others
)

// A lifter makes values of one function's variables.
type lifter struct {
	*Sites
	fn     *ssa.Function
	parts  map[*ssa.Alloc]map[string]*liftedPart // all numbers of the variables, by their path
	values map[ssa.Value]ssa.Value               // what loads and fields are
	fields map[fieldKey]*ssa.Field
	phis   []*ssa.Phi
}

type fieldKey struct {
	x ssa.Value
	i int
}

// A liftedPart is a number in a variable.
type liftedPart struct {
	of     *ssa.Alloc
	path   []int
	typ    types.Type
	writes map[*ssa.BasicBlock][]ssa.Instruction // in their order: stores, and the variable itself, which is zero at first
	starts map[*ssa.BasicBlock]ssa.Value         // what it is where a block begins
}

// lift makes values of what it can.
func lift(fn *ssa.Function, sites *Sites) {
	l := &lifter{Sites: sites, fn: fn, parts: map[*ssa.Alloc]map[string]*liftedPart{}, values: map[ssa.Value]ssa.Value{}}
	for _, b := range fn.Blocks {
		for _, i := range b.Instrs {
			if a, ok := i.(*ssa.Alloc); ok {
				l.parts[a] = partsOf(a)
			}
		}
	}
	for again := true; again; { // what is copied to a variable that is none of these is none, either
		again = false
		for a, parts := range l.parts {
			if parts == nil || !l.known(a) {
				delete(l.parts, a)
				again = true
			}
		}
	}
	if len(l.parts) == 0 {
		return
	}
	l.findWrites()
	var loads []ssa.Value
	for _, b := range fn.Blocks {
		for _, i := range slices.Clone(b.Instrs) {
			if u, ok := i.(*ssa.UnOp); ok && u.Op == token.MUL {
				if a, path := l.place(u.X); a != nil {
					loads = append(loads, l.read(u, u, a, path)...)
				}
			}
		}
	}
	l.finish(loads)
}

// partsOf are the numbers of a variable by their path, nil if it has none, or too many.
func partsOf(a *ssa.Alloc) map[string]*liftedPart {
	if t := a.Type().(*types.Pointer).Elem(); !isNumber(t) && !isStruct(t) {
		return nil
	}
	all := map[string]*liftedPart{}
	var find func(t types.Type, path []int)
	find = func(t types.Type, path []int) {
		switch u := t.Underlying().(type) {
		case *types.Struct:
			for i := range u.NumFields() {
				find(u.Field(i).Type(), append(slices.Clip(path), i))
			}
		case *types.Basic:
			if isNumber(t) {
				all[key(path)] = &liftedPart{of: a, path: path, typ: t, writes: map[*ssa.BasicBlock][]ssa.Instruction{}, starts: map[*ssa.BasicBlock]ssa.Value{}}
			}
		}
	}
	find(a.Type().(*types.Pointer).Elem(), nil)
	if len(all) == 0 || len(all) > maxLifted {
		return nil
	}
	return all
}

// key is a path as the key of a map.
func key(path []int) string {
	s := make([]byte, len(path))
	for i, n := range path {
		s[i] = byte(n)
	}
	return string(s)
}

// known reports whether all uses of what x points to, a part of a variable, are loads and stores, and all that becomes of a structure that is loaded is
// that parts are taken out of it, or that it is stored to such a variable.
func (l *lifter) known(x ssa.Value) bool {
	of := x.Type().(*types.Pointer).Elem()
	for _, r := range *x.Referrers() {
		switch r := r.(type) {
		case *ssa.FieldAddr:
			if r.Field > maxFields || !l.known(r) {
				return false
			}
		case *ssa.Store:
			if r.Val == x {
				return false
			}
		case *ssa.UnOp:
			if !l.partsOnly(r) {
				return false
			}
		case *ssa.DebugRef:
		default:
			if isStruct(of) || isNumber(of) {
				return false
			} // else an array, say, which is left where it is
		}
	}
	return true
}

func isStruct(t types.Type) bool {
	_, ok := t.Underlying().(*types.Struct)
	return ok
}

func isNumber(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&(types.IsNumeric|types.IsBoolean) != 0
}

// partsOnly reports whether parts are taken out of a value, or it is stored to variables whose numbers are made values, and no more.
func (l *lifter) partsOnly(v ssa.Value) bool {
	if !isStruct(v.Type()) {
		return true
	}
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.Field:
			if !l.partsOnly(r) {
				return false
			}
		case *ssa.Store:
			if a, _ := l.place(r.Addr); a == nil || r.Val != v {
				return false
			}
		case *ssa.DebugRef:
		default:
			return false
		}
	}
	return true
}

// place is the variable and the path that an address is of; nil if it is no such variable.
func (l *lifter) place(x ssa.Value) (*ssa.Alloc, []int) {
	switch x := x.(type) {
	case *ssa.Alloc:
		if l.parts[x] != nil {
			return x, nil
		}
	case *ssa.FieldAddr:
		if a, path := l.place(x.X); a != nil {
			return a, append(slices.Clip(path), x.Field)
		}
	}
	return nil, nil
}

// findWrites finds what writes each part.
func (l *lifter) findWrites() {
	for _, b := range l.fn.Blocks {
		for _, i := range b.Instrs {
			var a *ssa.Alloc
			var path []int
			switch i := i.(type) {
			case *ssa.Alloc:
				if l.parts[i] != nil {
					a = i
				}
			case *ssa.Store:
				a, path = l.place(i.Addr)
			}
			if a == nil {
				continue
			}
			for _, p := range l.parts[a] {
				if len(p.path) >= len(path) && slices.Equal(p.path[:len(path)], path) {
					p.writes[b] = append(p.writes[b], i)
				}
			}
		}
	}
}

// read says what the numbers are in a value that is loaded by at, or taken out of that, of a path of a variable. It returns those that are values of the function.
func (l *lifter) read(v ssa.Value, at ssa.Instruction, a *ssa.Alloc, path []int) (all []ssa.Value) {
	if p := l.parts[a][key(path)]; p != nil {
		l.values[v] = l.before(p, at)
		return []ssa.Value{v}
	}
	if !isStruct(v.Type()) {
		return nil
	}
	for _, r := range slices.Clone(*v.Referrers()) {
		if f, ok := r.(*ssa.Field); ok {
			all = append(all, l.read(f, at, a, append(slices.Clip(path), f.Field))...)
		}
	}
	return all
}

// before is what a part is before an instruction.
func (l *lifter) before(p *liftedPart, at ssa.Instruction) ssa.Value {
	b := at.Block()
	var last ssa.Instruction
	for _, w := range p.writes[b] {
		if Before(w, at) {
			last = w
		}
	}
	if last != nil {
		return l.written(p, last)
	}
	return l.start(p, b)
}

// start is what a part is where a block begins.
func (l *lifter) start(p *liftedPart, b *ssa.BasicBlock) ssa.Value {
	if v := p.starts[b]; v != nil {
		return v
	}
	if len(b.Preds) == 1 {
		v := l.end(p, b.Preds[0])
		p.starts[b] = v
		return v
	}
	phi := &ssa.Phi{Comment: p.of.Comment + fieldName(p)}
	set(phi, "typ", p.typ)
	set(phi, "block", b)
	p.starts[b] = phi
	l.phis = append(l.phis, phi)
	for _, q := range b.Preds {
		phi.Edges = append(phi.Edges, l.end(p, q))
	}
	return phi
}

// fieldName is the last field of the path with a dot before it; nothing of a variable that is a number.
func fieldName(p *liftedPart) string {
	t := p.of.Type().(*types.Pointer).Elem()
	name := ""
	for _, i := range p.path {
		f := t.Underlying().(*types.Struct).Field(i)
		name, t = "."+f.Name(), f.Type()
	}
	return name
}

// end is what a part is where a block ends.
func (l *lifter) end(p *liftedPart, b *ssa.BasicBlock) ssa.Value {
	if w := p.writes[b]; len(w) > 0 {
		return l.written(p, w[len(w)-1])
	}
	return l.start(p, b)
}

// written is what a part is once it has been written.
func (l *lifter) written(p *liftedPart, by ssa.Instruction) ssa.Value {
	store, ok := by.(*ssa.Store)
	if !ok {
		return zero(p.typ)
	}
	_, path := l.place(store.Addr)
	return l.part(store.Val, p.path[len(path):], p.typ)
}

// part is the number at a path in a value that is stored.
func (l *lifter) part(v ssa.Value, path []int, typ types.Type) ssa.Value {
	if len(path) == 0 {
		return v
	}
	if _, ok := v.(*ssa.Const); ok {
		return zero(typ)
	}
	// a part of another variable
	x, more := v, []int(nil)
	for {
		f, ok := x.(*ssa.Field)
		if !ok {
			break
		}
		x, more = f.X, append([]int{f.Field}, more...)
	}
	if u, ok := x.(*ssa.UnOp); ok && u.Op == token.MUL {
		if a, from := l.place(u.X); a != nil {
			if p := l.parts[a][key(slices.Concat(from, more, path))]; p != nil {
				return l.before(p, u)
			}
		}
	}
	for _, i := range path {
		v = l.field(v, i)
	}
	return v
}

// field is a field of a value, which is taken out where the value is made, once.
func (l *lifter) field(x ssa.Value, i int) ssa.Value {
	if l.fields == nil {
		l.fields = map[fieldKey]*ssa.Field{}
		for _, b := range l.fn.Blocks {
			for _, i := range b.Instrs {
				if f, ok := i.(*ssa.Field); ok {
					l.fields[fieldKey{f.X, f.Field}] = f
				}
			}
		}
	}
	key := fieldKey{x, i}
	if f := l.fields[key]; f != nil {
		return f
	}
	f := &ssa.Field{X: x, Field: i}
	set(f, "typ", fieldOf(x.Type(), i))
	insertBehind(l.fn, x, f)
	if of, ok := x.(ssa.Instruction); ok && l.Of[of] != nil {
		l.Of[f] = l.Of[of]
	}
	refer(f)
	l.fields[key] = f
	return f
}

// zero is a number's zero.
func zero(t types.Type) *ssa.Const {
	switch info := t.Underlying().(*types.Basic).Info(); {
	case info&types.IsBoolean != 0:
		return ssa.NewConst(constant.MakeBool(false), t)
	case info&types.IsInteger != 0:
		return ssa.NewConst(constant.MakeInt64(0), t)
	case info&types.IsComplex != 0:
		return ssa.NewConst(constant.ToComplex(constant.MakeInt64(0)), t)
	}
	return ssa.NewConst(constant.ToFloat(constant.MakeInt64(0)), t)
}

// resolve is what a value is.
func (l *lifter) resolve(v ssa.Value) ssa.Value {
	for l.values[v] != nil {
		v = l.values[v]
	}
	return v
}

// dropPhis says of phis of one value that they are that.
func (l *lifter) dropPhis() {
	for again := true; again; {
		again = false
		for _, phi := range l.phis {
			if l.values[phi] != nil {
				continue
			}
			var one ssa.Value
			same := true
			for i, e := range phi.Edges {
				e = l.resolve(e)
				phi.Edges[i] = e
				switch {
				case e == phi || e == one || isSameConst(e, one):
				case one == nil:
					one = e
				default:
					same = false
				}
			}
			if same && one != nil {
				l.values[phi] = one
				again = true
			}
		}
	}
}

// finish puts the phis where they are needed, and all that was loaded refers to what it is.
func (l *lifter) finish(loads []ssa.Value) {
	l.dropPhis()
	for _, phi := range l.phis {
		if l.values[phi] != nil {
			continue
		}
		for i, e := range phi.Edges {
			phi.Edges[i] = l.resolve(e)
		}
		b := phi.Block()
		b.Instrs = slices.Insert(b.Instrs, 0, ssa.Instruction(phi))
		if s := l.Block[b]; s != nil {
			l.Of[phi] = s
		}
		refer(phi)
	}
	for _, v := range loads {
		replace(v, l.resolve(v))
	}
	l.dropWrites()
}

func isSameConst(x, y ssa.Value) bool {
	a, ok := x.(*ssa.Const)
	b, ok2 := y.(*ssa.Const)
	return ok && ok2 && a.Value != nil && b.Value != nil && types.Identical(a.Type(), b.Type()) && constant.Compare(a.Value, token.EQL, b.Value)
}

// dropWrites removes the stores of single numbers that nothing loads any more.
func (l *lifter) dropWrites() {
	for _, b := range l.fn.Blocks {
		b.Instrs = slices.DeleteFunc(b.Instrs, func(i ssa.Instruction) bool {
			switch i := i.(type) {
			case *ssa.Store:
				if a, path := l.place(i.Addr); a != nil && l.parts[a][key(path)] != nil {
					unrefer(i)
					return true
				}
			case *ssa.DebugRef:
				if a, _ := l.place(i.X); a != nil {
					unrefer(i)
					return true
				}
			}
			return false
		})
	}
}
