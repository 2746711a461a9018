package codegen

import (
	"math"
	"math/bits"
	"strconv"
	"strings"

	"heddle/internal/lazy"
)

// This file finds between what the integers of a function are, for short.go: by what makes them, without what branches say.

// An interval is from lo to hi, as numbers with a sign.
type interval struct{ lo, hi int64 }

var interval32 = interval{math.MinInt32, math.MaxInt32}

func (x interval) within(y interval) bool { return x.lo >= y.lo && x.hi <= y.hi }
func (x interval) or(y interval) interval { return interval{min(x.lo, y.lo), max(x.hi, y.hi)} }

// full is all that so many bits may be.
func full(width int) interval {
	return interval{math.MinInt64 >> (64 - width), math.MaxInt64 >> (64 - width)}
}

var (
	rangeOf    = lazy.Regexp{Expr: `(?m)^!(\d+) = !\{i32 (-?\d+), i32 (-?\d+)\}$`}
	rangeUse   = lazy.Regexp{Expr: `, !range !(\d+)`}
	rangeSays  = lazy.Regexp{Expr: `\brange\(i32 (-?\d+), (-?\d+)\)`}
	shortTyped = lazy.Regexp{Expr: `^(?:select i1 [^ ,]+, |phi |(?:tail )?call (?:[a-z]+(?:\(i32 -?\d+, -?\d+\))? )*|(?:add|sub|mul|shl|and|or|xor|lshr|ashr|udiv|sdiv|urem|srem) (?:(?:nuw|nsw|exact|disjoint) )*|load )(i\d+)\b`}
)

// rangesIn are the ranges of 32 bits in a module's metadata, by their numbers.
func rangesIn(text string) map[string]interval {
	all := map[string]interval{}
	for _, m := range rangeOf.Get().FindAllStringSubmatch(text, -1) {
		if x, ok := span32(m[2], m[3]); ok {
			all[m[1]] = x
		}
	}
	return all
}

// span32 is what is from lo on and below end.
func span32(lo, end string) (x interval, ok bool) {
	a, err := strconv.ParseInt(lo, 10, 64)
	b, err2 := strconv.ParseInt(end, 10, 64)
	if b == math.MinInt32 { // 1<<31, as LLVM writes it
		b = 1 << 31
	}
	return interval{a, b - 1}, err == nil && err2 == nil && a < b
}

// ranges are what is known of a function's integers.
type ranges struct {
	*flow
	known map[string]interval // the module's
	all   map[string]interval // of values that have been looked at
}

func newRanges(f *flow, known map[string]interval) *ranges {
	return &ranges{flow: f, known: known, all: map[string]interval{}}
}

// find goes through the values until nothing changes. What keeps growing, as a loop's counter does, may be anything.
func (f *ranges) find() {
	const rounds, most = 3, 40
	f.number()
	byBlock := map[*flowBlock][]string{}
	for _, name := range f.order {
		b := f.values[name].block
		byBlock[b] = append(byBlock[b], name)
	}
	for round := range most {
		changed := false
		for _, b := range f.ranked {
			for _, name := range byBlock[b] {
				v := f.values[name]
				width := f.width(v)
				if width == 0 {
					continue
				}
				x, ok := f.make(v, width)
				if !ok {
					continue // of what has not been looked at yet
				}
				if was, seen := f.all[name]; seen {
					if x = x.or(was); x == was {
						continue
					}
					if _, _, isPhi := v.phi(); isPhi && round >= rounds {
						x = full(width)
					}
				}
				f.all[name], changed = x, true
			}
		}
		if !changed {
			return
		}
	}
	clear(f.all)
}

// width is how many bits a value's type has, 0 if it is no integer that counts.
func (f *ranges) width(v *flowValue) int {
	if m := shortExtend.Get().FindStringSubmatch(v.text); m != nil {
		return widthOf(m[4])
	}
	if m := shortNarrow.Get().FindStringSubmatch(v.text); m != nil {
		return widthOf(m[3])
	}
	if m := shortTyped.Get().FindStringSubmatch(v.text); m != nil {
		return widthOf(m[1])
	}
	return 0
}

func widthOf(typ string) int {
	switch typ {
	case "i8", "i16", "i32", "i64":
		n, _ := strconv.Atoi(typ[1:])
		return n
	}
	return 0
}

// of is what an operand may be; all that it can if nothing is known.
func (f *ranges) of(operand string, width int) interval {
	x, ok := f.operand(operand, width)
	if !ok {
		return full(width)
	}
	return x
}

// operand is of, and not ok where a value has not been looked at yet.
func (f *ranges) operand(operand string, width int) (x interval, ok bool) {
	if k, err := strconv.ParseInt(operand, 10, 64); err == nil {
		return interval{k, k}, true
	}
	v := f.values[operand]
	if v == nil || f.width(v) != width {
		return full(width), true
	}
	x, ok = f.all[operand]
	return x, ok
}

