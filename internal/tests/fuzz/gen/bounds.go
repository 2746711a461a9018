package main

import (
	"fmt"
	"strings"
)

// This file makes indices that are in range for most threads and out of range for some:
// alone, in runs, behind conditions, in loops. The compiler proves, joins and hoists their
// checks, and the first that fails must still be the panic.

// boundsStmt is one such statement.
func (g *gen) boundsStmt() {
	if !g.main || g.inFunc() || g.floor > 0 || g.wild == maxWild || g.trips*mostWild > maxTrips {
		g.assign()
		return
	}
	g.wild++
	t := oneOf(g, integerTypes)
	a := g.name("w")
	n := 6 + g.IntN(12)
	g.printf("var %s %s\nfor z := range %s {\n%s[z] = %s(z*5) + %s\n}\n", a, arrayOf(n, t).name, a, a, t.name, g.given(t))
	s := a
	if g.IntN(2) == 0 {
		s = g.name("w")
		g.printf("%s := %s[:%s]\n", s, a, oneOf(g, []string{"", fmt.Sprint(n - 1), fmt.Sprint(n / 2), fmt.Sprintf("%d+in.Small[%d]", n-7, g.IntN(4))}))
	}
	acc := g.name("w")
	g.printf("var %s %s\n", acc, t.name)
	weighted(g, []choice[func()]{
		{4, func() { g.accesses(s, acc, g.wildIndex(n)) }},
		{4, func() { g.guarded(s, acc, n) }},
		{6, func() { g.wildLoop(s, acc, n) }},
		{6, func() { g.tableLoop(s, acc, n) }},
		{4, func() { g.nest(s, acc) }},
		{5, func() { g.foundLoop(s, acc, t) }},
		{4, func() { g.bisect(s, acc, n) }},
		{2, func() { g.wildSlice(s, acc, n) }},
	})()
	g.sink(acc, t, 0)
	g.sink(a, arrayOf(n, t), 0)
	g.add(acc, t, false)
}

// maxWild is how many of these statements a kernel has.
const maxWild = 4

// mostWild is how often their loops run at most.
const mostWild = 20

// wildIndex is an int, for most threads from 1 to n-2.
func (g *gen) wildIndex(n int) string {
	small := func() string { return fmt.Sprintf("in.Small[%d]", g.IntN(4)) }
	i := oneOf(g, []string{
		small(), small() + "+" + small(), "2*" + small(), small() + "-1", small() + "*" + small(), "int(uint8(" + small() + "-1)>>4)",
		fmt.Sprintf("(%s+%d)%%%d", small(), g.IntN(9), n), fmt.Sprintf("(%s*3)&7", small()), fmt.Sprintf("min(%s, %d)", small(), n-3), fmt.Sprintf("max(%s, 2)-1", small()),
		fmt.Sprintf("%d-%s", n-2, small()), fmt.Sprintf("(%s<<1)>>%d", small(), g.IntN(3)), "int(int8(" + small() + "*40))/16",
	})
	if g.has(index) && g.IntN(3) == 0 {
		i = fmt.Sprintf("(%s)%s", g.coordinate(), oneOf(g, []string{fmt.Sprintf("%%%d", n-1), fmt.Sprintf("&%d", n/2), "/16", ">>4"}))
	}
	if g.IntN(12) == 0 {
		i = oneOf(g, []string{"in.Int[0]", "int(in.U8[0])", "int(in.I32[0])>>28", "(1<<62)*" + small(), "int(^uint(0)>>1)-" + small()})
	}
	return i
}

// accesses reads and writes around an index.
func (g *gen) accesses(s, acc, at string) {
	i := g.name("w")
	g.printf("%s := %s\n", i, at)
	for range 1 + g.IntN(5) {
		e := oneOf(g, []string{i, i + "+1", i + "-1", i + "+2", i + "-2", i + "*2", i + ">>1", i + "+in.Small[0]", "int(int32(" + i + "))", "(" + i + "+3)/2", i + "&3", i + "^1"})
		if g.IntN(6) == 0 {
			g.printf("%s[%s] = %s + %d\n", s, e, acc, g.IntN(9))
			continue
		}
		g.printf("%s += %s[%s]\n", acc, s, e)
	}
}

