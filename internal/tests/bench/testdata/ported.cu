#include "device.h"

typedef unsigned char uint8;
typedef unsigned long long uint64;

__device__ inline int clamp_int(int v, int lo, int hi) { return min(max(v, lo), hi); }

#define NMS_W 32
#define NMS_H 8

typedef uint8 NmsTile[NMS_H + 4][NMS_W + 4];

__device__ inline int slope_x(const NmsTile &t, int x, int y) {
	return t[y][x + 2] + 2 * t[y + 1][x + 2] + t[y + 2][x + 2] - t[y][x] - 2 * t[y + 1][x] - t[y + 2][x];
}
__device__ inline int slope_y(const NmsTile &t, int x, int y) {
	return t[y + 2][x] + 2 * t[y + 2][x + 1] + t[y + 2][x + 2] - t[y][x] - 2 * t[y][x + 1] - t[y][x + 2];
}

__device__ inline int absolute(int v) { return v < 0 ? -v : v; }

__device__ inline uint8 compass(int gx, int gy) {
	int ax = absolute(gx), ay = absolute(gy);
	if (5 * ay < 2 * ax) return 0;
	if (2 * ay > 5 * ax) return 2;
	return gx * gy >= 0 ? 1 : 3;
}

extern "C" __global__ void sobel_nms(int w, int h, const uint8 *in, uint8 *edges, uint8 *directions) {
	__shared__ NmsTile tile;
	__shared__ float power[NMS_H + 2][NMS_W + 2];
	int tx = threadIdx.x, ty = threadIdx.y;
	int x0 = blockIdx.x * NMS_W, y0 = blockIdx.y * NMS_H;
	for (int j = ty; j < NMS_H + 4; j += NMS_H) {
		for (int i = tx; i < NMS_W + 4; i += NMS_W) {
			tile[j][i] = in[clamp_int(y0 + j - 2, 0, h - 1) * w + clamp_int(x0 + i - 2, 0, w - 1)];
		}
	}
	__syncthreads();
	for (int j = ty; j < NMS_H + 2; j += NMS_H) {
		for (int i = tx; i < NMS_W + 2; i += NMS_W) {
			int gx = slope_x(tile, i, j), gy = slope_y(tile, i, j);
			power[j][i] = sqrtf(gx * gx + gy * gy);
		}
	}
	__syncthreads();
	int x = x0 + tx, y = y0 + ty;
	if (x >= w || y >= h) return;
	uint8 d = compass(slope_x(tile, tx + 1, ty + 1), slope_y(tile, tx + 1, ty + 1));
	int dx = 1, dy = 0;
	switch (d) {
	case 1: dy = 1; break;
	case 2: dx = 0, dy = 1; break;
	case 3: dx = -1, dy = 1; break;
	}
	float own = power[ty + 1][tx + 1];
	uint8 edge = 0;
	if (own > power[ty + 1 + dy][tx + 1 + dx] && own >= power[ty + 1 - dy][tx + 1 - dx]) edge = fminf(own, 255);
	edges[y * w + x] = edge;
	directions[y * w + x] = d;
}

#define INTEGRAL_THREADS 256

extern "C" __global__ void integral_rows(int w, const uint8 *in, unsigned *out) {
	__shared__ unsigned buf[INTEGRAL_THREADS];
	int t = threadIdx.x, y = blockIdx.x;
	const uint8 *row = in + y * w;
	unsigned *sums = out + y * w;
	unsigned carry = 0;
	for (int base = 0; base < w; base += INTEGRAL_THREADS) {
		int x = base + t;
		buf[t] = x < w ? row[x] : 0;
		__syncthreads();
		for (int d = 1; d < INTEGRAL_THREADS; d *= 2) {
			unsigned left = t >= d ? buf[t - d] : 0;
			__syncthreads();
			buf[t] += left;
			__syncthreads();
		}
		if (x < w) sums[x] = carry + buf[t];
		carry += buf[INTEGRAL_THREADS - 1];
		__syncthreads();
	}
}

