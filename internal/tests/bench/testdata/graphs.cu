#include "device.h"

struct alignas(8) Link { int a, b; };

#define UNREACHED -1

extern "C" __global__ void frontier_expand(const int *__restrict__ first, const int *__restrict__ to, int n, const int *__restrict__ frontier, int depth,
		int *__restrict__ distance, int *__restrict__ next, unsigned *__restrict__ tail) {
	int thread = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % WARP;
	for (int i = thread / WARP; i < n; i += gridDim.x * blockDim.x / WARP) {
		int v = frontier[i], end = first[v + 1];
		for (int k = first[v] + lane; k < end; k += WARP) {
			int u = to[k];
			if (ATOMIC_CAS(&distance[u], UNREACHED, depth + 1) == UNREACHED) next[ATOMIC_ADD(tail, 1u)] = u;
		}
	}
}

__device__ inline unsigned weight_of(int i, unsigned seed) {
	unsigned x = (unsigned)i * 2654435761u + seed;
	x ^= x >> 16;
	x *= 0x85ebca6b;
	return x ^ x >> 13;
}

__device__ inline int choose_color(int v, const int *first, const int *to, unsigned round, const int *colors) {
	unsigned own = weight_of(v, round);
	unsigned long long low = 0, high = 0; // the colors that are taken
	for (int k = first[v], end = first[v + 1]; k < end; k++) {
		int u = to[k], c = colors[u];
		if (c >= 64) {
			high |= 1ull << (c - 64);
		} else if (c >= 0) {
			low |= 1ull << c;
		} else {
			unsigned other = weight_of(u, round);
			if (other > own || (other == own && u > v)) return -1;
		}
	}
	if (~low) return CTZ(~low);
	return ~high ? 64 + CTZ(~high) : -1;
}

extern "C" __global__ void color_graph(int n, const int *__restrict__ first, const int *__restrict__ to, unsigned round, const int *__restrict__ colors, int *__restrict__ next) {
	int v = blockIdx.x * blockDim.x + threadIdx.x;
	if (v >= n) return;
	int c = colors[v];
	if (c < 0) c = choose_color(v, first, to, round, colors);
	next[v] = c;
}

__device__ inline int find_root(int *parent, int v) {
	int up = parent[v];
	while (up != v) {
		int next = parent[up];
		if (next == up) break;
		parent[v] = next;
		v = up;
		up = next;
	}
	return up;
}

extern "C" __global__ void union_find(int n, const Link *__restrict__ links, int *__restrict__ parent) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n) return;
	Link l = links[i];
	int a = find_root(parent, l.a), b = find_root(parent, l.b);
	while (a != b) {
		if (a < b) {
			int t = a;
			a = b;
			b = t;
		}
		int old = ATOMIC_CAS(&parent[a], a, b);
		if (old == a) break;
		a = find_root(parent, old);
	}
}

#define PAIR_THREADS 256
#define PAIR_ITEMS 4
#define PAIR_TILE (PAIR_THREADS * PAIR_ITEMS)
#define PAIR_BITS 4
#define PAIR_DIGITS (1 << PAIR_BITS)

__device__ inline int sum_before(int v, int *sums) {
	int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP, sum = v;
	for (int d = 1; d < WARP; d *= 2) {
		int below = SHFL_UP(sum, d);
		if (lane >= d) sum += below;
	}
	if (lane == WARP - 1) sums[warp] = sum;
	__syncthreads();
	int before = sum - v;
	for (int w = 0; w < warp; w++) before += sums[w];
	return before;
}

extern "C" __global__ void block_sort_pairs(int length, const unsigned *__restrict__ keys, const unsigned *__restrict__ values, unsigned *__restrict__ out_keys,
		unsigned *__restrict__ out_values) {
	__shared__ int counts[PAIR_DIGITS][PAIR_THREADS];
	__shared__ int sums[PAIR_THREADS / WARP];
	__shared__ unsigned key_tile[PAIR_TILE], value_tile[PAIR_TILE];
	int t = threadIdx.x, base = blockIdx.x * PAIR_TILE, n = min(length - base, PAIR_TILE);
	unsigned key[PAIR_ITEMS], value[PAIR_ITEMS];
	for (int k = 0; k < PAIR_ITEMS; k++) {
		int i = t * PAIR_ITEMS + k;
		key[k] = i < n ? keys[base + i] : ~0u;
		value[k] = i < n ? values[base + i] : 0;
	}
	for (int shift = 0; shift < 32; shift += PAIR_BITS) {
		for (int d = 0; d < PAIR_DIGITS; d++) counts[d][t] = 0;
		int rank[PAIR_ITEMS];
		for (int k = 0; k < PAIR_ITEMS; k++) rank[k] = counts[key[k] >> shift & (PAIR_DIGITS - 1)][t]++;
		__syncthreads();
		int *part = &counts[0][0] + t * PAIR_DIGITS, sum = 0;
		for (int i = 0; i < PAIR_DIGITS; i++) sum += part[i];
		int before = sum_before(sum, sums);
		for (int i = 0; i < PAIR_DIGITS; i++) {
			int c = part[i];
			part[i] = before;
			before += c;
		}
		__syncthreads();
		for (int k = 0; k < PAIR_ITEMS; k++) {
			int to = counts[key[k] >> shift & (PAIR_DIGITS - 1)][t] + rank[k];
			key_tile[to] = key[k];
			value_tile[to] = value[k];
		}
		__syncthreads();
		for (int k = 0; k < PAIR_ITEMS; k++) {
			key[k] = key_tile[t * PAIR_ITEMS + k];
			value[k] = value_tile[t * PAIR_ITEMS + k];
		}
	}
	for (int i = t; i < n; i += PAIR_THREADS) {
		out_keys[base + i] = key_tile[i];
		out_values[base + i] = value_tile[i];
	}
}

