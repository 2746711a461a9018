#include "device.h"

typedef unsigned char uint8;

#define SOFTMAX_THREADS 256

extern "C" __global__ void softmax(int width, const float *in, float *out) {
	__shared__ float partial[SOFTMAX_THREADS];
	int t = threadIdx.x, row = blockIdx.x;
	const float *x = in + row * width;
	float *y = out + row * width;
	float m = -INFINITY;
	for (int i = t; i < width; i += SOFTMAX_THREADS) m = fmaxf(m, x[i]);
	partial[t] = m;
	__syncthreads();
	for (int s = SOFTMAX_THREADS / 2; s > 0; s /= 2) {
		if (t < s) partial[t] = fmaxf(partial[t], partial[t + s]);
		__syncthreads();
	}
	m = partial[0];
	__syncthreads();
	float sum = 0;
	for (int i = t; i < width; i += SOFTMAX_THREADS) {
		float e = expf(x[i] - m);
		y[i] = e;
		sum += e;
	}
	partial[t] = sum;
	__syncthreads();
	for (int s = SOFTMAX_THREADS / 2; s > 0; s /= 2) {
		if (t < s) partial[t] += partial[t + s];
		__syncthreads();
	}
	float scale = 1 / partial[0];
	for (int i = t; i < width; i += SOFTMAX_THREADS) y[i] *= scale;
}

__constant__ int lbm_x[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
__constant__ int lbm_y[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
__constant__ int lbm_opposite[9] = {0, 3, 4, 1, 2, 7, 8, 5, 6};
__constant__ float lbm_weight[9] = {4.f / 9, 1.f / 9, 1.f / 9, 1.f / 9, 1.f / 9, 1.f / 36, 1.f / 36, 1.f / 36, 1.f / 36};

extern "C" __global__ void lbm(int w, int h, float omega, const bool *solid, const float *src, float *dst) {
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	if (x >= w || y >= h) return;
	int n = w * h, at = y * w + x;
	float f[9];
	for (int k = 0; k < 9; k++) {
		int sx = (x - lbm_x[k] + w) % w, sy = (y - lbm_y[k] + h) % h;
		f[k] = src[k * n + sy * w + sx];
	}
	if (solid[at]) {
		for (int k = 0; k < 9; k++) dst[lbm_opposite[k] * n + at] = f[k];
		return;
	}
	float rho = 0, ux = 0, uy = 0;
	for (int k = 0; k < 9; k++) {
		rho += f[k];
		ux += f[k] * lbm_x[k];
		uy += f[k] * lbm_y[k];
	}
	ux /= rho;
	uy /= rho;
	float square = ux * ux + uy * uy;
	for (int k = 0; k < 9; k++) {
		float cu = lbm_x[k] * ux + lbm_y[k] * uy;
		float equilibrium = lbm_weight[k] * rho * (1 + 3 * cu + 4.5f * cu * cu - 1.5f * square);
		dst[k * n + at] = f[k] + omega * (equilibrium - f[k]);
	}
}

struct State { double v[3]; };

struct Lorenz {
	double sigma, rho, beta;
	__device__ State operator()(const State &s) const {
		return State{{sigma * (s.v[1] - s.v[0]), s.v[0] * (rho - s.v[2]) - s.v[1], s.v[0] * s.v[1] - beta * s.v[2]}};
	}
};

__device__ inline State along(State s, const State &d, double h) {
	for (int i = 0; i < 3; i++) s.v[i] += h * d.v[i];
	return s;
}

template <class F> __device__ State step(const F &slope, State s, double h) {
	State k1 = slope(s);
	State k2 = slope(along(s, k1, h / 2));
	State k3 = slope(along(s, k2, h / 2));
	State k4 = slope(along(s, k3, h));
	for (int i = 0; i < 3; i++) s.v[i] += h / 6 * (k1.v[i] + 2 * k2.v[i] + 2 * k3.v[i] + k4.v[i]);
	return s;
}

extern "C" __global__ void rk4(int n, int steps, double h, const Lorenz *systems, State *states) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n) return;
	State s = states[i];
	Lorenz system = systems[i];
	for (int k = 0; k < steps; k++) s = step(system, s, h);
	states[i] = s;
}

#define HAAR_THREADS 256
#define HAAR_LEN (2 * HAAR_THREADS)

