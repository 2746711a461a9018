package simt

import (
	"fmt"
	"reflect"
	"slices"
	"unsafe"
)

// poison fills shared memory before its first use in a block and is what a lane
// reads from an inactive one: a NaN in both float formats, -23131 in int32.
const poison = 0xFFFFA5A5_FFFFA5A5

// sharedMemory is the shared memory of the block that runs. Blocks run one
// after another, so all of them use the same bytes.
type sharedMemory struct {
	calls  map[sharedCall]*sharedVar
	vars   map[sharedKey]*sharedVar
	lines  map[string][]uintptr // addresses of the calls on one line, in one inlined copy
	static int                  // bytes of vars

	dynamic []uint64
	size    int // of dynamic, bytes
	block   int // the block that dynamic was last poisoned for
}

// sharedCall is a call as the running code makes it.
type sharedCall struct {
	at  *site
	typ reflect.Type
}

// sharedKey is a declaration: as with HIP's __shared__ it is one variable of
// the block, however often and from wherever its function is called.
type sharedKey struct {
	fn, file string
	line     int
	nth      int // among the calls on that line
	typ      reflect.Type
}

type sharedVar struct {
	mem   reflect.Value // *T
	words []byte        // its bytes, nil if it holds pointers
	block int           // the block it was last poisoned for
}

func newSharedMemory(dynamic int) sharedMemory {
	return sharedMemory{
		calls: map[sharedCall]*sharedVar{}, vars: map[sharedKey]*sharedVar{}, lines: map[string][]uintptr{},
		dynamic: make([]uint64, (dynamic+7)/8), size: dynamic, block: -1,
	}
}

// SharedVar returns the block's variable of type T that the running thread's
// call of the dsl function fn stands for. It is filled with a conspicuous
// pattern when a block first uses it, unless its type holds pointers.
func SharedVar[T any](t *Thread, fn string) *T {
	v := t.run.sharedVar(fn, here(fn), reflect.TypeFor[T]())
	return (*T)(v)
}

// SharedSlice is SharedVar of an array of n elements of type T.
func SharedSlice[T any](t *Thread, fn string, n int) []T {
	v := t.run.sharedVar(fn, here(fn), reflect.ArrayOf(n, reflect.TypeFor[T]()))
	return unsafe.Slice((*T)(v), n)
}

func (r *launch) sharedVar(fn string, at *site, typ reflect.Type) unsafe.Pointer {
	v := r.shared.calls[sharedCall{at, typ}]
	if v == nil {
		v = r.shared.declare(at, typ)
		r.checkShared(fn)
	}
	if v.block != r.blockNo {
		v.block = r.blockNo
		for i := range v.words {
			v.words[i] = poisonByte(i)
		}
	}
	return v.mem.UnsafePointer()
}

// declare finds or makes the variable for a call seen for the first time.
func (m *sharedMemory) declare(at *site, typ reflect.Type) *sharedVar {
	// The line table has no columns, so calls on one line are told apart by
	// their addresses; but a function that is inlined twice has each call at
	// two addresses. Addresses therefore count only within one inlined copy,
	// which the addresses of the inlining calls identify.
	key := sharedKey{typ: typ}
	if len(at.frames) > 0 {
		f := at.frames[0]
		key.fn, key.file, key.line = f.Function, f.File, f.Line
		copy := fmt.Sprint(typ, " ", f.Function, ":", f.Line)
		for i := 0; at.frames[i].Func == nil && i+1 < len(at.frames); i++ { // a frame without Func is inlined
			copy += fmt.Sprint(" ", at.frames[i+1].PC)
		}
		line := m.lines[copy]
		if key.nth = slices.Index(line, f.PC); key.nth < 0 {
			key.nth = len(line)
			m.lines[copy] = append(line, f.PC)
		}
	}
	v := m.vars[key]
	if v == nil {
		v = &sharedVar{mem: reflect.New(typ), block: -1}
		if !holdsPointers(typ) {
			v.words = unsafe.Slice((*byte)(v.mem.UnsafePointer()), typ.Size())
		}
		m.vars[key] = v
		m.static += int(typ.Size())
	}
	m.calls[sharedCall{at, typ}] = v
	return v
}

// checkShared panics if the block uses more shared memory than the device has.
func (r *launch) checkShared(fn string) {
	if have := r.cfg.SharedMax; have > 0 && r.shared.static+r.shared.size > have {
		panic(fmt.Sprintf("dsl.%s: the block uses %d bytes of shared memory (%d of them dynamic), the device has %d",
			fn, r.shared.static+r.shared.size, r.shared.size, have))
	}
}

// SharedBytes returns the block's dynamic shared memory, aligned to 8 bytes.
func (t *Thread) SharedBytes() []byte {
	m := &t.run.shared
	if m.size == 0 {
		return nil
	}
	if m.block != t.run.blockNo {
		m.block = t.run.blockNo
		for i := range m.dynamic {
			m.dynamic[i] = poison
		}
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&m.dynamic[0])), m.size)
}

// HoldsPointers reports whether values of type T hold pointers.
func HoldsPointers[T any]() bool { return holdsPointers(reflect.TypeFor[T]()) }

func poisonByte(i int) byte { return byte(uint64(poison) >> (i % 8 * 8)) }

// holdsPointers reports whether the collector looks at values of type t.
func holdsPointers(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Array:
		return t.Len() > 0 && holdsPointers(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if holdsPointers(t.Field(i).Type) {
				return true
			}
		}
		return false
	}
	return t.Kind() > reflect.Complex128
}
