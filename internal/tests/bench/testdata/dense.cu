#include "device.h"

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

#define RADIUS 8
#define ROW 128

__constant__ float filter[2 * RADIUS + 1] = {
	0.0014f, 0.0040f, 0.0099f, 0.0217f, 0.0421f, 0.0717f, 0.1083f, 0.1434f, 0.1950f,
	0.1434f, 0.1083f, 0.0717f, 0.0421f, 0.0217f, 0.0099f, 0.0040f, 0.0014f,
};

extern "C" __global__ void convolve(int n, const float *in, float *out) {
	__shared__ float tile[ROW + 2 * RADIUS];
	int t = threadIdx.x, y = blockIdx.y, first = blockIdx.x * ROW;
	const float *row = in + y * n;
	for (int k = t; k < ROW + 2 * RADIUS; k += ROW) {
		int x = first + k - RADIUS;
		tile[k] = x >= 0 && x < n ? row[x] : 0;
	}
	__syncthreads();
	float sum = 0;
	for (int k = 0; k < 2 * RADIUS + 1; k++) sum += filter[k] * tile[t + k];
	out[y * n + first + t] = sum;
}

#define ORDER 4

extern "C" __global__ void inverse(int n, const float *in, float *out) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n) return;
	float a[ORDER][ORDER], inv[ORDER][ORDER] = {};
	for (int r = 0; r < ORDER; r++) {
		for (int c = 0; c < ORDER; c++) a[r][c] = in[(r * ORDER + c) * n + i];
		inv[r][r] = 1;
	}
	for (int p = 0; p < ORDER; p++) {
		float scale = 1 / a[p][p];
		for (int c = 0; c < ORDER; c++) a[p][c] *= scale, inv[p][c] *= scale;
		for (int r = 0; r < ORDER; r++) {
			if (r == p) continue;
			float f = a[r][p];
			for (int c = 0; c < ORDER; c++) a[r][c] -= f * a[p][c], inv[r][c] -= f * inv[p][c];
		}
	}
	for (int r = 0; r < ORDER; r++)
		for (int c = 0; c < ORDER; c++) out[(r * ORDER + c) * n + i] = inv[r][c];
}
