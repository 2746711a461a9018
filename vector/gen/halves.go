package main

import (
	"bytes"
	"fmt"
	"go/format"
	"text/template"
)

// A small is a number of 16 bits, and the vectors of two and four of it.
type small struct {
	Name, HIP string
	Doc       string // what kind of number it is
	// Mul, Div and Fma are the correctly rounded operations, of a and b, and c.
	Mul, Div, Fma string
	// Inf is the bits of infinity, One those of 1.
	Inf, One string
	File     string
}

var smalls = []small{
	{
		Name: "Half", HIP: "half", Inf: "0x7c00", One: "0x3c00", File: "half_gen.go",
		Mul: "MakeHalf(a.Float32() * b.Float32())", Div: "MakeHalf(a.Float32() / b.Float32())",
		Fma: "HalfOf64(a.Float64()*b.Float64() + c.Float64())",
	},
	{
		Name: "BFloat16", HIP: "bfloat16", Inf: "0x7f80", One: "0x3f80", File: "bfloat16_gen.go",
		Mul: "bfloat16Of(a.Float32()*b.Float32(), a, b, false)", Div: "bfloat16Of(a.Float32()/b.Float32(), a, b, true)",
		Fma: "BFloat16Of64(sumToOdd(float64(a.Float64()*b.Float64()), c.Float64()))",
	},
}

// A smallVector is a vector of Width numbers of 16 bits, packed into a word.
type smallVector struct {
	small
	Width int
	Word  string
}

// Type is the vector's name: Half2, BFloat162.
func (v smallVector) Type() string { return fmt.Sprint(v.Name, v.Width) }

// Fields are the names of its components.
func (v smallVector) Fields() []string { return []string{"X", "Y", "Z", "W"}[:v.Width] }

func (s small) Vectors() []smallVector { return []smallVector{{s, 2, "uint32"}, {s, 4, "uint64"}} }

// An operation is a method of numbers and, component by component, of vectors. HIP2 is HIP's
// name of that of two.
type operation struct{ Name, Doc, Params, Args, HIP2 string }

func (s small) Ops() []operation {
	all := []operation{
		{"Add", "returns a + b", "b $", "b", "__hadd2"},
		{"Sub", "returns a - b", "b $", "b", "__hsub2"},
		{"Mul", "returns a * b", "b $", "b", "__hmul2"},
		{"Div", "returns a / b", "b $", "b", "__h2div"},
		{"Fma", "returns a*b + c, rounded once", "b, c $", "b, c", "__hfma2"},
		{"Neg", "returns -a", "", "", "__hneg2"},
		{"Abs", "returns a without its sign", "", "", "__habs2"},
		{"Min", "returns the lesser of a and b, -0 below 0, and the other one where one is NaN", "b $", "b", "__hmin2"},
		{"Max", "returns the greater of a and b, 0 above -0, and the other one where one is NaN", "b $", "b", "__hmax2"},
		{"MinNaN", "returns the lesser of a and b, -0 below 0, and NaN where one is NaN", "b $", "b", ""},
		{"MaxNaN", "returns the greater of a and b, 0 above -0, and NaN where one is NaN", "b $", "b", ""},
		{"Saturate", "returns a, but 0 below 0 and for NaN, and 1 above 1", "", "", "end of __hadd2_sat, __hsub2_sat, __hmul2_sat and __hfma2_sat"},
		{"Sqrt", "returns the square root, correctly rounded", "", "", "h2sqrt"},
		{"Rcp", "returns 1/a, correctly rounded", "", "", "h2rcp"},
		{"Rsqrt", "returns 1 over the square root, correctly rounded", "", "", "h2rsqrt"},
	}
	for _, r := range s.Rounded() {
		all = append(all, operation{r.Name, "returns " + r.Doc, "", "", "h2" + r.HIP[1:]})
	}
	return all
}

