// The kernels of package drivertest for AMD GPUs, in C: what the driver does
// with them owes nothing to heddle's own compiler. A slice is three arguments.

#define KERNEL __attribute__((amdgpu_kernel, visibility("default")))
#define GLOBAL __attribute__((address_space(1)))
#define SHARED __attribute__((address_space(3)))

typedef unsigned u32;
typedef unsigned long u64;
typedef long i64;

struct record {
	u32 state, site, block[3], thread[3];
	u64 args[2];
};

__attribute__((visibility("default"), used)) struct record GLOBAL *GLOBAL heddle_panic_sink = 0;
__attribute__((visibility("default"), used)) u32 GLOBAL heddle_panic_lock = 0;

extern SHARED int dynamic[];

// threads is the block's size: an uint16 at byte 4 of the dispatch packet, in
// every code object version.
static u32 threads(void) { return ((const unsigned short *)__builtin_amdgcn_dispatch_ptr())[2]; }

static i64 global(void) {
	return (i64)__builtin_amdgcn_workgroup_id_x() * threads() + __builtin_amdgcn_workitem_id_x();
}

KERNEL void saxpy(float a, float GLOBAL *x, i64 xl, i64 xc, float GLOBAL *y, i64 yl, i64 yc) {
	i64 i = global();
	if (i < yl) y[i] += a * x[i];
}

KERNEL void at(float GLOBAL *x, i64 xl, i64 xc, i64 i) {
	if ((u64)i < (u64)xl) {
		x[i] = 7;
		return;
	}
	u32 expected = 0;
	if (!__atomic_compare_exchange_n(&heddle_panic_lock, &expected, 1, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) return;
	struct record GLOBAL *r = heddle_panic_sink;
	r->site = 0;
	r->block[0] = __builtin_amdgcn_workgroup_id_x();
	r->thread[0] = __builtin_amdgcn_workitem_id_x();
	r->args[0] = i, r->args[1] = xl;
	__atomic_store_n(&r->state, 1, __ATOMIC_RELEASE);
}

KERNEL void reverse(int GLOBAL *x, i64 xl, i64 xc) {
	u32 i = __builtin_amdgcn_workitem_id_x();
	dynamic[i] = x[i];
	__builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
	__builtin_amdgcn_s_barrier();
	__builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
	x[i] = dynamic[threads() - 1 - i];
}

KERNEL void spin(i64 cycles) {
	u64 start = __builtin_readcyclecounter();
	while (__builtin_readcyclecounter() - start < cycles);
}
