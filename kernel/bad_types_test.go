package kernel_test

//lint:file-ignore heddle the kernels are wrong on purpose

// Kernels whose parameters, variables or values cannot exist on a device. Each
// section, begun by "// bad name", holds one kernel and what it calls; a comment
// want is a regular expression for column and message of the error at its line.

import (
	"hash/fnv"
	"heddle/dsl"
	"unsafe"
)

var typeKernels = map[string]any{
	"map parameter": badMapParam, "chan parameter": badChanParam, "interface parameter": badInterfaceParam, "func parameter": badFuncParam,
	"string parameter": badStringParam, "uintptr parameter": badUintptrParam, "unsafe.Pointer parameter": badUnsafeParam,
	"func field": badFuncField, "map field": badMapField, "string field": badStringField,
	"several parameters": badManyParams, "map": badMap, "channel": badChannel, "select": badSelect, "interface": badInterface,
	"method of interface": badInvoke, "interface without a value": badNilInterface, "interface returned": badReturned, "interface returned by a library": badHash, "interface in a slice": badShapes,
	"interface captured": badKept, "comparison of interfaces": badCompared, "type assertion that fails": badFails, "address through an interface": badThrough,
	"type assertion": badAssert, "type switch": badTypeSwitch, "string concatenation": badConcat,
	"string of bytes": badBytesToString, "string of bytes that change": badStale, "string of bytes that a loop changes": badStaleLoop, "bytes of a constant": badBytesKept, "string of rune": badRuneToString, "bytes of string": badStringToBytes, "runes of string": badStringToRunes,
	"range over map": badRangeMap, "range over a string of bytes that change": badRangeString, "make": badMake, "integer to pointer": badIntToPointer, "huge array": badHugeArray,
	"func stored through a pointer": badFuncStored, "func of an earlier iteration": badFuncIteration, "method value of an earlier iteration": badMethodIteration, "made func of an earlier iteration": badMadeIteration,
	"address of a func in a field": badFuncAddress, "func in shared memory": badSharedFunc, "close": badClose, "map clear": badClear,
}

// bad map parameter
func badMapParam(m map[int]int, out []int) { // want "18: parameter m: map cannot be passed to a kernel \\(use a slice"
	out[0] = len(m)
}

// bad chan parameter
func badChanParam(out []int, c chan int) { // want "30: parameter c: channel cannot be passed to a kernel \\("
	out[0] = cap(c)
}

// bad interface parameter
func badInterfaceParam(out []int, x any) { // want "35: parameter x: interface cannot be passed to a kernel \\(use a type parameter"
	_ = x
}

// bad func parameter
func badFuncParam(out []int, f func(int) int) { // want "30: parameter f: func cannot be passed to a kernel \\(capture it in a closure"
	out[0] = f(1)
}

// bad string parameter
func badStringParam(s string, out []byte) { // want "21: parameter s: string cannot be passed to a kernel \\(only constant strings"
	out[0] = s[0]
}

// bad uintptr parameter
func badUintptrParam(p uintptr, out []int) { // want "22: parameter p: uintptr cannot be passed to a kernel \\("
	out[0] = int(p)
}

// bad unsafe.Pointer parameter
func badUnsafeParam(p unsafe.Pointer, out []int) { // want "21: parameter p: unsafe.Pointer cannot be passed to a kernel \\("
	out[0] = *(*int)(p)
}

// bad func field
type withFunc struct {
	N int
	F func(int) int
}

func badFuncField(w withFunc, out []int) { // want "19: parameter w: func in field F cannot be passed to a kernel \\(a function must be known"
	out[0] = w.N
}

// bad map field
type withMap struct{ M map[string]int }

func badMapField(ws []withMap, out []int) { // want "18: parameter ws: map in field M cannot be passed to a kernel \\("
	out[0] = len(ws)
}

// bad string field
type withName struct {
	Name string
	N    int
}

func badStringField(w withName, out []int) { // want "21: parameter w: .*string.* cannot be passed to a kernel \\("
	out[0] = w.N
}

// bad several parameters
func badManyParams(
	a map[int]int, // want "2: parameter a: map"
	out []int,
	b chan bool, // want "2: parameter b: channel"
	c string, // want "2: parameter c: string"
) {
	out[0] = 1
}

// bad map
func badMap(out []int) {
	m := map[int]int{} // want "map in kernel \\(use a slice"
	m[1] = 2           // want "map update in kernel \\(use a slice"
	out[0] = m[out[1]] // want "map lookup in kernel \\(use a slice"
	delete(m, 1)       // want "delete in kernel \\(maps do not exist"
}

// bad channel
func badChannel(out []int) {
	c := make(chan int, 1) // want "channel in kernel \\(threads communicate"
	c <- 1                 // want "channel send in kernel \\("
	out[0] = <-c           // want "channel receive in kernel \\("
}

