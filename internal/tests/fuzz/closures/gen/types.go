package main

import (
	"fmt"
	"strings"
)

type class int

const (
	boolean class = iota
	integer
	floating
	complexNum
	structure
	array
	text
	function // func(uint64) uint64
	opaque   // a type parameter of which only the method Get is known
)

// A typ is a type of the generated program.
type typ struct {
	name    string // as it is written
	class   class
	bits    int // of a complex number's parts
	elem    *typ
	len     int // of an array
	fields  []field
	named   bool     // declared at package level
	param   bool     // a type parameter
	gt      *generic // it is an instance, for arg
	arg     *typ
	methods bool // it has Get(uint64) uint64 and, through a pointer, Ptr(uint64) uint64
}

type field struct {
	name string
	typ  *typ
}

var (
	boolT  = &typ{name: "bool", class: boolean}
	u64T   = &typ{name: "uint64", class: integer}
	intT   = &typ{name: "int", class: integer}
	i16T   = &typ{name: "int16", class: integer}
	i32T   = &typ{name: "int32", class: integer}
	u32T   = &typ{name: "uint32", class: integer}
	f32T   = &typ{name: "float32", class: floating}
	f64T   = &typ{name: "float64", class: floating}
	fnT    = &typ{name: "func(uint64) uint64", class: function}
	emptyT = &typ{name: "struct{}", class: structure}
	textT  = &typ{name: "string", class: text} // of variables only: a struct that holds one cannot cross

	integerTypes = []*typ{
		intT, i32T, u32T, u64T, i16T,
		{name: "int8", class: integer}, {name: "int64", class: integer}, {name: "uint8", class: integer},
	}
	basicTypes = append([]*typ{
		boolT, boolT, f64T, f32T,
		{name: "complex64", class: complexNum, bits: 32}, {name: "complex128", class: complexNum, bits: 64},
	}, integerTypes...)
)

func arrayOf(n int, t *typ) *typ {
	return &typ{name: fmt.Sprintf("[%d]%s", n, t.name), class: array, elem: t, len: n}
}

func structOf(fields []field) *typ {
	var all []string
	for _, f := range fields {
		all = append(all, f.name+" "+f.typ.name)
	}
	return &typ{name: "struct { " + strings.Join(all, "; ") + " }", class: structure, fields: fields}
}

// scalars is how many scalars a value has.
func (t *typ) scalars() int {
	n := 0
	for _, f := range t.fields {
		n += f.typ.scalars()
	}
	if t.elem != nil {
		n = t.len * t.elem.scalars()
	}
	if t.fields == nil && t.elem == nil {
		n = 1
	}
	return n
}

// comparable reports whether == is defined for the type, and cheap.
func (t *typ) comparable() bool {
	ok := t.scalars() <= 16 && t.class != function && t.class != opaque && (t.elem == nil || t.elem.comparable())
	for _, f := range t.fields {
		ok = ok && f.typ.comparable()
	}
	return ok
}

// rename is t with the names of its parts replaced: named types by what f says.
func (t *typ) rename(f func(*typ) *typ) *typ {
	if r := f(t); r != nil {
		return r
	}
	switch {
	case t.gt != nil:
		return t.gt.of(t.arg.rename(f))
	case t.class == array && !t.named:
		return arrayOf(t.len, t.elem.rename(f))
	case t.class == structure && !t.named:
		return structOf(renamed(t.fields, f))
	}
	return t
}

func renamed(fields []field, f func(*typ) *typ) []field {
	var all []field
	for _, x := range fields {
		all = append(all, field{x.name, x.typ.rename(f)})
	}
	return all
}

// exported is a type of package lib as other packages write it.
func exported(t *typ) *typ {
	return t.rename(func(t *typ) *typ {
		switch {
		case t.gt != nil:
			return exportedGeneric(t.gt).of(exported(t.arg))
		case !t.named:
			return nil
		}
		c := *t
		c.name, c.fields = "lib."+t.name, exportedFields(t.fields)
		if t.elem != nil {
			c.elem = exported(t.elem)
		}
		return &c
	})
}

func exportedFields(fields []field) (all []field) {
	for _, f := range fields {
		all = append(all, field{f.name, exported(f.typ)})
	}
	return all
}

func exportedGeneric(gt *generic) *generic {
	return &generic{"lib." + gt.name, gt.param, exportedFields(gt.fields)}
}

// A generic is a generic struct type with one parameter.
type generic struct {
	name   string
	param  *typ
	fields []field
}

