package ssa2ir

import (
	"reflect"
	"strings"
	"testing"

	"heddle/internal/abi"
	"heddle/internal/module"
	"heddle/internal/target"
)

const printHead = "package p\n\nimport \"heddle/dsl\"\n\ntype temp float32\n\ntype named struct{}\n\nfunc (named) Name() string { return \"x\" }\n\nfunc K(s []uint32, n int, c complex64, ok bool) {\n\ttext := \"a\"\n\tif ok {\n\t\ttext = \"b\"\n\t}\n\ts[0] = uint32(len(text) + dsl.WarpSize())\n\t"

// printKernel checks a kernel with the statement.
func printKernel(t *testing.T, statement string) (*Program, error) {
	src := strings.ReplaceAll(printHead, "heddle/dsl", module.DSL) + statement + "\n}\n"
	return Check(kernelOf(t, buildSource(t, "k.go", src), "K"))
}

// What a kernel prints is a table beside it, and code only where it prints.
func TestPrints(t *testing.T) {
	for _, c := range []struct {
		statement string
		want      []abi.Print
		calls     []string
	}{
		{"s[0] = uint32(n)", nil, nil},
		{"if n > 3 { panic(n) }", nil, nil},
		{`dsl.Printf("here\n")`, []abi.Print{{Format: "here\n"}}, []string{"heddle_print_0(i32 1)"}},
		{
			`dsl.Printf("%d %s %p %v\n", n, named{}.Name(), s, c); dsl.Printf("%d %s %p %v\n", n, "x", s, c); dsl.Printf("%d %s %p %v\n", n, "y", s, c)`,
			[]abi.Print{
				{Format: "%d %s %#x %v\n", Args: []abi.PrintArg{{Kind: "int"}, {Kind: "string", Text: "x"}, {Kind: "uintptr"}, {Kind: "complex64"}}},
				{Format: "%d %s %#x %v\n", Args: []abi.PrintArg{{Kind: "int"}, {Kind: "string", Text: "y"}, {Kind: "uintptr"}, {Kind: "complex64"}}},
			},
			[]string{"heddle_print_4(i32 5,", "heddle_print_4(i32 261,"},
		},
		{`dsl.Printf("%g %t", temp(n), ok)`, []abi.Print{{Format: "%g %t", Args: []abi.PrintArg{{Kind: "float32"}, {Kind: "bool"}}}}, []string{"heddle_print_2(i32 3,"}},
	} {
		prog, err := printKernel(t, c.statement)
		if err != nil {
			t.Errorf("%s: %v", c.statement, err)
			continue
		}
		for _, arch := range []string{"gfx90a", "sm_70", "x86-64-v3"} {
			m, err := target.For(arch, 0)
			if err != nil {
				t.Fatal(err)
			}
			res, err := prog.Lower(m, Options{})
			if err != nil {
				t.Errorf("%s: %v", c.statement, err)
				continue
			}
			text := string(res.IR)
			if !reflect.DeepEqual(res.Prints, c.want) {
				t.Errorf("%s on %s: %+v, want %+v", c.statement, arch, res.Prints, c.want)
			}
			for _, call := range c.calls {
				if !strings.Contains(text, call) {
					t.Errorf("%s on %s: no %s in\n%s", c.statement, arch, call, text)
				}
			}
			if got := strings.Contains(text, "print"); got != (c.want != nil) {
				t.Errorf("%s on %s: there is code that prints: %t", c.statement, arch, got)
			}
		}
	}
}

// Calls that cannot be are errors at their lines.
func TestPrintsRefused(t *testing.T) {
	for _, c := range []struct{ statement, want string }{
		{`dsl.Printf("%d\n", ok)`, "k.go:17:12: call of heddle/dsl.Printf: %d in the format does not fit argument 2 of type bool (print it with %t or %v)"},
		{`dsl.Printf(text, n)`, "k.go:17:12: argument 1 of heddle/dsl.Printf is not a constant (write a constant there, "},
		{`dsl.Printf("%s", text)`, "k.go:17:12: call of heddle/dsl.Printf: argument 2 is a string that is no constant (string) (call Printf with a constant string in each branch)"},
		{`dsl.Printf("%v", []any{n}...)`, "k.go:17:12: call of heddle/dsl.Printf with a slice of arguments (write the arguments out)"},
		{`dsl.Printf("%v", any(n))`, ""},
		{`dsl.Printf(named{}.Name())`, ""},
		{`dsl.Printf("%v", nil)`, "k.go:17:12: call of heddle/dsl.Printf: argument 2 is an interface (any) (print a value of a known type)"},
		{`dsl.Assert(ok, text)`, "k.go:17:12: argument 2 of heddle/dsl.Assert is not a constant (write a constant there, "},
		{`dsl.Assert(ok, "a" + "b")`, ""},
	} {
		_, err := printKernel(t, c.statement)
		got := ""
		if err != nil {
			got = strings.ReplaceAll(err.Error(), module.DSL, "heddle/dsl")
		}
		if c.want == "" && got != "" || !strings.Contains("\n"+got, c.want) {
			t.Errorf("%s: %s; want %s", c.statement, got, c.want)
		}
	}
}
