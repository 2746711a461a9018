// The kernels of ../kernels/kernels.go in CUDA C++ (and, with hip.h before it, in HIP):
// the same algorithms, launch shapes and types. Indices are int in both
// languages, which is 32 bits here and 64 bits in Go.

extern "C" __global__ void saxpy(int n, float a, const float *x, float *y) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) y[i] += a * x[i];
}

__device__ inline float warp_sum(float v) {
	for (int d = WARP / 2; d > 0; d /= 2) v += SHFL_DOWN(v, d);
	return v;
}

extern "C" __global__ void reduce(int n, const float *in, float *out) {
	__shared__ float partial[32];
	int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
	float v = 0;
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) v += in[i];
	v = warp_sum(v);
	if (lane == 0) partial[warp] = v;
	__syncthreads();
	if (warp != 0) return;
	v = lane < (int)blockDim.x / WARP ? partial[lane] : 0;
	v = warp_sum(v);
	if (lane == 0) out[blockIdx.x] = v;
}

#define TILE_DIM 32
#define TILE_ROWS 8

extern "C" __global__ void transpose(int n, const float *in, float *out) {
	__shared__ float tile[TILE_DIM][TILE_DIM + 1];
	int x = blockIdx.x * TILE_DIM + threadIdx.x, y = blockIdx.y * TILE_DIM + threadIdx.y;
	for (int j = 0; j < TILE_DIM; j += TILE_ROWS) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * n + x];
	__syncthreads();
	x = blockIdx.y * TILE_DIM + threadIdx.x, y = blockIdx.x * TILE_DIM + threadIdx.y;
	for (int j = 0; j < TILE_DIM; j += TILE_ROWS) out[(y + j) * n + x] = tile[threadIdx.x][threadIdx.y + j];
}

#define SIDE 16

extern "C" __global__ void sgemm(int n, const float *a, const float *b, float *c) {
	__shared__ float as[SIDE][SIDE], bs[SIDE][SIDE];
	int tx = threadIdx.x, ty = threadIdx.y;
	int row = blockIdx.y * SIDE + ty, col = blockIdx.x * SIDE + tx;
	float sum = 0;
	for (int k = 0; k < n; k += SIDE) {
		as[ty][tx] = a[row * n + k + tx];
		bs[ty][tx] = b[(k + ty) * n + col];
		__syncthreads();
		for (int i = 0; i < SIDE; i++) sum += as[ty][i] * bs[i][tx];
		__syncthreads();
	}
	c[row * n + col] = sum;
}

#define BM 128
#define BN 128
#define BK 8
#define TM 8
#define TN 8

extern "C" __global__ void __launch_bounds__(256, 2) sgemm_registers(int n, const float *a, const float *b, float *c) {
	alignas(16) __shared__ float as[BK][BM], bs[BK][BN];
	int t = threadIdx.x, tx = t % (BN / TN), ty = t / (BN / TN);
	int row = blockIdx.y * BM, col = blockIdx.x * BN;
	float acc[TM][TN] = {};
	for (int k0 = 0; k0 < n; k0 += BK) {
#pragma unroll
		for (int i = 0; i < 4; i++) {
			int e = t + i * 256;
			as[e % BK][e / BK] = a[(row + e / BK) * n + k0 + e % BK];
			bs[e / BN][e % BN] = b[(k0 + e / BN) * n + col + e % BN];
		}
		__syncthreads();
#pragma unroll
		for (int k = 0; k < BK; k++) {
			float ra[TM], rb[TN];
#pragma unroll
			for (int i = 0; i < TM; i++) ra[i] = as[k][ty * TM + i];
#pragma unroll
			for (int j = 0; j < TN; j++) rb[j] = bs[k][tx * TN + j];
#pragma unroll
			for (int i = 0; i < TM; i++)
#pragma unroll
				for (int j = 0; j < TN; j++) acc[i][j] += ra[i] * rb[j];
		}
		__syncthreads();
	}
#pragma unroll
	for (int i = 0; i < TM; i++)
#pragma unroll
		for (int j = 0; j < TN; j++) c[(row + ty * TM + i) * n + col + tx * TN + j] = acc[i][j];
}

#define BINS 256

extern "C" __global__ void histogram(int n, const unsigned *in, unsigned *counts) {
	__shared__ unsigned local[BINS];
	int t = threadIdx.x;
	local[t] = 0;
	__syncthreads();
	for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) {
		unsigned v = in[i];
		ATOMIC_ADD(&local[v & 0xff], 1u);
		ATOMIC_ADD(&local[v >> 8 & 0xff], 1u);
		ATOMIC_ADD(&local[v >> 16 & 0xff], 1u);
		ATOMIC_ADD(&local[v >> 24], 1u);
	}
	__syncthreads();
	ATOMIC_ADD(&counts[t], local[t]);
}