extern "C" __global__ void haar(const float *in, float *out) {
	__shared__ float s[HAAR_LEN];
	int t = threadIdx.x, base = blockIdx.x * HAAR_LEN;
	s[t] = in[base + t];
	s[t + HAAR_THREADS] = in[base + t + HAAR_THREADS];
	__syncthreads();
	for (int half = HAAR_THREADS; half > 0; half /= 2) {
		float sum = 0;
		if (t < half) {
			float a = s[2 * t], b = s[2 * t + 1];
			sum = (a + b) * 0.70710678f;
			out[base + half + t] = (a - b) * 0.70710678f;
		}
		__syncthreads();
		if (t < half) s[t] = sum;
		__syncthreads();
	}
	if (t == 0) out[base] = s[0];
}

#define CANNY_TILE 16

__device__ inline int clamp_int(int v, int lo, int hi) { return min(max(v, lo), hi); }
__device__ inline int absolute(int v) { return v < 0 ? -v : v; }

__device__ inline void sobel(const uint8 p[CANNY_TILE + 4][CANNY_TILE + 4], int r, int c, int *gx, int *gy) {
	*gx = p[r - 1][c + 1] + 2 * p[r][c + 1] + p[r + 1][c + 1] - p[r - 1][c - 1] - 2 * p[r][c - 1] - p[r + 1][c - 1];
	*gy = p[r + 1][c - 1] + 2 * p[r + 1][c] + p[r + 1][c + 1] - p[r - 1][c - 1] - 2 * p[r - 1][c] - p[r - 1][c + 1];
}

extern "C" __global__ void canny(int w, int h, int low, int high, const uint8 *in, uint8 *out) {
	__shared__ uint8 pixels[CANNY_TILE + 4][CANNY_TILE + 4];
	__shared__ int size[CANNY_TILE + 2][CANNY_TILE + 2];
	int tx = threadIdx.x, ty = threadIdx.y;
	int x0 = blockIdx.x * CANNY_TILE, y0 = blockIdx.y * CANNY_TILE;
	int t = ty * CANNY_TILE + tx, gx, gy;
	for (int i = t; i < (CANNY_TILE + 4) * (CANNY_TILE + 4); i += CANNY_TILE * CANNY_TILE) {
		int r = i / (CANNY_TILE + 4), c = i % (CANNY_TILE + 4);
		pixels[r][c] = in[clamp_int(y0 + r - 2, 0, h - 1) * w + clamp_int(x0 + c - 2, 0, w - 1)];
	}
	__syncthreads();
	for (int i = t; i < (CANNY_TILE + 2) * (CANNY_TILE + 2); i += CANNY_TILE * CANNY_TILE) {
		int r = i / (CANNY_TILE + 2), c = i % (CANNY_TILE + 2);
		sobel(pixels, r + 1, c + 1, &gx, &gy);
		size[r][c] = absolute(gx) + absolute(gy);
	}
	__syncthreads();
	int x = x0 + tx, y = y0 + ty;
	if (x >= w || y >= h) return;
	sobel(pixels, ty + 2, tx + 2, &gx, &gy);
	int dx = 0, dy = 0, ax = absolute(gx), ay = absolute(gy);
	if (2 * ay < ax) {
		dx = 1;
	} else if (2 * ax < ay) {
		dy = 1;
	} else if ((gx > 0) == (gy > 0)) {
		dx = dy = 1;
	} else {
		dx = 1, dy = -1;
	}
	int m = size[ty + 1][tx + 1];
	uint8 v = 0;
	if (m > size[ty + 1 - dy][tx + 1 - dx] && m >= size[ty + 1 + dy][tx + 1 + dx]) {
		if (m >= high) v = 255;
		else if (m >= low) v = 128;
	}
	out[y * w + x] = v;
}

struct Image {
	int w, h;
	const uint8 *data;
	__device__ float at(int x, int y, int c) const { return data[(clamp_int(y, 0, h - 1) * w + clamp_int(x, 0, w - 1)) * 3 + c]; }
};

