#include "device.h"

__device__ inline int clamp_int(int v, int lo, int hi) { return min(max(v, lo), hi); }
__device__ inline int abs_int(int v) { return v < 0 ? -v : v; }

struct alignas(4) Pixel { unsigned char r, g, b, a; };

extern "C" __global__ void mean_shift(int w, int h, const Pixel *__restrict__ src, Pixel *__restrict__ dst, int reach, int colors, int steps) {
	int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
	if (px >= w || py >= h) return;
	Pixel c = src[py * w + px];
	int x = px, y = py, r = c.r, g = c.g, b = c.b;
	for (int step = 0; step < steps; step++) {
		int sx = 0, sy = 0, sr = 0, sg = 0, sb = 0, n = 0;
		int x0 = max(x - reach, 0), x1 = min(x + reach, w - 1);
		int y0 = max(y - reach, 0), y1 = min(y + reach, h - 1);
		for (int v = y0; v <= y1; v++) {
			for (int u = x0; u <= x1; u++) {
				Pixel q = src[v * w + u];
				int dr = q.r - r, dg = q.g - g, db = q.b - b;
				if (dr * dr + dg * dg + db * db > colors * colors) continue;
				sx += u;
				sy += v;
				sr += q.r;
				sg += q.g;
				sb += q.b;
				n++;
			}
		}
		if (n == 0) break;
		sx /= n;
		sy /= n;
		sr /= n;
		sg /= n;
		sb /= n;
		int moved = abs_int(sx - x) + abs_int(sy - y) + (sr - r) * (sr - r) + (sg - g) * (sg - g) + (sb - b) * (sb - b);
		x = sx;
		y = sy;
		r = sr;
		g = sg;
		b = sb;
		if (moved <= 1) break;
	}
	dst[py * w + px] = Pixel{(unsigned char)r, (unsigned char)g, (unsigned char)b, c.a};
}

#define BAYER_W 32
#define BAYER_H 8

__device__ inline int mirror(int i, int n) {
	if (i < 0) return -i;
	if (i >= n) return 2 * n - 2 - i;
	return i;
}

__device__ inline unsigned char sixteenths(int v) { return (unsigned char)clamp_int((v + 8) >> 4, 0, 255); }

extern "C" __global__ void demosaic(const unsigned char *__restrict__ raw, int w, int h, Pixel *__restrict__ out) {
	__shared__ unsigned char tile[BAYER_H + 4][BAYER_W + 4];
	int tx = threadIdx.x, ty = threadIdx.y;
	int x0 = blockIdx.x * BAYER_W - 2, y0 = blockIdx.y * BAYER_H - 2;
	for (int j = ty; j < BAYER_H + 4; j += BAYER_H) {
		for (int i = tx; i < BAYER_W + 4; i += BAYER_W) tile[j][i] = raw[mirror(y0 + j, h) * w + mirror(x0 + i, w)];
	}
	__syncthreads();
	int x = blockIdx.x * blockDim.x + tx, y = blockIdx.y * blockDim.y + ty;
	if (x >= w || y >= h) return;
#define AT(dx, dy) ((int)tile[ty + 2 + (dy)][tx + 2 + (dx)])
	int own = AT(0, 0);
	int beside = AT(-1, 0) + AT(1, 0), above = AT(0, -1) + AT(0, 1);
	int beside2 = AT(-2, 0) + AT(2, 0), above2 = AT(0, -2) + AT(0, 2);
	int corners = AT(-1, -1) + AT(1, -1) + AT(-1, 1) + AT(1, 1);
	unsigned char green = sixteenths(8 * own + 4 * (beside + above) - 2 * (beside2 + above2));
	unsigned char across = sixteenths(10 * own + 8 * beside - 2 * (beside2 + corners) + above2);
	unsigned char along = sixteenths(10 * own + 8 * above - 2 * (above2 + corners) + beside2);
	unsigned char opposite = sixteenths(12 * own + 4 * corners - 3 * (beside2 + above2));
	unsigned char same = (unsigned char)own;
	Pixel p;
	if (y % 2 == 0) {
		if (x % 2 == 0) p = Pixel{same, green, opposite, 255};
		else p = Pixel{across, same, along, 255};
	} else {
		if (x % 2 == 0) p = Pixel{along, same, across, 255};
		else p = Pixel{opposite, green, same, 255};
	}
	out[y * w + x] = p;
}

struct Lens { float fx, fy, cx, cy, radial[3], tangential[2]; };
struct Color { unsigned char r, g, b; };

