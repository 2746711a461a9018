// Package foreign reads what other compilers leave: AMDGPU code objects, clang's offload
// bundles, PTX, cubins and CUDA's fat binaries. It finds the part for a device, and what
// parameters the kernels have.
package foreign

import (
	"bytes"
	"encoding/binary"
	"strings"

	"heddle/internal/errs"
	"heddle/internal/link"
)

// Kind is the form of code.
type Kind string

// The forms.
const (
	HSACO   Kind = "AMDGPU code object"
	Bundle  Kind = "clang offload bundle"
	PTX     Kind = "PTX"
	Cubin   Kind = "cubin"
	Fatbin  Kind = "CUDA fat binary"
	Unknown Kind = ""
)

const (
	bundleMagic     = "__CLANG_OFFLOAD_BUNDLE__"
	compressedMagic = "CCOB"
	fatbinMagic     = 0xBA55ED50
	machineAMDGPU   = 224
	machineCUDA     = 190
)

var le = binary.LittleEndian

// KindOf tells the form of code by its beginning.
func KindOf(code []byte) Kind {
	text := code[:min(len(code), 1<<16)]
	switch {
	case bytes.HasPrefix(code, []byte(bundleMagic)), bytes.HasPrefix(code, []byte(compressedMagic)):
		return Bundle
	case len(code) >= 64 && bytes.HasPrefix(code, []byte("\x7fELF")):
		switch le.Uint16(code[18:]) {
		case machineAMDGPU:
			return HSACO
		case machineCUDA:
			return Cubin
		}
	case len(code) >= 16 && le.Uint32(code) == fatbinMagic:
		return Fatbin
	case bytes.Contains(text, []byte(".version")) && bytes.Contains(text, []byte(".target")):
		return PTX
	}
	return Unknown
}

// Unbundle is the code object for a processor in an offload bundle.
func Unbundle(code []byte, arch string) ([]byte, error) {
	if bytes.HasPrefix(code, []byte(compressedMagic)) {
		return nil, errs.F("the offload bundle is compressed; compile with --no-offload-compress")
	}
	at := len(bundleMagic)
	word := func() (uint64, bool) {
		if len(code)-at < 8 {
			return 0, false
		}
		at += 8
		return le.Uint64(code[at-8:]), true
	}
	n, ok := word()
	var have []string
	for i := uint64(0); ok && i < n; i++ {
		offset, ok1 := word()
		size, ok2 := word()
		length, ok3 := word()
		if !ok1 || !ok2 || !ok3 || length > uint64(len(code)-at) || offset > uint64(len(code)) || size > uint64(len(code))-offset {
			return nil, errs.F("the offload bundle is damaged: entry %d of %d", i, n)
		}
		id := string(code[at : at+int(length)])
		at += int(length)
		target, features := processor(id)
		if target == "" || size == 0 {
			continue // of the host
		}
		if target == arch {
			return code[offset : offset+size], nil
		}
		have = append(have, target+features)
	}
	return nil, errs.F("the offload bundle has no code for %s; it has %s: compile with --offload-arch=%s", arch, strings.Join(have, ", "), arch)
}

// processor is the processor of a bundle's entry and its features, "" for an entry of the host:
// of "hipv4-amdgcn-amd-amdhsa--gfx90a:xnack-" gfx90a.
func processor(id string) (target, features string) {
	i := strings.LastIndex(id, "-gfx")
	if i < 0 {
		return "", ""
	}
	target, features, _ = strings.Cut(id[i+1:], ":")
	if features != "" {
		features = ":" + features
	}
	return target, features
}

// A Param is a parameter of a kernel.
type Param struct {
	Name         string // "" where it is not known
	Offset, Size int
	// Pointer says that it is an address; Value, that it is none. Neither: it is not known.
	Pointer, Value bool
}

// A Kernel is a kernel and what it takes.
type Kernel struct {
	Name   string
	Params []Param
	Size   int // of the parameters
	// Static shared memory, threads a block at most: 0 where they are not known.
	Shared, MaxThreads int
}

// CodeObject is an AMDGPU code object's processor and kernels.
func CodeObject(code []byte) (arch string, kernels []Kernel, err error) {
	info, err := link.Inspect(code)
	if err != nil {
		return "", nil, err
	}
	for i := range info.Kernels {
		k := &info.Kernels[i]
		own := Kernel{Name: k.Name, Shared: k.LDS, MaxThreads: k.MaxThreads}
		for _, a := range k.Args {
			if strings.HasPrefix(a.Kind, "hidden_") {
				continue
			}
			value := a.Kind == "by_value"
			own.Params = append(own.Params, Param{a.Name, a.Offset, a.Size, !value, value})
			own.Size = max(own.Size, a.Offset+a.Size)
		}
		kernels = append(kernels, own)
	}
	return info.Arch, kernels, nil
}
