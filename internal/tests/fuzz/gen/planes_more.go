package main

import "strings"

// This file makes the loops of such kernels: through a window whose border is reflected, wrapped or clamped, through
// the slots of a table of hashes, and through parts of arrays. And it makes indices of floats.

// loaded is an index that is loaded from another slice.
func (p *plane) loaded(i string) string {
	return strings.ReplaceAll(oneOf(p.gen, []string{"int(b[%i])&31", "int(b[%i])%len(a)", "int(b[%i])&(len(c)-1)", "int(b[%i])>>9", "int(a[%i])&7", "int(uint32(a[%i]))%200", "int(b[%i])%13-1", "int(b[%i])>>10+%i"}), "%i", i)
}

// names replaces placeholders in a text: %x and %y by coordinates, %w and %h by sizes, and more, in pairs of a placeholder and what it stands for.
func (p *plane) names(more ...string) *strings.Replacer {
	x := oneOf(p.gen, p.coords)
	w, h := oneOf(p.gen, p.sizes), oneOf(p.gen, p.sizes)
	return strings.NewReplacer(append(more, "%x", x, "%y", oneOf(p.gen, p.coords), "%w", w, "%h", h)...)
}

// square reads a window of two directions, or of one, of threads that are in the picture, or of all.
func (p *plane) square() {
	if p.IntN(2) == 0 {
		p.printf("if %s {\n", p.inside())
		defer p.printf("}\n")
	}
	s := oneOf(p.gen, []string{"a", "a", "b", "c"})
	acc, _ := p.window(picture{elem: intT, at: "int(" + s + "[%i])", size: [2]string{p.sizes[0], p.sizes[1]}, point: [2]string{p.coords[0], p.coords[1]}}, true)
	p.printf("acc += %s\n", acc)
}

// mirror reads around a place, along a row or a column.
func (p *plane) mirror() {
	names := p.names("%k", p.name("v"), "%i", p.name("v"))
	put := func(text string) { p.printf("%s\n", names.Replace(text)) }
	put(oneOf(p.gen, []string{"for %i := -2; %i <= 2; %i++ {", "for %i := range 4 {", "for %i := 3; %i >= -3; %i -= 2 {"}))
	put("%k := " + oneOf(p.gen, []string{"%x + %i", "%x - %i", "%x + 2*%i", "%y*%w + %i"}))
	for range 1 + p.IntN(2) {
		put(oneOf(p.gen, []string{
			"if %k < 0 {\n%k = -%k\n}", "if %k < 0 {\n%k += %w\n}", "if %k >= %w {\n%k -= %w\n}", "if %k >= %w {\n%k = 2*%w - 2 - %k\n}", "if %k > %w-1 {\n%k = %w - 1 - %i\n}",
			"if %k < 0 {\n%k = 0\n}", "if %k >= %w {\n%k = %w - 1\n} else if %k < 2 {\n%k = 1\n}", "%k = max(%k, 0)", "if %k&1 == 0 {\n%k = ^%k & 15\n}",
		}))
	}
	put("acc += int(" + oneOf(p.gen, []string{"a[%k]", "a[%y*%w+%k]", "b[%k*%w+%x]", "c[%h*%k]", "a[%k] + a[%k+1]"}) + ")\n_ = %i\n}")
}

// probe goes through the slots of a table.
func (p *plane) probe() {
	mask := oneOf(p.gen, []string{"%w", "(%w - 1)", "(len(a) - 1)", "(len(b) - 1)", "%h"})
	names := p.names("%at", p.name("v"), "%i", p.name("v"), "%m", mask)
	put := func(text string) { p.printf("%s\n", names.Replace(names.Replace(text))) }
	put("%at := " + oneOf(p.gen, []string{"%x & %m", "int(uint32(%x)*2654435761) & %m", "%x * 5 & %m"}))
	put("for %i := 0; %i < 9 && " + oneOf(p.gen, []string{"a[%at] > 0", "b[%at]&3 != 0", "c[%at] != 1"}) + "; %i++ {")
	put("acc += int(" + oneOf(p.gen, []string{"a[%at]", "b[%at]", "c[%at]"}) + ") + %i")
	put("%at = " + oneOf(p.gen, []string{"(%at + 1) & %m", "(%at*3 + 1) & %m", "(%at + %i) & %m", "(%at + 1) % len(a)"}) + "\n}")
}

