#include "device.h"

typedef unsigned char uint8;

__device__ inline int clamp_int(int v, int lo, int hi) { return min(max(v, lo), hi); }

template <class P> struct Plane {
	P pix;
	int w, h;
	__device__ bool inside(int x, int y) const { return x >= 0 && x < w && y >= 0 && y < h; }
	__device__ float at(int x, int y) const { return pix[y * w + x]; }
	__device__ float clamped(int x, int y) const { return at(clamp_int(x, 0, w - 1), clamp_int(y, 0, h - 1)); }
	__device__ float at_or(int x, int y, float o) const { return inside(x, y) ? at(x, y) : o; }
	__device__ float bilinear(float fx, float fy) const {
		int x = (int)floorf(fx), y = (int)floorf(fy);
		float ax = fx - x, ay = fy - y;
		float top = at_or(x, y, 0) * (1 - ax) + at_or(x + 1, y, 0) * ax;
		float bottom = at_or(x, y + 1, 0) * (1 - ax) + at_or(x + 1, y + 1, 0) * ax;
		return top * (1 - ay) + bottom * ay;
	}
};

#define BLUR_W 32
#define BLUR_H 8
#define BLUR_RADIUS 4

struct BlurWeights { float v[2 * BLUR_RADIUS + 1]; };

extern "C" __global__ void separable(int w, int h, BlurWeights weights, const float *__restrict__ in, float *__restrict__ out) {
	__shared__ float tile[BLUR_H + 2 * BLUR_RADIUS][BLUR_W + 2 * BLUR_RADIUS];
	__shared__ float rows[BLUR_H + 2 * BLUR_RADIUS][BLUR_W];
	int tx = threadIdx.x, ty = threadIdx.y;
	int x0 = blockIdx.x * BLUR_W, y0 = blockIdx.y * BLUR_H;
	for (int j = ty; j < BLUR_H + 2 * BLUR_RADIUS; j += BLUR_H) {
		for (int i = tx; i < BLUR_W + 2 * BLUR_RADIUS; i += BLUR_W) {
			int x = clamp_int(x0 + i - BLUR_RADIUS, 0, w - 1), y = clamp_int(y0 + j - BLUR_RADIUS, 0, h - 1);
			tile[j][i] = in[y * w + x];
		}
	}
	__syncthreads();
	for (int j = ty; j < BLUR_H + 2 * BLUR_RADIUS; j += BLUR_H) {
		float sum = 0;
		for (int k = 0; k < 2 * BLUR_RADIUS + 1; k++) sum += weights.v[k] * tile[j][tx + k];
		rows[j][tx] = sum;
	}
	__syncthreads();
	int x = x0 + tx, y = y0 + ty;
	if (x >= w || y >= h) return;
	float sum = 0;
	for (int k = 0; k < 2 * BLUR_RADIUS + 1; k++) sum += weights.v[k] * rows[ty + k][tx];
	out[y * w + x] = sum;
}

extern "C" __global__ void rotate(int w, int h, float cos, float sin, const float *in, float *out) {
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	if (x >= w || y >= h) return;
	Plane<const float *> src = {in, w, h};
	float cx = (w - 1) / 2.0f, cy = (h - 1) / 2.0f;
	float dx = x - cx, dy = y - cy;
	out[y * w + x] = src.bilinear(cos * dx + sin * dy + cx, cos * dy - sin * dx + cy);
}

struct Water {
	float h, hu, hv;
	__device__ Water operator+(const Water &b) const { return Water{h + b.h, hu + b.hu, hv + b.hv}; }
	__device__ Water operator-(const Water &b) const { return Water{h - b.h, hu - b.hu, hv - b.hv}; }
	__device__ Water operator*(float s) const { return Water{h * s, hu * s, hv * s}; }
	__device__ Water flux_x(float g) const {
		float u = hu / h;
		return Water{hu, hu * u + 0.5f * g * h * h, hv * u};
	}
	__device__ Water flux_y(float g) const {
		float v = hv / h;
		return Water{hv, hu * v, hv * v + 0.5f * g * h * h};
	}
};

__device__ inline int wrap(int i, int n) { return i < 0 ? i + n : i >= n ? i - n : i; }

struct Sea {
	const Water *cells;
	int w, h;
	__device__ Water at(int x, int y) const { return cells[wrap(y, h) * w + wrap(x, w)]; }
};

extern "C" __global__ void shallow_water(int w, int h, const Water *now, Water *next, float g, float ratio) {
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	if (x >= w || y >= h) return;
	Sea sea = {now, w, h};
	Water west = sea.at(x - 1, y), east = sea.at(x + 1, y), north = sea.at(x, y - 1), south = sea.at(x, y + 1);
	Water mean = (west + east + north + south) * 0.25f;
	Water flux = (east.flux_x(g) - west.flux_x(g)) + (south.flux_y(g) - north.flux_y(g));
	next[y * w + x] = mean - flux * (0.5f * ratio);
}

