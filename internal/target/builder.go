package target

import (
	"fmt"
	"strconv"

	"github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/metadata"
	"github.com/llir/llvm/ir/types"
)

// A Module is one kernel's IR under construction.
type Module struct {
	LL *ir.Module
	T  *Machine
	// MaxThreads is the launch bound: threads a block, 0 for none. It narrows
	// the ranges of indices.
	MaxThreads int
	// FastAtomics: floating-point atomics may be those of hardware that ignores the
	// rounding and denormal modes and works on coarse-grained memory only.
	FastAtomics bool
	// ShortGrid: a grid has less than 1<<31 threads along each axis.
	ShortGrid  bool
	decls      map[string]*ir.Func
	vars       map[string]*Global
	md         map[string]*metadata.Tuple
	shared     map[string]int64 // offsets of shared variables, where the target has SharedVar
	sharedSize int64
}

// NewModule starts a module for m.
func NewModule(m *Machine, source string) *Module {
	ll := ir.NewModule()
	ll.SourceFilename = source
	ll.TargetTriple = m.Triple
	return &Module{LL: ll, T: m, decls: map[string]*ir.Func{}, vars: map[string]*Global{}, md: map[string]*metadata.Tuple{},
		shared: map[string]int64{}}
}

// MaxBlock is how many threads a block has at most.
func (m *Module) MaxBlock() int64 {
	if m.MaxThreads > 0 {
		return int64(m.MaxThreads)
	}
	return MaxBlock
}

// Declare returns the external function of that name, declaring it at first use.
func (m *Module) Declare(name string, ret Type, params ...Type) *ir.Func {
	if f := m.decls[name]; f != nil {
		return f
	}
	ps := make([]*ir.Param, len(params))
	for i, t := range params {
		ps[i] = ir.NewParam("", t)
	}
	f := m.LL.NewFunc(name, ret, ps...)
	if m.T.Attrs != nil {
		ofResult, own := m.T.Attrs(name)
		for _, a := range ofResult {
			f.ReturnAttrs = append(f.ReturnAttrs, Attr(a))
		}
		for _, a := range own {
			f.FuncAttrs = append(f.FuncAttrs, Attr(a))
		}
	}
	m.decls[name] = f
	return f
}

// Var returns the module-level variable of that name, making it at first use.
// A nil init declares it external.
//
//go:noinline
func (m *Module) Var(name string, t Type, as int, align int, init *Const) *Global {
	if g := m.vars[name]; g != nil {
		return g
	}
	g := &ir.Global{ContentType: t, AddrSpace: types.AddrSpace(as), Align: ir.Align(align)}
	g.SetName(name)
	if init != nil {
		g.Init = init
	} else {
		g.Linkage = enum.LinkageExternal
	}
	m.LL.Globals = append(m.LL.Globals, g)
	w := &Global{g, as}
	m.vars[name] = w
	return w
}

// UsesShared reports whether the module has shared memory, static or, where it is
// a variable, dynamic.
func (m *Module) UsesShared() bool {
	if m.T.SharedVar != nil {
		return len(m.shared) > 0
	}
	for _, g := range m.vars {
		if g.AS == m.T.Shared {
			return true
		}
	}
	return false
}

// Flag adds a module flag of LLVM's merge behaviour (1 error, 2 warning, 7 max).
func (m *Module) Flag(behaviour int64, name string, v int64) {
	t := m.Tuple("", Int(I32, behaviour), &metadata.String{Value: name}, Int(I32, v))
	m.named("llvm.module.flags", t)
}

// Tuple adds a metadata node; one with a key is made once.
//
//go:noinline
func (m *Module) Tuple(key string, fields ...metadata.Field) *metadata.Tuple {
	if key != "" && m.md[key] != nil {
		return m.md[key]
	}
	t := &metadata.Tuple{MetadataID: -1, Fields: fields}
	m.LL.MetadataDefs = append(m.LL.MetadataDefs, t)
	if key != "" {
		m.md[key] = t
	}
	return t
}

//go:noinline
func (m *Module) named(name string, n metadata.Node) {
	d := m.LL.NamedMetadataDefs[name]
	if d == nil {
		d = &metadata.NamedDef{Name: name}
		m.LL.NamedMetadataDefs[name] = d
	}
	d.Nodes = append(d.Nodes, n)
}

