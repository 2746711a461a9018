#include "device.h"

typedef unsigned char uint8;
typedef unsigned long long uint64;

#define TREE_STEPS 256

struct TreeOption { float stock, strike, spread, up, down; };

extern "C" __global__ void binomial(const TreeOption *options, float *prices) {
	__shared__ float values[TREE_STEPS + 1];
	int t = threadIdx.x;
	TreeOption o = options[blockIdx.x];
	float stock = o.stock * expf(o.spread * (2 * t - TREE_STEPS));
	values[t] = fmaxf(o.strike - stock, 0);
	if (t == 0) values[TREE_STEPS] = fmaxf(o.strike - o.stock * expf(o.spread * TREE_STEPS), 0);
	__syncthreads();
	float up = expf(o.spread);
	for (int step = TREE_STEPS - 1; step >= 0; step--) {
		float v = 0;
		if (t <= step) {
			stock *= up;
			v = fmaxf(o.up * values[t + 1] + o.down * values[t], o.strike - stock);
		}
		__syncthreads();
		if (t <= step) values[t] = v;
		__syncthreads();
	}
	if (t == 0) prices[blockIdx.x] = values[0];
}

struct AdamSettings { float rate, beta1, beta2, eps, decay, correct1, correct2; };

extern "C" __global__ void adam(int n, AdamSettings a, const float *__restrict__ g, float *__restrict__ m, float *__restrict__ v, float *__restrict__ p) {
	int step = gridDim.x * blockDim.x;
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) {
		float grad = g[i];
		m[i] = a.beta1 * m[i] + (1 - a.beta1) * grad;
		v[i] = a.beta2 * v[i] + (1 - a.beta2) * grad * grad;
		float mean = m[i] / a.correct1, square = v[i] / a.correct2;
		float update = mean / (sqrtf(square) + a.eps) + a.decay * p[i];
		p[i] -= a.rate * update;
	}
}

extern "C" __global__ void winograd(int channels, int h, int w, const float *__restrict__ in, float *__restrict__ out) {
	int tiles_x = (w + 1) / 2, tiles_y = (h + 1) / 2;
	int n = channels * tiles_x * tiles_y;
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n) return;
	int tx = i % tiles_x, ty = i / tiles_x % tiles_y, c = i / tiles_x / tiles_y;
	float d[4][4] = {};
	for (int y = 0; y < 4; y++) {
		for (int x = 0; x < 4; x++) {
			int sy = 2 * ty - 1 + y, sx = 2 * tx - 1 + x;
			if (sy >= 0 && sy < h && sx >= 0 && sx < w) d[y][x] = in[(c * h + sy) * w + sx];
		}
	}
	float t[4][4];
	for (int x = 0; x < 4; x++) {
		t[0][x] = d[0][x] - d[2][x];
		t[1][x] = d[1][x] + d[2][x];
		t[2][x] = d[2][x] - d[1][x];
		t[3][x] = d[1][x] - d[3][x];
	}
	for (int y = 0; y < 4; y++) {
		out[(4 * y + 0) * n + i] = t[y][0] - t[y][2];
		out[(4 * y + 1) * n + i] = t[y][1] + t[y][2];
		out[(4 * y + 2) * n + i] = t[y][2] - t[y][1];
		out[(4 * y + 3) * n + i] = t[y][1] - t[y][3];
	}
}

#define READ_STRIP 32
#define MAX_HAPLOTYPE 256
#define PAIR_SCALE 0x1p120f

struct Pairing { int read, read_len, hap, hap_len; };
struct Transition { float match, close, open, extend; };
struct Forward {
	float m, i, d;
	__device__ Forward below() const { return Forward{SHFL_UP(m, 1), SHFL_UP(i, 1), SHFL_UP(d, 1)}; }
};

extern "C" __global__ void pairhmm(const Pairing *pairs, const uint8 *reads, const uint8 *quals, const uint8 *gaps, const uint8 *haps, const float *errors,
		const Transition *transitions, float *out) {
	__shared__ Forward rows[2][MAX_HAPLOTYPE + 1];
	Pairing pair = pairs[blockIdx.x];
	int lane = threadIdx.x;
	int read_len = pair.read_len, hap_len = pair.hap_len;
	const uint8 *hap = haps + pair.hap;
	for (int j = lane; j <= hap_len; j += READ_STRIP) rows[0][j] = Forward{0, 0, PAIR_SCALE / hap_len};
	float sum = 0;
	int now = 0, next = 1;
	for (int first = 0; first < read_len; first += READ_STRIP) {
		__syncthreads();
		int row = first + lane;
		uint8 base = 0;
		float miss = 0;
		Transition t = {};
		if (row < read_len) {
			int at = pair.read + row;
			base = reads[at];
			miss = errors[quals[at]];
			t = transitions[gaps[at]];
		}
		Forward own = {}, corner = {};
		if (lane == 0) {
			corner = rows[now][0];
			rows[next][0] = Forward{0, 0, 0};
		}
		for (int d = 0; d < hap_len + READ_STRIP - 1; d++) {
			int j = d - lane + 1;
			Forward above = own.below();
			if (lane == 0 && j <= hap_len) above = rows[now][j];
			if (row < read_len && j >= 1 && j <= hap_len) {
				float prior = miss / 3;
				if (hap[j - 1] == base) prior = 1 - miss;
				own = Forward{
					prior * (corner.m * t.match + (corner.i + corner.d) * t.close),
					above.m * t.open + above.i * t.extend,
					own.m * t.open + own.d * t.extend,
				};
				if (lane == READ_STRIP - 1) rows[next][j] = own;
				if (row == read_len - 1) sum += own.m + own.i;
			}
			corner = above;
		}
		int swap = now;
		now = next;
		next = swap;
	}
	if (lane == (read_len - 1) % READ_STRIP) out[blockIdx.x] = logf(sum) - 120 * 0.69314718055994530942f;
}

