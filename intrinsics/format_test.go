package intrinsics

import (
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"strings"
	"testing"
	"unsafe"
)

// printedArgs are arguments of each kind, as a kernel has them and as package fmt gets them.
var printedArgs = map[string]struct {
	t types.Type
	k constant.Value
	v any
}{
	"int":     {types.Typ[types.Int], nil, -42},
	"uint8":   {types.Typ[types.Uint8], nil, uint8(200)},
	"rune":    {types.Universe.Lookup("rune").Type(), nil, 'ä'},
	"float32": {types.Typ[types.Float32], nil, float32(2.5)},
	"complex": {types.Typ[types.Complex128], nil, 1 + 2i},
	"bool":    {types.Typ[types.Bool], nil, true},
	"string":  {types.Typ[types.String], constant.MakeString("warp"), "warp"},
	"pointer": {types.NewPointer(types.Typ[types.Int]), nil, unsafe.Pointer(&printedMemory)},
	"slice":   {types.NewSlice(types.Typ[types.Int]), nil, []byte("abc")},
}

var printedMemory int

// A format is refused where package fmt finds something wrong with it, and there alone.
func TestFormatsAsFmt(t *testing.T) {
	verbs := "vtdoObcxXUeEfFgGsqpwT%z"
	for _, flags := range []string{"", "#", "+", "-8", "08", "6.2", ".3", " ", "+#20", "[1]"} {
		for _, verb := range verbs {
			format := "a %" + flags + string(verb) + "|"
			for name, a := range printedArgs {
				_, msg, hint := readFormat(format, []printed{printedAs(a.t, a.k)})
				wrong := strings.Contains(fmt.Sprintf(format, a.v), "%!")
				number := verb == 'p' && name != "pointer" && name != "slice" || verb == 'w' || verb == 'T'
				pointer := (name == "pointer" || name == "slice") && verb != 'p' && verb != '%' // fmt prints them with other verbs, too
				if verb == '%' && flags == "[1]" {
					continue // fmt takes no argument, and does not miss it
				}
				if (msg != "") != (wrong || number || pointer) || (msg != "") != (hint != "") {
					t.Errorf("%q of a %s: %q (%s); package fmt prints %q", format, name, msg, hint, fmt.Sprintf(format, a.v))
				}
			}
		}
	}
}

// What replaces the verb p prints the same for the address.
func TestAddressFormat(t *testing.T) {
	p := unsafe.Pointer(&printedMemory)
	a := printedAs(types.NewPointer(types.Typ[types.Int]), nil)
	for _, format := range []string{"%p", "<%#p>", "%20p|", "%-20p|", "%%%p%%", "%+p", "%[1]p", "%#-20p|", "%020p"} {
		out, msg, _ := readFormat(format, []printed{a})
		if got, want := fmt.Sprintf(out, uintptr(p)), fmt.Sprintf(format, p); msg != "" || got != want {
			t.Errorf("%s: became %s, which prints %q, want %q (%s)", format, out, got, want, msg)
		}
	}
}

// What is wrong with calls, and what to do.
func TestPrintfRefused(t *testing.T) {
	pkg := types.NewPackage("p", "p")
	named := func(underlying types.Type, methods ...string) types.Type {
		n := types.NewNamed(types.NewTypeName(token.NoPos, pkg, "T", nil), underlying, nil)
		for _, m := range methods {
			n.AddMethod(types.NewFunc(token.NoPos, pkg, m, types.NewSignatureType(types.NewVar(token.NoPos, nil, "", n), nil, nil, nil, nil, false)))
		}
		return n
	}
	i, f := types.Type(types.Typ[types.Int]), types.Type(types.Typ[types.Float64])
	for _, c := range []struct {
		format string
		args   []types.Type
		want   string
	}{
		{"%d", []types.Type{f}, "%d in the format does not fit argument 2 of type float64 (print it with %g"},
		{"%d %5.2f", []types.Type{i, i}, "%5.2f in the format does not fit argument 3 of type int (print it with %d"},
		{"%d", nil, "%d in the format has no argument (add one"},
		{"%d", []types.Type{i, i}, "argument 3 has no verb in the format (add a verb"},
		{"100%", nil, "the format ends in a percent sign (write %%"},
		{"%y", []types.Type{i}, "%y in the format is no verb that kernels have (use one of"},
		{"%[3]d", []types.Type{i, i}, "[3] in the format is the number of no argument (the first"},
		{"%*d", []types.Type{f, i}, "the width * in the format takes argument 2 of type float64 (give it an int)"},
		{"%.*f", []types.Type{i}, "%.*f in the format has no argument (add one"},
		{"%s", []types.Type{types.Typ[types.String]}, "argument 2 is a string that is no constant (string) (call Printf with"},
		{"%v", []types.Type{named(i, "String")}, "%v would call the method String of argument 2 of type p.T (convert it to int)"},
		{"%d", []types.Type{named(i, "String")}, ""},
		{"%d", []types.Type{named(i, "Format")}, "%d would call the method Format of argument 2 of type p.T (convert it to int)"},
		{"%#v", []types.Type{named(i, "GoString")}, "%#v would call the method GoString"},
		{"%v", []types.Type{named(types.NewStruct(nil, nil))}, "argument 2 is a struct (p.T) (print its fields)"},
		{"%v", []types.Type{types.NewArray(i, 2)}, "argument 2 is an array ([2]int) (print its elements)"},
		{"%v", []types.Type{types.NewInterfaceType(nil, nil)}, "argument 2 is an interface (interface{}) (print a value of"},
		{"%v", []types.Type{types.NewMap(i, i)}, "argument 2 is no number (map[int]int) (print numbers"},
		{strings.Repeat("%d", 24), slicesOf(i, 24), ""},
		{strings.Repeat("%d", 25), slicesOf(i, 25), "it prints more than 24 numbers (print them in two calls)"},
		{"%[2]d %[1]d %% %6.*f", []types.Type{i, i, f}, ""},
	} {
		s := &Site{ArgTypes: append([]types.Type{types.Typ[types.String]}, c.args...), Consts: make([]constant.Value, len(c.args)+1)}
		s.Consts[0] = constant.MakeString(c.format)
		msg, hint := checkPrintf(s)
		if msg != "" {
			msg += " (" + hint + ")"
		}
		if (msg == "") != (c.want == "") || !strings.HasPrefix(msg, c.want) {
			t.Errorf("Printf(%q) of %v: %s; want %s", c.format, c.args, msg, c.want)
		}
	}
}

func slicesOf(t types.Type, n int) (all []types.Type) {
	for range n {
		all = append(all, t)
	}
	return all
}
