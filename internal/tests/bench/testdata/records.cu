#include "device.h"

typedef unsigned char byte;
typedef unsigned long long uint64;

__device__ inline int lz4_length(const byte *src, int &at, int n) {
	if (n < 15) return n;
	for (;;) {
		int more = src[at++];
		n += more;
		if (more < 255) return n;
	}
}

extern "C" __global__ void lz4_decode(const byte *__restrict__ packed, const int *__restrict__ starts, int size, int count, byte *__restrict__ out, int *__restrict__ lengths) {
	int block = blockIdx.x * blockDim.x + threadIdx.x;
	if (block >= count) return;
	const byte *src = packed + starts[block];
	int end = starts[block + 1] - starts[block];
	byte *dst = out + block * size;
	int at = 0, n = 0;
	while (at < end) {
		int token = src[at++];
		int literals = lz4_length(src, at, token >> 4);
		for (int k = 0; k < literals; k++) dst[n + k] = src[at + k];
		n += literals;
		at += literals;
		if (at == end) break;
		int offset = src[at] | src[at + 1] << 8;
		at += 2;
		int match = lz4_length(src, at, token & 15) + 4;
		for (int k = 0; k < match; k++) {
			dst[n] = dst[n - offset];
			n++;
		}
	}
	lengths[block] = n;
}

#define PACKED_VALUES 128

struct PackedBlock {
	int first, least;
	unsigned start;
	byte width;
	bool deltas;
};

__device__ inline int warp_scan(int v, int lane) {
	for (int d = 1; d < WARP; d *= 2) {
		int before = SHFL_UP(v, d);
		if (lane >= d) v += before;
	}
	return v;
}

extern "C" __global__ void bit_unpack(int blocks, const PackedBlock *__restrict__ block, const uint64 *__restrict__ words, int *__restrict__ out) {
	int thread = blockIdx.x * blockDim.x + threadIdx.x;
	int lane = threadIdx.x % WARP, warps = gridDim.x * blockDim.x / WARP;
	for (int n = thread / WARP; n < blocks; n += warps) {
		PackedBlock b = block[n];
		int before = b.first;
		for (int i = lane; i < PACKED_VALUES; i += WARP) {
			int bit = i * b.width, shift = bit % 64;
			const uint64 *word = words + b.start + bit / 64;
			uint64 bits = word[0] >> shift;
			if (shift + b.width > 64) bits |= word[1] << (64 - shift);
			int v = (int)(bits & ((1ull << b.width) - 1));
			if (!b.deltas) {
				out[n * PACKED_VALUES + i] = b.first + v;
				continue;
			}
			int sum = before + warp_scan(b.least + v, lane);
			out[n * PACKED_VALUES + i] = sum;
			before = SHFL(sum, WARP - 1);
		}
	}
}

#define JSON_THREADS 128
#define JSON_CHUNK 64

struct ChunkIndex {
	uint64 mask;
	int count;
};

__device__ inline uint64 escaped(uint64 backslashes, uint64 first) {
	const uint64 even = 0x5555555555555555ull;
	backslashes &= ~first;
	uint64 follows = backslashes << 1 | first;
	uint64 odd = backslashes & ~even & ~follows;
	return (even ^ (odd + backslashes) << 1) & follows;
}

extern "C" __global__ void json_index(const byte *__restrict__ text, const int *__restrict__ starts, const int *__restrict__ lengths, ChunkIndex *__restrict__ index) {
	__shared__ byte parity[JSON_THREADS];
	int t = threadIdx.x, d = blockIdx.x;
	int first = starts[d], chunks = starts[d + 1] - first, length = lengths[d];
	const byte *document = text + first * JSON_CHUNK;
	int inside = 0;
	for (int base = 0; base < chunks; base += JSON_THREADS) {
		int at = min((base + t) * JSON_CHUNK, length);
		int n = min(JSON_CHUNK, length - at);
		uint64 quotes = 0, backslashes = 0, structural = 0;
		for (int i = 0; i < n; i++) {
			uint64 bit = 1ull << i;
			switch (document[at + i]) {
			case '"': quotes |= bit; break;
			case '\\': backslashes |= bit; break;
			case '{': case '}': case '[': case ']': case ':': case ',': structural |= bit; break;
			}
		}
		int run = 0;
		while (run < at && document[at - run - 1] == '\\') run++;
		quotes &= ~escaped(backslashes, run % 2);
		parity[t] = POPC(quotes) % 2;
		__syncthreads();
		for (int d = 1; d < JSON_THREADS; d *= 2) {
			byte sum = parity[t];
			if (t >= d) sum ^= parity[t - d];
			__syncthreads();
			parity[t] = sum;
			__syncthreads();
		}
		int before = inside;
		if (t > 0) before ^= parity[t - 1];
		uint64 strings = quotes;
		for (int d = 1; d < 64; d *= 2) strings ^= strings << d;
		if (before) strings = ~strings;
		if (base + t < chunks) {
			uint64 mask = structural & ~strings;
			index[first + base + t] = ChunkIndex{mask, (int)POPC(mask)};
		}
		inside ^= parity[JSON_THREADS - 1];
		__syncthreads();
	}
}

