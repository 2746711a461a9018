package ssa2ir

// This file implements variables, loads, stores and addresses. Aggregates
// move one scalar at a time; large ones (isBig) stay in memory, where they are
// copied as a whole: what passes through registers, parameters, results and phi
// nodes is their address.

import (
	"fmt"
	"go/types"
	"slices"

	lltypes "github.com/llir/llvm/ir/types"
	"golang.org/x/tools/go/ssa"

	"heddle/internal/target"
)

// A memory value is a large array or struct as the address of a copy, which
// does not change before the instruction that made it is run again. Where values
// outlive that (phi nodes, variables that hold closures) they are copied.
type memory struct {
	typ  *bigType
	addr target.Value // nil: the zero value, which has none yet
}

func (m *memory) Type() lltypes.Type { return m.typ }
func (m *memory) String() string     { return m.Type().String() + " " + m.Ident() }

// Ident is the address.
func (m *memory) Ident() string {
	if m.addr == nil {
		panic("ssa2ir: large zero used before it was placed")
	}
	return m.addr.Ident()
}

// placed is v as an operand: a large zero gets an address, in constant memory.
func (f *function) placed(v target.Value) target.Value {
	if m, ok := v.(*memory); ok && m.addr == nil {
		words := (sizeof(m.typ.goT) + 7) / 8
		t := target.Array(words, target.I64)
		return f.large(m.typ.goT, f.Generic(f.readOnly(fmt.Sprint("heddle_zero_", words), t, 16, target.Zero(t))))
	}
	return v
}

// slot is the generic address of a new stack slot, made in the first block.
func (f *function) slot(t target.Type) target.Value {
	cur, loc := f.Cur, f.Loc
	f.Cur, f.Loc = f.allocs, nil
	private := f.M.T.Private
	space := ""
	if private != 0 {
		space = fmt.Sprintf(", addrspace(%d)", private)
	}
	p := f.Generic(f.Emit(target.Ptr(private), "alloca ", t.String(), ", align 16", space))
	f.Cur, f.Loc = cur, loc
	return p
}

// t0 = local int   ->   %t0 = alloca i64 (in the first block), zeroed here, or see beginsAnyhow
func lowerAlloc(f *function, i ssa.Instruction) {
	a := i.(*ssa.Alloc)
	t := deref(a.Type())
	if isFunc(t) {
		fv := f.in.resolve(a)
		p := f.slot(f.inMemory(f.funcType(fv)))
		if fv != nil && fv.chosen() {
			f.storeRaw(f.zeroFunc(f.funcType(fv)), p)
		}
		f.set(a, p)
		return
	}
	if f.compactRoot(a) != nil {
		f.makeCompact(a)
		return
	}
	if p := f.passedAs(a); p != nil {
		f.set(a, f.value(p).(*memory).addr)
		return
	}
	p := f.slot(f.memType(t))
	if !f.beginsAnyhow(a) {
		f.store(t, f.zero(t), p)
	}
	f.set(a, p)
}

// load reads a Go value of type t.
func (f *function) load(t types.Type, p target.Value) target.Value {
	if isBig(t) {
		return f.snapshot(t, p)
	}
	lt := f.llType(t)
	if opaque(t) != nil {
		return f.Load(lt, p, alignof(t))
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		a := &target.Agg{Typ: lt}
		for i := range u.NumFields() {
			a.Elems = append(a.Elems, f.load(u.Field(i).Type(), f.field(t, p, i)))
		}
		for i := len(a.Elems); i < len(lt.(*lltypes.StructType).Fields); i++ { // padding
			a.Elems = append(a.Elems, target.Zero(target.ElemType(lt, i)))
		}
		return a
	case *types.Array:
		a := &target.Agg{Typ: lt}
		for i := range u.Len() {
			a.Elems = append(a.Elems, f.load(u.Elem(), f.element(t, p, target.Int(target.I64, i))))
		}
		return a
	}
	if st, ok := lt.(*lltypes.StructType); ok { // slice, string, complex
		a := &target.Agg{Typ: lt}
		for i, ft := range st.Fields {
			a.Elems = append(a.Elems, f.Load(ft, f.Field(lt, p, i), alignof(t)))
		}
		return a
	}
	if lt == target.I1 {
		return f.Emit(target.I1, "trunc i8 ", f.Load(target.I8, p, 1), " to i1")
	}
	return f.Load(lt, p, alignof(t))
}

