package codegen

import (
	"slices"
	"strings"

	"heddle/internal/lazy"
)

// packsFMA are the families of processors that multiply and add two pairs of float32 at once.
var packsFMA = []string{"gfx90a", "gfx940", "gfx941", "gfx942", "gfx950", "gfx9-4-generic"}

var (
	product = lazy.Regexp{Expr: `^\s+(` + valueName + `) = fmul contract float ([^,]+), ([^,]+)`}
	added   = lazy.Regexp{Expr: `^(\s+` + valueName + ` = )fadd contract float ([^,]+), ([^,]+)(.*)$`}
)

// fuse makes one operation of each product that is added to one number, where both say that
// they may be, in a module that is not optimised yet. AMD's code generator does so too, but not
// before LLVM's SLP pass, up to release 20, has made pairs: it takes a product that goes into a
// sum for free, and so finds pairs of products, and sums of pairs, dearer than those of single
// numbers. It then makes some of them, and what is between pairs and numbers is not fused.
func (r *Request) fuse(ir []byte) []byte {
	text := string(ir)
	if !slices.Contains(packsFMA, r.CPU) || r.level() < 2 || !strings.Contains(text, " = fmul contract float ") {
		return ir
	}
	text = eachFunction("\n"+text, fuseOf)[1:]
	return []byte(declareMissing(text, "float @llvm.fma.f32(float, float, float)"))
}

// fuseOf is fuse for a function.
func fuseOf(body string) string {
	lines := strings.Split(body, "\n")
	products, uses := map[string][2]string{}, map[string]int{}
	for _, line := range lines {
		if m := product.Get().FindStringSubmatch(line); m != nil {
			products[m[1]] = [2]string{m[2], m[3]}
		}
	}
	if len(products) == 0 {
		return body
	}
	for _, line := range lines {
		for _, name := range namesIn(line) {
			uses[name]++
		}
	}
	const once = 2 // where it is made, and where it is used
	for i, line := range lines {
		m := added.Get().FindStringSubmatch(line)
		if m == nil {
			continue
		}
		for at := 1; at >= 0; at-- {
			of, ok := products[m[2+at]]
			if !ok || uses[m[2+at]] != once {
				continue
			}
			lines[i] = m[1] + "call contract float @llvm.fma.f32(float " + of[0] + ", float " + of[1] + ", float " + m[3-at] + ")" + m[4]
			break
		}
	}
	return strings.Join(lines, "\n")
}
