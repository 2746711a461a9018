package ccl

import (
	"reflect"

	"heddle/vector"
)

// A Number is what reductions take: the number types that NCCL has. It has no integers of 16 bits.
type Number interface {
	~int8 | ~uint8 | ~int32 | ~uint32 | ~int64 | ~uint64 | ~int | ~uint | ~uintptr | ~float32 | ~float64 |
		vector.Half | vector.BFloat16
}

// A dataType is ncclDataType_t.
type dataType int

const (
	typeInt8 dataType = iota
	typeUint8
	typeInt32
	typeUint32
	typeInt64
	typeUint64
	typeFloat16
	typeFloat32
	typeFloat64
	typeBFloat16
)

var kinds = map[reflect.Kind]dataType{
	reflect.Int8: typeInt8, reflect.Uint8: typeUint8, reflect.Int32: typeInt32, reflect.Uint32: typeUint32,
	reflect.Int64: typeInt64, reflect.Uint64: typeUint64, reflect.Int: typeInt64, reflect.Uint: typeUint64,
	reflect.Uintptr: typeUint64, reflect.Float32: typeFloat32, reflect.Float64: typeFloat64,
}

// dataTypeOf is the type of a Number.
func dataTypeOf(t reflect.Type) dataType {
	switch t {
	case reflect.TypeFor[vector.Half]():
		return typeFloat16
	case reflect.TypeFor[vector.BFloat16]():
		return typeBFloat16
	}
	return kinds[t.Kind()]
}

// hasPointers reports whether values of t hold addresses, which mean nothing on another device.
func hasPointers(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice:
		return true
	case reflect.Array:
		return hasPointers(t.Elem())
	case reflect.Struct:
		for f := range t.Fields() {
			if hasPointers(f.Type) {
				return true
			}
		}
	}
	return false
}

// An opKind is ncclRedOp_t, and opScaled.
type opKind int

const (
	opSum opKind = iota
	opProd
	opMax
	opMin
	opAvg
	opScaled
)

var opNames = [...]string{"sum", "product", "maximum", "minimum", "average", "scaled sum"}

// An Op is how a reduction joins the numbers of the ranks (ncclRedOp_t).
type Op struct {
	kind   opKind
	factor any // of opScaled
}

// Sum, Prod, Min and Max are what they say (ncclSum, ncclProd, ncclMin, ncclMax). Avg is the sum divided by the
// number of ranks (ncclAvg).
//
// Devices on the host join the numbers in the order of ranks, so the same numbers always give the
// same bits. Numbers of 16 bits they join in float32, and round once. Integers wrap, and an average of
// integers rounds towards zero.
var (
	Sum  = Op{kind: opSum}
	Prod = Op{kind: opProd}
	Min  = Op{kind: opMin}
	Max  = Op{kind: opMax}
	Avg  = Op{kind: opAvg}
)

// ScaledSum is the sum of each rank's numbers times that rank's factor
// (ncclRedOpCreatePreMulSum). T must be the type of the buffers.
func ScaledSum[T Number](factor T) Op { return Op{opScaled, factor} }

// String is the operation's name.
func (o Op) String() string { return opNames[o.kind] }