extern "C" __global__ void resize(int sw, int sh, int dw, int dh, float scaleX, float scaleY, const uint8 *src, uint8 *dst) {
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	if (x >= dw || y >= dh) return;
	Image from = {sw, sh, src};
	float fx = (x + 0.5f) * scaleX - 0.5f, fy = (y + 0.5f) * scaleY - 0.5f;
	int x0 = (int)floorf(fx), y0 = (int)floorf(fy);
	float ax = fx - x0, ay = fy - y0;
	for (int c = 0; c < 3; c++) {
		float top = from.at(x0, y0, c) * (1 - ax) + from.at(x0 + 1, y0, c) * ax;
		float bottom = from.at(x0, y0 + 1, c) * (1 - ax) + from.at(x0 + 1, y0 + 1, c) * ax;
		dst[(y * dw + x) * 3 + c] = (uint8)(top * (1 - ay) + bottom * ay + 0.5f);
	}
}

extern "C" __global__ void crc32(int n, int length, const unsigned *table, const uint8 *data, unsigned *out) {
	__shared__ unsigned local[256];
	for (int k = threadIdx.x; k < 256; k += blockDim.x) local[k] = table[k];
	__syncthreads();
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n) return;
	const uint8 *own = data + i * length;
	unsigned crc = ~0u;
	for (int k = 0; k < length; k++) crc = local[(crc ^ own[k]) & 0xff] ^ crc >> 8;
	out[i] = ~crc;
}

struct Code { uint8 symbol, length; };

#define CODE_BITS 12

struct BitReader {
	const unsigned *words;
	int total, next;
	unsigned long long bits;
	int have;
	__device__ int peek(int n) {
		if (have <= 32 && next < total) {
			bits |= (unsigned long long)words[next] << (32 - have);
			have += 32;
			next++;
		}
		return (int)(bits >> (64 - n));
	}
	__device__ void skip(int n) {
		bits <<= n;
		have -= n;
	}
};

extern "C" __global__ void huffman(int total, int n, int count, const Code *table, const unsigned *words, const int *starts, uint8 *out) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n) return;
	BitReader r = {words, total, starts[i], 0, 0};
	uint8 *own = out + i * count;
	for (int k = 0; k < count; k++) {
		Code code = table[r.peek(CODE_BITS)];
		own[k] = code.symbol;
		r.skip(code.length);
	}
}

#define SELL_ROWS 32

extern "C" __global__ void sell(int n, const int *starts, const int *cols, const double *values, const double *x, double *y) {
	int row = blockIdx.x * blockDim.x + threadIdx.x;
	if (row >= n) return;
	int s = row / SELL_ROWS, lane = row % SELL_ROWS;
	double sum = 0;
	for (int e = starts[s] + lane; e < starts[s + 1]; e += SELL_ROWS) {
		int c = cols[e];
		if (c >= 0) sum += values[e] * x[c];
	}
	y[row] = sum;
}

extern "C" __global__ void triangles(int edges, const int *rows, const int *cols, const int *from, int *count, unsigned *total) {
	int e = blockIdx.x * blockDim.x + threadIdx.x;
	if (e >= edges) return;
	int u = from[e], v = cols[e];
	int i = rows[u], j = rows[v], n = 0;
	while (i < rows[u + 1] && j < rows[v + 1]) {
		int a = cols[i], b = cols[j];
		if (a < b) {
			i++;
		} else if (a > b) {
			j++;
		} else {
			n++;
			i++;
			j++;
		}
	}
	count[e] = n;
	if (n > 0) ATOMIC_ADD(total, (unsigned)n);
}

