package intrinsics

import (
	"fmt"
	"go/constant"
	"go/types"
	"strings"

	"heddle/internal/abi"
	"heddle/internal/ops"
	"heddle/internal/target"
)

// asmRows are inline assembly.
func asmRows() map[string]Row {
	row := func(effect ops.Effect, together ops.Extent) Row {
		return Row{
			Facts: ops.Facts{Effect: effect, Together: together}, Variadic: true, Const: []int{0, 1},
			Check: checkAsm, Needs: needsGPU,
			Lower: func(c *Call) target.Value { return lowerAsm(c, effect != ops.Pure) },
		}
	}
	return map[string]Row{dsl + "Asm": row(ops.Pure, ops.Thread), dsl + "AsmVolatile": row(ops.Orders, ops.Warp)}
}

func needsGPU(m *target.Machine) string {
	if m.Kind == abi.Native {
		return "a GPU"
	}
	return ""
}

// checkAsm judges the operands: as many as there are constraints, of types that registers hold.
func checkAsm(s *Site) (msg, hint string) {
	results := 1
	if sizeless(s.TypeArgs[0]) {
		results = 0
	} else if !inRegister(s.TypeArgs[0]) {
		return "its result is " + s.TypeArgs[0].String(), "make it a number, or struct{} for none"
	}
	for i, t := range s.ArgTypes[2:] {
		if !inRegister(t) {
			return fmt.Sprintf("argument %d is %s", i+3, t), "pass numbers and pointers"
		}
	}
	if s.Consts[1] == nil {
		return "", "" // it depends on the machine
	}
	outs, ins := 0, 0
	for c := range strings.SplitSeq(constant.StringVal(s.Consts[1]), ",") {
		switch {
		case c == "":
		case strings.HasPrefix(c, "="):
			if ins > 0 {
				return "a result stands behind an operand in the constraints", "put it first"
			}
			outs++
		case !strings.HasPrefix(c, "~"):
			ins++
		}
	}
	const usage = "want one for the result, if there is one, as =v or =r, then one for each argument, then what is changed, as ~{memory}"
	if outs != results {
		return fmt.Sprintf("the constraints have %d results, the call %d", outs, results), usage
	}
	if args := len(s.ArgTypes) - 2; ins != args {
		return fmt.Sprintf("the constraints have %d operands, the call %d", ins, args), usage
	}
	return "", ""
}

func sizeless(t types.Type) bool {
	s, ok := t.Underlying().(*types.Struct)
	return ok && s.NumFields() == 0
}

// inRegister reports whether a value of type t is one register's, or one pair's.
func inRegister(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Info()&(types.IsInteger|types.IsFloat) != 0 || u.Kind() == types.UnsafePointer
	case *types.Pointer:
		return true
	}
	return false
}

func lowerAsm(c *Call, volatile bool) target.Value {
	t, none := target.Type(target.Void), sizeless(c.TypeArgs[0])
	if !none {
		t = c.Lower(c.TypeArgs[0])
	}
	// Each line ends in a comment with the place: an assembler's error shows the line.
	text := strings.ReplaceAll(asmText(constant.StringVal(c.Consts[0])), "\n", " // "+c.Pos+"\n") + " // " + c.Pos
	v := c.B.Asm(t, text, constant.StringVal(c.Consts[1]), volatile, c.Args[2:]...)
	if none {
		return target.NewAgg()
	}
	return v
}

// asmText is a text with HIP's %0 and %% as LLVM has it: with $0, and with $$ for a dollar sign.
func asmText(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '$':
			b.WriteString("$$")
		case c == '%' && i+1 < len(text) && text[i+1] == '%':
			b.WriteByte('%')
			i++
		case c == '%' && i+1 < len(text) && '0' <= text[i+1] && text[i+1] <= '9':
			b.WriteByte('$')
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}
