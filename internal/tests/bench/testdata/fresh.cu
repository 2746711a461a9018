#include "device.h"

typedef unsigned char uint8;
typedef unsigned long long uint64;

struct Charge { float x, y, q; };

extern "C" __global__ void pic_deposit(int n, int nx, int ny, const Charge *particles, float *rho) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n) return;
	Charge p = particles[i];
	int cx = (int)floorf(p.x), cy = (int)floorf(p.y);
	float fx = p.x - cx, fy = p.y - cy;
	int x0 = cx % nx, y0 = cy % ny;
	int x1 = (cx + 1) % nx, y1 = (cy + 1) % ny;
	ATOMIC_ADD(&rho[y0 * nx + x0], p.q * (1 - fx) * (1 - fy));
	ATOMIC_ADD(&rho[y0 * nx + x1], p.q * fx * (1 - fy));
	ATOMIC_ADD(&rho[y1 * nx + x0], p.q * (1 - fx) * fy);
	ATOMIC_ADD(&rho[y1 * nx + x1], p.q * fx * fy);
}

#define SAD_BLOCK 8
#define SAD_REACH 2
#define SAD_SIDE (2 * SAD_REACH + 1)

__device__ inline int clamp_int(int v, int lo, int hi) { return min(max(v, lo), hi); }
__device__ inline int abs_int(int v) { return v < 0 ? -v : v; }

extern "C" __global__ void sad(int n, int w, int h, const uint8 *__restrict__ cur, const uint8 *__restrict__ ref, int *__restrict__ out) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n) return;
	int blocks = w / SAD_BLOCK;
	int k = i % (SAD_SIDE * SAD_SIDE), b = i / (SAD_SIDE * SAD_SIDE);
	int x0 = b % blocks * SAD_BLOCK, y0 = b / blocks * SAD_BLOCK;
	int dx = k % SAD_SIDE - SAD_REACH, dy = k / SAD_SIDE - SAD_REACH;
	int sum = 0;
	for (int y = 0; y < SAD_BLOCK; y++) {
		for (int x = 0; x < SAD_BLOCK; x++) {
			int rx = clamp_int(x0 + x + dx, 0, w - 1), ry = clamp_int(y0 + y + dy, 0, h - 1);
			sum += abs_int((int)cur[(y0 + y) * w + x0 + x] - (int)ref[ry * w + rx]);
		}
	}
	out[i] = sum;
}

struct Texel { int r, g, b; };

__device__ inline Texel least(Texel a, Texel b) { return Texel{min(a.r, b.r), min(a.g, b.g), min(a.b, b.b)}; }
__device__ inline Texel most(Texel a, Texel b) { return Texel{max(a.r, b.r), max(a.g, b.g), max(a.b, b.b)}; }
__device__ inline int distance(Texel a, Texel b) {
	int r = a.r - b.r, g = a.g - b.g, bl = a.b - b.b;
	return r * r + g * g + bl * bl;
}
__device__ inline int pack(Texel a) { return a.r >> 3 << 11 | a.g >> 2 << 5 | a.b >> 3; }
__device__ inline Texel unpack(int c) {
	int r = c >> 11 & 31, g = c >> 5 & 63, b = c & 31;
	return Texel{r << 3 | r >> 2, g << 2 | g >> 4, b << 3 | b >> 2};
}
__device__ inline Texel blend(Texel a, Texel b) { return Texel{(2 * a.r + b.r) / 3, (2 * a.g + b.g) / 3, (2 * a.b + b.b) / 3}; }

