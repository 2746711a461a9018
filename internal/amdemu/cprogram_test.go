package amdemu_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// This file makes random C: functions over integers, floats and short vectors of all
// widths that have one meaning on every processor (no undefined behaviour; NaNs
// without a sign; no number of which rounding is left to the compiler).

// A ctype is a type of these programs: a scalar, or a vector of n of them.
type ctype struct {
	name, of string // of: the scalar's name
	bits, n  int
	float    bool
}

func (c ctype) unsigned() string { return "u" + c.name[1:] }

var ctypes = func() (all []ctype) {
	for _, bits := range []int{8, 16, 32, 64} {
		for _, sign := range []string{"i", "u"} {
			name := fmt.Sprint(sign, bits)
			all = append(all, ctype{name, name, bits, 1, false})
		}
	}
	for _, bits := range []int{16, 32, 64} {
		name := fmt.Sprint("f", bits)
		all = append(all, ctype{name, name, bits, 1, true})
	}
	for _, v := range []struct {
		of      string
		bits, n int
	}{{"i8", 8, 4}, {"u8", 8, 4}, {"i16", 16, 2}, {"u16", 16, 2}, {"i32", 32, 2}, {"u32", 32, 2}, {"f16", 16, 2}, {"f16", 16, 4}, {"f32", 32, 2}} {
		all = append(all, ctype{fmt.Sprintf("%sx%d", v.of, v.n), v.of, v.bits, v.n, v.of[0] == 'f'})
	}
	return all
}()

// cslots is how many words of 64 bits a thread reads and writes: two variables of each type.
var cslots = 2 * len(ctypes)

// A cwriter writes one program.
type cwriter struct {
	*rand.Rand
	strings.Builder
	loops int
}

// cprogram is a program with the kernel "all" for AMDGPU and main for the host, which
// maps its standard input to its output.
func cprogram(seed uint64, functions int) string {
	w := &cwriter{Rand: rand.New(rand.NewPCG(seed, 1))}
	w.WriteString(cprelude())
	for i := range functions {
		fmt.Fprintf(w, "static void f%d(GLOBAL u64 *p)\n{\n", i)
		w.variables(func(c ctype, name string, slot int) {
			parts := make([]string, c.n)
			for j := range parts {
				parts[j] = fmt.Sprintf("in_%s(p[%d] >> %d)", c.of, slot, j*c.bits%64)
			}
			fmt.Fprintf(w, "  %s %s = {%s};\n", c.name, name, strings.Join(parts, ", "))
		})
		w.statements(8+w.IntN(10), 2)
		w.variables(func(c ctype, name string, slot int) {
			parts := []string{fmt.Sprintf("out_%s(%s)", c.of, name)}
			if c.n > 1 {
				parts = nil
			}
			for j := 0; j < c.n && c.n > 1; j++ {
				parts = append(parts, fmt.Sprintf("(out_%s(%s[%d]) << %d)", c.of, name, j, j*c.bits%64))
			}
			fmt.Fprintf(w, "  p[%d] = %s;\n", slot, strings.Join(parts, " ^ "))
		})
		w.WriteString("}\n")
	}
	var calls strings.Builder
	for i := range functions {
		fmt.Fprintf(&calls, "f%d(p + (t * %d + %d) * %d); ", i, functions, i, cslots)
	}
	fmt.Fprintf(w, cmain, calls.String(), calls.String(), functions*cslots)
	return w.String()
}

const cmain = `
#ifdef __AMDGCN__
__attribute__((amdgpu_kernel, visibility("protected"))) void all(GLOBAL u64 *p) {
  u32 t = __builtin_amdgcn_workgroup_id_x() * 64 + __builtin_amdgcn_workitem_id_x(); %s
}
#else
int main(void) {
  static u64 buf[1 << 20], *p = buf;
  u64 n = fread(p, 8, 1 << 20, stdin);
  for (u32 t = 0; t < 128; t++) { %s }
  return fwrite(p, 8, n, stdout) != n || n != 128 * %d;
}
#endif
`

// variables goes through them.
func (w *cwriter) variables(f func(c ctype, name string, slot int)) {
	for i, c := range ctypes {
		for k := range 2 {
			f(c, fmt.Sprintf("%s_%d", c.name, k), 2*i+k)
		}
	}
}

func oneOf[T any](w *cwriter, list ...T) T { return list[w.IntN(len(list))] }

// kind is a type of those that pass.
func (w *cwriter) kind(pass func(c ctype) bool) ctype {
	for {
		if c := oneOf(w, ctypes...); pass == nil || pass(c) {
			return c
		}
	}
}