#define BORDER_FILL 0
#define BORDER_REPLICATE 1
#define BORDER_REFLECT 2

// border_index is -1 where there is nothing.
__device__ inline int border_index(int border, int i, int n) {
	if (i >= 0 && i < n) return i;
	switch (border) {
	case BORDER_REPLICATE: return clamp_int(i, 0, n - 1);
	case BORDER_REFLECT: return clamp_int(mirror(i, n), 0, n - 1);
	}
	return -1;
}

__device__ inline Color frame_pixel(const Color *src, int w, int h, int x, int y, int border, Color fill) {
	int i = border_index(border, x, w), j = border_index(border, y, h);
	if (i < 0 || j < 0) return fill;
	return src[j * w + i];
}

__device__ inline unsigned char between(float a, float b, unsigned char p, unsigned char q, unsigned char r, unsigned char s) {
	float upper = p + a * ((float)q - (float)p), lower = r + a * ((float)s - (float)r);
	return (unsigned char)(upper + b * (lower - upper) + 0.5f);
}

extern "C" __global__ void undistort(Lens lens, Lens to, int src_w, int src_h, const Color *__restrict__ src, int w, int h, Color *__restrict__ dst, int border, Color fill) {
	int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
	if (px >= w || py >= h) return;
	float x = (px - to.cx) / to.fx, y = (py - to.cy) / to.fy;
	float r2 = x * x + y * y;
	float radial = 1 + r2 * (lens.radial[0] + r2 * (lens.radial[1] + r2 * lens.radial[2]));
	float p1 = lens.tangential[0], p2 = lens.tangential[1];
	float u = (x * radial + 2 * p1 * x * y + p2 * (r2 + 2 * x * x)) * lens.fx + lens.cx;
	float v = (y * radial + p1 * (r2 + 2 * y * y) + 2 * p2 * x * y) * lens.fy + lens.cy;
	float left = floorf(u), top = floorf(v);
	int i = (int)left, j = (int)top;
	float a = u - left, b = v - top;
	Color p = frame_pixel(src, src_w, src_h, i, j, border, fill), q = frame_pixel(src, src_w, src_h, i + 1, j, border, fill);
	Color r = frame_pixel(src, src_w, src_h, i, j + 1, border, fill), s = frame_pixel(src, src_w, src_h, i + 1, j + 1, border, fill);
	dst[py * w + px] = Color{between(a, b, p.r, q.r, r.r, s.r), between(a, b, p.g, q.g, r.g, s.g), between(a, b, p.b, q.b, r.b, s.b)};
}

#define CENSUS_THREADS 128
#define DISPARITIES 64

typedef unsigned long long uint64;

__device__ inline uint64 census(const unsigned char *img, int w, int h, int x, int y) {
	unsigned char middle = img[clamp_int(y, 0, h - 1) * w + clamp_int(x, 0, w - 1)];
	uint64 darker = 0;
	for (int dy = -3; dy <= 3; dy++) {
		for (int dx = -4; dx <= 4; dx++) {
			if (dx == 0 && dy == 0) continue;
			darker <<= 1;
			if (img[clamp_int(y + dy, 0, h - 1) * w + clamp_int(x + dx, 0, w - 1)] < middle) darker |= 1;
		}
	}
	return darker;
}

extern "C" __global__ void census_match(const unsigned char *__restrict__ left, const unsigned char *__restrict__ right, int w, int h, float *__restrict__ disparity) {
	__shared__ uint64 row[CENSUS_THREADS + DISPARITIES - 1];
	int t = threadIdx.x, y = blockIdx.y;
	int first = blockIdx.x * CENSUS_THREADS - (DISPARITIES - 1);
	for (int k = t; k < CENSUS_THREADS + DISPARITIES - 1; k += CENSUS_THREADS) row[k] = census(right, w, h, first + k, y);
	__syncthreads();
	int x = blockIdx.x * blockDim.x + t;
	if (x >= w) return;
	uint64 own = census(left, w, h, x, y);
#define COST(d) ((int)POPC(own ^ row[t + DISPARITIES - 1 - (d)]))
	int n = min(DISPARITIES, x + 1);
	int best = 0, least = 64;
	for (int d = 0; d < n; d++) {
		int c = COST(d);
		if (c < least) {
			best = d;
			least = c;
		}
	}
	int second = 64;
	for (int d = 0; d < n; d++) {
		if (abs_int(d - best) > 1) second = min(second, COST(d));
	}
	float result = -1;
	if (10 * second > 11 * least) {
		result = best;
		if (best > 0 && best < n - 1) {
			int before = COST(best - 1), after = COST(best + 1);
			int bend = before - 2 * least + after;
			if (bend > 0) result += (float)(before - after) / (2 * bend);
		}
	}
	disparity[y * w + x] = result;
}

