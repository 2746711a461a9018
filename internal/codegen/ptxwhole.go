package codegen

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"heddle/internal/lazy"
)

// This file loads the whole of a structure in NVPTX where all but a part of it is used, and the structure is aligned: four bytes, shorts
// or words. LLVM leaves out what nobody uses, and then loads the rest by two instructions. What is loaded in addition is in the same
// element. (AMDGPU does as much itself.)
//
//	%p = getelementptr { i8, i8, i8, i8 }, ptr addrspace(1) %pixels, i64 %i
//	%r = load i8, ptr addrspace(1) %p, align 4                                  %heddle.struct.1 = load <4 x i8>, ptr addrspace(1) %p, align 4
//	                                                                            %r = extractelement <4 x i8> %heddle.struct.1, i64 0
//	%p1 = getelementptr { i8, i8, i8, i8 }, ptr addrspace(1) %pixels, ... 1 ->
//	%g = load i8, ptr addrspace(1) %p1, align 1                                 %g = extractelement <4 x i8> %heddle.struct.1, i64 1
//	(and so on for 2, not for 3)

const wholeParts = 4 // of what is loaded at once

var (
	wholeField  = lazy.Regexp{Expr: `^getelementptr (?:(?:inbounds|nuw|nusw) )*([{\[].*[}\]]|<\d+ x \w+>|i8), (ptr(?: addrspace\([13]\))?) (` + valueName + `), i64 (` + valueName + `|\d+)((?:, i(?:32|64) \d+)*)(?:, !.*)?$`}
	wholeRead   = lazy.Regexp{Expr: `^load (i8|i16|i32|half|float), (ptr(?: addrspace\([13]\))?) (` + valueName + `), align (\d+)(.*)$`}
	wholePure   = lazy.Regexp{Expr: `^(?:tail |fast |nnan |ninf |nsz |arcp |contract |afn |reassoc )*call [^@]*@llvm\.(?:[su](?:min|max|add|sub|mul|shl)|abs|fma|fmuladd|sqrt|fabs|floor|ceil|trunc|rint|copysign|minnum|maxnum|ctpop|ct[lt]z|bswap|bitreverse|fsh[lr]|is\.fpclass|dbg|nvvm\.read\.ptx\.sreg|amdgcn\.work)`}
	wholeAsm    = lazy.Regexp{Expr: `^(?:tail )?call [^@"]* asm "`}
	wholeSame   = lazy.Regexp{Expr: `, !invariant\.load !\d+`}
	wholeDebug  = lazy.Regexp{Expr: `, !dbg !\d+`}
	wholeWrites = []string{"store ", "call ", "tail call ", "notail call ", "musttail call ", "atomicrmw ", "cmpxchg ", "fence ", "invoke "}
)

// A wholeAddress is a place in an element.
type wholeAddress struct {
	element string // what it is an element of, and its index
	size    int    // of the element
	at      int
}

// A wholePart is a load of a part.
type wholePart struct {
	line             int
	name, typ, ptr   string
	pointer          string
	at, align, bytes int
	rest             string // metadata
}

// A wholeReader looks for such loads in a function.
type wholeReader struct {
	lines  []string
	places map[string]wholeAddress
	found  map[wholeAddress][]wholePart // by element, since memory was last written
	order  []wholeAddress
	names  *int
	ok     bool
}

// wholeLoads rewrites a module's text so.
func wholeLoads(text string) (rewritten string, ok bool) {
	names := 0
	rewritten = eachFunction(text, func(body string) string {
		r := wholeReader{lines: strings.Split(body, "\n"), places: map[string]wholeAddress{}, names: &names}
		r.read()
		ok = ok || r.ok
		return strings.Join(r.lines, "\n")
	})
	return rewritten, ok
}