// Rounded are the methods whose result is that of a function of float64, rounded.
func (small) Rounded() []struct{ Name, Func, Doc, HIP string } {
	return []struct{ Name, Func, Doc, HIP string }{
		{"Floor", "Floor", "the greatest whole number that is not above a", "hfloor"},
		{"Ceil", "Ceil", "the least whole number that is not below a", "hceil"},
		{"Trunc", "Trunc", "a without its fraction", "htrunc"},
		{"Rint", "RoundToEven", "the whole number nearest to a, of two as near the even one", "hrint"},
	}
}

// A comparison is a method too. Expr is its expression, of the float32 numbers x and y.
type comparison struct{ Name, Doc, Expr, HIP, HIP2 string }

func (small) Comparisons() []comparison {
	var all []comparison
	for _, c := range []struct{ name, op, hip string }{
		{"Equal", "==", "__heq"}, {"Less", "<", "__hlt"}, {"LessEqual", "<=", "__hle"}, {"Greater", ">", "__hgt"}, {"GreaterEqual", ">=", "__hge"},
	} {
		all = append(all, comparison{c.name, "whether a " + c.op + " b as numbers: false if one is NaN", "x " + c.op + " y", c.hip, c.hip + "2"})
	}
	for _, c := range []struct{ name, op, expr, hip, hip2 string }{
		{"NotEqual", "!=", "x != y", "__hne and __hneu", "__hne2 and __hneu2"},
		{"EqualOrNaN", "==", "!(x < y || x > y)", "__hequ", "__hequ2"},
		{"LessOrNaN", "<", "!(x >= y)", "__hltu", "__hltu2"},
		{"LessEqualOrNaN", "<=", "!(x > y)", "__hleu", "__hleu2"},
		{"GreaterOrNaN", ">", "!(x <= y)", "__hgtu", "__hgtu2"},
		{"GreaterEqualOrNaN", ">=", "!(x < y)", "__hgeu", "__hgeu2"},
	} {
		all = append(all, comparison{c.name, "whether a " + c.op + " b as numbers: true if one is NaN", c.expr, c.hip, c.hip2})
	}
	return all
}

// Kinds are the methods that report of what kind a number is.
func (small) Kinds() []struct{ Name, Doc, HIP2 string } {
	return []struct{ Name, Doc, HIP2 string }{{"IsNaN", "it is not a number", "__hisnan2"}, {"IsInf", "it is an infinity", "__hisinf2"}}
}

