package ssa2ir

import (
	"reflect"

	"golang.org/x/tools/go/ssa"

	"heddle/internal/lazy"
)

// A rule is for one kind of SSA instruction: how it is judged,
// and how it is lowered. One without lower is refused by its check.
type rule struct {
	check func(*checker, ssa.Instruction)
	lower func(*function, ssa.Instruction)
}

// rules has every type that implements ssa.Instruction; a test enumerates them.
var rules lazy.Value[map[reflect.Type]rule]

func init() { // the table and its functions refer to each other
	rules.Make = func() map[reflect.Type]rule {
		return map[reflect.Type]rule{
			on[ssa.Alloc]():               {nil, lowerAlloc},
			on[ssa.BinOp]():               {checkBinOp, lowerBinOp},
			on[ssa.Call]():                {checkCall, lowerCall},
			on[ssa.ChangeInterface]():     {checkChangeInterface, lowerChangeInterface},
			on[ssa.ChangeType]():          {nil, lowerChangeType},
			on[ssa.Convert]():             {checkConvert, lowerConvert},
			on[ssa.DebugRef]():            {nil, lowerNothing},
			on[ssa.Extract]():             {nil, lowerExtract},
			on[ssa.Field]():               {nil, lowerField},
			on[ssa.FieldAddr]():           {checkAddr, lowerFieldAddr},
			on[ssa.If]():                  {nil, lowerIf},
			on[ssa.Index]():               {nil, lowerIndex},
			on[ssa.IndexAddr]():           {checkAddr, lowerIndexAddr},
			on[ssa.Jump]():                {nil, lowerJump},
			on[ssa.Lookup]():              {checkLookup, lowerLookup},
			on[ssa.MakeClosure]():         {nil, lowerMakeClosure},
			on[ssa.MakeInterface]():       {checkMakeInterface, lowerMakeInterface},
			on[ssa.Next]():                {nil, lowerNext},
			on[ssa.Panic]():               {checkPanic, lowerPanic},
			on[ssa.Phi]():                 {nil, lowerPhi},
			on[ssa.Range]():               {checkRange, lowerRange},
			on[ssa.Return]():              {nil, lowerReturn},
			on[ssa.Slice]():               {checkAddr, lowerSlice},
			on[ssa.SliceToArrayPointer](): {nil, lowerSliceToArrayPointer},
			on[ssa.Store]():               {checkStore, lowerStore},
			on[ssa.TypeAssert]():          {checkTypeAssert, lowerTypeAssert},
			on[ssa.UnOp]():                {checkUnOp, lowerUnOp},

			on[ssa.Defer]():        {refuse("defer", "call the function at the end"), nil},
			on[ssa.Go]():           {refuse("go statement", "every thread of the grid runs the kernel; launch more threads"), nil},
			on[ssa.MakeChan]():     {refuse("channel", "threads communicate through shared or global memory and barriers"), nil},
			on[ssa.MakeMap]():      {refuse("map", "use a slice, sorted or hashed by hand"), nil},
			on[ssa.MakeSlice]():    {checkSliceMake, nil},
			on[ssa.MapUpdate]():    {refuse("map update", "use a slice, sorted or hashed by hand"), nil},
			on[ssa.MultiConvert](): {refuse("conversion between type parameters", "convert in code for one type"), nil},
			on[ssa.RunDefers]():    {func(*checker, ssa.Instruction) {}, nil}, // its defers are reported
			on[ssa.Select]():       {refuse("select", "threads communicate through shared or global memory and barriers"), nil},
			on[ssa.Send]():         {refuse("channel send", "threads communicate through shared or global memory and barriers"), nil},
		}
	}
}

func on[T any]() reflect.Type { return reflect.TypeFor[*T]() }
