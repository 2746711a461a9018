#include "device.h"

typedef unsigned char uint8;
typedef unsigned long long uint64;

__constant__ uint64 round_constants[24] = {
	0x0000000000000001ull, 0x0000000000008082ull, 0x800000000000808aull, 0x8000000080008000ull, 0x000000000000808bull, 0x0000000080000001ull,
	0x8000000080008081ull, 0x8000000000008009ull, 0x000000000000008aull, 0x0000000000000088ull, 0x0000000080008009ull, 0x000000008000000aull,
	0x000000008000808bull, 0x800000000000008bull, 0x8000000000008089ull, 0x8000000000008003ull, 0x8000000000008002ull, 0x8000000000000080ull,
	0x000000000000800aull, 0x800000008000000aull, 0x8000000080008081ull, 0x8000000000008080ull, 0x0000000080000001ull, 0x8000000080008008ull,
};

__device__ inline uint64 rotl64(uint64 x, int n) { return x << n | x >> (64 - n); }

__device__ inline void keccak(uint64 *a) {
	const int rotations[24] = {1, 3, 6, 10, 15, 21, 28, 36, 45, 55, 2, 14, 27, 41, 56, 8, 25, 43, 62, 18, 39, 61, 20, 44};
	const int lanes[24] = {10, 7, 11, 17, 18, 3, 5, 16, 8, 21, 24, 4, 15, 23, 19, 13, 12, 2, 20, 14, 22, 9, 6, 1};
	for (int r = 0; r < 24; r++) {
		uint64 c[5];
		for (int i = 0; i < 5; i++) c[i] = a[i] ^ a[i + 5] ^ a[i + 10] ^ a[i + 15] ^ a[i + 20];
		for (int i = 0; i < 5; i++) {
			uint64 d = c[(i + 4) % 5] ^ rotl64(c[(i + 1) % 5], 1);
			for (int j = 0; j < 25; j += 5) a[j + i] ^= d;
		}
		uint64 t = a[1];
		for (int i = 0; i < 24; i++) {
			uint64 next = a[lanes[i]];
			a[lanes[i]] = rotl64(t, rotations[i]);
			t = next;
		}
		for (int j = 0; j < 25; j += 5) {
			for (int i = 0; i < 5; i++) c[i] = a[j + i];
			for (int i = 0; i < 5; i++) a[j + i] ^= ~c[(i + 1) % 5] & c[(i + 2) % 5];
		}
		a[0] ^= round_constants[r];
	}
}

extern "C" __global__ void sha3(int n, const uint64 *in, uint64 *out) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n) return;
	uint64 a[25] = {0};
	for (int k = 0; k < 8; k++) a[k] = in[k * n + i];
	a[8] = 0x06;
	a[16] = 0x80ull << 56;
	keccak(a);
	for (int k = 0; k < 4; k++) out[k * n + i] = a[k];
}

__device__ inline float warp_total(float v) {
	for (int d = WARP / 2; d > 0; d /= 2) v += SHFL_XOR(v, d);
	return v;
}

extern "C" __global__ void layer_norm(int rows, int width, const float *__restrict__ in, const float *__restrict__ weight, const float *__restrict__ bias,
		float *__restrict__ mean, float *__restrict__ rstd, float *__restrict__ out) {
	int lane = threadIdx.x % WARP, warps = blockDim.x / WARP;
	for (int row = blockIdx.x * warps + threadIdx.x / WARP; row < rows; row += gridDim.x * warps) {
		const float *x = in + row * width;
		float sum = 0;
		for (int i = lane; i < width; i += WARP) sum += x[i];
		float m = warp_total(sum) / width;
		if (lane == 0) mean[row] = m;
		sum = 0;
		for (int i = lane; i < width; i += WARP) {
			float d = x[i] - m;
			sum += d * d;
		}
		float s = rsqrtf(warp_total(sum) / width + 1e-5f);
		if (lane == 0) rstd[row] = s;
		float *o = out + row * width;
		for (int c = lane; c < width; c += WARP) {
			float n = s * (x[c] - m);
			o[c] = n * weight[c] + bias[c];
		}
	}
}

#define TILE 32
#define DEPTH 64

