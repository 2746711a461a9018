#include "device.h"

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

extern "C" __global__ void lennard_jones(int n, float cutoff, int neighbours, const float4 *pos, const int *list, float4 *force) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n) return;
	float4 p = pos[i], f = {0, 0, 0, 0};
	for (int k = 0; k < neighbours; k++) {
		float4 q = pos[list[k * n + i]];
		float dx = p.x - q.x, dy = p.y - q.y, dz = p.z - q.z;
		float d = dx * dx + dy * dy + dz * dz;
		if (d >= cutoff) continue;
		float inv = 1 / d, inv6 = inv * inv * inv;
		float s = 24 * inv * inv6 * (2 * inv6 - 1);
		f.x += dx * s;
		f.y += dy * s;
		f.z += dz * s;
		f.w += 4 * inv6 * (inv6 - 1);
	}
	force[i] = f;
}

#define KINDS 8
#define STEPS 64

struct Atom {
	float x, y, z;
	int kind;
};

extern "C" __global__ void dock(int ligands, int proteins, int n, float scale, const Atom *ligand, const Atom *protein,
                                const float *table, const float4 *poses, float *energy) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n) return;
	float4 p = poses[i];
	float sum = 0;
	for (int m = 0; m < ligands; m++) {
		Atom l = ligand[m];
		float x = l.x + p.x, y = l.y + p.y, z = l.z + p.z;
		for (int j = 0; j < proteins; j++) {
			Atom a = protein[j];
			float dx = a.x - x, dy = a.y - y, dz = a.z - z;
			float r = sqrtf(dx * dx + dy * dy + dz * dz) * scale;
			int at = (int)r;
			if (at >= STEPS - 1) continue;
			int k = (l.kind * KINDS + a.kind) * STEPS + at;
			float e = table[k];
			sum += e + (r - at) * (table[k + 1] - e);
		}
	}
	energy[i] = sum;
}
