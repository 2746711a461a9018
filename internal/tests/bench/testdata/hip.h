// Enough of HIP's device side for the kernels of this folder to compile with clang alone
// (-x hip -nogpulib -nogpuinc): no ROCm headers are needed. The mathematical functions are
// those of ROCm's device libraries (ocml.bc), which scripts/bench-amd.sh links, with controls.c.

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define WARP __AMDGCN_WAVEFRONT_SIZE__ // a constant, as hipcc has it: loops over a warp unroll
#define ATOMIC_ADD(p, v) __hip_atomic_fetch_add(p, v, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT)
#define ATOMIC_MIN(p, v) __hip_atomic_fetch_min(p, v, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT)
#define ATOMIC_OR(p, v) __hip_atomic_fetch_or(p, v, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT)
#define RSQRT(x) rsqrtf(x)
#define SHFL_DOWN(v, d) shuffle(v, lane_id() + (d))
#define SHFL_UP(v, d) shuffle(v, lane_id() - (d))
#define SHFL(v, lane) shuffle(v, lane)
#define SHFL_XOR(v, d) shuffle(v, lane_id() ^ (d))
#define ATOMIC_CAS(p, old, v) atomic_cas(p, old, v)
#define INFINITY __builtin_inff()
#define BALLOT(p) ballot(p)
#define POPC(x) __builtin_popcountll(x)
#define BREV(x) __builtin_bitreverse32(x)
#define CTZ(x) __builtin_ctzll(x)

struct alignas(8) float2 { float x, y; };
struct alignas(8) uint2 { unsigned x, y; };
struct alignas(16) float4 { float x, y, z, w; };
struct alignas(16) int4 { int x, y, z, w; };
struct alignas(16) uint4 { unsigned x, y, z, w; };

struct Axes { unsigned x, y, z; };

#define AXIS(fn) Axes { fn##_x(), fn##_y(), fn##_z() }
#define threadIdx (AXIS(__builtin_amdgcn_workitem_id))
#define blockIdx (AXIS(__builtin_amdgcn_workgroup_id))
#define blockDim (AXIS(__builtin_amdgcn_workgroup_size))
#define gridDim (Axes { __builtin_amdgcn_grid_size_x() / blockDim.x, 0, 0 })

__device__ inline void __syncthreads() {
	__builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
	__builtin_amdgcn_s_barrier();
	__builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
__device__ inline int lane_id() { return __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0)); }

// ballot is HIP's __ballot.
__device__ inline unsigned long long ballot(bool p) {
#if WARP == 64
	return __builtin_amdgcn_ballot_w64(p);
#else
	return __builtin_amdgcn_ballot_w32(p);
#endif
}

// shuffle is HIP's __shfl: a lane past the warp reads its own value.
template <class T> __device__ inline T shuffle(T v, int from) {
	int self = lane_id();
	if (from < 0 || from >= WARP) from = self;
	return __builtin_bit_cast(T, __builtin_amdgcn_ds_bpermute(from * 4, __builtin_bit_cast(int, v)));
}

__device__ inline double shuffle(double v, int from) {
	struct Halves { int low, high; } h = __builtin_bit_cast(Halves, v);
	h = Halves{shuffle(h.low, from), shuffle(h.high, from)};
	return __builtin_bit_cast(double, h);
}

#define MATH1(type, name, ocml) \
	extern "C" __device__ type __ocml_##ocml(type); \
	__device__ inline type name(type x) { return __ocml_##ocml(x); }
MATH1(float, expf, exp_f32)
MATH1(float, logf, log_f32)
MATH1(float, sinf, sin_f32)
MATH1(float, cosf, cos_f32)
MATH1(float, rsqrtf, rsqrt_f32)
MATH1(float, tanhf, tanh_f32)
MATH1(float, cbrtf, cbrt_f32)
MATH1(float, log1pf, log1p_f32)
MATH1(double, exp, exp_f64)
MATH1(double, log, log_f64)
MATH1(double, sin, sin_f64)
MATH1(double, cos, cos_f64)
MATH1(double, erfc, erfc_f64)
MATH1(double, atan, atan_f64)
extern "C" __device__ float __ocml_atan2_f32(float, float);
__device__ inline float atan2f(float y, float x) { return __ocml_atan2_f32(y, x); }
extern "C" __device__ float __ocml_sincos_f32(float, __attribute__((address_space(5))) float *);
__device__ inline void sincosf(float x, float *sin, float *cos) {
	float c;
	*sin = __ocml_sincos_f32(x, (__attribute__((address_space(5))) float *)&c);
	*cos = c;
}
extern "C" __device__ double __ocml_sincos_f64(double, __attribute__((address_space(5))) double *);
__device__ inline void sincos(double x, double *sin, double *cos) {
	double c;
	*sin = __ocml_sincos_f64(x, (__attribute__((address_space(5))) double *)&c);
	*cos = c;
}
__device__ inline double fabs(double x) { return __builtin_fabs(x); }
__device__ inline double floor(double x) { return __builtin_floor(x); }
__device__ inline float fabsf(float x) { return __builtin_fabsf(x); }
__device__ inline float sqrtf(float x) { return __builtin_sqrtf(x); }
__device__ inline double sqrt(double x) { return __builtin_sqrt(x); }
__device__ inline double fmax(double x, double y) { return __builtin_fmax(x, y); }
__device__ inline int min(int a, int b) { return a < b ? a : b; }
__device__ inline int max(int a, int b) { return a > b ? a : b; }
__device__ inline float fminf(float x, float y) { return __builtin_fminf(x, y); }
__device__ inline float fmaxf(float x, float y) { return __builtin_fmaxf(x, y); }
__device__ inline float floorf(float x) { return __builtin_floorf(x); }
__device__ inline float rintf(float x) { return __builtin_rintf(x); }
__device__ inline float ceilf(float x) { return __builtin_ceilf(x); }
__device__ inline float copysignf(float x, float y) { return __builtin_copysignf(x, y); }
__device__ inline int atomic_cas(int *p, int old, int v) {
	__hip_atomic_compare_exchange_strong(p, &old, v, __ATOMIC_RELAXED, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
	return old;
}
__device__ inline unsigned atomic_cas(unsigned *p, unsigned old, unsigned v) {
	__hip_atomic_compare_exchange_strong(p, &old, v, __ATOMIC_RELAXED, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
	return old;
}
__device__ inline unsigned long long atomic_cas(unsigned long long *p, unsigned long long old, unsigned long long v) {
	__hip_atomic_compare_exchange_strong(p, &old, v, __ATOMIC_RELAXED, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
	return old;
}
__device__ inline int __clz(int x) { return x == 0 ? 32 : __builtin_clz(x); }
__device__ inline int __popc(unsigned x) { return __builtin_popcount(x); }
__device__ inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) { return (unsigned __int128)a * b >> 64; }
