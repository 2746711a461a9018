package codegen

import (
	"fmt"
	"strings"

	"heddle/internal/lazy"
)

// This file keeps compile time near linear in how many checks a function for AMDGPU has.
// Each failed check is an exit of the function: a call of heddle_panic, which does not
// return. AMDGPU's back end brings all exits to one end, so that what is between a check
// and the end is code that the lanes which failed skip: n checks are n branches around
// each other, with what they report alive in all of them. 128 checks in a loop took 4 s,
// 256 more than 30.
//
// Where a function has very many, the back end does not learn that the call does not
// return. It goes on where the check would have, had it passed:
//
//	  br i1 %bad, label %fail, label %ok          br i1 %bad, label %fail, label %ok
//	fail:                                       fail:
//	  call void @heddle_panic(...) noreturn       call void @heddle_panic(...)
//	  unreachable                                 br label %ok
//
// That is a branch around one call. The code is smaller, but values are kept over the call,
// in registers that it leaves alone; so few checks stay as they are.

// maxExits is up to how many such calls a function has that are its ends.
const maxExits = maxPanics

var (
	exitCall   = lazy.Regexp{Expr: `^(  (?:tail |notail )?call [^@"]*@heddle_panic\([^"]*\))(?: #\d+)?(?:, !dbg !\d+)?$`}
	exitDefine = lazy.Regexp{Expr: `(?m)^(define [^\n]*@heddle_panic\([^\n]*\)[^\n]*? )#(\d+)( [^\n]*\{|\{)$`}
	oneBefore  = lazy.Regexp{Expr: `^([-\w.$]+|"[^"]*"): +; preds = (%[^,]+)$`}
	checkEnd   = lazy.Regexp{Expr: `^  br i1 [^,]+, label (%[^,]+), label (%[^,]+)(?:, !.*)?$`}
)

// passPanics is an optimised module's text, as LLVM prints it, in which for all that LLVM
// knows the calls of heddle_panic return, in functions that have very many. ok tells whether
// there is such a function. No pass may follow that finds out what calls do not return.
func passPanics(text string) (out string, ok bool) {
	if strings.Count(text, "@heddle_panic(") <= maxExits {
		return text, false
	}
	m := exitDefine.Get().FindStringSubmatch(text)
	if m == nil {
		return text, false
	}
	group := "\nattributes #" + m[2] + " = "
	_, attrs, found := strings.Cut(text, group)
	if !found {
		return text, false
	}
	attrs, _, _ = strings.Cut(attrs, "\n")
	out = eachFunction(text, func(body string) string {
		if lines, many := passPanicsOf(strings.Split(body, "\n")); many {
			body, ok = strings.Join(lines, "\n"), true
		}
		return body
	})
	if !ok {
		return text, false
	}
	out = exitDefine.Get().ReplaceAllString(out, "${1}#1000000${3}")
	return out + "\nattributes #1000000 = " + strings.Replace(attrs, " noreturn ", " ", 1) + "\n", true
}

// passPanicsOf goes on behind the panics of a function, if it has very many.
func passPanicsOf(lines []string) (passed []string, many bool) {
	begins, ends, checks := map[string]int{}, map[string]int{}, map[string]string{} // by label; checks are of a panic
	var panics []string
	block := ""
	for n, line := range lines {
		if m := blockLabel.Get().FindStringSubmatch(line); m != nil {
			block = "%" + m[1]
			begins[block] = n + 1
			if m := oneBefore.Get().FindStringSubmatch(line); m != nil {
				checks[block] = m[2]
			}
			continue
		}
		if strings.HasPrefix(line, "  br ") || strings.HasPrefix(line, "  unreachable") {
			ends[block] = n // "" for the first block, which has no label here
		}
		if n > 0 && block != "" && strings.HasPrefix(line, "  unreachable") && exitCall.Get().MatchString(lines[n-1]) {
			panics = append(panics, block)
		}
	}
	if len(panics) <= maxExits {
		return lines, false
	}
	for k, p := range panics {
		check := checks[p]
		end, ok := ends[check]
		if !ok || check == "" { // other ends, the first block's, several checks
			continue
		}
		m := checkEnd.Get().FindStringSubmatch(lines[end])
		if m == nil || m[1] == m[2] {
			continue
		}
		next := m[1]
		if next == p {
			next = m[2]
		}
		if strings.HasPrefix(lines[ends[next]], "  unreachable") {
			continue
		}
		// Where other ways meet, too, those of the check meet before: what all its lanes bring
		// would differ between them if the failed ones came by a way of their own.
		if at := begins[next]; strings.Contains(lines[at], " = phi ") {
			on := fmt.Sprintf("%%heddle.on.%d", k)
			for ; strings.Contains(lines[at], " = phi "); at++ {
				lines[at] = strings.Replace(lines[at], ", "+check+" ]", ", "+on+" ]", 1)
			}
			lines[end] = strings.Replace(lines[end]+",", ", label "+next+",", ", label "+on+",", 1)
			lines[end] = strings.TrimSuffix(lines[end], ",")
			lines = append(lines, "", on[1:]+":", "  br label "+next)
			next = on
		}
		lines[ends[p]-1] = exitCall.Get().FindStringSubmatch(lines[ends[p]-1])[1]
		lines[ends[p]] = "  br label " + next
	}
	return lines, true
}