#define CSV_GROUPS 64

struct CSVTotal { uint64 lines, quantity, money; };

// A Field is a part of a line.
struct Field {
	const byte *at, *end;
};

__device__ inline Field cut_field(Field &line) {
	Field f = {line.at, line.at};
	while (f.end < line.end && *f.end != ',') f.end++;
	line.at = f.end < line.end ? f.end + 1 : f.end;
	return f;
}

__device__ inline bool cut_sign(Field &f) {
	bool negative = f.at < f.end && *f.at == '-';
	if (negative) f.at++;
	return negative;
}

__device__ inline bool parse_int(Field f, long long &n) {
	bool negative = cut_sign(f);
	n = 0;
	for (const byte *p = f.at; p < f.end; p++) {
		if (*p < '0' || *p > '9') return false;
		n = 10 * n + (*p - '0');
	}
	if (negative) n = -n;
	return f.at < f.end;
}

__device__ inline bool parse_decimal(Field f, long long &n) {
	bool negative = cut_sign(f), point = false;
	int places = 0;
	n = 0;
	for (const byte *p = f.at; p < f.end; p++) {
		if (*p == '.' && !point) {
			point = true;
			continue;
		}
		if (*p < '0' || *p > '9') return false;
		n = 10 * n + (*p - '0');
		if (point) places++;
	}
	if (places > 4) return false;
	for (; places < 4; places++) n *= 10;
	if (negative) n = -n;
	return f.at < f.end;
}

__device__ inline bool parse_line(Field line, long long &group, long long &quantity, long long &money) {
	cut_field(line);
	if (!parse_int(cut_field(line), group) || group < 0 || group >= CSV_GROUPS) return false;
	if (!parse_int(cut_field(line), quantity)) return false;
	cut_field(line);
	return parse_decimal(cut_field(line), money);
}

extern "C" __global__ void csv_sum(int lines, const byte *__restrict__ text, const int *__restrict__ starts, CSVTotal *__restrict__ totals, int *__restrict__ bad) {
	__shared__ CSVTotal shared[CSV_GROUPS];
	for (int g = threadIdx.x; g < CSV_GROUPS; g += blockDim.x) shared[g] = CSVTotal{0, 0, 0};
	__syncthreads();
	int step = gridDim.x * blockDim.x;
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < lines; i += step) {
		long long group, quantity, money;
		if (!parse_line(Field{text + starts[i], text + starts[i + 1] - 1}, group, quantity, money)) {
			ATOMIC_ADD(&bad[0], 1);
			continue;
		}
		CSVTotal *total = &shared[group];
		ATOMIC_ADD(&total->lines, 1ull);
		ATOMIC_ADD(&total->quantity, (uint64)quantity);
		ATOMIC_ADD(&total->money, (uint64)money);
	}
	__syncthreads();
	for (int g = threadIdx.x; g < CSV_GROUPS; g += blockDim.x) {
		ATOMIC_ADD(&totals[g].lines, shared[g].lines);
		ATOMIC_ADD(&totals[g].quantity, shared[g].quantity);
		ATOMIC_ADD(&totals[g].money, shared[g].money);
	}
}

#define TEXT_CHUNK 256

extern "C" __global__ void aho_corasick(const int (*__restrict__ next)[256], const int *__restrict__ first, const int *__restrict__ patterns, int longest, int length,
		const byte *__restrict__ text, int *__restrict__ counts) {
	int begin = (blockIdx.x * blockDim.x + threadIdx.x) * TEXT_CHUNK;
	if (begin >= length) return;
	int end = min(begin + TEXT_CHUNK, length);
	int state = 0;
	for (int i = max(begin - longest + 1, 0); i < end; i++) {
		state = next[state][text[i]];
		if (i < begin) continue;
		int last = first[state + 1];
		for (int k = first[state]; k < last; k++) ATOMIC_ADD(&counts[patterns[k]], 1);
	}
}

#define EDIT_MOST 32

enum Edit : byte { EDIT_NONE, EDIT_KEEP, EDIT_REPLACE, EDIT_DELETE, EDIT_INSERT };

extern "C" __global__ void edit_scripts(int pairs, const byte *__restrict__ from_text, const int *__restrict__ from_starts, const byte *__restrict__ to_text,
		const int *__restrict__ to_starts, int *__restrict__ distances, Edit *__restrict__ scripts) {
	int pair = blockIdx.x * blockDim.x + threadIdx.x;
	if (pair >= pairs) return;
	const byte *from = from_text + from_starts[pair], *to = to_text + to_starts[pair];
	int m = from_starts[pair + 1] - from_starts[pair], n = to_starts[pair + 1] - to_starts[pair];
	Edit moves[EDIT_MOST + 1][EDIT_MOST + 1];
	int costs[EDIT_MOST + 1];
	costs[0] = 0;
	for (int j = 1; j <= n; j++) {
		costs[j] = j;
		moves[0][j] = EDIT_INSERT;
	}
	for (int i = 1; i <= m; i++) {
		int diagonal = costs[0];
		costs[0] = i;
		moves[i][0] = EDIT_DELETE;
		byte a = from[i - 1];
		for (int j = 1; j <= n; j++) {
			Edit move = EDIT_KEEP;
			int cost = diagonal;
			if (a != to[j - 1]) {
				move = EDIT_REPLACE;
				cost++;
			}
			if (costs[j] + 1 < cost) {
				move = EDIT_DELETE;
				cost = costs[j] + 1;
			}
			if (costs[j - 1] + 1 < cost) {
				move = EDIT_INSERT;
				cost = costs[j - 1] + 1;
			}
			diagonal = costs[j];
			costs[j] = cost;
			moves[i][j] = move;
		}
	}
	distances[pair] = costs[n];
	Edit *script = scripts + (pair + 1) * 2 * EDIT_MOST;
	for (int i = m, j = n; i > 0 || j > 0;) {
		Edit move = moves[i][j];
		*--script = move;
		if (move != EDIT_INSERT) i--;
		if (move != EDIT_DELETE) j--;
	}
}

