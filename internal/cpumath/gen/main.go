// Command gen compiles the functions of package cpumath, with heddle's own
// compiler, to the LLVM IR in lib, and packs that. The arguments are the directory
// and the file of the packed texts.
package main

import (
	"fmt"
	"go/ast"
	"go/types"
	"log"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"heddle/dsl"
	"heddle/internal/cpumath"
	"heddle/internal/source"
	"heddle/internal/target"
	"heddle/internal/zips"
	"heddle/intrinsics"
	"heddle/ssa2ir"
)

// functions are what libraries hold, by C's names: for float32 and for float64. Those of package dsl
// are here for package math's functions of these names.
var functions = map[string][2]any{
	"acos":      {cpumath.AcosF32, cpumath.AcosF64},
	"acosh":     {cpumath.AcoshF32, cpumath.AcoshF64},
	"asin":      {cpumath.AsinF32, cpumath.AsinF64},
	"asinh":     {cpumath.AsinhF32, cpumath.AsinhF64},
	"atan":      {cpumath.AtanF32, cpumath.AtanF64},
	"atan2":     {cpumath.Atan2F32, cpumath.Atan2F64},
	"atanh":     {cpumath.AtanhF32, cpumath.AtanhF64},
	"cbrt":      {cpumath.CbrtF32, cpumath.CbrtF64},
	"cos":       {cpumath.CosF32, cpumath.CosF64},
	"cosh":      {cpumath.CoshF32, cpumath.CoshF64},
	"erf":       {cpumath.ErfF32, cpumath.ErfF64},
	"erfc":      {cpumath.ErfcF32, cpumath.ErfcF64},
	"exp":       {cpumath.ExpF32, cpumath.ExpF64},
	"exp10":     {cpumath.Exp10F32, cpumath.Exp10F64},
	"exp2":      {cpumath.Exp2F32, cpumath.Exp2F64},
	"expm1":     {cpumath.Expm1F32, cpumath.Expm1F64},
	"fmod":      {cpumath.FmodF32, cpumath.FmodF64},
	"hypot":     {cpumath.HypotF32, cpumath.HypotF64},
	"lgamma":    {cpumath.LgammaF32, cpumath.LgammaF64},
	"j0":        {dsl.J0[float32], dsl.J0[float64]},
	"j1":        {dsl.J1[float32], dsl.J1[float64]},
	"log":       {cpumath.LogF32, cpumath.LogF64},
	"log10":     {cpumath.Log10F32, cpumath.Log10F64},
	"log1p":     {cpumath.Log1pF32, cpumath.Log1pF64},
	"log2":      {cpumath.Log2F32, cpumath.Log2F64},
	"pow":       {cpumath.PowF32, cpumath.PowF64},
	"remainder": {cpumath.RemainderF32, cpumath.RemainderF64},
	"rsqrt":     {cpumath.RsqrtF32, cpumath.RsqrtF64},
	"sin":       {cpumath.SinF32, cpumath.SinF64},
	"sinh":      {cpumath.SinhF32, cpumath.SinhF64},
	"tan":       {cpumath.TanF32, cpumath.TanF64},
	"tanh":      {cpumath.TanhF32, cpumath.TanhF64},
	"y0":        {dsl.Y0[float32], dsl.Y0[float64]},
	"y1":        {dsl.Y1[float32], dsl.Y1[float64]},
	"tgamma":    {cpumath.TgammaF32, cpumath.TgammaF64},
}

func main() {
	log.SetFlags(0)
	if len(os.Args) != 3 {
		log.Fatal("usage: gen directory file")
	}
	texts := map[string][]byte{}
	for name, widths := range functions {
		for i, width := range []string{".f32", ".f64"} {
			text, err := compile(widths[i], name+width)
			if err == nil {
				err = os.WriteFile(filepath.Join(os.Args[1], name+width+".ll"), text, 0o644)
			}
			if err != nil {
				log.Fatalf("%s%s: %v", name, width, err)
			}
			texts[name+width] = text
		}
	}
	packed, err := zips.Pack(split(texts))
	if err == nil {
		err = os.WriteFile(os.Args[2], packed, 0o644)
	}
	if err != nil {
		log.Fatal(err)
	}
}

// split replaces modules by the numbers of their parts, which are under these numbers
// then: what modules have in common is there once.
func split(texts map[string][]byte) map[string][]byte {
	all, numbers := map[string][]byte{}, map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		var list []string
		for _, part := range parts(string(texts[name])) {
			if numbers[part] == "" {
				numbers[part] = fmt.Sprintf("%03d", len(numbers))
				all[numbers[part]] = []byte(part)
			}
			list = append(list, numbers[part])
		}
		all[name] = []byte(strings.Join(list, " "))
	}
	return all
}

// parts are a module's definitions and declarations, which are a line apart.
func parts(text string) []string {
	var list []string
	begin := 0
	for _, at := range regexp.MustCompile(`\n\n(?:define|declare) `).FindAllStringIndex(text, -1) {
		list = append(list, text[begin:at[0]+1])
		begin = at[0] + 2
	}
	return append(list, text[begin:])
}

// compile is the module of a function. The text fits every processor: what is
// for one of them is decided when a kernel is compiled.
func compile(fn any, name string) ([]byte, error) {
	u, err := source.Find(fn, source.Options{Intrinsic: func(f *types.Func) bool { return intrinsics.Always(f.FullName()) }})
	if err != nil {
		return nil, err
	}
	prog, err := ssa2ir.CheckFunc(&ssa2ir.Kernel{Name: u.Name, Fn: u.Fn, Fset: u.Fset,
		Init: func(g *ssa.Global) (ast.Expr, *types.Info) {
			if !u.ReadOnly(g) {
				return nil, nil
			}
			return u.Init(g)
		},
		NoBody: func(fn *ssa.Function) (why, hint string) { return u.Missing(fn), "" },
	})
	if err != nil {
		return nil, err
	}
	m, err := target.For("x86-64-v3", 0)
	if err != nil {
		return nil, err
	}
	text, err := prog.LowerFunc(m, cpumath.Prefix+name)
	if err != nil {
		return nil, fmt.Errorf("lowering: %w", err)
	}
	return text, nil
}
