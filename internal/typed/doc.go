// Package typed makes func values of any type that has no results, whose call comes to one
// function of ours. It is reflect.MakeFunc for arguments that are not pointers into Go's heap
// as far as their use goes, without its allocations.
//
// A func value is a pointer to memory that begins with the address of code. Here the code is a
// few instructions of assembly, the same for all types. They save the registers that Go's
// calling convention passes arguments in, and call [Head].Call with the place. A [Frame], made
// once for each type, says which argument is where.
//
// The saved words are no pointers to Go's collector. What they point to may be gone when they
// are looked at: they may be compared, and be followed once it is known that they are
// addresses of device memory, which has an owner of its own.
//
// [Works] tells whether the calling convention is as described; where it is not, and for
// types that a Frame cannot describe, there is reflect.MakeFunc.
package typed
