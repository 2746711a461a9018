package ahead

import (
	"fmt"

	"heddle/internal/diag"
	"heddle/internal/errs"
	"heddle/internal/program"
	"heddle/internal/source"
)

// Declared is the kernel that a declaration would make. name is a package, as the go
// command takes it in the directory dir ("" is the current one), and in it a
// function, an instance of a generic one, a method, or the N-th function
// literal of one:
//
//	./saxpy.Saxpy
//	example.com/m/reduce.Reduce[float32, Sum[float32]]
//	./particles.(*World).Step
//	./closure.Map.func1
//
// It needs the go command and the source, and neither runs nor builds the package.
func Declared(dir, name string, opts program.Options) (*Kernel, error) {
	if err := program.RegisterOwn(); err != nil {
		return nil, err
	}
	src, err := source.FindNamed(dir, name, program.IsIntrinsic)
	if err != nil {
		return nil, errs.F("kernel %s: %w", name, err)
	}
	switch sig := src.Fn.Signature; {
	case sig.Results().Len() > 0:
		return nil, &diag.Error{Pos: src.Pos, Msg: src.Name + " has results", Hint: "a kernel has none: let it write to a slice"}
	case sig.Variadic():
		return nil, &diag.Error{Pos: src.Pos, Msg: src.Name + " is variadic", Hint: "let it take a slice"}
	}
	for i := range src.Captures {
		c := &src.Captures[i]
		if source.HoldsFunc(c.Type) {
			return nil, &diag.Error{Pos: src.Fset.Position(c.Pos), Msg: fmt.Sprintf("%s captures the func %s, which only the running program knows", src.Name, c.Name),
				Hint: "call the kernel's Dump method there"}
		}
	}
	return newKernel(src, src.Name, opts)
}
