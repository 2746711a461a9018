package codegen

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"heddle/internal/lazy"
)

// This file keeps AMDGPU's scheduler from moving loads of private memory over stores to
// the same bytes. Buffer instructions reach 4095 bytes from their base, so in a larger
// frame LLVM lays accesses to several variables at offsets from one of them
// (LocalStackSlotAllocation). If that base is a variable's first byte, the instruction
// names the variable (SIFoldOperands), and its offset is outside of it. Two buffer
// instructions that name variables are then compared by their offsets alone
// (getMemOperandsWithOffsetWidth leaves frame indices out; seen in 15 and 17 to 19). A base
// inside of a variable is a register, which is compared. So the variables of large
// frames begin with padding.

// largeFrame is from how many bytes of variables on a frame is large: less than the 4096
// that a buffer instruction reaches, as LLVM may add variables of its own.
const largeFrame = 3584

var (
	privateVariable = lazy.Regexp{Expr: `(?m)^( +)(` + valueName + `) = alloca (.*), align (\d+), addrspace\(5\)(.*)$`}
	lifetime        = lazy.Regexp{Expr: `(?m)^( +call void @llvm\.lifetime\.(?:start|end)\.p5\()(i64 -?\d+, )?(ptr addrspace\(5\) (?:\w+ )*)(` + valueName + `)(\).*)$`}
)

// buffersPrivate reports whether a processor's private memory is accessed by buffer
// instructions.
func buffersPrivate(cpu string) bool {
	for _, flat := range []string{"gfx94", "gfx95", "gfx9-4", "gfx11", "gfx12"} {
		if strings.HasPrefix(cpu, flat) {
			return false
		}
	}
	return true
}

// padFrames puts padding before the variables of large frames.
func padFrames(text string) (padded string, ok bool) {
	padded = eachFunction(text, func(body string) string {
		variables, size := privateVariable.Get().FindAllStringSubmatch(body, -1), 0
		for _, m := range variables {
			bytes, rest := atMost(m[3])
			if rest != "" { // a variable whose size is known only at run time
				return body
			}
			align, _ := strconv.Atoi(m[4])
			size += bytes + align
		}
		if size < largeFrame {
			return body
		}
		ok = true
		all := map[string]bool{}
		for _, m := range variables {
			all[m[2]] = true
		}
		body = lifetime.Get().ReplaceAllStringFunc(body, func(line string) string {
			m := lifetime.Get().FindStringSubmatch(line)
			if !all[m[4]] {
				return line
			}
			if m[2] != "" {
				m[2] = "i64 -1, " // the whole
			}
			return m[1] + m[2] + m[3] + wholeOf(m[4]) + m[5]
		})
		return privateVariable.Get().ReplaceAllStringFunc(body, func(line string) string {
			m := privateVariable.Get().FindStringSubmatch(line)
			align, _ := strconv.Atoi(m[4])
			typ := fmt.Sprintf("<{ [%d x i8], %s }>", max(align, 16), m[3])
			return fmt.Sprintf("%s%s = alloca %s, align %d, addrspace(5)%s\n%[1]s%[6]s = getelementptr inbounds %[3]s, ptr addrspace(5) %[2]s, i32 0, i32 1%[5]s",
				m[1], wholeOf(m[2]), typ, max(align, 16), m[5], m[2])
		})
	})
	return padded, ok
}

// wholeOf names a variable with the bytes before it.
func wholeOf(name string) string {
	return `%"heddle.whole.` + strings.Trim(name, `%"`) + `"`
}

// atMost is how many bytes a value of the type that begins the text has at most, and what
// of the text follows. Types with names are as large as can be.
func atMost(typ string) (bytes int, rest string) {
	typ = strings.TrimLeft(typ, " ")
	switch {
	case typ == "" || strings.ContainsRune("]>}),", rune(typ[0])): // no type
		return math.MaxInt32, ""
	case strings.HasPrefix(typ, "<{"):
		bytes, rest = atMost(typ[1:])
		return bytes, strings.TrimPrefix(rest, ">")
	case typ[0] == '{':
		rest = typ[1:]
		for rest = strings.TrimLeft(rest, " "); rest != "" && rest[0] != '}'; rest = strings.TrimLeft(rest, " ,") {
			var field int
			field, rest = atMost(rest)
			bytes += (field + 15) &^ 15
		}
		return bytes, strings.TrimPrefix(rest, "}")
	case typ[0] == '[' || typ[0] == '<':
		count, after, _ := strings.Cut(typ[1:], " x ")
		n, _ := strconv.Atoi(count)
		bytes, rest = atMost(after)
		if n > 0 && bytes > math.MaxInt32/n {
			bytes, n = math.MaxInt32, 1
		}
		return n * bytes, strings.TrimLeft(rest, "]>")
	}
	if quoted, ok := strings.CutPrefix(typ, `%"`); ok {
		_, rest, _ = strings.Cut(quoted, `"`)
		return math.MaxInt32, rest
	}
	end := strings.IndexAny(typ, " ,]>}")
	if end < 0 {
		end = len(typ)
	}
	switch word := typ[:end]; {
	case strings.HasPrefix(word, "i"):
		bits, _ := strconv.Atoi(word[1:])
		bytes = max(1, (bits+7)/8)
		for bytes&(bytes-1) != 0 {
			bytes++
		}
	case word == "half" || word == "bfloat":
		bytes = 2
	case word == "float":
		bytes = 4
	case word == "double" || word == "ptr":
		bytes = 8
	default:
		bytes = math.MaxInt32
	}
	rest = typ[end:]
	if word := typ[:end]; word == "ptr" {
		if space, after, ok := strings.Cut(rest, ")"); ok && strings.HasPrefix(space, " addrspace(") {
			rest = after
		}
	}
	return bytes, rest
}

var (
	// privateIndex is an address in private memory by an index that is computed, and genericIndex one that may be.
	privateIndex = lazy.Regexp{Expr: indexOf(`ptr addrspace\(5\)`)}
	genericIndex = lazy.Regexp{Expr: indexOf(`ptr(?: addrspace\(5\))?`)}
)

func indexOf(pointer string) (expr string) {
	return `(?m)^( +` + valueName + ` = getelementptr )(?:inbounds |nuw |nusw )+([^\n]*, ` + pointer + ` ` + valueName + `(?:, i\d+ [^\n,]+)*, i\d+ %[^\n]*)$`
}

// scratchPrivate reports whether a processor's private memory is accessed by scratch instructions whose
// registers must not be negative.
func scratchPrivate(cpu string) bool { return !buffersPrivate(cpu) && !strings.HasPrefix(cpu, "gfx12") }

// loosenIndices takes out of addresses in private memory that they are inside of a variable. Of the
// constant part of an index (a[60-j]) LLVM makes a part of the instruction, and takes the rest, which may be negative,
// for an address inside as well (SeparateConstOffsetFromGEP; LLVM's pull request 130616). Where it is not known
// that the rest is not negative, an addition remains. Of a generic address, the back end may find that it is private.
func loosenIndices(text string) (loose string, ok bool) {
	loose = eachFunction(text, func(body string) string {
		index := &privateIndex
		if strings.Contains(body, " addrspacecast ptr addrspace(5) ") {
			index = &genericIndex
		}
		return index.Get().ReplaceAllString(body, "$1$2")
	})
	return loose, loose != text
}