// store writes a Go value of type t.
func (f *function) store(t types.Type, v, p target.Value) {
	if m, ok := v.(*memory); ok {
		f.copyTo(p, m)
		return
	}
	lt := f.llType(t)
	if opaque(t) != nil {
		f.Store(v, p, alignof(t))
		return
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for i := range u.NumFields() {
			f.store(u.Field(i).Type(), f.Elem(v, i), f.field(t, p, i))
		}
		return
	case *types.Array:
		for i := range u.Len() {
			f.store(u.Elem(), f.Elem(v, int(i)), f.element(t, p, target.Int(target.I64, i)))
		}
		return
	}
	if st, ok := lt.(*lltypes.StructType); ok {
		for i := range st.Fields {
			f.Store(f.Elem(v, i), f.Field(lt, p, i), alignof(t))
		}
		return
	}
	if lt == target.I1 {
		v = f.Emit(target.I8, "zext i1 ", v, " to i8")
	}
	f.Store(v, p, alignof(t))
}

// storeRaw writes a value that has no Go type, a closure's bindings, to where
// one of type inMemory fits.
func (f *function) storeRaw(v, p target.Value) {
	switch t := v.Type().(type) {
	case *lltypes.ArrayType:
		for i := range int(t.Len) {
			f.storeRaw(f.Elem(v, i), f.GEP(f.inMemory(t), p, target.Int(target.I64, 0), target.Int(target.I64, int64(i))))
		}
	case *lltypes.StructType:
		for i := range t.Fields {
			f.storeRaw(f.Elem(v, i), f.Field(f.inMemory(t), p, i))
		}
	case *bigType:
		f.copyTo(p, v.(*memory))
	default:
		if t == target.I1 {
			v = f.Emit(target.I8, "zext i1 ", v, " to i8")
		}
		f.Store(v, p, bytesOf(t))
	}
}

// loadRaw reads what storeRaw wrote.
func (f *function) loadRaw(t target.Type, p target.Value) target.Value {
	switch t := t.(type) {
	case *lltypes.StructType:
		a := &target.Agg{Typ: t}
		for i, ft := range t.Fields {
			a.Elems = append(a.Elems, f.loadRaw(ft, f.Field(f.inMemory(t), p, i)))
		}
		return a
	case *lltypes.ArrayType:
		a := &target.Agg{Typ: t}
		for i := range int64(t.Len) {
			a.Elems = append(a.Elems, f.loadRaw(t.ElemType, f.GEP(f.inMemory(t), p, target.Int(target.I64, 0), target.Int(target.I64, i))))
		}
		return a
	case *bigType:
		return f.snapshot(t.goT, p)
	}
	if t == target.I1 {
		return f.Emit(target.I1, "trunc i8 ", f.Load(target.I8, p, 1), " to i1")
	}
	return f.Load(t, p, bytesOf(t))
}

// bytesOf is the size of a scalar, which is its alignment.
func bytesOf(t target.Type) int {
	switch {
	case t.Equal(target.F16):
		return 2
	case t.Equal(target.F32):
		return 4
	case target.Bits(t) > 0:
		return (target.Bits(t) + 7) / 8
	}
	return 8
}

// field is the address of field i of a struct.
func (f *function) field(t types.Type, p target.Value, i int) target.Value {
	if opaque(t) != nil {
		return p // its only field
	}
	if isBig(t) {
		return f.GEP(target.I8, p, target.Int(target.I64, f.offset(t.Underlying().(*types.Struct), i)))
	}
	return f.Field(f.memType(t), p, i)
}

// offset is that of a struct's field.
func (l *lowerer) offset(s *types.Struct, i int) int64 {
	all := l.offsets[s]
	if all == nil {
		all = offsets(s)
		l.offsets[s] = all
	}
	return all[i]
}

// element is the address of element i of an array.
func (f *function) element(arr types.Type, p, i target.Value) target.Value {
	return f.GEP(f.memType(arr), p, target.Int(target.I64, 0), i)
}

// snapshot copies a large value to a slot of its own.
func (f *function) snapshot(t types.Type, p target.Value) target.Value {
	s := f.slot(f.memType(t))
	f.memcpy(s, p, sizeof(t), alignof(t))
	return f.large(t, s)
}

// copyTo writes a large value.
func (f *function) copyTo(p target.Value, m *memory) {
	if m.addr == nil {
		f.memset(p, target.Int(target.I64, sizeof(m.typ.goT)), alignof(m.typ.goT))
		return
	}
	f.memcpy(p, m.addr, sizeof(m.typ.goT), alignof(m.typ.goT))
}

