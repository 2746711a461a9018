// Package ll reads the text of LLVM IR into values: as much of the language as
// scalar code contains once LLVM has inlined and simplified it, in the spelling
// of LLVM 15 to 22 with opaque pointers. It is what package spmd works on.
//
// Constants, global variables and constant expressions stay text: they mean the
// same for every lane.
//
// Names are as LLVM writes them, so that an Ident can be printed as it is: they
// have quotes only if they need them. @"heddle.x" is heddle.x, and @"f[int]" is
// "f[int]", quotes included.
package ll

import "strings"

// A Kind is the sort of a Type.
type Kind uint8

// The kinds of type.
const (
	Void Kind = iota
	Int
	Float // half, bfloat, float, double
	Ptr
	Array
	Struct
	Vector
	Other // label, token, metadata: never the type of a value that matters
)

// A Type is an LLVM type. Types are compared by their Text, which spells
// named struct types out and has single spaces: "{ ptr, i64 }", "[4 x float]".
type Type struct {
	Kind  Kind
	Text  string
	Bits  int // of an Int or a Float
	Len   int // of an Array or a Vector
	Elem  *Type
	Elems []*Type // of a Struct
	// Packed structs have no padding.
	Packed bool
}

func (t *Type) String() string { return t.Text }

// Size and Align are in bytes, by the rules of 64-bit targets (i1 takes a
// byte, i128 and larger integers are aligned to 16, vectors to their size).
func (t *Type) Size() int {
	size, _ := t.layout()
	return size
}

// Align is the type's natural alignment in bytes.
func (t *Type) Align() int {
	_, align := t.layout()
	return align
}

// Offset is where element i of a Struct or an Array begins, in bytes.
func (t *Type) Offset(i int) int {
	if t.Kind == Array {
		return i * roundUp(t.Elem.Size(), t.Elem.Align())
	}
	at := 0
	for n, e := range t.Elems {
		if !t.Packed {
			at = roundUp(at, e.Align())
		}
		if n == i {
			return at
		}
		at += e.Size()
	}
	return at
}

func (t *Type) layout() (size, align int) {
	switch t.Kind {
	case Int, Float:
		size = (t.Bits + 7) / 8
		for align = 1; align < min(size, 16); align *= 2 {
		}
		return roundUp(size, align), align
	case Ptr:
		return 8, 8
	case Array:
		size, align = t.Elem.layout()
		return t.Len * roundUp(size, align), align
	case Vector:
		size = (t.Len*t.Elem.Bits + 7) / 8
		if t.Elem.Kind == Ptr {
			size = 8 * t.Len
		}
		for align = 1; align < size; align *= 2 {
		}
		return align, align
	case Struct:
		align = 1
		for _, e := range t.Elems {
			_, a := e.layout()
			if !t.Packed {
				align = max(align, a)
			}
		}
		return roundUp(t.Offset(len(t.Elems)), align), align
	}
	return 0, 1
}

func roundUp(n, to int) int { return (n + to - 1) / to * to }

// A Value is an operand: *Inst, *Param or *Const.
type Value interface {
	Type() *Type
	// Ident is the value without its type: "%5", "42", "@g".
	Ident() string
}

// A Const is a constant, a global's address or a constant expression, verbatim.
type Const struct {
	Typ  *Type
	Text string // "42", "0x3FF0000000000000", "poison", "@g", "getelementptr (i8, ptr @g, i64 8)"
}

// Type is the constant's type.
func (c *Const) Type() *Type { return c.Typ }

// Ident is the constant's text.
func (c *Const) Ident() string { return c.Text }

// A Param is a function's parameter.
type Param struct {
	Typ   *Type
	Name  string // without the %
	Attrs string // verbatim: "noalias align 16"
	// ByRef is the type that a byref or byval pointer refers to.
	ByRef *Type
}

// Type is the parameter's type.
func (p *Param) Type() *Type { return p.Typ }

// Ident is the parameter's name with its %.
func (p *Param) Ident() string { return "%" + p.Name }