struct Vec {
	float x, y, z;
	__device__ Vec operator+(const Vec &b) const { return Vec{x + b.x, y + b.y, z + b.z}; }
	__device__ Vec operator-(const Vec &b) const { return Vec{x - b.x, y - b.y, z - b.z}; }
	__device__ Vec operator*(float s) const { return Vec{x * s, y * s, z * s}; }
};
__device__ inline float dot_of(const Vec &a, const Vec &b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__device__ inline Vec unit(const Vec &a) { return a * (1 / sqrtf(dot_of(a, a))); }
__device__ inline Vec cross(const Vec &a, const Vec &b) { return Vec{a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }

#define KNN_TILE 128
#define KNN_BEST 8
#define FLOAT_MAX 3.40282346638528859812e+38f

struct Near { float distance; int index; };

extern "C" __global__ void knn(int queries_n, int n, const Vec *queries, const Vec *points, float *distances, int *indices) {
	__shared__ Vec tile[KNN_TILE];
	int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
	Near best[KNN_BEST];
	for (int k = 0; k < KNN_BEST; k++) best[k] = Near{FLOAT_MAX, -1};
	Vec q = {0, 0, 0};
	if (i < queries_n) q = queries[i];
	for (int base = 0; base < n; base += KNN_TILE) {
		if (base + t < n) tile[t] = points[base + t];
		__syncthreads();
		int m = min(KNN_TILE, n - base);
		for (int j = 0; j < m; j++) {
			Vec v = q - tile[j];
			float d = dot_of(v, v);
			if (d >= best[KNN_BEST - 1].distance) continue;
			int k = KNN_BEST - 1;
			while (k > 0 && best[k - 1].distance > d) {
				best[k] = best[k - 1];
				k--;
			}
			best[k] = Near{d, base + j};
		}
		__syncthreads();
	}
	if (i >= queries_n) return;
	for (int k = 0; k < KNN_BEST; k++) {
		distances[i * KNN_BEST + k] = best[k].distance;
		indices[i * KNN_BEST + k] = best[k].index;
	}
}

struct Ball {
	Vec center, color;
	float radius, reflect;
};
struct Camera {
	Vec eye, light;
	int width, height;
	float zoom;
};

__device__ inline bool hit(const Ball &b, const Vec &origin, const Vec &dir, float *t) {
	Vec to = b.center - origin;
	float along = dot_of(to, dir);
	float d2 = b.radius * b.radius - (dot_of(to, to) - along * along);
	if (d2 < 0) return false;
	*t = along - sqrtf(d2);
	return *t > 1e-3f;
}

__device__ inline int nearest(int n, const Ball *balls, const Vec &origin, const Vec &dir, float *t) {
	int which = -1;
	*t = 1e30f;
	for (int i = 0; i < n; i++) {
		float d;
		if (hit(balls[i], origin, dir, &d) && d < *t) {
			which = i;
			*t = d;
		}
	}
	return which;
}

extern "C" __global__ void raytrace(int n, Camera c, const Ball *balls, Vec *out) {
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	if (x >= c.width || y >= c.height) return;
	Vec origin = c.eye;
	Vec dir = unit(Vec{(x - c.width / 2.0f) * c.zoom, (y - c.height / 2.0f) * c.zoom, 1});
	Vec color = {0, 0, 0};
	float weight = 1, t, ignored;
	for (int k = 0; k < 4; k++) {
		int which = nearest(n, balls, origin, dir, &t);
		if (which < 0) {
			color = color + Vec{0.2f, 0.3f, 0.5f} * (weight * (0.5f + 0.5f * dir.y));
			break;
		}
		Ball b = balls[which];
		Vec p = origin + dir * t;
		Vec normal = unit(p - b.center);
		Vec toLight = unit(c.light - p);
		float shade = 0.1f, lit = dot_of(normal, toLight);
		if (lit > 0 && nearest(n, balls, p, toLight, &ignored) < 0) shade += 0.9f * lit;
		color = color + b.color * (weight * shade * (1 - b.reflect));
		weight *= b.reflect;
		if (weight < 0.01f) break;
		origin = p;
		dir = dir - normal * (2 * dot_of(dir, normal));
	}
	out[y * c.width + x] = color;
}

struct Box {
	float low[3], high[3];
	int first, count;
};
struct Sphere {
	float center[3], radius;
};

__device__ inline bool meets(const Sphere &s, const Box &b) {
	float sum = 0;
	for (int k = 0; k < 3; k++) {
		float d = fmaxf(fmaxf(b.low[k] - s.center[k], 0.0f), s.center[k] - b.high[k]);
		sum += d * d;
	}
	return sum <= s.radius * s.radius;
}

extern "C" __global__ void bvh(int n, const Box *boxes, const float (*points)[3], const Sphere *spheres, int *counts) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n) return;
	Sphere sphere = spheres[i];
	int stack[32], top = 1, found = 0;
	stack[0] = 0;
	while (top > 0) {
		const Box &box = boxes[stack[--top]];
		if (!meets(sphere, box)) continue;
		if (box.count == 0) {
			stack[top] = box.first;
			stack[top + 1] = box.first + 1;
			top += 2;
			continue;
		}
		for (int p = box.first; p < box.first + box.count; p++) {
			float sum = 0;
			for (int k = 0; k < 3; k++) {
				float d = points[p][k] - sphere.center[k];
				sum += d * d;
			}
			if (sum <= sphere.radius * sphere.radius) found++;
		}
	}
	counts[i] = found;
}

