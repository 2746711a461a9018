package target

import "github.com/llir/llvm/ir/types"

// An Agg is a struct or array value kept as its elements, so that taking it
// apart costs no instruction. It becomes an LLVM value only where one is
// needed: as an operand. Slices, strings, complex numbers and small structs
// live in this form.
type Agg struct {
	Typ   Type
	Elems []Value
}

// NewAgg is the struct value of the elements.
func NewAgg(elems ...Value) *Agg {
	ts := make([]Type, len(elems))
	for i, e := range elems {
		ts[i] = e.Type()
	}
	return &Agg{Struct(ts...), elems}
}

// Type is the aggregate's type.
func (a *Agg) Type() types.Type { return a.Typ }

// Ident must not be called: Builder.Emit flattens aggregates.
func (a *Agg) Ident() string { panic("target: aggregate used before it was flattened") }

func (a *Agg) String() string { return a.Ident() }

// Flat makes an LLVM value of v if it is an Agg.
func (b *Builder) Flat(v Value) Value {
	a, ok := v.(*Agg)
	if !ok {
		return v
	}
	var out Value = Poison(a.Typ)
	for i, e := range a.Elems {
		out = b.Insert(out, e, i)
	}
	return out
}

// Elem is element i of an aggregate in either form.
func (b *Builder) Elem(v Value, i int) Value {
	switch v := v.(type) {
	case *Agg:
		return v.Elems[i]
	case *Const:
		if v.Text == "zeroinitializer" {
			return Zero(ElemType(v.Typ, i))
		}
	}
	return b.Extract(v, i)
}
