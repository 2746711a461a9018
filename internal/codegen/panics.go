package codegen

import (
	"bytes"
	"fmt"
	"strings"

	"heddle/internal/lazy"
)

// This file lets the checks of a very large function of host code share the calls that
// end the launch. Each such call is an exit of the loops around it, with values of theirs,
// and LLVM's LCSSA pass takes the number of the values times that of the exits. Package
// spmd does the same to the code of a warp, for the same reason (its trap.go).

const (
	// maxPanics is up to how many such calls a function has.
	maxPanics = 64
	// sharedPanics is how many checks share one where there are more.
	sharedPanics = 32
)

var (
	panicCall  = lazy.Regexp{Expr: `^  (?:tail )?call void @heddle\.panic\(i32 ([^,]+), i64 ([^,]+), i64 ([^,)]+)\)[^)]*$`}
	blockLabel = lazy.Regexp{Expr: `^([-\w.$]+|"[^"]*"):`}
)

// A panicSite is a call that ends the launch: its block and arguments.
type panicSite struct {
	block string
	args  [3]string
}

// sharePanics is a module's text with calls of heddle.panic shared in the functions that
// have very many. shared tells whether there is such a function.
func sharePanics(text string) (out string, shared bool) {
	if strings.Count(text, "call void @heddle.panic(") <= maxPanics {
		return text, false
	}
	var b bytes.Buffer
	lines := strings.SplitAfter(text, "\n")
	for at := 0; at < len(lines); {
		end := at + 1
		if strings.HasPrefix(lines[at], "define ") {
			for lines[end] != "}\n" {
				end++
			}
			if sharePanicsOf(&b, lines[at:end]) {
				shared, at = true, end
				continue
			}
		}
		for ; at < end; at++ {
			b.WriteString(lines[at])
		}
	}
	return b.String(), shared
}

// sharePanicsOf writes a function, of which the lines are all but the last, if it has
// very many such calls.
func sharePanicsOf(b *bytes.Buffer, lines []string) bool {
	sites := map[int]panicSite{} // by line
	block := ""
	for n, line := range lines {
		if m := blockLabel.Get().FindStringSubmatch(line); m != nil {
			block = m[1]
			continue
		}
		if block == "" || n+1 == len(lines) || lines[n+1] != "  unreachable\n" || !strings.Contains(line, "@heddle.panic(") {
			continue
		}
		if m := panicCall.Get().FindStringSubmatch(strings.TrimSuffix(line, "\n")); m != nil {
			sites[n] = panicSite{block, [3]string(m[1:])}
		}
	}
	if len(sites) <= maxPanics {
		return false
	}
	var all []panicSite
	for n := 0; n < len(lines); n++ {
		s, ok := sites[n]
		if !ok {
			b.WriteString(lines[n])
			continue
		}
		fmt.Fprintf(b, "  br label %%heddle.panic.%d\n", len(all)/sharedPanics)
		all = append(all, s)
		n++ // unreachable
	}
	for k := 0; k*sharedPanics < len(all); k++ {
		fmt.Fprintf(b, "\nheddle.panic.%d:\n", k)
		some := all[k*sharedPanics : min((k+1)*sharedPanics, len(all))]
		for a, typ := range []string{"i32", "i64", "i64"} {
			fmt.Fprintf(b, "  %%heddle.panic.%d.%d = phi %s ", k, a, typ)
			for n, s := range some {
				if n > 0 {
					b.WriteString(", ")
				}
				fmt.Fprintf(b, "[ %s, %%%s ]", s.args[a], s.block)
			}
			b.WriteByte('\n')
		}
		fmt.Fprintf(b, "  call void @heddle.panic(i32 %%heddle.panic.%d.0, i64 %%heddle.panic.%d.1, i64 %%heddle.panic.%d.2)\n  unreachable\n", k, k, k)
	}
	return true
}
