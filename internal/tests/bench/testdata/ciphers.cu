#include "device.h"

struct Mix {
	unsigned of[256];
};

// The table of ../kernels/ciphers.go, by the same way.
constexpr unsigned doubled(unsigned x) { return (x << 1 ^ (x >> 7) * 0x1b) & 0xff; }
constexpr unsigned turned(unsigned x, int n) { return (x << n | x >> (8 - n)) & 0xff; }
constexpr Mix make_mix() {
	Mix m = {};
	unsigned p = 1, q = 1;
	do {
		p ^= doubled(p);
		q ^= q << 1;
		q ^= q << 2;
		q ^= q << 4;
		q &= 0xff;
		q ^= (q >> 7) * 9;
		unsigned s = q ^ turned(q, 1) ^ turned(q, 2) ^ turned(q, 3) ^ turned(q, 4) ^ 0x63, d = doubled(s);
		m.of[p] = d << 24 | s << 16 | s << 8 | (d ^ s);
	} while (p != 1);
	m.of[0] = 0xc66363a5;
	return m;
}

__constant__ Mix mix_table = make_mix();

__device__ inline unsigned mix(const unsigned *t, unsigned a, unsigned b, unsigned c, unsigned d, unsigned key) {
	return t[a >> 24] ^ rotr(t[b >> 16 & 0xff], 8) ^ rotr(t[c >> 8 & 0xff], 16) ^ rotr(t[d & 0xff], 24) ^ key;
}

__device__ inline unsigned substitute(const unsigned *t, unsigned a, unsigned b, unsigned c, unsigned d, unsigned key) {
	return ((t[a >> 24] >> 8 & 0xff) << 24 | (t[b >> 16 & 0xff] >> 8 & 0xff) << 16 | (t[c >> 8 & 0xff] >> 8 & 0xff) << 8 |
			(t[d & 0xff] >> 8 & 0xff)) ^ key;
}

#define AES_ROUNDS 10

extern "C" __global__ void aes(int n, const unsigned *keys, const uint4 *in, uint4 *out) {
	__shared__ unsigned table[256];
	int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
	table[t] = mix_table.of[t];
	__syncthreads();
	if (i >= n) return;
	uint4 v = in[i];
	unsigned a = v.x ^ keys[0], b = v.y ^ keys[1], c = v.z ^ keys[2], d = v.w ^ keys[3];
	for (int r = 4; r < 4 * AES_ROUNDS; r += 4) {
		unsigned a2 = mix(table, a, b, c, d, keys[r]), b2 = mix(table, b, c, d, a, keys[r + 1]);
		unsigned c2 = mix(table, c, d, a, b, keys[r + 2]), d2 = mix(table, d, a, b, c, keys[r + 3]);
		a = a2, b = b2, c = c2, d = d2;
	}
	const unsigned *last = keys + 4 * AES_ROUNDS;
	out[i] = uint4{substitute(table, a, b, c, d, last[0]), substitute(table, b, c, d, a, last[1]),
		substitute(table, c, d, a, b, last[2]), substitute(table, d, a, b, c, last[3])};
}

struct Key {
	unsigned of[8];
};

__device__ inline void quarter(unsigned *s, int a, int b, int c, int d) {
	s[a] += s[b];
	s[d] = rotl(s[d] ^ s[a], 16);
	s[c] += s[d];
	s[b] = rotl(s[b] ^ s[c], 12);
	s[a] += s[b];
	s[d] = rotl(s[d] ^ s[a], 8);
	s[c] += s[d];
	s[b] = rotl(s[b] ^ s[c], 7);
}

extern "C" __global__ void chacha(int n, Key key, const unsigned *in, unsigned *out) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (16 * i >= n) return;
	unsigned start[16] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574, key.of[0], key.of[1], key.of[2], key.of[3],
		key.of[4], key.of[5], key.of[6], key.of[7], (unsigned)i, 0, 0, 0};
	unsigned s[16];
	for (int k = 0; k < 16; k++) s[k] = start[k];
	for (int r = 0; r < 10; r++) {
		quarter(s, 0, 4, 8, 12);
		quarter(s, 1, 5, 9, 13);
		quarter(s, 2, 6, 10, 14);
		quarter(s, 3, 7, 11, 15);
		quarter(s, 0, 5, 10, 15);
		quarter(s, 1, 6, 11, 12);
		quarter(s, 2, 7, 8, 13);
		quarter(s, 3, 4, 9, 14);
	}
	for (int k = 0; k < 16; k++) out[16 * i + k] = in[16 * i + k] ^ (s[k] + start[k]);
}

__constant__ unsigned primes[64] = {
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
	0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
	0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
	0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
	0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
	0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
	0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
	0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

extern "C" __global__ void sha256(int n, const unsigned *in, unsigned *out) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n) return;
	unsigned w[16] = {};
	for (int k = 0; k < 8; k++) w[k] = in[k * n + i];
	w[8] = 0x80000000, w[15] = 256;
	const unsigned start[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
	unsigned s[8];
	for (int k = 0; k < 8; k++) s[k] = start[k];
	for (int r = 0; r < 64; r++) {
		if (r >= 16) {
			unsigned w15 = w[(r + 1) % 16], w2 = w[(r + 14) % 16];
			w[r % 16] += (rotr(w15, 7) ^ rotr(w15, 18) ^ w15 >> 3) + w[(r + 9) % 16] + (rotr(w2, 17) ^ rotr(w2, 19) ^ w2 >> 10);
		}
		unsigned e = s[4], a = s[0];
		unsigned t1 = s[7] + (rotr(e, 6) ^ rotr(e, 11) ^ rotr(e, 25)) + ((e & s[5]) ^ (~e & s[6])) + primes[r] + w[r % 16];
		unsigned t2 = (rotr(a, 2) ^ rotr(a, 13) ^ rotr(a, 22)) + ((a & s[1]) ^ (a & s[2]) ^ (s[1] & s[2]));
		s[7] = s[6], s[6] = s[5], s[5] = e, s[4] = s[3] + t1, s[3] = s[2], s[2] = s[1], s[1] = a, s[0] = t1 + t2;
	}
	for (int k = 0; k < 8; k++) out[k * n + i] = start[k] + s[k];
}

extern "C" __global__ void hash_chain(int n, int rounds, const unsigned *in, unsigned *out) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n) return;
	unsigned x = in[i];
	for (int r = 0; r < rounds; r++) {
		x ^= x >> 16;
		x *= 0x7feb352d;
		x ^= x >> 15;
		x *= 0x846ca68b;
		x = rotl(x, 11) + r;
	}
	out[i] = x;
}
