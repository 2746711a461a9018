// Package flow tells which functions the func values of a program may be, from
// its go/ssa form and without running it. It looks at what is assigned anywhere,
// in whatever order: it finds too much rather than too little.
package flow

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/types/typeutil"
)

// A Value is a function that a func value may be.
type Value struct {
	Fn       *ssa.Function // with a body, or declared in another package; of a method value the method
	Bindings []ssa.Value   // of a closure's free variables
	Recv     types.Type    // of a method value or a method expression
	Bound    bool          // it is a method value
	Site     ssa.Value     // what makes it: the same closure where this is the same
	// Held are the functions that captured variables hold, parallel to
	// Fn.FreeVars; nil for what is no func, or not known.
	Held []*Value
}

// String names the function and those that it captures.
func (v *Value) String() string {
	s := v.Fn.String()
	for _, h := range v.Held {
		if h != nil {
			s += " (" + h.String() + ")"
		}
	}
	return s
}

// A field is a field of all structs of a type.
type field struct {
	typ   *types.Struct
	index int
}

// A Flow knows what is assigned to what, and who calls whom.
type Flow struct {
	calls    []ssa.CallInstruction
	callers  map[*ssa.Function][]*ssa.CallCommon
	invokes  map[string][]*ssa.CallCommon // calls of methods of interfaces, by the method's name
	dynamic  typeutil.Map                 // calls of func values, by signature: []*ssa.CallCommon
	taken    map[*ssa.Function]bool       // functions that are values too
	stores   map[ssa.Value][]ssa.Value    // by the variable's address
	captured map[ssa.Value][]*ssa.FreeVar // of closures, by the variable's address
	fields   map[field][]ssa.Value
	maps     map[string][]ssa.Value // values of maps, by the map's type
	chans    map[string][]ssa.Value // what is sent, by the channel's element type
	elems    map[string][]element   // of slices and arrays, by the element's type
	copied   map[string]bool        // whether elements are copied, likewise
	makers   map[*ssa.Function][]*ssa.MakeClosure
	returns  map[*ssa.Function][]*ssa.Return
}

// New reads functions, which should be all of a program's that have bodies.
func New(fns map[*ssa.Function]bool) *Flow {
	f := &Flow{
		callers: map[*ssa.Function][]*ssa.CallCommon{}, invokes: map[string][]*ssa.CallCommon{}, taken: map[*ssa.Function]bool{},
		stores: map[ssa.Value][]ssa.Value{}, captured: map[ssa.Value][]*ssa.FreeVar{}, fields: map[field][]ssa.Value{},
		maps: map[string][]ssa.Value{}, chans: map[string][]ssa.Value{}, elems: map[string][]element{}, copied: map[string]bool{},
		makers: map[*ssa.Function][]*ssa.MakeClosure{}, returns: map[*ssa.Function][]*ssa.Return{},
	}
	for fn := range fns {
		if isTemplate(fn) {
			continue
		}
		for _, b := range fn.Blocks {
			for _, i := range b.Instrs {
				f.add(i)
			}
		}
	}
	return f
}

// isTemplate reports whether a function is, or is written in, a generic one: only
// its instances run.
func isTemplate(fn *ssa.Function) bool {
	for ; fn != nil; fn = fn.Parent() {
		if fn.TypeParams().Len() > len(fn.TypeArgs()) {
			return true
		}
	}
	return false
}

// Calls are the calls in the functions.
func (f *Flow) Calls() []ssa.CallInstruction { return f.calls }

func (f *Flow) add(i ssa.Instruction) {
	f.uses(i)
	switch i := i.(type) {
	case ssa.CallInstruction:
		f.calls = append(f.calls, i)
		f.call(i.Common())
	case *ssa.Store:
		switch a := i.Addr.(type) {
		case *ssa.FieldAddr:
			k := fieldOf(a.X.Type(), a.Field)
			f.fields[k] = append(f.fields[k], i.Val)
		case *ssa.IndexAddr:
			k := elemKey(a.Type())
			f.elems[k] = append(f.elems[k], element{a.X, i.Val})
		default:
			f.stores[i.Addr] = append(f.stores[i.Addr], i.Val)
		}
	case *ssa.MapUpdate:
		k := i.Map.Type().Underlying().String()
		f.maps[k] = append(f.maps[k], i.Value)
	case *ssa.Send:
		k := chanKey(i.Chan)
		f.chans[k] = append(f.chans[k], i.X)
	case *ssa.MakeClosure:
		fn := i.Fn.(*ssa.Function)
		f.makers[fn] = append(f.makers[fn], i)
		for j, b := range i.Bindings {
			f.captured[b] = append(f.captured[b], fn.FreeVars[j])
		}
	case *ssa.Return:
		f.returns[i.Parent()] = append(f.returns[i.Parent()], i)
	}
}