extern "C" __global__ void bc1_encode(int w, int h, const uint8 *rgb, uint64 *out) {
	int bx = blockIdx.x * blockDim.x + threadIdx.x, by = blockIdx.y * blockDim.y + threadIdx.y;
	if (bx >= w / 4 || by >= h / 4) return;
	Texel block[16];
	for (int i = 0; i < 16; i++) {
		int at = 3 * ((by * 4 + i / 4) * w + bx * 4 + i % 4);
		block[i] = Texel{rgb[at], rgb[at + 1], rgb[at + 2]};
	}
	Texel lo = block[0], hi = block[0];
	for (int i = 1; i < 16; i++) {
		lo = least(lo, block[i]);
		hi = most(hi, block[i]);
	}
	int c0 = pack(hi), c1 = pack(lo);
	Texel palette[4];
	palette[0] = unpack(c0);
	palette[1] = unpack(c1);
	palette[2] = blend(palette[0], palette[1]);
	palette[3] = blend(palette[1], palette[0]);
	uint64 code = 0;
	for (int i = 0; i < 16; i++) {
		Texel p = block[i];
		int best = 0, nearest = distance(p, palette[0]);
		for (int k = 1; k < 4; k++) {
			int d = distance(p, palette[k]);
			if (d < nearest) {
				best = k;
				nearest = d;
			}
		}
		code |= (uint64)best << (2 * i);
	}
	out[by * (w / 4) + bx] = code << 32 | (uint64)c1 << 16 | (uint64)c0;
}

struct Region {
	int picture;
	float x1, y1, x2, y2;
};

struct Features {
	const float *__restrict__ data;
	int c, h, w;
	__device__ float at(int n, int ch, int y, int x) const { return data[((n * c + ch) * h + y) * w + x]; }
	__device__ float sample(int n, int ch, float y, float x) const {
		if (y < -1 || y > h || x < -1 || x > w) return 0;
		y = fmaxf(y, 0);
		x = fmaxf(x, 0);
		int y0 = min((int)y, h - 1), x0 = min((int)x, w - 1);
		int y1 = min(y0 + 1, h - 1), x1 = min(x0 + 1, w - 1);
		float ay = fminf(y - y0, 1), ax = fminf(x - x0, 1);
		float top = at(n, ch, y0, x0) * (1 - ax) + at(n, ch, y0, x1) * ax;
		float bottom = at(n, ch, y1, x0) * (1 - ax) + at(n, ch, y1, x1) * ax;
		return top * (1 - ay) + bottom * ay;
	}
};

#define ROI_BINS 7
#define ROI_SAMPLES 2

extern "C" __global__ void roi_align(int n, int channels, int h, int w, float scale, const float *__restrict__ features, const Region *__restrict__ regions,
		float *__restrict__ out) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n) return;
	Features f = {features, channels, h, w};
	int px = i % ROI_BINS;
	int py = i / ROI_BINS % ROI_BINS;
	int c = i / (ROI_BINS * ROI_BINS) % channels;
	Region r = regions[i / (ROI_BINS * ROI_BINS) / channels];
	float x0 = r.x1 * scale - 0.5f, y0 = r.y1 * scale - 0.5f;
	float bin_w = (r.x2 - r.x1) * scale / ROI_BINS, bin_h = (r.y2 - r.y1) * scale / ROI_BINS;
	float sum = 0;
	for (int sy = 0; sy < ROI_SAMPLES; sy++) {
		float y = y0 + py * bin_h + (sy + 0.5f) * bin_h / ROI_SAMPLES;
		for (int sx = 0; sx < ROI_SAMPLES; sx++) {
			float x = x0 + px * bin_w + (sx + 0.5f) * bin_w / ROI_SAMPLES;
			sum += f.sample(r.picture, c, y, x);
		}
	}
	out[i] = sum / (ROI_SAMPLES * ROI_SAMPLES);
}

// As complex64 lies in memory: 4 bytes' alignment.
struct Complex {
	float re, im;
	__device__ Complex operator+(Complex b) const { return Complex{re + b.re, im + b.im}; }
	__device__ Complex operator-(Complex b) const { return Complex{re - b.re, im - b.im}; }
	__device__ Complex operator*(Complex b) const { return Complex{re * b.re - im * b.im, re * b.im + im * b.re}; }
};

struct ColorVector { Complex v[3]; };
struct Spinor { ColorVector s[4]; };
struct ColorMatrix {
	Complex m[3][3];
	__device__ ColorVector times(ColorVector a) const {
		ColorVector w = {};
		for (int i = 0; i < 3; i++) {
			for (int j = 0; j < 3; j++) w.v[i] = w.v[i] + m[i][j] * a.v[j];
		}
		return w;
	}
};

__device__ inline Complex times_i(Complex a) { return Complex{-a.im, a.re}; }