#define SEGMENT_THREADS 256
#define SEGMENT_ITEMS 8

struct Run {
	float sum;
	int head;
};

__device__ inline Run then(Run a, Run b) { return b.head ? b : Run{a.sum + b.sum, a.head}; }
__device__ inline Run run_below(Run r, int d) { return Run{SHFL_UP(r.sum, d), SHFL_UP(r.head, d)}; }

extern "C" __global__ void segmented_scan(int n, const float *__restrict__ values, const bool *__restrict__ heads, float *__restrict__ out) {
	__shared__ Run totals[SEGMENT_THREADS / WARP];
	int t = threadIdx.x, lane = t % WARP, warp = t / WARP, first = (blockIdx.x * blockDim.x + t) * SEGMENT_ITEMS;
	Run runs[SEGMENT_ITEMS], total = {0, 0};
	for (int k = 0; k < SEGMENT_ITEMS; k++) {
		int i = first + k;
		if (i < n) total = then(total, Run{values[i], heads[i]});
		runs[k] = total;
	}
	for (int d = 1; d < WARP; d *= 2) {
		Run before = run_below(total, d);
		if (lane >= d) total = then(before, total);
	}
	if (lane == WARP - 1) totals[warp] = total;
	Run before = run_below(total, 1), block = {0, 0};
	if (lane == 0) before = Run{0, 0};
	__syncthreads();
	for (int w = 0; w < warp; w++) block = then(block, totals[w]);
	before = then(block, before);
	for (int k = 0; k < SEGMENT_ITEMS; k++) {
		int i = first + k;
		if (i < n) out[i] = then(before, runs[k]).sum;
	}
}

typedef unsigned long long u64;
typedef unsigned char uint8;

struct Keys {
	u64 of[16];
};

__device__ inline unsigned des_round(const unsigned (*box)[64], unsigned half, u64 key) {
	unsigned t = half ^ (unsigned)(key >> 32);
	unsigned out = box[7][t & 0x3f] ^ box[5][t >> 8 & 0x3f] ^ box[3][t >> 16 & 0x3f] ^ box[1][t >> 24 & 0x3f];
	t = rotr(half, 4) ^ (unsigned)key;
	return out ^ box[6][t & 0x3f] ^ box[4][t >> 8 & 0x3f] ^ box[2][t >> 16 & 0x3f] ^ box[0][t >> 24 & 0x3f];
}

__device__ inline void exchange(unsigned &a, unsigned &b, int n, unsigned mask) {
	unsigned moved = (a >> n ^ b) & mask;
	b ^= moved;
	a ^= moved << n;
}

__device__ inline unsigned swap_bytes(unsigned x) { return x << 24 | (x & 0xff00) << 8 | (x >> 8 & 0xff00) | x >> 24; }

extern "C" __global__ void des_ctr(int n, const unsigned *__restrict__ table, Keys keys, u64 start, const uint8 *__restrict__ src, uint8 *__restrict__ dst) {
	__shared__ unsigned box[8][64];
	for (int i = threadIdx.x; i < 8 * 64; i += blockDim.x) box[i / 64][i % 64] = table[i];
	__syncthreads();
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (8 * i >= n) return;
	u64 counter = start + i;
	unsigned left = counter >> 32, right = counter;
	exchange(left, right, 4, 0x0f0f0f0f);
	exchange(left, right, 16, 0xffff);
	exchange(right, left, 2, 0x33333333);
	exchange(right, left, 8, 0x00ff00ff);
	exchange(left, right, 1, 0x55555555);
	left = rotl(left, 1);
	right = rotl(right, 1);
	for (int r = 0; r < 16; r++) {
		unsigned next = left ^ des_round(box, right, keys.of[r]);
		left = right;
		right = next;
	}
	left = rotr(left, 1);
	right = rotr(right, 1);
	exchange(right, left, 1, 0x55555555);
	exchange(left, right, 8, 0x00ff00ff);
	exchange(left, right, 2, 0x33333333);
	exchange(right, left, 16, 0xffff);
	exchange(right, left, 4, 0x0f0f0f0f);
	if (8 * i + 8 <= n) { // buffers are aligned
		uint2 in = ((const uint2 *)src)[i];
		((uint2 *)dst)[i] = uint2{in.x ^ swap_bytes(right), in.y ^ swap_bytes(left)};
		return;
	}
	u64 stream = (u64)right << 32 | left;
	for (int k = 0; 8 * i + k < n; k++) dst[8 * i + k] = src[8 * i + k] ^ (uint8)(stream >> (56 - 8 * k));
}