#define NTT_SIZE 1024
#define NTT_MOD 998244353u

__device__ inline unsigned add_mod(unsigned a, unsigned b) {
	unsigned s = a + b;
	if (s >= NTT_MOD) s -= NTT_MOD;
	return s;
}

__device__ inline unsigned sub_mod(unsigned a, unsigned b) {
	if (a < b) a += NTT_MOD;
	return a - b;
}

__device__ inline unsigned mul_mod(unsigned a, unsigned b) { return (uint64)a * b % NTT_MOD; }

extern "C" __global__ void ntt(const unsigned *roots, const unsigned *in, unsigned *out) {
	__shared__ unsigned data[NTT_SIZE];
	int t = threadIdx.x, start = blockIdx.x * NTT_SIZE;
	for (int k = t; k < NTT_SIZE; k += blockDim.x) data[BREV((unsigned)k) >> 22] = in[start + k];
	__syncthreads();
	for (int half = 1; half < NTT_SIZE; half *= 2) {
		int k = t % half;
		int i = t / half * 2 * half + k;
		unsigned u = data[i], v = mul_mod(data[i + half], roots[k * (NTT_SIZE / 2 / half)]);
		data[i] = add_mod(u, v);
		data[i + half] = sub_mod(u, v);
		__syncthreads();
	}
	for (int k = t; k < NTT_SIZE; k += blockDim.x) out[start + k] = data[k];
}

extern "C" __global__ void pnpoly(int vertices, int n, const float2 *polygon, const float2 *points, bool *inside) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n) return;
	float2 p = points[i];
	bool odd = false;
	for (int j = 0, k = vertices - 1; j < vertices; k = j++) {
		float2 a = polygon[j], b = polygon[k];
		if ((a.y > p.y) != (b.y > p.y) && p.x < (b.x - a.x) * (p.y - a.y) / (b.y - a.y) + a.x) odd = !odd;
	}
	inside[i] = odd;
}

#define JACOBI_SWEEPS 15

__device__ inline void jacobi_rotate(float a[3][3], int p, int q) {
	float apq = a[p][q];
	if (apq == 0) return;
	float theta = (a[q][q] - a[p][p]) / (2 * apq);
	float t = 1 / (fabsf(theta) + sqrtf(theta * theta + 1));
	if (theta < 0) t = -t;
	float c = 1 / sqrtf(t * t + 1);
	float s = t * c;
	a[p][p] -= t * apq;
	a[q][q] += t * apq;
	a[p][q] = a[q][p] = 0;
	int r = 3 - p - q;
	float arp = a[r][p], arq = a[r][q];
	a[r][p] = c * arp - s * arq;
	a[p][r] = a[r][p];
	a[r][q] = s * arp + c * arq;
	a[q][r] = a[r][q];
}

extern "C" __global__ void eigen3(int n, const float *__restrict__ in, float *__restrict__ out) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n) return;
	float xx = in[i], xy = in[n + i], xz = in[2 * n + i], yy = in[3 * n + i], yz = in[4 * n + i], zz = in[5 * n + i];
	float a[3][3] = {{xx, xy, xz}, {xy, yy, yz}, {xz, yz, zz}};
	for (int sweep = 0; sweep < JACOBI_SWEEPS; sweep++) {
		float off = a[0][1] * a[0][1] + a[0][2] * a[0][2] + a[1][2] * a[1][2];
		float on = a[0][0] * a[0][0] + a[1][1] * a[1][1] + a[2][2] * a[2][2];
		if (off <= 1e-12f * on) break;
		for (int p = 0; p < 2; p++) {
			for (int q = p + 1; q < 3; q++) jacobi_rotate(a, p, q);
		}
	}
	float x = a[0][0], y = a[1][1], z = a[2][2], swap;
	if (x > y) swap = x, x = y, y = swap;
	if (y > z) swap = y, y = z, z = swap;
	if (x > y) swap = x, x = y, y = swap;
	out[i] = x;
	out[n + i] = y;
	out[2 * n + i] = z;
}

__device__ inline int lower_bound(const float *sorted, int n, float v) {
	int lo = 0, hi = n;
	while (lo < hi) {
		int mid = (lo + hi) / 2;
		if (sorted[mid] < v) lo = mid + 1;
		else hi = mid;
	}
	return lo;
}

extern "C" __global__ void resample(int n, float offset, const float *__restrict__ sums, const float *__restrict__ x, const float *__restrict__ y,
		const float *__restrict__ vx, const float *__restrict__ vy, float *__restrict__ out_x, float *__restrict__ out_y, float *__restrict__ out_vx, float *__restrict__ out_vy) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n) return;
	float u = (i + offset) / n;
	int j = min(lower_bound(sums, n, u), n - 1);
	out_x[i] = x[j];
	out_y[i] = y[j];
	out_vx[i] = vx[j];
	out_vy[i] = vy[j];
}
