package main

import (
	"fmt"
	"strings"
)

// This file makes local arrays of ints that grow in loops, by steps of all sizes. The compiler holds them in 32 bits where it
// finds that they grow no further, for all threads or where it is asked (ssa2ir, contents.go): it must not where a
// product of steps and iterations wraps around.

// table is an array, what loops make of it, and what is read of it.
func (p *plane) table() {
	size := 1 + p.IntN(20)
	tame := p.IntN(4) > 0 // nothing but sums
	t, d, i := p.name("v"), p.name("v"), p.name("v")
	p.printf("var %s [%d]int\n%s := %s[0]\n_ = %s\n", t, size, d, t, d)
	if p.IntN(4) == 0 {
		p.printf("for %s := range %s {\n%s[%s] = %s\n}\n", i, t, t, i, p.step(i))
	}
	for range 1 + p.IntN(2) {
		p.printf("for %s {\n_ = %s\n", p.loop(i), i)
		inner := i
		if p.IntN(3) == 0 {
			inner = p.name("v")
			p.printf("for %[1]s := range %[2]d {\n_ = %[1]s\n", inner, 1+p.IntN(4))
		}
		for range 1 + p.IntN(3) {
			p.grows(t, d, inner, size, tame)
		}
		if inner != i {
			p.printf("}\n")
		}
		p.printf("}\n")
	}
	p.printf("%s", strings.NewReplacer("%t", t, "%i", i, "%n", fmt.Sprint(size), "%x", oneOf(p.gen, p.coords)).Replace(oneOf(p.gen, []string{
		"for _, %i := range %t {\nacc += %i\n}\n", "for %i := range %t {\nacc += %t[%i]\n}\n", "for %i := range %t {\nacc += %t[%i]\n}\n", "for %i := range %t {\nacc += %t[%i] / 3\n}\n", "acc += %t[%n-1] * 5\n", "acc += %t[%x%%n] >> 1\n", "acc ^= min(%t[0], %t[%n-1]) + max(%t[%n/2], 7)\n",
	})))
}

// loop is the clause of one with variable i.
func (p *plane) loop(i string) string {
	return strings.NewReplacer("%i", i, "%n", oneOf(p.gen, p.sizes), "%k", fmt.Sprint(1+p.IntN(30))).Replace(oneOf(p.gen, []string{
		"%i := range %k", "%i := range c", "%i := range c", "%i := range b", "%i := 0; %i < len(c); %i += 2", "%i := len(c) - 1; %i >= 0; %i--", "%i := range min(%n, 50)", "%i := 1; %i < min(%n, 9); %i++",
	}))
}

// step is a number that an array grows by, or begins with.
func (p *plane) step(i string) string {
	return strings.NewReplacer("%i", i, "%x", oneOf(p.gen, p.coords), "%n", oneOf(p.gen, p.sizes), "%k", fmt.Sprint(p.IntN(10))).Replace(oneOf(p.gen, []string{
		"%k", "%k", "1", "1 << (2 * %k)", "1<<20 - %k", "%n", "%n", "%x", "%i", "%i * %k", "(-%k)", "%x*%n + %k", "int(b[0])", "int(u.U16[0]) << 14", "int(in[me].U16[0]) << 13", "int(in[me].U16[0]) << 10", "%n << 18", "%n << 19", "int(a[0])", "1 << 40", "(-1 << 31)",
	}))
}

// grows is a statement that makes an element, by the variable d that keeps another; of a tame array it adds a little.
func (p *plane) grows(t, d, i string, size int, tame bool) {
	at := func() string {
		return strings.NewReplacer("%i", i, "%n", fmt.Sprint(size), "%k", fmt.Sprint(p.IntN(size)), "%x", oneOf(p.gen, p.coords)).Replace(oneOf(p.gen, []string{
			"%i%%n", "%k", "%k", "%k", "0", "0", "(%i+%x)%%n", "%x%%n", "(%i*7+%k)%%n", "min(%i, %n-1)", "%i",
		}))
	}
	all := []string{
		"%t[%a] += %s", "%t[%a] += %s", "%t[%a] -= %s", "%t[%a] = %t[%b] + %s", "%t[%a] = min(%t[%b]+%s, %t[%c]+%r)", "%t[%a] = max(%t[%b]-%s, %t[%c]-%r, 0)", "%t[%a] = %s",
		"if %t[%a] < %s {\n%t[%a]++\n}", "%t[%a] = max(%t[%b], %s)",
		"%d, %t[%a] = %t[%a], min(%d+%s, %t[%b]+%r)", "%d = %t[%b]\n%t[%a] = %d + %s", "%t[%a] = %t[%b] * 2", "%t[%a] = %t[%b] + %t[%c]",
	}
	if tame {
		all = all[:9]
	}
	p.printf("%s\n", strings.NewReplacer("%t", t, "%d", d, "%a", at(), "%b", at(), "%c", at(), "%s", p.step(i), "%r", p.step(i)).Replace(oneOf(p.gen, all)))
}
