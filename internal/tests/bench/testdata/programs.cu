#include "device.h"

#define PATH_THREADS 256

extern "C" __global__ void pathfinder(int rows, int border, int cols, int start, const int *__restrict__ wall, const int *__restrict__ src, int *__restrict__ result) {
	__shared__ int prev[PATH_THREADS], next[PATH_THREADS];
	int bx = blockIdx.x, tx = threadIdx.x;
	int small = PATH_THREADS - rows * 2;
	int first = small * bx - border, last = first + PATH_THREADS - 1, x = first + tx;
	int validMin = first < 0 ? -first : 0;
	int validMax = last > cols - 1 ? PATH_THREADS - 1 - (last - cols + 1) : PATH_THREADS - 1;
	int w = tx - 1, e = tx + 1;
	w = w < validMin ? validMin : w;
	e = e > validMax ? validMax : e;
	bool valid = tx >= validMin && tx <= validMax;
	if (x >= 0 && x < cols) prev[tx] = src[x];
	__syncthreads();
	bool computed = false;
	for (int i = 0; i < rows; i++) {
		computed = false;
		if (tx >= i + 1 && tx <= PATH_THREADS - i - 2 && valid) {
			computed = true;
			int shortest = min(prev[w], prev[tx]);
			shortest = min(shortest, prev[e]);
			next[tx] = shortest + wall[cols * (start + i) + x];
		}
		__syncthreads();
		if (i == rows - 1) break;
		if (computed) prev[tx] = next[tx];
		__syncthreads();
	}
	if (computed) result[x] = next[tx];
}

#define NEEDLE_TILE 16

__device__ inline int maximum(int a, int b, int c) { return max(max(a, b), c); }

extern "C" __global__ void needle(int cols, int tiles, int penalty, int *__restrict__ items, const int *__restrict__ reference) {
	__shared__ int score[NEEDLE_TILE + 1][NEEDLE_TILE + 1], ref[NEEDLE_TILE][NEEDLE_TILE];
	int bx = blockIdx.x, tx = threadIdx.x, by = tiles - 1 - bx;
	int base = blockIdx.y * cols * cols + cols * NEEDLE_TILE * by + NEEDLE_TILE * bx;
	int index = base + tx + cols + 1;
	if (tx == 0) score[0][0] = items[base];
	for (int ty = 0; ty < NEEDLE_TILE; ty++) ref[ty][tx] = reference[index + cols * ty];
	score[tx + 1][0] = items[base + cols + cols * tx];
	score[0][tx + 1] = items[base + tx + 1];
	__syncthreads();
	for (int m = 0; m < NEEDLE_TILE; m++) {
		if (tx <= m) {
			int x = tx + 1, y = m - tx + 1;
			score[y][x] = maximum(score[y - 1][x - 1] + ref[y - 1][x - 1], score[y][x - 1] - penalty, score[y - 1][x] - penalty);
		}
		__syncthreads();
	}
	for (int m = NEEDLE_TILE - 2; m >= 0; m--) {
		if (tx <= m) {
			int x = tx + NEEDLE_TILE - m, y = NEEDLE_TILE - tx;
			score[y][x] = maximum(score[y - 1][x - 1] + ref[y - 1][x - 1], score[y][x - 1] - penalty, score[y - 1][x] - penalty);
		}
		__syncthreads();
	}
	for (int ty = 0; ty < NEEDLE_TILE; ty++) items[index + cols * ty] = score[ty + 1][tx + 1];
}

#define LUD_TILE 16