// Named appends a node to named metadata ("nvvm.annotations").
func (m *Module) Named(name string, n metadata.Node) { m.named(name, n) }

// A Builder emits instructions at the end of the current block. Loc and FMF
// apply to what is emitted next.
type Builder struct {
	M   *Module
	F   *ir.Func
	Cur *ir.Block
	Loc *metadata.DILocation
	// FMF are the fast-math flags of floating-point arithmetic, with a trailing space: "contract ".
	FMF string
	// Site adds a place in the source that can panic, the current one, and
	// returns its number. May be nil.
	Site func(format string) *Const
}

// fastMath are the flags of FastMath.
const fastMath = "fast "

// Fast reports whether floating-point arithmetic may be approximate.
func (b *Builder) Fast() bool { return b.FMF == fastMath }

// NewBlock adds an empty block to the function without moving there.
//
//go:noinline
func (b *Builder) NewBlock() *ir.Block { return b.F.NewBlock("") }

// Emit appends an instruction given in pieces: strings, values (their names),
// T(value) (with its type), blocks. Operands that are Aggs are flattened first.
func (b *Builder) Emit(t Type, parts ...any) *Inst {
	for i, p := range parts {
		switch p := p.(type) {
		case typed:
			parts[i] = typed{b.Flat(p.v)}
		case *Agg:
			parts[i] = b.Flat(p)
		}
	}
	i := &Inst{typ: t, parts: parts, Loc: b.Loc}
	b.Cur.Insts = append(b.Cur.Insts, i)
	return i
}

// T makes an operand print with its type.
//
//go:noinline
func T(v Value) any { return typed{v} }

// Bin is an integer operation: add, sub, mul, and, or, xor, shl, lshr, ashr, udiv, ...
func (b *Builder) Bin(op string, x, y Value) Value {
	return b.Emit(x.Type(), op, " ", T(x), ", ", y)
}

// FBin is a floating-point operation: fadd, fsub, fmul, fdiv, frem. A quotient may not
// be fused with anything: LLVM makes x/0.5 the product 2x, which fused with -x would be x
// even where x/0.5 is infinite. gc fuses it on no amd64.
func (b *Builder) FBin(op string, x, y Value) Value {
	flags := b.FMF
	if op == "fdiv" && !b.Fast() {
		flags = ""
	}
	return b.Emit(x.Type(), op, " ", flags, T(x), ", ", y)
}

// FNeg negates a float.
func (b *Builder) FNeg(x Value) Value { return b.Emit(x.Type(), "fneg ", b.FMF, T(x)) }

// Not is the other one of an i1.
func (b *Builder) Not(p Value) Value { return b.Bin("xor", p, Bool(true)) }

// ICmp compares integers or pointers: eq, ne, slt, ult, ...
func (b *Builder) ICmp(pred string, x, y Value) Value {
	return b.Emit(I1, "icmp ", pred, " ", T(x), ", ", y)
}

// FCmp compares floats: oeq, une, olt, uno, ...
func (b *Builder) FCmp(pred string, x, y Value) Value {
	return b.Emit(I1, "fcmp ", pred, " ", T(x), ", ", y)
}

// FunnelShift is the upper half of hi:lo shifted left by n modulo the width.
func (b *Builder) FunnelShift(hi, lo, n Value) Value {
	t := hi.Type()
	return b.Intrinsic(fmt.Sprintf("llvm.fshl.i%d", Bits(t)), t, hi, lo, n)
}

// MulAdd is x*y + z of two i32 without sign and an i64.
func (b *Builder) MulAdd(x, y, z Value) Value {
	if f := b.M.T.MulAdd; f != nil {
		return f(b, x, y, z)
	}
	return b.Bin("add", b.Bin("mul nuw", b.Cast("zext", x, I64), b.Cast("zext", y, I64)), z)
}

// Select is cond ? x : y.
func (b *Builder) Select(cond, x, y Value) Value {
	return b.Emit(x.Type(), "select ", T(cond), ", ", T(x), ", ", T(y))
}

