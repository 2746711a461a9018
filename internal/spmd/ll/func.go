package ll

import (
	"strconv"
	"strings"
)

// A body is what is known of the function whose body is parsed.
type body struct {
	fn      *Func
	counter int // number of the next unnamed parameter, block or instruction
	values  map[string]Value
	blocks  map[string]*Block
	refs    []blockRef
	fixes   []fix
}

// A fix is an operand whose definition comes after its use.
type fix struct {
	inst *Inst
	arg  int
	typ  *Type
	name token
}

// A blockRef is a use of a block.
type blockRef struct {
	block *Block
	name  token
}

// functions parses the functions that the first pass found.
func (p *parser) functions() {
	seen := map[string]bool{}
	for _, s := range p.funcSpans {
		p.pos = s.from
		define := p.next().is("define")
		f := p.header()
		if seen[f.Name] {
			p.failf("function @%s is defined twice", f.Name)
		}
		seen[f.Name] = true
		if define {
			p.blocksOf(f)
		}
		if p.pos != s.to {
			p.next()
			p.failf("unexpected %q after the function's header", p.toks[p.pos-1].text)
		}
		if !strings.HasPrefix(f.Name, "llvm.dbg.") {
			p.mod.Funcs = append(p.mod.Funcs, f)
			p.mod.named[strings.Trim(f.Name, `"`)] = f
		}
	}
}

// header parses a function up to its body.
func (p *parser) header() *Func {
	f := &Func{}
	p.body = &body{fn: f, values: map[string]Value{}, blocks: map[string]*Block{}}
	var words []string
	for !p.startsType() {
		if p.peek().kind == tokMeta { // declare !dbg !5 void @f()
			p.next()
			p.metaValue()
			continue
		}
		words = append(words, p.attr())
	}
	f.Linkage = strings.Join(words, " ")
	f.Ret = p.typ()
	name := p.next()
	if name.kind != tokGlobal {
		p.failf("expected the function's name, found %q", name.text)
	}
	f.Name = bareName(name.text[1:])
	p.expect("(")
	for n := 0; !p.accept(")"); n++ {
		if n > 0 {
			p.expect(",")
		}
		if p.accept("...") {
			f.Variadic = true
			p.expect(")")
			break
		}
		f.Params = append(f.Params, p.param())
	}
	f.Attrs = p.headerAttrs()
	return f
}

// param parses `ptr byref(%T) align 8 %x`.
func (p *parser) param() *Param {
	par := &Param{Typ: p.valueType()}
	var attrs []string
	for p.startsAttr() {
		word, from := p.peek().text, p.pos
		attrs = append(attrs, p.attr())
		if (word == "byref" || word == "byval") && p.pos > from+1 {
			end := p.pos
			p.pos = from + 2
			par.ByRef = p.typ()
			p.expect(")")
			p.pos = end
		}
	}
	par.Attrs = strings.Join(attrs, " ")
	name := ""
	if p.peek().kind == tokLocal {
		name = p.next().text
	}
	par.Name = p.define(name, par)
	return par
}

// valueType parses the type of a value.
func (p *parser) valueType() *Type {
	t := p.typ()
	if t.Kind == Void {
		p.failf("a value of type void")
	}
	return t
}

// headerAttrs reads what stands between a function's parameters and its body,
// without metadata and the comdat.
func (p *parser) headerAttrs() string {
	var attrs []string
	for p.onLine() && !p.peek().is("{") {
		switch t := p.peek(); {
		case t.kind == tokMeta:
			p.next()
			p.metaValue()
		case t.is("comdat"):
			p.attr()
		case t.is("section") || t.is("partition") || t.is("gc"):
			p.next()
			p.str()
			attrs = append(attrs, p.verbatim(p.pos-2, p.pos))
		case t.is("personality") || t.is("prefix") || t.is("prologue"):
			p.next()
			attrs = append(attrs, t.text+" "+p.typedConstant())
		default:
			attrs = append(attrs, p.attr())
		}
	}
	return strings.Join(attrs, " ")
}