extern "C" __global__ void lud_perimeter(int n, int offset, float *m) {
	__shared__ float dia[LUD_TILE][LUD_TILE], row[LUD_TILE][LUD_TILE], col[LUD_TILE][LUD_TILE];
	int bx = blockIdx.x, tx = threadIdx.x, base = blockIdx.y * n * n;
	if (tx < LUD_TILE) {
		int at = base + offset * n + offset;
		for (int i = 0; i < LUD_TILE / 2; i++) {
			dia[i][tx] = m[at + tx];
			at += n;
		}
		at = base + offset * n + offset;
		for (int i = 0; i < LUD_TILE; i++) {
			row[i][tx] = m[at + (bx + 1) * LUD_TILE + tx];
			at += n;
		}
	} else {
		int k = tx - LUD_TILE, at = base + (offset + LUD_TILE / 2) * n + offset;
		for (int i = LUD_TILE / 2; i < LUD_TILE; i++) {
			dia[i][k] = m[at + k];
			at += n;
		}
		at = base + (offset + (bx + 1) * LUD_TILE) * n + offset;
		for (int i = 0; i < LUD_TILE; i++) {
			col[i][k] = m[at + k];
			at += n;
		}
	}
	__syncthreads();
	if (tx < LUD_TILE) {
		for (int i = 1; i < LUD_TILE; i++)
			for (int j = 0; j < i; j++) row[i][tx] -= dia[i][j] * row[j][tx];
	} else {
		int k = tx - LUD_TILE;
		for (int i = 0; i < LUD_TILE; i++) {
			for (int j = 0; j < i; j++) col[k][i] -= col[k][j] * dia[j][i];
			col[k][i] /= dia[i][i];
		}
	}
	__syncthreads();
	if (tx < LUD_TILE) {
		int at = base + (offset + 1) * n + offset;
		for (int i = 1; i < LUD_TILE; i++) {
			m[at + (bx + 1) * LUD_TILE + tx] = row[i][tx];
			at += n;
		}
	} else {
		int k = tx - LUD_TILE, at = base + (offset + (bx + 1) * LUD_TILE) * n + offset;
		for (int i = 0; i < LUD_TILE; i++) {
			m[at + k] = col[i][k];
			at += n;
		}
	}
}

extern "C" __global__ void floyd_warshall(int n, int k, int *distance, int *path) {
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	int old = distance[y * n + x];
	int through = distance[y * n + k] + distance[k * n + x];
	if (through < old) {
		distance[y * n + x] = through;
		path[y * n + x] = k;
	}
}

extern "C" __global__ void kmeans(int points, int features, int clusters, const float *__restrict__ feature, const float *__restrict__ center, int *__restrict__ membership) {
	int p = blockIdx.x * blockDim.x + threadIdx.x;
	if (p >= points) return;
	int index = 0;
	float least = 3.40282347e+38f;
	for (int c = 0; c < clusters; c++) {
		float sum = 0;
		for (int f = 0; f < features; f++) {
			float d = feature[f * points + p] - center[c * features + f];
			sum += d * d;
		}
		if (sum < least) {
			least = sum;
			index = c;
		}
	}
	membership[p] = index;
}

#define TREE_ORDER 256

struct Node {
	int location, indices[TREE_ORDER + 1], keys[TREE_ORDER + 1];
	bool is_leaf;
	int num_keys;
};

extern "C" __global__ void tree_find(int count, int height, const Node *nodes, const int *records, int *current, int *offset, const int *keys, int *answers) {
	int t = threadIdx.x, b = blockIdx.x;
	for (int i = 0; i < height; i++) {
		if (nodes[current[b]].keys[t] <= keys[b] && nodes[current[b]].keys[t + 1] > keys[b]) {
			if (nodes[offset[b]].indices[t] < count) offset[b] = nodes[offset[b]].indices[t];
		}
		__syncthreads();
		if (t == 0) current[b] = offset[b];
		__syncthreads();
	}
	if (nodes[current[b]].keys[t] == keys[b]) answers[b] = records[nodes[current[b]].indices[t]];
}

#define MERGE_ITEMS 8

extern "C" __global__ void merge(int na, int nb, int n, const int *__restrict__ a, const int *__restrict__ b, int *__restrict__ out) {
	int diagonal = (blockIdx.x * blockDim.x + threadIdx.x) * MERGE_ITEMS;
	if (diagonal >= n) return;
	int low = max(0, diagonal - nb), high = min(diagonal, na);
	while (low < high) {
		int mid = (low + high) / 2;
		if (a[mid] <= b[diagonal - 1 - mid])
			low = mid + 1;
		else
			high = mid;
	}
	int i = low, j = diagonal - low;
	for (int k = diagonal; k < min(diagonal + MERGE_ITEMS, n); k++) {
		if (j >= nb || (i < na && a[i] <= b[j]))
			out[k] = a[i++];
		else
			out[k] = b[j++];
	}
}