// of is the generic type's instance for an argument.
func (gt *generic) of(arg *typ) *typ {
	fields := renamed(gt.fields, func(t *typ) *typ {
		if t == gt.param {
			return arg
		}
		return nil
	})
	return &typ{name: gt.name + "[" + arg.name + "]", class: structure, fields: fields, named: true, methods: true, gt: gt, arg: arg}
}

// varType is a random type of a variable.
func (g *gen) varType() *typ {
	if g.IntN(15) == 0 {
		return textT
	}
	return g.plainType(2)
}

// maxScalars bounds the size of types: of larger ones the compiler would have to
// unroll thousands of loads.
const maxScalars = 48

// plainType is a random type without funcs and strings.
func (g *gen) plainType(deep int) *typ {
	for {
		if t := g.anyType(deep); t.scalars() <= maxScalars {
			return t
		}
	}
}

func (g *gen) anyType(deep int) *typ {
	switch n := g.IntN(20); {
	case n < 8 || deep <= 0:
		return oneOf(g, basicTypes)
	case n < 11:
		size := 1 + g.IntN(4)
		if deep == 2 && g.IntN(5) == 0 {
			size = 10 + g.IntN(30)
		}
		return arrayOf(size, g.plainType(deep-1))
	case n < 14 && len(g.params) > 0:
		return oneOf(g, g.params)
	case n == 14:
		var fields []field
		for i := range 1 + g.IntN(3) {
			fields = append(fields, field{fmt.Sprintf("F%d", i), g.plainType(deep - 1)})
		}
		return structOf(fields)
	case n == 15 && g.IntN(4) == 0:
		return emptyT
	case n == 16 && len(g.generics) > 0:
		arg := oneOf(g, integerTypes)
		if g.IntN(3) == 0 {
			arg = oneOf(g, g.argTypes(integer))
		}
		return oneOf(g, g.generics).of(arg)
	}
	if len(g.types) == 0 {
		return oneOf(g, basicTypes)
	}
	return oneOf(g, g.types)
}

// argTypes are types with which a type parameter may be instantiated.
func (g *gen) argTypes(c class) (all []*typ) {
	for _, t := range append(append([]*typ{}, basicTypes...), append(g.types, g.params...)...) {
		if c == t.class || c == opaque && t.methods {
			all = append(all, t)
		}
	}
	return all
}

// declareType writes a package-level type with methods.
func (g *gen) declareType() {
	t := &typ{name: g.top("T"), named: true, methods: true}
	var def string
	switch n := g.IntN(10); {
	case n < 3:
		of := oneOf(g, basicTypes)
		t.class, t.bits, def = of.class, of.bits, of.name
	case n == 3:
		of := arrayOf(1+g.IntN(4), g.plainType(1))
		t.class, t.elem, t.len, def = array, of.elem, of.len, of.name
	default:
		for i := range 1 + g.IntN(4) {
			if f := g.plainType(2); t.scalars()+f.scalars() <= maxScalars {
				t.fields = append(t.fields, field{fmt.Sprintf("F%d", i), f})
			}
		}
		def = structOf(t.fields).name
		t.class = structure
	}
	fmt.Fprintf(&g.decls, "type %s %s\n\n", t.name, def)
	g.getter(t, t.name)
	g.types = append(g.types, t)
}

// declareGeneric writes a generic struct type.
func (g *gen) declareGeneric() {
	gt := &generic{name: g.top("G"), param: &typ{name: "E", class: integer, param: true}}
	gt.fields = []field{{"V", gt.param}}
	g.params = []*typ{gt.param}
	for i := range 1 + g.IntN(3) {
		gt.fields = append(gt.fields, field{fmt.Sprintf("W%d", i), g.plainType(1)})
	}
	fmt.Fprintf(&g.decls, "type %s[E run.Integer] %s\n\n", gt.name, structOf(gt.fields).name)
	t := gt.of(gt.param)
	g.getter(t, t.name)
	g.params = nil
	g.generics = append(g.generics, gt)
}

// getter writes the methods Get and Ptr.
func (g *gen) getter(t *typ, recv string) {
	t.methods = false // they do not call themselves
	defer func() { t.methods = true }()
	for _, m := range []string{"(r %s) Get(k uint64) uint64 {\n", "(p *%s) Ptr(k uint64) uint64 {\nr := *p\n_ = r\n"} {
		g.fresh(func() {
			g.device, g.budget = true, g.IntN(2)
			g.add("r", t)
			g.floor = len(g.vars)
			g.add("k", u64T)
			g.printf("h := k * %d\n", g.id())
			g.hasH = true
			g.read(g.vars[0])
			g.stmts()
			g.printf("return h\n")
			fmt.Fprintf(&g.decls, "func "+m+"%s}\n\n", recv, g.buf.String())
		})
	}
}
