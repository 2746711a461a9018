#include "device.h"

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

extern "C" __global__ void stencil64(int nx, int ny, int nz, double c0, double c1, const double *in, double *out) {
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z * blockDim.z + threadIdx.z;
	if (x < 1 || y < 1 || z < 1 || x >= nx - 1 || y >= ny - 1 || z >= nz - 1) return;
	int i = (z * ny + y) * nx + x;
	out[i] = c0 * in[i] + c1 * (in[i - 1] + in[i + 1] + in[i - nx] + in[i + nx] + in[i - nx * ny] + in[i + nx * ny]);
}

struct Weights {
	float of[4];
};

extern "C" __global__ void stencil27(int nx, int ny, int nz, Weights w, const float *in, float *out) {
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z * blockDim.z + threadIdx.z;
	if (x < 1 || y < 1 || z < 1 || x >= nx - 1 || y >= ny - 1 || z >= nz - 1) return;
	float sum = 0;
	for (int dz = -1; dz <= 1; dz++)
		for (int dy = -1; dy <= 1; dy++)
			for (int dx = -1; dx <= 1; dx++) sum += w.of[dx * dx + dy * dy + dz * dz] * in[((z + dz) * ny + y + dy) * nx + x + dx];
	out[(z * ny + y) * nx + x] = sum;
}

#define EDGE 16

__device__ inline int least(int a, int b) { return a < b ? a : b; }
__device__ inline int most(int a, int b) { return a > b ? a : b; }

extern "C" __global__ void relax(int n, int steps, const float *in, float *out) {
	__shared__ float tile[EDGE][EDGE];
	int tx = threadIdx.x, ty = threadIdx.y;
	int i = (blockIdx.y * EDGE + ty) * n + blockIdx.x * EDGE + tx;
	tile[ty][tx] = in[i];
	for (int s = 0; s < steps; s++) {
		__syncthreads();
		float v = 0.25f * (tile[most(ty - 1, 0)][tx] + tile[least(ty + 1, EDGE - 1)][tx] +
			tile[ty][most(tx - 1, 0)] + tile[ty][least(tx + 1, EDGE - 1)]);
		__syncthreads();
		tile[ty][tx] = v;
	}
	out[i] = tile[ty][tx];
}

extern "C" __global__ void hotspot(int w, int h, float step, float rx, float ry, float rz, float ambient, const float *temp, const float *power, float *out) {
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	if (x >= w || y >= h) return;
	int i = y * w + x;
	float t = temp[i];
	float north = temp[most(y - 1, 0) * w + x], south = temp[least(y + 1, h - 1) * w + x];
	float west = temp[y * w + most(x - 1, 0)], east = temp[y * w + least(x + 1, w - 1)];
	out[i] = t + step * (power[i] + (north + south - 2 * t) * ry + (east + west - 2 * t) * rx + (ambient - t) * rz);
}