#ifndef NO_MATH
__device__ inline float cnd(float d) {
	const float a1 = 0.31938153f, a2 = -0.356563782f, a3 = 1.781477937f, a4 = -1.821255978f, a5 = 1.330274429f;
	float k = 1.0f / (1.0f + 0.2316419f * fabsf(d));
	float v = 0.39894228040143267794f * expf(-0.5f * d * d) * (k * (a1 + k * (a2 + k * (a3 + k * (a4 + k * a5)))));
	if (d > 0) v = 1.0f - v;
	return v;
}

extern "C" __global__ void black_scholes(int n, float risk_free, float volatility, const float *price, const float *strike,
                                         const float *years, float *call, float *put) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n) return;
	float s = price[i], x = strike[i], t = years[i];
	float root = sqrtf(t);
	float d1 = (logf(s / x) + (risk_free + 0.5f * volatility * volatility) * t) / (volatility * root);
	float d2 = d1 - volatility * root;
	float c1 = cnd(d1), c2 = cnd(d2);
	float discount = expf(-risk_free * t);
	call[i] = s * c1 - x * discount * c2;
	put[i] = x * discount * (1.0f - c2) - s * (1.0f - c1);
}
#endif

#define BODIES 256

extern "C" __global__ void nbody(int n, float soft, const float4 *pos, float4 *force) {
	__shared__ float4 tile[BODIES];
	int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
	float4 p = pos[i];
	float ax = 0, ay = 0, az = 0;
	for (int first = 0; first < n; first += BODIES) {
		tile[t] = pos[first + t];
		__syncthreads();
		for (int j = 0; j < BODIES; j++) {
			float4 q = tile[j];
			float dx = q.x - p.x, dy = q.y - p.y, dz = q.z - p.z;
			float inv = RSQRT(dx * dx + dy * dy + dz * dz + soft);
			float f = q.w * inv * inv * inv;
			ax += dx * f;
			ay += dy * f;
			az += dz * f;
		}
		__syncthreads();
	}
	force[i] = float4{ax, ay, az, 0};
}

extern "C" __global__ void stencil(int nx, int ny, int nz, float c0, float c1, const float *in, float *out) {
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	if (x < 1 || y < 1 || x >= nx - 1 || y >= ny - 1) return;
	int plane = nx * ny, i = plane + y * nx + x;
	float below = in[i - plane], here = in[i];
	for (int z = 1; z < nz - 1; z++) {
		float above = in[i + plane];
		out[i] = c0 * here + c1 * (in[i - 1] + in[i + 1] + in[i - nx] + in[i + nx] + below + above);
		below = here;
		here = above;
		i += plane;
	}
}

extern "C" __global__ void mandelbrot(int w, int h, int limit, float x0, float y0, float step, int *out) {
	int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
	if (px >= w || py >= h) return;
	float cx = x0 + px * step, cy = y0 + py * step, x = 0, y = 0;
	int n = 0;
	while (n < limit && x * x + y * y < 4) {
		float next = x * x - y * y + cx;
		y = 2 * x * y + cy;
		x = next;
		n++;
	}
	out[py * w + px] = n;
}

#define SORTED 1024

extern "C" __global__ void bitonic(const float *in, float *out) {
	__shared__ float s[SORTED];
	int t = threadIdx.x, base = blockIdx.x * SORTED;
	s[t] = in[base + t], s[t + SORTED / 2] = in[base + t + SORTED / 2];
	for (int size = 2; size <= SORTED; size *= 2) {
		bool up = (t & (size / 2)) == 0;
		for (int stride = size / 2; stride > 0; stride /= 2) {
			__syncthreads();
			int i = 2 * t - (t & (stride - 1));
			float a = s[i], b = s[i + stride];
			if ((a > b) == up) s[i] = b, s[i + stride] = a;
		}
	}
	__syncthreads();
	out[base + t] = s[t], out[base + t + SORTED / 2] = s[t + SORTED / 2];
}

__device__ inline int warp_scan(int v) {
	int lane = threadIdx.x % WARP;
	for (int d = 1; d < WARP; d *= 2) {
		int below = SHFL_UP(v, d);
		if (lane >= d) v += below;
	}
	return v;
}

extern "C" __global__ void scan(const int4 *in, int4 *out, int *totals) {
	__shared__ int sums[64];
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int4 v = in[i];
	v.y += v.x;
	v.z += v.y;
	v.w += v.z;
	int sum = warp_scan(v.w);
	int warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;
	if (lane == WARP - 1) sums[warp] = sum;
	__syncthreads();
	if (warp == 0) {
		int w = lane < (int)blockDim.x / WARP ? sums[lane] : 0;
		sums[lane] = warp_scan(w);
	}
	__syncthreads();
	int before = sum - v.w;
	if (warp > 0) before += sums[warp - 1];
	out[i] = int4{v.x + before, v.y + before, v.z + before, v.w + before};
	if (threadIdx.x == blockDim.x - 1) totals[blockIdx.x] = v.w + before;
}
