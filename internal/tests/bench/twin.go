package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"unsafe"

	"heddle/internal/abi"
	"heddle/internal/inside"
	"heddle/kernel"
	"heddle/launch"
)

// This file implements launches of kernels that other compilers have made: a twin is loaded
// on the same device, gets the same buffers and is timed and checked like heddle's own.

// A build is a kernel by one compiler and its options, ready to be launched.
type build struct {
	name      string
	launch    func() error
	tolerance float64 // of its results
}

// ours is the build of a benchmark that heddle makes.
func (b *benchmark) ours(d *device, in inputs, v variant) build {
	k := kernel.NewWith(b.kernel, v.opts)
	own := build{v.name, func() error { return k.Launch(d.Stream(), b.cfg, in.args...) }, b.tolerance}
	if v.opts.FastMath {
		own.tolerance = max(own.tolerance, b.approximate)
	}
	return own
}

// theirs is the build that another compiler has left in a folder, as a cubin or as a code
// object for each class of kernels. It has no launch where there is no folder.
func (b *benchmark) theirs(d *device, in inputs, folder string) (build, error) {
	own := build{name: filepath.Base(folder), tolerance: b.tolerance}
	info := inside.Driver(d.Device)
	kind, ext := abi.PTX, ".cubin" // which the driver takes as it takes PTX
	if info.Target == "amdgpu" {
		kind, ext = abi.HSACO, ".hsaco"
	}
	if _, err := os.Stat(folder); errors.Is(err, fs.ErrNotExist) {
		return own, nil
	}
	code, err := os.ReadFile(filepath.Join(folder, b.class+ext))
	if err != nil {
		return own, err
	}
	args, types := twinArguments(in)
	sig, err := inside.SignatureOf(types, nil)
	if err != nil {
		return own, err
	}
	plan, err := inside.NewPlan(sig, types)
	if err != nil {
		return own, err
	}
	f, err := inside.Load(d.Device, &abi.Object{
		Kind: kind, Arch: info.Arch, WarpSize: info.WarpSize, Kernel: b.name, Name: b.name, Code: code, Sig: *sig,
	})
	if err != nil {
		return own, fmt.Errorf("the twin: %w", err)
	}
	own.launch = func() error {
		return inside.Launch(context.Background(), d.Stream(), f, plan, unsafe.Pointer(&b.cfg), args, nil)
	}
	return own, nil
}

// twinArguments are what a twin gets, and the types of its parameters: lengths before all
// else, 32 bits for an int, and a pointer for a slice.
func twinArguments(in inputs) (args []any, types []reflect.Type) {
	for _, n := range in.lens {
		args = append(args, int32(n))
	}
	if args = append(args, in.args...); in.twin != nil {
		args = in.twin
	}
	for i, a := range args {
		if n, ok := a.(int); ok {
			args[i] = int32(n)
		}
		t := reflect.TypeOf(args[i])
		if device, ok := t.MethodByName("Device"); ok { // of a *launch.Buffer: the slice that it is there
			t = reflect.PointerTo(device.Type.Out(0).Elem())
		}
		types = append(types, t)
	}
	return args, types
}

// prove launches a build once, on inputs as they were at first, and compares what it makes
// with the truth.
func (b *benchmark) prove(d *device, in inputs, own build) error {
	if err := d.reset(); err != nil {
		return err
	}
	if err := own.launch(); err != nil {
		return err
	}
	if err := d.Stream().Sync(); err != nil {
		return err
	}
	for r, result := range in.results {
		got, err := result.read()
		if err != nil {
			return err
		}
		b.truth(r, result.len, len(got))
		if err := b.check(r, got, own.tolerance); err != nil {
			return err
		}
	}
	return nil
}

// open makes a device whose buffers last for one benchmark, and the inputs.
func (b *benchmark) open(on *launch.Device) (*device, inputs, error) {
	d := &device{Device: on}
	in := b.setup(d)
	if d.err != nil {
		d.close()
		return nil, in, d.err
	}
	return d, in, nil
}