// Cast is trunc, zext, sext, fptrunc, fpext, fptosi, sitofp, bitcast, addrspacecast, ...
func (b *Builder) Cast(op string, v Value, to Type) Value {
	if v.Type().Equal(to) {
		return v
	}
	return b.Emit(to, op, " ", T(v), " to ", to.String())
}

// IntCast brings an integer to another width.
func (b *Builder) IntCast(v Value, to Type, signed bool) Value {
	from, want := Bits(v.Type()), Bits(to)
	switch {
	case from == want:
		return v
	case from > want:
		return b.Cast("trunc", v, to)
	case signed:
		return b.Cast("sext", v, to)
	}
	return b.Cast("zext", v, to)
}

// Generic brings a pointer of any address space to the generic one.
//
//go:noinline
func (b *Builder) Generic(p Value) Value { return b.Cast("addrspacecast", p, b.M.T.Pointer()) }

// Load reads a t with the given alignment in bytes.
func (b *Builder) Load(t Type, p Value, align int) Value {
	return b.Emit(t, "load ", t.String(), ", ", T(p), ", align ", strconv.Itoa(align))
}

// Store writes v with the given alignment in bytes.
func (b *Builder) Store(v, p Value, align int) {
	b.Emit(Void, "store ", T(v), ", ", T(p), ", align ", strconv.Itoa(align))
}

// GEP is an in-bounds address computation over elem.
func (b *Builder) GEP(elem Type, p Value, index ...Value) Value {
	parts := []any{"getelementptr inbounds ", elem.String(), ", ", T(p)}
	for _, i := range index {
		parts = append(parts, ", ", T(i))
	}
	return b.Emit(p.Type(), parts...)
}

// Field is the address of struct field i.
func (b *Builder) Field(st Type, p Value, i int) Value {
	return b.GEP(st, p, Int(I32, 0), Int(I32, int64(i)))
}

// Extract is element i of an aggregate value.
func (b *Builder) Extract(v Value, i int) Value {
	return b.Emit(ElemType(v.Type(), i), "extractvalue ", T(v), ", ", strconv.Itoa(i))
}

// Insert is agg with element i replaced.
func (b *Builder) Insert(agg, v Value, i int) Value {
	return b.Emit(agg.Type(), "insertvalue ", T(agg), ", ", T(v), ", ", strconv.Itoa(i))
}

// Phi starts a phi node; AddIncoming fills it.
func (b *Builder) Phi(t Type) *Inst { return b.Emit(t, "phi ", t.String(), " ") }

// AddIncoming adds an edge to a phi made by Phi.
//
//go:noinline
func AddIncoming(phi *Inst, v Value, from *ir.Block) {
	if len(phi.parts) > 3 {
		phi.parts = append(phi.parts, ", ")
	}
	phi.parts = append(phi.parts, "[ ", v, ", ", from, " ]")
}

// Call calls a function of this module or an intrinsic.
func (b *Builder) Call(f *ir.Func, args ...Value) Value { return b.CallAttr(f, "", args...) }

// CallAttr is Call with call-site attributes ("convergent").
func (b *Builder) CallAttr(f *ir.Func, attrs string, args ...Value) Value {
	if len(args) != len(f.Params) {
		panic(fmt.Sprintf("target: call of %s with %d arguments, want %d", f.Ident(), len(args), len(f.Params)))
	}
	parts := []any{"call ", f.Sig.RetType.String(), " ", f.Ident(), "("}
	for i, a := range args {
		if i > 0 {
			parts = append(parts, ", ")
		}
		parts = append(parts, T(a))
	}
	parts = append(parts, ")")
	if attrs != "" {
		parts = append(parts, " ", attrs)
	}
	return b.Emit(f.Sig.RetType, parts...)
}

// Intrinsic calls an LLVM intrinsic or device-library function by name,
// declaring it from its arguments' types.
func (b *Builder) Intrinsic(name string, ret Type, args ...Value) Value {
	ts := make([]Type, len(args))
	for i, a := range args {
		ts[i] = a.Type()
	}
	v := b.Call(b.M.Declare(name, ret, ts...), args...)
	if _, ok := ret.(*types.FloatType); ok && b.Fast() {
		v.(*Inst).parts[0] = "call " + fastMath
	}
	return v
}