func (p *parser) typedConstant() string {
	t := p.valueType()
	return t.Text + " " + p.constant(t).Text
}

// define names a value: as the source does, "%x", or by the next number.
func (p *parser) define(name string, v Value) string {
	name = p.nameOrNumber(strings.TrimPrefix(name, "%"))
	if p.values[name] != nil {
		p.failf("%%%s is defined twice", name)
	}
	p.values[name] = v
	return name
}

func (p *parser) nameOrNumber(name string) string {
	name = bareName(name)
	if name == "" {
		name = strconv.Itoa(p.counter)
		p.counter++
	} else if n, err := strconv.Atoi(name); err == nil && name == strconv.Itoa(n) && n >= 0 {
		if n < p.counter {
			p.failf("number %s is used again or out of order", name)
		}
		p.counter = n + 1
	}
	return name
}

// blocksOf parses a function's body.
func (p *parser) blocksOf(f *Func) {
	p.expect("{")
	var b *Block
	for !p.accept("}") {
		switch t := p.peek(); {
		case (t.kind == tokWord || t.kind == tokString) && p.peekAt(1).is(":"):
			p.pos += 2
			b = p.startBlock(b, t.text)
			continue
		case t.is("uselistorder"):
			p.restOfLine()
			continue
		case t.kind == tokHash: // #dbg_value(...)
			p.next()
			p.restOfLine()
			continue
		case b == nil || b.ended():
			b = p.startBlock(b, "")
		}
		if i := p.inst(); i != nil {
			i.Block = b
			b.Insts = append(b.Insts, i)
		}
		if p.onLine() && !p.peek().is("}") {
			t := p.next()
			p.failf("unexpected %q after the instruction", t.text)
		}
	}
	if b == nil {
		p.failf("function @%s has no blocks", f.Name)
	}
	p.endBlock(b)
	p.resolve()
	f.setPreds()
}

// ended reports whether the block has its terminator.
func (b *Block) ended() bool { return len(b.Insts) > 0 && terminators.Has(b.Term().Op) }

// endBlock checks a block that another or the function's end follows.
func (p *parser) endBlock(b *Block) {
	if b != nil && !b.ended() {
		p.failf("block %%%s has no terminator", b.Name)
	}
}

// startBlock begins the block after prev; without a name it gets a number.
func (p *parser) startBlock(prev *Block, name string) *Block {
	p.endBlock(prev)
	name = p.nameOrNumber(name)
	b := p.blockNamed(name)
	if b.Func != nil {
		p.failf("block %%%s is defined twice", name)
	}
	b.Func, b.Index = p.fn, len(p.fn.Blocks)
	p.fn.Blocks = append(p.fn.Blocks, b)
	return b
}

func (p *parser) blockNamed(name string) *Block {
	b := p.blocks[name]
	if b == nil {
		b = &Block{Name: name}
		p.blocks[name] = b
	}
	return b
}

// resolve fills in the operands whose definitions came late.
func (p *parser) resolve() {
	for _, r := range p.refs {
		if r.block.Func == nil {
			p.failAt(r.name.line, "block %s is not defined", r.name.text)
		}
	}
	for _, x := range p.fixes {
		v := p.values[bareName(x.name.text[1:])]
		if v == nil {
			p.failAt(x.name.line, "%s is not defined", x.name.text)
		}
		p.checkType(x.name, v, x.typ)
		x.inst.Args[x.arg] = v
	}
}

func (p *parser) checkType(name token, v Value, typ *Type) {
	if v.Type().Text != typ.Text {
		p.failAt(name.line, "%s is of type %s, used as %s", name.text, v.Type(), typ)
	}
}

// setPreds derives the predecessors from the terminators.
func (f *Func) setPreds() {
	type edge struct{ from, to *Block }
	seen := map[edge]bool{}
	for _, b := range f.Blocks {
		for _, s := range b.Succs() {
			if e := (edge{b, s}); !seen[e] {
				seen[e] = true
				s.Preds = append(s.Preds, b)
			}
		}
	}
}