// bad close
func badClose(out []int) {
	c := make(chan bool) // want "channel in kernel"
	close(c)             // want "close in kernel \\(channels do not exist"
}

// bad select
func badSelect(out []int) {
	c := make(chan int) // want "channel in kernel"
	select {            // want "select in kernel \\("
	case out[0] = <-c:
	case c <- 1:
	}
}

// bad interface
func badInterface(out []int) {
	var x any = out[0] // want "x, an interface whose type is known at run time only, in kernel \\(branch around"
	if out[1] > 0 {
		x = out
	}
	keep(x)
}

//go:noinline
func keep(any) {}

type adder interface{ Add(int) int }

type byOne int

func (b byOne) Add(n int) int { return n + int(b) }

type byTwo int

func (b byTwo) Add(n int) int { return n + 2*int(b) }

// bad method of interface
func badInvoke(out []int) {
	var a adder = byOne(out[0]) // want "a, an interface whose type is known at run time only, in kernel \\(branch around"
	if out[1] > 0 {
		a = byTwo(out[1])
	}
	out[0] = a.Add(1)
}

// bad interface without a value
func badNilInterface(out []int) {
	var a adder // want "a, an interface whose type is known at run time only, in kernel \\(branch around"
	if out[1] > 0 {
		a = byTwo(out[1])
	}
	if a != nil {
		out[0] = a.Add(1)
	}
}

// bad interface returned
func badReturned(out []int) {
	out[0] = oneOrTwo(out[0]).Add(1) // want "19: call of heddle/kernel_test.oneOrTwo, which returns an interface \\(branch around what is done with it, return a func, or use a type parameter"
}

func oneOrTwo(n int) adder {
	if n > 0 {
		return byOne(n)
	}
	return byTwo(n)
}

// bad interface returned by a library
func badHash(out []uint32) {
	out[0] = fnv.New32a().Sum32() // want "21: call of hash/fnv.New32a, which returns an interface \\(write what you need of it with what kernels can do"
}

// bad interface in a slice
func badShapes(out []int) {
	for _, a := range []adder{byOne(1), byTwo(out[0])} { // want "27: interface in kernel"
		out[0] += a.Add(1)
	}
}

// bad interface captured
func badKept(out []int) {
	var a adder = byOne(out[0]) // want "6: interface in kernel \\(use a type parameter"
	func() { out[1] = a.Add(2) }()
}

// bad comparison of interfaces
func badCompared(out []int) {
	var x, y any = out[0], out[1]
	if x == y { // want "7: comparison of interfaces in kernel \\(compare what they hold"
		out[2] = 1
	}
}

// bad type assertion
func badAssert(out []int) {
	var x any = out[0] // want "x, an interface whose type is known at run time only, in kernel \\(branch around"
	if out[1] > 0 {
		x = out
	}
	if n, ok := x.(int); ok {
		out[0] = n
	}
}

// bad type assertion that fails
func badFails(out []int) {
	var x any = out[0]
	out[1] = int(x.(int8)) // want "17: type assertion of int8, which is a int \\(assert the type that it has"
}

// bad type switch
func badTypeSwitch(out []int) {
	var x any = out[0] // want "x, an interface whose type is known at run time only, in kernel \\(branch around"
	if out[1] > 0 {
		x = out
	}
	switch x.(type) {
	case int:
		out[0] = 1
	}
}

// bad address through an interface
func badThrough(kept []*int) {
	n := len(kept) // want "address of local variable n is stored where it outlives the function \\("
	keeper(holder{kept}).Keep(&n)
}

type keeper interface{ Keep(*int) }

type holder struct{ kept []*int }

func (h holder) Keep(p *int) { h.kept[0] = p }

// bad string concatenation
func badConcat(out []int) {
	s := "a"
	if out[0] > 0 {
		s = "bc"
	}
	out[0] = len(s + "d") // want "string concatenation in kernel \\(strings on the device are constants"
}

// bad string of bytes
func badBytesToString(in []byte, out []int) {
	out[0] = len(string(in)) // want "conversion of \\[\\]byte to string in kernel \\("
}

// bad string of bytes that change
func badStale(in []byte, out []int) {
	s := string(in[:2]) // want "conversion of \\[\\]byte to string in kernel \\(keep the bytes, or store nothing before the last use"
	in[0] = 'c'
	if s == "ab" {
		out[0] = 1
	}
}

// bad string of bytes that a loop changes
func badStaleLoop(in []byte, out []int) {
	s := string(in) // want "conversion of \\[\\]byte to string in kernel \\(keep the bytes, or store nothing before the last use"
	for i := range out {
		if s < "ab" {
			out[i] = 1
		}
		clear(in[i:])
	}
}

