// Command gen writes the short vector types of package vector into the current
// directory. Run it with go generate.
package main

import (
	"fmt"
	"go/format"
	"log"
	"os"
	"strconv"
	"strings"
)

// A kind is what the components of a family are, and so what can be done with them.
type kind uint8

const (
	signed kind = 1 << iota
	unsigned
	float

	integer = signed | unsigned
	number  = integer | float
)

// A family is the vectors of one component type.
type family struct {
	Name  string // HIP's, in Go's case
	Elem  string
	Kind  kind
	Alias string // the family that this one is another name of, if any
}

var families = []family{
	{Name: "Char", Elem: "int8", Kind: signed},
	{Name: "Uchar", Elem: "uint8", Kind: unsigned},
	{Name: "Short", Elem: "int16", Kind: signed},
	{Name: "Ushort", Elem: "uint16", Kind: unsigned},
	{Name: "Int", Elem: "int32", Kind: signed},
	{Name: "Uint", Elem: "uint32", Kind: unsigned},
	{Name: "Long", Elem: "int64", Kind: signed},
	{Name: "Ulong", Elem: "uint64", Kind: unsigned},
	{Name: "Longlong", Elem: "int64", Kind: signed, Alias: "Long"},
	{Name: "Ulonglong", Elem: "uint64", Kind: unsigned, Alias: "Ulong"},
	{Name: "Float", Elem: "float32", Kind: float},
	{Name: "Double", Elem: "float64", Kind: float},
}

// A function is a function or method that every type of some kinds has. Its text is
// Go's, with @T for the type, @H for HIP's name of it, @E for its components' type and @N
// for their number; what stands between ‹ and › is written for each component, with
// commas between, and between « and » with plus signs: there $ is the component's name
// and # its number.
type function struct {
	kinds kind
	alias bool // another name of a type has it too
	text  string
}

var functions = []function{
	{number, true, "// Make@T is the vector of these components (HIP make_@H).\nfunc Make@T(‹%› @E) @T { return @T{‹%›} }"},
	{number, true, "// Splat@T is the vector that has x in every component.\nfunc Splat@T(x @E) @T { return @T{‹$: x›} }"},
	{number, true, "// @TFrom is the vector of an array's elements.\nfunc @TFrom(a [@N]@E) @T { return @T{‹a[#]›} }"},
	{number, false, "// Array is the components of a.\nfunc (a @T) Array() [@N]@E { return [@N]@E{‹a.$›} }"},
	binary(number, "Add", "+", ""),
	binary(number, "Sub", "-", ""),
	binary(number, "Mul", "*", ""),
	binary(float, "Div", "/", ""),
	binary(integer, "Div", "/", ". A zero in b panics"),
	binary(integer, "Rem", "%", ". A zero in b panics"),
	unary(signed|float, "Neg", "-"),
	binary(integer, "And", "&", ""),
	binary(integer, "Or", "|", ""),
	binary(integer, "Xor", "^", ""),
	binary(integer, "AndNot", "&^", ""),
	unary(integer, "Not", "^"),
	binary(unsigned, "Shl", "<<", ""),
	binary(signed, "Shl", "<<", ". A negative number in b panics"),
	binary(unsigned, "Shr", ">>", ""),
	binary(signed, "Shr", ">>", ". A negative number in b panics"),
	builtin("Min", "min"),
	builtin("Max", "max"),
	compare("Eq", "=="),
	compare("Ne", "!="),
	compare("Lt", "<"),
	compare("Le", "<="),
	compare("Gt", ">"),
	compare("Ge", ">="),
	{number, false, "// Dot is the sum of the products of components.\nfunc (a @T) Dot(b @T) @E { return «a.$*b.$» }"},
}

// binary is the method of an operator, with a note on what it does not take.
func binary(k kind, name, op, note string) function {
	return function{k, false, "// " + name + " is a " + op + " b, component by component" + note + ".\n" +
		"func (a @T) " + name + "(b @T) @T { return @T{‹a.$ " + op + " b.$›} }"}
}

