package intrinsics

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// This file reads formats of package fmt.

// A printClass is what package fmt prints in the same ways; verbs takes a bit of each.
type printClass uint8

const (
	printsBool printClass = 1 << iota
	printsInt
	printsFloat
	printsString
	printsPointer
)

// verbsOf is what a verb prints, 0 if it is none.
func verbsOf(verb rune) printClass {
	const numbers = printsInt | printsFloat
	switch verb {
	case 'v':
		return printsBool | numbers | printsString
	case 't':
		return printsBool
	case 'd', 'o', 'O', 'c', 'U':
		return printsInt
	case 'e', 'E', 'f', 'F', 'g', 'G':
		return printsFloat
	case 'b':
		return numbers
	case 'x', 'X':
		return numbers | printsString
	case 'q':
		return printsInt | printsString
	case 's':
		return printsString
	case 'p':
		return printsPointer
	}
	return 0
}

// verbHint are the verbs for a class.
func verbHint(c printClass) string {
	switch c {
	case printsBool:
		return "print it with %t or %v"
	case printsInt:
		return "print it with %d, %x or %v"
	case printsFloat:
		return "print it with %g, %f, %e or %v"
	case printsString:
		return "print it with %s, %q or %v"
	}
	return "print it with %p"
}

func ordinal(arg int) string { return strconv.Itoa(arg + 2) } // the format is the first

// A formatReader goes through a format as package fmt does.
type formatReader struct {
	text string
	args []printed
	next int // the argument that comes next
	used []bool
	// chosen: an argument has been chosen by its number; then others may go without a verb
	chosen bool
}

// readFormat judges a format for its arguments, and returns the one that prints addresses
// as numbers, in the same way.
func readFormat(format string, args []printed) (out, msg, hint string) {
	r := &formatReader{text: format, args: args, used: make([]bool, len(args))}
	for {
		i := strings.IndexByte(r.text, '%')
		if i < 0 {
			break
		}
		out += r.text[:i]
		r.text = r.text[i+1:]
		text, msg, hint := r.directive()
		if msg != "" {
			return "", msg, hint
		}
		out += text
	}
	for i, used := range r.used {
		if !used && !r.chosen {
			return "", "argument " + ordinal(i) + " has no verb in the format", "add a verb, or leave the argument out"
		}
	}
	return out + r.text, "", ""
}

// directive reads what follows a percent sign, and returns it with that.
func (r *formatReader) directive() (text, msg, hint string) {
	begin := r.text
	sharp := false
	for r.text != "" && strings.IndexByte("+-# 0", r.text[0]) >= 0 {
		sharp = sharp || r.text[0] == '#'
		r.text = r.text[1:]
	}
	for _, what := range []string{"width", "precision"} {
		if what == "precision" {
			if !strings.HasPrefix(r.text, ".") {
				break
			}
			r.text = r.text[1:]
		}
		if msg, hint = r.size(what); msg != "" {
			return "", msg, hint
		}
	}
	if msg, hint = r.index(); msg != "" {
		return "", msg, hint
	}
	if r.text == "" {
		return "", "the format ends in a percent sign", "write %% for a percent sign"
	}
	verb, n := utf8.DecodeRuneInString(r.text)
	r.text = r.text[n:]
	directive := "%" + begin[:len(begin)-len(r.text)]
	if verb == '%' {
		return directive, "", ""
	}
	if verbsOf(verb) == 0 {
		return "", directive + " in the format is no verb that kernels have", "use one of %d %x %v %g %q %t %p %s, or another one for numbers"
	}
	if r.next >= len(r.args) {
		return "", directive + " in the format has no argument", "add one, or write %% for a percent sign"
	}
	a := &r.args[r.next]
	at := ordinal(r.next)
	r.used[r.next] = true
	r.next++
	if verbsOf(verb)&a.class == 0 {
		return "", directive + " in the format does not fit argument " + at + " of type " + a.name, verbHint(a.class)
	}
	if method := a.calls(verb, sharp); method != "" {
		return "", directive + " would call the method " + method + " of argument " + at + " of type " + a.name, "convert it to " + a.kind
	}
	if verb == 'p' { // of which 0x is a part, unless there is a #
		directive = "%#" + directive[1:len(directive)-1] + "x"
		if sharp {
			directive = strings.ReplaceAll(directive, "#", "")
		}
	}
	return directive, "", ""
}

// calls is the method that package fmt would call for a verb, "" if none.
func (p *printed) calls(verb rune, sharp bool) string {
	if p.methods["Format"] {
		return "Format"
	}
	if verb == 'p' {
		return ""
	}
	if verb == 'v' && sharp {
		if p.methods["GoString"] {
			return "GoString"
		}
		return ""
	}
	if strings.ContainsRune("vsxXq", verb) {
		for _, m := range []string{"Error", "String"} {
			if p.methods[m] {
				return m
			}
		}
	}
	return ""
}

// size reads a width or a precision: a number, or a * that takes an argument.
func (r *formatReader) size(what string) (msg, hint string) {
	if msg, hint = r.index(); msg != "" {
		return msg, hint
	}
	if !strings.HasPrefix(r.text, "*") {
		r.text = strings.TrimLeft(r.text, "0123456789")
		return "", ""
	}
	r.text = r.text[1:]
	if r.next >= len(r.args) {
		return "the " + what + " * in the format has no argument", "add one, an int"
	}
	a := &r.args[r.next]
	r.used[r.next] = true
	r.next++
	if a.kind != "int" {
		return "the " + what + " * in the format takes argument " + ordinal(r.next-1) + " of type " + a.name, "give it an int"
	}
	return "", ""
}

// index reads an argument's number, as in %[2]d.
func (r *formatReader) index() (msg, hint string) {
	if !strings.HasPrefix(r.text, "[") {
		return "", ""
	}
	digits, rest, ok := strings.Cut(r.text[1:], "]")
	n, err := strconv.Atoi(digits)
	if !ok || err != nil || n < 1 || n > len(r.args) {
		return "[" + digits + "] in the format is the number of no argument", "the first after the format is [1]"
	}
	r.text, r.next, r.chosen = rest, n-1, true
	return "", ""
}