#define LABEL_W 32
#define LABEL_H 16

__device__ inline int find_root(volatile int *parent, int i) {
	int p = parent[i];
	while (p != i) {
		i = p;
		p = parent[i];
	}
	return i;
}

__device__ inline void unite(int *parent, int a, int b) {
	for (;;) {
		a = find_root(parent, a);
		b = find_root(parent, b);
		if (a == b) return;
		if (a < b) {
			int c = a;
			a = b;
			b = c;
		}
		int old = ATOMIC_MIN(&parent[a], b);
		if (old == a) return;
		a = old;
	}
}

extern "C" __global__ void label_tiles(const unsigned char *__restrict__ mask, int w, int h, int *__restrict__ labels) {
	__shared__ int parent[LABEL_W * LABEL_H];
	__shared__ bool inside[LABEL_H][LABEL_W];
	int tx = threadIdx.x, ty = threadIdx.y;
	int x = blockIdx.x * blockDim.x + tx, y = blockIdx.y * blockDim.y + ty;
	int own = ty * LABEL_W + tx;
	parent[own] = own;
	bool in = x < w && y < h && mask[y * w + x] != 0;
	inside[ty][tx] = in;
	__syncthreads();
	if (in) {
		if (tx > 0 && inside[ty][tx - 1]) unite(parent, own, own - 1);
		if (ty > 0) {
			if (tx > 0 && inside[ty - 1][tx - 1]) unite(parent, own, own - LABEL_W - 1);
			if (inside[ty - 1][tx]) unite(parent, own, own - LABEL_W);
			if (tx + 1 < LABEL_W && inside[ty - 1][tx + 1]) unite(parent, own, own - LABEL_W + 1);
		}
	}
	__syncthreads();
	if (x >= w || y >= h) return;
	int label = -1;
	if (in) {
		int root = find_root(parent, own);
		label = (y - ty + root / LABEL_W) * w + x - tx + root % LABEL_W;
	}
	labels[y * w + x] = label;
}

#define DETECT_SIZE 24

struct HaarRect {
	unsigned char x, y, w, h;
	float weight;
};
struct Weak {
	HaarRect rects[3];
	float threshold, below, over;
};
struct Stage {
	int first, end;
	float threshold;
};

__device__ inline unsigned rect_sum(const unsigned *sums, int stride, int x, int y, int w, int h) {
	const unsigned *top = sums + y * stride + x, *bottom = top + h * stride;
	return bottom[w] - bottom[0] - top[w] + top[0];
}

extern "C" __global__ void detect(int stages, const Stage *__restrict__ stage, const Weak *__restrict__ weak, int stride, const unsigned *__restrict__ sums,
		const unsigned *__restrict__ squares, int w, int h, unsigned char *__restrict__ passed) {
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	if (x >= w || y >= h) return;
	const float area = DETECT_SIZE * DETECT_SIZE;
	float mean = rect_sum(sums, stride, x, y, DETECT_SIZE, DETECT_SIZE) / area;
	float variance = rect_sum(squares, stride, x, y, DETECT_SIZE, DETECT_SIZE) / area - mean * mean;
	float deviation = area * sqrtf(fmaxf(variance, 1));
	int n = 0;
	for (; n < stages; n++) {
		float sum = 0;
		for (int i = stage[n].first; i < stage[n].end; i++) {
			const Weak &c = weak[i];
			float feature = 0;
			for (int k = 0; k < 3; k++) {
				HaarRect r = c.rects[k];
				if (r.weight != 0) feature += r.weight * rect_sum(sums, stride, x + r.x, y + r.y, r.w, r.h);
			}
			sum += feature < c.threshold * deviation ? c.below : c.over;
		}
		if (sum < stage[n].threshold) break;
	}
	passed[y * w + x] = n;
}

#define FAR_AWAY 1e20f

