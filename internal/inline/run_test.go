package inline

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A value is an integer, or the integers of a structure.
type value []int64

// A pointer is to a part of a variable.
type pointer struct {
	of       []int64
	at, size int
}

// An execution runs a function of integers and structures of these, and what it calls; it panics at what it does not know.
type execution struct {
	vals     map[ssa.Value]value
	pointers map[ssa.Value]pointer
	several  map[ssa.Value][]value
}

// run executes a function of integers.
func run(fn *ssa.Function, args []int64) (results []int64) {
	e := execution{map[ssa.Value]value{}, map[ssa.Value]pointer{}, map[ssa.Value][]value{}}
	for i, p := range fn.Params {
		e.vals[p] = value{args[i]}
	}
	for _, r := range e.run(fn) {
		results = append(results, r...)
	}
	return results
}

// size is how many integers a type has.
func size(t types.Type) (n int) {
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return 1
	}
	for i := range s.NumFields() {
		n += size(s.Field(i).Type())
	}
	return n
}

// offset is how many integers lie before a field.
func offset(t types.Type, field int) (n int) {
	for i := range field {
		n += size(t.Underlying().(*types.Struct).Field(i).Type())
	}
	return n
}

func (e *execution) get(v ssa.Value) value {
	if c, ok := v.(*ssa.Const); ok {
		switch {
		case c.Value == nil:
			return make(value, size(c.Type()))
		case c.Value.Kind() == constant.Bool && constant.BoolVal(c.Value):
			return value{1}
		case c.Value.Kind() == constant.Bool:
			return value{0}
		}
		return value{c.Int64()}
	}
	x, ok := e.vals[v]
	if !ok {
		panic(v.Name() + " has not been computed")
	}
	return x
}

func (e *execution) run(fn *ssa.Function) []value {
	var from *ssa.BasicBlock
	for b := fn.Blocks[0]; ; {
		next := map[ssa.Value]value{}
		for _, i := range b.Instrs {
			if phi, ok := i.(*ssa.Phi); ok {
				next[phi] = e.get(phi.Edges[slices.Index(b.Preds, from)])
			}
		}
		for v, x := range next {
			e.vals[v] = x
		}
		to := from
		for _, i := range b.Instrs {
			switch i := i.(type) {
			case *ssa.If:
				to = b.Succs[1-e.get(i.Cond)[0]]
			case *ssa.Jump:
				to = b.Succs[0]
			case *ssa.Return:
				var results []value
				for _, r := range i.Results {
					results = append(results, e.get(r))
				}
				return results
			default:
				e.step(i)
			}
		}
		from, b = b, to
	}
}

// step executes what goes on to the next instruction.
func (e *execution) step(i ssa.Instruction) {
	switch i := i.(type) {
	case *ssa.Phi, *ssa.DebugRef:
	case *ssa.BinOp:
		e.vals[i] = value{binary(i.Op, e.get(i.X)[0], e.get(i.Y)[0])}
	case *ssa.Convert:
		x := e.get(i.X)[0]
		if i.Type().String() == "int8" {
			x = int64(int8(x))
		}
		e.vals[i] = value{x}
	case *ssa.Call:
		called := execution{map[ssa.Value]value{}, map[ssa.Value]pointer{}, map[ssa.Value][]value{}}
		fn := i.Call.StaticCallee()
		for k, a := range i.Call.Args {
			if p, ok := e.pointers[a]; ok {
				called.pointers[fn.Params[k]] = p
			} else {
				called.vals[fn.Params[k]] = e.get(a)
			}
		}
		e.several[i] = called.run(fn)
		if len(e.several[i]) > 0 {
			e.vals[i] = e.several[i][0]
		}
	case *ssa.Extract:
		e.vals[i] = e.several[i.Tuple][i.Index]
	case *ssa.Alloc:
		n := size(i.Type().(*types.Pointer).Elem())
		e.pointers[i] = pointer{make([]int64, n), 0, n}
	case *ssa.FieldAddr:
		p, t := e.pointers[i.X], i.X.Type().(*types.Pointer).Elem()
		e.pointers[i] = pointer{p.of, p.at + offset(t, i.Field), size(i.Type().(*types.Pointer).Elem())}
	case *ssa.Field:
		at := offset(i.X.Type(), i.Field)
		e.vals[i] = e.get(i.X)[at : at+size(i.Type())]
	case *ssa.UnOp:
		if i.Op != token.MUL {
			panic(i.String())
		}
		p := e.pointers[i.X]
		e.vals[i] = slices.Clone(value(p.of[p.at : p.at+p.size]))
	case *ssa.Store:
		p := e.pointers[i.Addr]
		copy(p.of[p.at:p.at+p.size], e.get(i.Val))
	default:
		panic(i.String())
	}
}

func binary(op token.Token, x, y int64) int64 {
	truth := map[bool]int64{true: 1}
	switch op {
	case token.ADD:
		return x + y
	case token.SUB:
		return x - y
	case token.MUL:
		return x * y
	case token.LSS:
		return truth[x < y]
	case token.GTR:
		return truth[x > y]
	case token.EQL:
		return truth[x == y]
	case token.LEQ:
		return truth[x <= y]
	case token.GEQ:
		return truth[x >= y]
	}
	panic(op.String())
}