#define QUEENS_MOST 20
#define QUEENS_PLACED 4

extern "C" __global__ void queens(int total, int n, int *out) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= total) return;
	unsigned all = (1u << n) - 1;
	unsigned cols[QUEENS_MOST + 1], left[QUEENS_MOST + 1], right[QUEENS_MOST + 1], free[QUEENS_MOST + 1];
	cols[0] = left[0] = right[0] = 0;
	for (int rest = i, row = 0; row < QUEENS_PLACED; row++) {
		unsigned bit = 1u << (rest % n);
		rest /= n;
		if ((cols[row] | left[row] | right[row]) & bit) {
			out[i] = 0;
			return;
		}
		cols[row + 1] = cols[row] | bit;
		left[row + 1] = (left[row] | bit) << 1;
		right[row + 1] = (right[row] | bit) >> 1;
	}
	int row = QUEENS_PLACED, count = 0;
	free[row] = all & ~(cols[row] | left[row] | right[row]);
	while (row >= QUEENS_PLACED) {
		if (free[row] == 0) {
			row--;
			continue;
		}
		unsigned bit = free[row] & -free[row];
		free[row] ^= bit;
		if (row == n - 1) {
			count++;
			continue;
		}
		cols[row + 1] = cols[row] | bit;
		left[row + 1] = (left[row] | bit) << 1;
		right[row + 1] = (right[row] | bit) >> 1;
		row++;
		free[row] = all & ~(cols[row] | left[row] | right[row]);
	}
	out[i] = count;
}

__constant__ unsigned blake_iv[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
__constant__ uint8 blake_sigma[10][16] = {
	{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}, {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
	{11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4}, {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
	{9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13}, {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
	{12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11}, {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
	{6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5}, {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0},
};

__device__ inline void blake_mix(unsigned *v, int a, int b, int c, int d, unsigned x, unsigned y) {
	v[a] += v[b] + x;
	v[d] = rotr(v[d] ^ v[a], 16);
	v[c] += v[d];
	v[b] = rotr(v[b] ^ v[c], 12);
	v[a] += v[b] + y;
	v[d] = rotr(v[d] ^ v[a], 8);
	v[c] += v[d];
	v[b] = rotr(v[b] ^ v[c], 7);
}

extern "C" __global__ void blake2s(int n, const unsigned *in, unsigned *out) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n) return;
	unsigned m[16], v[16], h[8];
	for (int k = 0; k < 16; k++) m[k] = in[k * n + i];
	for (int k = 0; k < 8; k++) h[k] = blake_iv[k];
	h[0] ^= 0x01010020;
	for (int k = 0; k < 8; k++) {
		v[k] = h[k];
		v[k + 8] = blake_iv[k];
	}
	v[12] ^= 64;
	v[14] = ~v[14];
	for (int r = 0; r < 10; r++) {
		const uint8 *s = blake_sigma[r];
		for (int k = 0; k < 4; k++) blake_mix(v, k, k + 4, k + 8, k + 12, m[s[2 * k]], m[s[2 * k + 1]]);
		for (int k = 0; k < 4; k++) blake_mix(v, k, (k + 1) % 4 + 4, (k + 2) % 4 + 8, (k + 3) % 4 + 12, m[s[8 + 2 * k]], m[s[9 + 2 * k]]);
	}
	for (int k = 0; k < 8; k++) out[k * n + i] = h[k] ^ v[k] ^ v[k + 8];
}

extern "C" __global__ void thomas(int n, int length, const double *a, const double *b, const double *c, const double *d, double *work, double *x) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n) return;
	work[i] = c[i] / b[i];
	x[i] = d[i] / b[i];
	for (int k = 1; k < length; k++) {
		int e = k * n + i, last = (k - 1) * n + i;
		double m = 1 / (b[e] - a[e] * work[last]);
		work[e] = c[e] * m;
		x[e] = (d[e] - a[e] * x[last]) * m;
	}
	for (int k = length - 2; k >= 0; k--) x[k * n + i] -= work[k * n + i] * x[(k + 1) * n + i];
}

#define ORDER 6

template <class T> struct Matrix { T v[ORDER][ORDER]; };
template <class T> struct Vector { T v[ORDER]; };

template <class T> __device__ void cholesky_solve(T m[ORDER][ORDER], T *b) {
	for (int j = 0; j < ORDER; j++) {
		for (int k = 0; k < j; k++) m[j][j] -= m[j][k] * m[j][k];
		m[j][j] = sqrtf(m[j][j]);
		for (int i = j + 1; i < ORDER; i++) {
			for (int k = 0; k < j; k++) m[i][j] -= m[i][k] * m[j][k];
			m[i][j] /= m[j][j];
		}
	}
	for (int i = 0; i < ORDER; i++) {
		for (int k = 0; k < i; k++) b[i] -= m[i][k] * b[k];
		b[i] /= m[i][i];
	}
	for (int i = ORDER - 1; i >= 0; i--) {
		for (int k = i + 1; k < ORDER; k++) b[i] -= m[k][i] * b[k];
		b[i] /= m[i][i];
	}
}

extern "C" __global__ void cholesky(int n, const Matrix<float> *matrices, const Vector<float> *b, Vector<float> *x) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n) return;
	Matrix<float> m = matrices[i];
	Vector<float> v = b[i];
	cholesky_solve(m.v, v.v);
	x[i] = v;
}

