package target

// This file holds the few LLVM IR values that llir v0.3.6 (LLVM 14, typed
// pointers) cannot spell: opaque pointers, verbatim constants and attributes,
// and one instruction type for everything that is not a terminator. Every
// decision about pointer types is taken here.

import (
	"bytes"
	"fmt"
	"math"
	"math/big"
	"strconv"

	"github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/metadata"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"
)

// Value and Type are llir's, so that rows need not import it.
type (
	Value = value.Value
	Type  = types.Type
)

// The scalar types of LLVM IR.
var (
	I1   = types.I1
	I8   = types.I8
	I16  = types.I16
	I32  = types.I32
	I64  = types.I64
	I128 = types.I128
	F16  = types.Half
	F32  = types.Float
	F64  = types.Double
	Void = types.Void
)

// PtrType is LLVM's opaque pointer: "ptr", "ptr addrspace(3)".
type PtrType struct{ AS int }

var ptrTypes = [...]*PtrType{{0}, {1}, {2}, {3}, {4}, {5}, {6}, {7}, {8}}

// Ptr is the pointer type of an address space.
func Ptr(as int) *PtrType { return ptrTypes[as] }

func (p *PtrType) String() string {
	if p.AS == 0 {
		return "ptr"
	}
	return "ptr addrspace(" + strconv.Itoa(p.AS) + ")"
}

// Mangled is how LLVM's overloaded intrinsics name it.
func (p *PtrType) Mangled() string { return "p" + strconv.Itoa(p.AS) }

// LLString is the type's definition, for llir.
func (p *PtrType) LLString() string { return p.String() }

// Name is empty: pointer types have none.
func (p *PtrType) Name() string { return "" }

// SetName does nothing: pointer types have no name.
func (p *PtrType) SetName(string) {}

// Equal reports whether u is a pointer of the same address space.
func (p *PtrType) Equal(u types.Type) bool {
	q, ok := u.(*PtrType)
	return ok && q.AS == p.AS
}

// Struct is the literal struct type of the fields.
//
//go:noinline
func Struct(fields ...Type) *types.StructType { return types.NewStruct(fields...) }

// Array is [n x elem].
//
//go:noinline
func Array(n int64, elem Type) *types.ArrayType { return types.NewArray(uint64(n), elem) }

// A Const is a constant as verbatim text.
type Const struct {
	Typ  Type
	Text string
}

func (c *Const) String() string { return c.Typ.String() + " " + c.Text }

// Type is the constant's type.
func (c *Const) Type() types.Type { return c.Typ }

// Ident is the constant's text.
func (c *Const) Ident() string { return c.Text }

// IsConstant marks it as an llir constant.
func (c *Const) IsConstant() {}

// Int is an integer (or i1) constant, truncated to t's width by its writer.
func Int(t Type, n int64) *Const {
	if t.Equal(I1) {
		return &Const{t, strconv.FormatBool(n&1 != 0)}
	}
	return &Const{t, strconv.FormatInt(n, 10)}
}

// BigInt is an integer constant of any size.
func BigInt(t Type, n *big.Int) *Const { return &Const{t, n.String()} }

// Bool is an i1 constant.
//
//go:noinline
func Bool(b bool) *Const { return &Const{I1, strconv.FormatBool(b)} }

// Float is a constant of type float or double, rounded to it.
func Float(t Type, f float64) *Const {
	if t.Equal(F32) {
		f = float64(float32(f))
	}
	return &Const{t, fmt.Sprintf("0x%016X", math.Float64bits(f))}
}

// Vector is the type of n elements in a vector.
func Vector(n uint64, t Type) Type { return types.NewVector(n, t) }

// Half is a constant of type half from its bits.
func Half(bits uint16) *Const { return &Const{F16, fmt.Sprintf("0xH%04X", bits)} }

// Bytes is a constant array of bytes.
func Bytes(p []byte) *Const {
	var b bytes.Buffer
	b.WriteString(`c"`)
	for _, c := range p {
		fmt.Fprintf(&b, "\\%02X", c)
	}
	b.WriteByte('"')
	return &Const{Array(int64(len(p)), I8), b.String()}
}

// Zero is the zero value of any type.
func Zero(t Type) *Const {
	switch t := t.(type) {
	case *types.IntType:
		return Int(t, 0)
	case *types.FloatType:
		if t.Equal(F16) {
			return Half(0)
		}
		return Float(t, 0)
	case *PtrType:
		return &Const{t, "null"}
	}
	return &Const{t, "zeroinitializer"}
}

// Poison is a value of type t that must not be used.
func Poison(t Type) *Const { return &Const{t, "poison"} }

// IntConst returns the value of an integer constant.
func IntConst(v Value) (int64, bool) {
	c, ok := v.(*Const)
	if !ok {
		return 0, false
	}
	n, err := strconv.ParseInt(c.Text, 10, 64)
	return n, err == nil
}

// A Global is a module-level variable as an operand: llir's own has a typed pointer.
type Global struct {
	*ir.Global
	AS int
}

// Type is a pointer into the variable's address space.
func (g *Global) Type() types.Type { return Ptr(g.AS) }

func (g *Global) String() string { return g.Type().String() + " " + g.Ident() }

// Attr is any function, parameter or return attribute as verbatim text.
type Attr string

func (a Attr) String() string { return string(a) }

// IsFuncAttribute lets an Attr stand on a function.
func (Attr) IsFuncAttribute() {}

// IsParamAttribute lets an Attr stand on a parameter.
func (Attr) IsParamAttribute() {}

// IsReturnAttribute lets an Attr stand on a result.
func (Attr) IsReturnAttribute() {}

// typed prints an operand with its type: "i32 %5".
type typed struct{ v Value }

// An Inst is any instruction that is not a terminator: its text in pieces,
// which are joined when the module is printed, for only then are names known.
type Inst struct {
	ir.InstFreeze // llir's bookkeeping: the local name, and the mark of an instruction
	typ           Type
	parts         []any // string, Value (its name), typed, *ir.Block
	Loc           *metadata.DILocation
}

// Type is the result's type, void for none.
func (i *Inst) Type() types.Type { return i.typ }

func (i *Inst) String() string { return i.typ.String() + " " + i.Ident() }

// LLString is the instruction's line in the module.
func (i *Inst) LLString() string {
	var b bytes.Buffer
	if !i.typ.Equal(Void) {
		b.WriteString(i.Ident())
		b.WriteString(" = ")
	}
	for _, p := range i.parts {
		switch p := p.(type) {
		case string:
			b.WriteString(p)
		case typed:
			b.WriteString(p.v.String())
		case *ir.Block:
			b.WriteString(p.Ident())
		case Value:
			b.WriteString(p.Ident())
		default:
			panic(fmt.Sprintf("target: instruction part %T", p))
		}
	}
	if i.Loc != nil {
		b.WriteString(", !dbg ")
		b.WriteString(i.Loc.Ident())
	}
	return b.String()
}