func (f *function) memcpy(dst, src target.Value, n int64, align int) {
	p := f.ptr.Mangled()
	f.Emit(target.Void, "call void ", f.M.Declare("llvm.memcpy."+p+"."+p+".i64", target.Void, f.ptr, f.ptr, target.I64, target.I1),
		"(", f.ptr.String(), " align ", fmt.Sprint(align), " ", dst, ", ", f.ptr.String(), " align ", fmt.Sprint(align), " ", f.Generic(src), ", i64 ", fmt.Sprint(n), ", i1 false)")
}

func (f *function) memset(dst, n target.Value, align int) {
	f.Emit(target.Void, "call void ", f.M.Declare("llvm.memset."+f.ptr.Mangled()+".i64", target.Void, f.ptr, target.I8, target.I64, target.I1),
		"(", f.ptr.String(), " align ", fmt.Sprint(align), " ", dst, ", i8 0, ", target.T(n), ", i1 false)")
}

func (f *function) memmove(dst, src, n target.Value) {
	f.Intrinsic("llvm.memmove."+f.ptr.Mangled()+"."+f.ptr.Mangled()+".i64", target.Void, dst, src, n, target.Bool(false))
}

// *t0 = t1   ->   store i64 %t1, ptr %t0
func lowerStore(f *function, i ssa.Instruction) {
	s := i.(*ssa.Store)
	f.checkNil(s.Addr)
	if isFunc(s.Val.Type()) {
		if inAggregate(s.Addr) {
			f.Store(f.word(f.value(s.Val), f.in.resolve(s.Val)), f.value(s.Addr), 8)
		} else {
			f.storeRaw(f.funcAs(s.Val, f.in.resolve(s.Addr)), f.value(s.Addr))
		}
		return
	}
	if a, ok := s.Addr.(*ssa.Alloc); ok && f.passedAs(a) != nil {
		return // it is there
	}
	f.storeAt(s)
}

// lowerLoad is the unary *.
//
//	t1 = *t0   ->   %t1 = load i64, ptr %t0
func (f *function) lowerLoad(u *ssa.UnOp) {
	if runtimeError(u) != "" {
		return // panic names it
	}
	if g, ok := u.X.(*ssa.Global); ok {
		if v := f.symbolValue(g, u); v != nil {
			f.set(u, v)
			return
		}
		if v := f.tableValue(g); v != nil {
			f.set(u, v)
			return
		}
	}
	f.checkNil(u.X)
	if isFunc(u.Type()) && inAggregate(u.X) {
		f.setPart(u, f.Load(target.I64, f.value(u.X), 8))
		return
	}
	if isFunc(u.Type()) {
		held := f.in.resolve(u.X)
		f.set(u, f.convertFunc(f.loadRaw(f.funcType(held), f.value(u.X)), held, f.in.resolve(u)))
		return
	}
	if arrayElem(u.Type()) != nil && f.compactRoot(u.X) != nil {
		return // of a range over its indices: nothing uses it
	}
	if isBig(u.Type()) && f.readAtOnce(u) {
		f.set(u, f.view(u.Type(), f.value(u.X)))
		return
	}
	if f.streams[u] {
		f.set(u, f.M.T.StreamLoad(f.Builder, f.llType(u.Type()), f.value(u.X)))
		return
	}
	if a, fields := f.fewAt(u.X); a != nil {
		f.set(u, f.loadFew(u, a, fields))
		return
	}
	f.set(u, f.loadFrom(u, f.value(u.X)))
}

// readAtOnce reports whether what is made of a large value in memory is made before
// anything may write there, so that it needs no copy: it is compared, or scalars are
// taken out of it.
func (l *lowerer) readAtOnce(u *ssa.UnOp) bool {
	o := l.orderOf(u.Block())
	quiet := o.quiet[o.place[u]]
	for _, r := range *u.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef:
			continue
		case *ssa.BinOp:
		case *ssa.Field:
			if isBig(r.Type()) {
				return false
			}
		case *ssa.Index:
			if isBig(r.Type()) {
				return false
			}
		default:
			return false
		}
		if at, ok := o.place[r]; !ok || at >= quiet {
			return false
		}
	}
	return true
}

// An order says of a block's instructions where each is, and where the first is from
// there on that may write to memory.
type order struct {
	place map[ssa.Instruction]int
	quiet []int
}

