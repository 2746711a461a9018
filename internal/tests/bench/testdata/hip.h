// Enough of HIP's device side for kernels.cuh to compile with clang alone
// (-x hip -nogpulib -nogpuinc): no ROCm headers are needed for a look at the
// generated code.

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define WARP __builtin_amdgcn_wavefrontsize()
#define NO_MATH // needs ROCm's device libraries
#define ATOMIC_ADD(p, v) __hip_atomic_fetch_add(p, v, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT)
#define RSQRT(x) __builtin_amdgcn_rsqf(x)
#define SHFL_DOWN(v, d) shuffle(v, lane_id() + (d))
#define SHFL_UP(v, d) shuffle(v, lane_id() - (d))

struct alignas(16) float4 { float x, y, z, w; };
struct alignas(16) int4 { int x, y, z, w; };

struct dim { unsigned x, y, z; };

#define AXIS(fn) dim { fn##_x(), fn##_y(), fn##_z() }
#define threadIdx (AXIS(__builtin_amdgcn_workitem_id))
#define blockIdx (AXIS(__builtin_amdgcn_workgroup_id))
#define blockDim (AXIS(__builtin_amdgcn_workgroup_size))
#define gridDim (dim { __builtin_amdgcn_grid_size_x() / blockDim.x, 0, 0 })

__device__ inline void __syncthreads() {
	__builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
	__builtin_amdgcn_s_barrier();
	__builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
__device__ inline int lane_id() { return __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0)); }

// shuffle is HIP's __shfl: a lane past the warp reads its own value.
template <class T> __device__ inline T shuffle(T v, int from) {
	int self = lane_id();
	if (from < 0 || from >= WARP) from = self;
	return __builtin_bit_cast(T, __builtin_amdgcn_ds_bpermute(from * 4, __builtin_bit_cast(int, v)));
}