extern "C" __global__ void attention(int n, float scale, const float *q, const float *k, const float *v, float *l, float *m, float *out) {
	__shared__ float qi[TILE][DEPTH], kj[TILE][DEPTH], vj[TILE][DEPTH], s[TILE][TILE];
	int tx = threadIdx.x, head = blockIdx.x, base = head * n * DEPTH, lm = head * n;
	const int tile = TILE * DEPTH;
	for (int j = 0; j < n / TILE; j++) {
		for (int x = 0; x < DEPTH; x++) {
			kj[tx][x] = k[base + tile * j + tx * DEPTH + x];
			vj[tx][x] = v[base + tile * j + tx * DEPTH + x];
		}
		__syncthreads();
		for (int i = 0; i < n / TILE; i++) {
			for (int x = 0; x < DEPTH; x++) qi[tx][x] = q[base + tile * i + tx * DEPTH + x];
			float m_prev = m[lm + TILE * i + tx], l_prev = l[lm + TILE * i + tx];
			float m_row = -INFINITY;
			for (int y = 0; y < TILE; y++) {
				float sum = 0;
				for (int x = 0; x < DEPTH; x++) sum += qi[tx][x] * kj[y][x];
				sum *= scale;
				s[tx][y] = sum;
				if (sum > m_row) m_row = sum;
			}
			float l_row = 0;
			for (int y = 0; y < TILE; y++) {
				s[tx][y] = expf(s[tx][y] - m_row);
				l_row += s[tx][y];
			}
			float m_new = fmaxf(m_prev, m_row);
			float l_new = expf(m_prev - m_new) * l_prev + expf(m_row - m_new) * l_row;
			for (int x = 0; x < DEPTH; x++) {
				float pv = 0;
				for (int y = 0; y < TILE; y++) pv += s[tx][y] * vj[y][x];
				int e = base + tile * i + tx * DEPTH + x;
				out[e] = 1 / l_new * (l_prev * expf(m_prev - m_new) * out[e] + expf(m_row - m_new) * pv);
			}
			m[lm + TILE * i + tx] = m_new;
			l[lm + TILE * i + tx] = l_new;
		}
		__syncthreads();
	}
}

#define GEMV_THREADS 128

extern "C" __global__ void q8_gemv(int cols, const signed char *__restrict__ weights, const float *__restrict__ scales, const float *__restrict__ x, float *__restrict__ y) {
	__shared__ float partial[GEMV_THREADS / 32];
	int row = blockIdx.x, t = threadIdx.x;
	float sum = 0;
	for (int c = t; c < cols; c += GEMV_THREADS) {
		int e = row * cols + c;
		sum += (float)weights[e] * scales[e / 32] * x[c];
	}
	sum = warp_total(sum);
	if (t % WARP == 0) partial[t / WARP] = sum;
	__syncthreads();
	if (t == 0) {
		sum = 0;
		for (int w = 0; w < GEMV_THREADS / WARP; w++) sum += partial[w];
		y[row] = sum;
	}
}

__device__ inline uint8 clamp_byte(int v) { return v < 0 ? 0 : v > 255 ? 255 : v; }

extern "C" __global__ void yuv(int n, const uint8 *__restrict__ rgb, uint8 *__restrict__ y, uint8 *__restrict__ u, uint8 *__restrict__ v) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n) return;
	int r = rgb[3 * i], g = rgb[3 * i + 1], b = rgb[3 * i + 2];
	y[i] = clamp_byte(((66 * r + 129 * g + 25 * b + 128) >> 8) + 16);
	u[i] = clamp_byte(((-38 * r - 74 * g + 112 * b + 128) >> 8) + 128);
	v[i] = clamp_byte(((112 * r - 94 * g - 18 * b + 128) >> 8) + 128);
}

struct Slot {
	unsigned key, value;
};

extern "C" __global__ void hash_insert(int n, int capacity, const Slot *pairs, Slot *table) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n) return;
	unsigned key = pairs[i].key, value = pairs[i].value;
	unsigned slot = hash_slot(key, capacity);
	while (true) {
		unsigned prev = ATOMIC_CAS(&table[slot].key, EMPTY_KEY, key);
		if (prev == EMPTY_KEY || prev == key) {
			table[slot].value = value;
			return;
		}
		slot = (slot + 1) & (capacity - 1);
	}
}

#define DCT_WIDTH 32
#define DCT_HEIGHT 16
#define DCT_SIZE 8
#define C_a 1.387039845322148f
#define C_b 1.306562964876377f
#define C_c 1.175875602419359f
#define C_d 0.785694958387102f
#define C_e 0.541196100146197f
#define C_f 0.275899379282943f
#define C_norm 0.3535533905932737f