func named(name string) ctype {
	return ctypes[slices.IndexFunc(ctypes, func(c ctype) bool { return c.name == name })]
}

func isInt(c ctype) bool    { return c.n == 1 && !c.float }
func isFloat(c ctype) bool  { return c.n == 1 && c.float }
func isScalar(c ctype) bool { return c.n == 1 }

func (w *cwriter) statements(n, depth int) {
	for range n {
		switch k := w.IntN(100); {
		case depth > 0 && k < 12:
			fmt.Fprintf(w, "if %s {\n", w.condition(2))
			w.statements(1+w.IntN(3), depth-1)
			w.WriteString("} else {\n")
			w.statements(w.IntN(3), depth-1)
			w.WriteString("}\n")
		case depth > 0 && k < 18:
			w.loops++
			fmt.Fprintf(w, "for (u32 l%d = 0; l%d < (%s & 3); l%d++) {\n", w.loops, w.loops, "u32_0", w.loops)
			w.statements(1+w.IntN(3), depth-1)
			w.WriteString("u32_0 >>= 1; }\n")
		default:
			c := w.kind(nil)
			fmt.Fprintf(w, "  %s_%d = %s;\n", c.name, w.IntN(2), w.expression(c, 2+w.IntN(2)))
		}
	}
}

func (w *cwriter) condition(depth int) string {
	c := w.kind(isScalar)
	return fmt.Sprintf("(%s %s %s)", w.expression(c, depth-1), oneOf(w, "<", ">", "<=", ">=", "==", "!="), w.expression(c, depth-1))
}

// literal is a constant, edges often.
func (w *cwriter) literal(c ctype) string {
	switch {
	case !c.float:
		v := oneOf(w, 0, 1, 2, 3, 5, 7, 10, 100, ^uint64(0), 1<<(c.bits-1), 1<<(c.bits-1)-1, w.Uint64())
		return fmt.Sprintf("((%s)(%s)%dull)", c.name, c.of, v)
	case c.bits == 16:
		return fmt.Sprintf("((%s)(f16)%s)", c.name, oneOf(w, "0.5f", "1.0f", "-2.0f", "3.0f", "0.25f", "100.0f", "65504.0f"))
	case c.bits == 32:
		return fmt.Sprintf("((%s)%s)", c.name, oneOf(w, "0.5f", "1.0f", "-2.0f", "3.1415927f", "1e10f", "-1e-30f", "1e-40f", "0.1f", "3e38f"))
	}
	return oneOf(w, "0.5", "1.0", "-2.0", "3.14159265358979", "1e100", "1e-300", "5e-324", "0.1", "1e308")
}

func (w *cwriter) expression(c ctype, depth int) string {
	if depth <= 0 || w.IntN(8) == 0 {
		if w.IntN(5) == 0 {
			return w.literal(c)
		}
		return fmt.Sprintf("%s_%d", c.name, w.IntN(2))
	}
	switch {
	case c.n > 1:
		return w.vector(c, depth)
	case c.float:
		return w.float(c, depth)
	}
	return w.integer(c, depth)
}

// element is one of a vector's, of the scalar type c, if there is one.
func (w *cwriter) element(c ctype, depth int) string {
	if c.bits == 64 {
		return w.expression(c, depth-1)
	}
	v := w.kind(func(v ctype) bool { return v.n > 1 && v.of == c.name })
	return fmt.Sprintf("(%s)[%d]", w.expression(v, depth-1), w.IntN(v.n))
}

func (w *cwriter) integer(c ctype, depth int) string {
	a := func() string { return w.expression(c, depth-1) }
	amount := func() string { return w.expression(named("u32"), depth-1) }
	t := c.name
	switch w.IntN(18) {
	default:
		return fmt.Sprintf("((%s)(%s %s %s))", t, a(), oneOf(w, "+", "-", "*", "&", "|", "^"), a())
	case 6:
		return fmt.Sprintf("((%s)((%s)%s << (%s & %d)))", t, c.unsigned(), a(), amount(), c.bits-1)
	case 7:
		return fmt.Sprintf("((%s)(%s >> (%s & %d)))", t, a(), amount(), c.bits-1)
	case 8:
		return fmt.Sprintf("(%s ? %s : %s)", w.condition(depth), a(), a())
	case 9:
		return fmt.Sprintf("%s_%s(%s, %s)", oneOf(w, "div", "rem", "mulhi"), t, a(), a())
	case 10:
		return fmt.Sprintf("((%s)(%s %s))", t, oneOf(w, "~", "-"), a())
	case 11:
		return fmt.Sprintf("__builtin_elementwise_%s(%s, %s)", oneOf(w, "min", "max", "add_sat", "sub_sat"), a(), a())
	case 12:
		if t[0] == 'i' {
			return fmt.Sprintf("__builtin_elementwise_abs(%s)", a())
		}
		return fmt.Sprintf("__builtin_elementwise_bitreverse(%s)", a())
	case 13:
		return fmt.Sprintf("((%s)%s((u%d)%s))", t, oneOf(w, "ones", "clz", "ctz"), c.bits, a())
	case 14:
		f := w.kind(isFloat)
		return fmt.Sprintf("%s_to_%s(%s)", f.name, t, w.expression(f, depth-1))
	case 15:
		return fmt.Sprintf("((%s)%s)", t, w.expression(w.kind(isInt), depth-1))
	case 16:
		return w.element(c, depth)
	case 17:
		return fmt.Sprintf("((%s)rot_u%d(%s, %s))", t, c.bits, a(), amount())
	}
}

