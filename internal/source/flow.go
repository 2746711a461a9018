package source

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// This file tells which functions a func value of a whole program may be. It
// looks at what is assigned anywhere, in whatever order: it finds too much
// rather than too little.

// A value is a function that a func value may be.
type value struct {
	fn       *ssa.Function // with a body, or declared in another package; of a method value the method
	bindings []ssa.Value   // of a closure's free variables
	recv     types.Type    // of a method value or a method expression
	bound    bool          // it is a method value
	site     ssa.Value     // what makes it: the same closure where this is the same
	// held are the functions that captured variables hold, parallel to
	// fn.FreeVars; nil for what is no func, or not known.
	held []*value
}

// String names the function and those that it captures.
func (v *value) String() string {
	s := v.fn.String()
	for _, h := range v.held {
		if h != nil {
			s += " (" + h.String() + ")"
		}
	}
	return s
}

// maxChoices is how many combinations of captured functions a closure may have.
const maxChoices = 64

// choices are the values that v may be, one for each combination of functions
// that its variables of func type may hold, depth captured functions deep.
func (f *flow) choices(v value, depth int) []value {
	all := []value{v}
	for i, fv := range v.fn.FreeVars {
		t := fv.Type()
		if p, ok := t.Underlying().(*types.Pointer); ok {
			t = p.Elem()
		}
		if _, ok := t.Underlying().(*types.Signature); !ok || i >= len(v.bindings) || depth == 0 {
			continue
		}
		holds, _ := f.variable(v.bindings[i])
		var held []value
		for _, h := range holds {
			held = append(held, f.choices(h, depth-1)...)
		}
		if len(held) == 0 || len(held)*len(all) > maxChoices {
			continue // not known
		}
		var more []value
		for _, a := range all {
			for j := range held {
				b := a
				b.held = make([]*value, len(v.fn.FreeVars))
				copy(b.held, a.held)
				b.held[i] = &held[j]
				more = append(more, b)
			}
		}
		all = more
	}
	return all
}

// variable lists the functions that a captured variable, by its binding, may
// hold: the binding is the variable's address, or its value.
func (f *flow) variable(binding ssa.Value) (all []value, whole bool) {
	if p, ok := binding.Type().Underlying().(*types.Pointer); ok {
		if _, ok := p.Elem().Underlying().(*types.Signature); ok {
			return f.find(func(s *search) { s.load(binding) })
		}
	}
	return f.values(binding)
}

// A field is a field of all structs of a type.
type field struct {
	typ   *types.Struct
	index int
}

// A flow knows what is assigned to what.
type flow struct {
	calls   []ssa.CallInstruction
	callers map[*ssa.Function][]*ssa.CallCommon
	stores  map[ssa.Value][]ssa.Value // by the variable's address
	fields  map[field][]ssa.Value
	maps    map[string][]ssa.Value // values of maps, by the map's type
	chans   map[string][]ssa.Value // what is sent, by the channel's element type
	elems   map[string][]ssa.Value // of slices and arrays, by the element's type
	makers  map[*ssa.Function][]*ssa.MakeClosure
	returns map[*ssa.Function][]*ssa.Return
}

func newFlow(fns map[*ssa.Function]bool) *flow {
	f := &flow{callers: map[*ssa.Function][]*ssa.CallCommon{}, stores: map[ssa.Value][]ssa.Value{}, fields: map[field][]ssa.Value{},
		maps: map[string][]ssa.Value{}, chans: map[string][]ssa.Value{}, elems: map[string][]ssa.Value{}, makers: map[*ssa.Function][]*ssa.MakeClosure{}, returns: map[*ssa.Function][]*ssa.Return{}}
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

func (f *flow) add(i ssa.Instruction) {
	switch i := i.(type) {
	case ssa.CallInstruction:
		f.calls = append(f.calls, i)
		if callee := i.Common().StaticCallee(); callee != nil {
			f.callers[callee] = append(f.callers[callee], i.Common())
		}
	case *ssa.Store:
		switch a := i.Addr.(type) {
		case *ssa.FieldAddr:
			k := fieldOf(a.X.Type(), a.Field)
			f.fields[k] = append(f.fields[k], i.Val)
		case *ssa.IndexAddr:
			k := elemKey(a.Type())
			f.elems[k] = append(f.elems[k], i.Val)
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
	case *ssa.Return:
		f.returns[i.Parent()] = append(f.returns[i.Parent()], i)
	}
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

// values lists the functions that a value may be. whole says that there can be
// no others.
func (f *flow) values(v ssa.Value) (all []value, whole bool) {
	return f.find(func(s *search) { s.value(v) })
}

func (f *flow) find(start func(*search)) (all []value, whole bool) {
	s := &search{flow: f, seen: map[ssa.Value]bool{}, whole: true}
	start(s)
	for _, x := range s.found {
		known := false
		for _, y := range all {
			known = known || y.fn == x.fn && y.bound == x.bound
		}
		if !known {
			all = append(all, x)
		}
	}
	return all, s.whole
}

// A search is one walk against the flow.
type search struct {
	*flow
	seen  map[ssa.Value]bool
	found []value
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
		s.each(s.elems[x.Type().String()])
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
		s.each(s.elems[elemKey(a.Type())])
	case *ssa.FreeVar:
		for _, b := range s.bound(a) {
			s.load(b)
		}
	case *ssa.Alloc, *ssa.Global:
		s.each(s.stores[a])
		// what closures that capture the variable assign to it
		for fn, makers := range s.makers {
			for _, m := range makers {
				for i, b := range m.Bindings {
					if b == a {
						s.each(s.stores[fn.FreeVars[i]])
					}
				}
			}
		}
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
	callees, whole := []value{}, false
	if fn := c.Call.StaticCallee(); fn != nil {
		callees, whole = []value{{fn: fn}}, true
	} else if !c.Call.IsInvoke() {
		callees, whole = s.values(c.Call.Value)
		callees = slices.DeleteFunc(callees, func(v value) bool { return v.fn.Signature.Results().Len() != c.Call.Signature().Results().Len() })
	}
	s.whole = s.whole && whole
	for _, v := range callees {
		if len(v.fn.Blocks) == 0 {
			s.whole = false
		}
		for _, r := range s.returns[v.fn] {
			s.value(r.Results[i])
		}
	}
}

// parameter are the arguments of all calls. A function that is called in ways
// that nobody sees may get others.
func (s *search) parameter(p *ssa.Parameter) {
	fn := p.Parent()
	for i, q := range fn.Params {
		if q != p {
			continue
		}
		for _, c := range s.callers[fn] {
			s.value(c.Args[i])
		}
	}
	if len(s.callers[fn]) == 0 {
		s.whole = false
	}
}

// function adds a function: a method's wrapper as the method that it wraps.
func (s *search) function(fn *ssa.Function, bindings []ssa.Value, site ssa.Value) {
	v := value{fn: fn, bindings: bindings, site: site}
	m, isMethod := fn.Object().(*types.Func)
	switch {
	case fn.Parent() != nil:
	case !isMethod || m.Signature().Recv() == nil:
	case len(bindings) == 1: // x.M
		v.bound, v.recv = true, bindings[0].Type()
	default: // T.M
		v.recv = fn.Signature.Params().At(0).Type()
		if r := fn.Signature.Recv(); r != nil {
			v.recv = r.Type()
		}
	}
	if v.recv != nil {
		if types.IsInterface(v.recv) {
			s.whole = false
			return
		}
		v.bindings = nil
	}
	s.found = append(s.found, v)
}