extern "C" __global__ void depthwise_conv(int n, int h, int w, int c, int oh, int ow, int stride, int pad, const float *__restrict__ in,
		const float *__restrict__ weights, const float *__restrict__ bias, float *__restrict__ out) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n * oh * ow * c) return;
	int oc = i % c, x = i / c % ow, y = i / c / ow % oh, b = i / c / ow / oh;
	float sum = bias[oc];
	for (int ky = 0; ky < 3; ky++) {
		for (int kx = 0; kx < 3; kx++) {
			int iy = y * stride + ky - pad, ix = x * stride + kx - pad;
			float v = 0;
			if (iy >= 0 && iy < h && ix >= 0 && ix < w) v = in[((b * h + iy) * w + ix) * c + oc];
			sum += weights[(ky * 3 + kx) * c + oc] * v;
		}
	}
	out[i] = fminf(fmaxf(sum, 0), 6);
}

__device__ inline void turn(float *v, int pair, int half, float sin, float cos) {
	float a = v[pair], b = v[pair + half];
	v[pair] = a * cos - b * sin;
	v[pair + half] = a * sin + b * cos;
}

extern "C" __global__ void rope(int tokens, int heads, int key_heads, int depth, float *q, float *k, const int *positions, const float *frequencies) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int half = depth / 2;
	int pair = i % half, head = i / half % heads, token = i / half / heads;
	if (token >= tokens) return;
	float angle = positions[token] * frequencies[pair];
	float sin = sinf(angle), cos = cosf(angle);
	turn(q + (token * heads + head) * depth, pair, half, sin, cos);
	if (head < key_heads) turn(k + (token * key_heads + head) * depth, pair, half, sin, cos);
}

struct Vec { float x, y, z; };

struct Volume {
	const float *data;
	int nx, ny, nz;
	__device__ float clamped(int x, int y, int z) const {
		return data[(clamp_int(z, 0, nz - 1) * ny + clamp_int(y, 0, ny - 1)) * nx + clamp_int(x, 0, nx - 1)];
	}
};

__device__ inline float lerp(float t, float a, float b) { return a + t * (b - a); }

extern "C" __global__ void trilinear(int n, int nx, int ny, int nz, const float *data, const Vec *at, float *out) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n) return;
	Volume v = {data, nx, ny, nz};
	Vec p = at[i];
	float fx = floorf(p.x), fy = floorf(p.y), fz = floorf(p.z);
	int x = (int)fx, y = (int)fy, z = (int)fz;
	auto along = [&](int y, int z) { return lerp(p.x - fx, v.clamped(x, y, z), v.clamped(x + 1, y, z)); };
	out[i] = lerp(p.z - fz, lerp(p.y - fy, along(y, z), along(y + 1, z)), lerp(p.y - fy, along(y, z + 1), along(y + 1, z + 1)));
}

extern "C" __global__ void heat_adi(int nx, int ny, int nz, float r, const float *__restrict__ heat, float *__restrict__ upper, float *__restrict__ next) {
	int x = blockIdx.x * blockDim.x + threadIdx.x, z = blockIdx.y * blockDim.y + threadIdx.y;
	if (x >= nx || z >= nz) return;
	float middle = 1 + 2 * r;
	int at = z * ny * nx + x;
	float c = -r / middle, d = heat[at] / middle;
	upper[at] = c;
	next[at] = d;
	for (int y = 1; y < ny; y++) {
		at = (z * ny + y) * nx + x;
		float f = 1 / (middle + r * c);
		c = -r * f;
		d = (heat[at] + r * d) * f;
		upper[at] = c;
		next[at] = d;
	}
	for (int y = ny - 2; y >= 0; y--) {
		at = (z * ny + y) * nx + x;
		d = next[at] - upper[at] * d;
		next[at] = d;
	}
}

struct JoinSlot {
	uint64 key;
	int row;
};

__device__ inline uint64 join_hash(uint64 x) {
	x ^= x >> 33;
	x *= 0xff51afd7ed558ccdull;
	x ^= x >> 33;
	x *= 0xc4ceb9fe1a85ec53ull;
	return x ^ x >> 33;
}

__device__ inline int lookup(const JoinSlot *__restrict__ table, int capacity, uint64 key) {
	int mask = capacity - 1, at = (int)join_hash(key) & mask;
	while (table[at].row >= 0) {
		if (table[at].key == key) return table[at].row;
		at = (at + 1) & mask;
	}
	return -1;
}

extern "C" __global__ void string_hash_join(int n, int capacity, const uint64 *__restrict__ keys, const JoinSlot *__restrict__ table, int *__restrict__ rows) {
	int step = gridDim.x * blockDim.x;
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) rows[i] = lookup(table, capacity, keys[i]);
}