extern "C" __global__ void distance_pass(int w, int h, int d, const float *__restrict__ f, float *__restrict__ out, int *__restrict__ vertex, float *__restrict__ starts) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= w * d) return;
	int column = i / w * w * h + i % w;
	f += column;
	out += column;
	vertex += column;
	starts += column;
	int k = 0;
	vertex[0] = 0;
	starts[0] = -FAR_AWAY;
	for (int q = 1; q < h; q++) {
		float height = f[q * w] + q * q;
		float start;
		for (;;) {
			int v = vertex[k * w];
			start = (height - (f[v * w] + v * v)) / (2 * (q - v));
			if (k == 0 || start > starts[k * w]) break;
			k--;
		}
		if (start > starts[k * w]) k++;
		vertex[k * w] = q;
		starts[k * w] = start;
	}
	int last = k;
	k = 0;
	for (int y = 0; y < h; y++) {
		while (k < last && starts[(k + 1) * w] < y) k++;
		int v = vertex[k * w];
		out[y * w] = (y - v) * (y - v) + f[v * w];
	}
}

struct Vec { float x, y, z; };

__device__ inline Vec sub(Vec a, Vec b) { return Vec{a.x - b.x, a.y - b.y, a.z - b.z}; }
__device__ inline float dot(Vec a, Vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__device__ inline float min3(float a, float b, float c) { return fminf(fminf(a, b), c); }
__device__ inline float max3(float a, float b, float c) { return fmaxf(fmaxf(a, b), c); }

struct HalfPlane {
	float a, b, c;
	__device__ bool outside(float p, float q) const { return p * a + q * b + c < 0; }
};

__device__ inline HalfPlane edge(float a0, float b0, float a1, float b1, float unit, bool front) {
	HalfPlane h = {b0 - b1, a1 - a0, 0};
	if (!front) h = HalfPlane{-h.a, -h.b, 0};
	h.c = unit * fmaxf(h.a, 0) + unit * fmaxf(h.b, 0) - h.a * a0 - h.b * b0;
	return h;
}

extern "C" __global__ void voxelize(const Vec *__restrict__ vertices, int count, const int *__restrict__ faces, int n, float unit, unsigned *__restrict__ voxels) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= count) return;
	Vec v[3];
	for (int k = 0; k < 3; k++) v[k] = vertices[faces[3 * i + k]];
	Vec e0 = sub(v[1], v[0]), e1 = sub(v[2], v[0]);
	Vec normal = {e0.y * e1.z - e0.z * e1.y, e0.z * e1.x - e0.x * e1.z, e0.x * e1.y - e0.y * e1.x};
	float scale = 1 / sqrtf(dot(normal, normal));
	normal = Vec{normal.x * scale, normal.y * scale, normal.z * scale};
	Vec critical = {normal.x > 0 ? unit : 0, normal.y > 0 ? unit : 0, normal.z > 0 ? unit : 0};
	float d1 = dot(normal, sub(critical, v[0]));
	float d2 = dot(normal, sub(sub(Vec{unit, unit, unit}, critical), v[0]));
	HalfPlane xy[3], yz[3], zx[3];
	for (int k = 0; k < 3; k++) {
		Vec p = v[k], q = v[(k + 1) % 3];
		xy[k] = edge(p.x, p.y, q.x, q.y, unit, normal.z >= 0);
		yz[k] = edge(p.y, p.z, q.y, q.z, unit, normal.x >= 0);
		zx[k] = edge(p.z, p.x, q.z, q.x, unit, normal.y >= 0);
	}
#define CELL(v) clamp_int((int)floorf((v) / unit), 0, n - 1)
	int x0 = CELL(min3(v[0].x, v[1].x, v[2].x)), x1 = CELL(max3(v[0].x, v[1].x, v[2].x));
	int y0 = CELL(min3(v[0].y, v[1].y, v[2].y)), y1 = CELL(max3(v[0].y, v[1].y, v[2].y));
	int z0 = CELL(min3(v[0].z, v[1].z, v[2].z)), z1 = CELL(max3(v[0].z, v[1].z, v[2].z));
	for (int z = z0; z <= z1; z++) {
		for (int y = y0; y <= y1; y++) {
			for (int x = x0; x <= x1; x++) {
				Vec p = {x * unit, y * unit, z * unit};
				float d = dot(normal, p);
				if ((d + d1) * (d + d2) > 0) continue;
				if (xy[0].outside(p.x, p.y) || xy[1].outside(p.x, p.y) || xy[2].outside(p.x, p.y)) continue;
				if (yz[0].outside(p.y, p.z) || yz[1].outside(p.y, p.z) || yz[2].outside(p.y, p.z)) continue;
				if (zx[0].outside(p.z, p.x) || zx[1].outside(p.z, p.x) || zx[2].outside(p.z, p.x)) continue;
				int at = (z * n + y) * n + x;
				ATOMIC_OR(&voxels[at / 32], 1u << (at % 32));
			}
		}
	}
}