__device__ inline void dct8(float *d) {
	float p07 = d[0] + d[7], p16 = d[1] + d[6], p25 = d[2] + d[5], p34 = d[3] + d[4];
	float m07 = d[0] - d[7], m61 = d[6] - d[1], m25 = d[2] - d[5], m43 = d[4] - d[3];
	float pp = p07 + p34, pm = p07 - p34, qp = p16 + p25, qm = p16 - p25;
	d[0] = C_norm * (pp + qp);
	d[2] = C_norm * (C_b * pm + C_e * qm);
	d[4] = C_norm * (pp - qp);
	d[6] = C_norm * (C_e * pm - C_b * qm);
	d[1] = C_norm * (C_a * m07 - C_c * m61 + C_d * m25 - C_f * m43);
	d[3] = C_norm * (C_c * m07 + C_f * m61 - C_a * m25 + C_d * m43);
	d[5] = C_norm * (C_d * m07 + C_a * m61 + C_f * m25 - C_c * m43);
	d[7] = C_norm * (C_f * m07 + C_d * m61 + C_c * m25 + C_a * m43);
}

extern "C" __global__ void dct(int stride, const float *__restrict__ src, float *__restrict__ dst) {
	__shared__ float tile[DCT_HEIGHT][DCT_WIDTH + 1];
	int x = threadIdx.x, y = DCT_SIZE * threadIdx.y, mod = x & (DCT_SIZE - 1);
	int first = (blockIdx.y * DCT_HEIGHT + y) * stride + blockIdx.x * DCT_WIDTH + x;
	for (int i = 0; i < DCT_SIZE; i++) tile[y + i][x] = src[first + i * stride];
	__syncthreads();
	float d[DCT_SIZE];
	for (int i = 0; i < DCT_SIZE; i++) d[i] = tile[y + mod][x - mod + i];
	dct8(d);
	for (int i = 0; i < DCT_SIZE; i++) tile[y + mod][x - mod + i] = d[i];
	__syncthreads();
	for (int i = 0; i < DCT_SIZE; i++) d[i] = tile[y + i][x];
	dct8(d);
	for (int i = 0; i < DCT_SIZE; i++) dst[first + i * stride] = d[i];
}

extern "C" __global__ void ising(int nx, int ny, float beta, signed char *__restrict__ lattice, const signed char *__restrict__ other, const float *__restrict__ random) {
	int t = blockIdx.x * blockDim.x + threadIdx.x;
	int i = t / ny, j = t % ny;
	if (i >= nx || j >= ny) return;
	int below = i + 1 < nx ? i + 1 : 0, above = i - 1 >= 0 ? i - 1 : nx - 1;
	int right = j + 1 < ny ? j + 1 : 0, left = j - 1 >= 0 ? j - 1 : ny - 1;
	int off = i % 2 ? right : left;
	signed char sum = other[above * ny + j] + other[i * ny + j] + other[below * ny + j] + other[i * ny + off];
	signed char spin = lattice[i * ny + j];
	float ratio = expf(-2.0f * beta * sum * spin);
	if (random[i * ny + j] < ratio) lattice[i * ny + j] = -spin;
}

extern "C" __global__ void match(int n, int span, int overlap, const short (*next)[256], const uint8 *ends, const uint8 *text, int *counts) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int start = i * span;
	if (start >= n) return;
	int end = min(start + span, n), count = 0;
	short state = 0;
	for (int k = max(start - overlap, 0); k < end; k++) {
		state = next[state][text[k]];
		if (k >= start) count += ends[state];
	}
	counts[i] = count;
}

#define WORD_LEN 24

extern "C" __global__ void levenshtein(int length, int n, const uint8 *words, const uint8 *word, int *out) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n) return;
	const uint8 *own = words + i * WORD_LEN;
	int row[WORD_LEN + 1];
	for (int k = 0; k <= WORD_LEN; k++) row[k] = k;
	for (int r = 0; r < length; r++) {
		uint8 c = word[r];
		int diagonal = row[0];
		row[0] = r + 1;
		for (int k = 0; k < WORD_LEN; k++) {
			int cost = own[k] == c ? 0 : 1;
			int best = min(min(diagonal + cost, row[k] + 1), row[k + 1] + 1);
			diagonal = row[k + 1];
			row[k + 1] = best;
		}
	}
	out[i] = row[WORD_LEN];
}