// guarded is accesses behind a condition that bounds the index, or nearly.
func (g *gen) guarded(s, acc string, n int) {
	i := g.name("w")
	g.printf("%s := %s\n", i, g.wildIndex(n))
	length := oneOf(g, []string{fmt.Sprintf("len(%s)", s), fmt.Sprint(n), fmt.Sprint(n - 1)})
	cond := oneOf(g, []string{
		"%[1]s >= 0 && %[1]s < %[2]s", "%[1]s < %[2]s-1", "uint(%[1]s) < uint(%[2]s)", "%[1]s+1 < %[2]s && %[1]s > 0",
		"!(%[1]s < 0 || %[1]s >= %[2]s)", "%[1]s <= %[2]s", "%[1]s >= 1", "%[1]s != %[2]s", "%[1]s*2 < %[2]s", "%[1]s == 3 || %[1]s < %[2]s",
	})
	cond = strings.NewReplacer("%[1]s", i, "%[2]s", length).Replace(cond)
	g.printf("if %s {\n", cond)
	g.accesses(s, acc, i)
	g.printf("}\n")
}

// wildLoop is accesses in a loop.
func (g *gen) wildLoop(s, acc string, n int) {
	i := g.name("w")
	small := fmt.Sprintf("in.Small[%d]", g.IntN(4))
	head := oneOf(g, []string{
		"for %[1]s := 0; %[1]s < len(%[2]s); %[1]s++", "for %[1]s := range %[2]s", "for %[1]s := range %[3]d", "for %[1]s := 1; %[1]s < %[4]s; %[1]s++",
		"for %[1]s := %[4]s; %[1]s < len(%[2]s)-1; %[1]s += 2", "for %[1]s := len(%[2]s) - 1; %[1]s >= 0; %[1]s--", "for %[1]s := 1; %[1]s < %[3]d; %[1]s *= 2",
		"for %[1]s := 8; %[1]s > 0; %[1]s >>= 1", "for %[1]s := 0; %[1]s <= %[3]d; %[1]s += 3", "for %[1]s := int32(0); %[1]s < 4; %[1]s++",
		"for %[1]s := uint8(250); %[1]s > 3; %[1]s += 2", "for %[1]s := %[4]s; %[1]s != 9 && %[1]s < 12; %[1]s += 3",
	})
	head = strings.NewReplacer("%[1]s", i, "%[2]s", s, "%[3]d", fmt.Sprint(n-2), "%[4]s", small).Replace(head)
	g.printf("%s {\n", head)
	e := oneOf(g, []string{"int(%[1]s)", "int(%[1]s)*2-1", "int(%[1]s)+%[2]s-2", "int(%[1]s)>>1", "int(%[1]s)%5", "int(%[1]s)-1", "3*int(%[1]s)&7"})
	g.accesses(s, acc, strings.NewReplacer("%[1]s", i, "%[2]s", small).Replace(e))
	g.printf("}\n")
}