func (l *lowerer) orderOf(b *ssa.BasicBlock) *order {
	if o := l.orders[b]; o != nil {
		return o
	}
	o := &order{make(map[ssa.Instruction]int, len(b.Instrs)), make([]int, len(b.Instrs))}
	end := len(b.Instrs)
	for n, i := range slices.Backward(b.Instrs) {
		switch i.(type) {
		case *ssa.BinOp, *ssa.UnOp, *ssa.Field, *ssa.FieldAddr, *ssa.Index, *ssa.IndexAddr, *ssa.Convert, *ssa.ChangeType, *ssa.Extract, *ssa.DebugRef:
		default:
			end = n
		}
		o.place[i], o.quiet[n] = n, end
	}
	if l.orders == nil {
		l.orders = map[*ssa.BasicBlock]*order{}
	}
	l.orders[b] = o
	return o
}

// t1 = &t0.name [#1]   ->   %t1 = getelementptr inbounds {...}, ptr %t0, i32 0, i32 1
func lowerFieldAddr(f *function, i ssa.Instruction) {
	a := i.(*ssa.FieldAddr)
	f.checkNil(a.X)
	f.set(a, f.field(deref(a.X.Type()), f.value(a.X), a.Field))
}

// t1 = t0.name [#1]   ->   %t1 = extractvalue {...} %t0, 1
func lowerField(f *function, i ssa.Instruction) {
	a := i.(*ssa.Field)
	f.setPart(a, f.part(a.X.Type(), f.value(a.X), a.Field))
}

// t1 = slice t0[lo:hi:max]   ->   bounds checks, then {ptr, len, cap}
func lowerSlice(f *function, i ssa.Instruction) {
	s := i.(*ssa.Slice)
	x := f.value(s.X)
	var base, length, capacity target.Value
	var elem types.Type
	what := "capacity"
	switch u := s.X.Type().Underlying().(type) {
	case *types.Slice:
		base, length, capacity, elem = f.Elem(x, 0), f.Elem(x, 1), f.Elem(x, 2), u.Elem()
	case *types.Pointer:
		f.checkNil(s.X)
		arr := u.Elem().Underlying().(*types.Array)
		n := target.Int(target.I64, arr.Len())
		base, length, capacity, elem, what = x, n, n, arr.Elem(), "length"
	default:
		base, length, elem, what = f.Elem(x, 0), f.Elem(x, 1), types.Typ[types.Uint8], "length"
		capacity = length
	}
	lo, hi, limit := target.Value(target.Int(target.I64, 0)), length, capacity
	if s.Low != nil {
		lo = f.index(s.Low)
	}
	if s.High != nil {
		hi = f.index(s.High)
	}
	if s.Max != nil {
		limit = f.index(s.Max)
	}
	f.checkSlice(s, lo, hi, limit, capacity, what)
	p := base
	if s.Low != nil {
		p = f.GEP(f.memType(elem), base, lo)
	}
	var n target.Value
	if s.High != nil && s.Low != nil {
		n = f.partLength(s.High, s.Low)
	}
	if n == nil {
		n = f.sub(hi, lo)
	}
	if isString(s.X.Type()) {
		f.set(s, &target.Agg{Typ: f.llType(s.Type()), Elems: []target.Value{p, n}})
		return
	}
	f.set(s, &target.Agg{Typ: f.slice, Elems: []target.Value{p, n, f.sub(limit, lo)}})
}

func (f *function) sub(x, y target.Value) target.Value {
	if n, ok := target.IntConst(y); ok && n == 0 {
		return x
	}
	return f.Bin("sub", x, y)
}

// t1 = slice to array pointer *[4]T <- []T (t0)   ->   length check, then the pointer
func lowerSliceToArrayPointer(f *function, i ssa.Instruction) {
	c := i.(*ssa.SliceToArrayPointer)
	if !c.Pos().IsValid() { // of a conversion to an array, whose load has it
		for _, r := range *c.Referrers() {
			if load, ok := r.(*ssa.UnOp); ok && load.Pos().IsValid() {
				f.pos = load.Pos()
			}
		}
	}
	x := f.value(c.X)
	n := deref(c.Type()).Underlying().(*types.Array).Len()
	have := f.Elem(x, 1)
	f.panicUnless(f.long(c, n), func() target.Value { return f.ICmp("ult", have, target.Int(target.I64, n)) },
		"cannot convert slice with length %d to array or pointer to array with length %d", have, target.Int(target.I64, n))
	f.set(c, f.Elem(x, 0))
}
