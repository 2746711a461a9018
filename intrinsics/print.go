package intrinsics

import (
	"go/constant"
	"go/types"
	"strings"

	"heddle/internal/abi"
	"heddle/internal/ops"
	"heddle/internal/target"
)

// printRows are what tells the user of a thread.
func printRows() map[string]Row {
	return map[string]Row{
		dsl + "Printf": {
			Facts: ops.Facts{Effect: ops.Writes}, Variadic: true, Const: []int{0},
			Check: checkPrintf, Lower: lowerPrintf,
		},
		dsl + "Assert": {
			Facts: ops.Facts{Effect: ops.Pure, Panics: true}, Const: []int{1},
			Lower: func(c *Call) target.Value {
				if c.PanicIf == nil {
					return None
				}
				text := "assertion failed: " + constant.StringVal(c.Consts[1])
				c.PanicIf(c.B.Not(c.Args[0]), strings.ReplaceAll(text, "%", "%%"))
				return None
			},
		},
	}
}

// maxPrinted is the most words that the arguments of a call may take: they are parameters
// of a function.
const maxPrinted = 24

// checkPrintf judges the format and the arguments as go vet does, and what of package fmt
// needs more than an argument's bits.
func checkPrintf(s *Site) (msg, hint string) {
	if s.Consts[0] == nil {
		return "the format depends on the processor", "call Printf with another constant in each branch"
	}
	args := make([]printed, len(s.ArgTypes)-1)
	words := 0
	for i := range args {
		a := printedAs(s.ArgTypes[i+1], s.Consts[i+1])
		if a.why != "" {
			return "argument " + ordinal(i) + " is " + a.why, a.hint
		}
		args[i] = a
		words += (&abi.PrintArg{Kind: a.kind}).Words()
	}
	if words > maxPrinted {
		return "it prints more than 24 numbers", "print them in two calls"
	}
	_, msg, hint = readFormat(constant.StringVal(s.Consts[0]), args)
	return msg, hint
}

// A printed is an argument of Printf as the host sees it.
type printed struct {
	kind  string // abi.PrintArg's
	class printClass
	name  string // of its type, for messages
	// methods of package fmt that its type has
	methods map[string]bool
	why     string // it cannot be printed
	hint    string
}

// printedAs says how an argument is printed. value is that of a constant.
func printedAs(t types.Type, value constant.Value) printed {
	p := printed{name: types.TypeString(t, (*types.Package).Name), methods: fmtMethods(t)}
	refused := func(why, hint string) printed { return printed{why: why + " (" + p.name + ")", hint: hint} }
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch info := u.Info(); {
		case u.Kind() == types.UnsafePointer:
			p.kind, p.class = "uintptr", printsPointer
		case info&types.IsString != 0:
			p.kind, p.class = "string", printsString
			if value == nil {
				return refused("a string that is no constant", "call Printf with a constant string in each branch")
			}
		case info&types.IsInteger != 0:
			p.kind, p.class = u.Name(), printsInt
		case info&types.IsFloat != 0:
			p.kind, p.class = u.Name(), printsFloat
		case info&types.IsComplex != 0:
			p.kind, p.class = u.Name(), printsFloat
		case info&types.IsBoolean != 0:
			p.kind, p.class = u.Name(), printsBool
		default:
			return refused("untyped nil", "print a pointer that is nil")
		}
		switch p.kind {
		case "byte":
			p.kind = "uint8"
		case "rune":
			p.kind = "int32"
		}
	case *types.Pointer, *types.Slice:
		p.kind, p.class = "uintptr", printsPointer
	case *types.Interface:
		return refused("an interface", "print a value of a known type")
	case *types.Struct:
		hint := "print its fields"
		if TypeOf(packageOf(t), nameOf(t)) != nil {
			hint = "convert it to a number first"
		}
		return refused("a struct", hint)
	case *types.Array:
		return refused("an array", "print its elements")
	default:
		return refused("no number", "print numbers, bools, constant strings and pointers")
	}
	return p
}

func packageOf(t types.Type) string {
	if n, ok := types.Unalias(t).(*types.Named); ok && n.Obj().Pkg() != nil {
		return n.Obj().Pkg().Path()
	}
	return ""
}

func nameOf(t types.Type) string {
	if n, ok := types.Unalias(t).(*types.Named); ok {
		return n.Obj().Name()
	}
	return ""
}

// fmtMethods are the methods of a type that package fmt would call.
func fmtMethods(t types.Type) map[string]bool {
	found := map[string]bool{}
	set := types.NewMethodSet(t)
	for _, name := range []string{"Format", "GoString", "Error", "String"} {
		if set.Lookup(nil, name) != nil {
			found[name] = true
		}
	}
	return found
}

// lowerPrintf hands the arguments on as words.
func lowerPrintf(c *Call) target.Value {
	var p abi.Print
	var args []printed
	var words []target.Value
	for i, v := range c.Args[1:] {
		t, value := c.ArgTypes[i+1], c.Consts[i+1]
		args = append(args, printedAs(t, value))
		a := abi.PrintArg{Kind: args[i].kind}
		if a.Kind == "string" {
			a.Text = constant.StringVal(value)
		} else {
			words = append(words, wordsOf(c.B, v, t)...)
		}
		p.Args = append(p.Args, a)
	}
	p.Format, _, _ = readFormat(constant.StringVal(c.Consts[0]), args)
	c.Print(p, words)
	return None
}

// wordsOf are the bits of a value.
func wordsOf(b *target.Builder, v target.Value, t types.Type) []target.Value {
	switch u := t.Underlying().(type) {
	case *types.Slice:
		return []target.Value{b.Cast("ptrtoint", b.Elem(v, 0), target.I64)}
	case *types.Basic:
		switch info := u.Info(); {
		case info&types.IsComplex != 0:
			return []target.Value{b.IntCast(asInt(b, b.Elem(v, 0)), target.I64, false), b.IntCast(asInt(b, b.Elem(v, 1)), target.I64, false)}
		case info&types.IsBoolean != 0:
			return []target.Value{b.Cast("zext", v, target.I64)}
		case info&(types.IsInteger|types.IsFloat) != 0:
			return []target.Value{b.IntCast(asInt(b, v), target.I64, info&types.IsInteger != 0 && info&types.IsUnsigned == 0)}
		}
	}
	return []target.Value{b.Cast("ptrtoint", v, target.I64)}
}