extern "C" __global__ void box_cells(int count, int n, float scale, const Vec *points, int *counts, int *cells, int *ranks) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= count) return;
	auto along = [&](float v) { return min(max((int)(v * scale), 0), n - 1); };
	Vec p = points[i];
	int cell = (along(p.z) * n + along(p.y)) * n + along(p.x);
	cells[i] = cell;
	ranks[i] = ATOMIC_ADD(&counts[cell], 1);
}

#define TOP_COUNT 8

template <class T> struct Top {
	T values[TOP_COUNT] = {};
	int where[TOP_COUNT] = {};
	__device__ void insert(T v, int at) {
		int k = TOP_COUNT - 1;
		if (v <= values[k]) return;
		for (; k > 0 && values[k - 1] < v; k--) {
			values[k] = values[k - 1];
			where[k] = where[k - 1];
		}
		values[k] = v;
		where[k] = at;
	}
};

extern "C" __global__ void topk_rows(int rows, int cols, int parts, const float *in, float *values, int *where) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int row = i / parts, part = i % parts, size = cols / parts;
	if (row >= rows) return;
	Top<float> best;
	int first = part * size;
	const float *own = in + row * cols + first;
	for (int c = 0; c < size; c++) best.insert(own[c], first + c);
	for (int k = 0; k < TOP_COUNT; k++) {
		values[i * TOP_COUNT + k] = best.values[k];
		where[i * TOP_COUNT + k] = best.where[k];
	}
}

__device__ inline unsigned xor_shift(unsigned &x) {
	x ^= x << 13;
	x ^= x >> 17;
	x ^= x << 5;
	return x;
}

#define POTTS_STATES 5

struct Chances { float v[7]; };

extern "C" __global__ void cooling(int n, int colour, Chances chances, uint8 *spins, unsigned *random, int *change) {
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z * blockDim.z + threadIdx.z;
	if (x >= n || y >= n || z >= n || (x + y + z) % 2 != colour) return;
	int at = (z * n + y) * n + x;
	unsigned state = random[at];
	uint8 old = spins[at], proposed = xor_shift(state) % POTTS_STATES;
	uint8 around[6] = {
		spins[(z * n + y) * n + (x + 1) % n], spins[(z * n + y) * n + (x + n - 1) % n],
		spins[(z * n + (y + 1) % n) * n + x], spins[(z * n + (y + n - 1) % n) * n + x],
		spins[((z + 1) % n * n + y) * n + x], spins[((z + n - 1) % n * n + y) * n + x],
	};
	int broken = 0;
	for (int k = 0; k < 6; k++) {
		if (around[k] == old) broken++;
		if (around[k] == proposed) broken--;
	}
	float chance = (xor_shift(state) >> 8) * 0x1p-24f;
	random[at] = state;
	if (broken > 0 && chance >= chances.v[broken]) broken = 0;
	else spins[at] = proposed;
	change[at] = broken;
}

__device__ inline int common(const int *a, int na, const int *b, int nb) {
	int n = 0;
	for (int i = 0, j = 0; i < na && j < nb;) {
		if (a[i] < b[j]) i++;
		else if (a[i] > b[j]) j++;
		else n++, i++, j++;
	}
	return n;
}

extern "C" __global__ void csr_triangles(int n, const int *__restrict__ first, const int *__restrict__ to, int *__restrict__ counts) {
	int u = blockIdx.x * blockDim.x + threadIdx.x;
	if (u >= n) return;
	int begin = first[u], length = first[u + 1] - begin;
	const int *own = to + begin;
	for (int k = 0; k < length; k++) {
		int v = own[k];
		counts[begin + k] = common(own, length, to + first[v], first[v + 1] - first[v]);
	}
}

struct Lab { float l, a, b; };

__device__ inline float lab_root(float t) { return t > 0.008856f ? cbrtf(t) : 7.787f * t + 16.0f / 116; }

extern "C" __global__ void rgb_to_lab(int n, const uint8 *rgb, const float *gamma, Lab *out) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n) return;
	const uint8 *pixel = rgb + 3 * i;
	float r = gamma[pixel[0]], g = gamma[pixel[1]], b = gamma[pixel[2]];
	float x = lab_root((0.4124564f * r + 0.3575761f * g + 0.1804375f * b) / 0.95047f);
	float y = lab_root(0.2126729f * r + 0.7151522f * g + 0.0721750f * b);
	float z = lab_root((0.0193339f * r + 0.1191920f * g + 0.9503041f * b) / 1.08883f);
	out[i] = Lab{116 * y - 16, 500 * (x - y), 200 * (y - z)};
}