func (r *wholeReader) read() {
	r.forget()
	for i, line := range r.lines {
		if line != "" && line[0] != ' ' { // a label
			r.join()
			continue
		}
		name, text, _ := strings.Cut(strings.TrimSpace(line), " = ")
		if text == "" {
			text = name
		}
		switch {
		case strings.HasPrefix(text, "getelementptr "):
			r.address(name, text)
		case strings.HasPrefix(text, "load "):
			if !r.load(i, name, text) && (strings.HasPrefix(text, "load volatile ") || strings.HasPrefix(text, "load atomic ")) {
				r.join()
			}
		case writes(text):
			r.join()
		}
	}
	r.join()
}

// writes reports whether an instruction may write memory, or not come to an end.
func writes(text string) bool {
	if !slices.ContainsFunc(wholeWrites, func(p string) bool { return strings.HasPrefix(text, p) }) {
		return false
	}
	if wholeAsm.Get().MatchString(text) {
		return strings.Contains(text, "~{memory}")
	}
	return !wholePure.Get().MatchString(text)
}

func (r *wholeReader) forget() {
	r.found, r.order = map[wholeAddress][]wholePart{}, nil
}

// address notes the place that an instruction computes.
func (r *wholeReader) address(name, text string) {
	m := wholeField.Get().FindStringSubmatch(text)
	if m == nil {
		return
	}
	typ, base, index, fields := m[1], m[3], m[4], m[5]
	if typ == "i8" { // so many bytes further
		if to, ok := r.places[base]; ok && fields == "" {
			if n, err := strconv.Atoi(index); err == nil {
				to.at += n
				r.places[name] = to
			}
		}
		return
	}
	if elem, ok := strings.CutPrefix(typ, "<"); ok { // a part of a vector, which the element is, too
		_, elem, _ = strings.Cut(strings.TrimSuffix(elem, ">"), " x ")
		bytes, _ := layoutOf(elem)
		_, number, _ := strings.Cut(strings.TrimPrefix(fields, ", "), " ")
		n, err := strconv.Atoi(number)
		if to, ok := r.places[base]; ok && index == "0" && err == nil {
			to.at += n * bytes
			r.places[name] = to
		}
		return
	}
	size, _ := layoutOf(typ)
	at, ok := offsetIn(typ, fields)
	if !ok {
		return
	}
	r.places[name] = wholeAddress{element: base + " " + index + " " + typ, size: size, at: at}
}

// load notes a load, if it is one of a part.
func (r *wholeReader) load(line int, name, text string) bool {
	m := wholeRead.Get().FindStringSubmatch(text)
	if m == nil {
		return false
	}
	place, ok := r.places[m[3]]
	bytes, _ := layoutOf(m[1])
	if !ok || place.at < 0 || place.at+bytes > place.size {
		return false
	}
	align, _ := strconv.Atoi(m[4])
	key := place
	key.at = place.at / (bytes * wholeParts) * bytes * wholeParts
	if r.found[key] == nil {
		r.order = append(r.order, key)
	}
	r.found[key] = append(r.found[key], wholePart{line, name, m[1], m[2], m[3], place.at - key.at, align, bytes, m[5]})
	return true
}

// join makes one load of several wherever that is better.
func (r *wholeReader) join() {
	for _, key := range r.order {
		if all := r.found[key]; r.better(key, all) {
			r.rewrite(all)
		}
	}
	r.forget()
}

// better reports whether parts are better loaded together with what is between and behind them.
func (r *wholeReader) better(key wholeAddress, all []wholePart) bool {
	first, has := all[0], [wholeParts]bool{}
	width := first.bytes * wholeParts
	aligned := false
	for _, p := range all {
		if p.typ != first.typ || p.ptr != first.ptr {
			return false
		}
		aligned = aligned || p.at == 0 && p.align >= width
		has[p.at/first.bytes] = true
	}
	if !aligned || key.at+width > key.size {
		return false
	}
	for other, parts := range r.found { // of another width, it may be in what is left out
		if other != key && other.element == key.element && other.at < key.at+width && key.at < other.at+parts[0].bytes*wholeParts && parts[0].typ != first.typ {
			return false
		}
	}
	switch has {
	case [4]bool{true, true, true, false}, [4]bool{true, true, false, true}, [4]bool{true, false, true, true}:
		return true
	case [4]bool{true, false, true, false}, [4]bool{true, false, false, true}:
		return first.bytes < 4 // a word more would be a register more
	}
	return false
}

