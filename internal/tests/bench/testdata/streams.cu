#include "device.h"

extern "C" __global__ void saxpy(int n, float a, const float *x, float *y) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) y[i] += a * x[i];
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

extern "C" __global__ void copy(int n, const float *in, float *out) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) out[i] = in[i];
}

extern "C" __global__ void triad(int n, double s, double *a, const double *b, const double *c) {
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) a[i] = b[i] + s * c[i];
}

#define DOT_THREADS 256

extern "C" __global__ void dot(int n, const double *x, const double *y, double *out) {
	__shared__ double sums[DOT_THREADS];
	int t = threadIdx.x;
	double sum = 0;
	for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) sum += x[i] * y[i];
	sums[t] = sum;
	__syncthreads();
	for (int d = blockDim.x / 2; d > 0; d /= 2) {
		if (t < d) sums[t] += sums[t + d];
		__syncthreads();
	}
	if (t == 0) out[blockIdx.x] = sums[0];
}

extern "C" __global__ void gather(int n, const float *in, const int *index, float *out) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n) return;
	out[i] = in[index[i]];
}

extern "C" __global__ void scatter(int n, const float *in, const int *index, float *out) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n) return;
	out[index[i]] = in[i];
}

struct Body {
	float x, y, z, vx, vy, vz;
	int age, hits;
};

__device__ inline int bounce(float &x, float &v, float dt) {
	x += v * dt;
	if (x < 0) {
		x = -x, v = -v;
		return 1;
	}
	if (x > 1) {
		x = 2 - x, v = -v;
		return 1;
	}
	return 0;
}

extern "C" __global__ void move_structs(int n, float dt, Body *bodies) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n) return;
	Body *b = &bodies[i];
	int hits = bounce(b->x, b->vx, dt);
	hits += bounce(b->y, b->vy, dt);
	hits += bounce(b->z, b->vz, dt);
	b->hits += hits;
	b->age++;
}

extern "C" __global__ void move_slices(int n, float dt, float *x, float *y, float *z, float *vx, float *vy, float *vz, int *age, int *hits) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n) return;
	int h = bounce(x[i], vx[i], dt);
	h += bounce(y[i], vy[i], dt);
	h += bounce(z[i], vz[i], dt);
	hits[i] += h;
	age[i]++;
}
