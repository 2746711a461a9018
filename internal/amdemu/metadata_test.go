package amdemu

import (
	"bytes"
	"strings"
	"testing"

	"heddle/internal/link"
)

// datum is one number of a block of hidden arguments or of a packet.
type datum struct {
	name       string
	offset, n  int
	value      uint64
	isOptional bool // compilers list it where the kernel may need it
}

// number is a little-endian number of n bytes.
func number(b []byte, n int) (v uint64) {
	for i := range n {
		v |= uint64(b[i]) << (8 * i)
	}
	return v
}

var someDispatch = dispatch{grid: [3]int{11, 7, 3}, block: [3]int{32, 4, 2}, dynamicLDS: 640, queue: 0x7f00_1122_3344}

// The hidden arguments' places in LLVM's User Guide for the AMDGPU Backend,
// from the first of them on.
var hiddenV5 = []datum{
	{"block_count_x", 0, 4, 11, false}, {"block_count_y", 4, 4, 7, false}, {"block_count_z", 8, 4, 3, false},
	{"group_size_x", 12, 2, 32, false}, {"group_size_y", 14, 2, 4, false}, {"group_size_z", 16, 2, 2, false},
	{"remainder_x", 18, 2, 0, false}, {"remainder_y", 20, 2, 0, false}, {"remainder_z", 22, 2, 0, false},
	{"global_offset_x", 40, 8, 0, false}, {"global_offset_y", 48, 8, 0, false}, {"global_offset_z", 56, 8, 0, false},
	{"grid_dims", 64, 2, 3, false},
	{"hostcall_buffer", 80, 8, 0, true}, {"multigrid_sync_arg", 88, 8, 0, true}, {"heap_v1", 96, 8, 0, true},
	{"dynamic_lds_size", 120, 4, 640, true},
	{"private_base", 192, 4, privateBase >> 32, true}, {"shared_base", 196, 4, sharedBase >> 32, true},
	{"queue_ptr", 200, 8, 0x7f00_1122_3344, true},
}

var hiddenV4 = []datum{{"global_offset_x", 0, 8, 0, false}, {"global_offset_y", 8, 8, 0, false}, {"global_offset_z", 16, 8, 0, false}}

// What compilers demand of a launch is at the places that the documents say.
func TestKernarg(t *testing.T) {
	for _, b := range builds {
		_, code := compile(t, b)
		p, err := load(code, inWords)
		if err != nil {
			t.Fatal(err)
		}
		k, err := p.kernel("full")
		if err != nil {
			t.Fatal(err)
		}
		if p.codeObject != b.version || k.WarpSize != b.wave || p.waveSize != b.wave || p.arch != b.arch {
			t.Errorf("%v: version %d, waves of %d, %s", b, p.codeObject, k.WarpSize, p.arch)
		}
		// A pointer, char, int, ulong and short, aligned as C does.
		const explicit, first = 26, 32
		args := make([]byte, explicit)
		for i := range args {
			args[i] = byte(i + 1)
		}
		segment, err := fillKernarg(k, args, &someDispatch)
		if err != nil {
			t.Fatalf("%v: %v", b, err)
		}
		size, fields := 256, hiddenV5
		if b.version == 4 {
			size, fields = 56, hiddenV4
		}
		if len(segment) != first+size || !bytes.Equal(segment[:explicit], args) {
			t.Errorf("%v: %d bytes: %x", b, len(segment), segment)
		}
		rest := bytes.Clone(segment[first:])
		for _, f := range fields {
			if v := number(rest[f.offset:], f.n); v != f.value && (!f.isOptional || v != 0) {
				t.Errorf("%v: %s is %#x, not %#x", b, f.name, v, f.value)
			}
			clear(rest[f.offset : f.offset+f.n])
		}
		if !bytes.Equal(rest, make([]byte, size)) {
			t.Errorf("%v: more than the fields: %x", b, rest)
		}
	}
}