// Ranged is Intrinsic for an i32 result known to lie in [lo, hi).
func (b *Builder) Ranged(name string, lo, hi int64, args ...Value) Value {
	i := b.Intrinsic(name, I32, args...).(*Inst)
	md := b.M.Tuple(fmt.Sprintf("range %d %d", lo, hi), Int(I32, lo), Int(I32, hi))
	i.parts = append(i.parts, ", !range ", metadataRef{md})
	return i
}

// Aligned says that an address which was loaded is a multiple of n.
func (b *Builder) Aligned(v Value, n int64) {
	i := v.(*Inst)
	i.parts = append(i.parts, ", !align ", metadataRef{b.M.Tuple(fmt.Sprint("align ", n), Int(I64, n))})
}

// metadataRef prints a metadata node's number inside an instruction.
type metadataRef struct{ t *metadata.Tuple }

func (r metadataRef) String() string   { return r.t.Ident() }
func (r metadataRef) Ident() string    { return r.t.Ident() }
func (r metadataRef) Type() types.Type { return types.Metadata }

// Asm is inline assembly with LLVM's constraint syntax. One with side effects
// is convergent too: lanes that meet in it must not be told apart before it.
func (b *Builder) Asm(ret Type, text, constraints string, sideEffect bool, args ...Value) Value {
	mark := ""
	if sideEffect {
		mark = "sideeffect "
	}
	parts := []any{"call ", ret.String(), " asm ", mark, quote(text), ", ", quote(constraints), "("}
	for i, a := range args {
		if i > 0 {
			parts = append(parts, ", ")
		}
		parts = append(parts, T(a))
	}
	parts = append(parts, ")")
	if sideEffect {
		parts = append(parts, " convergent")
	}
	return b.Emit(ret, parts...)
}

// quote is a text as a string of LLVM's.
func quote(text string) string {
	b := []byte{'"'}
	for _, c := range []byte(text) {
		if c < ' ' || c > '~' || c == '"' || c == '\\' {
			b = append(b, '\\', "0123456789ABCDEF"[c>>4], "0123456789ABCDEF"[c&15])
			continue
		}
		b = append(b, c)
	}
	return string(append(b, '"'))
}

// Br jumps to another block.
//
//go:noinline
func (b *Builder) Br(to *ir.Block) { b.term(ir.NewBr(to)) }

// CondBr branches on an i1.
//
//go:noinline
func (b *Builder) CondBr(cond Value, yes, no *ir.Block) { b.term(ir.NewCondBr(cond, yes, no)) }

// Ret returns v, or nothing if v is nil.
func (b *Builder) Ret(v Value) {
	if v != nil {
		v = b.Flat(v)
	}
	b.term(ir.NewRet(v))
}

// Unreachable ends a block that is never left.
//
//go:noinline
func (b *Builder) Unreachable() { b.term(ir.NewUnreachable()) }

//go:noinline
func (b *Builder) term(t ir.Terminator) {
	if b.Loc != nil {
		at := &metadata.Attachment{Name: "dbg", Node: b.Loc}
		switch t := t.(type) {
		case *ir.TermBr:
			t.Metadata = append(t.Metadata, at)
		case *ir.TermCondBr:
			t.Metadata = append(t.Metadata, at)
		case *ir.TermRet:
			t.Metadata = append(t.Metadata, at)
		case *ir.TermUnreachable:
			t.Metadata = append(t.Metadata, at)
		}
	}
	b.Cur.Term = t
}

// Bits is the width of an integer type, 0 for others.
//
//go:noinline
func Bits(t Type) int {
	if i, ok := t.(*types.IntType); ok {
		return int(i.BitSize)
	}
	return 0
}

// NumElems is the number of elements of a struct or an array.
func NumElems(t Type) int {
	switch t := t.(type) {
	case *types.StructType:
		return len(t.Fields)
	case *types.ArrayType:
		return int(t.Len)
	}
	panic(fmt.Sprintf("target: %v has no elements", t))
}

// ElemType is the type of element i of an aggregate type.
func ElemType(t Type, i int) Type {
	switch t := t.(type) {
	case *types.StructType:
		return t.Fields[i]
	case *types.ArrayType:
		return t.ElemType
	}
	panic(fmt.Sprintf("target: %v has no elements", t))
}