var smallSource = template.Must(template.New("").Funcs(template.FuncMap{
	"of": func(params, t string) string { return string(bytes.ReplaceAll([]byte(params), []byte("$"), []byte(t))) },
	"split": func(args, field string) string {
		switch args {
		case "b":
			return "b." + field + "()"
		case "b, c":
			return "b." + field + "(), c." + field + "()"
		}
		return ""
	},
	"shift": func(i int) int { return 16 * i },
	"lower": func(s string) string { return string(bytes.ToLower([]byte(s))) },
}).Parse(`// Code generated by vector/gen; run go generate. DO NOT EDIT.

package vector

import "math"
{{$s := .}}{{$n := .Name}}
// {{$n}}FromBits is the {{$n}} of these bits: sign, exponent, fraction from the highest
// (HIP's {{if eq $n "Half"}}__ushort_as_half{{else}}__ushort_as_bfloat16{{end}}).
func {{$n}}FromBits(b uint16) {{$n}} { return {{$n}}{b} }

// Bits are the bits of a.
func (a {{$n}}) Bits() uint16 { return a.bits }

// Float64 is a, exactly.
func (a {{$n}}) Float64() float64 { return float64(a.Float32()) }

// {{$n}}Of64 is the {{$n}} nearest to x, of two as near the even one.
func {{$n}}Of64(x float64) {{$n}} { return Make{{$n}}(roundToOdd(x)) }

// Make{{$n}}Rd is the greatest {{$n}} that is not above x (HIP's __float2{{.HIP}}_rd).
func Make{{$n}}Rd(x float32) {{$n}} {
	if h := Make{{$n}}(x); !(h.Float32() > x) {
		return h
	} else {
		return h.next(true)
	}
}

// Make{{$n}}Ru is the least {{$n}} that is not below x (HIP's __float2{{.HIP}}_ru).
func Make{{$n}}Ru(x float32) {{$n}} {
	if h := Make{{$n}}(x); !(h.Float32() < x) {
		return h
	} else {
		return h.next(false)
	}
}

// Make{{$n}}Rz is x rounded towards zero (HIP's __float2{{.HIP}}_rz).
func Make{{$n}}Rz(x float32) {{$n}} {
	if x < 0 {
		return Make{{$n}}Ru(x)
	}
	return Make{{$n}}Rd(x)
}

// next is the neighbour of a below or above it; a is no NaN.
func (a {{$n}}) next(down bool) {{$n}} {
	switch negative := a.bits>>15 != 0; {
	case negative == down:
		return {{$n}}{a.bits + 1}
	case a.bits<<1 == 0: // the least on the other side
		return {{$n}}{a.bits ^ 0x8000 | 1}
	}
	return {{$n}}{a.bits - 1}
}

// Of is the {{$n}} nearest to x: Make{{$n}} as a method, for code that is generic.
func ({{$n}}) Of(x float32) {{$n}} { return Make{{$n}}(x) }

// OfRounded is x rounded by mode, for code that is generic: Make{{$n}} and its like.
func ({{$n}}) OfRounded(x float32, mode Rounding) {{$n}} {
	switch mode {
	case RoundDown:
		return Make{{$n}}Rd(x)
	case RoundUp:
		return Make{{$n}}Ru(x)
	case RoundTowardZero:
		return Make{{$n}}Rz(x)
	}
	return Make{{$n}}(x)
}

// Each is the {{$n}} nearest to f of a: a.Each(dsl.Tanh[float32]).
func (a {{$n}}) Each(f func(float32) float32) {{$n}} { return Make{{$n}}(f(a.Float32())) }

// IsNaN reports whether a is not a number (HIP's __hisnan).
func (a {{$n}}) IsNaN() bool { return a.bits&0x7fff > {{.Inf}} }

// IsInf reports whether a is an infinity (HIP's __hisinf).
func (a {{$n}}) IsInf() bool { return a.bits&0x7fff == {{.Inf}} }

// Add returns a + b (HIP's __hadd).
func (a {{$n}}) Add(b {{$n}}) {{$n}} { return Make{{$n}}(a.Float32() + b.Float32()) }

// Sub returns a - b (HIP's __hsub).
func (a {{$n}}) Sub(b {{$n}}) {{$n}} { return Make{{$n}}(a.Float32() - b.Float32()) }

// Mul returns a * b (HIP's __hmul).
func (a {{$n}}) Mul(b {{$n}}) {{$n}} { return {{.Mul}} }

// Div returns a / b (HIP's __hdiv).
func (a {{$n}}) Div(b {{$n}}) {{$n}} { return {{.Div}} }

// Fma returns a*b + c, rounded once (HIP's __hfma).
func (a {{$n}}) Fma(b, c {{$n}}) {{$n}} { return {{.Fma}} }

// Neg returns -a (HIP's __hneg).
func (a {{$n}}) Neg() {{$n}} { return {{$n}}{a.bits ^ 0x8000} }

// Abs returns a without its sign (HIP's __habs).
func (a {{$n}}) Abs() {{$n}} { return {{$n}}{a.bits & 0x7fff} }

// Min returns the lesser of a and b, -0 below 0, and the other one where one is NaN (HIP's __hmin).
func (a {{$n}}) Min(b {{$n}}) {{$n}} {
	if b.IsNaN() || a.Float32() < b.Float32() || a.Float32() == b.Float32() && a.bits > b.bits {
		return a
	}
	return b
}

// Max returns the greater of a and b, 0 above -0, and the other one where one is NaN (HIP's __hmax).
func (a {{$n}}) Max(b {{$n}}) {{$n}} {
	if b.IsNaN() || a.Float32() > b.Float32() || a.Float32() == b.Float32() && a.bits < b.bits {
		return a
	}
	return b
}

// MinNaN returns the lesser of a and b, -0 below 0, and NaN where one is NaN (HIP's __hmin_nan).
func (a {{$n}}) MinNaN(b {{$n}}) {{$n}} {
	r := a.Min(b).bits
	if a.IsNaN() {
		r = a.bits
	}
	if b.IsNaN() {
		r = b.bits
	}
	return {{$n}}{r}
}

// MaxNaN returns the greater of a and b, 0 above -0, and NaN where one is NaN (HIP's __hmax_nan).
func (a {{$n}}) MaxNaN(b {{$n}}) {{$n}} {
	r := a.Max(b).bits
	if a.IsNaN() {
		r = a.bits
	}
	if b.IsNaN() {
		r = b.bits
	}
	return {{$n}}{r}
}

// Saturate returns a, but 0 below 0 and for NaN, and 1 above 1. HIP's __hadd_sat, __hsub_sat, __hmul_sat and
// __hfma_sat are Add, Sub, Mul and Fma and then this, for a NaN too where they run on NVIDIA's GPUs; on AMD's they leave it.
func (a {{$n}}) Saturate() {{$n}} {
	x, b := a.Float32(), a.bits
	if x > 1 {
		b = {{.One}}
	}
	if !(x > 0) {
		b = 0
	}
	return {{$n}}{b}
}

// Sqrt returns the square root of a, correctly rounded (HIP's hsqrt).
func (a {{$n}}) Sqrt() {{$n}} { return Make{{$n}}(float32(math.Sqrt(float64(a.Float32())))) }

// Rcp returns 1/a, correctly rounded (HIP's hrcp).
func (a {{$n}}) Rcp() {{$n}} { return Make{{$n}}(1).Div(a) }

// Rsqrt returns 1 over the square root of a, correctly rounded (HIP's hrsqrt).
func (a {{$n}}) Rsqrt() {{$n}} { return {{$n}}Of64(1 / math.Sqrt(a.Float64())) }
{{range .Rounded}}
// {{.Name}} returns {{.Doc}} (HIP's {{.HIP}}).
func (a {{$n}}) {{.Name}}() {{$n}} { return Make{{$n}}(float32(math.{{.Func}}(float64(a.Float32())))) }
{{end}}{{range .Comparisons}}
// {{.Name}} reports {{.Doc}} (HIP's {{.HIP}}).
func (a {{$n}}) {{.Name}}(b {{$n}}) bool {
	x, y := a.Float32(), b.Float32()
	return {{.Expr}}
}
{{end}}
{{range $v := .Vectors}}{{$t := $v.Type}}
// {{$t}} is {{.Width}} numbers of 16 bits in a word, X in the lowest bits{{if eq .Width 2}} (HIP's __{{lower $s.HIP}}2){{end}}.
type {{$t}} struct{ bits {{.Word}} }

// Make{{$t}} returns the vector of the given components.
func Make{{$t}}({{range $i, $f := .Fields}}{{if $i}}, {{end}}{{lower $f}}{{end}} {{$n}}) {{$t}} {
	return {{$t}}{ {{range $i, $f := .Fields}}{{if $i}} | {{end}}{{$v.Word}}({{lower $f}}.bits)<<{{shift $i}}{{end}} }
}

// Splat{{$t}} is the vector that has x in every component{{if eq .Width 2}} (HIP's __{{if eq $n "Half"}}half2half2{{else}}bfloat162bfloat162{{end}}){{end}}.
func Splat{{$t}}(x {{$n}}) {{$t}} { return Make{{$t}}({{range $i, $f := .Fields}}{{if $i}}, {{end}}x{{end}}) }

// {{$t}}FromBools is the vector that has 1 where b is true, and 0: of a comparison,{{if eq .Width 2}}
// as HIP's __heq2 and its family return it. Their __hbeq2 and so on are a.Equal(b) == [2]bool{true, true}.{{else}}
// numbers to multiply by.{{end}}
func {{$t}}FromBools(b [{{.Width}}]bool) (a {{$t}}) {
{{range $i, $f := .Fields}}	if b[{{$i}}] {
		a.bits |= {{$v.One}} << {{shift $i}}
	}
{{end}}	return a
}

// {{$t}}FromBits is the vector of these bits.
func {{$t}}FromBits(b {{.Word}}) {{$t}} { return {{$t}}{b} }

// {{$t}}Of is the vector of the numbers nearest to those of f{{if eq .Width 2}} (HIP's __float22{{$s.HIP}}2_rn){{end}}.
func {{$t}}Of(f Float{{.Width}}) {{$t}} {
	return Make{{$t}}({{range $i, $f := .Fields}}{{if $i}}, {{end}}Make{{$n}}(f.{{$f}}){{end}})
}

// Bits are the bits of a.
func (a {{$t}}) Bits() {{.Word}} { return a.bits }
{{range $i, $f := .Fields}}
// {{$f}} is a component of a.
func (a {{$t}}) {{$f}}() {{$n}} { return {{$n}}{uint16(a.bits >> {{shift $i}})} }
{{end}}
// Float{{.Width}} is a, exactly{{if eq .Width 2}} (HIP's __{{$s.HIP}}22float2){{end}}.
func (a {{$t}}) Float{{.Width}}() Float{{.Width}} {
	return Float{{.Width}}{ {{range $i, $f := .Fields}}{{if $i}}, {{end}}a.{{$f}}().Float32(){{end}} }
}
{{range $op := $s.Ops}}
// {{.Name}} {{.Doc}}, component by component{{if and .HIP2 (eq $v.Width 2)}} (HIP's {{.HIP2}}){{end}}.
func (a {{$t}}) {{.Name}}({{of .Params $t}}) {{$t}} {
	return Make{{$t}}({{range $i, $f := $v.Fields}}{{if $i}}, {{end}}a.{{$f}}().{{$op.Name}}({{split $op.Args $f}}){{end}})
}
{{end}}
// Each is the vector of the numbers nearest to f of a's components: a.Each(dsl.Tanh[float32]).
func (a {{$t}}) Each(f func(float32) float32) {{$t}} {
	return Make{{$t}}({{range $i, $f := .Fields}}{{if $i}}, {{end}}a.{{$f}}().Each(f){{end}})
}
{{range $op := $s.Kinds}}
// {{.Name}} reports for each component whether {{.Doc}}{{if eq $v.Width 2}} (HIP's {{.HIP2}}){{end}}.
func (a {{$t}}) {{.Name}}() [{{$v.Width}}]bool {
	return [{{$v.Width}}]bool{ {{range $i, $f := $v.Fields}}{{if $i}}, {{end}}a.{{$f}}().{{$op.Name}}(){{end}} }
}
{{end}}{{range $op := $s.Comparisons}}
// {{.Name}} reports for each component {{.Doc}}{{if eq $v.Width 2}} (HIP's {{.HIP2}}){{end}}.
func (a {{$t}}) {{.Name}}(b {{$t}}) [{{$v.Width}}]bool {
	return [{{$v.Width}}]bool{ {{range $i, $f := $v.Fields}}{{if $i}}, {{end}}a.{{$f}}().{{$op.Name}}(b.{{$f}}()){{end}} }
}
{{end}}{{end}}`))

// smallFiles are the generated files of the numbers of 16 bits.
func smallFiles() (map[string][]byte, error) {
	all := map[string][]byte{}
	for _, s := range smalls {
		var b bytes.Buffer
		if err := smallSource.Execute(&b, s); err != nil {
			return nil, err
		}
		text, err := format.Source(b.Bytes())
		if err != nil {
			return nil, fmt.Errorf("%s: %w\n%s", s.Name, err, b.Bytes())
		}
		all[s.File] = text
	}
	return all, nil
}
