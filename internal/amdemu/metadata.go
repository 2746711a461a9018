package amdemu

import (
	"fmt"
	"strings"

	"heddle/internal/link"
)

const (
	maxKernarg = 1 << 20 // bytes, ours and the hidden ones
	packetSize = 64
)

// A dispatch is what a launch asks for: the grid in blocks, the block in lanes,
// and LDS beyond what the kernel declares, in bytes.
type dispatch struct {
	grid, block [3]int
	dynamicLDS  int
	queue       uint64 // address of the queue, 0 if there is none
}

// hidden are the arguments that the runtime appends, by value_kind. What has no
// row here (printf, hostcall, heap, queues of the device) is 0: there is none.
// Source: LLVM's User Guide for the AMDGPU Backend, "Code Object V5 Metadata".
var hidden = map[string]func(d *dispatch, dim int) uint64{
	"hidden_block_count":      func(d *dispatch, dim int) uint64 { return uint64(d.grid[dim]) },
	"hidden_group_size":       func(d *dispatch, dim int) uint64 { return uint64(d.block[dim]) },
	"hidden_remainder":        func(*dispatch, int) uint64 { return 0 }, // all blocks are whole
	"hidden_global_offset":    func(*dispatch, int) uint64 { return 0 },
	"hidden_grid_dims":        func(*dispatch, int) uint64 { return gridDims },
	"hidden_private_base":     func(*dispatch, int) uint64 { return privateBase >> 32 },
	"hidden_shared_base":      func(*dispatch, int) uint64 { return sharedBase >> 32 },
	"hidden_queue_ptr":        func(d *dispatch, _ int) uint64 { return d.queue },
	"hidden_dynamic_lds_size": func(d *dispatch, _ int) uint64 { return uint64(d.dynamicLDS) },
}

// gridDims is how many dimensions every grid has, as for HIP.
const gridDims = 3

// hiddenPrefix begins the value_kind of every argument that the runtime fills.
const hiddenPrefix = "hidden_"

// hiddenValue is a hidden argument's value.
func hiddenValue(kind string, d *dispatch) uint64 {
	dim := 0
	if name, axis, ok := cutLast(kind, "_"); ok && len(axis) == 1 && axis >= "x" && axis <= "z" {
		kind, dim = name, int(axis[0]-'x')
	}
	if f := hidden[kind]; f != nil {
		return f(d, dim)
	}
	return 0
}

func cutLast(s, sep string) (before, after string, ok bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}

// checkKernarg reports whether the arguments that the metadata lists are within
// the argument segment. Hidden ones are numbers of at most 8 bytes.
func checkKernarg(k *link.Kernel) error {
	if k.KernArg < 0 || k.KernArg > maxKernarg {
		return fmt.Errorf("its arguments take %d bytes", k.KernArg)
	}
	for _, a := range k.Args {
		if a.Offset < 0 || a.Size < 0 || a.Offset > k.KernArg || a.Size > k.KernArg-a.Offset {
			return fmt.Errorf("argument %s (%s), %d bytes at %d, is outside the %d bytes of arguments", a.Name, a.Kind, a.Size, a.Offset, k.KernArg)
		}
		if strings.HasPrefix(a.Kind, hiddenPrefix) && a.Size > 8 {
			return fmt.Errorf("argument %s has %d bytes", a.Kind, a.Size)
		}
	}
	return nil
}

// explicitSize is how many bytes of arguments the caller brings at most.
func explicitSize(k *link.Kernel) (n int) {
	for _, a := range k.Args {
		if !strings.HasPrefix(a.Kind, hiddenPrefix) {
			n = max(n, a.Offset+a.Size)
		}
	}
	return n
}

// fillKernarg makes a kernel's argument segment: the caller's arguments, laid
// out as the metadata says, and behind them the hidden ones, in whatever layout
// the code object's version gives them. Fewer bytes than the kernel declares are
// an error, as are more; padding behind the last argument is not counted.
func fillKernarg(k *kernelInfo, explicit []byte, d *dispatch) ([]byte, error) {
	want := explicitSize(&k.Kernel)
	if n := len(explicit); n < want || n > want && n > (want+7)&^7 {
		return nil, fmt.Errorf("kernel %s: %d bytes of arguments, and it takes %d", k.Name, n, want)
	}
	size := max(k.KernArg, k.descriptor.kernarg)
	if size > maxKernarg {
		return nil, fmt.Errorf("kernel %s: its descriptor asks for %d bytes of arguments", k.Name, size)
	}
	segment := make([]byte, size)
	copy(segment, explicit[:want])
	for _, a := range k.Args {
		if !strings.HasPrefix(a.Kind, hiddenPrefix) {
			continue
		}
		v := hiddenValue(a.Kind, d)
		for i := range a.Size {
			segment[a.Offset+i] = byte(v >> (8 * i))
		}
	}
	return segment, nil
}

// packet makes the dispatch packet (hsa_kernel_dispatch_packet_t) of a launch
// whose arguments are at kernarg. Blocks of more than 65535 lanes in a
// dimension do not fit it, and grids of 2^32 lanes in one.
func (k *kernelInfo) packet(d *dispatch, kernarg uint64) ([]byte, error) {
	const header = 2 | 2<<9 | 2<<11 // a kernel's dispatch; acquires and releases for the system
	p := make([]byte, packetSize)
	le.PutUint16(p, header)
	le.PutUint16(p[2:], gridDims)
	for i := range 3 {
		threads := uint64(d.grid[i]) * uint64(d.block[i])
		if d.block[i] <= 0 || d.block[i] > 0xffff || d.grid[i] <= 0 || d.grid[i] > 0xffffffff || threads > 0xffffffff {
			return nil, fmt.Errorf("kernel %s: blocks of %v lanes in a grid of %v", k.Name, d.block, d.grid)
		}
		le.PutUint16(p[4+2*i:], uint16(d.block[i]))
		le.PutUint32(p[12+4*i:], uint32(threads))
	}
	le.PutUint32(p[24:], uint32(k.descriptor.private))
	le.PutUint32(p[28:], uint32(k.descriptor.group+d.dynamicLDS))
	le.PutUint64(p[32:], k.object)
	le.PutUint64(p[40:], kernarg)
	return p, nil
}