// bad bytes of a constant
func badBytesKept(out []byte) {
	out[0] = letters()[1]
	var kept [2][]byte
	for i := range kept {
		kept[i] = []byte("ab") // want "19: address of the ..byte of .ab. outlives its iteration of the loop \\("
	}
	out[1] = kept[0][0]
}

func letters() []byte { return []byte("ab") } // want "38: address of the ..byte of .ab. is returned \\("

// bad string of rune
func badRuneToString(out []rune) {
	out[0] = rune(len(string(out[0]))) // want "conversion of rune to string in kernel \\("
}

// bad bytes of string
func badStringToBytes(out []byte) {
	s := "a"
	if out[0] > 0 {
		s = "bc"
	}
	copy(out, []byte(s)) // want "conversion of string to \\[\\]byte in kernel \\(index the string"
}

// bad runes of string
func badStringToRunes(out []rune) {
	s := "a"
	if out[0] > 0 {
		s = "bc"
	}
	copy(out, []rune(s)) // want "conversion of string to \\[\\]rune in kernel \\(index the string"
}

// bad range over map
func badRangeMap(out []int) {
	m := map[int]int{1: 2} // want "map in kernel" "map update in kernel"
	for k := range m {     // want "range over a map in kernel \\(use a slice"
		out[k]++
	}
}

// bad map clear
func badClear(out []int) {
	m := make(map[int]bool) // want "map in kernel"
	clear(m)                // want "map in kernel"
}

// bad range over a string of bytes that change
func badRangeString(in []byte, out []int) {
	for i := range string(in) { // want "conversion of \\[\\]byte to string in kernel \\(keep the bytes, or store nothing before the last use"
		in[i+1] = 'a'
	}
}

// bad make
func badMake(n int, out []int) {
	s := make([]int, n) // want "make of a size known only at run time \\(use an array"
	out[0] = len(s)
}

// bad integer to pointer
func badIntToPointer(out []int) {
	p := unsafe.Pointer(&out[0])
	out[1] = *(*int)(unsafe.Pointer(uintptr(p) + 8)) // want "33: conversion between a pointer and an integer in kernel \\(index slices"
}

// bad huge array
func badHugeArray(out []int) {
	var a [1 << 20]int // want "6: local variable a takes 8388608 bytes of private memory, more than \\d+ \\(use shared memory"
	a[out[0]] = 1
	out[1] = a[out[2]]
}

// bad func stored through a pointer
type funcHolder struct {
	f func(int) int
	_ int
}

func (h *funcHolder) set(f func(int) int) { h.f = f } // want "47: store of a func through a pointer, a slice or a closure in kernel \\(store it by the name"

func badFuncStored(out []int) {
	h := funcHolder{f: first}
	h.set(second)
	out[0] = h.f(3)
}

// bad func of an earlier iteration
func badFuncIteration(out []int) {
	var hs [3]funcHolder
	for i := range hs { // want "6: address of local variable i outlives its iteration of the loop \\("
		hs[i].f = func(n int) int { return n + i } // want "9: func with captured variables outlives its iteration of the loop \\(call it in the iteration"
	}
	out[0] = hs[out[0]&1].f(3)
}

// bad method value of an earlier iteration
func badMethodIteration(out []int) {
	var hs [3]funcHolder
	for i := range hs {
		hs[i].f = adds(out[i]).add // want "9: func with captured variables outlives its iteration of the loop \\(call it in the iteration"
	}
	out[0] = hs[out[0]&1].f(3)
}

type adds int

func (a adds) add(n int) int { return n + int(a) }

// bad made func of an earlier iteration
func badMadeIteration(out []int) {
	f := first
	for i := range out[1] {
		g := adding(i) // want "14: func with captured variables outlives its iteration of the loop \\(call it in the iteration"
		if f(i) > 3 {
			f = g
		}
	}
	out[0] = f(3)
}

func adding(by int) func(int) int { return func(n int) int { return n + by } }

// bad func in shared memory
func badSharedFunc(out []int) {
	hs := dsl.Shared[[2]funcHolder]() // want "33: call of .*dsl.Shared.*, which returns a func in field f \\(a function must be known"
	out[0] = hs[1].f(2)
}

// bad address of a func in a field
func badFuncAddress(out []int) {
	h := funcHolder{f: first}
	if out[0] > 1 {
		h.f = second
	}
	p := &h.f // want "10: address of a func in a field or an element in kernel \\(copy the func to a variable"
	out[0] = callAt(p)
}

//go:noinline
func callAt(p *func(int) int) int { return (*p)(3) }

func first(n int) int  { return n }
func second(n int) int { return -n }