extern "C" __global__ void wilson_hop(int n, int nx, int ny, int nz, int nt, const ColorMatrix *__restrict__ links, const Spinor *__restrict__ in, Spinor *__restrict__ out) {
	int site = blockIdx.x * blockDim.x + threadIdx.x;
	if (site >= n) return;
	int x = site % nx, y = site / nx % ny, z = site / nx / ny % nz, t = site / nx / ny / nz;
	Spinor psi = in[((t * nz + z) * ny + y) * nx + (x + 1) % nx];
	ColorVector half[2];
	for (int c = 0; c < 3; c++) {
		half[0].v[c] = psi.s[0].v[c] - times_i(psi.s[3].v[c]);
		half[1].v[c] = psi.s[1].v[c] - times_i(psi.s[2].v[c]);
	}
	ColorMatrix u = links[site];
	half[0] = u.times(half[0]);
	half[1] = u.times(half[1]);
	Spinor sum = out[site];
	for (int c = 0; c < 3; c++) {
		sum.s[0].v[c] = sum.s[0].v[c] + half[0].v[c];
		sum.s[1].v[c] = sum.s[1].v[c] + half[1].v[c];
		sum.s[2].v[c] = sum.s[2].v[c] + times_i(half[1].v[c]);
		sum.s[3].v[c] = sum.s[3].v[c] + times_i(half[0].v[c]);
	}
	out[site] = sum;
}

struct RankBlock {
	unsigned before[4];
	uint64 lo, hi;
};

__device__ inline int rank_of(const RankBlock *blocks, uint8 symbol, int at) {
	RankBlock b = blocks[at / 64];
	uint64 lo = b.lo, hi = b.hi;
	if (!(symbol & 1)) lo = ~lo;
	if (!(symbol & 2)) hi = ~hi;
	return b.before[symbol] + POPC(lo & hi & ((1ull << at % 64) - 1));
}

struct Firsts { int v[4]; };

extern "C" __global__ void fm_search(int count, int n, int m, Firsts first, const RankBlock *blocks, const uint8 *patterns, int *counts) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= count) return;
	const uint8 *pattern = patterns + i * m;
	int lo = 0, hi = n;
	for (int k = m - 1; k >= 0 && lo < hi; k--) {
		uint8 s = pattern[k];
		lo = first.v[s] + rank_of(blocks, s, lo);
		hi = first.v[s] + rank_of(blocks, s, hi);
	}
	counts[i] = hi - lo;
}

extern "C" __global__ void jacobi_rows(int n, const int *__restrict__ first, const int *__restrict__ index, const double *__restrict__ values,
		const double *__restrict__ b, const double *__restrict__ x, double *__restrict__ next) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n) return;
	int start = first[i], end = first[i + 1];
	double diagonal = 0, sum = b[i];
	for (int k = start; k < end; k++) {
		int j = index[k];
		if (j == i) diagonal = values[k];
		else sum -= values[k] * x[j];
	}
	next[i] = sum / diagonal;
}

struct Found {
	float x1, y1, x2, y2;
	__device__ float area() const { return (x2 - x1) * (y2 - y1); }
};

__device__ inline float overlap(Found a, Found b) {
	float w = fmaxf(fminf(a.x2, b.x2) - fmaxf(a.x1, b.x1), 0);
	float h = fmaxf(fminf(a.y2, b.y2) - fmaxf(a.y1, b.y1), 0);
	return w * h / (a.area() + b.area() - w * h);
}

#define NMS_BOXES 64

extern "C" __global__ void nms(int n, float limit, const Found *boxes, uint64 *mask) {
	int rows = blockIdx.y, cols = blockIdx.x;
	if (rows > cols) return;
	__shared__ Found tile[NMS_BOXES];
	int t = threadIdx.x;
	int size = min(n - cols * NMS_BOXES, NMS_BOXES);
	if (t < size) tile[t] = boxes[cols * NMS_BOXES + t];
	__syncthreads();
	int i = rows * NMS_BOXES + t;
	if (i >= n) return;
	Found own = boxes[i];
	int start = rows == cols ? t + 1 : 0;
	uint64 word = 0;
	for (int j = start; j < size; j++) {
		if (overlap(own, tile[j]) > limit) word |= 1ull << j;
	}
	mask[i * gridDim.x + cols] = word;
}

#define EMBEDDING_DIM 128