func unary(k kind, name, op string) function {
	return function{k, false, "// " + name + " is " + op + "a, component by component.\n" +
		"func (a @T) " + name + "() @T { return @T{‹" + op + "a.$›} }"}
}

func builtin(name, fn string) function {
	return function{number, false, "// " + name + " is Go's " + fn + "(a, b), component by component.\n" +
		"func (a @T) " + name + "(b @T) @T { return @T{‹" + fn + "(a.$, b.$)›} }"}
}

func compare(name, op string) function {
	return function{number, false, "// " + name + " says of each component whether a " + op + " b.\n" +
		"func (a @T) " + name + "(b @T) [@N]bool { return [@N]bool{‹a.$ " + op + " b.$›} }"}
}

// conversion is the method that makes vectors of a family of another's.
func conversion(to family, width int) function {
	t := to.Name + strconv.Itoa(width)
	return function{number, false, "// " + t + " is Go's " + to.Elem + "(a), component by component.\n" +
		"func (a @T) " + t + "() " + t + " { return " + t + "{‹" + to.Elem + "(a.$)›} }"}
}

// each replaces what stands between open and end by it for each component.
func each(text, open, end, sep string, width int) string {
	for {
		before, rest, found := strings.Cut(text, open)
		if !found {
			return text
		}
		what, after, _ := strings.Cut(rest, end)
		all := make([]string, width)
		for i, c := range "XYZW"[:width] {
			all[i] = strings.NewReplacer("$", string(c), "#", strconv.Itoa(i)).Replace(what)
			if what == "%" {
				all[i] = strings.ToLower(string(c))
			}
		}
		text = before + strings.Join(all, sep) + after
	}
}

// write appends the function of a type to b.
func (fn function) write(b *strings.Builder, f family, width int) {
	if fn.kinds&f.Kind == 0 || f.Alias != "" && !fn.alias {
		return
	}
	text := each(each(fn.text, "‹", "›", ", ", width), "«", "»", " + ", width)
	n := strconv.Itoa(width)
	names := strings.NewReplacer("@T", f.Name+n, "@H", f.HIP()+n, "@E", f.Elem, "@N", n)
	b.WriteString("\n" + names.Replace(text) + "\n")
}

// HIP is HIP's name of the type of one component.
func (f family) HIP() string { return strings.ToLower(f.Name) }

// file is the text of a family's file.
func (f family) file() string {
	b := new(strings.Builder)
	b.WriteString("// Code generated by vector/gen; run go generate. DO NOT EDIT.\n\npackage vector\n")
	for width := 1; width <= 4; width++ {
		if f.Alias != "" {
			function{number, true, "// @T is HIP's @H.\ntype @T = " + f.Alias + "@N"}.write(b, f, width)
		} else {
			function{number, true, "// @T is HIP's @H.\ntype @T struct{ " + strings.Join(strings.Split("XYZW"[:width], ""), ", ") + " @E }"}.write(b, f, width)
		}
		for _, fn := range functions {
			fn.write(b, f, width)
		}
		for _, to := range families {
			if to.Alias == "" && to != f {
				conversion(to, width).write(b, f, width)
			}
		}
	}
	return b.String()
}

// files returns the generated files by name.
func files() (map[string][]byte, error) {
	all, err := smallFiles()
	if err != nil {
		return nil, err
	}
	if all["fp8_gen.go"], err = format.Source([]byte(formatsFile())); err != nil {
		return nil, err
	}
	for _, f := range families {
		text, err := format.Source([]byte(f.file()))
		if err != nil {
			return nil, fmt.Errorf("%s: %w\n%s", f.Name, err, f.file())
		}
		all[f.HIP()+"_gen.go"] = text
	}
	return all, nil
}

func main() {
	log.SetFlags(0)
	all, err := files()
	if err != nil {
		log.Fatal("gen: ", err)
	}
	for name, text := range all {
		if err := os.WriteFile(name, text, 0o666); err != nil {
			log.Fatal("gen: ", err)
		}
	}
}