extern "C" __global__ void fdtd(int nx, int ny, int nz, float c, const float *__restrict__ magX, const float *__restrict__ magY, const float *__restrict__ magZ,
		float *__restrict__ elX, float *__restrict__ elY, float *__restrict__ elZ) {
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	if (x == 0 || x >= nx || y == 0 || y >= ny) return;
	int plane = nx * ny;
	for (int z = 1; z < nz; z++) {
		int at = (z * ny + y) * nx + x;
		float hx = magX[at], hy = magY[at], hz = magZ[at];
		elX[at] += c * ((hz - magZ[at - nx]) - (hy - magY[at - plane]));
		elY[at] += c * ((hx - magX[at - plane]) - (hz - magZ[at - 1]));
		elZ[at] += c * ((hy - magY[at - 1]) - (hx - magX[at - nx]));
	}
}

extern "C" __global__ void pagerank(int n, float damping, const int *__restrict__ first, const int *__restrict__ from, const int *__restrict__ degree,
		const float *__restrict__ rank, float *__restrict__ next) {
	int v = blockIdx.x * blockDim.x + threadIdx.x;
	if (v >= n) return;
	float sum = 0;
	int end = first[v + 1];
	for (int e = first[v]; e < end; e++) {
		int u = from[e];
		sum += rank[u] / degree[u];
	}
	next[v] = (1 - damping) / n + damping * sum;
}

#define LU_ORDER 64

extern "C" __global__ void batched_lu(const float *in, float *out, int *pivots) {
	__shared__ float a[LU_ORDER][LU_ORDER + 1];
	int t = threadIdx.x, b = blockIdx.x;
	const float *src = in + b * LU_ORDER * LU_ORDER;
	float *dst = out + b * LU_ORDER * LU_ORDER;
	for (int r = 0; r < LU_ORDER; r++) a[r][t] = src[r * LU_ORDER + t];
	__syncthreads();
	for (int k = 0; k < LU_ORDER; k++) {
		int p = k;
		for (int r = k + 1; r < LU_ORDER; r++) {
			if (fabsf(a[r][k]) > fabsf(a[p][k])) p = r;
		}
		__syncthreads();
		if (p != k) {
			float v = a[k][t];
			a[k][t] = a[p][t];
			a[p][t] = v;
		}
		if (t == 0) pivots[b * LU_ORDER + k] = p;
		__syncthreads();
		if (t > k) {
			float f = a[t][k] / a[k][k];
			a[t][k] = f;
			for (int c = k + 1; c < LU_ORDER; c++) a[t][c] -= f * a[k][c];
		}
		__syncthreads();
	}
	for (int r = 0; r < LU_ORDER; r++) dst[r * LU_ORDER + t] = a[r][t];
}

extern "C" __global__ void spmm(int n, int cols, const int *__restrict__ first, const int *__restrict__ index, const float *__restrict__ values,
		const float *__restrict__ dense, float *__restrict__ out) {
	int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n || j >= cols) return;
	float sum = 0;
	int end = first[i + 1];
	for (int e = first[i]; e < end; e++) sum += values[e] * dense[index[e] * cols + j];
	out[i * cols + j] = sum;
}

#define NORM_THREADS 256

template <class F> __device__ float block_total(float *buf, float v, F op) {
	int t = threadIdx.x;
	buf[t] = v;
	__syncthreads();
	for (int s = NORM_THREADS / 2; s > 0; s /= 2) {
		if (t < s) buf[t] = op(buf[t], buf[t + s]);
		__syncthreads();
	}
	return buf[0];
}

struct Plus {
	__device__ float operator()(float a, float b) const { return a + b; }
};

extern "C" __global__ void rmsnorm(int width, float eps, const float *in, const float *weight, float *residual, float *out) {
	__shared__ float buf[NORM_THREADS];
	int b = blockIdx.x;
	const float *own = in + b * width;
	float *sums = residual + b * width, *norms = out + b * width;
	float square = 0;
	for (int i = threadIdx.x; i < width; i += NORM_THREADS) {
		float v = own[i] + sums[i];
		sums[i] = v;
		square += v * v;
	}
	float total = block_total(buf, square, Plus());
	float scale = RSQRT(total / width + eps);
	for (int i = threadIdx.x; i < width; i += NORM_THREADS) norms[i] = sums[i] * scale * weight[i];
}

#define INT4_GROUP 64

extern "C" __global__ void int4_gemv(int n, int cols, const unsigned *__restrict__ weights, const float *__restrict__ scales, const float *__restrict__ x, float *__restrict__ y) {
	int row = (blockIdx.x * blockDim.x + threadIdx.x) / WARP, lane = threadIdx.x % WARP;
	if (row >= n) return;
	int words = cols / 8, groups = cols / INT4_GROUP;
	const unsigned *own = weights + row * words;
	const float *scale = scales + row * groups;
	float sum = 0;
	for (int i = lane; i < words; i += WARP) {
		unsigned word = own[i];
		float part = 0;
		for (int k = 0; k < 8; k++) part += (float)((int)(word >> (4 * k) & 15) - 8) * x[8 * i + k];
		sum += part * scale[i * 8 / INT4_GROUP];
	}
	for (int d = WARP / 2; d > 0; d /= 2) sum += SHFL_XOR(sum, d);
	if (lane == 0) y[row] = sum;
}

