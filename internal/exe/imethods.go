package exe

import (
	"encoding/binary"
	"reflect"
	"unsafe"
)

// This file reads the methods of interface types at run time. Type.Method and
// Type.MethodByName do as much, but where a program calls one of them the linker
// keeps every exported method of every type that it links, of all packages: 1.3 MB
// of heddle alone. TestIMethods compares the two.

// interfaceType is the layout of an interface's type, internal/abi.InterfaceType.
type interfaceType struct {
	_ struct { // abi.Type
		size, ptrBytes uintptr
		hash           uint32
		flags          [4]uint8
		equal          func(unsafe.Pointer, unsafe.Pointer) bool
		gcData         *byte
		str, ptrToThis int32
	}
	pkgPath *byte
	methods []struct{ name, typ int32 }
}

// InterfaceMethods calls visit with the name and the type, without a receiver, of each
// method of an interface type.
func InterfaceMethods(r reflect.Type, visit func(name string, typ reflect.Type)) {
	t := (*eface)(unsafe.Pointer(&r)).data // of the interface reflect.Type: the *rtype
	for _, m := range (*interfaceType)(t).methods {
		var typ any
		(*eface)(unsafe.Pointer(&typ)).typ = resolveTypeOff(t, m.typ)
		visit(symbolName(resolveNameOff(t, m.name)), reflect.TypeOf(typ))
	}
}

// symbolName decodes internal/abi.Name: a byte of flags, the length, the text.
func symbolName(p unsafe.Pointer) string {
	n, size := binary.Uvarint(unsafe.Slice((*byte)(unsafe.Add(p, 1)), binary.MaxVarintLen16))
	return unsafe.String((*byte)(unsafe.Add(p, 1+size)), int(n))
}

//go:linkname resolveTypeOff reflect.resolveTypeOff
func resolveTypeOff(rtype unsafe.Pointer, off int32) unsafe.Pointer

//go:linkname resolveNameOff reflect.resolveNameOff
func resolveNameOff(ptrInModule unsafe.Pointer, off int32) unsafe.Pointer
