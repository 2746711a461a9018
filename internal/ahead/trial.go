package ahead

import (
	"context"
	"fmt"
	"go/types"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"unsafe"

	"heddle/internal/abi"
	"heddle/internal/errs"
	"heddle/internal/inside"
	"heddle/internal/program"
	"heddle/internal/symbol"
	"heddle/internal/target"
	"heddle/launch"
)

// A Trial is a launch with made-up arguments, for tools that want to see a
// kernel run and do not have its program.
//
// A slice has as many elements as the launch has threads, which hold 0, 1, 2 and
// so on, as do the parts of elements that have parts. A pointer's element holds 0.
// Numbers are 1, bools true, and integers called n, len, length, size or count
// the number of threads. Args say otherwise, by the parameter's name:
//
//	a=2.5       a number or bool, or the one that a pointer points to
//	x=256       a slice's length
//	x=256:rand  and what it holds: ramp (0, 1, 2, ...), zero, or rand (floats
//	            from 0 to 1, integers below the length, always the same)
//
// Device variables hold zeros: their initialisers are the program's, which does not run.
type Trial struct {
	launch.Config
	Args map[string]string
}

// An ArgumentError is an argument of a Trial that cannot be had.
type ArgumentError struct {
	Kernel, Param string
	Given         bool // what Args say is at fault
	Text          string
}

func (e *ArgumentError) Error() string {
	return fmt.Sprintf("kernel %s: argument %s: %s", e.Kernel, e.Param, e.Text)
}

// Try compiles the kernel for a device, launches it with synthetic arguments and
// waits for it. Kernels that Declared has made can be tried. An argument that
// cannot be synthesised, as those that hold pointers and captured variables, is an
// *ArgumentError. The device may not be the simulator, which has no code.
func (k *Kernel) Try(dev *launch.Device, t Trial) error {
	info := inside.Driver(dev)
	if info.Target == "" {
		return errs.F("kernel %s: %s runs the Go function itself: try it on a device that runs compiled code, such as cpu", k.name, info.Name)
	}
	return k.with(info.Arch, info.WarpSize, info.CodeObject, func(p *program.Program, m *target.Machine) error {
		args, err := synthesise(p, dev, &t)
		if err != nil {
			return err
		}
		obj, err := p.General(m, k.opts) // the arguments are not known to be small
		if err != nil {
			return err
		}
		for _, v := range obj.Symbols {
			at := symbol.Place{Package: v.Package, File: v.File, Line: v.Line}
			symbol.StandIn(symbol.Kind(v.Kind), v.Size, at)
		}
		plan, err := inside.NewPlan(&args.sig, args.types)
		if err != nil {
			return errs.F("kernel %s: %w", k.name, err)
		}
		f, err := inside.Load(dev, obj)
		if err != nil {
			return errs.F("kernel %s: %w", k.name, err)
		}
		s := dev.Stream()
		if err := inside.Launch(context.Background(), s, f, plan, unsafe.Pointer(&t.Config), args.values, nil); err != nil {
			return err
		}
		err = s.Sync()
		runtime.KeepAlive(args)
		return err
	})
}

// A synthetic is a set of arguments for a trial. A tool knows the kernel's types only
// from its source, so what crosses is bytes: in the signature every parameter is
// an array of bytes, a slice or a pointer a struct.
type synthetic struct {
	dev     *launch.Device
	sig     abi.Signature
	types   []reflect.Type
	values  []any
	buffers []*launch.Buffer[byte]
}

// sliceValue and pointerValue are what a slice and a pointer are to a launch.
type sliceValue struct {
	ptr      *byte
	len, cap int
}

type pointerValue struct{ ptr *byte }

