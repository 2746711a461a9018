// The kernels as C with OpenMP: what a C programmer would write for a CPU, and
// not the block structure of the GPU kernels where a loop is natural.
#include "../worker/worker.h"
#include <math.h>
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static void saxpy(workload *w) {
	const float *restrict x = w->arrays[0].host;
	float *restrict y = w->arrays[1].host;
	long n = w->n;
#pragma omp parallel for simd
	for (long i = 0; i < n; i++) y[i] += 2 * x[i];
}

static void reduce(workload *w) {
	const float *in = w->arrays[0].host;
	long n = w->n;
	float sum = 0;
#pragma omp parallel for simd reduction(+ : sum)
	for (long i = 0; i < n; i++) sum += in[i];
	*(float *)w->arrays[1].host = sum;
}

// mandelbrot takes 32 pixels of a row at a time until all of them are out.
static void mandelbrot(workload *w) {
	enum { L = 32 };
	int32_t *out = w->arrays[0].host;
	long n = w->n;
	float x0 = -2, y0 = -1.5f, step = 3.0f / n;
#pragma omp parallel for schedule(dynamic, 4)
	for (long py = 0; py < n; py++) {
		float cy = y0 + py * step;
		for (long px = 0; px < n; px += L) {
			float cx[L], x[L] = {0}, y[L] = {0};
			int32_t count[L] = {0};
#pragma omp simd
			for (int l = 0; l < L; l++) cx[l] = x0 + (px + l) * step;
			for (int k = 0; k < LIMIT; k++) {
				int32_t left = 0;
#pragma omp simd reduction(| : left)
				for (int l = 0; l < L; l++) {
					float xx = x[l] * x[l], yy = y[l] * y[l];
					int32_t in = xx + yy < 4;
					float nx = xx - yy + cx[l], ny = 2 * x[l] * y[l] + cy;
					x[l] = in ? nx : x[l];
					y[l] = in ? ny : y[l];
					count[l] += in;
					left |= in;
				}
				if (!left) break;
			}
			memcpy(&out[py * n + px], count, sizeof count);
		}
	}
}

static inline float cnd(float d) {
	const float a1 = 0.31938153f, a2 = -0.356563782f, a3 = 1.781477937f, a4 = -1.821255978f, a5 = 1.330274429f;
	float k = 1 / (1 + 0.2316419f * fabsf(d));
	float v = 0.39894228040143267794f * expf(-0.5f * d * d) * (k * (a1 + k * (a2 + k * (a3 + k * (a4 + k * a5)))));
	return d > 0 ? 1 - v : v;
}

static void black_scholes(workload *w) {
	const float *restrict price = w->arrays[0].host, *restrict strike = w->arrays[1].host, *restrict years = w->arrays[2].host;
	float *restrict call = w->arrays[3].host, *restrict put = w->arrays[4].host;
	const float risk_free = 0.02f, volatility = 0.3f;
	long n = w->n;
#pragma omp parallel for simd
	for (long i = 0; i < n; i++) {
		float s = price[i], x = strike[i], t = years[i], root = sqrtf(t);
		float d1 = (logf(s / x) + (risk_free + 0.5f * volatility * volatility) * t) / (volatility * root);
		float c1 = cnd(d1), c2 = cnd(d1 - volatility * root);
		float discounted = x * expf(-risk_free * t);
		call[i] = s * c1 - discounted * c2;
		put[i] = discounted * (1 - c2) - s * (1 - c1);
	}
}

typedef struct {
	float x, y, z, w;
} float4;

// nbody takes the bodies apart into x, y, z and mass, for the inner loop's sake.
static void nbody(workload *w) {
	static float x[1 << 16], y[1 << 16], z[1 << 16], m[1 << 16];
	const float4 *pos = w->arrays[0].host;
	float4 *force = w->arrays[1].host;
	const float soft = 0.01f;
	long n = w->n;
	for (long i = 0; i < n; i++) x[i] = pos[i].x, y[i] = pos[i].y, z[i] = pos[i].z, m[i] = pos[i].w;
#pragma omp parallel for
	for (long i = 0; i < n; i++) {
		float px = x[i], py = y[i], pz = z[i], ax = 0, ay = 0, az = 0;
#pragma omp simd reduction(+ : ax, ay, az)
		for (long j = 0; j < n; j++) {
			float dx = x[j] - px, dy = y[j] - py, dz = z[j] - pz;
			float inv = 1 / sqrtf(dx * dx + dy * dy + dz * dz + soft);
			float f = m[j] * inv * inv * inv;
			ax += dx * f;
			ay += dy * f;
			az += dz * f;
		}
		force[i] = (float4){ax, ay, az, 0};
	}
}

// sgemm keeps a tile of c, 8 by 32 elements, in registers.
static void sgemm(workload *w) {
	enum { I = 8, J = 32 };
	const float *restrict a = w->arrays[0].host, *restrict b = w->arrays[1].host;
	float *restrict c = w->arrays[2].host;
	long n = w->n;
#pragma omp parallel for
	for (long j0 = 0; j0 < n; j0 += J)
		for (long i0 = 0; i0 < n; i0 += I) {
			float sum[I][J] = {0};
			for (long k = 0; k < n; k++)
#pragma clang loop unroll(full)
				for (int i = 0; i < I; i++) {
					float v = a[(i0 + i) * n + k];
#pragma omp simd
					for (int j = 0; j < J; j++) sum[i][j] += v * b[k * n + j0 + j];
				}
			for (int i = 0; i < I; i++) memcpy(&c[(i0 + i) * n + j0], sum[i], sizeof sum[i]);
		}
}