// rewrite loads parts together, where the first of them was.
func (r *wholeReader) rewrite(all []wholePart) {
	r.ok = true
	*r.names++
	first := all[0]
	whole := fmt.Sprint("%heddle.struct.", *r.names)
	pointer, before := first.pointer, ""
	if first.at != 0 {
		pointer = whole + ".at"
		before = fmt.Sprintf("  %s = getelementptr i8, %s %s, i64 %d\n", pointer, first.ptr, first.pointer, -first.at)
	}
	invariant := wholeSame.Get().FindString(first.rest)
	for _, p := range all {
		if wholeSame.Get().FindString(p.rest) != invariant {
			invariant = ""
		}
	}
	vector := fmt.Sprintf("<%d x %s>", wholeParts, first.typ)
	before += fmt.Sprintf("  %s = load %s, %s %s, align %d%s%s\n", whole, vector, first.ptr, pointer, first.bytes*wholeParts, wholeDebug.Get().FindString(first.rest), invariant)
	for i, p := range all {
		line := fmt.Sprintf("  %s = extractelement %s %s, i64 %d%s", p.name, vector, whole, p.at/p.bytes, wholeDebug.Get().FindString(p.rest))
		if i == 0 {
			line = before + line
		}
		r.lines[p.line] = line
	}
}

// layoutOf is the size and the alignment of a type, 0 if it is none of memory's.
func layoutOf(typ string) (size, align int) {
	switch typ {
	case "i1", "i8":
		return 1, 1
	case "i16", "half", "bfloat":
		return 2, 2
	case "i32", "float":
		return 4, 4
	case "i64", "double", "ptr", "ptr addrspace(1)":
		return 8, 8
	}
	if elem, n, ok := arrayOf(typ); ok {
		size, align = layoutOf(elem)
		return size * n, align
	}
	return fieldAt(typ, -1)
}

// arrayOf takes the type of an array apart.
func arrayOf(typ string) (elem string, n int, ok bool) {
	if !strings.HasPrefix(typ, "[") {
		return "", 0, false
	}
	count, elem, _ := strings.Cut(typ[1:len(typ)-1], " x ")
	n, err := strconv.Atoi(count)
	return elem, n, err == nil
}

// fieldAt is where a field of a structure is, and its alignment, or with -1 the size and the alignment of all; the alignment is 0 if
// it is no structure, or has no such field.
func fieldAt(typ string, field int) (at, align int) {
	inner, ok := strings.CutPrefix(typ, "{")
	if inner = strings.TrimSpace(strings.TrimSuffix(inner, "}")); !ok || inner == "" {
		return 0, 0
	}
	most := 1
	for i, f := range splitOperands(inner) {
		size, align := layoutOf(f)
		if align == 0 {
			return 0, 0
		}
		at, most = roundUp(at, align), max(most, align)
		if i == field {
			return at, align
		}
		at += size
	}
	if field >= 0 {
		return 0, 0
	}
	return roundUp(at, most), most
}

func roundUp(n, to int) int { return (n + to - 1) / to * to }

// offsetIn is where the fields that an address names (", i32 1, i32 0") are in a type.
func offsetIn(typ, fields string) (at int, ok bool) {
	for _, field := range strings.Split(fields, ", ")[1:] {
		_, number, _ := strings.Cut(field, " ")
		n, _ := strconv.Atoi(number)
		if elem, _, ok := arrayOf(typ); ok {
			size, _ := layoutOf(elem)
			at, typ = at+n*size, elem
			continue
		}
		begin, align := fieldAt(typ, n)
		if align == 0 {
			return 0, false
		}
		at, typ = at+begin, splitOperands(strings.TrimSpace(strings.Trim(typ, "{}")))[n]
	}
	return at, true
}