// uses notes the functions that an instruction uses as values.
func (f *Flow) uses(i ssa.Instruction) {
	var buf [8]*ssa.Value
	ops := i.Operands(buf[:0])
	if call, ok := i.(ssa.CallInstruction); ok && !call.Common().IsInvoke() {
		ops = ops[1:] // the callee comes first
	}
	for _, op := range ops {
		if fn, ok := (*op).(*ssa.Function); ok {
			f.taken[fn] = true
		}
	}
}

func (f *Flow) call(c *ssa.CallCommon) {
	if c.IsInvoke() {
		f.invokes[c.Method.Name()] = append(f.invokes[c.Method.Name()], c)
		return
	}
	if callee := c.StaticCallee(); callee != nil {
		f.callers[callee] = append(f.callers[callee], c)
		return
	}
	if b, ok := c.Value.(*ssa.Builtin); ok {
		if b.Name() == "copy" {
			f.copied[c.Args[0].Type().Underlying().(*types.Slice).Elem().String()] = true
		}
		return
	}
	sig := c.Signature()
	calls, _ := f.dynamic.At(sig).([]*ssa.CallCommon)
	f.dynamic.Set(sig, append(calls, c))
}

// arguments are those of all calls that may be of a function: its own, those of
// func values of its type if it is a value, and those of methods of interfaces
// that it implements. There may be others that nobody sees.
func (f *Flow) arguments(fn *ssa.Function) (all [][]ssa.Value) {
	for _, c := range f.callers[fn] {
		all = append(all, c.Args)
	}
	if f.taken[fn] {
		calls, _ := f.dynamic.At(fn.Signature).([]*ssa.CallCommon)
		for _, c := range calls {
			all = append(all, c.Args)
		}
	}
	recv := fn.Signature.Recv()
	if recv == nil {
		return all
	}
	for _, c := range f.invokes[fn.Name()] {
		if i, ok := c.Value.Type().Underlying().(*types.Interface); ok && types.Implements(recv.Type(), i) {
			all = append(all, append([]ssa.Value{c.Value}, c.Args...))
		}
	}
	return all
}

// assigned are the values that a variable is assigned, in its own function and
// in closures that capture it.
func (f *Flow) assigned(addr ssa.Value) []ssa.Value {
	vals := f.stores[addr]
	for _, fv := range f.captured[addr] {
		vals = append(slices.Clip(vals), f.assigned(fv)...)
	}
	return vals
}

func fieldOf(t types.Type, index int) field {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	s, _ := t.Underlying().(*types.Struct)
	return field{s, index}
}

// chanKey names what is sent through a channel.
func chanKey(c ssa.Value) string { return c.Type().Underlying().(*types.Chan).Elem().String() }

// elemKey names the elements that a pointer to one may point to.
func elemKey(pointer types.Type) string { return pointer.Underlying().(*types.Pointer).Elem().String() }

// Values lists the functions that a value may be. whole says that there can be
// no others.
func (f *Flow) Values(v ssa.Value) (all []Value, whole bool) {
	return f.find(func(s *search) { s.value(v) })
}

func (f *Flow) find(start func(*search)) (all []Value, whole bool) {
	s := &search{Flow: f, seen: map[ssa.Value]bool{}, whole: true}
	start(s)
	for _, x := range s.found {
		known := false
		for _, y := range all {
			known = known || y.Fn == x.Fn && y.Bound == x.Bound
		}
		if !known {
			all = append(all, x)
		}
	}
	return all, s.whole
}

// A search is one walk against the flow.
type search struct {
	*Flow
	seen  map[ssa.Value]bool
	found []Value
	whole bool
}

func (s *search) each(vals []ssa.Value) {
	for _, v := range vals {
		s.value(v)
	}
}