// tableLoop is a loop that reads indices from a table, in steps of its own, or some of the time.
func (g *gen) tableLoop(s, acc string, n int) {
	table, step, i := g.name("w"), g.name("w"), g.name("w")
	small := func() string { return fmt.Sprintf("in.Small[%d]", g.IntN(4)) }
	elem := oneOf(g, []string{"int32", "int32", "uint32", "int16", "uint16", "int8", "uint8", "int", "uint64"})
	g.printf("var %[1]sAll [%[2]d]%[6]s\nfor z := range %[1]sAll {\n%[1]sAll[z] = %[6]s((z*%[3]s+%[4]s)%%%[5]d)\n}\n%[1]s := %[1]sAll[:]\n",
		table, n, small(), small(), n+g.IntN(2), elem)
	if g.IntN(4) == 0 { // an index far out of range, or one that is negative
		g.printf("%[1]s[%[2]d] = %[3]s(in.I32[1])%[4]s\n", table, g.IntN(n), elem, oneOf(g, []string{"", ">>1", ">>(in.Small[0]&7)", "&7"}))
	}
	g.printf("%s := %s\n", step, oneOf(g, []string{small(), small() + "-2", fmt.Sprint(n - 1)}))
	names := strings.NewReplacer("%i", i, "%table", table, "%step", step, "%n", fmt.Sprint(n), "%small", small(), "%acc", acc)
	g.printf("%s {\n", names.Replace(oneOf(g, []string{
		"for %i := 0; %i < %n-%small; %i++", "for %i := range %table", "for %i := range %small + %n - 4", "for %i := %small; %i < %n; %i += %small + 1",
		"for %i := %n - 1; %i > %small-2; %i--", "for %i := int32(%small); %i <= int32(%n)-3; %i += 2", "for %i := 0; %i < %n-3; %i += 3", "for %i := range int32(%n)",
		"for %i := uint32(0); %i < uint32(%small+5); %i++", "for %i := 0; %i != max(%n, 7)-%small; %i++", "for %i, left := 0, %small*37+40; left != 0 && %i < 18; %i, left = %i+1, left>>1",
		"for %i, left := 0, uint32(%small*37+40); left != 0; %i, left = %i+1, left>>1", "for %i, left := %small, uint8(%small*37); left != 0; %i, left = %i+1, left&(left-1)",
		"for %i, left := 7, %small*1000; left > 0; %i, left = %i-1, left/3", "for %i, left := %n-%small, uint16(%small*99+3); left > 0; %i, left = %i-2, left>>2",
	})))
	if g.IntN(3) == 0 {
		g.printf("%s\n", names.Replace(oneOf(g, []string{"if %acc&15 == 9 {\nbreak\n}", "if %acc&3 == 1 {\ncontinue\n}", "if %table[%i] > 4 {\ncontinue\n}"})))
	}
	for range 1 + g.IntN(3) {
		e := names.Replace(oneOf(g, []string{
			"int(%table[%i])", "int(%table[%i])", "int(%table[%i])+1", "int(%i)", "int(%i)-%small+1", "%step", "%step-1", "int(%i)*%small+%small", "int(%table[%i])*2-int(%i)",
			"int(%table[int(%i)/2])", "int(%i)*3-%step", "int(int32(%i)*2-3)", "int(%table[%table[%i]])", "%n-1-int(%i)", "%step+int(%i)<<1",
		}))
		switch g.IntN(6) {
		case 0:
			g.printf("%s[%s] = %s + %d\n", s, e, acc, g.IntN(9))
		case 1:
			g.printf("if %[1]s := %[2]s; %[1]s %[3]s {\n%[4]s += %[5]s[%[1]s]\n}\n", g.name("w"), e, oneOf(g, []string{"> 0", "< 9", "!= 2", "< len(" + s + ")"}), acc, s)
		default:
			g.printf("%s += %s[%s]\n", acc, s, e)
		}
	}
	if g.IntN(2) == 0 {
		g.printf("%s\n", names.Replace(oneOf(g, []string{"%step++", "%step -= 1", "%step += %small - 1", "%step += 2"})))
	}
	g.printf("_, _ = %s, %s\n}\n%s += %s[%s&1]\n", i, table, acc, s, step)
}