func (w *cwriter) float(c ctype, depth int) string {
	a := func() string { return w.expression(c, depth-1) }
	t := c.name
	switch w.IntN(16) {
	default:
		return fmt.Sprintf("(%s %s %s)", a(), oneOf(w, "+", "-", "*"), a())
	case 6:
		return fmt.Sprintf("(%s / %s)", a(), a())
	case 7:
		return fmt.Sprintf("(- %s)", a())
	case 8:
		return fmt.Sprintf("__builtin_elementwise_%s(%s)", oneOf(w, "floor", "ceil", "trunc", "rint", "abs", "roundeven", "sqrt"), a())
	case 9:
		return fmt.Sprintf("(%s ? %s : %s)", w.condition(depth), a(), a())
	case 10:
		if c.bits == 16 { // the host rounds that twice
			return a()
		}
		return fmt.Sprintf("__builtin_elementwise_fma(%s, %s, %s)", a(), a(), a())
	case 11: // with no zero of either sign
		return fmt.Sprintf("(__builtin_elementwise_%s(%s, %s) + (%s)0.0f)", oneOf(w, "min", "max"), a(), a(), t)
	case 12:
		return fmt.Sprintf("sign_%s(%s, %s)", t, a(), a())
	case 13:
		i := w.kind(func(i ctype) bool { return isInt(i) && (c.bits > 16 || i.bits <= 16) })
		return fmt.Sprintf("((%s)%s)", t, w.expression(i, depth-1))
	case 14:
		other := w.kind(func(f ctype) bool { return isFloat(f) && f.bits+c.bits != 80 || f.bits == 16 && isFloat(f) })
		return fmt.Sprintf("((%s)%s)", t, w.expression(other, depth-1))
	case 15:
		return w.element(c, depth)
	}
}

func (w *cwriter) vector(c ctype, depth int) string {
	a := func() string { return w.expression(c, depth-1) }
	operators := []string{"+", "-", "*", "&", "|", "^"}
	if c.float {
		operators = operators[:3]
	}
	switch k := w.IntN(10); {
	case k < 5:
		return fmt.Sprintf("(%s %s %s)", a(), oneOf(w, operators...), a())
	case k == 5 && c.float:
		return fmt.Sprintf("(- %s)", a())
	case k == 5:
		return fmt.Sprintf("__builtin_elementwise_%s(%s, %s)", oneOf(w, "min", "max", "add_sat", "sub_sat"), a(), a())
	case k == 6 && !c.float:
		return fmt.Sprintf("(%s >> (%s)(%s)%d)", a(), c.name, c.of, w.IntN(c.bits))
	case k == 7:
		order := make([]string, c.n)
		for i := range order {
			order[i] = fmt.Sprint(w.IntN(2 * c.n))
		}
		return fmt.Sprintf("__builtin_shufflevector(%s, %s, %s)", a(), a(), strings.Join(order, ", "))
	case k == 8 && c.name == "f32x2":
		return fmt.Sprintf("__builtin_convertvector(%s, f32x2)", w.expression(named(oneOf(w, "f16x2", "i16x2", "u16x2", "i32x2")), depth-1))
	case k == 8 && c.name == "f16x2":
		return fmt.Sprintf("__builtin_convertvector(%s, f16x2)", w.expression(named("f32x2"), depth-1))
	}
	parts := make([]string, c.n)
	for i := range parts {
		parts[i] = w.expression(named(c.of), depth-1)
	}
	return fmt.Sprintf("((%s){%s})", c.name, strings.Join(parts, ", "))
}