func (s *search) value(v ssa.Value) {
	if s.seen[v] {
		return
	}
	s.seen[v] = true
	switch x := v.(type) {
	case *ssa.Const: // nil
	case *ssa.Function:
		s.function(x, nil, x)
	case *ssa.MakeClosure:
		s.function(x.Fn.(*ssa.Function), x.Bindings, x)
	case *ssa.MakeInterface:
		s.value(x.X)
	case *ssa.ChangeType:
		s.value(x.X)
	case *ssa.TypeAssert:
		s.value(x.X)
	case *ssa.Phi:
		s.each(x.Edges)
	case *ssa.UnOp:
		if x.Op == token.MUL {
			s.load(x.X)
		} else { // <-x
			s.each(s.chans[chanKey(x.X)])
		}
	case *ssa.Field:
		s.each(s.fields[fieldOf(x.X.Type(), x.Field)])
	case *ssa.Lookup:
		s.each(s.maps[x.X.Type().Underlying().String()])
	case *ssa.Index:
		s.elements(x.X, x.Type().String())
	case *ssa.Call:
		s.results(x, 0)
	case *ssa.Extract:
		s.extract(x)
	case *ssa.Parameter:
		s.parameter(x)
	case *ssa.FreeVar:
		s.each(s.bound(x))
	default:
		s.whole = false
	}
}

// load follows a variable's address to what is stored there.
func (s *search) load(addr ssa.Value) {
	switch a := addr.(type) {
	case *ssa.FieldAddr:
		s.each(s.fields[fieldOf(a.X.Type(), a.Field)])
	case *ssa.IndexAddr:
		s.elements(a.X, elemKey(a.Type()))
	case *ssa.FreeVar:
		for _, b := range s.bound(a) {
			s.load(b)
		}
	case *ssa.Alloc, *ssa.Global:
		s.each(s.assigned(a))
	default:
		s.whole = false
	}
}

// bound are the values that a free variable is bound to.
func (s *search) bound(fv *ssa.FreeVar) (vals []ssa.Value) {
	for i, v := range fv.Parent().FreeVars {
		if v != fv {
			continue
		}
		for _, m := range s.makers[fv.Parent()] {
			vals = append(vals, m.Bindings[i])
		}
	}
	return vals
}

func (s *search) extract(x *ssa.Extract) {
	switch t := x.Tuple.(type) {
	case *ssa.Call:
		s.results(t, x.Index)
	case *ssa.Lookup:
		s.value(t)
	case *ssa.TypeAssert:
		s.value(t)
	case *ssa.UnOp: // v, ok := <-ch
		s.value(t)
	case *ssa.Next: // range over a map
		if r, ok := t.Iter.(*ssa.Range); ok && x.Index == 2 {
			s.each(s.maps[r.X.Type().Underlying().String()])
			return
		}
		s.whole = false
	default:
		s.whole = false
	}
}

// results are the i-th results of what is called. Functions of another type than
// the one called are those that an interface held as well.
func (s *search) results(c *ssa.Call, i int) {
	callees, whole := []Value{}, false
	if fn := c.Call.StaticCallee(); fn != nil {
		callees, whole = []Value{{Fn: fn}}, true
	} else if !c.Call.IsInvoke() {
		callees, whole = s.Values(c.Call.Value)
		callees = slices.DeleteFunc(callees, func(v Value) bool { return v.Fn.Signature.Results().Len() != c.Call.Signature().Results().Len() })
	}
	s.whole = s.whole && whole
	for _, v := range callees {
		if len(v.Fn.Blocks) == 0 {
			s.whole = false
		}
		for _, r := range s.returns[v.Fn] {
			s.value(r.Results[i])
		}
	}
}

// parameter are the arguments of all calls. A function that is called in ways
// that nobody sees may get others.
func (s *search) parameter(p *ssa.Parameter) {
	fn := p.Parent()
	calls := s.arguments(fn)
	for i, q := range fn.Params {
		if q != p {
			continue
		}
		for _, args := range calls {
			s.value(args[i])
		}
	}
	if len(calls) == 0 {
		s.whole = false
	}
}

// function adds a function: a method's wrapper as the method that it wraps.
func (s *search) function(fn *ssa.Function, bindings []ssa.Value, site ssa.Value) {
	v := Value{Fn: fn, Bindings: bindings, Site: site}
	m, isMethod := fn.Object().(*types.Func)
	switch {
	case fn.Parent() != nil:
	case !isMethod || m.Signature().Recv() == nil:
	case len(bindings) == 1: // x.M
		v.Bound, v.Recv = true, bindings[0].Type()
	default: // T.M
		v.Recv = fn.Signature.Params().At(0).Type()
		if r := fn.Signature.Recv(); r != nil {
			v.Recv = r.Type()
		}
	}
	if v.Recv != nil {
		if types.IsInterface(v.Recv) {
			s.whole = false
			return
		}
		v.Bindings = nil
	}
	s.found = append(s.found, v)
}