struct WindowRow { float least, most, mean; };

extern "C" __global__ void window_agg(int partitions, const int *__restrict__ starts, int rows, const long long *__restrict__ times, long long period, int n,
		const float *__restrict__ least, const float *__restrict__ most, const double *__restrict__ sums, WindowRow *__restrict__ out) {
	int row = blockIdx.x * blockDim.x + threadIdx.x;
	if (row >= rows) return;
	int lo = 0, hi = partitions;
	while (lo < hi) {
		int mid = (lo + hi) / 2;
		if (starts[mid] > row) hi = mid;
		else lo = mid + 1;
	}
	long long oldest = times[row] - period;
	int first = starts[lo - 1], last = row;
	while (first < last) {
		int mid = first + (last - first) / 2;
		if (times[mid] >= oldest) last = mid;
		else first = mid + 1;
	}
	int end = row + 1, k = 31 - __clz(end - first);
	int a = k * n + first, b = k * n + end - (1 << k);
	out[row] = WindowRow{fminf(least[a], least[b]), fmaxf(most[a], most[b]), (float)((sums[end] - sums[first]) / (end - first))};
}

#define CUCKOO_KICKS 32

__device__ inline uint64 cuckoo_hash(uint64 x) {
	x ^= x >> 30;
	x *= 0xbf58476d1ce4e5b9ull;
	x ^= x >> 27;
	x *= 0x94d049bb133111ebull;
	return x ^ x >> 31;
}

__device__ inline unsigned cuckoo_print(uint64 hash) {
	unsigned print = hash >> 48;
	return print == 0 ? 1 : print;
}

__device__ inline int cuckoo_other(int buckets, int bucket, unsigned print) { return (bucket ^ print * 0x5bd1e995u) & (buckets - 1); }

__device__ inline bool cuckoo_has(uint64 bucket, unsigned print) {
	for (; bucket != 0; bucket >>= 16) {
		if ((bucket & 0xffff) == print) return true;
	}
	return false;
}

__device__ inline bool cuckoo_add(uint64 *bucket, unsigned print) {
	uint64 old = *bucket;
	for (int slot = 0; slot < 4;) {
		int shift = 16 * slot;
		if ((old >> shift & 0xffff) != 0) {
			slot++;
			continue;
		}
		uint64 now = ATOMIC_CAS(bucket, old, old | (uint64)print << shift);
		if (now == old) return true;
		old = now;
	}
	return false;
}

__device__ inline unsigned cuckoo_exchange(uint64 *bucket, int slot, unsigned print) {
	int shift = 16 * slot;
	uint64 old = *bucket;
	for (;;) {
		uint64 now = ATOMIC_CAS(bucket, old, (old & ~(0xffffull << shift)) | (uint64)print << shift);
		if (now == old) return old >> shift & 0xffff;
		old = now;
	}
}

__device__ inline bool cuckoo_insert(int buckets, uint64 *filter, uint64 key) {
	uint64 hash = cuckoo_hash(key);
	unsigned print = cuckoo_print(hash);
	int bucket = hash & (buckets - 1);
	if (cuckoo_add(&filter[bucket], print)) return true;
	bucket = cuckoo_other(buckets, bucket, print);
	for (int kick = 0; kick < CUCKOO_KICKS; kick++) {
		if (cuckoo_add(&filter[bucket], print)) return true;
		print = cuckoo_exchange(&filter[bucket], cuckoo_hash(hash + kick) & 3, print);
		bucket = cuckoo_other(buckets, bucket, print);
	}
	return false;
}

extern "C" __global__ void cuckoo_filter(int older_buckets, const uint64 *__restrict__ older, int buckets, uint64 *filter, int count, const uint64 *__restrict__ keys, byte *__restrict__ status) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= count) return;
	uint64 key = keys[i], hash = cuckoo_hash(key);
	unsigned print = cuckoo_print(hash);
	int bucket = hash & (older_buckets - 1);
	if (cuckoo_has(older[bucket], print) || cuckoo_has(older[cuckoo_other(older_buckets, bucket, print)], print)) status[i] = 0;
	else status[i] = cuckoo_insert(buckets, filter, key) ? 1 : 2;
}