static void stencil(workload *w) {
	const float *restrict in = w->arrays[0].host;
	float *restrict out = w->arrays[1].host;
	const float c0 = 0.5f, c1 = 0.1f;
	long n = w->n, plane = n * n;
#pragma omp parallel for
	for (long z = 1; z < n - 1; z++)
		for (long y = 1; y < n - 1; y++) {
			long row = z * plane + y * n;
#pragma omp simd
			for (long i = row + 1; i < row + n - 1; i++)
				out[i] = c0 * in[i] + c1 * (in[i - 1] + in[i + 1] + in[i - n] + in[i + n] + in[i - plane] + in[i + plane]);
		}
}

// histogram counts each byte of a word in a table of its own, so that equal
// neighbours do not wait for each other.
static void histogram(workload *w) {
	const uint32_t *in = w->arrays[0].host;
	uint32_t *counts = w->arrays[1].host;
	long n = w->n;
#pragma omp parallel
	{
		uint32_t local[4][BINS] = {{0}};
#pragma omp for nowait
		for (long i = 0; i < n; i++) {
			uint32_t v = in[i];
			local[0][v & 0xff]++;
			local[1][v >> 8 & 0xff]++;
			local[2][v >> 16 & 0xff]++;
			local[3][v >> 24]++;
		}
#pragma omp critical
		for (int i = 0; i < BINS; i++) counts[i] += local[0][i] + local[1][i] + local[2][i] + local[3][i];
	}
}

// merge is one step of the network on a run, of a vector's stride or more.
static void merge(float *restrict s, int size, int stride) {
	for (int first = 0; first < RUN; first += 2 * stride) {
		float *restrict lo = s + first, *restrict hi = lo + stride;
		if (first & size) {
			float *t = lo;
			lo = hi, hi = t;
		}
#pragma omp simd
		for (int i = 0; i < stride; i++) {
			float a = lo[i], b = hi[i];
			lo[i] = a < b ? a : b;
			hi[i] = a < b ? b : a;
		}
	}
}

typedef float vector __attribute__((vector_size(64)));
typedef int32_t mask __attribute__((vector_size(64)));

static inline vector choose(mask m, vector a, vector b) { return (vector)(((mask)a & m) | ((mask)b & ~m)); }

#define SWAPPED(v, d)                                                                                                   \
	__builtin_shufflevector(v, v, 0 ^ d, 1 ^ d, 2 ^ d, 3 ^ d, 4 ^ d, 5 ^ d, 6 ^ d, 7 ^ d, 8 ^ d, 9 ^ d, 10 ^ d, 11 ^ d, \
	                        12 ^ d, 13 ^ d, 14 ^ d, 15 ^ d)

// STEP is one step of less than a vector: each element becomes the smaller or
// the larger of itself and its partner, as its place wants.
#define STEP(d)                                                         \
	if (size > d) {                                                     \
		vector b = SWAPPED(v, d);                                       \
		mask low = ((place & d) == 0) == (((place + first) & size) == 0); \
		v = choose((v < b) == low, v, b);                               \
	}

// merge_small does a run's steps of strides 8 to 1.
static void merge_small(float *s, int size) {
	const mask place = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
	for (int first = 0; first < RUN; first += 16) {
		vector v;
		memcpy(&v, s + first, sizeof v);
		STEP(8)
		STEP(4)
		STEP(2)
		STEP(1)
		memcpy(s + first, &v, sizeof v);
	}
}

static void bitonic(workload *w) {
	const float *in = w->arrays[0].host;
	float *out = w->arrays[1].host;
	long n = w->n;
#pragma omp parallel for
	for (long base = 0; base < n; base += RUN) {
		float s[RUN] __attribute__((aligned(64)));
		memcpy(s, in + base, sizeof s);
		for (int size = 2; size <= RUN; size *= 2) {
			for (int stride = size / 2; stride >= 16; stride /= 2) merge(s, size, stride);
			merge_small(s, size);
		}
		memcpy(out + base, s, sizeof s);
	}
}

static void scan(workload *w) {
	const int32_t *restrict in = w->arrays[0].host;
	int32_t *restrict out = w->arrays[1].host, *restrict totals = w->arrays[2].host;
	long n = w->n;
#pragma omp parallel for
	for (long base = 0; base < n; base += RUN) {
		int32_t sum = 0;
		for (long i = base; i < base + RUN; i++) out[i] = sum += in[i];
		totals[base / RUN] = sum;
	}
}

static const struct {
	const char *name;
	void (*run)(workload *);
} kernels[] = {
	{"saxpy", saxpy}, {"reduce", reduce}, {"mandelbrot", mandelbrot}, {"black_scholes", black_scholes}, {"nbody", nbody},
	{"sgemm", sgemm}, {"stencil", stencil}, {"histogram", histogram}, {"bitonic", bitonic}, {"scan", scan},
};

static void (*chosen)(workload *);

const char *start(void) { return NULL; }

const char *describe(void) {
	static char text[512];
	snprintf(text, sizeof text, "%s, %s, %d threads", __VERSION__, FLAGS, omp_get_max_threads());
	return text;
}

const char *prepare(workload *w) {
	for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++)
		if (!strcmp(kernels[i].name, w->name)) {
			chosen = kernels[i].run;
			return NULL;
		}
	return "no such kernel";
}

const char *run(workload *w) {
	chosen(w);
	return NULL;
}

const char *fetch(workload *w) { return (void)w, NULL; }

// OpenMP's idle threads spin for a while; they shall not while others are timed.
void rest(void) { omp_pause_resource_all(omp_pause_soft); }

void finish(workload *w) { (void)w; }
