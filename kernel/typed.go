package kernel

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"unsafe"

	"heddle/internal/inside"
	"heddle/internal/typed"
	"heddle/launch"
)

// This file launches kernels by calls of their own type. Package typed makes the func values.

// Go returns a func of fn's own type whose call launches fn on s: Go's compiler checks the
// arguments, and constants convert (HIP's <<<>>>).
//
//	kernel.Go(s, launch.Linear(n, 256), Saxpy)(2, x.Device(), y.Device())
//
// Slices and pointers are device memory: what [launch.Buffer.Device] returned, or a part of
// it. A call returns nothing, so its errors are the stream's: the next call that returns the
// stream's error returns them. The result may be kept and called again, from any goroutine;
// a call allocates nothing. Go itself allocates once for a declared function; of a
// literal it makes a kernel each time, which [Typed] makes once.
//
// Go panics where New does, and if s is nil. Options are given to [TypedWith].
func Go[F any](s *launch.Stream, cfg launch.Config, fn F) F {
	c := codeOf(reflect.TypeFor[F](), any(fn))
	b := new(boundKernel)
	if b.k = c.declared(any(fn)); b.k == nil {
		b.k = &Kernel{fn: fn, typ: c.typ, call: caller(1)}
	}
	b.set(s, cfg, c)
	return funcOf[F](b, c)
}

// Func is a Kernel that can also be launched by calls of its own type.
type Func[F any] struct {
	*Kernel
	code *codeInfo
}

// Typed is New for a kernel that is to be launched by calls of its own type.
//
//	var saxpy = kernel.Typed(Saxpy)
//
//	saxpy.Go(s, launch.Linear(n, 256))(2, x.Device(), y.Device())
func Typed[F any](fn F) *Func[F] {
	return &Func[F]{newKernel(fn, Options{}), codeOf(reflect.TypeFor[F](), any(fn))}
}

// TypedWith is Typed with options.
func TypedWith[F any](fn F, opts Options) *Func[F] {
	return &Func[F]{newKernel(fn, opts), codeOf(reflect.TypeFor[F](), any(fn))}
}

// Go returns a func whose call launches the kernel on s, as the function [Go] does.
func (f *Func[F]) Go(s *launch.Stream, cfg launch.Config) F {
	b := &boundKernel{k: f.Kernel}
	b.set(s, cfg, f.code)
	return funcOf[F](b, f.code)
}

// A boundKernel is what the func values point to.
type boundKernel struct {
	typed.Head
	k    *Kernel
	s    *launch.Stream
	cfg  launch.Config
	code *codeInfo
}

func (b *boundKernel) set(s *launch.Stream, cfg launch.Config, c *codeInfo) {
	if s == nil {
		panic(fmt.Sprintf("kernel.Go(%v): the stream is nil", c.typ))
	}
	b.s, b.cfg, b.code = s, cfg, c
}

// funcOf is b as a func value.
func funcOf[F any](b *boundKernel, c *codeInfo) F {
	if c.frame != nil {
		b.Init(called)
		return *(*F)(unsafe.Pointer(&b))
	}
	return reflect.MakeFunc(c.typ, b.reflected).Interface().(F)
}

// called is called by each call of a func value.
func called(h *typed.Head, regs *typed.Regs, stack unsafe.Pointer) {
	b := (*boundKernel)(unsafe.Pointer(h))
	if err := b.launch(typed.Words{Regs: regs, Stack: stack}); err != nil {
		inside.Fail(b.s, err)
	}
}

func (b *boundKernel) launch(w typed.Words) error {
	k := b.k
	l, err := k.ready(b.s.Device())
	if err != nil {
		return err
	}
	err = b.enqueue(l, w)
	for wantsOther(err) {
		if l, err = k.other(l, b.s, err); err == nil {
			err = b.enqueue(l, w)
		}
	}
	return err
}

func (b *boundKernel) enqueue(l *loaded, w typed.Words) error {
	if l.prog == nil || len(l.prog.captured.Vars) == 0 {
		return inside.LaunchWords(b.s, l.f, l.plan, unsafe.Pointer(&b.cfg), b.code.frame, w, nil)
	}
	var few [16]unsafe.Pointer
	return inside.LaunchWords(b.s, l.f, l.plan, unsafe.Pointer(&b.cfg), b.code.frame, w, l.prog.captured.Addresses(closure(&b.k.fn), few[:0]))
}

// reflected is called where func values cannot be made by hand.
func (b *boundKernel) reflected(in []reflect.Value) []reflect.Value {
	args := make([]any, len(in))
	for i := range in {
		args[i] = in[i].Interface()
	}
	if err := b.k.launch(context.Background(), b.s, b.cfg, args); err != nil {
		inside.Fail(b.s, err)
	}
	return nil
}

// codeInfo is what the func values of one function have in common.
type codeInfo struct {
	typ   reflect.Type
	frame *typed.Frame // nil: reflect makes the func values
	named bool         // a declared function: it captures nothing, and there is one func value
	one   atomic.Pointer[Kernel]
	value unsafe.Pointer // of one
}

// codes are the codeInfos, by the address of the function's code.
var codes sync.Map

// typedCode is a key of codes: functions of two types may share their code.
type typedCode struct {
	code uintptr
	typ  reflect.Type
}

// codeOf is the codeInfo of a func value; what is none is a panic, as in New.
func codeOf(t reflect.Type, fn any) *codeInfo {
	if t.Kind() != reflect.Func || closure(&fn) == nil {
		newKernel(fn, Options{}) // panics
	}
	at := closure(&fn)
	if known, ok := codes.Load(at); ok {
		if c := known.(*codeInfo); c.typ == t {
			return c
		}
	}
	key := typedCode{*(*uintptr)(at), t}
	if known, ok := codes.Load(key); ok {
		return known.(*codeInfo)
	}
	k := newKernel(fn, Options{})
	k.call = caller(2)
	c := &codeInfo{typ: k.typ}
	if typed.Works() {
		c.frame = typed.NewFrame(t)
	}
	if name := k.Name(); !mayCapture(name) && !strings.HasSuffix(name, "-fm") {
		c.named = true
		c.value = at
		c.one.Store(k)
		codes.Store(at, c)
	}
	known, _ := codes.LoadOrStore(key, c)
	return known.(*codeInfo)
}

// declared is the kernel of a declared function, nil for others.
func (c *codeInfo) declared(fn any) *Kernel {
	if !c.named || closure(&fn) != c.value {
		return nil
	}
	return c.one.Load()
}
