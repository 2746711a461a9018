#include "device.h"

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

#define SCAN_SIZE 1024

__device__ inline int padded(int i) { return i + i / 32; }

extern "C" __global__ void scan_padded(const int *in, int *out) {
	__shared__ int s[SCAN_SIZE + SCAN_SIZE / 32];
	int t = threadIdx.x, base = blockIdx.x * SCAN_SIZE, offset = 1;
	s[padded(t)] = in[base + t];
	s[padded(t + SCAN_SIZE / 2)] = in[base + t + SCAN_SIZE / 2];
	for (int d = SCAN_SIZE / 2; d > 0; d /= 2) {
		__syncthreads();
		if (t < d) {
			int a = padded(offset * (2 * t + 1) - 1), b = padded(offset * (2 * t + 2) - 1);
			s[b] += s[a];
		}
		offset *= 2;
	}
	if (t == 0) s[padded(SCAN_SIZE - 1)] = 0;
	for (int d = 1; d < SCAN_SIZE; d *= 2) {
		offset /= 2;
		__syncthreads();
		if (t < d) {
			int a = padded(offset * (2 * t + 1) - 1), b = padded(offset * (2 * t + 2) - 1);
			int v = s[a];
			s[a] = s[b];
			s[b] += v;
		}
	}
	__syncthreads();
	out[base + t] = s[padded(t)];
	out[base + t + SCAN_SIZE / 2] = s[padded(t + SCAN_SIZE / 2)];
}

#define POINTS 1024

extern "C" __global__ void fft(const float2 *in, float2 *out) {
	__shared__ float re[POINTS], im[POINTS];
	int t = threadIdx.x, base = blockIdx.x * POINTS;
	for (int k = t; k < POINTS; k += POINTS / 2) {
		float2 v = in[base + k];
		unsigned r = BREV((unsigned)k) >> 22;
		re[r] = v.x, im[r] = v.y;
	}
	for (int half = 1; half < POINTS; half *= 2) {
		__syncthreads();
		int k = t & (half - 1), i = 2 * t - k;
		float angle = -3.14159265358979f * k / half;
		float c = cosf(angle), s = sinf(angle);
		float x = re[i + half] * c - im[i + half] * s, y = re[i + half] * s + im[i + half] * c;
		re[i + half] = re[i] - x, im[i + half] = im[i] - y;
		re[i] += x;
		im[i] += y;
	}
	__syncthreads();
	for (int k = t; k < POINTS; k += POINTS / 2) out[base + k] = float2{re[k], im[k]};
}

#define WALSH_SIZE 2048

extern "C" __global__ void walsh(const float *in, float *out) {
	__shared__ float s[WALSH_SIZE];
	int t = threadIdx.x, base = blockIdx.x * WALSH_SIZE;
	for (int i = t; i < WALSH_SIZE; i += blockDim.x) s[i] = in[base + i];
	for (int stride = 1; stride < WALSH_SIZE; stride *= 2) {
		__syncthreads();
		for (int p = t; p < WALSH_SIZE / 2; p += blockDim.x) {
			int i = 2 * p - (p & (stride - 1));
			float a = s[i], b = s[i + stride];
			s[i] = a + b, s[i + stride] = a - b;
		}
	}
	__syncthreads();
	for (int i = t; i < WALSH_SIZE; i += blockDim.x) out[base + i] = s[i];
}