struct Bone {
	float rotation[4];
	Vec translation;
};
struct Vertex {
	Vec position, normal;
	float weights[4];
	uint8 bones[4];
};
struct Placed { Vec position, normal; };

__device__ inline Vec rotate(const Bone &b, const Vec &v) {
	Vec axis = {b.rotation[0], b.rotation[1], b.rotation[2]};
	Vec t = cross(axis, v) * 2.0f;
	return v + t * b.rotation[3] + cross(axis, t);
}

extern "C" __global__ void skinning(int n, const Bone *bones, const Vertex *vertices, Placed *out) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n) return;
	const Vertex &v = vertices[i];
	Placed p = {{0, 0, 0}, {0, 0, 0}};
	for (int k = 0; k < 4; k++) {
		float w = v.weights[k];
		const Bone &b = bones[v.bones[k]];
		p.position = p.position + (rotate(b, v.position) + b.translation) * w;
		p.normal = p.normal + rotate(b, v.normal) * w;
	}
	p.normal = unit(p.normal);
	out[i] = p;
}

#define QUERY_LEN 32
#define LETTERS 20

extern "C" __global__ void smith_waterman(int n, int length, int open, int extend, const signed char (*scores)[LETTERS], const uint8 *query, const uint8 *targets, int *out) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n) return;
	int h[QUERY_LEN + 1] = {0}, f[QUERY_LEN + 1] = {0}, best = 0;
	for (int r = 0; r < length; r++) {
		const signed char *row = scores[targets[i * length + r]];
		int diagonal = 0, e = 0;
		for (int k = 0; k < QUERY_LEN; k++) {
			e = max(e - extend, h[k] - open);
			f[k + 1] = max(f[k + 1] - extend, h[k + 1] - open);
			int score = max(max(0, diagonal + row[query[k]]), max(e, f[k + 1]));
			diagonal = h[k + 1];
			h[k + 1] = score;
			best = max(best, score);
		}
	}
	out[i] = best;
}

typedef unsigned long long word64;

__device__ inline void full_add(word64 a, word64 b, word64 c, word64 *sum, word64 *carry) {
	*sum = a ^ b ^ c;
	*carry = (a & b) | (c & (a ^ b));
}

extern "C" __global__ void life(int w, int h, const word64 *in, word64 *out) {
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	if (x >= w || y >= h) return;
	int rows[3] = {(y + h - 1) % h, y, (y + 1) % h};
	word64 left[3], mid[3], right[3];
	for (int k = 0; k < 3; k++) {
		const word64 *r = in + rows[k] * w;
		word64 word = r[x];
		mid[k] = word;
		left[k] = word << 1 | r[(x + w - 1) % w] >> 63;
		right[k] = word >> 1 | r[(x + 1) % w] << 63;
	}
	word64 s0, c0, s2, c2, ones, c3, t, f0;
	full_add(left[0], mid[0], right[0], &s0, &c0);
	word64 s1 = left[1] ^ right[1], c1 = left[1] & right[1];
	full_add(left[2], mid[2], right[2], &s2, &c2);
	full_add(s0, s1, s2, &ones, &c3);
	full_add(c0, c1, c2, &t, &f0);
	word64 twos = t ^ c3, fours = f0 | (t & c3);
	out[y * w + x] = twos & ~fours & (ones | mid[1]);
}
