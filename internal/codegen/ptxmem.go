package codegen

import (
	"fmt"
	"strconv"
	"strings"

	"heddle/internal/lazy"
)

// This file sets and copies memory of a known size in NVPTX by the widest stores and loads that the addresses' alignment
// allows. LLVM (19) makes a loop over bytes of what has more than 64.
//
//	call void @llvm.memset.p0.i64(ptr align 16 %p, i8 0, i64 84, i1 false)
//	-> store <4 x i32> zeroinitializer, ptr %p, align 16    and so on, 16 bytes at a time

const (
	shortMemory = 64   // bytes, for which LLVM does well itself
	longMemory  = 2048 // bytes, for which a loop is as good
	copiedAhead = 4    // loads ahead of their stores, so that they do not wait for one another
)

var wideMemory = lazy.Regexp{Expr: `(?m)^  (?:tail )?call void @llvm\.mem(set|cpy)(?:\.p\d+)+\.i64\((ptr[^,]*), (i8 0|ptr[^,]*), i64 (\d+), i1 false\)(?: #\d+)?(, !dbg !\d+)?.*$`}

// An operand of such a call is a pointer and what is known of it.
var memoryOperand = lazy.Regexp{Expr: `^(ptr(?: addrspace\(\d+\))?) (?:.* )?align (\d+) (?:.* )?(%(?:"[^"\n]*"|[-\w$.]+))$`}

// widenMemory rewrites a module's text so.
func widenMemory(text string) (widened string, ok bool) {
	n := 0 // names
	widened = wideMemory.Get().ReplaceAllStringFunc(text, func(line string) string {
		m := wideMemory.Get().FindStringSubmatch(line)
		to := memoryOperand.Get().FindStringSubmatch(m[2])
		size, _ := strconv.Atoi(m[4])
		if to == nil || size <= shortMemory || size > longMemory {
			return line
		}
		w := memoryWriter{n: &n, debug: m[5], size: size}
		align, _ := strconv.Atoi(to[2])
		if m[1] == "set" {
			if m[3] != "i8 0" || align < 4 {
				return line
			}
			ok = true
			w.set(to, align)
			return w.text()
		}
		from := memoryOperand.Get().FindStringSubmatch(m[3])
		if from == nil {
			return line
		}
		least, _ := strconv.Atoi(from[2])
		if align = min(align, least); align < 4 {
			return line
		}
		ok = true
		w.copy(to, from, align)
		return w.text()
	})
	return widened, ok
}

// A memoryWriter writes loads and stores.
type memoryWriter struct {
	lines []string
	n     *int   // names, so far
	debug string // of each line
	size  int    // bytes
}

func (w *memoryWriter) text() string { return strings.Join(w.lines, "\n") }

// line adds an instruction, with a name if it has one.
func (w *memoryWriter) line(named bool, format string, args ...any) (name string) {
	text := fmt.Sprintf(format, args...)
	if named {
		*w.n++
		name = fmt.Sprint("%heddle.memory.", *w.n)
		text = name + " = " + text
	}
	w.lines = append(w.lines, "  "+text+w.debug)
	return name
}

// A memoryPart is some of the bytes, as one type.
type memoryPart struct {
	at, align int
	typ       string
}

// parts are those for an alignment.
func (w *memoryWriter) parts(align int) (all []memoryPart) {
	types := []memoryPart{{16, 16, "<4 x i32>"}, {8, 8, "<2 x i32>"}, {4, 4, "i32"}, {2, 2, "i16"}, {1, 1, "i8"}}
	at := 0
	for _, t := range types {
		for t.align <= align && at+t.at <= w.size {
			all = append(all, memoryPart{at, t.align, t.typ})
			at += t.at
		}
	}
	return all
}

// part is the address of a part.
func (w *memoryWriter) part(operand []string, p memoryPart) string {
	if p.at == 0 {
		return operand[1] + " " + operand[3]
	}
	return operand[1] + " " + w.line(true, "getelementptr inbounds i8, %s %s, i64 %d", operand[1], operand[3], p.at)
}

func (w *memoryWriter) set(to []string, align int) {
	for _, p := range w.parts(align) {
		zero := "0"
		if strings.HasPrefix(p.typ, "<") {
			zero = "zeroinitializer"
		}
		w.line(false, "store %s %s, %s, align %d", p.typ, zero, w.part(to, p), p.align)
	}
}

func (w *memoryWriter) copy(to, from []string, align int) {
	for all := w.parts(align); len(all) > 0; {
		some := all[:min(copiedAhead, len(all))]
		all = all[len(some):]
		var loaded []string
		for _, p := range some {
			loaded = append(loaded, w.line(true, "load %s, %s, align %d", p.typ, w.part(from, p), p.align))
		}
		for i, p := range some {
			w.line(false, "store %s %s, %s, align %d", p.typ, loaded[i], w.part(to, p), p.align)
		}
	}
}
