// Command gen writes the families of package dsl into the current directory: functions that
// differ in what they compute, and in their form (with a mask, with a width, at a scope). Run
// it with go generate.
package main

import (
	"bytes"
	"fmt"
	"go/format"
	"log"
	"os"
	"strings"
	"text/template"

	"heddle/internal/module"
)

// A vote is Name and NameSync. Result is of the masks that are in Masks: votes is that of
// the lanes for which p is true, active that of all.
type vote struct {
	Name   string
	Doc    string
	Type   string
	Masks  string
	Result string
}

var votes = []vote{
	{"Ballot", "returns the mask of the active lanes for which p is true", "uint64", "votes, _", "votes"},
	{"Any", "reports whether p is true for some active lane", "bool", "votes, _", "votes != 0"},
	{"All", "reports whether p is true for every active lane", "bool", "votes, active", "votes == active"},
}

// A shuffle is Name, NameWidth, NameSync and NameSyncWidth. Docs end with HIP's name.
type shuffle struct {
	Name     string // and simt's function
	Arg      string // what chooses the lane
	Doc      string
	WidthDoc string // after "is [Name] "
	HIP      string
}

var shuffles = []shuffle{
	{"Shfl", "lane", "returns v of lane, taken modulo [WarpSize]",
		"within each run of width lanes: lane is taken modulo width and counts from the start of the caller's run. width is a power of two up to [WarpSize]", "__shfl"},
	{"ShflUp", "delta", "returns v of the lane that is delta lanes below, or the caller's own v where there is none",
		"within each run of width lanes, a power of two up to [WarpSize]", "__shfl_up"},
	{"ShflDown", "delta", "returns v of the lane that is delta lanes above, or the caller's own v where that lies beyond [WarpSize]",
		"within each run of width lanes, a power of two up to [WarpSize]", "__shfl_down"},
	{"ShflXor", "laneMask", "returns v of the lane whose number is the caller's XOR laneMask, or the caller's own v where that lies beyond [WarpSize]",
		"with runs of width lanes, a power of two up to [WarpSize]: a lane of an earlier run can be read, one of a later run gives the caller's own v", "__shfl_xor"},
}

// A reduction is Reduce + Name + Sync. Body combines x and y.
type reduction struct{ Name, Constraint, Doc, Body string }

var reductions = []reduction{
	{"Add", "Number", "the sum of v", "x + y"},
	{"Min", "Number", "the least v, by Go's min,", "min(x, y)"},
	{"Max", "Number", "the greatest v, by Go's max,", "max(x, y)"},
	{"And", "AnyInteger", "v combined by AND", "x & y"},
	{"Or", "AnyInteger", "v combined by OR", "x | y"},
	{"Xor", "AnyInteger", "v combined by XOR", "x ^ y"},
}

// An atomic is Name at each of scopes. Body computes *p from old.
type atomic struct {
	Name       string
	Constraint string
	Args       string
	Doc        string // with a note behind HIP's name after a bar, if any
	Body       string
}

// scopes are among which threads an atomic is atomic: the suffix of its name, and the end of
// its documentation.
var scopes = []struct{ Suffix, Doc string }{
	{"", ""}, // among all threads of the device
	{"Block", "among the threads of the block (HIP atomic%s_block)."},
	{"System", "among the threads of all devices and of the host (HIP atomic%s_system)."},
}

var atomics = []atomic{
	{"Add", "AtomicNumber", "v T", "adds v to *p", "*p = old + v"},
	{"Sub", "AtomicNumber", "v T", "subtracts v from *p", "*p = old - v"},
	{"Min", "AtomicNumber", "v T", "stores the lesser of *p and v in *p| A NaN gives way to a number.", "if v < old || old != old {\n*p = v\n}"},
	{"Max", "AtomicNumber", "v T", "stores the greater of *p and v in *p| A NaN gives way to a number.", "if v > old || old != old {\n*p = v\n}"},
	{"Exch", "AtomicNumber", "v T", "stores v in *p", "*p = v"},
	{"CAS", "AtomicWord", "compare, v T", "stores v in *p if *p equals compare| Floats are compared by their bits, so that 0 differs from -0 and a NaN equals itself.",
		"if bitsOf(old) == bitsOf(compare) {\n*p = v\n}"},
	{"And", "AtomicInteger", "v T", "stores *p & v in *p", "*p = old & v"},
	{"Or", "AtomicInteger", "v T", "stores *p | v in *p", "*p = old | v"},
	{"Xor", "AtomicInteger", "v T", "stores *p ^ v in *p", "*p = old ^ v"},
	{"Inc", "~uint32", "limit T", "stores *p + 1 in *p, or 0 if *p is limit or more", "if *p++; old >= limit {\n*p = 0\n}"},
	{"Dec", "~uint32", "limit T", "stores *p - 1 in *p, or limit if *p is 0 or more than limit", "if *p--; old == 0 || old > limit {\n*p = limit\n}"},
}

const width = 85 // of a comment's line

// comment breaks a text into comment lines.
func comment(words ...string) string {
	var b strings.Builder
	line := "//"
	for _, w := range strings.Fields(strings.Join(words, " ")) {
		if len(line)+1+len(w) > width {
			b.WriteString(line + "\n")
			line = "//"
		}
		line += " " + w
	}
	return b.String() + line
}