__constant__ unsigned md5_sines[64] = {
	0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501,
	0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821,
	0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
	0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a,
	0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70,
	0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
	0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
	0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391,
};

__constant__ int md5_turns[4][4] = {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};

__device__ inline void md5_block(unsigned *s, const uint8 *p) {
	unsigned w[16];
	for (int i = 0; i < 16; i++) w[i] = p[4 * i] | p[4 * i + 1] << 8 | p[4 * i + 2] << 16 | (unsigned)p[4 * i + 3] << 24;
	unsigned a = s[0], b = s[1], c = s[2], d = s[3];
#pragma unroll
	for (int i = 0; i < 64; i++) {
		unsigned f;
		int k;
		switch (i / 16) {
		case 0:
			f = (b & c) | (~b & d);
			k = i;
			break;
		case 1:
			f = (d & b) | (~d & c);
			k = (5 * i + 1) % 16;
			break;
		case 2:
			f = b ^ c ^ d;
			k = (3 * i + 5) % 16;
			break;
		default:
			f = c ^ (b | ~d);
			k = 7 * i % 16;
		}
		f += a + md5_sines[i] + w[k];
		a = d;
		d = c;
		c = b;
		b += rotl(f, md5_turns[i / 16][i % 4]);
	}
	s[0] += a;
	s[1] += b;
	s[2] += c;
	s[3] += d;
}

extern "C" __global__ void md5_blocks(int n, const uint8 *__restrict__ text, const int *__restrict__ offsets, uint4 *__restrict__ sums) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n) return;
	const uint8 *p = text + offsets[i];
	int length = offsets[i + 1] - offsets[i], left = length;
	unsigned s[4] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
	for (; left >= 64; left -= 64, p += 64) md5_block(s, p);
	uint8 last[64] = {};
	for (int k = 0; k < left; k++) last[k] = p[k];
	last[left] = 0x80;
	if (left >= 56) {
		md5_block(s, last);
		for (int k = 0; k < 56; k++) last[k] = 0;
	}
	for (int k = 0; k < 8; k++) last[56 + k] = (u64)length * 8 >> (8 * k);
	md5_block(s, last);
	sums[i] = uint4{s[0], s[1], s[2], s[3]};
}

#define FFT_SIZE 1024
#define FFT_THREADS (FFT_SIZE / 4)

__device__ inline float2 cadd(float2 a, float2 b) { return float2{a.x + b.x, a.y + b.y}; }
__device__ inline float2 csub(float2 a, float2 b) { return float2{a.x - b.x, a.y - b.y}; }
__device__ inline float2 cmul(float2 a, float2 b) { return float2{a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x}; }

__device__ inline void fourier4(float2 *v) {
	float2 a = cadd(v[0], v[2]), b = csub(v[0], v[2]), c = cadd(v[1], v[3]), d = csub(v[1], v[3]);
	float2 turned = {-d.y, d.x};
	v[0] = cadd(a, c);
	v[1] = csub(b, turned);
	v[2] = csub(a, c);
	v[3] = cadd(b, turned);
}

extern "C" __global__ void fft_stockham(const float2 *__restrict__ roots, const float2 *__restrict__ in, float2 *__restrict__ out) {
	__shared__ float2 buffer[FFT_SIZE];
	int t = threadIdx.x;
	in += blockIdx.x * FFT_SIZE;
	out += blockIdx.x * FFT_SIZE;
	float2 v[4];
	for (int r = 0; r < 4; r++) v[r] = in[t + r * FFT_THREADS];
	for (int n = 1; n < FFT_SIZE; n *= 4) {
		int k = t & (n - 1);
		for (int r = 1; r < 4; r++) v[r] = cmul(v[r], roots[r * k * (FFT_THREADS / n)]);
		fourier4(v);
		__syncthreads();
		for (int r = 0; r < 4; r++) buffer[(t - k) * 4 + k + r * n] = v[r];
		__syncthreads();
		for (int r = 0; r < 4; r++) v[r] = buffer[t + r * FFT_THREADS];
	}
	for (int r = 0; r < 4; r++) out[t + r * FFT_THREADS] = v[r];
}
