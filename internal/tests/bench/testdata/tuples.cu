#include "device.h"

typedef unsigned char uint8;
typedef unsigned long long uint64;

struct Group {
	uint64 sum;
	unsigned key, count;
};

extern "C" __global__ void group_by(int n, int capacity, const unsigned *__restrict__ keys, const int *__restrict__ values, Group *__restrict__ table) {
	int step = gridDim.x * blockDim.x;
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) {
		unsigned key = keys[i];
		int at = hash_slot(key, capacity);
		while (true) {
			unsigned old = ATOMIC_CAS(&table[at].key, EMPTY_KEY, key);
			if (old == EMPTY_KEY || old == key) break;
			at = (at + 1) & (capacity - 1);
		}
		Group *group = &table[at];
		ATOMIC_ADD(&group->sum, (uint64)(long long)values[i]);
		ATOMIC_ADD(&group->count, 1u);
	}
}

#define KMER_RUN 32
#define NO_KMER (~0ull)

__device__ inline uint64 kmer_hash(uint64 x) {
	x ^= x >> 33;
	x *= 0xff51afd7ed558ccdull;
	x ^= x >> 33;
	x *= 0xc4ceb9fe1a85ec53ull;
	return x ^ x >> 33;
}

__device__ inline void count_kmer(uint64 kmer, int capacity, uint64 *keys, unsigned *counts) {
	int mask = capacity - 1, at = (int)kmer_hash(kmer) & mask;
	while (true) {
		uint64 old = ATOMIC_CAS(&keys[at], NO_KMER, kmer);
		if (old == NO_KMER || old == kmer) break;
		at = (at + 1) & mask;
	}
	ATOMIC_ADD(&counts[at], 1u);
}

extern "C" __global__ void kmer_count(int capacity, int k, int bases, const unsigned *__restrict__ genome, uint64 *__restrict__ keys, unsigned *__restrict__ counts) {
	int first = (blockIdx.x * blockDim.x + threadIdx.x) * KMER_RUN;
	if (first + k > bases) return;
	int last = min(first + KMER_RUN + k - 1, bases);
	uint64 mask = (1ull << (2 * k)) - 1, forward = 0, reverse = 0;
	for (int i = first; i < last; i++) {
		uint64 base = genome[i / 16] >> (i % 16 * 2) & 3;
		forward = (forward << 2 | base) & mask;
		reverse = reverse >> 2 | (3 - base) << (2 * (k - 1));
		if (i - first >= k - 1) count_kmer(forward < reverse ? forward : reverse, capacity, keys, counts);
	}
}

extern "C" __global__ void parquet_column(int rows, int width, const unsigned *__restrict__ packed, const unsigned *__restrict__ valid, const int *__restrict__ ranks,
		const double *__restrict__ dictionary, double *__restrict__ out) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= rows) return;
	int word = i / 32, bit = i % 32;
	unsigned mask = valid[word];
	if (!(mask >> bit & 1)) {
		out[i] = 0;
		return;
	}
	int n = ranks[word] + __popc(mask & ((1u << bit) - 1));
	int at = n * width;
	uint64 pair = packed[at / 32] | (uint64)packed[at / 32 + 1] << 32;
	unsigned index = (unsigned)(pair >> (at % 32)) & ((1u << width) - 1);
	out[i] = dictionary[index];
}

__device__ inline uint64 bloom_hash(uint64 key) {
	key ^= 0xa0761d6478bd642full;
	return __umul64hi(key, 0xe7037ed1a0b428dbull) ^ key * 0xe7037ed1a0b428dbull;
}

extern "C" __global__ void bloom_probe(int n, int words, int hashes, const uint64 *__restrict__ keys, const unsigned *__restrict__ filter, bool *__restrict__ found) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n) return;
	uint64 h = bloom_hash(keys[i]);
	unsigned h1 = (unsigned)h, h2 = (unsigned)(h >> 32) | 1;
	uint64 size = (uint64)words * 32;
	bool ok = true;
	for (int k = 0; k < hashes; k++) {
		unsigned bit = h1 * size >> 32;
		if (!(filter[bit / 32] >> (bit % 32) & 1)) {
			ok = false;
			break;
		}
		h1 += h2;
	}
	found[i] = ok;
}

