#include "device.h"

extern "C" __global__ void spmv_scalar(int n, const int *rows, const int *cols, const float *vals, const float *x, float *y) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n) return;
	float sum = 0;
	for (int k = rows[i]; k < rows[i + 1]; k++) sum += vals[k] * x[cols[k]];
	y[i] = sum;
}

extern "C" __global__ void spmv_vector(int n, const int *rows, const int *cols, const float *vals, const float *x, float *y) {
	int lane = threadIdx.x % WARP, warps = gridDim.x * blockDim.x / WARP;
	for (int i = (blockIdx.x * blockDim.x + threadIdx.x) / WARP; i < n; i += warps) {
		float sum = 0;
		for (int k = rows[i] + lane; k < rows[i + 1]; k += WARP) sum += vals[k] * x[cols[k]];
		sum = warp_sum(sum);
		if (lane == 0) y[i] = sum;
	}
}

extern "C" __global__ void spmv_ell(int n, int width, const int *cols, const double *vals, const double *x, double *y) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n) return;
	double sum = 0;
	for (int k = 0; k < width; k++) {
		int c = cols[k * n + i];
		if (c >= 0) sum += vals[k * n + i] * x[c];
	}
	y[i] = sum;
}

extern "C" __global__ void bfs_level(int n, int level, const int *first, const int *edges, const int *levels, int *next) {
	int v = blockIdx.x * blockDim.x + threadIdx.x;
	if (v >= n || levels[v] != level) return;
	for (int e = first[v]; e < first[v + 1]; e++) {
		int to = edges[e];
		if (levels[to] < 0) next[to] = level + 1;
	}
}

extern "C" __global__ void find_roots(int n, const int *parent, int *root) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n) return;
	int v = parent[i];
	for (int p = parent[v]; p != v; p = parent[v]) v = p;
	root[i] = v;
}