// make is what a value may be by what makes it.
func (f *ranges) make(v *flowValue, width int) (x interval, ok bool) {
	if m := shortExtend.Get().FindStringSubmatch(v.text); m != nil {
		from := widthOf(m[2])
		if from == 0 {
			if m[2] == "i1" && m[1] == "zext" {
				return interval{0, 1}, true
			}
			return full(width), true
		}
		x, ok = f.operand(m[3], from)
		if m[1] == "zext" && x.lo < 0 {
			if x.hi >= 0 && strings.HasPrefix(v.text, "zext nneg ") {
				return interval{0, x.hi}, ok
			}
			x = interval{0, 1<<from - 1}
		}
		return x, ok
	}
	if m := shortNarrow.Get().FindStringSubmatch(v.text); m != nil {
		from := widthOf(m[1])
		if from == 0 {
			return full(width), true
		}
		x, ok = f.operand(m[2], from)
		if !x.within(full(width)) {
			x = full(width)
		}
		return x, ok
	}
	if m := shortBinary.Get().FindStringSubmatch(v.text); m != nil {
		a, ok := f.operand(m[3], width)
		b, ok2 := f.operand(m[4], width)
		return result(m[1], a, b, width, strings.Contains(v.text, " nsw ")), ok && ok2
	}
	if m := shortChoice.Get().FindStringSubmatch(v.text); m != nil {
		a, ok := f.operand(m[3], width)
		b, ok2 := f.operand(m[4], width)
		return a.or(b), ok && ok2
	}
	if m := shortLimit.Get().FindStringSubmatch(v.text); m != nil {
		a, ok := f.operand(m[3], width)
		b, ok2 := f.operand(m[4], width)
		return limited(m[2], a, b, width), ok && ok2
	}
	if _, in, isPhi := v.phi(); isPhi {
		return f.joined(in, width)
	}
	if m := rangeSays.Get().FindStringSubmatch(v.text); m != nil && width == 32 {
		if x, ok := span32(m[1], m[2]); ok {
			return x, true
		}
	}
	if m := rangeUse.Get().FindStringSubmatch(v.text); m != nil && width == 32 {
		if x, ok := f.known[m[1]]; ok {
			return x, true
		}
	}
	return full(width), true
}

// joined is what a phi may be, by those of its edges that have been looked at.
func (f *ranges) joined(in [][2]string, width int) (x interval, ok bool) {
	for _, edge := range in {
		if edge[0] == "undef" || edge[0] == "poison" {
			continue
		}
		y, seen := f.operand(edge[0], width)
		switch {
		case !seen:
		case !ok:
			x, ok = y, true
		default:
			x = x.or(y)
		}
	}
	return x, ok
}

// limited is what the lesser or greater of two is.
func limited(op string, a, b interval, width int) interval {
	if op[0] == 'u' && (a.lo < 0 || b.lo < 0) {
		if op == "umin" && (a.lo >= 0 || b.lo >= 0) { // no more than the one that is not negative
			if a.lo < 0 {
				a = b
			}
			return interval{0, a.hi}
		}
		return full(width)
	}
	if strings.HasSuffix(op, "min") {
		return interval{min(a.lo, b.lo), min(a.hi, b.hi)}
	}
	return interval{max(a.lo, b.lo), max(a.hi, b.hi)}
}

// result is what an operator makes, all if it may wrap around; exact says that it does not.
func result(op string, a, b interval, width int, exact bool) interval {
	all := full(width)
	fits := func(x interval, ok bool) interval {
		switch {
		case ok && x.within(all):
			return x
		case exact && ok: // it is the part that does not wrap around
			return interval{max(x.lo, all.lo), min(x.hi, all.hi)}
		}
		return all
	}
	const big = 1 << 62
	small := interval{-big + 1, big - 1}
	switch op {
	case "add":
		return fits(interval{a.lo + b.lo, a.hi + b.hi}, a.within(small) && b.within(small))
	case "sub":
		return fits(interval{a.lo - b.hi, a.hi - b.lo}, a.within(small) && b.within(small))
	case "mul":
		if !a.within(interval32) || !b.within(interval32) {
			return all
		}
		p := [4]int64{a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi}
		return fits(interval{min(p[0], p[1], p[2], p[3]), max(p[0], p[1], p[2], p[3])}, true)
	case "shl":
		if b.lo != b.hi || b.lo < 0 || b.lo > 30 || !a.within(interval32) {
			return all
		}
		return fits(interval{a.lo << b.lo, a.hi << b.lo}, true)
	case "and":
		if a.lo >= 0 || b.lo >= 0 {
			most := int64(math.MaxInt64)
			if a.lo >= 0 {
				most = a.hi
			}
			if b.lo >= 0 {
				most = min(most, b.hi)
			}
			return interval{0, most}
		}
	case "or", "xor":
		if a.lo >= 0 && b.lo >= 0 {
			return interval{0, 1<<bits.Len64(uint64(a.hi|b.hi)) - 1}
		}
	case "lshr":
		if b.lo == b.hi && b.lo > 0 && b.lo < int64(width) {
			if a.lo >= 0 {
				return interval{a.lo >> b.lo, a.hi >> b.lo}
			}
			return interval{0, 1<<(int64(width)-b.lo) - 1}
		}
		if a.lo >= 0 {
			return interval{0, a.hi}
		}
	case "ashr":
		if b.lo == b.hi && b.lo >= 0 && b.lo < int64(width) {
			return interval{a.lo >> b.lo, a.hi >> b.lo}
		}
		return interval{min(a.lo, 0), max(a.hi, 0)}
	case "udiv", "sdiv", "urem", "srem":
		if b.lo > 0 {
			return divided(op, a, b, width)
		}
	}
	return all
}

// divided is a quotient or remainder by what is above 0.
func divided(op string, a, b interval, width int) interval {
	switch {
	case op == "udiv" && a.lo < 0 && b.lo == 1:
		return full(width)
	case op == "udiv" && a.lo < 0: // it is any number without a sign
		return interval{0, int64(uint64(math.MaxUint64) >> (64 - width) / uint64(b.lo))}
	case op == "udiv":
		return interval{a.lo / b.hi, a.hi / b.lo}
	case op == "sdiv":
		return interval{min(a.lo/b.lo, a.lo/b.hi), max(a.hi/b.lo, a.hi/b.hi)}
	case a.lo >= 0:
		return interval{0, min(a.hi, b.hi-1)}
	case op == "urem":
		return interval{0, b.hi - 1}
	}
	return interval{max(1-b.hi, a.lo), min(b.hi-1, max(a.hi, 0))}
}