extern "C" __global__ void merge_join(int rows, int others, const long long *__restrict__ left, const long long *__restrict__ right, const double *__restrict__ payload,
		int *__restrict__ matches, double *__restrict__ sums) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= rows) return;
	long long key = left[i];
	int lo = 0, end = others;
	while (lo < end) {
		int mid = (lo + end) / 2;
		if (right[mid] < key) lo = mid + 1;
		else end = mid;
	}
	int hi = lo;
	end = others;
	while (hi < end) {
		int mid = (hi + end) / 2;
		if (right[mid] <= key) hi = mid + 1;
		else end = mid;
	}
	double sum = 0;
	for (int k = lo; k < hi; k++) sum += payload[k];
	matches[i] = hi - lo;
	sums[i] = sum;
}

// find is where sub begins in s, or -1.
__device__ inline int find(const uint8 *s, int n, const uint8 *sub, int m) {
	for (int i = 0; i + m <= n; i++) {
		int k = 0;
		while (k < m && s[i + k] == sub[k]) k++;
		if (k == m) return i;
	}
	return -1;
}

extern "C" __global__ void like_filter(int n, int m1, int m2, const int *__restrict__ offsets, const uint8 *__restrict__ text, const uint8 *__restrict__ first,
		const uint8 *__restrict__ second, bool *__restrict__ found) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n) return;
	const uint8 *row = text + offsets[i];
	int length = offsets[i + 1] - offsets[i];
	int at = find(row, length, first, m1);
	found[i] = at >= 0 && find(row + at + m1, length - at - m1, second, m2) >= 0;
}

extern "C" __global__ void base64_rows(int n, const int *__restrict__ offsets, const uint8 *__restrict__ text, const signed char *__restrict__ values,
		const int *__restrict__ starts, uint8 *__restrict__ out, int *__restrict__ lengths) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n) return;
	const uint8 *row = text + offsets[i];
	int left = offsets[i + 1] - offsets[i];
	uint8 *dst = out + starts[i];
	int bad = 0, k = 0;
	for (; left >= 4; left -= 4) {
		int a = values[row[0]], b = values[row[1]], c = values[row[2]], d = values[row[3]];
		int v = a << 18 | b << 12 | c << 6 | d;
		bad |= v;
		dst[k] = v >> 16;
		dst[k + 1] = v >> 8;
		dst[k + 2] = v;
		k += 3;
		row += 4;
	}
	if (left >= 2) { // a byte or two are left
		int v = values[row[0]] << 18 | values[row[1]] << 12;
		dst[k++] = v >> 16;
		if (left == 3) {
			v |= values[row[2]] << 6;
			dst[k++] = v >> 8;
		}
		bad |= v;
	}
	lengths[i] = bad < 0 ? -1 : k;
}

#define LETTERS 4

extern "C" __global__ void myers(int n, int most, const int *__restrict__ offsets, const uint8 *__restrict__ reads, const int *__restrict__ positions,
		const unsigned *__restrict__ reference, int *__restrict__ distances) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n) return;
	const uint8 *read = reads + offsets[i];
	int length = offsets[i + 1] - offsets[i], position = positions[i];
	uint64 masks[LETTERS + 1] = {}; // where in the band each letter is
	for (int k = 0; k < most; k++) masks[read[k]] |= 1ull << (64 - most + k);
	uint64 vp = ~0ull << (63 - most), vn = 0, bottom = 1ull << 62;
	int distance = most;
	for (int k = 0; k < length; k++) {
		for (int c = 0; c <= LETTERS; c++) masks[c] >>= 1;
		if (k + most < length) masks[read[k + most]] |= 1ull << 63;
		int at = position + k;
		uint64 x = masks[reference[at / 16] >> (at % 16 * 2) & 3];
		uint64 d0 = (((x & vp) + vp) ^ vp) | x | vn;
		uint64 hp = vn | ~(d0 | vp), hn = d0 & vp;
		if (k + most < length) { // down a diagonal
			if (!(d0 >> 63)) distance++;
		} else { // along the last row
			if (hp & bottom) distance++;
			if (hn & bottom) distance--;
			bottom >>= 1;
		}
		if (distance > 2 * most) break; // it falls by most, at most
		vp = hn | ~(d0 >> 1 | hp);
		vn = d0 >> 1 & hp;
	}
	distances[i] = min(distance, most + 1);
}
