package codegen

import (
	"strings"

	"heddle/internal/abi"
)

// The architectures every test module is compiled for.
var (
	amdArchs = []string{"gfx803", "gfx900", "gfx906", "gfx908", "gfx90a", "gfx942", "gfx950", "gfx1030", "gfx1100", "gfx1200", "gfx1201"}
	nvArchs  = []string{"sm_70", "sm_75", "sm_80", "sm_86", "sm_89", "sm_90"}
)

// A module is hand-written IR in terms that differ between the targets:
//
//	KERNEL    calling convention
//	$tid      the thread index, an i32 function
//	$barrier  the block barrier
type module struct {
	name, kernel string
	lds          int // bytes
	text         string
}

var modules = []module{
	{"vecadd", "vecadd", 0, `
define KERNEL void @vecadd(ptr addrspace(1) noalias %x, ptr addrspace(1) noalias %y, i32 %n) {
entry:
  %i = call i32 @$tid()
  %in = icmp ult i32 %i, %n
  br i1 %in, label %work, label %done
work:
  %px = getelementptr float, ptr addrspace(1) %x, i32 %i
  %py = getelementptr float, ptr addrspace(1) %y, i32 %i
  %a = load float, ptr addrspace(1) %px
  %b = load float, ptr addrspace(1) %py
  %c = fadd float %a, %b
  store float %c, ptr addrspace(1) %py
  br label %done
done:
  ret void
}
`},
	{"reduce", "reduce", 1024, `
@tile = internal addrspace(3) global [256 x float] undef, align 16
define KERNEL void @reduce(ptr addrspace(1) %x) {
entry:
  %i = call i32 @$tid()
  %p = getelementptr float, ptr addrspace(1) %x, i32 %i
  %v = load float, ptr addrspace(1) %p
  %s = getelementptr [256 x float], ptr addrspace(3) @tile, i32 0, i32 %i
  store float %v, ptr addrspace(3) %s
  br label %loop
loop:
  %d = phi i32 [ 128, %entry ], [ %half, %next ]
  call void @$barrier()
  %low = icmp ult i32 %i, %d
  br i1 %low, label %add, label %next
add:
  %j = add i32 %i, %d
  %q = getelementptr [256 x float], ptr addrspace(3) @tile, i32 0, i32 %j
  %a = load float, ptr addrspace(3) %s
  %b = load float, ptr addrspace(3) %q
  %c = fadd float %a, %b
  store float %c, ptr addrspace(3) %s
  br label %next
next:
  %half = lshr i32 %d, 1
  %more = icmp ne i32 %half, 0
  br i1 %more, label %loop, label %end
end:
  %r = load float, ptr addrspace(3) %s
  store float %r, ptr addrspace(1) %p
  ret void
}
`},
	{"atomics", "atomics", 0, `
@counter = addrspace(1) global i32 0
define KERNEL void @atomics(ptr addrspace(1) %x, i32 %v) {
  %a = atomicrmw add ptr addrspace(1) %x, i32 %v monotonic
  %b = atomicrmw umax ptr addrspace(1) @counter, i32 %a monotonic
  %c = cmpxchg ptr addrspace(1) %x, i32 %b, i32 %v monotonic monotonic
  ret void
}
`},
	{"call", "caller", 0, `
define void @helper(ptr addrspace(1) %x) noinline {
  store volatile i32 7, ptr addrspace(1) %x
  ret void
}
define KERNEL void @caller(ptr addrspace(1) %x) {
  call void @helper(ptr addrspace(1) %x)
  ret void
}
define KERNEL void @second(ptr addrspace(1) %x) {
  call void @helper(ptr addrspace(1) %x)
  ret void
}
`},
}

// target is text in a target's terms.
func target(text string, kind abi.Kind) []byte {
	kernel, tid, barrier := "amdgpu_kernel", "llvm.amdgcn.workitem.id.x", "llvm.amdgcn.s.barrier"
	if kind == abi.PTX {
		kernel, tid, barrier = "ptx_kernel", "llvm.nvvm.read.ptx.sreg.tid.x", "llvm.nvvm.barrier0"
	}
	text = strings.NewReplacer("KERNEL", kernel, "$tid", tid, "$barrier", barrier).Replace(text)
	return []byte(text + "\ndeclare i32 @" + tid + "()\ndeclare void @" + barrier + "()\n")
}

const (
	amdTriple = "amdgcn-amd-amdhsa"
	nvTriple  = "nvptx64-nvidia-cuda"
)

// request compiles text for an architecture, as the caller in package kernel would.
func request(text, kernel, arch string) *Request {
	if strings.HasPrefix(arch, "sm_") {
		return &Request{IR: target(text, abi.PTX), Triple: nvTriple, CPU: arch, Kind: abi.PTX, Kernel: kernel, WarpSize: 32}
	}
	r := &Request{IR: target(text, abi.HSACO), Triple: amdTriple, CPU: arch, Kind: abi.HSACO, Kernel: kernel, WarpSize: 64, CodeObject: 5}
	if len(arch) == len("gfx1030") {
		r.WarpSize, r.Features = 32, "+wavefrontsize32"
	}
	return r
}

// inputsHead begins a kernel k: thread i has in[4*i:][:2] in %a and %b, all threads have
// in[2:4] in %ua and %ub, and %i is the thread.
const inputsHead = `
define KERNEL void @k(ptr addrspace(1) noalias readonly %in, ptr addrspace(1) noalias %out) {
entry:
  %tid = call i32 @$tid()
  %i = zext i32 %tid to i64
  %pa = getelementptr [4 x i64], ptr addrspace(1) %in, i64 %i, i64 0
  %pb = getelementptr [4 x i64], ptr addrspace(1) %in, i64 %i, i64 1
  %pua = getelementptr i64, ptr addrspace(1) %in, i64 2
  %pub = getelementptr i64, ptr addrspace(1) %in, i64 3
  %a = load i64, ptr addrspace(1) %pa
  %b = load i64, ptr addrspace(1) %pb
  %ua = load i64, ptr addrspace(1) %pua
  %ub = load i64, ptr addrspace(1) %pub
`
