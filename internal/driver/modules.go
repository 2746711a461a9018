package driver

import "heddle/internal/abi"

// Modules is a Device that takes code that other compilers have made.
type Modules interface {
	LoadModule(code []byte) (Module, error)
}

// A Module is such code, loaded. Its functions and variables are valid until Close.
type Module interface {
	// Function is a kernel; obj names it and lays out its arguments.
	Function(obj *abi.Object) (Function, error)
	// Params are the offsets and sizes of a kernel's parameters, where the driver knows.
	Params(name string) (params [][2]int, known bool, err error)
	// Global is where a variable is, and its size in bytes.
	Global(name string) (Ptr, int, error)
	Close() error
}