// An Inst is one instruction, a terminator included.
//
//	binary, fneg, freeze, select, insertvalue ...   Args are the operands in order
//	icmp, fcmp     Pred is the predicate
//	casts          Typ is the type cast to
//	load           Args[0] the address; Typ what is read; Align, Volatile, Ordering
//	store          Args[0] the value, Args[1] the address
//	alloca         Elem the allocated type, Args[0] the count if it is given
//	getelementptr  Elem the source type, Args[0] the base, then the indices
//	phi            Args and Blocks are the incoming pairs
//	call           Callee the function's name without @ ("" where it is not a
//	               direct call, then Args[0] is what is called), Args the arguments;
//	               tail, operand bundles and the arguments' attributes are dropped
//	extractvalue   Index; insertvalue too
//	atomicrmw      Pred the operation, Args[0] the address, Args[1] the operand
//	cmpxchg        Args[0] the address, Args[1] expected, Args[2] new
//	fence          Ordering
//	br             Args[0] the condition if there is one; Blocks the targets, true first
//	switch         Args[0] the value, Args[1:] the cases; Blocks[0] the default, then each case's
//	ret            Args[0] if the function returns a value
//	unreachable
type Inst struct {
	Typ      *Type
	Name     string // without the %; "" for none
	Op       string // LLVM's word: "add", "icmp", "getelementptr", "call"
	Flags    string // between the word and the type: "nuw nsw", "contract", "inbounds", "nneg"; call: fast-math flags
	Pred     string
	Args     []Value
	Blocks   []*Block
	Elem     *Type
	Index    []int
	Align    int    // bytes, 0 where it is not given
	Ordering string // "acquire"; of a cmpxchg two words
	Scope    string // syncscope's name, "" for the system
	Volatile bool
	Callee   string
	Conv     string // a call's convention, "fastcc"; "" for C's
	FnType   string // the type of what is called if the call spells it: "i32 (ptr, ...)"
	// Attrs are a call's attributes after the arguments, attribute groups spelled out.
	Attrs string
	// Range is the half-open range of an integer result, from !range metadata
	// or a range attribute of the call's result, as signed 64-bit numbers; both 0 for none.
	Range [2]int64
	// Loop is the number of the !llvm.loop node of a branch ("!7"), "" for none.
	Loop string
	// Block holds the instruction.
	Block *Block
}

// Type is the type of the instruction's result.
func (i *Inst) Type() *Type { return i.Typ }

// Ident is the result's name with its %.
func (i *Inst) Ident() string { return "%" + i.Name }

// Has reports whether a flag is set.
func (i *Inst) Has(flag string) bool {
	for f := range strings.FieldsSeq(i.Flags) {
		if f == flag {
			return true
		}
	}
	return false
}

// A Block is a basic block; its last instruction is the terminator.
type Block struct {
	Name  string // without the %
	Insts []*Inst
	Func  *Func
	// Index is the block's place in Func.Blocks. Preds lists each predecessor once.
	Index int
	Preds []*Block
}

// Term is the block's terminator.
func (b *Block) Term() *Inst { return b.Insts[len(b.Insts)-1] }

// Succs are the targets of the terminator, duplicates included.
func (b *Block) Succs() []*Block { return b.Term().Blocks }

// A Func is a function, or the declaration of one if it has no blocks.
type Func struct {
	Name    string // without the @
	Linkage string // "internal", "private", "" ...: the words before the result's type
	Ret     *Type
	Params  []*Param
	// Variadic functions take more arguments: "...".
	Variadic bool
	// Attrs are the attributes after the parameters, attribute groups spelled out.
	Attrs  string
	Blocks []*Block
}

// A Global is a module-level variable, verbatim.
type Global struct {
	Name string // without the @
	Line string // the whole line, without metadata attachments
}

// A Module is a parsed module.
type Module struct {
	Globals []Global
	Funcs   []*Func // definitions and declarations
	// Meta are the lines of metadata nodes by name: "!7" -> `distinct !{!7, !8}`.
	Meta map[string]string

	named map[string]*Func // Funcs by their names without quotes
}

// Func is the function of that name, with or without its quotes, nil if there
// is none.
func (m *Module) Func(name string) *Func { return m.named[strings.Trim(name, `"`)] }