extern "C" __global__ void horspool(int length, int m, int n, int chunk, const uint8 *text, const uint8 *pattern, int *counts) {
	__shared__ int shift[256];
	for (int c = threadIdx.x; c < 256; c += blockDim.x) shift[c] = m;
	__syncthreads();
	if (threadIdx.x == 0) {
		for (int k = 0; k < m - 1; k++) shift[pattern[k]] = m - 1 - k;
	}
	__syncthreads();
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n) return;
	int found = 0, end = min((i + 1) * chunk, length - m + 1);
	for (int at = i * chunk; at < end;) {
		const uint8 *window = text + at;
		int k = m - 1;
		while (k >= 0 && window[k] == pattern[k]) k--;
		if (k < 0) found++;
		at += shift[window[m - 1]];
	}
	counts[i] = found;
}

struct Vec { float x, y, z; };

#define RDF_TILE 128
#define RDF_BINS 256

__device__ inline float image(float d, float box) { return d > box / 2 ? d - box : d < -box / 2 ? d + box : d; }

extern "C" __global__ void rdf(int n, float box, float scale, const Vec *points, unsigned *hist) {
	__shared__ Vec tile[RDF_TILE];
	__shared__ unsigned local[RDF_BINS];
	int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
	for (int b = t; b < RDF_BINS; b += RDF_TILE) local[b] = 0;
	Vec p = {0, 0, 0};
	if (i < n) p = points[i];
	for (int base = 0; base < n; base += RDF_TILE) {
		if (base + t < n) tile[t] = points[base + t];
		__syncthreads();
		int m = min(RDF_TILE, n - base);
		for (int j = 0; j < m; j++) {
			if (i >= n || base + j <= i) continue;
			Vec q = tile[j];
			float x = image(p.x - q.x, box), y = image(p.y - q.y, box), z = image(p.z - q.z, box);
			int bin = (int)(sqrtf(x * x + y * y + z * z) * scale);
			if (bin < RDF_BINS) ATOMIC_ADD(&local[bin], 1u);
		}
		__syncthreads();
	}
	for (int b = t; b < RDF_BINS; b += RDF_TILE) {
		unsigned v = local[b];
		if (v > 0) ATOMIC_ADD(&hist[b], v);
	}
}

extern "C" __global__ void marching(int nx, int ny, int nz, float level, const float *volume, const unsigned short *edges, uint8 *cases, uint8 *counts) {
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z * blockDim.z + threadIdx.z;
	if (x >= nx - 1 || y >= ny - 1 || z >= nz - 1) return;
	int c = 0;
	for (int k = 0; k < 8; k++) {
		if (volume[((z + (k >> 2)) * ny + y + (k >> 1 & 1)) * nx + x + (k & 1)] < level) c |= 1 << k;
	}
	int at = (z * (ny - 1) + y) * (nx - 1) + x;
	cases[at] = c;
	counts[at] = POPC((unsigned long long)edges[c]);
}

struct Split {
	int feature;
	float threshold;
	int left, right;
};

#define FOREST_CLASSES 10

extern "C" __global__ void forest(int n, int trees, int features, const int *__restrict__ roots, const Split *__restrict__ nodes, const float *__restrict__ samples, int *__restrict__ out) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n) return;
	const float *x = samples + i * features;
	int votes[FOREST_CLASSES] = {0};
	for (int r = 0; r < trees; r++) {
		Split s = nodes[roots[r]];
		while (s.feature >= 0) s = nodes[x[s.feature] < s.threshold ? s.left : s.right];
		votes[s.left]++;
	}
	int best = 0;
	for (int c = 0; c < FOREST_CLASSES; c++) {
		if (votes[c] > votes[best]) best = c;
	}
	out[i] = best;
}

#define LZ_THREADS 256
#define LZ_WINDOW 256
#define LZ_MOST 16

struct Longest { int offset, length; };

extern "C" __global__ void lz_match(int n, const uint8 *in, Longest *out) {
	__shared__ uint8 buf[LZ_WINDOW + LZ_THREADS + LZ_MOST];
	int t = threadIdx.x, start = blockIdx.x * LZ_THREADS - LZ_WINDOW;
	for (int i = t; i < LZ_WINDOW + LZ_THREADS + LZ_MOST; i += LZ_THREADS) {
		int at = start + i;
		if (at >= 0 && at < n) buf[i] = in[at];
	}
	__syncthreads();
	int at = blockIdx.x * blockDim.x + t;
	if (at >= n) return;
	int most = min(LZ_MOST, n - at), limit = min(LZ_WINDOW, at);
	const uint8 *own = buf + LZ_WINDOW + t;
	Longest best = {0, 0};
	for (int offset = 1; offset <= limit; offset++) {
		int k = 0;
		while (k < most && own[k] == own[k - offset]) k++;
		if (k <= best.length) continue;
		best = Longest{offset, k};
		if (k == most) break;
	}
	out[at] = best;
}