__device__ inline unsigned get_block(const uint8 *p) { return p[0] | p[1] << 8 | p[2] << 16 | (unsigned)p[3] << 24; }

__device__ inline unsigned murmur3(unsigned seed, const uint8 *key, int len) {
	const unsigned c1 = 0xcc9e2d51, c2 = 0x1b873593;
	unsigned h = seed;
	int n = len / 4;
	for (int b = 0; b < n; b++) {
		unsigned k = get_block(key + 4 * b);
		k *= c1;
		k = rotl(k, 15);
		k *= c2;
		h ^= k;
		h = rotl(h, 13);
		h = h * 5 + 0xe6546b64;
	}
	const uint8 *tail = key + 4 * n;
	unsigned k = 0;
	switch (len & 3) {
	case 3:
		k ^= tail[2] << 16;
	case 2:
		k ^= tail[1] << 8;
	case 1:
		k ^= tail[0];
		k *= c1;
		k = rotl(k, 15);
		k *= c2;
		h ^= k;
	}
	h ^= len;
	h ^= h >> 16;
	h *= 0x85ebca6b;
	h ^= h >> 13;
	h *= 0xc2b2ae35;
	h ^= h >> 16;
	return h;
}

extern "C" __global__ void murmur(int n, unsigned seed, const uint8 *data, const int *offsets, unsigned *out) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n) return;
	out[i] = murmur3(seed, data + offsets[i], offsets[i + 1] - offsets[i]);
}

__device__ inline void order(uint8 &a, uint8 &b) {
	if (a > b) {
		uint8 t = a;
		a = b;
		b = t;
	}
}

extern "C" __global__ void median(int w, int h, const uint8 *__restrict__ in, uint8 *__restrict__ out) {
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	if (x >= w || y >= h) return;
	uint8 p[9];
	for (int j = 0; j < 3; j++) {
		for (int i = 0; i < 3; i++) {
			int row = min(max(y + j - 1, 0), h - 1), col = min(max(x + i - 1, 0), w - 1);
			p[j * 3 + i] = in[row * w + col];
		}
	}
	order(p[1], p[2]);
	order(p[4], p[5]);
	order(p[7], p[8]);
	order(p[0], p[1]);
	order(p[3], p[4]);
	order(p[6], p[7]);
	order(p[1], p[2]);
	order(p[4], p[5]);
	order(p[7], p[8]);
	order(p[0], p[3]);
	order(p[5], p[8]);
	order(p[4], p[7]);
	order(p[3], p[6]);
	order(p[1], p[4]);
	order(p[2], p[5]);
	order(p[4], p[7]);
	order(p[4], p[2]);
	order(p[6], p[4]);
	order(p[4], p[2]);
	out[y * w + x] = p[4];
}