// part reads a part of an array, or of a part, or a part of a slice whose ends are loaded.
func (p *plane) part() {
	if p.IntN(3) == 0 {
		k := p.name("v")
		p.printf("for %s, v := range a[int(b[%s])%s:min(int(b[%s])%s, len(a))] {\nacc += %s*int(v) + int(c[int(uint32(v))%%len(c)])\n}\n", k, p.index(), oneOf(p.gen, []string{"&31", "&31", ">>9", "-9"}), p.index(), oneOf(p.gen, []string{"&63", ">>8", "%len(b)"}), k)
		return
	}
	names := p.names("%t", p.name("v"), "%k", p.name("v"))
	put := func(text string) { p.printf("%s\n", names.Replace(text)) }
	put("var %t [9]int\nfor %k := range %t {\n%t[%k] = %k * %x\n}")
	put("for %k, v := range " + oneOf(p.gen, []string{"%t[1:]", "%t[2:][:4]", "%t[:7][2:][1:]", "%t[%x&3:]", "%t[min(%x, 9):]", "%t[4:][:%x&7]"}) + " {\nacc += v + %k + %t[v&7]\n}")
}

// cells divides, multiplies and indexes by ints that are made of floats, which may be small, large or no numbers.
func (p *plane) cells() {
	names := p.names("%f", p.name("v"), "%g", p.name("v"), "%m", p.name("v"), "%n", p.name("v"), "%i", p.name("v"))
	put := func(text string) { p.printf("%s\n", names.Replace(text)) }
	float := func() string {
		return oneOf(p.gen, []string{
			"float32(%x)*0.75 - 1", "float32(%x-%y) / 3", "float32(%x)*3.5e8", "float32(%x) / float32(%y)", "math.Float32frombits(uint32(%x)*2654435761)", "float32(%y) * 1.0737418e9",
			"float32(%w)*0.5 + float32(%y)", "-float32(%x*%x) * 9e17", "max(float32(%x-2)*1e9, 0)",
		})
	}
	loops := p.IntN(3) == 0
	if loops {
		put("for %i := range 3 {")
	}
	put("%f, %g := variable(" + float() + "), variable(" + float() + ")\n_, _ = %f, %g")
	if p.IntN(3) == 0 {
		put(oneOf(p.gen, []string{"if %f >= 0 && %f < float32(%w) {", "if %f > -4 && %f < 9 {", "if %f < 1e9 && %g > -1e9 {", "if !(%f < 0 || %g < 0) {"}))
		defer p.printf("}\n")
	}
	whole := []string{"int(%f)", "int(float32(math.Floor(float64(%f))))", "int(%g)", "int(float32(math.Ceil(float64(%g))))", "int(float64(%f) * 3)"}
	put("%m, %n := " + oneOf(p.gen, whole) + ", " + oneOf(p.gen, whole) + "\n_, _ = %m, %n")
	for range 1 + p.IntN(4) {
		put("acc += " + oneOf(p.gen, []string{
			"%m % max(%w, 1)", "(%m + 1) % max(%w, 1) * %w", "%n / max(%h, 1)", "%m * %n", "%n % 7 * %w", "int(a[uint(%m)%uint(len(a))])", "int(b[max(min(%n, len(b)-1), 0)])",
			"int(a[%m%len(a)])", "int(int32(float32(%m) * 0.25))", "(%m - %n) % 1000", "%m << 2", "int((%f - float32(%m)) * 4)", "-%n % max(%w, 1)", "int(c[%m & 7])",
		}))
	}
	if loops {
		put("_ = %i\n}")
	}
}