// synthesise makes the arguments of a trial.
func synthesise(prog *program.Program, dev *launch.Device, t *Trial) (*synthetic, error) {
	fault := func(name string, given bool, format string, args ...any) error {
		return &ArgumentError{prog.Src.Name, name, given, fmt.Sprintf(format, args...)}
	}
	params := prog.Checked.Kernel.Fn.Params
	if prog.Checked.Kernel.Receiver {
		params = params[1:]
	}
	var names []string
	for i, p := range prog.Checked.Sig.Params {
		if p.Capture {
			return nil, fault(p.Name, false, "it is a captured variable, which only the running program has")
		}
		if i >= len(params) {
			return nil, errs.F("kernel %s: %d parameters in its signature, %d in its function", prog.Src.Name, len(prog.Checked.Sig.Params), len(params))
		}
		names = append(names, p.Name)
	}
	for name := range t.Args {
		if !slices.Contains(names, name) {
			return nil, fault(name, true, "there is no such parameter; there are %s", strings.Join(names, ", "))
		}
	}
	m := &synthetic{dev: dev, sig: prog.Checked.Sig}
	m.sig.Params = slices.Clone(m.sig.Params)
	for i := range m.sig.Params {
		p := &m.sig.Params[i]
		text, given := t.Args[p.Name]
		if err := m.add(p, params[i].Type(), text, given, threads(&t.Config)); err != nil {
			return nil, fault(p.Name, given, "%v", err)
		}
	}
	return m, nil
}

// threads is how many threads a launch has, no more than maxBytes + 1.
func threads(c *launch.Config) int {
	n := 1
	for _, d := range []launch.Dim3{c.Grid, c.Block} {
		for _, axis := range []int{d.X, d.Y, d.Z} {
			if n *= min(max(axis, 1), maxBytes+1); n > maxBytes {
				return maxBytes + 1
			}
		}
	}
	return n
}

// maxBytes is how large a slice may be.
const maxBytes = 1 << 30

// add adds the argument of one parameter, of type t.
func (m *synthetic) add(p *abi.Param, t types.Type, text string, given bool, threads int) error {
	class := p.Class
	if class != abi.Zero {
		p.Class, p.Elem, p.ElemSize, p.Pointers = abi.Aggregate, "", 0, nil
	}
	switch class {
	case abi.Slice, abi.Pointer:
		p.Pointers = []int{0}
		return m.addMemory(class, t, text, threads)
	}
	parts, err := partsOf(t, 0, nil)
	if err != nil {
		return err
	}
	value := reflect.New(reflect.ArrayOf(p.Size, reflect.TypeFor[byte]())).Elem()
	bytes := value.Slice(0, p.Size).Bytes()
	switch {
	case given && class != abi.Scalar:
		return errs.F("only numbers and slices can be given, and this is %s", t)
	case given:
		if err := parse(bytes, parts, text); err != nil {
			return err
		}
	case class == abi.Scalar && parts[0].form <= unsigned && slices.Contains([]string{"n", "len", "length", "size", "count"}, p.Name):
		parts[0].put(bytes, threads)
	default:
		for i, part := range parts {
			if i > 0 && len(parts) == 2 && class == abi.Scalar {
				break // the imaginary part
			}
			part.put(bytes, 1)
		}
	}
	m.types, m.values = append(m.types, value.Type()), append(m.values, value.Interface())
	return nil
}

// addMemory adds a slice, or a pointer, to memory with made-up elements.
func (m *synthetic) addMemory(class abi.Class, t types.Type, text string, threads int) error {
	var elem types.Type
	n, fill := threads, "ramp"
	switch u := t.Underlying().(type) {
	case *types.Slice:
		elem = u.Elem()
		var err error
		if n, fill, err = lengthAndFill(text, threads); err != nil {
			return err
		}
	case *types.Pointer:
		elem, n = u.Elem(), 1
	}
	size := int(sizes.Sizeof(elem))
	if size > 0 && n > maxBytes/size {
		return errs.F("it would have more than %d bytes; give it a length", maxBytes)
	}
	parts, err := partsOf(elem, 0, nil)
	if err != nil {
		return err
	}
	bytes := make([]byte, n*size)
	for i := range n {
		fills.Get()[fill](bytes[i*size:], parts, i, n)
	}
	if class == abi.Pointer && text != "" {
		if _, ok := elem.Underlying().(*types.Basic); !ok {
			return errs.F("only numbers and slices can be given, and this points to %s", elem)
		}
		if err := parse(bytes, parts, text); err != nil {
			return err
		}
	}
	b, err := launch.Upload(m.dev, bytes)
	if err != nil {
		return err
	}
	m.buffers = append(m.buffers, b)
	var at *byte
	if d := b.Device(); len(d) > 0 {
		at = &d[0]
	}
	value := any(sliceValue{at, n, n})
	if class == abi.Pointer {
		value = pointerValue{at}
	}
	m.types, m.values = append(m.types, reflect.TypeOf(value)), append(m.values, value)
	return nil
}
