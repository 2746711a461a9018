#include "device.h"

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

#define RADIX_KEYS 256
#define RADIX_BITS 16

extern "C" __global__ void radix_sort(const unsigned *in, unsigned *out) {
	__shared__ unsigned keys[RADIX_KEYS];
	__shared__ int zeros[RADIX_KEYS / 32];
	int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
	int lane = t % WARP, warp = t / WARP, warps = blockDim.x / WARP;
	unsigned key = in[i];
	for (int bit = 0; bit < RADIX_BITS; bit++) {
		bool one = key >> bit & 1;
		unsigned long long mask = BALLOT(!one);
		if (lane == 0) zeros[warp] = POPC(mask);
		__syncthreads();
		int before = POPC(mask & ((1ull << lane) - 1)), total = 0;
		for (int w = 0; w < warps; w++) {
			int n = zeros[w];
			if (w < warp) before += n;
			total += n;
		}
		int to = one ? total + t - before : before;
		keys[to] = key;
		__syncthreads();
		key = keys[t];
	}
	out[i] = key;
}

#define FEW 16

extern "C" __global__ void insertion_sort(int n, const float *in, float *out) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n) return;
	float a[FEW];
	for (int k = 0; k < FEW; k++) {
		float v = in[k * n + i];
		int j = k;
		for (; j > 0 && a[j - 1] > v; j--) a[j] = a[j - 1];
		a[j] = v;
	}
	for (int k = 0; k < FEW; k++) out[k * n + i] = a[k];
}
