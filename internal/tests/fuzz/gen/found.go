package main

import (
	"fmt"
	"strings"
)

// This file makes loops that run a constant number of times and find what they index: in arrays of slices, in fields, by
// slicing, by a choice, by an exchange. Nothing of that is there ahead of the loop, where indices may be.

// foundLoop is accesses in such a loop.
func (g *gen) foundLoop(s, acc string, t *typ) {
	small := func() string { return fmt.Sprintf("in.Small[%d]", g.IntN(4)) }
	names := strings.NewReplacer("%k", g.name("w"), "%j", g.name("w"), "%x", g.name("w"), "%rows", g.name("w"), "%other", g.name("w"), "%step", g.name("w"), "%T", t.name, "%s", s, "%acc", acc)
	put := func(text string) { g.printf("%s\n", names.Replace(text)) }
	part := func() string {
		return oneOf(g, []string{"%s[:]", "%s[1:]", "%s[:3]", "%s[" + small() + "/4:]", "%s[1:3]"})
	}
	all := strings.Join([]string{part(), part(), part(), part()}, ", ")
	put("%step := " + oneOf(g, []string{small() + "&1", small() + "/3", "int(u.Small[1])&1", "1"}))
	element, rest := "%rows[%k]", ""
	switch g.IntN(7) {
	case 0, 1:
		put("%rows := [4][]%T{" + all + "}")
	case 2:
		put("%rows := [4]struct{ n int; v []%T }{{1, " + part() + "}, {0, " + part() + "}, {v: " + part() + "}, {" + small() + ", " + part() + "}}")
		element = "%rows[%k].v"
	case 3:
		put("%rows := struct{ v [4][]%T; n int }{[4][]%T{" + all + "}, 2}")
		element = "%rows.v[%k]"
	case 4:
		put("%rows := %s[:]")
		element = "%rows[%k&1:]"
	case 5:
		put("%rows, %other := " + part() + ", " + part())
		element = "pick(int(%k) > " + small() + ", %rows, %other)"
	default:
		put("%rows, %other := " + part() + ", " + part())
		element, rest = "%rows", "%rows, %other = %other, %rows"
	}
	nested := g.IntN(4) == 0
	if nested {
		put("for %j := range 2 {\n_ = %j")
	}
	put(oneOf(g, []string{"for %k := range 4 {", "for %k := 0; %k < 4; %k++ {", "for %k := 3; %k >= 0; %k-- {", "for %k := 1; %k < 4; %k += 2 {", "for %k := int32(0); %k < 4; %k++ {"}))
	put("_, _ = %k, %step")
	x := element
	if g.IntN(2) == 0 {
		put("%x := " + element)
		x = "%x"
	}
	for range 1 + g.IntN(3) {
		i := oneOf(g, []string{"int(%k)", "%step", "int(%k)*%step", "2-%step", "int(%k)*%step+" + small() + "&1", "int(%k)/2+%step", "0", "int(%k)&1", "(int(%k)+1)*%step-1", "int(%k)<<1-%step*2"})
		if nested && g.IntN(2) == 0 {
			i = oneOf(g, []string{"%j*%step", "%j*%step+int(%k)", "%j"})
		}
		if g.IntN(3) == 0 {
			put(fmt.Sprintf("%s[%s] = %%acc + %d", x, i, g.IntN(9)))
			continue
		}
		put(fmt.Sprintf("%%acc += %s[%s]", x, i))
	}
	put(rest)
	if nested {
		put("}")
	}
	put("}")
}