var funcs = template.FuncMap{
	"comment": comment,
	"doc": func(a atomic) string {
		what, note, _ := strings.Cut(a.Doc, "| ")
		return comment("Atomic"+a.Name, what, "and returns the old value (HIP atomic"+a.Name+").", note)
	},
	"names":  func(params string) string { return strings.TrimSuffix(params, " T") },
	"lower":  strings.ToLower,
	"scopes": func() any { return scopes },
	"simt":   func() string { return module.Internal + "simt" },
}

var warpSource = template.Must(template.New("").Funcs(funcs).Parse(`// Code generated by dsl/gen; run go generate. DO NOT EDIT.

package dsl

import "{{simt}}"
{{range .Votes}}
{{comment .Name .Doc (printf "(HIP __%s)." (lower .Name))}}
func {{.Name}}(p bool) {{.Type}} {
	{{.Masks}} := simt.Running("{{.Name}}").Vote("{{.Name}}", p, false, 0)
	return {{.Result}}
}

// {{.Name}}Sync is [{{.Name}}] among the lanes of mask (HIP __{{lower .Name}}_sync).
func {{.Name}}Sync(mask uint64, p bool) {{.Type}} {
	{{.Masks}} := simt.Running("{{.Name}}Sync").Vote("{{.Name}}Sync", p, true, mask)
	return {{.Result}}
}
{{end}}
{{range .Shuffles}}
{{comment .Name .Doc (printf "(HIP %s)." .HIP)}}
func {{.Name}}[T Shuffleable](v T, {{.Arg}} int) T {
	return shuffle("{{.Name}}", simt.{{.Name}}, v, {{.Arg}}, wholeWarp, false, 0)
}

{{comment (printf "%sWidth is [%s]" .Name .Name) .WidthDoc (printf "(HIP %s with a width)." .HIP)}}
func {{.Name}}Width[T Shuffleable](v T, {{.Arg}}, width int) T {
	return shuffle("{{.Name}}Width", simt.{{.Name}}, v, {{.Arg}}, width, false, 0)
}

{{comment (printf "%sSync is [%s] among the lanes of mask (HIP %s_sync)." .Name .Name .HIP)}}
func {{.Name}}Sync[T Shuffleable](mask uint64, v T, {{.Arg}} int) T {
	return shuffle("{{.Name}}Sync", simt.{{.Name}}, v, {{.Arg}}, wholeWarp, true, mask)
}

{{comment (printf "%sSyncWidth is [%sWidth] among the lanes of mask (HIP %s_sync with a width)." .Name .Name .HIP)}}
func {{.Name}}SyncWidth[T Shuffleable](mask uint64, v T, {{.Arg}}, width int) T {
	return shuffle("{{.Name}}SyncWidth", simt.{{.Name}}, v, {{.Arg}}, width, true, mask)
}
{{end}}
{{range .Reductions}}
{{comment (printf "Reduce%sSync returns" .Name) .Doc "of the lanes of mask, which all get it" (printf "(HIP __reduce_%s_sync)." (lower .Name))}}
func Reduce{{.Name}}Sync[T {{.Constraint}}](mask uint64, v T) T {
	return WarpReduceSync(mask, v, func(x, y T) T { return {{.Body}} })
}
{{end}}`))

var atomicSource = template.Must(template.New("").Funcs(funcs).Parse(`// Code generated by dsl/gen; run go generate. DO NOT EDIT.

package dsl

import "{{simt}}"
{{range .}}{{$a := .}}{{range scopes}}{{$name := printf "Atomic%s%s" $a.Name .Suffix}}
{{if .Suffix}}{{comment (printf "%s is [Atomic%s]" $name $a.Name) (printf .Doc $a.Name)}}{{else}}{{doc $a}}{{end}}
func {{$name}}[T {{$a.Constraint}}](p *T, {{$a.Args}}) T {
{{if .Suffix}}	return Atomic{{$a.Name}}(p, {{names $a.Args}})
{{else}}	t := simt.Running("{{$name}}")
	t.Touch()
	old := *p
	{{$a.Body}}
	t.Wrote(*p != old)
	return old
{{end}}}
{{end}}{{end}}`))

// files are the generated ones, by name.
func files() (map[string][]byte, error) {
	all := map[string][]byte{}
	for name, f := range map[string]struct {
		t    *template.Template
		data any
	}{
		"warp_gen.go":   {warpSource, map[string]any{"Votes": votes, "Shuffles": shuffles, "Reductions": reductions}},
		"atomic_gen.go": {atomicSource, atomics},
	} {
		var b bytes.Buffer
		if err := f.t.Execute(&b, f.data); err != nil {
			return nil, err
		}
		text, err := format.Source(b.Bytes())
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		all[name] = text
	}
	return all, nil
}

func main() {
	log.SetFlags(0)
	all, err := files()
	if err != nil {
		log.Fatal(err)
	}
	for name, text := range all {
		if err := os.WriteFile(name, text, 0o666); err != nil {
			log.Fatal(err)
		}
	}
}