// Arguments that compilers list only for kernels that need them.
func TestHidden(t *testing.T) {
	k := &kernelInfo{Kernel: link.Kernel{Name: "k", KernArg: 8 + 256, Args: []link.Arg{{Kind: "global_buffer", Size: 8}}}}
	for _, f := range hiddenV5 {
		k.Args = append(k.Args, link.Arg{Kind: "hidden_" + f.name, Offset: 8 + f.offset, Size: f.n})
	}
	k.Args = append(k.Args, link.Arg{Kind: "hidden_none", Offset: 8 + 72, Size: 8}, link.Arg{Kind: "hidden_of_the_future", Offset: 8 + 104, Size: 8})
	if err := checkKernarg(&k.Kernel); err != nil {
		t.Fatal(err)
	}
	segment, err := fillKernarg(k, []byte("abcdefgh"), &someDispatch)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range hiddenV5 {
		if v := number(segment[8+f.offset:], f.n); v != f.value {
			t.Errorf("%s is %#x, not %#x", f.name, v, f.value)
		}
	}
	if string(segment[:8]) != "abcdefgh" || number(segment[8+72:], 8) != 0 || number(segment[8+104:], 8) != 0 {
		t.Errorf("%x", segment)
	}
	for n, want := range map[int]string{0: "0 bytes of arguments, and it takes 8", 7: "7 bytes", 9: "9 bytes"} {
		if _, err := fillKernarg(k, make([]byte, n), &someDispatch); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
}

func TestKernargRefuses(t *testing.T) {
	for want, k := range map[string]link.Kernel{
		"take -1 bytes":                {KernArg: -1},
		"take 1048577":                 {KernArg: maxKernarg + 1},
		"by_value), 8 bytes at 12, is": {KernArg: 16, Args: []link.Arg{{Kind: "by_value", Offset: 12, Size: 8}}},
		"-4 bytes at 0":                {KernArg: 16, Args: []link.Arg{{Offset: 0, Size: -4}}},
		"4 bytes at -4":                {KernArg: 16, Args: []link.Arg{{Offset: -4, Size: 4}}},
		"bytes at 9223372036854775807": {KernArg: 16, Args: []link.Arg{{Offset: 1<<63 - 1, Size: 1<<63 - 1}}},
		"hidden_heap_v1 has 16":        {KernArg: 16, Args: []link.Arg{{Kind: "hidden_heap_v1", Size: 16}}},
	} {
		if err := checkKernarg(&k); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// The fields of hsa_kernel_dispatch_packet_t, in AMD's hsa.h.
func TestPacket(t *testing.T) {
	k := &kernelInfo{Kernel: link.Kernel{Name: "k"}, object: 0x1122_3344_5566_7700, descriptor: descriptor{group: 100, private: 48}}
	p, err := k.packet(&someDispatch, 0x7766_5544_3322_1100)
	if err != nil || len(p) != 64 {
		t.Fatal(len(p), err)
	}
	for _, f := range []datum{
		{"type", 0, 1, 2, false}, {"setup", 2, 2, 3, false},
		{"workgroup_size_x", 4, 2, 32, false}, {"workgroup_size_y", 6, 2, 4, false}, {"workgroup_size_z", 8, 2, 2, false},
		{"grid_size_x", 12, 4, 11 * 32, false}, {"grid_size_y", 16, 4, 7 * 4, false}, {"grid_size_z", 20, 4, 3 * 2, false},
		{"private_segment_size", 24, 4, 48, false}, {"group_segment_size", 28, 4, 740, false},
		{"kernel_object", 32, 8, 0x1122_3344_5566_7700, false}, {"kernarg_address", 40, 8, 0x7766_5544_3322_1100, false},
		{"reserved", 48, 8, 0, false}, {"completion_signal", 56, 8, 0, false},
	} {
		if v := number(p[f.offset:], f.n); v != f.value {
			t.Errorf("%s is %#x, not %#x", f.name, v, f.value)
		}
	}
	for _, d := range []dispatch{
		{grid: [3]int{1, 1, 1}},
		{grid: [3]int{1, 1, 1}, block: [3]int{65536, 1, 1}},
		{grid: [3]int{0, 1, 1}, block: [3]int{1, 1, 1}},
		{grid: [3]int{1 << 30, 1, 1}, block: [3]int{4, 1, 1}},
	} {
		if _, err := k.packet(&d, 0); err == nil {
			t.Errorf("%+v has a packet", d)
		}
	}
}