__constant__ uint8 permutation[512] = {
	106, 178, 186, 37, 32, 2, 254, 154, 115, 243, 83, 27, 248, 25, 218, 122, 91, 216, 123, 105, 184, 173, 64, 200, 255, 66, 28, 219, 44, 59, 49, 247,
	99, 240, 85, 96, 227, 41, 94, 251, 190, 60, 100, 81, 82, 112, 67, 168, 188, 4, 198, 39, 181, 77, 214, 239, 231, 152, 97, 3, 225, 120, 86, 176,
	217, 203, 8, 197, 7, 241, 234, 13, 213, 187, 245, 224, 71, 58, 6, 156, 65, 193, 40, 196, 207, 47, 68, 159, 167, 0, 229, 128, 175, 75, 177, 1,
	139, 84, 103, 102, 238, 145, 157, 133, 199, 153, 45, 53, 135, 183, 124, 110, 130, 104, 150, 113, 35, 70, 51, 226, 21, 191, 151, 237, 117, 132, 50, 179,
	33, 169, 55, 206, 172, 29, 43, 90, 118, 5, 88, 98, 72, 170, 79, 192, 194, 121, 69, 233, 235, 195, 202, 189, 89, 162, 185, 201, 215, 19, 10, 164,
	125, 253, 171, 42, 212, 131, 209, 249, 155, 73, 114, 87, 126, 134, 180, 221, 20, 62, 204, 63, 76, 92, 116, 220, 119, 80, 109, 136, 205, 127, 52, 158,
	222, 228, 16, 182, 140, 246, 95, 48, 163, 208, 148, 26, 46, 174, 143, 78, 146, 30, 138, 36, 236, 74, 34, 142, 11, 56, 250, 252, 223, 147, 230, 244,
	160, 161, 57, 31, 144, 211, 15, 108, 141, 23, 61, 17, 107, 111, 22, 9, 54, 129, 232, 14, 149, 93, 24, 137, 210, 18, 12, 166, 101, 38, 242, 165,
	106, 178, 186, 37, 32, 2, 254, 154, 115, 243, 83, 27, 248, 25, 218, 122, 91, 216, 123, 105, 184, 173, 64, 200, 255, 66, 28, 219, 44, 59, 49, 247,
	99, 240, 85, 96, 227, 41, 94, 251, 190, 60, 100, 81, 82, 112, 67, 168, 188, 4, 198, 39, 181, 77, 214, 239, 231, 152, 97, 3, 225, 120, 86, 176,
	217, 203, 8, 197, 7, 241, 234, 13, 213, 187, 245, 224, 71, 58, 6, 156, 65, 193, 40, 196, 207, 47, 68, 159, 167, 0, 229, 128, 175, 75, 177, 1,
	139, 84, 103, 102, 238, 145, 157, 133, 199, 153, 45, 53, 135, 183, 124, 110, 130, 104, 150, 113, 35, 70, 51, 226, 21, 191, 151, 237, 117, 132, 50, 179,
	33, 169, 55, 206, 172, 29, 43, 90, 118, 5, 88, 98, 72, 170, 79, 192, 194, 121, 69, 233, 235, 195, 202, 189, 89, 162, 185, 201, 215, 19, 10, 164,
	125, 253, 171, 42, 212, 131, 209, 249, 155, 73, 114, 87, 126, 134, 180, 221, 20, 62, 204, 63, 76, 92, 116, 220, 119, 80, 109, 136, 205, 127, 52, 158,
	222, 228, 16, 182, 140, 246, 95, 48, 163, 208, 148, 26, 46, 174, 143, 78, 146, 30, 138, 36, 236, 74, 34, 142, 11, 56, 250, 252, 223, 147, 230, 244,
	160, 161, 57, 31, 144, 211, 15, 108, 141, 23, 61, 17, 107, 111, 22, 9, 54, 129, 232, 14, 149, 93, 24, 137, 210, 18, 12, 166, 101, 38, 242, 165,
};

__device__ inline float fade(float t) { return t * t * t * (t * (t * 6 - 15) + 10); }

__device__ inline float lerp(float t, float a, float b) { return a + t * (b - a); }

__device__ inline float grad(int hash, float x, float y, float z) {
	int h = hash & 15;
	float u = h < 8 ? x : y;
	float v = h < 4 ? y : h == 12 || h == 14 ? x : z;
	return ((h & 1) == 0 ? u : -u) + ((h & 2) == 0 ? v : -v);
}

__device__ inline float noise(float x, float y, float z) {
	float fx = floorf(x), fy = floorf(y), fz = floorf(z);
	int xi = (int)fx & 255, yi = (int)fy & 255, zi = (int)fz & 255;
	x -= fx, y -= fy, z -= fz;
	float u = fade(x), v = fade(y), w = fade(z);
	int a = permutation[xi] + yi, aa = permutation[a] + zi, ab = permutation[a + 1] + zi;
	int b = permutation[xi + 1] + yi, ba = permutation[b] + zi, bb = permutation[b + 1] + zi;
	return lerp(w,
		lerp(v, lerp(u, grad(permutation[aa], x, y, z), grad(permutation[ba], x - 1, y, z)),
			lerp(u, grad(permutation[ab], x, y - 1, z), grad(permutation[bb], x - 1, y - 1, z))),
		lerp(v, lerp(u, grad(permutation[aa + 1], x, y, z - 1), grad(permutation[ba + 1], x - 1, y, z - 1)),
			lerp(u, grad(permutation[ab + 1], x, y - 1, z - 1), grad(permutation[bb + 1], x - 1, y - 1, z - 1))));
}

extern "C" __global__ void perlin(int w, int h, int octaves, float step, float z, float *out) {
	int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
	if (px >= w || py >= h) return;
	float x = px * step, y = py * step, sum = 0, amplitude = 1, frequency = 1;
	for (int i = 0; i < octaves; i++) {
		sum += amplitude * noise(x * frequency, y * frequency, z * frequency);
		amplitude *= 0.5f;
		frequency *= 2;
	}
	out[py * w + px] = sum;
}
