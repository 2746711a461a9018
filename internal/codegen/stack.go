package codegen

import (
	"bytes"
	"encoding/binary"
	"errors"
	"unsafe"

	"heddle/internal/abi"
	"heddle/internal/elf64"
	"heddle/internal/errs"
)

// libraryStack is how many bytes of stack the C library's functions may take that
// compiled code calls, and the alignment of our frames.
const libraryStack = 64 << 10

// reserveStack makes an object ask for the stack that its frames take: how much LLVM
// spills is known only when it has made the code. A frame may be larger than the guard
// page below a stack, so too small a stack would be memory of another warp. Kernels do
// not recurse: no function's frame is there twice.
func reserveStack(code []byte, frames int) error {
	f, err := elf64.NewFile(bytes.NewReader(code))
	if err != nil {
		return errs.F("LLVM's object: %w", err)
	}
	symbols, err := f.Symbols()
	if err != nil {
		return errs.F("LLVM's object: %w", err)
	}
	for i := range symbols {
		s := &symbols[i]
		if s.Name != abi.NativeInfo || s.Section == elf64.SHN_UNDEF {
			continue
		}
		info, err := nativeInfo(f, s)
		if err != nil {
			return err
		}
		if need := uint64(frames) + libraryStack; need > abi.NativeStack+info.Stack {
			info.Stack = need - abi.NativeStack
			at := f.Sections[s.Section].Offset + s.Value + uint64(unsafe.Offsetof(info.Stack))
			binary.LittleEndian.PutUint64(code[at:], info.Stack)
		}
		return err
	}
	return nil // checkNative says that there is none
}

// nativeInfo reads the constant that describes the kernel.
func nativeInfo(f *elf64.File, s *elf64.Symbol) (info abi.NativeInfoData, err error) {
	if int(s.Section) >= len(f.Sections) {
		return info, errors.New(abi.NativeInfo + " is not data")
	}
	data, err := f.Sections[s.Section].Data()
	if err != nil {
		return info, err
	}
	if s.Value > uint64(len(data)) || uint64(len(data))-s.Value < uint64(unsafe.Sizeof(info)) {
		return info, errs.F("%s is cut short", abi.NativeInfo)
	}
	// encoding/binary's functions for whole structs are 20 KB of a program
	at := data[s.Value:]
	word := func(offset uintptr) uint64 { return binary.LittleEndian.Uint64(at[offset:]) }
	half := func(offset uintptr) uint32 { return binary.LittleEndian.Uint32(at[offset:]) }
	info = abi.NativeInfoData{
		Lanes: half(unsafe.Offsetof(info.Lanes)), Barriers: half(unsafe.Offsetof(info.Barriers)),
		Shared: word(unsafe.Offsetof(info.Shared)), Stack: word(unsafe.Offsetof(info.Stack)), Waits: word(unsafe.Offsetof(info.Waits)),
	}
	return info, nil
}