// nest is accesses in loops within each other that run a constant number of times, by rows of a length that the program does not name.
func (g *gen) nest(s, acc string) {
	small := func() string { return fmt.Sprintf("in.Small[%d]", g.IntN(4)) }
	x, y, row := g.name("w"), g.name("w"), g.name("w")
	g.printf("%s := %s\n", row, oneOf(g, []string{small(), small() + "+1", small() + "-1", "int(int8(in.I8[0]))>>4"}))
	head := func(v string) string {
		return strings.ReplaceAll(oneOf(g, []string{
			"for %v := range 3 {", "for %v := -1; %v <= 1; %v++ {", "for %v := 2; %v >= 0; %v-- {", "for %v := 0; %v < 5; %v += 2 {",
			"for %v := int32(-1); %v < 2; %v++ {", "for %v := uint8(1); %v < 3; %v++ {",
		}), "%v", v)
	}
	g.printf("%s\n%s\n", head(y), head(x))
	names := strings.NewReplacer("%x", "int("+x+")", "%y", "int("+y+")", "%row", row, "%small", small())
	for range 1 + g.IntN(2) {
		e := names.Replace(oneOf(g, []string{
			"(%y+1)*%row+%x+1", "(%small+%y)*%row+%x", "%y*%row+%x*%small", "%y*%row-%x", "(%y*%row+%small)*%small+%x", "%row*(%x+%y)+2", "(%x*%row+%y)&15", "%y*2+%x+%row",
			"int(int32(%y)*int32(%row))+%x", "int(uint8(%y*%row+%x))",
		}))
		g.printf("%s += %s[%s]\n", acc, s, e)
	}
	g.printf("}\n}\n")
}

// bisect is accesses in a loop that halves what is between two bounds, of a slice or of a row in it.
func (g *gen) bisect(s, acc string, n int) {
	lo, hi, mid, row, steps := g.name("w"), g.name("w"), g.name("w"), g.name("w"), g.name("w")
	small := func() string { return fmt.Sprintf("in.Small[%d]", g.IntN(4)) }
	names := strings.NewReplacer("%lo", lo, "%hi", hi, "%mid", mid, "%row", row, "%steps", steps, "%all", s, "%acc", acc, "%n", fmt.Sprint(n), "%small", small(), "%other", small())
	put := func(text string) { g.printf("%s\n", names.Replace(text)) }
	put("%row := " + oneOf(g, []string{"%all[:]", "%all[%small&1*%other:(%small&1+1)*%other]", "%all[2:5]", "%all[%small:%small+4]", "%all[:%other]", "%all[%small*2:][:3]"}))
	put("%lo, %hi := " + oneOf(g, []string{"0, len(%row)-1", "0, len(%row)", "-1, len(%row)", "0, %other-1", "%small-1, len(%row)-1", "0, %n-1", "1, %other", "0, len(%all)-1"}))
	if g.IntN(12) == 0 {
		put("%hi = " + oneOf(g, []string{"in.Int[0]", "int(^uint(0)>>1)", "1 << 62"}))
	}
	put("for %steps := 0; %steps < 9 && " + oneOf(g, []string{"%hi-%lo > 1", "%lo < %hi", "%lo <= %hi", "%hi > %lo+1", "%lo+1 < %hi"}) + "; %steps++ {")
	put("%mid := " + oneOf(g, []string{"(%lo + %hi) / 2", "(%lo + %hi) >> 1", "%lo + (%hi-%lo)/2", "int(uint(%lo+%hi) >> 1)", "(%lo + %hi + 1) / 2", "%hi - (%hi-%lo)>>1"}))
	put("if %acc += %row[%mid]; %acc&1 == 0 {")
	put(oneOf(g, []string{"%hi = %mid", "%hi = %mid", "%hi = %mid - 1", "%lo = %mid + 1"}))
	put("} else {")
	put(oneOf(g, []string{"%lo = %mid", "%lo = %mid", "%lo = %mid + 1", "%hi = %mid"}))
	put("}\n}")
	if g.IntN(2) == 0 {
		put("%acc += " + oneOf(g, []string{"%row[%lo]", "%row[%hi]", "%row[%lo] + %row[%lo+1]", "%all[%lo&3]"}))
	}
}

// wildSlice is a slice of a slice, with bounds that may be wrong.
func (g *gen) wildSlice(s, acc string, n int) {
	p := g.name("w")
	g.printf("%s := %s[%s:%s]\n", p, s, g.wildIndex(n), g.wildIndex(n))
	g.printf("if len(%s) > 1 {\n%s += %s[1] + %s[len(%s)-1]\n}\n", p, acc, p, p, p)
}