extern "C" __global__ void embedding_bag(int count, int bags, const float *__restrict__ table, const int *__restrict__ ids, const int *__restrict__ offsets, float *__restrict__ out) {
	int bag = blockIdx.x, t = threadIdx.x;
	int start = offsets[bag], end = bag + 1 < bags ? offsets[bag + 1] : count;
	float sum = 0;
	for (int k = start; k < end; k++) sum += table[ids[k] * EMBEDDING_DIM + t];
	if (end > start) sum /= end - start;
	out[bag * EMBEDDING_DIM + t] = sum;
}

__device__ inline float sigmoid(float x) { return 1 / (1 + expf(-x)); }

extern "C" __global__ void gru_cell(int n, int width, const float *input, const float *hidden, const float *state, float *out) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n) return;
	int row = i / width, j = i % width;
	const float *gi = input + row * 3 * width, *gh = hidden + row * 3 * width;
	float reset = sigmoid(gi[j] + gh[j]);
	float update = sigmoid(gi[width + j] + gh[width + j]);
	float fresh = tanhf(gi[2 * width + j] + reset * gh[2 * width + j]);
	out[i] = (1 - update) * fresh + update * state[i];
}

struct Vec {
	float x, y, z;
	__device__ Vec operator+(Vec b) const { return Vec{x + b.x, y + b.y, z + b.z}; }
	__device__ Vec operator-(Vec b) const { return Vec{x - b.x, y - b.y, z - b.z}; }
	__device__ Vec operator*(float s) const { return Vec{x * s, y * s, z * s}; }
	__device__ float dot(Vec b) const { return x * b.x + y * b.y + z * b.z; }
};

struct Grain {
	Vec pos, vel;
	float radius;
};

__device__ inline Vec contact(Grain a, Grain b, float stiff, float damp) {
	Vec d = b.pos - a.pos;
	float reach = a.radius + b.radius;
	float square = d.dot(d);
	if (square >= reach * reach) return Vec{0, 0, 0};
	float dist = sqrtf(square);
	Vec normal = d * (1 / dist);
	float speed = (b.vel - a.vel).dot(normal);
	return normal * (damp * speed - stiff * (reach - dist));
}

extern "C" __global__ void dem_contact(int n, int edge, float size, float stiff, float damp, const int *first, const Grain *grains, Vec *force) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n) return;
	Grain own = grains[i];
	int cx = (int)(own.pos.x / size), cy = (int)(own.pos.y / size), cz = (int)(own.pos.z / size);
	Vec sum = {0, 0, 0};
	for (int z = max(cz - 1, 0); z <= min(cz + 1, edge - 1); z++) {
		for (int y = max(cy - 1, 0); y <= min(cy + 1, edge - 1); y++) {
			for (int x = max(cx - 1, 0); x <= min(cx + 1, edge - 1); x++) {
				int c = (z * edge + y) * edge + x;
				for (int j = first[c]; j < first[c + 1]; j++) {
					if (j != i) sum = sum + contact(own, grains[j], stiff, damp);
				}
			}
		}
	}
	force[i] = sum;
}

struct Unfold {
	int n, c, h, w;
	int kernel;
	int stride, pad, dilation;
	__device__ int out_h() const { return (h + 2 * pad - dilation * (kernel - 1) - 1) / stride + 1; }
	__device__ int out_w() const { return (w + 2 * pad - dilation * (kernel - 1) - 1) / stride + 1; }
};

extern "C" __global__ void im2col(int count, Unfold u, const float *__restrict__ in, float *__restrict__ out) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= count) return;
	int oh = u.out_h(), ow = u.out_w(), k = u.kernel;
	int x = i % ow, y = i / ow % oh;
	int kx = i / (oh * ow) % k, ky = i / (oh * ow) / k % k;
	int c = i / (oh * ow) / (k * k) % u.c, n = i / (oh * ow) / (k * k) / u.c;
	int sx = x * u.stride - u.pad + kx * u.dilation, sy = y * u.stride - u.pad + ky * u.dilation;
	float v = 0;
	if (sx >= 0 && sx < u.w && sy >= 0 && sy < u.h) v = in[((n * u.c + c) * u.h + sy) * u.w + sx];
	out[i] = v;
}
