package codegen

import (
	"encoding/binary"
	"unsafe"

	"heddle/internal/amdemu"
	"heddle/internal/llvm"
)

// This file runs what is compiled for AMD GPUs on the emulator.

func bytesOf[E any](s []E) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), uintptr(len(s))*unsafe.Sizeof(s[0]))
}

// loadEmulated compiles and loads a kernel of two pointers; run launches one block of it.
func loadEmulated(r *Request) (run func(in, out []byte, threads int) (*amdemu.Stats, error), err error) {
	obj, err := Emit(r)
	if err != nil {
		return nil, err
	}
	lib, err := llvm.Open()
	if err != nil {
		return nil, err
	}
	m := amdemu.NewMemory(amdemu.Options{})
	disasm := func(triple, cpu, features string, code []byte, addr uint64) (lines []amdemu.Line, err error) {
		list, err := lib.Disassemble(triple, cpu, features, code, addr)
		for _, l := range list {
			lines = append(lines, amdemu.Line(l))
		}
		return lines, err
	}
	p, err := amdemu.Load(obj.Code, m, disasm)
	if err != nil {
		return nil, err
	}
	k, err := p.Kernel(r.Kernel)
	if err != nil {
		return nil, err
	}
	return func(in, out []byte, threads int) (*amdemu.Stats, error) {
		var args []byte
		for _, b := range [][]byte{in, out} {
			p := unsafe.Pointer(&b[0])
			if err := m.Add(p, len(b), "a buffer", true); err != nil {
				return nil, err
			}
			defer m.Remove(p)
			args = binary.LittleEndian.AppendUint64(args, uint64(uintptr(p)))
		}
		return k.Run(amdemu.Config{Grid: [3]int{1, 1, 1}, Block: [3]int{threads, 1, 1}, Args: args, Memory: m})
	}, nil
}

// emulate compiles a kernel and runs it once.
func emulate(r *Request, in, out []byte, threads int) (*amdemu.Stats, error) {
	run, err := loadEmulated(r)
	if err != nil {
		return nil, err
	}
	return run(in, out, threads)
}
