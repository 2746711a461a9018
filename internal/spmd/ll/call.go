package ll

import "strings"

// call nnan fastcc i32 @f(ptr noundef %p, i32 0) nounwind [ "align"(ptr %p, i64 8) ]
func (p *parser) call(i *Inst) {
	p.resultAttrs(i)
	typ := p.typ()
	if p.peek().is("(") { // the type of a function: i32 (ptr, ...)
		from := p.pos
		p.balanced()
		i.FnType = typ.Text + " " + p.verbatim(from, p.pos)
	}
	if callee := p.peek(); callee.kind == tokGlobal {
		p.next()
		i.Callee = bareName(callee.text[1:])
	} else {
		p.operand(i, ptrType)
	}
	p.expect("(")
	for n := 0; !p.accept(")"); n++ {
		if n > 0 {
			p.expect(",")
		}
		t := p.valueType()
		if t.Text != "metadata" {
			for p.startsAttr() && !p.startsValue() {
				p.attr()
			}
		}
		p.operand(i, t)
	}
	i.Typ = typ
	p.callAttrs(i)
}

// resultAttrs reads the calling convention and the attributes of the result.
func (p *parser) resultAttrs(i *Inst) {
	for p.startsAttr() && !p.startsType() {
		attr := p.attr()
		if isConvention(attr) {
			i.Conv = attr
		}
		i.rangeAttr(attr)
	}
}

// isConvention reports whether a word names a calling convention.
func isConvention(attr string) bool {
	word, _, _ := strings.Cut(attr, " ")
	if strings.ContainsAny(word, `("`) {
		return false
	}
	for _, prefix := range []string{"amdgpu_", "spir_", "ptx_", "x86_", "arm_", "aarch64_", "riscv_", "win64"} {
		if strings.HasPrefix(word, prefix) {
			return true
		}
	}
	return strings.HasSuffix(word, "cc")
}

// callAttrs reads the attributes after the arguments, and skips the operand
// bundles: they say what is assumed.
func (p *parser) callAttrs(i *Inst) {
	var attrs []string
	for p.onLine() {
		switch {
		case p.startsAttr():
			attr := p.attr()
			if attr != "" {
				attrs = append(attrs, attr)
			}
		case p.peek().is("["):
			p.balanced()
		default:
			i.Attrs = strings.Join(attrs, " ")
			return
		}
	}
	i.Attrs = strings.Join(attrs, " ")
}
